package site

import (
	"encoding/json"

	"razao/internal/data/openapi"
	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/web"
	"razao/site/find"
	"razao/site/records"
)

func textOperations() []operation {
	column := orderParameter("por_mil", "aberturas", "baixas", "capital", "nome")
	narrowed := []openapi.Object{
		openapi.QueryParameter("uf", ofType("string")),
		openapi.QueryParameter("q", optional("")),
	}
	compared := openapi.QueryParameter("m",
		append(openapi.List(ofType("string")), openapi.Field("maxItems", 5)))
	return []operation{
		reads(tagReading, "/", "inicio", shown),
		reads(tagDocs, "/api", "api", shown),
		reads(tagDocs, "/api/docs", "referencia", shown),
		reads(tagDocs, "/api/v1", "apiV1", shown),
		reads(tagDocs, "/dicionario", "dicionario", shown),
		reads(tagExports, "/dicionario.csv", "dicionarioCSV", "422").table(),
		reads(tagDocs, "/glossario", "glossario", shown),
		reads(tagReading, "/fontes", "fontes", shown),
		reads(tagReading, "/fontes/{fonte}", "fonte", shown, "404").
			with(openapi.PathParameter("fonte", ofType("string", openapi.Field("enum", append([]string{registry.Receita}, source.IDs()...))))),
		reads(tagReading, "/fontes/{fonte}/qualidade", "qualidade", shown, "404", "422").
			with(openapi.PathParameter("fonte", ofType("string", openapi.Field("enum", append([]string{registry.Receita}, source.IDs()...)))),
				openapi.QueryParameter("carga", ofType("integer", openapi.Field("minimum", 1)))),
		reads(tagReading, "/fontes/{fonte}/cargas/{carga}", "carga", "404").
			with(ofReceita(), openapi.PathParameter("carga", ofType("string"))).
			sending(append(in("text/html"), in("text/markdown")...)),
		reads(tagMachines, "/fontes/{fonte}/cargas/{carga}/checkpoint", "checkpoint", "404").
			with(ofReceita(), openapi.PathParameter("carga", ofType("integer", openapi.Field("minimum", 1)))).
			sending(in("text/plain")),
		reads(tagDocs, "/assistente", "assistente", shown),
		reads(tagDocs, whatsAppPath, "assistenteWhatsApp", shown),
		reads(tagDocs, telegramPath, "assistenteTelegram", shown),
		reads(tagReading, "/estados", "estados", shown, "422").with(column, openapi.QueryParameter("regiao",
			append(oneOf("norte", "nordeste", "sudeste", "sul", "centro-oeste"), openapi.Field("default", "")))),
		reads(tagReading, "/municipios", "municipios", shown, "404", "422").
			with(column, openapi.Ref("parameters", "pagina")).with(narrowed...),
		reads(tagReading, "/municipios/comparar", "compararMunicipios", shown, "422").
			with(compared, openapi.QueryParameter("q", optional(""))),
		reads(tagExports, "/municipios.csv", "municipiosCSV", "422").with(column, compared).with(narrowed...).with(tableFormat()).
			sending(openapi.JSON(openapi.Object{})),
		reads(tagReading, "/metodologia/bndes", "metodologiaBNDES", shown),
		reads(tagReading, "/privacidade", "privacidade", shown),
		reads(tagPrivacy, "/privacidade/ocultar", "formularioOcultar", shown).with(
			openapi.QueryParameter("cnpj", ofType("string")),
			openapi.QueryParameter("aviso", ofType("string")),
		),
		sends(tagPrivacy, "/privacidade/ocultar", "pedirOcultar", members(
			[]string{"cnpj", "email"},
			openapi.Field("cnpj", ofType("string")),
			openapi.Field("email", ofType("string")),
			openapi.Field("motivo", ofType("string", openapi.Field("maxLength", 1000))),
		), mistake),
		reads(tagReading, "/transparencia", "transparencia", shown),
		reads(tagReading, "/termos", "termos", shown),
	}
}

// ofReceita is the parameter of paths that only the company registry has.
func ofReceita() openapi.Object {
	return openapi.PathParameter("fonte", ofType("string", openapi.Field("enum", []string{registry.Receita})))
}

// machineOperations describes what crawlers, monitors and the search box request.
func machineOperations() []operation {
	health := openapi.Ref("schemas", "Saude")
	healthy := healthBody{
		Status: healthOK, Version: "2.0.0", Month: new("2026-09"), Snapshot: new("14"), Parts: healthParts{Database: healthOK, Index: healthOK},
	}
	versioned := openapi.Object{
		openapi.Field("ETag", openapi.Header(true, ofType("string"))),
		openapi.Field("Last-Modified", openapi.Header(true, ofType("string"))),
	}
	var unchanged openapi.Response // 304
	packed := openapi.Object{openapi.Field("schema", ofType("string", openapi.Field("format", "binary")))}
	return []operation{
		reads(tagMachines, "/health", "saude").
			sending(openapi.JSON(health, openapi.Field("example", healthy))).
			answering("503", answer(openapi.JSON(health))),
		reads(tagMachines, "/robots.txt", "robots").sending(in("text/plain")),
		reads(tagMachines, securityPath, "seguranca", "404").sending(in("text/plain")),
		reads(tagMachines, apiCatalogPath, "catalogoDeAPIs").
			sending(openapi.Object{openapi.Field("application/linkset+json", openapi.Object{openapi.Field("schema", ofType("object"))})}),
		reads(tagMachines, "/sitemap.xml", "sitemap").answering("304", unchanged.Object()).
			sending(
				in("application/xml"), versioned...,
			),
		reads(tagMachines, "/sitemaps/{arquivo}", "arquivoDoSitemap", "404").answering("304", unchanged.Object()).
			with(openapi.PathParameter("arquivo", ofType("string", openapi.Field("pattern", `^[0-9]{4}\.xml\.gz$`)))).
			sending(
				openapi.Object{openapi.Field("application/gzip", packed)}, versioned...,
			),
		reads(tagMachines, "/llms.txt", "llms").sending(in("text/plain")),
		reads(tagMachines, "/sugestoes", "sugestoes", "422").
			with(openapi.QueryParameter("q", optional(""))).
			sending(openapi.JSON(openapi.Ref("schemas", "Sugestoes"), openapi.Field("example", json.RawMessage(
				`{"q":"padaria","itens":[{"tipo":"empresa","cnpj":"12345678000195","titulo":"PADARIA ESTRELA DO SUL LTDA",`+
					`"detalhe":"ESTRELA DO SUL PÃES E DOCES · Campinas/SP · 12.345.678/0001-95 · Ativa","url":"/12345678000195"}]}`,
			)))),
		reads(tagMachines, "/sugestoes/valores", "valores", "422").
			with(
				append(openapi.QueryParameter("filtro",
					ofType("string", openapi.Field("enum", find.CompletedFilters()))), openapi.Field("required", true)),
				openapi.QueryParameter("q", optional("")),
			).
			sending(openapi.JSON(openapi.Ref("schemas", "Valores"),
				openapi.Field("example", json.RawMessage(`{"itens":[{"valor":"Campinas/SP","texto":"São Paulo"}]}`)))),
	}
}

// listOperations describes search, listings and their CSV files, all with the filters of package
// filter.
func listOperations() []operation {
	paged := openapi.Ref("parameters", "pagina")
	order := orderParameter("capital", "nome", "recente", "antiga")
	state := openapi.PathParameter("uf", ofType("string"))
	city := openapi.PathParameter("cidade", ofType("string"))
	search := append([]openapi.Object{
		openapi.QueryParameter("q", optional("")),
		orderParameter("relevancia", "capital", "nome", "recentes", "antigas"),
		openapi.QueryParameter("literal", append(oneOf("0", "1"), openapi.Field("default", ""))),
		openapi.QueryParameter("em", oneOf("nomes", "socios")),
		openapi.QueryParameter("agrupar", append(oneOf("sim", "nao"), openapi.Field("default", "sim"))),
	}, filtersBut()...)
	return []operation{
		reads(tagReading, "/busca", "busca", shown, "302", "422").
			with(paged).with(search...),
		reads(tagReading, "/busca/avancada", "buscaAvancada", shown).
			with(openapi.QueryParameter("buscar", oneOf("1"))).with(search...).
			answering("303", openapi.Ref("responses", "303")).answering("422", openapi.Ref("responses", mistake)),
		reads(tagExports, "/busca.csv", "buscaCSV", "422").
			with(search...).table().forAccounts(),
		reads(tagReading, "/socio/{d6}/{sl}", "socio", shown, "404", "422").
			with(
				openapi.PathParameter("d6", ofType("string")),
				openapi.PathParameter("sl", ofType("string")),
			),
		reads(tagExports, "/socio/{d6}/{sl}/empresas.csv", "socioCSV", "404", "422", "429").
			with(
				openapi.PathParameter("d6", ofType("string")),
				openapi.PathParameter("sl", ofType("string")),
			).table().forAccounts(),
		reads(tagReading, "/empresas", "empresas", shown, "422").with(paged, order).with(filtersBut()...),
		reads(tagExports, "/empresas.csv", "empresasCSV", "422").
			with(order).with(filtersBut()...).table().forAccounts(),
		reads(tagExports, "/empresas/todas.csv", "empresasTodas", "422", "429").
			with(order).with(filtersBut()...).table().forAccounts(),
		reads(tagReading, "/uf/{uf}", "estado", shown, "301", "404", "422").
			with(state, paged, order).with(filtersBut("uf")...),
		reads(tagReading, "/uf/{uf}/{cidade}", "municipio", shown, "301", "404", "422").
			with(state, city, paged, order).
			with(filtersBut("uf", "municipio")...),
	}
}

// changeOperations describes what package changes serves, and the series of places.
func changeOperations() []operation {
	state := openapi.PathParameter("uf", ofType("string"))
	city := openapi.PathParameter("cidade", ofType("string"))
	event := openapi.QueryParameter("evento", openapi.List(ofType("string")))
	side := openapi.QueryParameter("lado", ofType("string"))
	feed := func(path, id string, answers ...string) operation {
		return reads(tagReading, path, id, answers...).
			sending(in("application/atom+xml"))
	}
	series := func(path, id string) operation {
		return reads(tagExports, path, id, "404", "422").table()
	}
	return []operation{
		reads(tagReading, "/mudancas", "mudancas", shown, "422").
			with(event, side, openapi.QueryParameter("posicao", ofType("string"))).with(filtersBut()...),
		reads(tagReading, "/mudancas.md", "mudancasMarkdown", "422").
			with(event, side, openapi.QueryParameter("posicao", ofType("string"))).with(filtersBut()...).
			sending(in("text/markdown")),
		reads(tagExports, "/mudancas/lista.csv", "mudancasCSV", "422", "429").
			with(event, side, openapi.QueryParameter("posicao", ofType("string"))).with(filtersBut()...).table().forAccounts(),
		reads(tagExports, "/{cnpj}/mudancas.csv", "mudancasDaEmpresaCSV", "404", "422", "429").
			with(openapi.PathParameter("cnpj", ofType("string"))).table().forAccounts(),
		reads(tagExports, "/mudancas/serie.csv", "mudancasSerie", "422").
			table().with(filtersBut()...),
		reads(tagExports, "/mudancas/coortes.csv", "coortes", "422").
			table().with(filtersBut()...),
		feed("/mudancas.atom", "mudancasAtom", "422").with(event, side).with(filtersBut()...),
		feed("/uf/{uf}/mudancas.atom", "mudancasDoEstado", "301", "404").with(state),
		feed("/uf/{uf}/{cidade}/mudancas.atom", "mudancasDoMunicipio", "301", "404").with(state, city),
		feed("/{cnpj}/mudancas.atom", "mudancasDaEmpresa", "301", "302", "404").
			with(openapi.PathParameter("cnpj", ofType("string"))),
		series("/uf/{uf}/serie.csv", "serieDoEstado").with(state),
		series("/uf/{uf}/{cidade}/serie.csv", "serieDoMunicipio").with(state, city),
		series("/uf/{uf}/coortes.csv", "coortesDoEstado").with(state),
		series("/uf/{uf}/{cidade}/coortes.csv", "coortesDoMunicipio").with(state, city),
	}
}

// networkOperations describes who is behind a company.
func networkOperations() []operation {
	root := openapi.PathParameter("cnpj", ofType("string"))
	filters := []openapi.Object{
		openapi.QueryParameter("profundidade", ofType("integer", openapi.Field("minimum", 1), openapi.Field("maximum", 6), openapi.Field("default", 2))),
		openapi.QueryParameter("representantes", oneOf("sim")),
		openapi.QueryParameter("tipo", oneOf("empresa", "pessoa", "estrangeiro")),
		openapi.QueryParameter("uf", ofType("string")),
	}
	persons := openapi.QueryParameter("pessoas", oneOf("sim"))
	end := func(name string) openapi.Object {
		return openapi.QueryParameter(name, ofType("string"))
	}
	return []operation{
		reads(tagReading, "/caminho", "caminho", shown, "303", "404", "422", "429").with(end("de"), end("para"), persons),
		reads(tagReading, "/{cnpj}/rede", "rede", shown, "301", "303", "404", "422", "429").with(root, persons).with(filters...),
		reads(tagExports, "/{cnpj}/rede.csv", "redeCSV", "404", "422").with(root).with(filters...).table(),
		reads(tagExports, "/{cnpj}/rede.svg", "redeSVG", "404", "422").with(root).with(filters...).sending(in("image/svg+xml")),
		reads(tagReading, "/{cnpj}/grupo", "grupo", shown, "301", "404", "422").with(root),
		reads(tagExports, "/{cnpj}/grupo.csv", "grupoCSV", "404", "422").with(root).table(),
	}
}

// accountOperations describes the pages and forms of package people.
func accountOperations() []operation {
	next := openapi.QueryParameter("next", optional("/"))
	id, kept := openapi.PathParameter("id", ofType("string")), openapi.PathParameter("lista", ofType("string"))
	text := func(name string) openapi.Object { return openapi.QueryParameter(name, optional("")) }
	typed := func(name string) openapi.Member { return openapi.Field(name, ofType("string")) }
	decision := ofType("string", openapi.Field("enum", []string{"permitir", "recusar"}))
	kind := ofType("string", openapi.Field("enum", []string{"empresa", "socio", "busca"}))
	return []operation{
		reads(tagAccount, "/login", "entrar", shown, "303").with(
			next, text("error"),
			openapi.QueryParameter("aviso", append(oneOf("enviado", "saiu", "excluida"), openapi.Field("default", ""))),
		),
		sends(tagAccount, "/auth/magic-link", "pedirLink", members([]string{"email"}, typed("email"), typed("next"), typed(web.FormID)), mistake),
		reads(tagAccount, "/auth/callback", "voltar", shown, "303").
			with(text("token"), next, text("state"), text("code"), text("error"), text("iss")),
		sends(tagAccount, "/auth/callback", "confirmarLink", members([]string{"token"}, typed("token"), typed("next"), typed("navegador"))),
		reads(tagAccount, "/auth/{provider}", "entrarPorProvedor", "303", "404").
			with(openapi.PathParameter("provider", ofType("string")), next),
		reads(tagAccount, "/conta", "conta", shown, "303", "422").
			with(text("chave"), text("antes")),
		sends(tagAccount, "/conta/sair", "sair", nil),
		sends(tagAccount, "/conta/chaves", "criarChave", members([]string{"nome"}, typed("nome"), typed(web.FormID)), shown, mistake),
		reads(tagAccount, "/conta/chaves", "chaves", "303"),
		sends(tagAccount, "/conta/chaves/{id}/revogar", "revogarChave", nil, "404").with(id),
		sends(tagAccount, "/conta/autorizacoes/{id}/revogar", "revogarAutorizacao", nil, "404").with(id),
		reads(tagAccount, "/oauth/consent", "consentimento", shown, "303", "404").
			with(
				text("authorization_id"),
				text("erro"),
			),
		sends(tagAccount, "/oauth/consent", "decidirConsentimento", members(
			[]string{"authorization_id", "decisao"}, typed("authorization_id"), openapi.Field("decisao", decision),
		)),
		sends(tagAccount, "/conta/sessoes/{id}/encerrar", "encerrarSessao", nil, "404").with(id),
		sends(tagAccount, "/conta/sessoes/encerrar-outras", "encerrarOutrasSessoes", nil),
		sends(tagAccount, "/conta/excluir", "excluirConta", members([]string{"email"}, typed("email")), mistake),
		reads(tagAccount, "/conta/seguindo", "seguindo", shown, "303"),
		reads(tagAccount, "/conta/seguir", "perguntarSeguir", shown, "303").
			with(openapi.QueryParameter("tipo", kind), text("valor")),
		sends(tagAccount, "/conta/seguir", "seguir", members(
			[]string{"tipo", "valor"}, openapi.Field("tipo", kind), typed("valor"),
		), mistake),
		sends(tagAccount, "/conta/deixar-de-seguir", "deixarDeSeguir", members(
			[]string{"tipo", "valor"}, openapi.Field("tipo", kind), typed("valor"),
		)),
		sends(tagAccount, "/conta/seguindo/avisos", "ligarAvisos", members([]string{"avisos"}, typed("avisos"))),
		sends(tagAccount, "/conta/seguindo/atom", "criarAtom", members(nil, typed(web.FormID))),
		sends(tagAccount, "/conta/seguindo/atom/revogar", "revogarAtom", nil),
		reads(tagAccount, "/conta/mudancas/{token}", "atom", "404").with(openapi.PathParameter("token", ofType("string"))).
			sending(in("application/atom+xml")),
		reads(tagAccount, "/conta/carteira", "carteira", shown, "303", "422").with(text("lista"), text("mostrar"), text("ordem"), openapi.QueryParameter("pagina", pageNumber())),
		sends(tagAccount, "/conta/carteira", "incluirNaCarteira", members([]string{"raizes"}, typed("raizes"), typed("lista")), mistake),
		sends(tagAccount, "/conta/carteira/acoes", "mudarCarteira", members(
			[]string{"acao"}, openapi.Field("acao", oneOf("por", "tirar", "deixar")), openapi.Field("raiz", openapi.List(ofType("string"))),
			openapi.Field("quais", oneOf("marcadas", "todas")), typed("mostradas"), typed("de"), typed("lista"),
		), mistake),
		reads(tagAccount, "/lista", "lista", shown),
		sends(tagAccount, "/lista", "consultarLista", nil, mistake, "429").
			uploading(members(nil, typed("cnpjs"), openapi.Field("arquivo", ofType("string", openapi.Field("format", "binary"))))),
		reads(tagAccount, "/lista/{lista}", "resultadoDaLista", shown, "303", "404", "422", "429").with(kept, text("mostrar"), openapi.QueryParameter("colunas", openapi.List(ofType("string"))), openapi.QueryParameter("pagina", pageNumber())),
		sends(tagAccount, "/lista/{lista}", "relerLista", nil, mistake, "404", "429").with(kept).
			uploading(members(nil, typed("planilha"), typed("coluna"), typed("nomes"))),
		sends(tagAccount, "/lista/{lista}/escolhas", "escolherCandidata", members([]string{"escolha"}, typed("escolha")), "404", "422", "429").with(kept),
		reads(tagExports, "/lista/{lista}/linhas.csv", "linhasDaLista", "303", "404", "422", "429").with(kept, text("mostrar"), openapi.QueryParameter("colunas", openapi.List(ofType("string")))).table(),
		reads(tagExports, "/conta/carteira.csv", "carteiraCSV", "303", "422").with(text("lista")).table(),
		reads(tagAccount, "/conta/webhooks", "webhooks", shown, "303"),
		sends(tagAccount, "/conta/webhooks", "criarWebhook", members([]string{"url"}, typed("url"), typed(web.FormID)), shown, mistake),
		sends(tagAccount, "/conta/webhooks/excluir", "excluirWebhook", members([]string{"webhook"}, typed("webhook")), "404"),
		sends(tagAccount, "/conta/webhooks/ligar", "ligarWebhook", members([]string{"webhook"}, typed("webhook")), "404"),
		sends(tagAccount, "/conta/webhooks/testar", "testarWebhook", members([]string{"webhook"}, typed("webhook"), typed(web.FormID)), "404"),
		sends(tagAccount, "/conta/webhooks/reenviar", "reenviarEvento", members([]string{"evento"}, typed("evento")), "404"),
		reads(tagAccount, "/avisos/cancelar", "perguntarCancelar", shown, "404").with(text("token")),
		sends(tagAccount, "/avisos/cancelar", "cancelarAvisos", nil, shown, "404").with(text("token")),
	}
}

// recordParameters describes how a company page filters, orders and pages its public records.
func recordParameters() []openapi.Object {
	year := ofType("integer", openapi.Field("minimum", 1), openapi.Field("maximum", 9999))
	all := []openapi.Object{
		openapi.QueryParameter("ver",
			ofType("string", openapi.Field("enum", []string{"estabelecimento"}))),
		openapi.QueryParameter("linha", year),
	}
	for _, id := range records.ListedSources {
		all = append(all,
			openapi.Described(openapi.QueryParameter(id+"_pagina", pageNumber()), "página dos registros de "+id),
			openapi.Described(openapi.QueryParameter(id+"_ordem", ofType("string", openapi.Field("enum", []string{"valor", "data"}))),
				"ordem deles: maior valor ou data mais recente primeiro; sem ela, a da publicação"),
			openapi.Described(openapi.QueryParameter(id+"_ano", year), "só os deste ano, com quatro algarismos"),
			openapi.Described(openapi.QueryParameter(id+"_situacao", ofType("string")), "só os desta situação, como a página a mostra"),
		)
	}
	return all
}

func companyOperations() []operation {
	paged := func(id string) openapi.Object {
		return openapi.QueryParameter(id+"_pagina", pageNumber())
	}
	return []operation{
		reads(tagReading, "/{cnpj}/ibama/{fonte}/{numero_pagina}", "ibama", shown, "301", "404", "422").with(
			openapi.PathParameter("cnpj", ofType("string")),
			openapi.PathParameter("fonte", ofType("string")),
			openapi.PathParameter("numero_pagina", ofType("integer", openapi.Field("minimum", 1))),
		),
		reads(tagReading, "/{cnpj}", "empresa", "301", "302", "404", "422").
			with(
				openapi.PathParameter("cnpj", ofType("string")),
				paged("socios"),
				paged("participacoes"), paged("estabelecimentos"),
				paged("mudancas"),
			).
			with(recordParameters()...).
			sending(append(in("text/html"), in("text/markdown")...)),
	}
}
