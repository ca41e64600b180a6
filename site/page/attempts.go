package page

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/people/signin"
)

// attempts maps a route to what it does, in words that complete "Não foi possível …" on the 503
// page.
var attempts = map[string]string{
	"/":                                  "abrir a página inicial",
	"/busca":                             "fazer esta busca",
	"/busca.csv":                         "preparar o arquivo desta busca",
	"/empresas":                          "montar esta lista de empresas",
	"/empresas.csv":                      "preparar o arquivo desta lista",
	"/uf/:uf":                            "montar a lista de empresas deste estado",
	"/uf/:uf/:cidade":                    "montar a lista de empresas deste município",
	"/estados":                           "montar este ranking",
	"/municipios":                        "montar este ranking",
	"/municipios/comparar":               "comparar estes municípios",
	"/municipios.csv":                    "preparar o arquivo deste ranking",
	"/mudancas":                          "ler o que mudou",
	"/fontes":                            "ler a situação das fontes",
	"/fontes/:fonte":                     "ler as cargas desta fonte",
	"/socio/:d6/:sl":                     "reunir as empresas deste sócio",
	"/:cnpj":                             "ler o cadastro desta empresa",
	"/:cnpj/ibama/:fonte/:numero_pagina": "ler os registros do Ibama desta empresa",

	"/login":                         "saber quem está neste navegador",
	"/auth/magic-link":               "enviar o link de acesso",
	"/auth/:provider":                "levar você ao provedor",
	signin.CallbackPath:              "conferir a sua entrada",
	"/conta":                         "abrir a sua conta",
	"/conta/sair":                    "encerrar a sua sessão neste navegador",
	"/conta/chaves":                  "criar a chave",
	"/conta/chaves/:id/revogar":      "revogar a chave",
	"/conta/sessoes/:id/encerrar":    "encerrar a sessão",
	"/conta/sessoes/encerrar-outras": "encerrar as outras sessões",
	"/conta/excluir":                 "excluir a conta",
	"/conta/seguindo":                "ler o que a sua conta segue",
	"/conta/seguir":                  "seguir isto",
	"/conta/carteira":                "ler a sua carteira",
	"/conta/carteira.csv":            "preparar o arquivo da sua carteira",
	"/conta/mudancas/:token":         "preparar este Atom",
	"/conta/webhooks":                "ler os seus webhooks",
	"/avisos/cancelar":               "desligar os avisos",
}

// attempt describes a failed request for the 503 page: what it tried, whether it concerns the
// visitor's account, and whether it was a form (POST), which may have taken effect.
func attempt(c *gin.Context) (what string, personal, form bool) {
	route := c.FullPath()
	personal = strings.HasPrefix(route, "/conta") || strings.HasPrefix(route, "/auth/") || route == "/login"
	form = c.Request.Method == http.MethodPost
	switch what = attempts[route]; {
	case what != "":
	case form:
		what = "fazer o que este formulário pede"
	default:
		what = "abrir esta página"
	}
	return what, personal, form
}
