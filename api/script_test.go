package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A contract script is a text of blocks. A block begins with the number and the words of a sentence of the specification,
// as docs/contract.md has them, and goes on with what proves it, a line each:
//
//	[v1-3] Absent text fields may be empty strings.
//	GET /v1/cnpj/12345678                 a request with a good key
//	> Authorization: Bearer abc           a header of it, instead of the usual one; without a value it is left out
//	code == 200
//	header Cache-Control == no-store      "header X absent" and "header X exists" are the others
//	json dados.socios.# == 2              the number of items; the value is JSON; "absent" and "matches" are the others
//	body contains "pais":""               "body lacks" is the other
//	set next = json dados.proxima_url     to be used as ${next}; "header X" is the other
//	do load receita                       loads the release again; with the id of a source, that
//	do drop ceis                          loses its records
//
// Every script has a service of its own, with the records of all sources. ${key} is a good key, ${revoked} one that was.
type script struct {
	*service
	t      *testing.T
	vars   map[string]string
	method string // of the request that has not been sent yet
	path   string
	header []string
	last   answer
}

func TestContract(t *testing.T) {
	t.Parallel()
	sentences, proofs := contract(t)
	files, err := filepath.Glob("testdata/contract/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d scripts, %v", len(files), err)
	}
	proved := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		blocks := strings.Split("\n"+string(text), "\n[")[1:]
		for _, block := range blocks {
			head, _, _ := strings.Cut(block, "\n")
			number, sentence, _ := strings.Cut(head, "] ")
			if sentences[number] != sentence {
				t.Errorf("%s: [%s] %s: docs/contract.md says %q", file, number, sentence, sentences[number])
			}
			if !strings.Contains(proofs[number], filepath.Base(file)) {
				t.Errorf("%s proves %s, which docs/contract.md does not say", file, number)
			}
			proved[number+" "+filepath.Base(file)] = true
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			run(t, blocks)
		})
	}
	for number, proof := range proofs {
		for file := range strings.FieldsSeq(strings.ReplaceAll(proof, ",", " ")) {
			if strings.HasSuffix(file, ".txt") && !proved[number+" "+file] {
				t.Errorf("docs/contract.md says that %s proves %s, and it does not", file, number)
			}
		}
	}
}

// contract reads the table of docs/contract.md.
func contract(t *testing.T) (sentences, proofs map[string]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "docs", "contract.md"))
	if err != nil {
		t.Fatal(err)
	}
	tests := testNames(t)
	sentences, proofs = map[string]string{}, map[string]string{}
	row := regexp.MustCompile(`(?m)^\| ([a-z0-9]+-\d+) \| (.*) \| (.*) \|$`)
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		sentences[m[1]], proofs[m[1]] = m[2], m[3]
		if strings.TrimSpace(m[3]) == "" {
			t.Errorf("docs/contract.md does not say what proves %s", m[1])
		}
		for _, name := range regexp.MustCompile(`\bTest\w+`).FindAllString(m[3], -1) {
			if !strings.Contains(tests, "func "+name+"(") {
				t.Errorf("docs/contract.md says that %s proves %s, and there is no such test", name, m[1])
			}
		}
	}
	return sentences, proofs
}

// testNames returns the text of all tests of this package.
func testNames(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

func run(t *testing.T, blocks []string) {
	s := &script{service: start(t, loaded(t)), t: t, vars: map[string]string{}}
	revoked, key, err := s.keys.CreateKey(t.Context(), "ana@exemplo.com.br", "revogada")
	if err == nil {
		err = s.keys.RevokeKey(t.Context(), key.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.vars["key"], s.vars["revoked"] = s.key, revoked
	for _, block := range blocks {
		lines := strings.Split(block, "\n")
		for _, line := range lines[1:] {
			if line = strings.TrimSpace(line); line != "" {
				s.step(line)
			}
			if t.Failed() {
				t.Fatalf("[%s\n%s\nlast answer: %d %v %.2000s", lines[0], line, s.last.status, s.last.header, s.last.body)
			}
		}
		s.send()
	}
}

func (s *script) step(line string) {
	line = os.Expand(line, func(name string) string {
		value, ok := s.vars[name]
		if !ok {
			s.t.Errorf("no variable %s", name)
		}
		return value
	})
	word, rest, _ := strings.Cut(line, " ")
	if word == strings.ToUpper(word) && word != ">" {
		s.send()
		s.method, s.path = word, rest
		return
	}
	if word == ">" {
		name, value, _ := strings.Cut(rest, ":")
		s.header = append(s.header, name, strings.TrimSpace(value))
		return
	}
	s.send()
	switch word {
	case "code":
		s.equal(strconv.Itoa(s.last.status), strings.TrimPrefix(rest, "== "))
	case "header":
		name, check, _ := strings.Cut(rest, " ")
		value, found := s.last.header[http.CanonicalHeaderKey(name)]
		s.compare(strings.Join(value, ", "), found, check)
	case "json":
		path, check, _ := strings.Cut(rest, " ")
		value, found := s.value(path)
		s.compare(value, found, check)
	case "body":
		kind, want, _ := strings.Cut(rest, " ")
		if strings.Contains(string(s.last.body), want) != (kind == "contains") {
			s.t.Errorf("the body does not fit")
		}
	case "set":
		s.set(rest)
	case "do":
		s.act(rest)
	default:
		s.t.Errorf("no step %q", word)
	}
}

// send sends the request that was written last, once.
func (s *script) send() {
	if s.method == "" {
		return
	}
	s.last = s.do(s.t, s.method, s.path, s.header...)
	s.method, s.header = "", nil
}

func (s *script) equal(got, want string) {
	if got != want {
		s.t.Errorf("got %s, want %s", got, want)
	}
}

func (s *script) compare(got string, found bool, check string) {
	verb, want, _ := strings.Cut(check, " ")
	switch verb {
	case "absent", "exists":
		if found != (verb == "exists") {
			s.t.Errorf("got %q, found %v", got, found)
		}
	case "==":
		s.equal(got, want)
	case "!=":
		if got == want {
			s.t.Errorf("got %s", got)
		}
	case "matches":
		if !found || !regexp.MustCompile(want).MatchString(got) {
			s.t.Errorf("got %q", got)
		}
	default:
		s.t.Errorf("no check %q", check)
	}
}

// value returns the JSON at a path of keys and positions, ending in # for the number of items.
func (s *script) value(path string) (text string, found bool) {
	raw := json.RawMessage(s.last.body)
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

func (s *script) set(rest string) {
	name, what, _ := strings.Cut(rest, " = ")
	kind, path, _ := strings.Cut(what, " ")
	if kind == "header" {
		s.vars[name] = s.last.header.Get(path)
		return
	}
	value, found := s.value(path)
	var text string
	if json.Unmarshal([]byte(value), &text) == nil {
		value = text
	}
	if s.vars[name] = value; !found || value == "" || value == "null" {
		s.t.Errorf("%s has no value", what)
	}
}

func (s *script) act(rest string) {
	verb, what, _ := strings.Cut(rest, " ")
	switch {
	case verb == "load" && what == "receita":
		s.Ingest(s.t)
		if err := s.Live.Refresh(s.t.Context()); err != nil {
			s.t.Fatal(err)
		}
	case verb == "load":
		publicRecords(s.t, s.Loaded, what)
	case verb == "drop":
		snapshot, err := s.Live.Acquire()
		if err != nil {
			s.t.Fatal(err)
		}
		load := snapshot.Snapshot.Loads[what]
		snapshot.Release()
		if _, err := s.Pool.Exec(s.t.Context(), fmt.Sprintf("DROP TABLE load_%06d.record", load)); err != nil {
			s.t.Fatal(err)
		}
	default:
		s.t.Errorf("cannot do %q", rest)
	}
}
