// Package razao is a client of the API of Razão, an open registry of Brazilian companies. It has no dependencies: copy the
// folder, or import it.
//
//	c := razao.New("https://…", os.Getenv("RAZAO_CHAVE"))
//	for e, err := range c.EmpresaEstabelecimentosItens(ctx, "12345678", razao.EmpresaEstabelecimentosParametros{}) { … }
//
// Types and methods (api.go) are generated from the API's OpenAPI document. A call waits and tries again when the API asks
// for it (429, 503) or the network fails. Iterators follow the pages; when the data were replaced between two of them,
// they end with an [*Error] of status 409, and [All] begins again. A Client is safe for concurrent use.
package razao

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"
)

const (
	tries       = 8 // of one call
	restarts    = 5 // of All
	longestWait = 2 * time.Minute
)

// Client calls the API at an address with a key.
type Client struct {
	// HTTP sends the requests; New sets one with a time limit.
	HTTP *http.Client

	address, key string
}

// New returns a client. address is that of the site, without a path.
func New(address, key string) *Client {
	return &Client{HTTP: &http.Client{Timeout: time.Minute}, address: strings.TrimSuffix(address, "/"), key: key}
}

// Error is an answer other than 200.
type Error struct {
	Status    int
	Code      string // erro.codigo: stable
	Message   string // erro.mensagem: for people
	RequestID string
	after     time.Duration // Retry-After
}

func (e *Error) Error() string { return fmt.Sprintf("%d %s: %s", e.Status, e.Code, e.Message) }

// temporary reports whether the same call may succeed soon: what a load lacks comes with another load.
func (e *Error) temporary() bool {
	return e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable && e.Code != "carga_parcial"
}

// request is a call.
type request struct {
	method, path string
	query        url.Values
	body         any // JSON; nil: none
	form         any // the fields of a form, each as JSON; nil: none
}

// ask makes a call and decodes its answer.
func ask[T any](ctx context.Context, c *Client, r request) (*T, error) {
	raw, err := c.Raw(ctx, r.method, r.target(), r.content())
	if err != nil {
		return nil, err
	}
	answer := new(T)
	if err := json.Unmarshal(raw, answer); err != nil {
		return nil, fmt.Errorf("decode %s: %w", r.path, err)
	}
	return answer, nil
}

// target returns path and query.
func (r *request) target() string {
	if len(r.query) == 0 {
		return r.path
	}
	return r.path + "?" + r.query.Encode()
}

// content returns the body and its type.
func (r *request) content() Content {
	switch {
	case r.body != nil:
		raw, _ := json.Marshal(r.body) // of our own types
		return Content{"application/json", raw}
	case r.form != nil:
		fields := map[string]json.RawMessage{}
		raw, _ := json.Marshal(r.form)
		_ = json.Unmarshal(raw, &fields)
		form := url.Values{}
		for name, value := range fields {
			form.Set(name, string(value))
		}
		return Content{"application/x-www-form-urlencoded", []byte(form.Encode())}
	}
	return Content{}
}

// Content is the body of a request; the zero value is none.
type Content struct {
	Type string
	Body []byte
}

// Raw makes a call and returns the body of its answer. target is path and query. It waits as the API asks, and
// for longer and longer when it cannot be reached.
func (c *Client) Raw(ctx context.Context, method, target string, content Content) ([]byte, error) {
	if !strings.HasPrefix(target, "/") { // it would be another host, after the address
		return nil, fmt.Errorf("%q is no path", target)
	}
	for try := 1; ; try++ {
		raw, err := c.once(ctx, method, target, content)
		wait := min(time.Second<<(try-1), longestWait)
		if refused, ok := errors.AsType[*Error](err); ok {
			if !refused.temporary() {
				return nil, err
			}
			wait = min(max(refused.after, wait/4), longestWait)
		}
		if err == nil || try == tries || ctx.Err() != nil {
			return raw, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(wait):
		}
	}
}

// once makes a call once. It follows no redirect, which would take the key along to another port, and from https to http.
func (c *Client) once(ctx context.Context, method, target string, content Content) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, c.address+target, bytes.NewReader(content.Body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+c.key)
	if content.Type != "" {
		r.Header.Set("Content-Type", content.Type)
	}
	client := *c.HTTP
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if to, err := resp.Location(); err == nil && resp.StatusCode/100 == 3 {
		return nil, &Error{Status: resp.StatusCode, Code: "redirecionado", Message: "the server redirects to " + to.Scheme + "://" + to.Host + ", which does not get the key: is this the address?"}
	}
	raw, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode == http.StatusOK {
		return raw, err
	}
	var body struct {
		Erro struct {
			Codigo   string `json:"codigo"`
			Mensagem string `json:"mensagem"`
		} `json:"erro"`
		RequisicaoID string `json:"requisicao_id"`
	}
	_ = json.Unmarshal(raw, &body) // a proxy in between may answer something else
	seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
	return nil, &Error{
		Status: resp.StatusCode, Code: body.Erro.Codigo, Message: body.Erro.Mensagem, RequestID: body.RequisicaoID, after: time.Duration(seconds) * time.Second,
	}
}

// pages walks through pages: next returns the address of the page after one, "" after the last.
func pages[T any](ctx context.Context, c *Client, r request, next func(*T) string) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		target := r.target()
		for target != "" {
			page, err := ask[T](ctx, c, request{method: r.method, path: target})
			if !yield(page, err) || err != nil {
				return
			}
			before := target
			if target = next(page); target == before { // a feed that waits for the next load
				return
			}
		}
	}
}

// each walks through the items of pages.
func each[P, T any](pages iter.Seq2[*P, error], items func(*P) []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for page, err := range pages {
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range items(page) {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}

// All returns all items that an iterator has. If the data are replaced meanwhile, it begins again, so that
// none is missing or there twice.
func All[T any](items func() iter.Seq2[T, error]) ([]T, error) {
	for again := 0; ; again++ {
		var all []T
		var failed error
		for item, err := range items() {
			if failed = err; err != nil {
				break
			}
			all = append(all, item)
		}
		changed, ok := errors.AsType[*Error](failed)
		if !ok || changed.Status != http.StatusConflict || again == restarts {
			return all, failed
		}
	}
}

// values returns the fields of parameters that are not empty.
func values(parameters any) url.Values {
	query := url.Values{}
	v := reflect.ValueOf(parameters)
	for i := range v.NumField() {
		name, field := v.Type().Field(i).Tag.Get("query"), v.Field(i)
		switch {
		case field.IsZero():
		case field.Kind() == reflect.Slice:
			for k := range field.Len() {
				query.Add(name, fmt.Sprint(field.Index(k).Interface()))
			}
		default:
			query.Set(name, fmt.Sprint(field.Interface()))
		}
	}
	return query
}

func escape(segment string) string { return url.PathEscape(segment) }

// dereference returns a text that may be null.
func dereference(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// nextIn and itemsIn read pages of several shapes.
func nextIn(dados json.RawMessage) string {
	var page struct {
		ProximaURL string `json:"proxima_url"`
	}
	_ = json.Unmarshal(dados, &page)
	return page.ProximaURL
}

func itemsIn(dados json.RawMessage) []json.RawMessage {
	var page struct {
		Itens []json.RawMessage `json:"itens"`
	}
	_ = json.Unmarshal(dados, &page)
	return page.Itens
}
