package api

import (
	"net/http"
	"slices"
	"strings"

	"razao/internal/data/openapi"
	"razao/internal/data/record"
	"razao/internal/data/source"
)

// commonText ends the description of both documents.
const commonText = " Toda chamada leva a chave em Authorization: Bearer. As chamadas são feitas de um servidor: CORS não é habilitado. " +
	"HEAD vale onde GET vale; outros métodos recebem 405 metodo_nao_permitido, com Allow. Endereços desconhecidos recebem 404 " +
	"rota_nao_encontrada. Campos opcionais podem ser acrescentados: ignore os que não conhecer."

// Tags of operations, beside those of the two resources, their plurals. Generators name a class after each.
const (
	tagRecord    = "cnpj"
	tagSearch    = "busca"
	tagBatch     = "lote"
	tagReconcile = "reconciliacao"
	tagSources   = "fontes"
	tagChanges   = "mudancas"
	tagNetwork   = "rede"
)

// common are the error statuses of all operations on a document.
func common() []int {
	return []int{
		http.StatusBadRequest, http.StatusUnauthorized, http.StatusNotFound, http.StatusTooManyRequests, http.StatusServiceUnavailable,
	}
}

// documentV1 is the OpenAPI document of /v1.
func documentV1() openapi.Document {
	op := operation{
		Operation: openapi.Operation{
			ID: "consultarCNPJ", Tags: []string{tagRecord}, Summary: "Registro cadastral de uma empresa",
			About: "Com 8 posições, a empresa com todos os estabelecimentos; com 14, só o estabelecimento pedido.",
			Parameters: []openapi.Object{
				pathParameter("cnpj", "^([0-9A-Za-z]{8}|[0-9A-Za-z]{12}[0-9]{2})$", "CNPJ de 8 ou 14 posições, sem máscara"),
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
		openapi.Field("Erro", errorSchema("Corpo de todo erro.")),
	}
	paths := openapi.Object{openapi.Field("/v1/cnpj/{cnpj}", op.path())}
	tags := []openapi.Object{openapi.Tag(tagRecord, "O registro de uma empresa, inteiro")}
	return newDocument("Razão: API v1", versionV1, "Dados cadastrais de empresas brasileiras."+commonText, tags, op.refusals, paths, schemas)
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
	const title, about = "Razão: API v2", "Dados cadastrais e registros públicos de empresas e estabelecimentos brasileiros. " +
		"Os retornos são factuais: não há nota nem certidão. Registros de fontes diferentes podem tratar do mesmo processo."
	catalogue := operation{
		Operation: openapi.Operation{
			ID: "listarFontes", Tags: []string{tagSources}, Summary: "Catálogo das fontes", About: "As fontes, a carga em serviço de cada uma, as que vieram antes e o que ficou de fora. Não pede chave e não conta.",
		},
		public: true, schema: "RespostaFontes", example: "v2_fontes",
		refusals: []int{http.StatusBadRequest, http.StatusTooManyRequests, http.StatusServiceUnavailable},
	}
	quality := qualityOperation()
	paths := openapi.Object{
		openapi.Field(searchPath, searchItem()), openapi.Field(changesPath, changesItem()),
		openapi.Field("/v2/fontes", catalogue.path()), openapi.Field(qualityPath, quality.path()),
	}
	paths = append(
		paths,
		openapi.Field("/v2/empresas/{documento}", companyResource.redirect("RespostaEmpresaBasic")),
		openapi.Field("/v2/estabelecimentos/{documento}", establishmentResource.redirect("RespostaEstabelecimentoBasic")),
	)
	for _, op := range operationsV2() {
		paths = append(paths, openapi.Field("/v2/"+op.plural+"/{documento}/"+op.path, op.item()))
	}
	for _, q := range (&API{}).questions() {
		op := q.operation()
		paths = append(paths, openapi.Field(q.path, op.path()))
	}
	provable := proofOperation()
	paths = append(paths, openapi.Field("/v2/"+proofRoute.plural+"/{documento}/"+proofRoute.path, provable.path()))
	batch := batchOperation()
	paths = append(paths, openapi.Field(batchPath, batch.path()))
	paths = append(paths, reconcilePaths()...)
	tags := []openapi.Object{
		openapi.Tag(tagSearch, "Empresas e estabelecimentos por palavras e filtros"),
		openapi.Tag(tagBatch, "Muitos números de uma vez"),
		openapi.Tag(tagReconcile, "De nomes a números: as empresas de uma lista, pelo protocolo do OpenRefine"),
		openapi.Tag(tagChanges, "O que cada carga mudou, no país inteiro"),
		openapi.Tag(tagNetwork, "Quem está por trás: sócios, grupos e caminhos"),
		openapi.Tag(tagSources, "As fontes e as suas cargas"),
		openapi.Tag(companyResource.plural, "O que há sobre uma empresa, pelas 8 posições do CNPJ"),
		openapi.Tag(establishmentResource.plural, "O que há sobre um estabelecimento, pelas 14 posições do CNPJ"),
	}
	return newDocument(title, Release, about+commonText, tags, append(common(), http.StatusConflict, http.StatusGone, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge), paths, schemasV2())
}

// describedRoute is a route of v2 for OpenAPI.
type describedRoute struct {
	resource
	path, answer  string // answer names the schema of the 200
	walks         bool
	summary, text string
}

// operationsV2 describes the routes of registerV2; a test compares the two.
func operationsV2() []describedRoute {
	company, establishment := companyResource, establishmentResource
	return []describedRoute{
		{
			company, "basic", "RespostaEmpresaBasic", false,
			"Empresa, sócios, Simples e estabelecimentos", "Todo o cadastro da empresa.",
		},
		{
			company, "full", "RespostaEmpresaFull", false,
			"Cadastro e a primeira página de cada fonte", "disponibilidade é parcial quando alguma fonte falhou ou não tem carga.",
		},
		{
			company, "fontes/{fonte}", "RespostaFonte", true,
			"Registros de uma fonte sobre a empresa", "dados é a página da fonte.",
		},
		{
			company, "estabelecimentos", "RespostaEstabelecimentos", true,
			"Estabelecimentos da empresa", "Em ordem de CNPJ.",
		},
		{
			company, "socios", "RespostaSocios", true,
			"Sócios da empresa", "Em ordem estável.",
		},
		{
			company, modeChanges, "RespostaMudancasDoDocumento", true,
			"O que mudou na empresa", "Toda a história guardada, da carga mais nova à mais antiga. O cursor vale também depois de novas cargas. " +
				"Uma empresa que saiu da carga ainda tem a sua história, menos endereços e contatos, que já não pode pedir que se ocultem: vêm vazios, e " +
				"os eventos em que só eles mudaram não vêm.",
		},
		{
			establishment, "basic", "RespostaEstabelecimentoBasic", false,
			"Estabelecimento e sua empresa", "Todo o cadastro do estabelecimento e da empresa.",
		},
		{
			establishment, "full", "RespostaEstabelecimentoFull", false,
			"Cadastro e a primeira página de cada fonte", "As fontes que trazem o CNPJ completo são filtradas pelo estabelecimento.",
		},
		{
			establishment, "fontes/{fonte}", "RespostaFonte", true,
			"Registros de uma fonte sobre o estabelecimento", "dados é a página da fonte.",
		},
		{
			establishment, modeChanges, "RespostaMudancasDoDocumento", true,
			"O que mudou no estabelecimento e na sua empresa",
			"Os eventos do estabelecimento e os da empresa como um todo, da carga mais nova à mais antiga. O cursor vale também depois de novas cargas.",
		},
	}
}

// item returns the path item of the route. Its operation id, such as empresa_fonte, also names the
// recorded example.
func (r *describedRoute) item() openapi.Object {
	op := operation{
		Operation: openapi.Operation{Tags: []string{r.plural}, Summary: r.summary, About: r.text, Parameters: []openapi.Object{r.parameter()}},
		schema:    r.answer, refusals: common(),
	}
	name, ofSource := strings.CutSuffix(r.path, "s/{fonte}")
	if ofSource {
		op.Parameters = append(op.Parameters, openapi.PathParameter("fonte", "identificador da fonte", openapi.Object{
			openapi.Field("type", "string"), openapi.Field("enum", source.IDs()),
		}))
	}
	op.ID = r.recurso + "_" + name
	op.example = "v2_" + op.ID
	op.Parameters = append(op.Parameters, limitParameter())
	if r.walks {
		op.Parameters = append(op.Parameters, openapi.QueryParameter(
			"cursor", "cursor de proxima_url, com o mesmo limite", openapi.Object{openapi.Field("type", "string")},
		))
		if r.path != modeChanges { // whose cursors no load ends
			op.refusals = append(op.refusals, http.StatusConflict)
		}
	}
	return op.path()
}

// redirect describes the path of a resource alone, which toBasic redirects.
func (r resource) redirect(answer string) openapi.Object {
	location := openapi.Header("o mesmo recurso, com /basic", true, openapi.Object{openapi.Field("type", "string")})
	followed := openapi.Response{
		About: "Para quem segue o redirecionamento: a resposta do modo basic.", Content: openapi.JSON(component(answer)),
	}
	moved := openapi.Response{
		About: "Siga Location.", Further: openapi.Object{openapi.Field("Location", location)}, Headers: []string{"X-Request-ID", "Cache-Control"},
	}
	op := openapi.Operation{
		ID: r.recurso, Tags: []string{r.plural}, Summary: "Redireciona para o modo basic", About: "O redirecionamento não pede chave e não conta.",
		Security: []openapi.Object{{}, needsKey()}, Parameters: []openapi.Object{r.parameter(), limitParameter()},
		Responses: openapi.Object{
			openapi.Field("200", followed.Object()), openapi.Field("308", moved.Object()), openapi.Field("400", openapi.Ref("responses", refusalNames[http.StatusBadRequest])),
		},
	}
	return openapi.Object{openapi.Field("get", op.Object())}
}

func (r resource) parameter() openapi.Object {
	if r.positions == companyResource.positions {
		return pathParameter("documento", "^[0-9A-Za-z]{8}$", "8 posições da empresa, sem máscara")
	}
	return pathParameter("documento", "^[0-9A-Za-z]{12}[0-9]{2}$", "14 posições do estabelecimento, sem máscara")
}

func pathParameter(name, pattern, about string) openapi.Object {
	return openapi.PathParameter(name, about, openapi.Object{openapi.Field("type", "string"), openapi.Field("pattern", pattern)})
}

func limitParameter() openapi.Object {
	return openapi.QueryParameter("limite", "itens por página de cada coleção", openapi.Object{
		openapi.Field("type", "integer"), openapi.Field("minimum", 1), openapi.Field("maximum", maxLimit), openapi.Field("default", defaultLimit),
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
