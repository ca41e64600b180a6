// Package contract runs the contract scripts: texts that quote the sentences of the specification of the API beside the
// requests that prove them. Its own test holds docs/contract.md to them.
//
// A script is a text of blocks. A block begins with the number and the words of a sentence, as docs/contract.md has them, and
// goes on with what proves it, a line each:
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
//	do load ceis 2099-12-31               as the records of another period
//	do drop ceis                          loses its records
//
// ${key} is a good key, ${revoked} one that was.
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
	Name    string // of its file
	Changes bool   // it changes what is served

	blocks []block
}

// block is a sentence with its proof.
type block struct {
	number   string // of the sentence
	sentence string
	lines    []string
}

// Target is a server with the invented release and the records of every source. A script makes fewer calls than an account
// may in a minute.
type Target struct {
	URL     string
	Key     string // active, of an account that nobody else calls with
	Revoked string // was a key

	// Load loads a source again and returns when it is served; "receita" is the release. An empty period is that of the files.
	Load func(source, period string)
	// Drop loses the records of the load in service.
	Drop func(source string)
	// Check looks at every answer; nil: nobody does.
	Check func(t testing.TB, method, path string, a Answer)
}

// Answer is what a server sent back.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Run runs every script in a subtest of its own, against the target that start returns for it.
func Run(t *testing.T, start func(t *testing.T, s Script) Target) {
	t.Helper()
	for _, s := range scripts(t) {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			run(t, start(t, s), s.blocks)
		})
	}
}

var firstLine = regexp.MustCompile(`(?m)^\[([a-z0-9]+-\d+)\] (.*)$`)

// scripts reads all scripts, in the order of their names.
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
