// Command proofs fails unless the tests that the documents name have run and passed. docs/security.md
// names for each of its sentences the tests that prove it; that a test of that name exists proves
// nothing. Nor may a test of the laboratory be skipped.
//
//	go run ./proofs -all .. FILE...
//
// The arguments are the folder of the product and files with the output of go test -json. With -all
// every named test is required but those of lab/nightly, otherwise those in the packages that were tested:
// after `make nightly` those are lab/nightly's.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

func main() {
	all := flag.Bool("all", false, "require the tests of all packages")
	flag.Parse()
	unproved, err := run(flag.Arg(0), flag.Args()[1:], *all)
	for _, text := range unproved {
		fmt.Println(text)
	}
	if err != nil {
		fmt.Println(err)
	}
	if err != nil || len(unproved) > 0 {
		os.Exit(1)
	}
}

// run returns a message for each proof that is missing in the files.
func run(root string, files []string, all bool) ([]string, error) {
	named, err := readDocuments(root)
	if err != nil {
		return nil, err
	}
	r := results{}
	for _, path := range files {
		events, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		err = r.read(events)
		_ = events.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return append(r.unproved(named, all), r.skipped()...), nil
}

// nightly is the package whose tests run at night.
const nightly = "lab/nightly"

// test is a test in a package, whose path begins below razao/; "" stands for the package itself.
type test struct{ pkg, name string }

// results are the outcomes of tests: "pass", "fail" or "skip". A test that runs several times, as
// under the race detector and without it, has the outcome that says most.
type results map[test]string

// read adds the outcomes of a run. `go doc test2json` describes the events.
func (r results) read(events io.Reader) error {
	for decoder := json.NewDecoder(events); ; {
		var e struct{ Action, Package, Test string }
		if err := decoder.Decode(&e); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		at := test{strings.TrimPrefix(e.Package, "razao/"), e.Test}
		switch {
		case e.Action == "fail", e.Action == "pass" && r[at] != "fail", e.Action == "skip" && r[at] == "":
			r[at] = e.Action
		}
	}
}

// unproved returns a message for each proof that has not passed: of all packages that are not nightly, or only of
// those that were tested.
func (r results) unproved(named []proof, all bool) []string {
	var texts []string
	for _, p := range named {
		if r[test{p.pkg, ""}] == "" && (!all || p.pkg == nightly) {
			continue
		}
		became := map[string]string{"": "did not run", "skip": "was skipped", "fail": "failed"}[r[p.test]]
		if became != "" {
			texts = append(texts, fmt.Sprintf("%s: %s of %s %s: nothing proves %q", p.document, p.name, p.pkg, became, p.sentence))
		}
	}
	return texts
}

// skipped returns a message for each test of the laboratory that was skipped.
func (r results) skipped() (texts []string) {
	for at, became := range r {
		if became == "skip" && at.name != "" && strings.HasPrefix(at.pkg, "lab/") {
			texts = append(texts, fmt.Sprintf("%s of %s was skipped", at.name, at.pkg))
		}
	}
	slices.Sort(texts)
	return texts
}
