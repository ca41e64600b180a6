package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"razao/internal/web/fetch"
)

const (
	mostAnswered = 32 << 20        // bytes of an answer; the largest, to a batch of a thousand, has 12 MB
	mostPages    = 64 << 20        // bytes of all pages of a collection; the largest, of 25,000 establishments, has 25 MB
	mostItems    = 1000            // of one page or batch
	mostFound    = 10_000          // results of a search, as the API has it
	restarts     = 5               // of a collection whose data are replaced between two pages
	callSilence  = time.Minute     // of the server
	longestWait  = 2 * time.Minute // that the server may ask for
)

// server is the API at an address, for one key. What it answers is not trusted: its size is bounded, and
// whether it is about what was asked is checked.
type server struct {
	address string // without a path
	client  http.Client
	key     string
	retry   fetch.Retry
}

// newServer returns the server at an address. It says in the log when it waits to try again.
func newServer(address, key string, log *slog.Logger) *server {
	return &server{
		address: strings.TrimSuffix(address, "/"), key: key,
		// A redirect would take the key along to another port, and from https to http.
		client: http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		retry:  fetch.Retry{First: time.Second, Failures: 8, Stop: "Ctrl-C ends it", Log: log, Sleep: fetch.Sleep},
	}
}

// refusal is an answer other than 200.
type refusal struct {
	Status  int     `json:"-"`
	Problem problem `json:"erro"`
}

// problem is what the API says of a failure.
type problem struct {
	Code    string `json:"codigo"`
	Message string `json:"mensagem"`
}

func (r *refusal) Error() string {
	return oneLine(fmt.Sprintf("%d %s: %s", r.Status, cmp.Or(r.Problem.Code, http.StatusText(r.Status)), cmp.Or(r.Problem.Message, "no answer of the API: is RAZAO_URL its address?")))
}

// oneLine returns the beginning of a text of a server, in which no line end makes another message.
func oneLine(text string) string {
	const longest = 500
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return string(runes)
}

// get asks for a path and decodes the answer into answer; raw is its text.
func (s *server) get(ctx context.Context, path string, query url.Values, answer any) (raw []byte, err error) {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return s.ask(ctx, http.MethodGet, path, nil, answer)
}

// ask makes a call, with a body of JSON unless this is nil. While the server is busy or cannot be reached it tries again.
func (s *server) ask(ctx context.Context, method, path string, body, answer any) (raw []byte, err error) {
	var sent []byte
	if body != nil {
		if sent, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	err = s.retry.Do(ctx, s.address+path, func() (bool, error) {
		raw, err = s.once(ctx, method, path, sent)
		return false, err
	})
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, answer); err != nil {
		return nil, s.foreign(path, "it %s", misread(err))
	}
	return raw, nil
}

// foreign is the error of an answer that the API does not give.
func (s *server) foreign(path, format string, args ...any) error {
	return fmt.Errorf("the answer of %s is none of the API: %s", s.address+path, oneLine(fmt.Sprintf(format, args...)))
}

// misread says in the words of JSON why an answer cannot be decoded.
func misread(err error) string {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Sprintf("has the type %s at %s", wrong.Value, cmp.Or(wrong.Field, "its top"))
	}
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		return "is no JSON"
	}
	return err.Error()
}

// once makes a call once.
func (s *server) once(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, s.address+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+s.key)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	a, err := fetch.Send(ctx, &s.client, r, callSilence)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	if to, err := a.Location(); err == nil && a.StatusCode/100 == 3 {
		return nil, &refusal{a.StatusCode, problem{"redirecionado", "the server redirects to " + to.Scheme + "://" + to.Host + ", which does not get the key: is this the address?"}}
	}
	raw, err := io.ReadAll(io.LimitReader(a, mostAnswered+1)) // of what gzip makes of it, too
	switch {
	case err != nil:
		return nil, err
	case len(raw) > mostAnswered:
		return nil, s.foreign(path, "it has more than %d MiB", mostAnswered>>20)
	case a.StatusCode == http.StatusOK:
		return raw, nil
	}
	refused := &refusal{Status: a.StatusCode}
	_ = json.Unmarshal(raw, refused)                                             // a proxy in between may answer something else
	if !fetch.MayPass(a.StatusCode) || refused.Problem.Code == "carga_parcial" { // what a load lacks comes with another load
		return nil, refused
	}
	return nil, &fetch.Trouble{Err: refused, Again: true, After: fetch.RetryAfter(a.Header, time.Now(), longestWait)}
}

// items are those of a page or of a batch. A page of more is refused before it is kept: one of 32 MiB may have
// millions of empty ones.
type items[T any] []T

// UnmarshalJSON decodes an array.
func (l *items[T]) UnmarshalJSON(raw []byte) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	if opening, err := d.Token(); err != nil || opening != json.Delim('[') {
		return errors.New("has items that are no array")
	}
	*l = items[T]{}
	for d.More() {
		var one T
		if err := d.Decode(&one); err != nil {
			return err
		}
		if *l = append(*l, one); len(*l) > mostItems {
			return fmt.Errorf("has more than %d items", mostItems)
		}
	}
	return nil
}

// listing is a page of a collection.
type listing[T any] struct {
	Items items[T] `json:"itens"`
	Total int64    `json:"total"`
	Next  string   `json:"proximo_cursor"`
}

// collect returns the items of all pages of a collection, at most most of them unless this is 0. When the data are replaced between two of them, it
// begins again, so that none is missing or there twice.
func (s *server) collect(ctx context.Context, path string, query url.Values, most int) ([]json.RawMessage, error) {
	for again := 0; ; again++ {
		all, err := s.walk(ctx, path, query, most)
		if refused, ok := errors.AsType[*refusal](err); !ok || refused.Status != http.StatusConflict || again == restarts {
			return all, err
		}
	}
}

func (s *server) walk(ctx context.Context, path string, query url.Values, most int) ([]json.RawMessage, error) {
	all := []json.RawMessage{}
	query.Del("cursor")
	for bytes := 0; ; {
		var answer struct {
			Dados listing[json.RawMessage] `json:"dados"`
		}
		raw, err := s.get(ctx, path, query, &answer)
		if err != nil {
			return nil, err
		}
		bytes += len(raw)
		all = append(all, answer.Dados.Items...)
		switch {
		case answer.Dados.Items == nil:
			return nil, s.foreign(path, "it has no items")
		case most > 0 && len(all) >= most:
			return all[:most], nil
		case answer.Dados.Next == "":
			return all, nil
		case len(answer.Dados.Items) == 0:
			return nil, s.foreign(path, "a page before the last is empty")
		case bytes > mostPages:
			return nil, s.foreign(path, "its pages have more than %d MiB", mostPages>>20)
		}
		query.Set("cursor", answer.Dados.Next)
	}
}
