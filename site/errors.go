package site

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/account"
	"razao/internal/cnpj"
	"razao/internal/oauthserver"
	"razao/internal/ptbr"
	"razao/internal/registry"
	"razao/internal/signin"
	"razao/internal/snapshot"
	"razao/internal/web"
)

// retryAfter is when a visitor may try again after trouble, in seconds.
const retryAfter = "30"

var (
	errUnknownPath = errors.New("no page has this address")
	errMethod      = errors.New("this page does not take the method")
)

// unknownCNPJ is the error of a number without a page.
type unknownCNPJ struct {
	text string // what was asked for, without mask
	err  error  // cnpj.ErrInvalid, a *registry.AbsentError or errNoEstablishment
}

func (e *unknownCNPJ) Error() string { return "company page: " + e.err.Error() }
func (e *unknownCNPJ) Unwrap() error { return e.err }

// noSuchPage is the error of a page that a list does not have.
type noSuchPage struct {
	number int
	first  string // address of the list's first page
}

func (e *noSuchPage) Error() string { return "the list has no page " + strconv.Itoa(e.number) }

// invalidParameter is a parameter that a page cannot work with, in the form in which the site answers it.
type invalidParameter struct {
	Loc   []string         `json:"loc"`
	Msg   string           `json:"msg"`
	Type  string           `json:"type"`
	Input string           `json:"input"`
	Ctx   map[string]int64 `json:"ctx,omitempty"`
}

func (e *invalidParameter) Error() string { return "parameter " + e.Loc[1] + ": " + e.Type }

// pageNumber reads a page number of at least 1; absent means 1.
func pageNumber(c *gin.Context, name string) (int, error) {
	text, given := c.GetQuery(name)
	if !given {
		return 1, nil
	}
	return parsePage("query", name, text)
}

// parsePage reads a page number of at least 1 that stands in a part of the address.
func parsePage(in, name, text string) (int, error) {
	n, err := strconv.ParseInt(text, 10, 32)
	invalid := &invalidParameter{Loc: []string{in, name}, Input: text}
	switch {
	case errors.Is(err, strconv.ErrRange) && !strings.HasPrefix(text, "-"):
		invalid.Type, invalid.Msg = "less_than_equal", "Deve ser menor ou igual a 2147483647."
		invalid.Ctx = map[string]int64{"le": 1<<31 - 1}
		return 0, invalid
	case err != nil && !errors.Is(err, strconv.ErrRange):
		invalid.Type, invalid.Msg = "int_parsing", "Deve ser um número inteiro."
		return 0, invalid
	case n < 1:
		invalid.Type, invalid.Msg = "greater_than_equal", "Deve ser maior ou igual a 1."
		invalid.Ctx = map[string]int64{"ge": 1}
		return 0, invalid
	}
	return int(n), nil
}

// errorPage tells what went wrong and what to do about it.
type errorPage struct {
	frame
	Status  int
	Heading string
	CNPJ    string             // the number that was asked for and has no page
	Typo    bool               // its check digits are wrong
	Empty   bool               // it is a company without establishments
	Invalid []invalidParameter // of a 422
	Beyond  int                // the page that a list does not have
	First   string             // address of that list's first page
	NoLoad  bool               // nothing was published yet

	// Of a 503: what was being tried, for whom, and whether it may have been done.
	Attempt  string
	Personal bool
	Form     bool
}

func (*errorPage) template() string { return "error" }

// NotFound answers addresses that no route has. A masked CNPJ, whose slash makes two path segments of it, is sent to
// its page.
func (s *Site) NotFound(c *gin.Context) {
	s.lookUp(c)
	if path, ok := unmaskedPath(c.Request.URL.Path); ok {
		if c.Request.URL.RawQuery != "" {
			path += "?" + c.Request.URL.RawQuery
		}
		c.Redirect(http.StatusMovedPermanently, path)
		return
	}
	s.failOutside(c, errUnknownPath)
}

// MethodNotAllowed answers methods that an existing route does not take.
func (s *Site) MethodNotAllowed(c *gin.Context) {
	s.lookUp(c)
	s.failOutside(c, errMethod)
}

var maskedShape = regexp.MustCompile(`^/([0-9A-Za-z.]{8,10}/[0-9A-Za-z]{4}-?[0-9]{2})(\.md|/ibama/([a-z_]+)/([0-9]+))?$`)

// unmaskedPath returns the address of the page that a path with a masked CNPJ means.
func unmaskedPath(path string) (address string, ok bool) {
	parts := maskedShape.FindStringSubmatch(path)
	if parts == nil {
		return "", false
	}
	full, err := cnpj.ParseFull(cnpj.Unmask(parts[1]))
	if err != nil {
		return "", false
	}
	address = "/" + full.String()
	if list, ok := ibamaLists[parts[3]]; ok {
		return address + "/ibama/" + list.name + "/" + parts[4], true
	}
	return address + parts[2], true
}

// mask punctuates what has the length of a CNPJ or of a root, right or wrong, so that it can be compared with a paper.
func mask(text string) string {
	switch len(text) {
	case 14:
		return text[:2] + "." + text[2:5] + "." + text[5:8] + "/" + text[8:12] + "-" + text[12:]
	case 8:
		return text[:2] + "." + text[2:5] + "." + text[5:]
	}
	return text
}

// failOutside fails a request that no page's handler took, or that one gave up.
func (s *Site) failOutside(c *gin.Context, err error) {
	snap, none := s.Live.Acquire()
	if none != nil {
		s.fail(c, nil, err)
		return
	}
	defer snap.Release()
	s.fail(c, snap, err)
}

// fail writes the page of an error. 404 is only for what is positively not there: whatever else goes wrong is a 503,
// which the log explains.
func (s *Site) fail(c *gin.Context, snap *snapshot.Snapshot, err error) {
	p := &errorPage{}
	var invalid *invalidParameter
	var unknown *unknownCNPJ
	var beyond *noSuchPage
	var busy *web.TooManyError
	switch {
	case errors.As(err, &busy):
		p.Status, p.Heading = http.StatusTooManyRequests, "Muitas visitas em pouco tempo"
		c.Header("Retry-After", busy.Seconds())
	case errors.As(err, &invalid):
		p.Status, p.Heading, p.Invalid = http.StatusUnprocessableEntity, "Endereço com um valor inválido", []invalidParameter{*invalid}
	case errors.As(err, &unknown):
		p.Status, p.Heading = http.StatusNotFound, "CNPJ não encontrado"
		p.CNPJ, p.Typo, p.Empty = mask(unknown.text), errors.Is(err, cnpj.ErrInvalid), errors.Is(err, errNoEstablishment)
	case errors.As(err, &beyond):
		p.Status, p.Heading = http.StatusNotFound, "Página não encontrada"
		p.Beyond, p.First = beyond.number, beyond.first
	case errors.Is(err, errUnknownPath), errors.Is(err, signin.ErrNoProvider),
		errors.Is(err, account.ErrNotFound), errors.Is(err, account.ErrNoSession), errors.Is(err, oauthserver.ErrNoAuthorization):
		p.Status, p.Heading = http.StatusNotFound, "Página não encontrada"
	case errors.Is(err, errMethod):
		p.Status, p.Heading = http.StatusMethodNotAllowed, "Método não permitido"
	case errors.Is(err, web.ErrCrossOrigin):
		p.Status, p.Heading = http.StatusForbidden, "Pedido vindo de outro site"
	case errors.Is(err, web.ErrFormTooLarge):
		p.Status, p.Heading = http.StatusRequestEntityTooLarge, "Formulário grande demais"
	case errors.Is(err, web.ErrForm):
		p.Status, p.Heading = http.StatusBadRequest, "Formulário ilegível"
	default:
		p.Status, p.Heading = http.StatusServiceUnavailable, "Não foi possível consultar agora"
		p.NoLoad = errors.Is(err, registry.ErrNoSnapshot)
		p.Attempt, p.Personal, p.Form = attempt(c)
		c.Header("Retry-After", retryAfter)
		web.EventOf(c.Request.Context()).Fail(err)
	}
	p.Title = ptbr.Join(" · ", p.Heading, p.CNPJ)
	c.Header("Cache-Control", "no-store")
	if p.Status == http.StatusUnprocessableEntity && !prefersHTML(c.GetHeader("Accept")) {
		s.sendJSON(c, p.Status, validationBody{Detail: p.Invalid})
		return
	}
	s.send(c, p.Status, p, snap)
}

// attempts say what a route does, for the page that says that it could not be done.
var attempts = map[string]string{
	"/":                                  "abrir a página inicial",
	"/busca":                             "fazer esta busca",
	"/empresas":                          "montar esta lista de empresas",
	"/empresas.csv":                      "preparar o arquivo desta lista",
	"/uf/:uf":                            "montar a lista de empresas deste estado",
	"/uf/:uf/:cidade":                    "montar a lista de empresas deste município",
	"/estados":                           "montar este ranking",
	"/municipios":                        "montar este ranking",
	"/municipios.csv":                    "preparar o arquivo deste ranking",
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
}

// attempt says what a request that failed was there for: whether it was about its sender alone, and whether it was to change
// something.
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

// validationBody is the 422 answer of the specification.
type validationBody struct {
	Detail []invalidParameter `json:"detail"`
}

// prefersHTML says whether an Accept header asks for a page rather than for JSON. Programs that take anything get JSON.
func prefersHTML(accept string) bool {
	html, other := 0.0, 0.0
	for part := range strings.SplitSeq(accept, ",") {
		kind, parameters, _ := strings.Cut(part, ";")
		weight := 1.0
		if q, ok := strings.CutPrefix(strings.TrimSpace(parameters), "q="); ok {
			weight, _ = strconv.ParseFloat(q, 64)
		}
		switch strings.ToLower(strings.TrimSpace(kind)) {
		case "text/html", "application/xhtml+xml", "text/*":
			html = max(html, weight)
		case "application/json", "application/*", "*/*":
			other = max(other, weight)
		}
	}
	return html > 0 && html >= other
}

// sendJSON encodes body without escaping the characters that names contain.
func (s *Site) sendJSON(c *gin.Context, status int, body any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		panic(fmt.Errorf("encode body: %w", err))
	}
	s.sender.Send(c, web.Reply{Status: status, ContentType: "application/json; charset=utf-8", Body: b.Bytes()})
}
