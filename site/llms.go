package site

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"razao/internal/source"
	"razao/internal/web"
	"razao/site/page"
)

// llms answers /llms.txt, which tells language models what is here and how to read it, in the form of llmstxt.org.
func (s *Site) llms(c *gin.Context) {
	body := []byte(s.llmsText())
	c.Header("Cache-Control", "public, max-age=86400")
	s.pages.Sender.Send(c, web.Reply{Status: http.StatusOK, ContentType: "text/plain; charset=utf-8", ETag: web.ETag(body), Body: body})
}

func (s *Site) llmsText() string {
	var m page.Markdown
	link := func(text, path, about string) { m.Item(page.LinkText(text, s.BaseURL+path) + ": " + about) }
	m.Heading(1, "Razão")
	m.Paragraph("> Cadastro aberto das empresas brasileiras: os dados abertos do CNPJ da Receita Federal e catorze fontes de registros " +
		"públicos, com competência, origem e licença. Consulta gratuita por página, Markdown, API e MCP.")
	m.Paragraph("Um CNPJ tem 14 posições, que podem ser letras ou algarismos: as 8 primeiras são da empresa, as 4 seguintes do " +
		"estabelecimento e as 2 últimas são dígitos verificadores. Cite sempre a competência, que está em cada página e resposta.")
	m.Item("Empresa em Markdown: `" + s.BaseURL + "/{cnpj}.md` traz tudo o que a página `/{cnpj}` mostra, com o CNPJ de 14 posições sem " +
		"pontuação; com as 8 da empresa, leva à matriz. Listas longas têm páginas: `socios_pagina`, `estabelecimentos_pagina`, " +
		"`pgfn_pagina`, `pncp_pagina` e `bndes_pagina`.")
	m.Item("Limite: 60 chamadas por minuto e por conta na API e no MCP; respostas 429 trazem `Retry-After`.")
	m.Item("`sem_ocorrencia` quer dizer que a carga em uso não tem o registro; não é certidão. `indisponivel` e `erro` não dizem nada sobre a empresa.")
	m.Item("Não há nota, risco nem classificação: só os fatos que foram publicados.")
	m.Item("CPFs são mascarados. Pessoas com o mesmo nome e os mesmos dígitos visíveis podem ser homônimas.")
	m.Item("Páginas de empresários individuais e de MEI não trazem rua, telefone nem e-mail.")
	m.End()
	m.Heading(2, "API e MCP")
	link("Primeiros passos", "/api", "chave, primeira chamada, páginas, erros e limites")
	link("Descrição OpenAPI da v2", "/v2/openapi.json", "empresas, estabelecimentos, sócios e fontes, em páginas")
	link("Descrição OpenAPI da v1", "/v1/openapi.json", "uma empresa inteira em uma resposta")
	link("Catálogo das fontes", "/v2/fontes", "competência, cobertura, data de carga e arquivos; não pede chave")
	link("Servidor MCP", "/mcp", "por HTTP, com autorização OAuth")
	m.End()
	m.Heading(2, "Páginas")
	link("Empresas", "/empresas", "listas com filtros de UF, município, situação, porte, atividade e natureza")
	link("Estados", "/estados", "empresas ativas, aberturas, baixas e capital por estado")
	link("Municípios", "/municipios", "o mesmo por município; o ranking completo está em `/municipios.csv`")
	link("Termos de uso", "/termos", "o que os dados são e não são, fontes e licenças")
	link("Privacidade", "/privacidade", "dados de pessoas e como ocultar contatos")
	m.End()
	m.Heading(2, "Fontes")
	m.Item(page.LinkText("Cadastro do CNPJ", "https://arquivos.receitafederal.gov.br/") + ": Receita Federal do Brasil. Dados abertos (Decreto 8.777/2016)")
	for _, src := range source.All() {
		m.Item(page.LinkText(src.Title, src.URL) + ": `" + src.ID + "`, " + page.PlainText(src.Orgao) + ". " + page.PlainText(src.Licenca))
	}
	return m.String()
}
