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
var documents = []string{"docs/security.md"}

// row is a row of a table with its first and last cell; inPkg is a package that precedes tests in a
// cell; aTest is the name of a test.
var (
	row   = regexp.MustCompile(`(?m)^\| (.*?) \| .* \| (.*) \|$`)
	inPkg = regexp.MustCompile("^ *`([a-z0-9/]+)`: ")
	aTest = regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z]\w*`)
)

// readDocuments returns the proofs that the documents name. A row that names none is an error, and
// so is a document without such a table.
func readDocuments(root string) ([]proof, error) {
	var all []proof
	for _, d := range documents {
		text, err := os.ReadFile(filepath.Join(root, d))
		if err != nil {
			return nil, err
		}
		before := len(all)
		for _, m := range row.FindAllStringSubmatch(string(text), -1) {
			sentence, named := m[1], m[2]
			if strings.Trim(named, "-") == "" || named == "Proof" || named == "Tests" {
				continue // the head of a table
			}
			tests := readProofs(named)
			if len(tests) == 0 {
				return nil, fmt.Errorf("%s names no test that proves %q", d, sentence)
			}
			for _, t := range tests {
				all = append(all, proof{t, d, sentence})
			}
		}
		if len(all) == before {
			return nil, fmt.Errorf("%s has no table with tests", d)
		}
	}
	return all, nil
}

// readProofs parses the last cell of a row: names of tests, grouped by package with semicolons
// between groups.
func readProofs(cell string) []test {
	var all []test
	for part := range strings.SplitSeq(cell, ";") {
		in := ""
		if m := inPkg.FindStringSubmatch(part); m != nil {
			in = m[1]
		}
		for _, name := range aTest.FindAllString(part, -1) {
			all = append(all, test{in, name})
		}
	}
	return all
}
