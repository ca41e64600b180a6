package page

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/klauspost/compress/gzip"

	"razao/internal/cnpj"
	"razao/internal/ptbr"
	"razao/internal/registry"
	"razao/internal/snapshot"
	"razao/internal/web"
)

// The errors of requests that are at fault themselves.
var (
	ErrUnknownPath     = errors.New("no page has this address")
	ErrMethod          = errors.New("this page does not take the method")
	ErrNoEstablishment = errors.New("the company has no establishment")
)

// UnknownCNPJ is the error of a number without a page.
type UnknownCNPJ struct {
	Text string // what was asked for, without mask
	Err  error  // cnpj.ErrInvalid, a *registry.AbsentError or ErrNoEstablishment
}

func (e *UnknownCNPJ) Error() string { return "company page: " + e.Err.Error() }

// Unwrap says why the number has no page.
func (e *UnknownCNPJ) Unwrap() error { return e.Err }

// Missing returns UnknownCNPJ for an error that means that there is no such number; others stay what they are.
func Missing(text string, err error) error {
	if errors.Is(err, cnpj.ErrInvalid) || registry.IsAbsent(err) || errors.Is(err, ErrNoEstablishment) {
		return &UnknownCNPJ{Text: text, Err: err}
	}
	return err
}

// NoSuchPage is the error of a page that a list does not have.
type NoSuchPage struct {
	Number int
	First  string // address of the list's first page
}

func (e *NoSuchPage) Error() string { return "the list has no page " + strconv.Itoa(e.Number) }

// errorPage tells what went wrong and what to do about it.
type errorPage struct {
	Frame
	Status       int
	Heading      string
	CNPJ         string             // the number that was asked for and has no page
	Typo         bool               // its check digits are wrong
	Empty        bool               // it is a company without establishments
	Invalid      []InvalidParameter // of a 422
	Without      string             // address of the same page without the invalid parameter; "" when there is none
	Beyond       int                // the page that a list does not have
	First        string             // address of that list's first page
	NoLoad       bool               // nothing was published yet
	WithoutIndex bool               // the records are served without the search index
	Crowded      bool               // more was asked for than can be answered
	WithoutFlags bool               // the index does not know whom the source of the filter has records of

	// Of a 503: what was being tried, for whom, and whether it may have been done.
	Attempt  string
	Personal bool
	Form     bool
}

func (*errorPage) Template() string { return "error" }

// Fail sends the page of an error to a request that no handler took, or that one gave up.
func (s *Server) Fail(c *gin.Context, err error) {
	snap, release := s.acquireAny()
	defer release()
	s.fail(c, snap, err)
}

// Refuse sends the page of a request that there is no place for. It is rendered once, and compressed once: refusing must cost next to
// nothing when there is too much to do.
func (s *Server) Refuse(c *gin.Context, err error) {
	web.EventOf(c.Request.Context()).Fail(err)
	refusal := s.refusal()
	web.Caching{}.Set(c, http.StatusServiceUnavailable)
	c.Header("Retry-After", web.RetryAfter())
	c.Header("Vary", "Accept-Encoding")
	body := refusal.plain
	if web.AcceptsGzip(c.Request) {
		c.Header("Content-Encoding", "gzip")
		body = refusal.packed
	}
	c.Data(http.StatusServiceUnavailable, "text/html; charset=utf-8", body)
}

// refusal is the page of Refuse.
type refusal struct{ plain, packed []byte }

func (s *Server) renderRefusal() refusal {
	p := &errorPage{Status: http.StatusServiceUnavailable, Heading: "Visitas demais ao mesmo tempo", Crowded: true}
	p.Title, p.NoIndex = p.Heading, true
	var plain, packed bytes.Buffer
	if err := s.Render(&plain, p); err != nil {
		panic(fmt.Errorf("render page: %w", err))
	}
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(plain.Bytes()) // a bytes.Buffer never fails
	_ = z.Close()
	return refusal{plain.Bytes(), packed.Bytes()}
}

// fail sends the page of an error; snap may be nil. 404 is only for what is positively not there: whatever else goes wrong is a 503,
// which the log explains.
func (s *Server) fail(c *gin.Context, snap *snapshot.Snapshot, err error) {
	p := &errorPage{}
	var invalid *InvalidParameter
	var unknown *UnknownCNPJ
	var beyond *NoSuchPage
	var busy *web.TooManyError
	var missing *snapshot.IndexError
	var unflagged *snapshot.SourceError
	switch {
	case errors.As(err, &busy):
		p.Status, p.Heading = http.StatusTooManyRequests, "Muitas visitas em pouco tempo"
		c.Header("Retry-After", busy.Seconds())
	case errors.As(err, &invalid):
		p.Status, p.Heading, p.Invalid = http.StatusUnprocessableEntity, "Este endereço pede algo que não existe", []InvalidParameter{*invalid}
		p.Without = invalid.without(c.Request)
	case errors.As(err, &unknown):
		p.Status, p.Heading = http.StatusNotFound, "CNPJ não encontrado"
		p.CNPJ, p.Typo, p.Empty = ptbr.CNPJ(unknown.Text), errors.Is(err, cnpj.ErrInvalid), errors.Is(err, ErrNoEstablishment)
	case errors.As(err, &beyond):
		p.Status, p.Heading = http.StatusNotFound, "Página não encontrada"
		p.Beyond, p.First = beyond.Number, beyond.First
	case errors.Is(err, ErrUnknownPath):
		p.Status, p.Heading = http.StatusNotFound, "Página não encontrada"
	case errors.Is(err, ErrMethod):
		p.Status, p.Heading = http.StatusMethodNotAllowed, "Método não permitido"
	case errors.Is(err, web.ErrCrossOrigin):
		p.Status, p.Heading = http.StatusForbidden, "Pedido vindo de outro site"
	case errors.Is(err, web.ErrFormTooLarge):
		p.Status, p.Heading = http.StatusRequestEntityTooLarge, "Formulário grande demais"
	case errors.Is(err, web.ErrForm):
		p.Status, p.Heading = http.StatusBadRequest, "Formulário ilegível"
	default:
		p.Status, p.Heading = http.StatusServiceUnavailable, "Não foi possível consultar agora"
		p.NoLoad, p.WithoutIndex = errors.Is(err, registry.ErrNoSnapshot), errors.As(err, &missing)
		p.WithoutFlags = errors.As(err, &unflagged)
		p.Attempt, p.Personal, p.Form = attempt(c)
		c.Header("Retry-After", web.RetryAfter())
		web.EventOf(c.Request.Context()).Fail(err)
	}
	p.Title = ptbr.Join(" · ", p.Heading, p.CNPJ)
	if body := p.forPrograms(c); body != nil && !prefersHTML(c.GetHeader("Accept")) {
		s.SendJSON(c, p.Status, body, web.Caching{})
		return
	}
	s.send(c, p.Status, p, snap, web.Caching{})
}

// forPrograms returns what a program is told instead of the page, nil when it gets the page.
func (p *errorPage) forPrograms(c *gin.Context) any {
	switch {
	case p.Status == http.StatusUnprocessableEntity:
		return validationBody{Detail: p.Invalid}
	case p.WithoutIndex:
		return troubleBody{troubleText{
			"indice_indisponivel",
			"Busca, listas e rankings estão fora do ar: falta o índice de busca. As consultas por CNPJ e a API respondem.",
		}, web.EventOf(c.Request.Context()).RequestID}
	case p.WithoutFlags:
		return troubleBody{troubleText{
			"fonte_indisponivel",
			"O filtro por esta fonte está fora do ar. A busca sem ele, as consultas por CNPJ e a API respondem.",
		}, web.EventOf(c.Request.Context()).RequestID}
	}
	return nil
}

// troubleBody is the 503 answer without the index, or the flags of a source, in the form of the API.
type troubleBody struct {
	Trouble   troubleText `json:"erro"`
	RequestID string      `json:"requisicao_id"`
}

type troubleText struct {
	Code    string `json:"codigo"`
	Message string `json:"mensagem"`
}

// validationBody is the 422 answer of the specification.
type validationBody struct {
	Detail []InvalidParameter `json:"detail"`
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
