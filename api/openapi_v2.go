package api

import (
	"slices"

	"razao/internal/data/change"
	"razao/internal/data/openapi"
	"razao/internal/data/record"
	"razao/internal/data/source"
)

// answersV2 are the schemas of whole responses.
func answersV2() openapi.Object {
	company, establishment := openapi.Field("empresa", component("Empresa")), openapi.Field("estabelecimento", component("Estabelecimento"))
	all := openapi.Field("estabelecimentos", component("Estabelecimentos"))
	public := openapi.Field("registros_publicos", component("RegistrosPublicos"))
	var pages []openapi.Object
	for _, id := range source.IDs() {
		pages = append(pages, component("pagina_"+id))
	}
	answer := func(name string, dados openapi.Object) openapi.Member {
		return openapi.Field(name, answerSchema(dados, component("Meta")))
	}
	return openapi.Object{
		openapi.Field("CadastroDaEmpresa", openapi.Record("Cadastro da empresa.", company, all)),
		openapi.Field("CadastroDoEstabelecimento", openapi.Record("Cadastro do estabelecimento e da sua empresa.", company, establishment)),
		answer("RespostaEmpresaBasic", component("CadastroDaEmpresa")),
		answer("RespostaEmpresaFull", openapi.Record("Cadastro da empresa e fontes.", company, all, public)),
		answer("RespostaEstabelecimentoBasic", component("CadastroDoEstabelecimento")),
		answer("RespostaEstabelecimentoFull", openapi.Record("Cadastro do estabelecimento e fontes.", company, establishment, public)),
		answer("RespostaEstabelecimentos", component("Estabelecimentos")),
		answer("RespostaSocios", component("Socios")),
		openapi.Field("LinhaGuardada", proofRowSchema()), answer("RespostaProva", proofSchema()),
		answer("RespostaMudancasDoDocumento", component("MudancasDoDocumento")),
		answer("RespostaFonte", openapi.Object{openapi.Field("anyOf", pages)}),
	}
}

// schemasV2 are all schemas of v2: responses, records, pages of collections, and for every source
// its page and item.
func schemasV2() openapi.Object {
	total := openapi.Integer("itens em todas as páginas")
	lower := openapi.Field("total_minimo", openapi.Object{
		openapi.Field("type", "boolean"), openapi.Field("description", "só com lacuna nesta parte: pode haver mais do que total"),
	})
	company := record.CompanyTable()
	company.About = "A empresa. Sem linha própria na carga, os textos são vazios e o capital é null."
	out := append(
		answersV2(),
		named(company, openapi.Field("socios", component("Socios")), openapi.Field("simples", openapi.OrNull(component("Simples")))),
		named(record.EstablishmentTable()),
		openapi.Field("Estabelecimentos", openapi.Optional(openapi.Record("Uma página de estabelecimentos.", pageFields("Estabelecimento", total)...), lower)),
		named(record.PartnerTable()),
		openapi.Field("Socios", openapi.Optional(openapi.Record("Uma página de sócios.", pageFields("Socio", total)...), lower)),
		named(record.SimplesTable()),
		openapi.Field("RegistrosPublicos", groups()),
		named(record.SourceEntryTable(),
			openapi.Field("cnpjs", openapi.IntegerOrNull("CNPJs com registros na carga; null sem carga")),
			openapi.Field("total", openapi.IntegerOrNull("registros da carga; null sem carga"))),
		openapi.Field("Meta", metaSchema([]string{companyResource.recurso, establishmentResource.recurso},
			openapi.Field("modo", openapi.Choice("modo ou coleção", "basic", "full", "fonte", "estabelecimentos", "socios", modeChanges, proofRoute.modo)),
			openapi.Field("documento", openapi.Text("documento consultado, normalizado")))),
		gapSchema(),
		openapi.Field("Erro", errorSchema("Corpo de todo erro.", false)),
	)
	out = slices.Concat(out, inside(record.SourceEntryTable(), change.EventTable(), record.CoverageTable()), answered("Fontes", "fontes", openapi.Record("O catálogo.", openapi.Field("fontes", openapi.List(component("Fonte"))))), searchSchemas(), batchSchemas(), reconcileSchemas(), changesSchemas(), networkSchemas(), qualitySchemas(), openapi.Shapes(), accountSchemas())
	for _, src := range source.All() {
		page := record.SourcePageTable()
		page.About = src.Title + ". " + src.Description
		records := openapi.IntegerOrNull("registros em todas as páginas; null quando o status é indisponivel ou erro")
		out = append(
			out,
			openapi.Field("pagina_"+src.ID, openapi.Table(page, pageFields("item_"+src.ID, records)...)),
			openapi.Field("item_"+src.ID, openapi.Source(&src)),
		)
	}
	return out
}

// pageFields are the fields of a page of a collection.
func pageFields(item string, total openapi.Object) []openapi.Member {
	return []openapi.Member{
		openapi.Field("itens", openapi.List(component(item))),
		openapi.Field("total", total),
		openapi.Field("proximo_cursor", openapi.TextOrNull("cursor da próxima página; null no fim")),
		openapi.Field("proxima_url", openapi.TextOrNull("endereço da próxima página desta coleção; null no fim")),
	}
}

// groups is the schema of registros_publicos: sources by theme, in the order in which sources
// renders them.
func groups() openapi.Object {
	var groups []openapi.Member
	for _, theme := range source.Themes() {
		var pages []openapi.Member
		for _, src := range source.All() {
			if src.Theme == theme {
				pages = append(pages, openapi.Field(src.ID, component("pagina_"+src.ID)))
			}
		}
		groups = append(groups, openapi.Field(theme, openapi.Record("Fontes do grupo "+theme+".", pages...)))
	}
	return openapi.Record("A primeira página de cada fonte, por tema.", groups...)
}

// metaSchema is the schema of meta for some resources; further fields follow recurso.
func metaSchema(recursos []string, further ...openapi.Member) openapi.Object {
	fields := append([]openapi.Member{
		openapi.Field("versao", openapi.Choice("versão da API", "v2")),
		openapi.Field("release", openapi.Text("versão do produto")),
		openapi.Field("recurso", openapi.Choice("o que foi consultado", recursos...)),
	}, further...)
	return openapi.Optional(openapi.Record("Sobre a resposta.", append(
		fields,
		month(),
		openapi.Field("fotografia", openapi.Text("conjunto de cargas que respondeu")),
		openapi.Field("requisicao_id", requestIDSchema()),
		openapi.Field("disponibilidade", openapi.Choice("parcial: alguma fonte falhou ou não tem carga, ou há lacunas", "completa", "parcial")),
	)...), gapsField())
}
