package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/klauspost/compress/gzip"
	"golang.org/x/sync/errgroup"

	"razao/lab/internal/load"
)

const tries = 3 // of a question with different answers

// side is one of the two servers.
type side struct {
	address string
	keys    *load.Ring
	cookies []string          // of sessions
	masks   *strings.Replacer // replaces what is the server's own, such as the moments of its loads
}

// run is a comparison.
type run struct {
	*options
	sides  [2]side
	drawn  *load.Release
	owners map[string][]string // establishments with records, by source
	client *http.Client
	once   map[string]bool // paths of questions that are asked once

	mu     sync.Mutex
	asked  int
	kinds  map[string]*kindCount
	groups map[string]*group
}

func newRun(o *options, sides [2]side, drawn *load.Release) *run {
	return &run{options: o, sides: sides, drawn: drawn, owners: map[string][]string{}, once: map[string]bool{}, kinds: map[string]*kindCount{}, groups: map[string]*group{}, client: &http.Client{
		Transport:     &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: o.conns}, // whether a body is compressed is compared
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// question is a request for both servers. What follows from an answer, such as a cursor or an ETag,
// each server gets as it gave it.
type question struct {
	kind   string // row of the report
	caller string // as in questions.txt
	method string // "": GET
	header map[string]string
	path   [2]string
	body   [2]string
	own    [2]map[string]string // headers that follow from what the server has answered before
}

// answer is a response, its body uncompressed.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// ask sends a question to both servers, counts the outcome and returns the answers.
func (r *run) ask(ctx context.Context, q question) (got [2]answer, err error) {
	var found []difference
	for try := range tries {
		if got, err = r.both(ctx, &q); err != nil {
			return got, err
		}
		again := r.differences(&q, got)
		if len(again) == 0 {
			r.record(&q, got[0].status, found, try > 0)
			return got, nil
		}
		found = again
	}
	r.record(&q, got[0].status, found, false)
	return got, nil
}

// askAll asks questions in order.
func (r *run) askAll(ctx context.Context, all ...question) error {
	for _, q := range all {
		if _, err := r.ask(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) both(ctx context.Context, q *question) (got [2]answer, err error) {
	// Bodies of errors repeat the request id: one that follows from the question is the same for both.
	id := uuid.NewSHA1(uuid.NameSpaceURL, []byte(q.method+q.path[0]+q.body[0]))
	g, ctx := errgroup.WithContext(ctx)
	for i := range got {
		g.Go(func() (err error) {
			got[i], err = r.patiently(ctx, q, i, id)
			return err
		})
	}
	return got, g.Wait()
}

// patiently sends a question to one server, and once more after the Retry-After of a 429: exports are limited by
// account, and questions share accounts. A second 429 is an error: nothing could be compared.
func (r *run) patiently(ctx context.Context, q *question, i int, id uuid.UUID) (answer, error) {
	got, err := r.send(ctx, q, i, id)
	if seconds, _ := strconv.Atoi(got.header.Get("Retry-After")); err == nil && got.status == http.StatusTooManyRequests && seconds > 0 {
		select {
		case <-time.After(time.Duration(seconds) * time.Second):
		case <-ctx.Done():
		}
		got, err = r.send(ctx, q, i, id)
	}
	if err == nil && got.status == http.StatusTooManyRequests {
		return answer{}, fmt.Errorf("%s%s: 429", r.sides[i].address, q.path[i])
	}
	return got, err
}

// send sends a question to one server.
func (r *run) send(ctx context.Context, q *question, i int, id uuid.UUID) (answer, error) {
	s := &r.sides[i]
	request, err := http.NewRequestWithContext(ctx, q.method, s.address+q.path[i], strings.NewReader(q.body[i]))
	if err != nil {
		return answer{}, err
	}
	request.Host = "razao.exemplo"
	request.Header.Set("X-Request-ID", id.String())
	request.Header.Set("X-Forwarded-For", fmt.Sprintf("10.%d.%d.%d", id[0], id[1], id[2])) // exports are limited by address
	switch q.caller {
	case "key":
		request.Header.Set("Authorization", "Bearer "+s.keys.Next())
	case "wrong":
		request.Header.Set("Authorization", "Bearer rz_errada")
	case "session":
		request.Header.Set("Cookie", s.cookies[int(id.ID())%len(s.cookies)])
	}
	for _, headers := range []map[string]string{q.header, q.own[i]} {
		for name, value := range headers {
			request.Header.Set(name, value)
		}
	}
	response, err := r.client.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{}, fmt.Errorf("%s%s: %w", s.address, q.path[i], err)
	}
	body, err = unpacked(body)
	return answer{response.StatusCode, response.Header, body}, err
}

// unpacked undoes gzip, of a Content-Encoding or of a file: another compressor may pack the same
// content into other bytes.
func unpacked(body []byte) ([]byte, error) {
	if !bytes.HasPrefix(body, []byte("\x1f\x8b")) {
		return body, nil
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("unpack an answer: %w", err)
	}
	return io.ReadAll(unzipped)
}

// questions asks what is asked once, and then as many questions as are wanted, which are drawn. Each has
// a generator of its own, seeded by its number.
func (r *run) questions(ctx context.Context) error {
	once, drawn, err := templates(questionsFile)
	if err != nil {
		return err
	}
	for _, t := range once {
		r.once[t.path] = true
	}
	say("what is asked once")
	if err := r.each(ctx, func(n int) bool { return n < len(once) }, func(ctx context.Context, dice *rand.Rand, n int) error {
		return r.askOnce(ctx, dice, once[n])
	}); err != nil {
		return err
	}
	until := r.count() + r.options.questions
	return r.each(ctx, func(int) bool { return r.count() < until }, func(ctx context.Context, dice *rand.Rand, n int) error {
		if n%2000 == 0 {
			say("%d of %d questions", r.count()+r.options.questions-until, r.options.questions)
		}
		return r.askDrawn(ctx, dice, load.Pick(dice, drawn))
	})
}

// each calls ask with the numbers from 0 on for as long as more wants, a few at a time.
func (r *run) each(ctx context.Context, more func(n int) bool, ask func(ctx context.Context, dice *rand.Rand, n int) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(r.conns)
	for n := 0; ctx.Err() == nil && more(n); n++ {
		g.Go(func() error { return ask(ctx, rand.New(rand.NewPCG(r.seed, uint64(n))), n) })
	}
	return g.Wait()
}

// count returns how many questions have been answered.
func (r *run) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.asked
}
