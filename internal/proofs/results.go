package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// event is an event of go test -json; `go doc test2json` describes it.
type event struct {
	Action  string
	Package string
	Test    string // "" for an event of the package as a whole
	Output  string
}

// results collects the outcomes of tests and prints what go test prints without -json: a line for
// each package and the output of failed tests.
type results struct {
	out     io.Writer
	tested  map[string]bool               // packages that have finished
	outcome map[place]string              // "pass", "fail" or "skip"
	said    map[string]map[place][]string // by package: output of tests that have not finished
	failed  []failure
}

// failure is a test that failed by itself, not because a subtest of it did.
type failure struct {
	place
	said []string // lines
}

// place is a test in a package, whose path is without the module.
type place struct{ pkg, test string }

func newResults(out io.Writer) *results {
	return &results{out: out, tested: map[string]bool{}, outcome: map[place]string{}, said: map[string]map[place][]string{}}
}

// read processes the events of a run. Lines that are no events, such as those of the go command
// itself, are passed through.
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

// hear prints the line that sums up a package and holds back all other output until the outcome is
// known.
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

// end records an outcome and prints or drops the output held back for it.
func (r *results) end(at place, action string) {
	r.outcome[at] = action
	switch {
	case at.test == "":
		r.tested[at.pkg] = true
		if action == "fail" {
			for _, texts := range r.said[at.pkg] { // of the package itself, and of tests that a panic cut off
				fmt.Fprint(r.out, strings.Join(texts, ""))
			}
		}
		delete(r.said, at.pkg)
	case action == "fail":
		said := r.said[at.pkg][at]
		fmt.Fprint(r.out, strings.Join(said, ""))
		delete(r.said[at.pkg], at)
		if !slices.ContainsFunc(r.failed, func(f failure) bool { return f.pkg == at.pkg && strings.HasPrefix(f.test, at.test+"/") }) {
			r.failed = append(r.failed, failure{at, said})
		}
	default:
		delete(r.said[at.pkg], at)
	}
}

// recall prints once more which tests failed and the first lines of what they said, which the output
// of other tests may have pushed far up.
func (r *results) recall() {
	const most = 25
	for _, f := range r.failed {
		fmt.Fprintf(r.out, "\nfailed: %s of %s\n%s", f.test, f.pkg, strings.Join(f.said[:min(len(f.said), most)], ""))
	}
}

// unproved returns a message for each proof that has not passed: of all packages, or only of those
// that were tested.
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
