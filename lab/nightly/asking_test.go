package nightly

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// parts map the beginning of a question's path to the name in reports and to what the answer needs;
// the first match counts. API calls need writing because they are counted. Searches read companies from
// the row cache beside the index, so they need no PostgreSQL; the page of a company does where
// it shows public records.
var parts = []struct {
	path, name string
	needs      part
}{
	{"/health/live", "live", partProcess},
	{"/health", "health", partProcess | partReading},
	{"/v1/", "v1", partProcess | partReading | partWriting},
	{"/v2/", "v2", partProcess | partReading | partWriting},
	{"/mcp#buscar", "mcp search", partProcess | partReading | partWriting | partIndex},
	{"/mcp", "mcp", partProcess | partReading | partWriting},
	{"/busca", "search", partProcess | partIndex},
	{"/empresas", "search", partProcess | partIndex},
	{"/sugestoes", "suggestions", partProcess | partIndex},
	{"/estados", "places", partProcess | partIndex},
	{"/municipios", "places", partProcess | partIndex},
	{"/rankings", "places", partProcess | partIndex},
	{"/conta", "account", partProcess | partReading},
	{"/robots.txt", "texts", partProcess},
	{"/termos", "texts", partProcess},
	{"/login", "texts", partProcess},
	{"/", "company pages", partProcess | partReading},
}

// ofSources matches the questions whose answers contain public records.
var ofSources = regexp.MustCompile(`/full$|/fontes/|\.md$|#consultar_`)

// part returns the part of the service that a question belongs to, and what its answer needs.
func (q *question) part() (name string, needs part) {
	for _, p := range parts {
		if strings.HasPrefix(q.path, p.path) {
			name, needs = p.name, p.needs
			break
		}
	}
	if ofSources.MatchString(q.path) {
		name, needs = name+", records", needs|partRecords
	}
	switch {
	case q.ask != nil && strings.HasPrefix(name, "v2"):
		return "walks" + strings.TrimPrefix(name, "v2"), needs
	case strings.HasSuffix(q.path, "#participacoes"):
		return "holdings", needs | partIndex
	}
	return name, needs
}

// reply is an answer reduced to what is compared.
type reply struct {
	status int
	text   string // the status and the plain body
	id     string // X-Request-ID, to find the request in the server's log
	err    error  // there was no answer, or it reports a failure inside
}

// An answer with the status 200 may report a failure inside: suggestions that are empty and
// no-store, a source with the status erro, a tool with isError, a page that lacks a section. It
// counts as refused, not as wrong. A page is rightly no-store when it lacks a section that is not
// compared here; that one is another question.
var (
	errCouldNotLook = errors.New("the answer says that it could not look")
	couldNotLook    = regexp.MustCompile("\"status\":\"erro\"|`erro`|\"isError\":true")
	sectionMissing  = "Não foi possível consultar agora"
	errChanged      = errors.New("409: the load changed in mid-walk")
	errMalformed    = errors.New("malformed")
	errNoServer     = errors.New("the balancer has no server")
)

// patience bounds the time of an answer.
const patience = 15 * time.Second

// get asks a server a question.
func (o *oracle) get(addr string, q *question) reply {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if q.ask != nil {
		return q.ask(ctx, addr)
	}
	path, _, _ := strings.Cut(q.path, "#")
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+path, nil)
	if q.send != "" {
		req, err = http.NewRequestWithContext(ctx, http.MethodPost, "http://"+addr+path, strings.NewReader(q.send))
	}
	if err != nil {
		return reply{err: err}
	}
	return o.send(req, q)
}

// send sends a request and reduces the answer to what the question compares.
func (o *oracle) send(req *http.Request, q *question) (r reply) {
	if q.call {
		key, from := o.key()
		req.Header.Set("Authorization", "Bearer "+key)
		req.Header.Set("X-Forwarded-For", from)
	}
	if q.send != "" {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
	}
	if q.cookie != "" {
		req.Header.Set("Cookie", q.cookie)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return reply{err: err}
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	header := resp.Header
	r = reply{status: resp.StatusCode, id: header.Get("X-Request-Id"), err: err}
	r.text = fmt.Sprint(r.status, " ", strings.ReplaceAll(q.plain(string(body)), req.URL.Host, ""))
	switch {
	case err != nil:
	case r.status == http.StatusBadGateway || r.status == http.StatusGatewayTimeout:
		r.err = errNoServer
	case r.status == http.StatusOK && (couldNotLook.Match(body) || strings.Contains(r.text, sectionMissing) ||
		strings.Contains(header.Get("Cache-Control"), "no-store") && !q.personal && q.send == "" && !strings.Contains(string(body), sectionMissing)):
		r.err = errCouldNotLook
	case r.status == http.StatusServiceUnavailable && header.Get("Retry-After") == "" && !strings.HasPrefix(q.path, "/health"):
		r.err = fmt.Errorf("%w: 503 without Retry-After", errMalformed)
	case r.status == http.StatusConflict && strings.Contains(string(body), "fotografia_alterada"):
		r.err = errChanged
	}
	return r
}

// key returns the next key and a client address for it.
func (o *oracle) key() (key, from string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.next++
	n := o.next % len(o.keys)
	return o.keys[n], fmt.Sprintf("198.18.%d.1", n)
}

// expect makes the answers with either period of a source right until settle. For "" nothing
// changes.
func (o *oracle) expect(source string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	both := periods{}
	for id, now := range o.possible {
		both[id] = now
	}
	if source != "" {
		both[source] = []string{"2026-08", "2026-09"}
	}
	o.possible = both
}

// now returns which periods are right.
func (o *oracle) now() periods {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.possible
}

// count counts the outcomes of questions.
type count struct {
	Asked    int
	Wrong    int // answers that were right at no moment between question and answer
	Refused  int // refused without an excuse
	Expected int // refused with the excuse Broken
	Settling int // refused with the excuse Settling
}

// since returns the outcomes since an earlier count.
func (c count) since(earlier count) count {
	return count{
		c.Asked - earlier.Asked, c.Wrong - earlier.Wrong, c.Refused - earlier.Refused,
		c.Expected - earlier.Expected, c.Settling - earlier.Settling,
	}
}

// outcomes are the counts, and what reports and waits need besides.
type outcomes struct {
	count
	walks, changed int                  // walks that reached their end, and that ended with 409
	rightAt        map[string]time.Time // by part: when the latest rightly answered question was asked
	badAt          time.Time            // when the latest other answer came in
	failures       []failure            // the first failures without an excuse
	failuresOf     map[string]int       // number of failures by part, since the last fault
}

type failure struct{ line, id string }

// counted returns the outcomes so far.
func (o *oracle) counted() count {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.outcomes.count
}

// ask asks a question and reports whether the answer is right.
func (o *oracle) ask(q *question) (right bool) {
	before, asked := o.now(), time.Now()
	r := o.get(o.p.Addr, q)
	after, answered := o.now(), time.Now()
	about := slices.Compact(append(q.combinations(before), q.combinations(after)...))
	part, needs := q.part()
	excuse := o.faults.excuse(needs, asked, answered)
	o.mu.Lock()
	defer o.mu.Unlock()
	c := &o.outcomes
	c.Asked++
	right = r.err == nil && slices.ContainsFunc(about, func(about string) bool { return o.known[about] == r.text })
	if errors.Is(r.err, errChanged) && len(about) > 1 {
		c.changed++
		right = true
	} else if q.ask != nil && right {
		c.walks++
	}
	if right {
		c.rightAt[part] = asked
		return true
	}
	c.badAt = answered
	refused := !errors.Is(r.err, errMalformed) &&
		(r.err != nil || r.status == http.StatusServiceUnavailable || r.status == http.StatusTooManyRequests)
	what := fmt.Sprintf("%s to %s, %s (%s): ", at(asked), at(answered), q.path, part)
	switch {
	case !refused:
		c.Wrong++
		want, got := differing(o.known[about[0]], r.text)
		c.report(part, r.id, what+"wrong, want one of %q\nwant …%s\ngot  …%s %v", about, want, got, r.err)
	case excuse == broken:
		c.Expected++
	case excuse == settled:
		c.Settling++
	default:
		c.Refused++
		c.report(part, r.id, what+"refused without need: %d %.300s %v", r.status, r.text, r.err)
	}
	return false
}

// differing returns excerpts of two texts around the first difference.
func differing(a, b string) (string, string) {
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	from := max(0, same-100)
	return a[from:min(len(a), same+400)], b[from:min(len(b), same+400)]
}

func at(t time.Time) string { return t.Format("15:04:05.000") }

// How many failures are reported, in all and for each part.
const (
	enough       = 60
	enoughOfPart = 3
)

func (c *outcomes) report(part, id, format string, args ...any) {
	if c.failuresOf[part]++; len(c.failures) < enough && c.failuresOf[part] <= enoughOfPart {
		c.failures = append(c.failures, failure{fmt.Sprintf(format, args...), id})
	}
}

// askedMeanwhile asks all questions repeatedly while do runs, and returns the outcomes. Each part
// has its own goroutine and rate, so that a part that hangs delays no other.
func (o *oracle) askedMeanwhile(do func()) outcomes {
	ctx, cancel := context.WithCancel(context.Background())
	var asking sync.WaitGroup
	byPart := map[string][]*question{}
	for i := range o.questions {
		name, _ := o.questions[i].part()
		byPart[name] = append(byPart[name], &o.questions[i])
	}
	for name, questions := range byPart {
		asking.Go(func() { o.askInTurn(ctx, questions, len(byPart)) })
		if strings.HasPrefix(name, "walks") { // a walk takes many requests: four at a time
			for n := range 3 {
				others := slices.Concat(questions[(n+1)*len(questions)/4:], questions[:(n+1)*len(questions)/4])
				asking.Go(func() { o.askInTurn(ctx, others, len(byPart)) })
			}
		}
	}
	stop := sync.OnceFunc(func() { cancel(); asking.Wait() })
	defer stop() // also when do ends the test
	do()
	stop()
	o.reportFailures()
	return o.outcomes
}

// askInTurn asks questions round-robin until ctx ends, at a rate that makes 200 a second for all
// parts.
func (o *oracle) askInTurn(ctx context.Context, questions []*question, parts int) {
	rate := time.NewTicker(time.Duration(parts) * 5 * time.Millisecond)
	defer rate.Stop()
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			return
		case <-rate.C:
			o.ask(questions[i%len(questions)])
		}
	}
}

// reportFailures fails the test for answers without an excuse, and logs what the server says about
// them.
func (o *oracle) reportFailures() {
	t := o.p.T
	log := ""
	if o.log != nil {
		log = o.log()
	}
	for _, s := range o.outcomes.failures {
		t.Error(s.line)
		for line := range strings.Lines(log) {
			if s.id != "" && strings.Contains(line, s.id) {
				t.Logf("the server: %.1000s", line)
			}
		}
	}
	if c := o.outcomes; c.Asked == 0 || c.Wrong > 0 || c.Refused > 0 {
		t.Errorf("%d questions: %d wrong answers, %d refused without need", c.Asked, c.Wrong, c.Refused)
	}
}
