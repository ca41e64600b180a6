// Package pncp reads the contracts of the national portal of public procurement: JSON Lines with one contract each, or
// the pages of its read API, in files of which there may be any number.
//
// One load fills two sources, contracts by supplier and contracts by contracting body. A contract is published again
// whenever it changes, so rows are versions; see the roles for how a version hides the earlier ones.
package pncp

import (
	"context"
	"fmt"
	"strings"

	"razao/ingest/rows"
)

// Contratos returns the loader of contracts.
func Contratos() rows.Loader {
	return rows.Loader{Sources: []string{suppliers, bodies}, Read: read}
}

func read(ctx context.Context, in *rows.Input, out *rows.Output) (rows.Facts, error) {
	var files []*rows.File
	unfinished := 0
	for _, f := range in.Files {
		switch {
		case isLines(f.Name) || isPage(f.Name):
			files = append(files, f)
		case strings.HasSuffix(f.Name, ".incomplete"):
			unfinished++
		}
	}
	if len(files) == 0 {
		return rows.Facts{}, in.NoFile("files of contracts (*.jsonl, *.jsonl.gz, or pages *.json, *.json.gz)")
	}
	r := &reader{files: files, workers: max(in.Workers, 1), out: out}
	span, err := r.run(ctx)
	if err != nil {
		return rows.Facts{}, err
	}
	facts := rows.Facts{Coverage: span.earliest}
	if date := day(span.newest); date != "" {
		facts.Period = date[:len("2006-01")]
	}
	if unfinished > 0 {
		facts.Notes = append(facts.Notes, fmt.Sprintf("Ficaram fora desta carga %d arquivos cujo download não estava completo.", unfinished))
	}
	return facts, nil
}

// isLines says whether a file holds JSON Lines, going by its name.
func isLines(name string) bool { return hasExtension(name, ".jsonl") }

// isPage says whether a file is one JSON document, going by its name.
func isPage(name string) bool { return hasExtension(name, ".json") }

func hasExtension(name, extension string) bool {
	return strings.HasSuffix(strings.TrimSuffix(strings.ToLower(name), ".gz"), extension)
}

// span is the time that the contracts cover.
type span struct {
	earliest string // publication, AAAA-MM-DD
	newest   string // update, as published
}

// add widens the span; "" is no time.
func (s *span) add(published, updated string) {
	if published != "" && (s.earliest == "" || published < s.earliest) {
		s.earliest = published
	}
	if day(updated) != "" && updated > s.newest {
		s.newest = updated
	}
}
