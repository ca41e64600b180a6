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
	column := orderParameter("coluna que ordena a tabela", "por_mil", "aberturas", "baixas", "capital", "nome")
	narrowed := []openapi.Object{
		openapi.QueryParameter("uf", "só os municípios do estado com esta sigla", ofType("string")),
		openapi.QueryParameter("q", "só os municípios com uma palavra do nome que comece assim, sem diferença de acentos", optional("")),
	}
	compared := openapi.QueryParameter("m", "código do município no IBGE, com sete dígitos; até cinco, cada um com o seu m",
		append(openapi.List(ofType("string")), openapi.Field("maxItems", 5)))
	return []operation{
		reads(tagReading, "/", "inicio", "Página inicial", shown).about("Busca, números do cadastro, mapa e atualidade das fontes."),
		reads(tagDocs, "/api", "api", "O que é a API e como começar", shown).about("Exemplos de chamadas, páginas, fontes e os seus estados, erros, limites e versões."),
		reads(tagDocs, "/api/docs", "referencia", "Referência das operações da API", shown).about("As operações da API e do site, a partir das descrições OpenAPI."),
		reads(tagDocs, "/api/v1", "apiV1", "Referência da API v1", shown).about("A operação da v1, a resposta, os formatos e os erros."),
		reads(tagDocs, "/dicionario", "dicionario", "O que quer dizer cada campo publicado", shown).about("Nome, tipo, unidade, códigos e descrição dos campos da Receita Federal e das fontes."),
		reads(tagExports, "/dicionario.csv", "dicionarioCSV", "O dicionário de dados", "422").
			about("tabela, campo, tipo, dominio, unidade, pessoal e descricao.").table(),
		reads(tagDocs, "/glossario", "glossario", "O que querem dizer as palavras das páginas", shown).about("As palavras do cadastro e dos registros públicos, por assunto."),
		reads(tagReading, "/fontes", "fontes", "Situação das fontes", shown).about("O período, a carga em uso e os registros de cada fonte."),
		reads(tagReading, "/fontes/{fonte}", "fonte", "Uma fonte e as suas cargas", shown, "404").
			about("Período, cobertura, origem, arquivos, contagens e as cargas que já estiveram em uso.").
			with(openapi.PathParameter("fonte", "identificador da fonte, ou receita", ofType("string", openapi.Field("enum", append([]string{registry.Receita}, source.IDs()...))))),
		reads(tagReading, "/fontes/{fonte}/qualidade", "qualidade", "Qualidade de cada coluna de uma carga", shown, "404", "422").
			about("Quanto de cada coluna está preenchido, em que formatos e valores, mês a mês, ao lado da carga anterior.").
			with(openapi.PathParameter("fonte", "identificador da fonte, ou receita", ofType("string", openapi.Field("enum", append([]string{registry.Receita}, source.IDs()...)))),
				openapi.QueryParameter("carga", "número de uma carga da fonte; sem ele, a que está em uso", ofType("integer", openapi.Field("minimum", 1)))),
		reads(tagReading, "/fontes/{fonte}/cargas/{carga}", "carga", "Uma carga do cadastro", "404").
			about("Arquivos com SHA-256, linhas lidas e deixadas de fora, contagens e o checkpoint assinado. Seguido de .md, o número leva ao mesmo em Markdown.").
			with(ofCadastre(), openapi.PathParameter("carga", "número da carga; no fim pode haver .md", ofType("string"))).
			sending("A página, ou o mesmo em Markdown.", append(in("text/html"), in("text/markdown")...)),
		reads(tagMachines, "/fontes/{fonte}/cargas/{carga}/checkpoint", "checkpoint", "O checkpoint de uma carga do cadastro", "404").
			about("Uma nota assinada: origem, número de empresas e raiz da árvore de Merkle da carga (C2SP tlog-checkpoint).").
			with(ofCadastre(), openapi.PathParameter("carga", "número da carga", ofType("integer", openapi.Field("minimum", 1)))).
			sending("A nota.", in("text/plain")),
		reads(tagDocs, "/assistente", "assistente", "Como perguntar de um assistente (MCP)", shown).about("Exemplos, como conectar por MCP, o que o assistente pode e não pode, limites e como revogar."),
		reads(tagDocs, whatsAppPath, "assistenteWhatsApp", "Como perguntar pelo WhatsApp", shown).about("O que enviar, limites e privacidade."),
		reads(tagDocs, telegramPath, "assistenteTelegram", "Como perguntar pelo Telegram", shown).about("O que enviar, limites e privacidade."),
		reads(tagReading, "/estados", "estados", "Ranking dos estados", shown, "422").about("Empresas ativas, aberturas, baixas e capital de cada estado, com os mesmos números por mil habitantes.").with(column, openapi.QueryParameter("regiao", "só os estados desta região",
			append(oneOf("norte", "nordeste", "sudeste", "sul", "centro-oeste"), openapi.Field("default", "")))),
		reads(tagReading, "/municipios", "municipios", "Ranking dos municípios", shown, "404", "422").
			about("Em páginas de 100 linhas. O número de cada um é a sua posição entre todos os do país, na ordem pedida.").
			with(column, openapi.Ref("parameters", "pagina")).with(narrowed...),
		reads(tagReading, "/municipios/comparar", "compararMunicipios", "Até cinco municípios lado a lado", shown, "422").about("Os números de cada um, em colunas.").
			with(compared, openapi.QueryParameter("q", "começo de uma palavra do nome de um município a acrescentar", optional(""))),
		reads(tagExports, "/municipios.csv", "municipiosCSV", "Ranking dos municípios, completo ou filtrado", "422").with(column, compared).with(narrowed...).with(tableFormat()).
			about("Sem filtros, o ranking nacional completo, e não só as 100 linhas de uma página. O corpo é uma tabela CSV (text/csv, UTF-8), ainda que o tipo declarado nesta descrição seja JSON.").
			sending("A tabela.", openapi.JSON(openapi.Object{})),
		reads(tagReading, "/metodologia/bndes", "metodologiaBNDES", "Como as operações do BNDES são ligadas a empresas", shown).about("De onde vem o CNPJ de cada operação, os métodos, os limites e as contagens da carga."),
		reads(tagReading, "/privacidade", "privacidade", "Que dados pessoais são mostrados e guardados", shown).about("Dados publicados de pessoas, contatos ocultados, visitas, contas, assistentes, direitos e contato."),
		reads(tagPrivacy, "/privacidade/ocultar", "formularioOcultar", "Formulário para pedir que um contato seja ocultado", shown).about("O que deixa de aparecer e o que fica; o pedido é respondido por e-mail.").with(
			openapi.QueryParameter("cnpj", "CNPJ que já vem escrito no formulário", ofType("string")),
			openapi.QueryParameter("aviso", "recebido, depois do envio", ofType("string")),
		),
		sends(tagPrivacy, "/privacidade/ocultar", "pedirOcultar", "Pede que o contato de um estabelecimento seja ocultado", members(
			[]string{"cnpj", "email"},
			openapi.Field("cnpj", ofType("string")),
			openapi.Field("email", ofType("string")),
			openapi.Field("motivo", ofType("string", openapi.Field("maxLength", 1000))),
		), mistake).about("A resposta é a mesma, exista ou não o estabelecimento e esteja ou não oculto o contato."),
		reads(tagReading, "/transparencia", "transparencia", "O que é mostrado de pessoas, e por quê", shown).about("De onde vêm os vínculos, o que é mostrado deles, o que não é feito, e como se opor."),
		reads(tagReading, "/termos", "termos", "Termos de uso, fontes e licenças", shown).about("O que o Razão é, fontes e licenças, uso e falta de garantia."),
	}
}

// ofCadastre is the parameter of paths that only the cadastre has.
func ofCadastre() openapi.Object {
	return openapi.PathParameter("fonte", "receita", ofType("string", openapi.Field("enum", []string{registry.Receita})))
}

// machineOperations describes what crawlers, monitors and the search box request.
func machineOperations() []operation {
	health := openapi.Ref("schemas", "Saude")
	healthy := healthBody{
		Status: healthOK, Version: "2.0.0", Month: new("2026-09"), Snapshot: new("14"), Parts: healthParts{Database: healthOK, Index: healthOK},
	}
	versioned := openapi.Object{
		openapi.Field("ETag", openapi.Header("Do conteúdo; vale em If-None-Match.", true, ofType("string"))),
		openapi.Field("Last-Modified", openapi.Header("Quando o que é servido foi publicado.", true, ofType("string"))),
	}
	same := openapi.Response{About: "Quem pergunta já tem este conteúdo."}
	packed := openapi.Object{openapi.Field("schema", ofType("string", openapi.Field("format", "binary")))}
	return []operation{
		reads(tagMachines, "/health", "saude", "Estado do serviço").about("503 só quando nada pode ser servido.").
			sending("O serviço responde, talvez com partes a menos.", openapi.JSON(health, openapi.Field("example", healthy))).
			answering("503", answer("Nada pode ser servido.", openapi.JSON(health))),
		reads(tagMachines, "/robots.txt", "robots", "Regras para robôs").about("O que não é para robôs, e onde está o mapa do site.").sending("As regras.", in("text/plain")),
		reads(tagMachines, securityPath, "seguranca", "A quem avisar de uma falha de segurança", "404").about("RFC 9116. Falta onde o operador não diz o seu endereço.").sending("O aviso.", in("text/plain")),
		reads(tagMachines, apiCatalogPath, "catalogoDeAPIs", "As APIs e as suas descrições").about("RFC 9727.").
			sending("Um conjunto de links (RFC 9264).", openapi.Object{openapi.Field("application/linkset+json", openapi.Object{openapi.Field("schema", ofType("object"))})}),
		reads(tagMachines, "/sitemap.xml", "sitemap", "Índice do mapa do site").about("Os arquivos em que estão os endereços das páginas, com o dia da última mudança.").answering("304", same.Object()).
			sending(
				"O índice, no protocolo sitemaps.org. Com dados fictícios ele é vazio: nenhuma página é para buscadores.",
				in("application/xml"), versioned...,
			),
		reads(tagMachines, "/sitemaps/{arquivo}", "arquivoDoSitemap", "Um arquivo do mapa do site", "404").about("Endereços de páginas, com o dia da carga que as mudou.").answering("304", same.Object()).
			with(openapi.PathParameter("arquivo", "como o índice o nomeia", ofType("string", openapi.Field("pattern", `^[0-9]{4}\.xml\.gz$`)))).
			sending(
				"Até 45.000 endereços, em gzip. O primeiro arquivo tem as páginas que não são de estabelecimentos.",
				openapi.Object{openapi.Field("application/gzip", packed)}, versioned...,
			),
		reads(tagMachines, "/llms.txt", "llms", "O que há aqui, para modelos de linguagem").about("As páginas, os formatos para programas e as fontes, em Markdown.").sending("O texto, no formato de llmstxt.org.", in("text/plain")),
		reads(tagMachines, "/sugestoes", "sugestoes", "Sugestões para o que se digita", "422").
			about("A mesma busca com limites menores; a resposta pode ficar em caches. Quando não há como responder a lista vem vazia.").
			with(openapi.QueryParameter("q", "o que foi digitado", optional(""))).
			sending("As sugestões, no máximo dez.", openapi.JSON(openapi.Ref("schemas", "Sugestoes"), openapi.Field("example", json.RawMessage(
				`{"q":"padaria","itens":[{"tipo":"empresa","cnpj":"12345678000195","titulo":"PADARIA ESTRELA DO SUL LTDA",`+
					`"detalhe":"ESTRELA DO SUL PÃES E DOCES · Campinas/SP · 12.345.678/0001-95 · Ativa","url":"/12345678000195"}]}`,
			)))),
		reads(tagMachines, "/sugestoes/valores", "valores", "Valores de um filtro para o que se digita", "422").
			about("O que um campo da busca avançada aceita: códigos que começam assim, depois nomes que têm as palavras. A resposta pode ficar em caches.").
			with(
				append(openapi.QueryParameter("filtro", "um filtro cujos valores estão em uma tabela",
					ofType("string", openapi.Field("enum", find.CompletedFilters()))), openapi.Field("required", true)),
				openapi.QueryParameter("q", "o que foi digitado", optional("")),
			).
			sending("Os valores, no máximo dez, os mais prováveis primeiro.", openapi.JSON(openapi.Ref("schemas", "Valores"),
				openapi.Field("example", json.RawMessage(`{"itens":[{"valor":"Campinas/SP","texto":"São Paulo"}]}`)))),
	}
}

// listOperations describes search, listings and their CSV files, all with the filters of package
// filter.
func listOperations() []operation {
	paged := openapi.Ref("parameters", "pagina")
	order := orderParameter("ordem da lista", "capital", "nome", "recente", "antiga")
	state := openapi.PathParameter("uf", "sigla do estado, ou ex para o exterior", ofType("string"))
	city := openapi.PathParameter("cidade", "nome do município, em minúsculas e com hífens", ofType("string"))
	search := append([]openapi.Object{
		openapi.QueryParameter("q", "nome, CNPJ, sócio, telefone com DDD, e-mail ou endereço", optional("")),
		orderParameter("ordem dos resultados", "relevancia", "capital", "nome", "recentes", "antigas"),
		openapi.QueryParameter("literal", "1: palavras que nomeiam um lugar continuam palavras", append(oneOf("0", "1"), openapi.Field("default", ""))),
		openapi.QueryParameter("em", "onde procurar as palavras; sem ele, em nomes e sócios", oneOf("nomes", "socios")),
		openapi.QueryParameter("agrupar", "nao: um resultado por estabelecimento, não por empresa", append(oneOf("sim", "nao"), openapi.Field("default", "sim"))),
	}, filtersBut()...)
	return []operation{
		reads(tagReading, "/busca", "busca", "Busca de empresas", shown, "302", "422").about("Um CNPJ em q leva à página dele (302).").
			with(paged).with(search...),
		reads(tagReading, "/busca/avancada", "buscaAvancada", "Formulário com todos os filtros", shown).
			about("Com buscar=1, o que foi preenchido leva a /busca (303); o que está errado volta no formulário (422).").
			with(openapi.QueryParameter("buscar", "1 quando o formulário foi enviado", oneOf("1"))).with(search...).
			answering("303", openapi.Ref("responses", "303")).answering("422", openapi.Ref("responses", mistake)),
		reads(tagExports, "/busca.csv", "buscaCSV", "Exportação de uma busca", "422").
			about("Os resultados de /busca, na mesma ordem, até 1.000.000 de linhas; uma busca sem palavras nem filtros é 422. De resto como /empresas.csv.").
			with(search...).table().forAccounts(),
		reads(tagReading, "/socio/{d6}/{sl}", "socio", "Empresas de um sócio", shown, "404", "422").
			about("Todas as empresas dos sócios que têm estes dígitos visíveis e este nome; podem ser pessoas diferentes.").
			with(
				openapi.PathParameter("d6", "os seis dígitos visíveis do documento", ofType("string")),
				openapi.PathParameter("sl", "o nome, em minúsculas e com hífens", ofType("string")),
			),
		reads(tagExports, "/socio/{d6}/{sl}/empresas.csv", "socioCSV", "Exportação das empresas de um sócio", "404", "422", "429").
			about("As empresas da página, na mesma ordem, até 10.000, e o vínculo com cada uma. Só para quem entrou na conta.").
			with(
				openapi.PathParameter("d6", "os seis dígitos visíveis do documento", ofType("string")),
				openapi.PathParameter("sl", "o nome, em minúsculas e com hífens", ofType("string")),
			).table().forAccounts(),
		reads(tagReading, "/empresas", "empresas", "Lista das empresas do país", shown, "422").about("Matrizes, salvo outro filtro, em páginas, com os filtros da busca.").with(paged, order).with(filtersBut()...),
		reads(tagExports, "/empresas.csv", "empresasCSV", "Exportação de uma lista", "422").
			about("Só para quem entrou na conta; no máximo 10.000 linhas, em uma resposta completa. Quem não entrou é levado a /login (303).").
			with(order).with(filtersBut()...).table().forAccounts(),
		reads(tagExports, "/empresas/todas.csv", "empresasTodas", "Uma lista inteira", "422", "429").
			about("Como /empresas.csv, com até 1.000.000 de linhas, enviadas à medida que são lidas.").
			with(order).with(filtersBut()...).table().forAccounts(),
		reads(tagReading, "/uf/{uf}", "estado", "Empresas de um estado", shown, "301", "404", "422").about("Os números do estado e a lista das suas empresas, com os filtros da busca.").
			with(state, paged, order).with(filtersBut("uf")...),
		reads(tagReading, "/uf/{uf}/{cidade}", "municipio", "Empresas de um município", shown, "301", "404", "422").about("Os números do município e a lista das suas empresas, com os filtros da busca.").
			with(state, city, paged, order).
			with(filtersBut("uf", "municipio")...),
	}
}

// changeOperations describes what package changes serves, and the series of places.
func changeOperations() []operation {
	state := openapi.PathParameter("uf", "sigla do estado", ofType("string"))
	city := openapi.PathParameter("cidade", "nome do município, em minúsculas e com hífens", ofType("string"))
	event := openapi.QueryParameter("evento", "só as mudanças com este código, como estabelecimento.baixado, ou com o começo de vários, como socio; repetido, qualquer um deles", openapi.List(ofType("string")))
	side := openapi.QueryParameter("lado", "qual estado deve passar pelos filtros: o de antes da carga ou o de depois; sem ele, um ou outro", ofType("string"))
	feed := func(path, id, of string, answers ...string) operation {
		return reads(tagReading, path, id, "Feed Atom do que mudou "+of, answers...).
			about("Uma entrada para cada empresa e carga, a mais nova primeiro, no máximo 100, e uma para o que não se sabe. Quem tem o conteúdo recebe 304.").
			sending("O feed (RFC 4287).", in("application/atom+xml"))
	}
	series := func(path, id, of string) operation {
		return reads(tagExports, path, id, "Um lugar, "+of, "404", "422").about("As colunas estão no dicionário de dados.").table()
	}
	return []operation{
		reads(tagReading, "/mudancas", "mudancas", "O que cada carga mudou nas empresas do país", shown, "422").
			about("As últimas cargas, o que não se sabe delas, e as mudanças uma a uma, com os filtros da busca.").
			with(event, side, openapi.QueryParameter("posicao", "onde a página começa, como a anterior o deu", ofType("string"))).with(filtersBut()...),
		reads(tagReading, "/mudancas.md", "mudancasMarkdown", "O que cada carga mudou, em Markdown", "422").
			about("As cargas e as mudanças uma a uma, com os parâmetros da página.").
			with(event, side, openapi.QueryParameter("posicao", "onde a página começa, como a anterior o deu", ofType("string"))).with(filtersBut()...).
			sending("As cargas e as mudanças (CommonMark com tabelas).", in("text/markdown")),
		reads(tagExports, "/mudancas/lista.csv", "mudancasCSV", "Exportação das mudanças nas empresas do país", "422", "429").
			about("As mudanças da página, na mesma ordem, até 1.000.000 de linhas. Só para quem entrou na conta.").
			with(event, side, openapi.QueryParameter("posicao", "onde começar, como uma página o deu", ofType("string"))).with(filtersBut()...).table().forAccounts(),
		reads(tagExports, "/{cnpj}/mudancas.csv", "mudancasDaEmpresaCSV", "Exportação das mudanças em uma empresa", "404", "422", "429").
			about("Todas as mudanças da página, a mais nova primeiro. Só para quem entrou na conta.").
			with(openapi.PathParameter("cnpj", "14 posições, ou as 8 da empresa", ofType("string"))).table().forAccounts(),
		reads(tagExports, "/mudancas/serie.csv", "mudancasSerie", "O que cada carga mudou em um lugar e em divisões da CNAE", "422").about("As colunas estão no dicionário de dados.").
			table().with(filtersBut()...),
		reads(tagExports, "/mudancas/coortes.csv", "coortes", "O que passa por filtros, ano a ano", "422").about("As colunas estão no dicionário de dados.").
			table().with(filtersBut()...),
		feed("/mudancas.atom", "mudancasAtom", "no país", "422").with(event, side).with(filtersBut()...),
		feed("/uf/{uf}/mudancas.atom", "mudancasDoEstado", "em um estado", "301", "404").with(state),
		feed("/uf/{uf}/{cidade}/mudancas.atom", "mudancasDoMunicipio", "em um município", "301", "404").with(state, city),
		feed("/{cnpj}/mudancas.atom", "mudancasDaEmpresa", "em uma empresa", "301", "302", "404").
			with(openapi.PathParameter("cnpj", "14 posições; as 8 da empresa levam à matriz (302)", ofType("string"))),
		series("/uf/{uf}/serie.csv", "serieDoEstado", "mês a mês").with(state),
		series("/uf/{uf}/{cidade}/serie.csv", "serieDoMunicipio", "mês a mês").with(state, city),
		series("/uf/{uf}/coortes.csv", "coortesDoEstado", "ano a ano").with(state),
		series("/uf/{uf}/{cidade}/coortes.csv", "coortesDoMunicipio", "ano a ano").with(state, city),
	}
}

// networkOperations describes who is behind a company.
func networkOperations() []operation {
	root := openapi.PathParameter("cnpj", "as 8 posições da empresa; as 14 levam a elas (301)", ofType("string"))
	filters := []openapi.Object{
		openapi.QueryParameter("profundidade", "vínculos até o membro mais distante; através de pessoas, até 4", ofType("integer", openapi.Field("minimum", 1), openapi.Field("maximum", 6), openapi.Field("default", 2))),
		openapi.QueryParameter("representantes", "sim: com representantes legais", oneOf("sim")),
		openapi.QueryParameter("tipo", "só membros deste tipo", oneOf("empresa", "pessoa", "estrangeiro")),
		openapi.QueryParameter("uf", "só empresas com matriz neste estado", ofType("string")),
	}
	persons := openapi.QueryParameter("pessoas", "sim: a rede segue através de pessoas, o que pede uma conta (303) e conta no limite dela", oneOf("sim"))
	end := func(name string) openapi.Object {
		return openapi.QueryParameter(name, "um CNPJ, ou seis dígitos do CPF e o nome inteiro de um sócio", ofType("string"))
	}
	return []operation{
		reads(tagReading, "/caminho", "caminho", "A cadeia mais curta entre duas empresas ou sócios", shown, "303", "404", "422", "429").
			about("Sem pessoas=sim, só através de empresas.").with(end("de"), end("para"), persons),
		reads(tagReading, "/{cnpj}/rede", "rede", "Quem está em volta de uma empresa", shown, "301", "303", "404", "422", "429").
			about("Sócios e empresas, em tabela e desenho, com as linhas publicadas. As pessoas são o fim da rede.").with(root, persons).with(filters...),
		reads(tagExports, "/{cnpj}/rede.csv", "redeCSV", "A rede de uma empresa, um vínculo por linha", "404", "422").
			about("As colunas estão no dicionário de dados.").with(root).with(filters...).table(),
		reads(tagExports, "/{cnpj}/rede.svg", "redeSVG", "O desenho da rede de uma empresa", "404", "422").
			about("Até 60 membros, os mais próximos.").with(root).with(filters...).sending("O desenho.", in("image/svg+xml")),
		reads(tagReading, "/{cnpj}/grupo", "grupo", "O grupo de uma empresa", shown, "301", "404", "422").
			about("As empresas acima e abaixo, pelos sócios publicados, e o que devem, contratam e recebem.").with(root),
		reads(tagExports, "/{cnpj}/grupo.csv", "grupoCSV", "O grupo de uma empresa, com as somas por fonte", "404", "422").
			about("As colunas estão no dicionário de dados.").with(root).table(),
	}
}

// accountOperations describes the pages and forms of package people.
func accountOperations() []operation {
	next := openapi.QueryParameter("next", "endereço local aonde ir depois de entrar; outro qualquer vale /", optional("/"))
	id := openapi.PathParameter("id", "número que a página da conta mostra", ofType("string"))
	text := func(name, about string) openapi.Object { return openapi.QueryParameter(name, about, optional("")) }
	typed := func(name string) openapi.Member { return openapi.Field(name, ofType("string")) }
	decision := ofType("string", openapi.Field("enum", []string{"permitir", "recusar"}))
	kind := ofType("string", openapi.Field("enum", []string{"empresa", "socio", "busca"}))
	return []operation{
		reads(tagAccount, "/login", "entrar", "Entrar na conta", shown, "303").about("303 leva adiante quem já entrou.").with(
			next, text("error", "motivo pelo qual a última tentativa falhou"),
			openapi.QueryParameter("aviso", "o que acaba de ser feito", append(oneOf("enviado", "saiu", "excluida"), openapi.Field("default", ""))),
		),
		sends(tagAccount, "/auth/magic-link", "pedirLink", "Pede um link de acesso por e-mail", members([]string{"email"}, typed("email"), typed("next"), typed(web.FormID)), mistake).
			about("A resposta é a mesma, haja ou não conta com o endereço. O link vale por 15 minutos e uma única vez. O mesmo formulário, enviado outra vez, não manda outra mensagem."),
		reads(tagAccount, "/auth/callback", "voltar", "Volta do e-mail ou de um provedor", shown, "303").
			about("Com token, mostra o endereço do link e pede confirmação, sem gastar o link. Com state, termina a entrada por um provedor.").
			with(text("token", "do link"), next, text("state", "do provedor"), text("code", "do provedor"), text("error", "do provedor"), text("iss", "do provedor")),
		sends(tagAccount, "/auth/callback", "confirmarLink", "Entra com um link", members([]string{"token"}, typed("token"), typed("next"), typed("navegador"))).
			about("Gasta o link e abre a sessão."),
		reads(tagAccount, "/auth/{provider}", "entrarPorProvedor", "Entra por um provedor", "303", "404").about("303 leva ao provedor.").
			with(openapi.PathParameter("provider", "identificador do provedor", ofType("string")), next),
		reads(tagAccount, "/conta", "conta", "Perfil, chaves, uso, sessões e autorizações da conta", shown, "303", "422").
			about("303 leva a /login quem não entrou.").
			with(text("chave", "só as chamadas da chave com este número"), text("antes", "só as chamadas antes da que tem este número")),
		sends(tagAccount, "/conta/sair", "sair", "Sai da conta neste navegador", nil).about("Encerra a sessão e apaga o cookie."),
		sends(tagAccount, "/conta/chaves", "criarChave", "Cria uma chave da API", members([]string{"nome"}, typed("nome"), typed(web.FormID)), shown, mistake).
			about("303 leva à conta, que mostra a chave uma vez. O mesmo formulário, enviado outra vez com o mesmo nome, não cria outra. Uma conta tem no máximo cinco chaves ativas."),
		reads(tagAccount, "/conta/chaves", "chaves", "Leva às chaves da conta", "303").about("Quem recarrega a resposta do formulário é levado à conta."),
		sends(tagAccount, "/conta/chaves/{id}/revogar", "revogarChave", "Revoga uma chave da API", nil, "404").about("Novas chamadas com a chave são recusadas. Revogar outra vez não muda nada.").with(id),
		sends(tagAccount, "/conta/autorizacoes/{id}/revogar", "revogarAutorizacao", "Revoga a autorização de um programa", nil, "404").about("O programa não consulta mais em nome da conta.").with(id),
		reads(tagAccount, "/oauth/consent", "consentimento", "Pergunta se um programa pode consultar em nome da conta", shown, "303", "404").
			about("303 leva a /login quem não entrou, e de lá de volta. 404: o pedido já foi respondido, venceu ou é de outra sessão.").
			with(
				text("authorization_id", "pedido, como /oauth/authorize o abriu"),
				text("erro", "motivo pelo qual não há o que perguntar: programa, documento, destino, invalido ou pedido"),
			),
		sends(tagAccount, "/oauth/consent", "decidirConsentimento", "Responde ao pedido de um programa", members(
			[]string{"authorization_id", "decisao"}, typed("authorization_id"), openapi.Field("decisao", decision),
		)).about("303 leva ao programa com a resposta, que só vale uma vez."),
		sends(tagAccount, "/conta/sessoes/{id}/encerrar", "encerrarSessao", "Encerra uma sessão", nil, "404").about("O navegador da sessão sai da conta; encerrar a própria é sair.").with(id),
		sends(tagAccount, "/conta/sessoes/encerrar-outras", "encerrarOutrasSessoes", "Encerra todas as outras sessões", nil).about("Só a sessão deste navegador continua."),
		sends(tagAccount, "/conta/excluir", "excluirConta", "Exclui a conta com tudo o que é dela", members([]string{"email"}, typed("email")), mistake).
			about("email confirma: é o endereço da conta."),
		reads(tagAccount, "/conta/seguindo", "seguindo", "O que a conta segue, e o que mudou", shown, "303").about("303 leva a /login quem não entrou."),
		reads(tagAccount, "/conta/seguir", "perguntarSeguir", "Pergunta se a conta deve seguir algo", shown, "303").
			about("303 leva a /login quem não entrou, e de lá de volta, ou ao que a conta segue quando não há o que seguir.").
			with(openapi.QueryParameter("tipo", "o que seguir", kind), text("valor", "raiz do CNPJ; dígitos e nome do sócio, como no endereço da página dele; filtros de uma busca")),
		sends(tagAccount, "/conta/seguir", "seguir", "Segue uma empresa, um sócio ou uma busca", members(
			[]string{"tipo", "valor"}, openapi.Field("tipo", kind), typed("valor"),
		), mistake).about("O que já era seguido continua. Há um máximo de cada tipo."),
		sends(tagAccount, "/conta/deixar-de-seguir", "deixarDeSeguir", "Deixa de seguir", members(
			[]string{"tipo", "valor"}, openapi.Field("tipo", kind), typed("valor"),
		)).about("O que não era seguido não muda nada."),
		sends(tagAccount, "/conta/seguindo/avisos", "ligarAvisos", "Liga ou desliga os avisos por e-mail", members([]string{"avisos"}, typed("avisos"))).
			about("sim liga, qualquer outro valor desliga."),
		sends(tagAccount, "/conta/seguindo/atom", "criarAtom", "Cria ou troca o endereço Atom da conta", members(nil, typed(web.FormID))).about("O endereço anterior deixa de valer."),
		sends(tagAccount, "/conta/seguindo/atom/revogar", "revogarAtom", "Revoga o endereço Atom da conta", nil).about("O endereço deixa de valer."),
		reads(tagAccount, "/conta/mudancas/{token}", "atom", "O que mudou no que uma conta segue, em Atom", "404").
			about("O endereço é a credencial: termina em .atom, e a conta o mostra.").with(openapi.PathParameter("token", "credencial e .atom", ofType("string"))).
			sending("O feed.", in("application/atom+xml")),
		reads(tagAccount, "/conta/carteira", "carteira", "As empresas que a conta segue", shown, "303", "422").about("303 leva a /login quem não entrou.").with(openapi.QueryParameter("pagina", "página da lista", pageNumber())),
		sends(tagAccount, "/conta/carteira", "incluirNaCarteira", "Segue as empresas de uma lista", members([]string{"cnpjs"}, typed("cnpjs")), mistake).
			about("Um CNPJ por linha, ou as linhas de um CSV. As linhas que não são entendidas voltam no formulário (422); as outras foram incluídas."),
		reads(tagAccount, "/lista", "lista", "Formulário para consultar uma lista de CNPJs", shown).about("Cole a lista, ou envie um arquivo CSV ou XLSX."),
		sends(tagAccount, "/lista", "consultarLista", "Consulta uma lista de CNPJs", nil, shown, mistake, "429").
			about("Só para quem entrou na conta, e só da página do site; programas têm POST /v2/lote. Até 10.000 linhas e 4 MB, que não são guardadas.").
			uploading(members(nil, typed("cnpjs"), openapi.Field("arquivo", ofType("string", openapi.Field("format", "binary"))),
				openapi.Field("colunas", oneOf("essenciais", "todas")), openapi.Field("saida", oneOf("tela", "csv", "excel", "xlsx", "ndjson", "descricao")))).
			sending("O que foi encontrado: a página com saida=tela, ou a lista com colunas a mais.", append(in("text/html"), tableContent()...)),
		reads(tagExports, "/conta/carteira.csv", "carteiraCSV", "Exportação da carteira", "303", "422").
			about("Todas as empresas que a conta segue. Quem não entrou é levado a /login (303).").table(),
		reads(tagAccount, "/conta/webhooks", "webhooks", "Webhooks da conta e últimas entregas", shown, "303").about("303 leva a /login quem não entrou."),
		sends(tagAccount, "/conta/webhooks", "criarWebhook", "Cria um webhook", members([]string{"url"}, typed("url"), typed(web.FormID)), shown, mistake).
			about("303 leva à página que mostra o segredo uma vez. O mesmo formulário, enviado outra vez, não cria outro."),
		sends(tagAccount, "/conta/webhooks/excluir", "excluirWebhook", "Exclui um webhook", members([]string{"webhook"}, typed("webhook")), "404").about("O que estava na fila não é enviado."),
		sends(tagAccount, "/conta/webhooks/ligar", "ligarWebhook", "Liga de novo um webhook", members([]string{"webhook"}, typed("webhook")), "404").about("Um webhook é desligado quando o servidor dele responde 410."),
		sends(tagAccount, "/conta/webhooks/testar", "testarWebhook", "Envia um evento de teste", members([]string{"webhook"}, typed("webhook"), typed(web.FormID)), "404").
			about("O mesmo formulário, enviado outra vez, não envia outro."),
		sends(tagAccount, "/conta/webhooks/reenviar", "reenviarEvento", "Envia de novo um evento", members([]string{"evento"}, typed("evento")), "404").about("O evento mantém o seu webhook-id."),
		reads(tagAccount, "/avisos/cancelar", "perguntarCancelar", "Pergunta se os avisos por e-mail devem acabar", shown, "404").about("O endereço vem nos avisos.").with(text("token", "do aviso")),
		sends(tagAccount, "/avisos/cancelar", "cancelarAvisos", "Desliga os avisos por e-mail", nil, shown, "404").
			about("Também para programas de e-mail (RFC 8058): não precisa de sessão, e o corpo não é lido.").with(text("token", "do aviso")),
	}
}

// recordParameters describes how a company page filters, orders and pages its public records.
func recordParameters() []openapi.Object {
	year := ofType("integer", openapi.Field("minimum", 1), openapi.Field("maximum", 9999))
	all := []openapi.Object{
		openapi.QueryParameter("ver", "na página da matriz: estabelecimento traz os registros deste CNPJ; sem ele são os da empresa toda",
			ofType("string", openapi.Field("enum", []string{"estabelecimento"}))),
		openapi.QueryParameter("linha", "ano da linha do tempo, com quatro algarismos; sem ele são os fatos mais recentes", year),
	}
	for _, id := range records.ListedSources {
		all = append(all,
			openapi.QueryParameter(id+"_pagina", "página dos registros de "+id, pageNumber()),
			openapi.QueryParameter(id+"_ordem", "ordem deles: maior valor ou data mais recente primeiro; sem ela, a da publicação",
				ofType("string", openapi.Field("enum", []string{"valor", "data"}))),
			openapi.QueryParameter(id+"_ano", "só os deste ano, com quatro algarismos", year),
			openapi.QueryParameter(id+"_situacao", "só os desta situação, como a página a mostra", ofType("string")),
		)
	}
	return all
}

func companyOperations() []operation {
	paged := func(id, of string) openapi.Object {
		return openapi.QueryParameter(id+"_pagina", "página "+of, pageNumber())
	}
	return []operation{
		reads(tagReading, "/{cnpj}/ibama/{fonte}/{numero_pagina}", "ibama", "Registros do IBAMA de uma empresa ou de um estabelecimento", shown, "301", "404", "422").about("A lista completa dos autos de infração ou dos embargos, em páginas.").with(
			openapi.PathParameter("cnpj", "8 ou 14 posições", ofType("string")),
			openapi.PathParameter("fonte", "a lista: autos ou embargos", ofType("string")),
			openapi.PathParameter("numero_pagina", "a página da lista", ofType("integer", openapi.Field("minimum", 1))),
		),
		reads(tagReading, "/{cnpj}", "empresa", "Página de um estabelecimento e da sua empresa", "301", "302", "404", "422").
			about("Uma máscara ou letras minúsculas levam ao endereço sem elas (301); 8 posições, à matriz (302). Seguido de .md, o número leva ao mesmo em Markdown.").
			with(
				openapi.PathParameter("cnpj", "14 posições, ou as 8 da empresa; no fim pode haver .md", ofType("string")),
				paged("socios", "dos sócios"),
				paged("participacoes", "das empresas de que a empresa é sócia"), paged("estabelecimentos", "dos estabelecimentos"),
				paged("mudancas", "do que mudou"),
			).
			with(recordParameters()...).
			sending("A página, ou o mesmo em Markdown.", append(in("text/html"), in("text/markdown")...)),
	}
}
