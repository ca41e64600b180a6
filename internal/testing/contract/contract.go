// Package contract runs the contract scripts: the sentences of the API's specification, each beside
// the requests that prove it. They run against a server over HTTP, so the same scripts test the
// handlers in process and the built program.
//
// A script is a text file of blocks. A block begins with the number and words of a sentence,
// followed by its proof, one step a line:
//
//	[v1-3] Absent text fields may be empty strings.
//	GET /v1/cnpj/12345678                 a request with a valid key
//	> Authorization: Bearer abc           overrides a request header; without a value it is omitted
//	code == 200
//	header Cache-Control == no-store      also !=, "absent", "exists" and "matches REGEXP"
//	json dados.socios.# == 2              # is the number of items; the value is JSON; checks as above
//	body contains "pais":""               or "body lacks"
//	set next = json dados.proxima_url     or "header NAME"; defines ${next}
//	do load receita                       loads the release again, or with the id of a source that
//	do load ceis ${today}                 as the records of another period
//	do drop ceis                          makes the records of a source unreadable
//
// A request is sent by the first step that needs its answer. ${key} is a valid key, ${revoked} a
// revoked one, ${today} the day, AAAA-MM-DD.
package contract

import (
	"embed"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

//go:embed scripts/*.txt
var files embed.FS

// Script is one script.
type Script struct {
	Name    string // of its file, such as v1.txt
	Changes bool   // it contains a do step, so its target cannot be shared

	blocks []block
}

// block is a sentence with its proof.
type block struct {
	number   string // of the sentence, such as v1-3
	sentence string
	lines    []string
}

// Target is a server that serves the invented release and the records of every source. A script
// makes fewer calls than an account may make in a minute.
type Target struct {
	URL     string // base address, without a slash at the end
	Key     string // valid, of an account that only this script uses
	Revoked string // a revoked key

	// Load loads a source again and returns when it is served. "receita" is the release. If period
	// is "", it is that of the files.
	Load func(source, period string)
	// Drop makes the records of the source's load in service unreadable.
	Drop func(source string)
	// Check, if not nil, is called with every answer, for tests that hold of all of them.
	Check func(t testing.TB, method, path string, a Answer)
}

// Answer is a response with its whole body.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Run runs every script in a parallel subtest, each against the target that start returns for it.
func Run(t *testing.T, start func(t *testing.T, s Script) Target) {
	t.Helper()
	for _, s := range scripts(t) {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			run(t, start(t, s), s.blocks)
		})
	}
}

// firstLine matches the first line of a block.
var firstLine = regexp.MustCompile(`(?m)^\[([a-z0-9]+-\d+)\] (.*)$`)

// scripts parses all scripts, in the order of their names.
func scripts(t testing.TB) []Script {
	t.Helper()
	entries, err := files.ReadDir("scripts")
	if err != nil {
		t.Fatal(err)
	}
	var all []Script
	for _, entry := range entries {
		raw, err := files.ReadFile("scripts/" + entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		text := string(raw)
		s := Script{Name: entry.Name(), Changes: strings.Contains(text, "\ndo ")}
		heads := firstLine.FindAllStringSubmatchIndex(text, -1)
		for i, head := range heads {
			end := len(text)
			if i+1 < len(heads) {
				end = heads[i+1][0]
			}
			s.blocks = append(s.blocks, block{
				number: text[head[2]:head[3]], sentence: text[head[4]:head[5]], lines: strings.Split(text[head[1]:end], "\n"),
			})
		}
		all = append(all, s)
	}
	return all
}
