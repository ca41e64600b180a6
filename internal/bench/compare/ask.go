package compare

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/google/uuid"
	"github.com/klauspost/compress/gzip"
	"golang.org/x/sync/errgroup"
)

// triesOfDifferent bounds how often a question with different answers is asked.
const triesOfDifferent = 3

// question is a request that is sent to both servers.
type question struct {
	kind   string // the row of the report that counts it; "": the kind of page at path
	method string // "": GET
	path   string // with the query string
	header map[string]string
	body   string
	by     *purse // supplies the key or token; nil: without Authorization
}

// answer is a response. A body compressed with gzip is uncompressed.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// asker sends questions to both servers and counts the answers. It is safe for concurrent use.
type asker struct {
	servers       [2]string
	publicAddress string
	client        *http.Client
	keys, tokens  *purse

	mu    sync.Mutex
	kinds map[string]*kindCount
}

func newAsker(before, after string, conns int) *asker {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableCompression = true // whether a body is compressed is part of the comparison
	transport.MaxIdleConnsPerHost = conns
	return &asker{
		servers: [2]string{strings.TrimRight(before, "/"), strings.TrimRight(after, "/")},
		client: &http.Client{
			Transport:     transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		kinds: map[string]*kindCount{},
	}
}

// ask sends a question to both servers, counts the outcome and returns the answer of the reference.
func (a *asker) ask(ctx context.Context, q question) (answer, error) {
	q.kind = cmp.Or(q.kind, kindOfPage(q.path))
	var before, after answer
	var found []difference
	for try := range triesOfDifferent {
		var err error
		if before, after, err = a.both(ctx, &q); err != nil {
			return answer{}, err
		}
		again := judge(&q, before, after)
		if len(again) == 0 {
			a.count(&q, before.status, found, try > 0)
			return before, nil
		}
		found = again
	}
	a.count(&q, before.status, found, false)
	return before, nil
}

// askAll asks questions in order.
func (a *asker) askAll(ctx context.Context, all ...question) error {
	for _, q := range all {
		if _, err := a.ask(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// askPaths asks q for each of paths, in order.
func (a *asker) askPaths(ctx context.Context, q question, paths ...string) error {
	for _, q.path = range paths {
		if _, err := a.ask(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// both sends a question to both servers at the same time, with one account.
func (a *asker) both(ctx context.Context, q *question) (before, after answer, err error) {
	var secret string
	if q.by != nil {
		if secret, err = q.by.take(ctx, len(a.servers)); err != nil {
			return before, after, err
		}
	}
	// Error bodies repeat the request id. Deriving it from the question makes the bodies of two
	// runs equal.
	id := uuid.NewSHA1(uuid.NameSpaceURL, []byte(q.method+q.path+q.body)).String()
	g, ctx := errgroup.WithContext(ctx)
	for i, to := range []*answer{&before, &after} {
		g.Go(func() (err error) {
			*to, err = a.send(ctx, a.servers[i], q, secret, id)
			return err
		})
	}
	err = g.Wait()
	return before, after, err
}

// send sends a question to one server. 429 is an error: the server limits this address, and nothing
// could be compared.
func (a *asker) send(ctx context.Context, server string, q *question, secret, id string) (answer, error) {
	request, err := http.NewRequestWithContext(ctx, q.method, server+q.path, strings.NewReader(q.body))
	if err != nil {
		return answer{}, err
	}
	request.Header.Set("X-Request-ID", id)
	if secret != "" {
		request.Header.Set("Authorization", "Bearer "+secret)
	}
	for name, value := range q.header {
		request.Header.Set(name, value)
	}
	response, err := a.client.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{}, fmt.Errorf("%s%s: %w", server, q.path, err)
	}
	if response.StatusCode == http.StatusTooManyRequests {
		return answer{}, fmt.Errorf("%s%s: %s: start both servers with RAZAO_IP_REQUESTS=0 RAZAO_IP_FAILURES=0 RAZAO_IP_CLIENTS=0 RAZAO_IP_CALLS=0",
			server, q.path, response.Status)
	}
	body, err = unpacked(body)
	return answer{response.StatusCode, response.Header, body}, err
}

// unpacked undoes gzip, whether of a Content-Encoding or of a file: builds with different
// compressors may compress the same content to different bytes.
func unpacked(body []byte) ([]byte, error) {
	if !bytes.HasPrefix(body, []byte("\x1f\x8b")) {
		return body, nil
	}
	zip, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("unpack an answer: %w", err)
	}
	return io.ReadAll(zip)
}
