package api

import (
	"net/http"
	"strings"

	"razao/internal/source"
)

// commonText ends the description of every version.
const commonText = " Toda chamada leva a chave em Authorization: Bearer. As chamadas são feitas de um servidor: CORS não é habilitado. " +
	"HEAD vale onde GET vale; outros métodos recebem 405 metodo_nao_permitido, com Allow. Endereços desconhecidos recebem 404 " +
	"rota_nao_encontrada. Campos opcionais podem ser acrescentados: ignore os que não conhecer."

// common are the refusals of every operation that needs a key.
func common() []int {
	return []int{
		http.StatusBadRequest, http.StatusUnauthorized, http.StatusNotFound, http.StatusTooManyRequests, http.StatusServiceUnavailable,
	}
}

func documentV1() object {
	op := operation{
		id: "consultarCNPJ", summary: "Registro cadastral de uma empresa",
		text:       "Com 8 posições, a empresa com todos os estabelecimentos; com 14, só o estabelecimento pedido.",
		parameters: []object{pathParameter("cnpj", "^([0-9A-Za-z]{8}|[0-9A-Za-z]{12}[0-9]{2})$", "CNPJ de 8 ou 14 posições, sem máscara")},
		schema:     schemaRef("Resposta"), example: "v1",
		refusals: common(),
	}
	schemas := object{
		{"Resposta", answerSchema(
			recordSchema(
				"O registro.",
				member{"cnpj_basico", documentSchema(8)},
				member{"empresa", orNull(schemaRef("Empresa"))},
				member{"estabelecimentos", listSchema(schemaRef("Estabelecimento"))},
				member{"socios", listSchema(schemaRef("Socio"))},
				member{"simples", orNull(schemaRef("Simples"))},
			),
			recordSchema(
				"Sobre a resposta.",
				member{"versao", choiceSchema("versão da API", "v1")},
				member{"competencia", monthSchema()},
				member{"requisicao_id", requestIDSchema()},
			),
		)},
		{"Empresa", recordSchema("A empresa.", companyFields()...)},
		{"Estabelecimento", establishmentSchema()},
		{"Socio", partnerSchema()},
		{"Simples", simplesSchema()},
		{"Erro", errorSchema()},
	}
	return openAPI("Razão: API v1", "1.0.1", "Dados cadastrais de empresas brasileiras."+commonText, op.refusals, object{{"/v1/cnpj/{cnpj}", op.path()}}, schemas)
}

func documentV2() object {
	const title, about = "Razão: API v2", "Dados cadastrais e registros públicos de empresas e estabelecimentos brasileiros. " +
		"Os retornos são factuais: não há nota nem certidão. Registros de fontes diferentes podem tratar do mesmo processo."
	catalogue := operation{
		id: "listarFontes", summary: "Catálogo das fontes", text: "As fontes e a carga em serviço de cada uma. Não pede chave e não conta.",
		public: true, schema: schemaRef("RespostaFontes"), example: "v2_fontes",
		refusals: []int{http.StatusBadRequest, http.StatusServiceUnavailable},
	}
	paths := object{{"/v2/fontes", catalogue.path()}}
	paths = append(
		paths,
		member{"/v2/empresas/{documento}", object{{"get", companyResource.redirect("RespostaEmpresaBasic")}}},
		member{"/v2/estabelecimentos/{documento}", object{{"get", establishmentResource.redirect("RespostaEstabelecimentoBasic")}}},
	)
	for _, op := range operationsV2() {
		paths = append(paths, member{"/v2/" + op.plural + "/{documento}/" + op.path, op.item()})
	}
	return openAPI(title, release, about+commonText, append(common(), http.StatusConflict), paths, schemasV2())
}

// describedRoute is a route of v2 in words.
type describedRoute struct {
	resource
	path, answer  string // answer is the name of a schema
	walks         bool
	summary, text string
}

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
	}
}

// item returns the path item of the route.
func (r *describedRoute) item() object {
	op := operation{
		summary: r.summary, text: r.text, schema: schemaRef(r.answer), refusals: common(),
		parameters: []object{r.parameter()},
	}
	name, ofSource := strings.CutSuffix(r.path, "s/{fonte}")
	if ofSource {
		op.parameters = append(op.parameters, sourceParameter())
	}
	op.id = r.recurso + "_" + name
	op.example = "v2_" + op.id
	op.parameters = append(op.parameters, limitParameter())
	if r.walks {
		op.parameters = append(op.parameters, cursorParameter())
		op.refusals = append(op.refusals, http.StatusConflict)
	}
	return op.path()
}

// redirect describes the path of a resource alone, which leads to an answer.
func (r resource) redirect(answer string) object {
	location := object{{"description", "o mesmo recurso, com /basic"}, {"required", true}, {"schema", object{{"type", "string"}}}}
	names := append(object{{"Location", location}}, headerRefs("X-Request-ID", "Cache-Control")...)
	return object{
		{"operationId", r.recurso},
		{"summary", "Leva ao modo basic"},
		{"description", "O redirecionamento não pede chave e não conta."},
		{"security", []object{{}, {{"chave", []string{}}}}},
		{"parameters", []object{r.parameter(), limitParameter()}},
		{"responses", object{
			{"200", object{
				{"description", "Para quem segue o redirecionamento: a resposta do modo basic."},
				{"content", object{{"application/json", object{{"schema", schemaRef(answer)}}}}},
			}},
			{"308", object{{"description", "Siga Location."}, {"headers", names}}},
			{"400", ref("responses", "400")},
		}},
	}
}

func (r resource) parameter() object {
	if r.positions == companyResource.positions {
		return pathParameter("documento", "^[0-9A-Za-z]{8}$", "8 posições da empresa, sem máscara")
	}
	return pathParameter("documento", "^[0-9A-Za-z]{12}[0-9]{2}$", "14 posições do estabelecimento, sem máscara")
}

func pathParameter(name, pattern, description string) object {
	return object{
		{"name", name},
		{"in", "path"},
		{"required", true},
		{"description", description},
		{"schema", object{{"type", "string"}, {"pattern", pattern}}},
	}
}

func sourceParameter() object {
	return object{
		{"name", "fonte"},
		{"in", "path"},
		{"required", true},
		{"description", "identificador da fonte"},
		{"schema", object{{"type", "string"}, {"enum", source.IDs()}}},
	}
}

func cursorParameter() object {
	return object{
		{"name", "cursor"},
		{"in", "query"},
		{"description", "cursor de proxima_url, com o mesmo limite"},
		{"schema", object{{"type", "string"}}},
	}
}

func limitParameter() object {
	return object{
		{"name", "limite"},
		{"in", "query"},
		{"description", "itens por página de cada coleção"},
		{"schema", object{{"type", "integer"}, {"minimum", 1}, {"maximum", maxLimit}, {"default", defaultLimit}}},
	}
}

func answerSchema(dados, meta object) object {
	return recordSchema("A resposta.", member{"dados", dados}, member{"meta", meta})
}

func schemasV2() object {
	companyV2 := append(companyFields(), member{"socios", schemaRef("Socios")}, member{"simples", orNull(schemaRef("Simples"))})
	company, establishment := member{"empresa", schemaRef("Empresa")}, member{"estabelecimento", schemaRef("Estabelecimento")}
	all := member{"estabelecimentos", schemaRef("Estabelecimentos")}
	public := member{"registros_publicos", schemaRef("RegistrosPublicos")}
	meta := schemaRef("Meta")
	total := integerSchema("itens em todas as páginas")
	var pages []object
	var ofSources object
	for _, src := range source.All() {
		pages = append(pages, schemaRef("pagina_"+src.ID))
		ofSources = append(ofSources, member{"pagina_" + src.ID, pageSchema(&src)}, member{"item_" + src.ID, itemSchema(&src)})
	}
	return append(object{
		{"RespostaEmpresaBasic", answerSchema(recordSchema("Cadastro da empresa.", company, all), meta)},
		{"RespostaEmpresaFull", answerSchema(recordSchema("Cadastro da empresa e fontes.", company, all, public), meta)},
		{"RespostaEstabelecimentoBasic", answerSchema(recordSchema("Cadastro do estabelecimento.", company, establishment), meta)},
		{"RespostaEstabelecimentoFull", answerSchema(recordSchema("Cadastro do estabelecimento e fontes.", company, establishment, public), meta)},
		{"RespostaEstabelecimentos", answerSchema(schemaRef("Estabelecimentos"), meta)},
		{"RespostaSocios", answerSchema(schemaRef("Socios"), meta)},
		{"RespostaFonte", answerSchema(object{{"anyOf", pages}}, meta)},
		{"RespostaFontes", answerSchema(recordSchema("O catálogo.", member{"fontes", listSchema(schemaRef("Fonte"))}), schemaRef("MetaFontes"))},
		{"Empresa", recordSchema("A empresa. Sem linha própria na carga, os textos são vazios e o capital é null.", companyV2...)},
		{"Estabelecimento", establishmentSchema()},
		{"Estabelecimentos", recordSchema("Uma página de estabelecimentos.", collectionFields(schemaRef("Estabelecimento"), total)...)},
		{"Socio", partnerSchema()},
		{"Socios", recordSchema("Uma página de sócios.", collectionFields(schemaRef("Socio"), total)...)},
		{"Simples", simplesSchema()},
		{"RegistrosPublicos", groupsSchema()},
		{"Proveniencia", provenanceSchema()},
		{"Fonte", entrySchema()},
		{"Meta", metaSchema([]string{companyResource.recurso, establishmentResource.recurso},
			member{"modo", choiceSchema("modo ou coleção", "basic", "full", "fonte", "estabelecimentos", "socios")},
			member{"documento", textSchema("documento consultado, normalizado")})},
		{"MetaFontes", metaSchema([]string{"fontes"})},
		{"Erro", errorSchema()},
	}, ofSources...)
}

// metaSchema returns the schema of meta about some resources, with further fields after recurso.
func metaSchema(recursos []string, further ...member) object {
	fields := append([]member{
		{"versao", choiceSchema("versão da API", "v2")},
		{"release", textSchema("versão do produto")},
		{"recurso", choiceSchema("o que foi consultado", recursos...)},
	}, further...)
	return recordSchema("Sobre a resposta.", append(
		fields,
		member{"competencia", monthSchema()},
		member{"fotografia", textSchema("conjunto de cargas que respondeu")},
		member{"requisicao_id", requestIDSchema()},
		member{"disponibilidade", choiceSchema("parcial: alguma fonte falhou ou não tem carga", "completa", "parcial")},
	)...)
}
