package api

import (
	"maps"
	"net/http"
	"slices"
	"strconv"

	"razao/index"
	"razao/index/filter"
	"razao/internal/data/openapi"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
)

// searchOperation describes /v2/busca.
func searchOperation() operation {
	word := func(name, usual string, words []string) openapi.Object {
		schema := openapi.Object{openapi.Field("type", "string"), openapi.Field("enum", words)}
		if usual != "" {
			schema = append(schema, openapi.Field("default", usual))
		}
		return openapi.QueryParameter(name, schema)
	}
	op := operation{
		Operation: openapi.Operation{
			Path: searchPath, ID: "buscar", Tags: []string{tagSearch},
			Parameters: []openapi.Object{
				openapi.QueryParameter("q", openapi.Object{
					openapi.Field("type", "string"), openapi.Field("minLength", 1), openapi.Field("maxLength", index.LongestText),
				}),
				word("em", "", slices.Sorted(maps.Keys(scopes))),
				word("agrupar", "sim", []string{"sim", "nao"}),
				word("literal", "0", []string{"0", "1"}),
				word("ordem", "relevancia", slices.Sorted(maps.Keys(orders))),
				word("facetas", "nao", []string{"sim", "nao"}),
				limitParameter(),
				cursorParameter(),
			},
		},
		schema: "RespostaBusca", example: "v2_busca",
		refusals: []int{
			http.StatusBadRequest, http.StatusUnauthorized, http.StatusConflict, http.StatusTooManyRequests, http.StatusServiceUnavailable,
		},
	}
	op.Parameters = append(op.Parameters, filterReferences()...)
	return op
}

// filterComponent is before the name of a filter among the components, from which generators name types, as they do from schemas.
const filterComponent = "filtro_"

// filterReferences refer to filterParameters.
func filterReferences() (all []openapi.Object) {
	for _, name := range filter.Names() {
		all = append(all, openapi.Ref("parameters", filterComponent+name))
	}
	return all
}

// filterParameters describes the filters as package filter declares them: a bound has one value, others repeat,
// and those that can be negated take "-" before a value.
func filterParameters() (all openapi.Object) {
	for _, name := range filter.Names() {
		c := filter.Named(name)
		schema, about := c.Schema(true), ptbr.Join(" ", "Filtro. "+c.Label+": "+c.About+".", c.Note())
		switch c.Kind {
		case filter.Bound:
			about += " Incluído."
		case filter.Every:
			about += " Pode repetir-se."
		default:
			about += " Pode repetir-se; “-” antes do valor o exclui."
		}
		if c.Kind != filter.Bound {
			schema = append(openapi.List(schema), openapi.Field("maxItems", filter.MaxValues))
		}
		all = append(all, openapi.Field(filterComponent+name, openapi.Described(openapi.QueryParameter(name, schema), about)))
	}
	return all
}

// hitFields are the fields of a result that records have too, in the order of searchRenderer.hit.
// Their descriptions come from the tables of package record, where each field is declared once.
var hitFields = []string{
	"cnpj", "cnpj_basico", "razao_social", "nome_fantasia", "identificador_matriz_filial", "situacao_cadastral", "data_inicio_atividade",
	"cnae_fiscal_principal", "porte_empresa", "capital_social", "uf", "municipio", "codigo_municipio_ibge",
}

// hitTable describes hitFields as the tables of establishments and companies do.
func hitTable() record.Table {
	t := record.Table{
		Name: "Resultado",
		About: "Um estabelecimento encontrado; quando o resultado é a empresa, aquele que a representa. Os campos são os dele e " +
			"os da sua empresa.",
	}
	company := record.CompanyTable()
	all := append(record.EstablishmentTable().Fields, company.Fields...)
	for _, name := range hitFields {
		t.Fields = append(t.Fields, all[slices.IndexFunc(all, func(f record.Field) bool { return f.Name == name })])
	}
	return t
}

// searchSchemas are the schemas of the response to a search.
func searchSchemas() openapi.Object {
	page := pageFields("Resultado", openapi.Integer("resultados em todas as páginas; a contagem para em "+strconv.Itoa(index.MaxTotal)))
	items, total, next := page[0], page[1], page[2:]
	fields := append([]openapi.Member{
		items, total,
		openapi.Field("total_minimo", yesNo("true: há mais resultados do que total; as páginas terminam nele")),
		openapi.Field("nao_procurados", openapi.Integer("com filtros de endereço, telefone ou e-mail: quantos, fora de total, passam por todos os outros filtros e não se sabe se por estes, porque o contato de pessoas físicas e MEIs não é procurado; a contagem para em "+strconv.Itoa(index.MaxTotal))),
		openapi.Field("estabelecimentos", openapi.Integer("estabelecimentos encontrados, dos quais cada empresa é um resultado; mínimo, se total é")),
		openapi.Field("entendido", component("Entendido")),
		openapi.Field("avisos", openapi.List(component("Aviso"))),
		openapi.Field("facetas", openapi.OrNull(component("Facetas"))),
	}, next...)
	value := openapi.Record(
		"Um valor e os estabelecimentos que o têm.",
		openapi.Field("valor", openapi.Text("como o filtro o recebe")),
		openapi.Field("descricao", openapi.TextOrNull("texto do código; null quando não há")),
		openapi.Field("estabelecimentos", openapi.Integer("estabelecimentos, exatos também acima de total")),
	)
	return slices.Concat(understoodSchemas(), answered("Busca", "busca", component("Resultados")), openapi.Object{
		openapi.Field("Resultados", openapi.Record("Uma página de resultados.", fields...)),
		named(
			hitTable(),
			openapi.Field("motivo", openapi.Choice("por que foi encontrado", index.Reasons()...)),
			openapi.Field("socio", openapi.TextOrNull("nome do sócio encontrado; null quando não foi por um")),
			openapi.Field("estabelecimentos_da_empresa", openapi.Integer("estabelecimentos da empresa")),
			openapi.Field("url", openapi.Text("endereço do registro completo da empresa ou, com agrupar=nao, do estabelecimento")),
		),
		openapi.Field("Facetas", openapi.Object{
			openapi.Field("type", "object"),
			openapi.Field("description", "Os valores de cada filtro, até 50, do mais ao menos frequente, contados como se a busca não tivesse esse filtro. "+
				"cnae_divisao são valores de cnae; cnae_abaixo, que só está com uma atividade escolhida, suas subclasses; ano, os anos de ano_de e ano_ate; fonte, "+
				"onde cada resultado é uma empresa, os estabelecimentos das que têm registros."),
			openapi.Field("additionalProperties", openapi.List(component("ValorContado"))),
		}),
		openapi.Field("ValorContado", value),
		openapi.Field("Aviso", openapi.Record(
			"O que a resposta não diz, embora se possa entender que sim, conforme os filtros e a ordem.",
			openapi.Field("termo", openapi.Text("identificador estável do aviso: o do termo no glossário")),
			openapi.Field("texto", openapi.Text("uma frase")),
			openapi.Field("evidencia", openapi.Text("lei, norma ou página em que o aviso se apoia")),
			openapi.Field("url", openapi.Text("endereço do termo no glossário")),
		)),
	})
}

// understoodSchemas are the schemas of "entendido" and what it lists, see searchRenderer.understood.
func understoodSchemas() openapi.Object {
	texts := func(about string) openapi.Object {
		return append(openapi.List(openapi.Object{openapi.Field("type", "string")}), openapi.Field("description", about))
	}
	place := openapi.Record(
		"Um lugar que as palavras dizem e que foi usado como filtro; literal=1 o desfaz.",
		openapi.Field("palavras", openapi.Text("as palavras")),
		openapi.Field("uf", openapi.Text("sigla do estado")),
		openapi.Field("municipio", openapi.Text("código do município na Receita Federal; vazio quando é o estado inteiro")),
		openapi.Field("descricoes", openapi.Record("Textos dos códigos.", openapi.Field("municipio", openapi.TextOrNull("nome do município")))),
	)
	town := openapi.Record(
		"Um município que o texto todo nomeia, em qualquer grafia.",
		openapi.Field("municipio", openapi.Text("código do município na Receita Federal")),
		openapi.Field("codigo_municipio_ibge", openapi.Text("código do município no IBGE")),
		openapi.Field("descricoes", openapi.Record("Textos dos códigos.", openapi.Field("municipio", openapi.TextOrNull("nome do município")))),
	)
	condition := openapi.Record(
		"Um filtro que as palavras dizem e que foi usado; literal=1 o desfaz.",
		openapi.Field("palavras", openapi.Text("as palavras")), openapi.Field("filtro", openapi.Text("o nome do filtro")),
		openapi.Field("valor", openapi.Text("o valor, como o filtro o recebe")), openapi.Field("descricao", openapi.Text("o valor, como se diz")),
	)
	correction := openapi.Record(
		"Uma palavra que nada tem e aquela que foi procurada em seu lugar.",
		openapi.Field("de", openapi.Text("a palavra")), openapi.Field("para", openapi.Text("a outra")),
	)
	understood := openapi.Record(
		"Como as palavras foram entendidas, quando não ao pé da letra.",
		openapi.Field("lugares", openapi.List(component("LugarEntendido"))),
		openapi.Field("condicoes", openapi.List(component("CondicaoEntendida"))),
		openapi.Field("correcoes", openapi.List(component("Correcao"))),
		openapi.Field("palavras_deixadas", texts("palavras que nenhum resultado tem")),
		openapi.Field("frases", texts("palavras entre aspas, que ficam juntas")),
		openapi.Field("atividade", openapi.TextOrNull("atividade principal que também foi procurada")),
		openapi.Field("municipios", openapi.List(component("MunicipioEntendido"))),
	)
	return openapi.Object{
		openapi.Field("Entendido", understood), openapi.Field("LugarEntendido", place), openapi.Field("CondicaoEntendida", condition),
		openapi.Field("Correcao", correction), openapi.Field("MunicipioEntendido", town),
	}
}

func yesNo(about string) openapi.Object {
	return openapi.Object{openapi.Field("type", "boolean"), openapi.Field("description", about)}
}
