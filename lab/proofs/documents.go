package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// proof is a test that a document names for one of its sentences.
type proof struct {
	test
	document string
	sentence string // the first cell of its row
}

// documents are those that name tests in the last column of their tables.
var documents = []struct{ path, pkg string }{
	{"docs/contract.md", "api"}, // the package of tests that are named without one
	{"docs/security.md", ""},
}

// row is a row of a table with its first and last cell; inPkg is a package that precedes tests in a
// cell; aTest and aScript are the names of tests and of contract scripts.
var (
	row     = regexp.MustCompile(`(?m)^\| (.*?) \| .* \| (.*) \|$`)
	inPkg   = regexp.MustCompile("^ *`([a-z0-9/]+)`: ")
	aTest   = regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z]\w*`)
	aScript = regexp.MustCompile(`\b\w+\.txt\b`)
)

// scriptRunners are the packages that run each script of the contract as a subtest of TestContract.
var scriptRunners = []string{"api", "lab/contract"}

// readDocuments returns the proofs that the documents name. A row that names none is an error, and
// so is a document without such a table.
func readDocuments(root string) ([]proof, error) {
	var all []proof
	for _, d := range documents {
		text, err := os.ReadFile(filepath.Join(root, d.path))
		if err != nil {
			return nil, err
		}
		before := len(all)
		for _, m := range row.FindAllStringSubmatch(string(text), -1) {
			sentence, named := m[1], m[2]
			if strings.Trim(named, "-") == "" || named == "Proof" || named == "Tests" {
				continue // the head of a table
			}
			tests := readProofs(named, d.pkg)
			if len(tests) == 0 {
				return nil, fmt.Errorf("%s names no test that proves %q", d.path, sentence)
			}
			for _, t := range tests {
				all = append(all, proof{t, d.path, sentence})
			}
		}
		if len(all) == before {
			return nil, fmt.Errorf("%s has no table with tests", d.path)
		}
	}
	return all, nil
}

// readProofs parses the last cell of a row: names of tests and scripts, grouped by package with
// semicolons between groups.
func readProofs(cell, pkg string) []test {
	var all []test
	for part := range strings.SplitSeq(cell, ";") {
		in := pkg
		if m := inPkg.FindStringSubmatch(part); m != nil {
			in = m[1]
		}
		for _, name := range aTest.FindAllString(part, -1) {
			all = append(all, test{in, name})
		}
		for _, script := range aScript.FindAllString(part, -1) {
			for _, runner := range scriptRunners {
				all = append(all, test{runner, "TestContract/" + script})
			}
		}
	}
	return all
}
