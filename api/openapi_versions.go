package api

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"razao/internal/data/openapi"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/people/follow"
	"razao/internal/people/webhook"
	"razao/internal/store/snapshot"
)

// Tags of operations, beside those of the two resources, their plurals. Generators name a class after each.
const (
	tagRecord    = "cnpj"
	tagSearch    = "busca"
	tagBatch     = "lote"
	tagReconcile = "reconciliacao"
	tagSources   = "fontes"
	tagChanges   = "mudancas"
	tagNetwork   = "rede"
	tagAccount   = "conta"
)

// common are the error statuses of all operations on a document.
func common() []int {
	return []int{
		http.StatusBadRequest, http.StatusUnauthorized, http.StatusNotFound, http.StatusTooManyRequests, http.StatusServiceUnavailable,
	}
}

// documentPattern matches the CNPJ of a company or of an establishment.
const documentPattern = "^([0-9A-Za-z]{8}|[0-9A-Za-z]{12}[0-9]{2})$"

// documentV1 is the OpenAPI document of /v1.
func documentV1(end Retirement) openapi.Document {
	op := operation{
		Operation: openapi.Operation{
			Path: "/v1/cnpj/{cnpj}", ID: "consultarCNPJ", Tags: []string{tagRecord}, Deprecated: end.announced(),
			Parameters: []openapi.Object{
				pathParameter("cnpj", documentPattern),
			},
		},
		v1: true, schema: "Resposta", example: "v1", refusals: common(),
	}
	company := record.CompanyTable()
	schemas := openapi.Object{
		openapi.Field("Resposta", answerSchema(
			openapi.Record(
				"O registro.",
				openapi.Property(company.Fields[0]), // cnpj_basico
				openapi.Field("empresa", openapi.OrNull(component(company.Name))),
				openapi.Field("estabelecimentos", openapi.List(component("Estabelecimento"))),
				openapi.Field("socios", openapi.List(component("Socio"))),
				openapi.Field("simples", openapi.OrNull(component("Simples"))),
			),
			openapi.Record(
				"Sobre a resposta.",
				openapi.Field("versao", openapi.Choice("versão da API", "v1")),
				month(),
				openapi.Field("requisicao_id", requestIDSchema()),
			),
		)),
		named(company),
		named(record.EstablishmentTable()),
		named(record.PartnerTable()),
		named(record.SimplesTable()),
		openapi.Field("Erro", errorSchema("Corpo de todo erro.", true)),
	}
	return newDocument(versionV1, textsOfV1, nil, []string{tagRecord}, op.refusals, []operation{op}, schemas)
}

// named returns the schema of a table under the name of the table.
func named(t record.Table, further ...openapi.Member) openapi.Member {
	return openapi.Field(t.Name, openapi.Table(t, further...))
}

// inside returns the schemas of the records in fields of tables, at any depth, each once.
func inside(tables ...record.Table) (schemas openapi.Object) {
	for _, t := range tables {
		for _, f := range t.Fields {
			if f.Of == nil {
				continue
			}
			for _, s := range append(openapi.Object{named(f.Of())}, inside(f.Of())...) {
				if !slices.ContainsFunc(schemas, func(known openapi.Member) bool { return known.Key == s.Key }) {
					schemas = append(schemas, s)
				}
			}
		}
	}
	return schemas
}

func month() openapi.Member {
	return openapi.Field("competencia", openapi.TextOrNull("mês da carga da Receita Federal (AAAA-MM)"))
}

// documentV2 is the OpenAPI document of /v2.
func documentV2() openapi.Document {
	operations := []operation{
		searchOperation(), changesOperation(), sourcesOperation(), qualityOperation(),
		companyResource.redirect("RespostaEmpresaBasic"), establishmentResource.redirect("RespostaEstabelecimentoBasic"),
	}
	for _, route := range operationsV2() {
		operations = append(operations, route.operation())
	}
	for _, q := range (&API{}).networkRoutes() {
		operations = append(operations, q.operation())
	}
	operations = append(operations, proofOperation(), batchOperation())
	operations = append(operations, reconcileOperations()...)
	operations = append(operations, accountOperations()...)
	values := map[string]any{
		"passos": ptbr.Count(snapshot.CallWork), "milissegundos": snapshot.CallWork / 1000, "maximo_da_rede": networkCalls,
		"numeros_do_lote": mostInBatch, "numeros_por_chamada": numbersPerCall,
		"perguntas_do_lote": mostQuestions, "perguntas_por_chamada": questionsPerCall, "maximo_das_perguntas": reconcileCalls,
		"maximo_de_empresas": ptbr.Count(follow.Most[follow.Company]), "maximo_de_socios": follow.Most[follow.Partner], "maximo_de_buscas": follow.Most[follow.Search],
		"maximo_de_webhooks": webhook.Most, "pedidos_de_webhooks": webhook.AskedAtOnce,
	}
	tags := []string{tagSearch, tagBatch, tagReconcile, tagChanges, tagNetwork, tagAccount, tagSources, companyResource.plural, establishmentResource.plural}
	statuses := append(common(), http.StatusConflict, http.StatusGone, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge)
	return newDocument(Release, textsOfV2, values, tags, statuses, operations, schemasV2())
}

// sourcesOperation describes /v2/fontes.
func sourcesOperation() operation {
	return operation{
		Operation: openapi.Operation{Path: "/v2/fontes", ID: "listarFontes", Tags: []string{tagSources}},
		public:    true, schema: "RespostaFontes", example: "v2_fontes",
		refusals: []int{http.StatusBadRequest, http.StatusTooManyRequests, http.StatusServiceUnavailable},
	}
}

// describedRoute is a route of v2 for OpenAPI.
type describedRoute struct {
	resource
	path, answer string // answer names the schema of the 200
	walks        bool
}

// operationsV2 describes the routes of registerV2; a test compares the two.
func operationsV2() []describedRoute {
	company, establishment := companyResource, establishmentResource
	return []describedRoute{
		{company, "basic", "RespostaEmpresaBasic", false},
		{company, "full", "RespostaEmpresaFull", false},
		{company, "fontes/{fonte}", "RespostaFonte", true},
		{company, "estabelecimentos", "RespostaEstabelecimentos", true},
		{company, "socios", "RespostaSocios", true},
		{company, modeChanges, "RespostaMudancasDoDocumento", true},
		{establishment, "basic", "RespostaEstabelecimentoBasic", false},
		{establishment, "full", "RespostaEstabelecimentoFull", false},
		{establishment, "fontes/{fonte}", "RespostaFonte", true},
		{establishment, modeChanges, "RespostaMudancasDoDocumento", true},
	}
}

// operation describes the route. Its operation id, such as empresa_fonte, also names the recorded example.
func (r *describedRoute) operation() operation {
	op := operation{
		Operation: openapi.Operation{Path: "/v2/" + r.plural + "/{documento}/" + r.path, Tags: []string{r.plural}, Parameters: []openapi.Object{r.parameter()}},
		schema:    r.answer, refusals: common(),
	}
	name, ofSource := strings.CutSuffix(r.path, "s/{fonte}")
	if ofSource {
		op.Parameters = append(op.Parameters, openapi.PathParameter("fonte", openapi.Object{
			openapi.Field("type", "string"), openapi.Field("enum", source.IDs()),
		}))
	}
	op.ID = r.recurso + "_" + name
	op.example = "v2_" + op.ID
	op.Parameters = append(op.Parameters, limitParameter())
	if r.walks {
		op.Parameters = append(op.Parameters, cursorParameter())
		if r.path != modeChanges { // whose cursors no load ends
			op.refusals = append(op.refusals, http.StatusConflict)
		}
	}
	return op
}

// redirect describes the path of a resource alone, which toBasic redirects.
func (r resource) redirect(answer string) operation {
	followed := openapi.Response{Content: openapi.JSON(component(answer))}
	moved := openapi.Response{
		Further: openapi.Object{openapi.Field("Location", openapi.Header(true, openapi.Object{openapi.Field("type", "string")}))},
		Headers: []string{"X-Request-ID", "Cache-Control"},
	}
	return operation{Operation: openapi.Operation{
		Path: "/v2/" + r.plural + "/{documento}", ID: r.recurso, Tags: []string{r.plural},
		Security: []openapi.Object{{}, needsKey()}, Parameters: []openapi.Object{r.parameter(), limitParameter()},
		Responses: openapi.Object{
			openapi.Field("200", followed.Object()), openapi.Field("308", moved.Object()), openapi.Field("400", openapi.Ref("responses", refusalNames[http.StatusBadRequest])),
		},
	}}
}

func (r resource) parameter() openapi.Object {
	if r.positions == companyResource.positions {
		return pathParameter("documento", "^[0-9A-Za-z]{8}$")
	}
	return pathParameter("documento", "^[0-9A-Za-z]{12}[0-9]{2}$")
}

func pathParameter(name, pattern string) openapi.Object {
	return openapi.PathParameter(name, openapi.Object{openapi.Field("type", "string"), openapi.Field("pattern", pattern)})
}

func limitParameter() openapi.Object {
	return openapi.QueryParameter("limite", openapi.Object{
		openapi.Field("type", "integer"), openapi.Field("minimum", 1), openapi.Field("maximum", maxLimit), openapi.Field("default", defaultLimit),
	})
}

// cursorParameter describes what cursorSigner makes.
func cursorParameter() openapi.Object {
	return openapi.QueryParameter("cursor", openapi.Object{
		openapi.Field("type", "string"), openapi.Field("pattern", fmt.Sprintf("^[A-Za-z0-9_-]{1,%d}$", longestCursor)),
	})
}

// answerSchema is the envelope of every response: dados and meta.
func answerSchema(dados, meta openapi.Object) openapi.Object {
	return openapi.Record("A resposta.", openapi.Field("dados", dados), openapi.Field("meta", meta))
}

// answered are the schemas of the response about a resource, Resposta and Meta before name.
func answered(name, recurso string, dados openapi.Object) openapi.Object {
	return openapi.Object{
		openapi.Field("Resposta"+name, answerSchema(dados, component("Meta"+name))), openapi.Field("Meta"+name, metaSchema([]string{recurso})),
	}
}
