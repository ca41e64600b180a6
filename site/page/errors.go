package page

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"
	"github.com/klauspost/compress/gzip"

	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/web"
)

// Errors of the client.
var (
	ErrUnknownPath     = errors.New("no page has this address")           // 404
	ErrMethod          = errors.New("this page does not take the method") // 405
	ErrNoEstablishment = errors.New("the company has no establishment")   // 404, inside UnknownCNPJ
)

// UnknownCNPJ is the error of a CNPJ without a page. The server answers 404.
type UnknownCNPJ struct {
	Text string // the requested number, unmasked
	Err  error  // cnpj.ErrInvalid, a *registry.AbsentError or ErrNoEstablishment
}

func (e *UnknownCNPJ) Error() string { return "company page: " + e.Err.Error() }

// Unwrap returns the cause, Err.
func (e *UnknownCNPJ) Unwrap() error { return e.Err }

// Missing wraps an error in *[UnknownCNPJ] if it means that text is invalid or confirmed absent from
// the load. It returns other errors unchanged.
func Missing(text string, err error) error {
	if errors.Is(err, cnpj.ErrInvalid) || registry.IsAbsent(err) || errors.Is(err, ErrNoEstablishment) {
		return &UnknownCNPJ{Text: text, Err: err}
	}
	return err
}

// NoSuchPage is the error of a page number past the end of a list. The server answers 404.
type NoSuchPage struct {
	Number int
	First  string // URL of the first page
}

func (e *NoSuchPage) Error() string { return "the list has no page " + strconv.Itoa(e.Number) }

// errorPage explains an error and what to do about it.
type errorPage struct {
	Frame
	Status       int
	Heading      string
	CNPJ         string             // requested number without a page
	Typo         bool               // its check digits are wrong
	Empty        bool               // its company has no establishments
	Invalid      []InvalidParameter // with status 422
	Without      string             // URL without the invalid parameter; "": none
	Beyond       int                // page number past the end of a list
	First        string             // URL of the first page of that list
	NoLoad       bool               // no snapshot was ever published
	WithoutIndex bool               // the search index is unavailable
	Crowded      bool               // turned away by load shedding
	AtOnce       bool               // with status 429: too much in progress, not too many requests
	Lack         string             // files that the load lacks, which may have the answer
	WithoutFlags bool               // the index has no flags for the source in a filter

	// With status 503; see attempt.
	Attempt  string
	Personal bool
	Form     bool
}

// Fail sends the error page for err. Middleware and handlers outside [Server.Page] and its siblings
// call it; nothing must have been written yet.
func (s *Server) Fail(c *gin.Context, err error) {
	snap, release := s.acquireAny()
	defer release()
	s.fail(c, snap, err)
}

// Refuse sends the 503 page of load shedding. The page is rendered and compressed at start-up,
// because a refusal must cost next to nothing on an overloaded server.
func (s *Server) Refuse(c *gin.Context, err error) {
	web.EventOf(c.Request.Context()).Fail(err)
	web.Caching{}.Set(c, http.StatusServiceUnavailable)
	c.Header("Retry-After", web.RetryAfter())
	c.Header("Vary", "Accept-Encoding")
	body := s.refusal.plain
	if web.AcceptsGzip(c.Request) {
		c.Header("Content-Encoding", "gzip")
		body = s.refusal.packed
	}
	c.Data(http.StatusServiceUnavailable, "text/html; charset=utf-8", body)
}

// refusal is the body of Refuse, plain and gzip-compressed.
type refusal struct{ plain, packed []byte }

func renderRefusal() (refusal, error) {
	p := &errorPage{Status: http.StatusServiceUnavailable, Heading: "Visitas demais ao mesmo tempo", Crowded: true}
	p.Title, p.NoIndex = p.Heading, true
	var plain, packed bytes.Buffer
	if err := Render(&plain, p); err != nil {
		return refusal{}, fmt.Errorf("render page: %w", err)
	}
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(plain.Bytes()) // a bytes.Buffer never fails
	_ = z.Close()
	return refusal{plain.Bytes(), packed.Bytes()}, nil
}

// fail sends the error page for err; snap may be nil. It is the only place that maps errors to
// statuses. 404 means confirmed absent; every unknown error is a 503 and goes to the log.
func (s *Server) fail(c *gin.Context, snap *snapshot.Snapshot, err error) {
	p := &errorPage{}
	var invalid *InvalidParameter
	var unknown *UnknownCNPJ
	var beyond *NoSuchPage
	var busy *web.TooManyError
	var missing *snapshot.IndexError
	var unflagged *snapshot.SourceError
	var lack *registry.LackError
	switch {
	case errors.As(err, &busy):
		p.Status, p.Heading, p.AtOnce = http.StatusTooManyRequests, When(!busy.AtOnce, "Muitas visitas em pouco tempo")+When(busy.AtOnce, "Um pedido de cada vez"), busy.AtOnce
		c.Header("Retry-After", busy.Seconds())
	case errors.As(err, &invalid):
		p.Status, p.Heading, p.Invalid = http.StatusUnprocessableEntity, "Este endereço pede algo que não existe", []InvalidParameter{*invalid}
		p.Without = invalid.without(c.Request)
	case errors.As(err, &unknown):
		p.Status, p.Heading = http.StatusNotFound, "CNPJ não encontrado"
		p.CNPJ, p.Typo, p.Empty = ptbr.CNPJ(unknown.Text), errors.Is(err, cnpj.ErrInvalid), errors.Is(err, ErrNoEstablishment)
	case errors.As(err, &lack):
		p.Status, p.Heading, p.Lack = http.StatusServiceUnavailable, "Não se sabe", lack.Names()
		c.Header("Retry-After", web.RetryAfter())
		web.EventOf(c.Request.Context()).Fail(err)
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
	case errors.Is(err, web.ErrSlow):
		p.Status, p.Heading = http.StatusRequestTimeout, "O envio demorou demais"
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

// forPrograms returns the JSON body that programs get instead of the page, nil if they get the
// page.
func (p *errorPage) forPrograms(c *gin.Context) any {
	body := web.ErrorBody{RequestID: web.EventOf(c.Request.Context()).RequestID}
	switch {
	case p.Status == http.StatusUnprocessableEntity:
		first := p.Invalid[0]
		body.Error.Code, body.Error.Message, body.Error.Parameter = "parametro_invalido", first.Msg, first.Loc[len(first.Loc)-1]
		return validationBody{p.Invalid, body}
	case p.WithoutIndex:
		body.Error.Code = "indice_indisponivel"
		body.Error.Message = "Busca, listas e rankings estão fora do ar: falta o índice de busca. As consultas por CNPJ e a API respondem."
	case p.Lack != "":
		body.Error.Code = "carga_parcial"
		body.Error.Message = "A publicação foi lida sem todos os seus arquivos, e a resposta pode estar no que falta: " + p.Lack + ". Não se sabe; não é ausência."
	case p.WithoutFlags:
		body.Error.Code = "fonte_indisponivel"
		body.Error.Message = "O filtro por esta fonte está fora do ar. A busca sem ele, as consultas por CNPJ e a API respondem."
	default:
		return nil
	}
	return body
}

// validationBody is the 422 body that the specification requires, and the same in the error format of the API.
type validationBody struct {
	Detail []InvalidParameter `json:"detail"`
	web.ErrorBody
}

// prefersHTML reports whether an Accept header prefers HTML to JSON, by quality values (RFC 9110
// §12.5.1). */* alone, the default of most programs, means JSON.
func prefersHTML(accept string) bool {
	html := web.Weight(accept, "text/html", "application/xhtml+xml", "text/*")
	return html > 0 && html >= web.Weight(accept, "application/json", "application/*", "*/*")
}
