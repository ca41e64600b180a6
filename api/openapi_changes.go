package api

import (
	"net/http"
	"strings"

	"razao/index/filter"
	"razao/internal/data/change"
	"razao/internal/data/openapi"
	"razao/internal/data/record"
)

// changesItem returns the path item of /v2/mudancas.
func changesItem() openapi.Object {
	text := openapi.Object{openapi.Field("type", "string")}
	events := openapi.Object{openapi.Field("type", "string"), openapi.Field("enum", append(change.Groups(), change.Codes()...))}
	op := operation{
		Operation: openapi.Operation{
			ID: "listarMudancas", Tags: []string{tagChanges}, Summary: "O que mudou no país",
			About: "Os eventos de todas as empresas, na ordem em que foram publicados; dentro de uma carga, sem ordem de CNPJ. Sem cursor e sem desde, do " +
				"começo. A resposta sempre traz proximo_cursor: no fim, guarde-o e continue dele quando houver nova carga, dias ou meses depois, sem " +
				"lacuna nem repetição. O cursor vale para a mesma pergunta; limite pode mudar. Uma página pode vir curta ou vazia com ha_mais true, " +
				"quando o que se procura é raro: siga adiante. Carga desfeita depois de lida vem em retiradas: descarte os seus eventos. Um cursor anterior " +
				"à história guardada recebe 410 posicao_esquecida, com o endereço de onde ela começa. Os filtros são os da busca e " +
				"valem para como a empresa e o estabelecimento eram antes da carga ou ficaram depois dela (lado pede um dos dois): com uf=DF e situacao=02 vêm " +
				"também as baixas e as mudanças para outro estado. O que a carga não mudou é lido como é agora, e assim também, sempre, bairro, logradouro, CEP, " +
				"telefones, e-mail, sócios, número de estabelecimentos, datas de opção e valores dos registros; uma empresa que não é mais publicada não passa por filtros. De quem pediu que o contato fosse " +
				"ocultado, e de empresa que não é mais publicada, endereços e contatos vêm vazios, e os eventos em que só eles mudaram não vêm.",
			Parameters: []openapi.Object{
				openapi.QueryParameter("desde", "só cargas publicadas aqui neste dia (UTC) ou depois", openapi.Object{
					openapi.Field("type", "string"), openapi.Field("format", "date"),
				}),
				openapi.QueryParameter("evento", "código de evento, ou o começo de vários; pode repetir-se", openapi.List(events)),
				openapi.QueryParameter("lado", "qual dos dois estados deve passar pelos filtros: o de antes da carga ou o de depois; sem ele, um ou outro", openapi.Object{
					openapi.Field("type", "string"), openapi.Field("enum", []string{"antes", "depois"}),
				}),
				openapi.QueryParameter("limite", "eventos por página", openapi.Object{
					openapi.Field("type", "integer"), openapi.Field("minimum", 1), openapi.Field("maximum", mostChanges), openapi.Field("default", usualChanges),
				}),
				openapi.QueryParameter("cursor", "proximo_cursor da resposta anterior, com a mesma pergunta", text),
			},
		},
		schema: "RespostaMudancas", example: "v2_mudancas",
		refusals: []int{
			http.StatusBadRequest, http.StatusUnauthorized, http.StatusGone, http.StatusTooManyRequests, http.StatusServiceUnavailable,
		},
	}
	for _, name := range filter.Names() {
		op.Parameters = append(op.Parameters, filterParameter(name))
	}
	return op.path()
}

// eventsText lists the events, each with its fields.
func eventsText() string {
	var b strings.Builder
	b.WriteString("código estável do evento; com antes e depois dos campos entre parênteses: ")
	for i, info := range change.Kinds() {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(info.Code + ", " + info.Title + " (" + strings.Join(info.Fields, ", ") + ")")
	}
	return b.String()
}

// changesSchemas are the schemas of both routes on the history.
func changesSchemas() openapi.Object {
	event := change.EventTable()
	for i := range event.Fields {
		if f := &event.Fields[i]; f.Name == "evento" {
			f.About = eventsText()
		}
	}
	coverage := openapi.Field("cobertura", append(openapi.List(component("CoberturaDaHistoria")),
		openapi.Field("description", "de cada fonte, desde quando se conhecem as mudanças e o que não foi comparado")))
	page := pageFields(event.Name, openapi.Integer("eventos em todas as páginas"))
	root := record.CompanyTable().Fields[0]
	link := []openapi.Member{
		openapi.Field("proximo_cursor", openapi.Text("cursor de onde continuar, agora ou depois da próxima carga")),
		openapi.Field("proxima_url", openapi.Text("endereço de onde continuar")),
	}
	withdrawn := append(openapi.List(component("CargaRetirada")),
		openapi.Field("description", "cargas que quem lê deste cursor já viu, ao menos em parte, e que foram desfeitas"))
	return append(openapi.Object{
		openapi.Field("MudancasDoDocumento", openapi.Record("Uma página da história de uma empresa ou estabelecimento.",
			append([]openapi.Member{openapi.Property(root), coverage}, page...)...)),
		openapi.Field("Mudancas", openapi.Record("Uma página da história do país.", append([]openapi.Member{
			page[0], openapi.Field("retiradas", withdrawn), coverage,
			openapi.Field("ha_mais", yesNo("true: pode haver mais agora; false: só depois da próxima carga")),
		}, link...)...)),
		named(event,
			openapi.Field("antes", openapi.OrNull(component("ValoresDaMudanca"))),
			openapi.Field("depois", openapi.OrNull(component("ValoresDaMudanca"))),
			openapi.Field("ocultos", append(openapi.List(openapi.Object{openapi.Field("type", "string")}),
				openapi.Field("description", "campos que mudaram e estão ocultos, a pedido ou porque a empresa não é mais publicada; vêm vazios")))),
		openapi.Field("ValoresDaMudanca", openapi.Partial(change.ValuesTable())),
		named(record.CoverageTable()), named(record.WithdrawnTable()),
		openapi.Field("ErroDePosicao", errorSchema("Corpo do erro 410.", link...)),
	}, answered("Mudancas", modeChanges, component("Mudancas"))...)
}
