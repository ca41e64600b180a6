package api

import (
	"net/http"
	"strings"

	"razao/internal/data/change"
	"razao/internal/data/openapi"
	"razao/internal/data/record"
)

// changesOperation describes /v2/mudancas.
func changesOperation() operation {
	events := openapi.Object{openapi.Field("type", "string"), openapi.Field("enum", append(change.Groups(), change.Codes()...))}
	op := operation{
		Operation: openapi.Operation{
			Path: changesPath, ID: "listarMudancas", Tags: []string{tagChanges},
			Parameters: []openapi.Object{
				openapi.QueryParameter("desde", openapi.Object{
					openapi.Field("type", "string"), openapi.Field("format", "date"),
				}),
				openapi.QueryParameter("evento", openapi.List(events)),
				openapi.QueryParameter("lado", openapi.Object{
					openapi.Field("type", "string"), openapi.Field("enum", []string{"antes", "depois"}),
				}),
				openapi.QueryParameter("limite", openapi.Object{
					openapi.Field("type", "integer"), openapi.Field("minimum", 1), openapi.Field("maximum", mostChanges), openapi.Field("default", usualChanges),
				}),
				cursorParameter(),
			},
		},
		schema: "RespostaMudancas", example: "v2_mudancas",
		refusals: []int{
			http.StatusBadRequest, http.StatusUnauthorized, http.StatusGone, http.StatusTooManyRequests, http.StatusServiceUnavailable,
		},
	}
	op.Parameters = append(op.Parameters, filterReferences()...)
	return op
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
		openapi.Field("proximo_cursor", openapi.Text("cursor de onde continuar, agora ou depois da próxima carga; nunca null")),
		openapi.Field("proxima_url", openapi.Text("endereço de onde continuar; nunca null")),
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
		openapi.Field("ErroDePosicao", errorSchema("Corpo do erro 410.", false, link...)),
	}, answered("Mudancas", modeChanges, component("Mudancas"))...)
}
