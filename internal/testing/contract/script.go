package contract

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// requestID is the X-Request-ID of requests that set none.
const requestID = "5f2b8c1e-8f0a-4b6d-9a57-0d9f6c1c2b3a"

// runner executes one script.
type runner struct {
	Target
	t      *testing.T
	vars   map[string]string
	method string // of the pending request; "": none is pending
	path   string
	header []string // alternating names and values
	last   Answer
}

// run executes the blocks and stops the test at the first step that fails, with the sentence that
// is thereby not proved.
func run(t *testing.T, target Target, blocks []block) {
	t.Helper()
	r := &runner{Target: target, t: t, vars: map[string]string{
		"key": target.Key, "revoked": target.Revoked, "today": time.Now().UTC().Format(time.DateOnly),
	}}
	for _, b := range blocks {
		for _, line := range b.lines {
			if line = strings.TrimSpace(line); line != "" {
				r.step(line)
			}
			if t.Failed() {
				t.Fatalf("[%s] %s\n%s\nlast answer: %d %v %.2000s", b.number, b.sentence, line, r.last.Status, r.last.Header, r.last.Body)
			}
		}
		r.send()
	}
}

// step executes one line after replacing variables. A word in capitals is a method: the request is
// pending until the next step that is not one of its headers.
func (r *runner) step(line string) {
	line = os.Expand(line, func(name string) string {
		value, ok := r.vars[name]
		if !ok {
			r.t.Errorf("no variable %s", name)
		}
		return value
	})
	word, rest, _ := strings.Cut(line, " ")
	if word == strings.ToUpper(word) && word != ">" {
		r.send()
		r.method, r.path = word, rest
		return
	}
	if word == ">" {
		name, value, _ := strings.Cut(rest, ":")
		r.header = append(r.header, name, strings.TrimSpace(value))
		return
	}
	r.send()
	switch word {
	case "code":
		r.equal(strconv.Itoa(r.last.Status), strings.TrimPrefix(rest, "== "))
	case "header":
		name, check, _ := strings.Cut(rest, " ")
		value, found := r.last.Header[http.CanonicalHeaderKey(name)]
		r.compare(strings.Join(value, ", "), found, check)
	case "json":
		path, check, _ := strings.Cut(rest, " ")
		value, found := r.value(path)
		r.compare(value, found, check)
	case "body":
		kind, want, _ := strings.Cut(rest, " ")
		if strings.Contains(string(r.last.Body), want) != (kind == "contains") {
			r.t.Errorf("the body does not fit")
		}
	case "set":
		r.set(rest)
	case "do":
		r.act(rest)
	default:
		r.t.Errorf("no step %q", word)
	}
}

// send sends the pending request, if there is one.
func (r *runner) send() {
	if r.method == "" {
		return
	}
	r.last = r.ask()
	if r.Check != nil {
		r.Check(r.t, r.method, r.path, r.last)
	}
	r.method, r.header = "", nil
}

// ask sends the pending request without following redirects and reads the answer.
func (r *runner) ask() Answer {
	req, err := http.NewRequestWithContext(r.t.Context(), r.method, r.URL+r.path, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+r.Key)
	req.Header.Set("X-Request-ID", requestID)
	req.Header.Set("Accept-Encoding", "identity")
	for i := 0; i < len(r.header); i += 2 {
		if req.Header.Set(r.header[i], r.header[i+1]); r.header[i+1] == "" {
			req.Header.Del(r.header[i])
		}
	}
	resp, err := http.DefaultTransport.RoundTrip(req) // unlike Client.Do it does not follow redirects
	if err != nil {
		r.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return Answer{resp.StatusCode, resp.Header, body}
}

func (r *runner) equal(got, want string) {
	if got != want {
		r.t.Errorf("got %s, want %s", got, want)
	}
}

// compare applies a check to a value that was found or not.
func (r *runner) compare(got string, found bool, check string) {
	verb, want, _ := strings.Cut(check, " ")
	switch verb {
	case "absent", "exists":
		if found != (verb == "exists") {
			r.t.Errorf("got %q, found %v", got, found)
		}
	case "==":
		r.equal(got, want)
	case "!=":
		if got == want {
			r.t.Errorf("got %s", got)
		}
	case "matches":
		if !found || !regexp.MustCompile(want).MatchString(got) {
			r.t.Errorf("got %q", got)
		}
	default:
		r.t.Errorf("no check %q", check)
	}
}

// value returns the JSON text at a path of keys and positions with dots between them. A last part #
// is the number of items of an array.
func (r *runner) value(path string) (text string, found bool) {
	raw := json.RawMessage(r.last.Body)
	for part := range strings.SplitSeq(path, ".") {
		var members map[string]json.RawMessage
		var items []json.RawMessage
		if json.Unmarshal(raw, &members) == nil {
			raw, found = members[part]
		} else if json.Unmarshal(raw, &items) == nil && part == "#" {
			raw, found = json.RawMessage(strconv.Itoa(len(items))), true
		} else {
			position, err := strconv.Atoi(part)
			if found = err == nil && position < len(items); found {
				raw = items[position]
			}
		}
		if !found {
			return "", false
		}
	}
	return string(raw), true
}

// set defines a variable. A JSON string is stored without its quotes.
func (r *runner) set(rest string) {
	name, what, _ := strings.Cut(rest, " = ")
	kind, path, _ := strings.Cut(what, " ")
	if kind == "header" {
		r.vars[name] = r.last.Header.Get(path)
		return
	}
	value, found := r.value(path)
	var text string
	if json.Unmarshal([]byte(value), &text) == nil {
		value = text
	}
	if r.vars[name] = value; !found || value == "" || value == "null" {
		r.t.Errorf("%s has no value", what)
	}
}

// act executes a do step.
func (r *runner) act(rest string) {
	verb, what, _ := strings.Cut(rest, " ")
	source, period, _ := strings.Cut(what, " ")
	switch verb {
	case "load":
		r.Load(source, period)
	case "drop":
		r.Drop(source)
	default:
		r.t.Errorf("cannot do %q", rest)
	}
}
