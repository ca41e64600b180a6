package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// event is what go test -json says; go doc test2json has its fields.
type event struct {
	Action  string
	Package string
	Test    string // "" for the package as a whole
	Output  string
}

// results is what became of the tests, told as go test tells it without -json: a line for each package, and what the
// tests that failed have said.
type results struct {
	out     io.Writer
	tested  map[string]bool               // packages
	outcome map[place]string              // pass, fail or skip
	said    map[string]map[place][]string // by package, what tests that have not passed have said
}

// place is a test in a package, without the name of the module.
type place struct{ pkg, test string }

func newResults(out io.Writer) *results {
	return &results{out, map[string]bool{}, map[place]string{}, map[string]map[place][]string{}}
}

// read takes the events of a run.
func (r *results) read(events io.Reader) error {
	lines := bufio.NewReader(events)
	for {
		line, err := lines.ReadBytes('\n')
		var e event
		switch {
		case len(line) == 0:
		case json.Unmarshal(line, &e) != nil:
			fmt.Fprintf(r.out, "%s", line)
		default:
			r.take(&e)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (r *results) take(e *event) {
	at := place{strings.TrimPrefix(e.Package, "razao/"), e.Test}
	switch {
	case e.Action == "build-output":
		fmt.Fprint(r.out, e.Output)
	case e.Action == "output":
		r.hear(at, e.Output)
	case e.Action == "pass" || e.Action == "fail" || e.Action == "skip":
		r.end(at, e.Action)
	}
}

// hear shows the line that sums up a package and keeps all others until it is known whether they matter.
func (r *results) hear(at place, text string) {
	if strings.HasPrefix(text, "=== ") {
		return
	}
	if at.test == "" && (strings.HasPrefix(text, "ok  \t") || strings.HasPrefix(text, "FAIL\t") || strings.HasPrefix(text, "?   \t")) {
		fmt.Fprint(r.out, text)
		return
	}
	if r.said[at.pkg] == nil {
		r.said[at.pkg] = map[place][]string{}
	}
	r.said[at.pkg][at] = append(r.said[at.pkg][at], text)
}

func (r *results) end(at place, action string) {
	r.outcome[at] = action
	switch {
	case at.test == "":
		r.tested[at.pkg] = true
		if action == "fail" {
			for _, texts := range r.said[at.pkg] { // of the package, and of tests that never ended
				fmt.Fprint(r.out, strings.Join(texts, ""))
			}
		}
		delete(r.said, at.pkg)
	case action == "fail":
		fmt.Fprint(r.out, strings.Join(r.said[at.pkg][at], ""))
		delete(r.said[at.pkg], at)
	default:
		delete(r.said[at.pkg], at)
	}
}

// unproved says which of the tests that documents name have not passed: of all packages, or of those that were tested.
func (r *results) unproved(named []proof, all bool) []string {
	var texts []string
	for _, p := range named {
		if !all && !r.tested[p.pkg] {
			continue
		}
		became := map[string]string{"": "did not run", "skip": "was skipped", "fail": "failed"}[r.outcome[p.place]]
		if became != "" {
			texts = append(texts, fmt.Sprintf("%s: %s of %s %s: nothing proves %q", p.document, p.test, p.pkg, became, p.sentence))
		}
	}
	return texts
}
