// Package pncp loads the contracts of the Portal Nacional de Contratações Públicas, as the JSON
// that its read API returns. The input is any number of files: JSON Lines with one contract per
// line (*.jsonl), or pages of the API ({"data":[…]}, *.json), each also as .gz. [Fetch] and
// [Update] write the former.
//
// One load fills two sources: pncp, contracts by supplier and subcontractor, and pncp_orgao,
// contracts by contracting body. The key of a contract is numeroControlePNCP, CNPJ-2-SEQUENCE/YEAR.
// Keys of the JSON become fields in snake case; texts keep the publisher's empty strings, which
// differ from null, so all values are JSON.
//
// A contract is published again whenever it changes, so a row is a version of it. For each role
// (supplier, subcontractor, body) a version emits one record whose identity is key and role, or a
// void record without values if the role is no company. The newest version of an identity wins,
// ordered by dataAtualizacaoGlobal, dataAtualizacao and numeroRetificacao. So a correction that
// replaces the supplier also hides the contract from the former one.
//
// Some goroutines read files and cut them into blocks of lines; others parse the blocks. The
// raw control characters inside strings, which the publisher writes, are read as blanks. A damaged
// line is rejected. A damaged page ends the load, because nobody knows how many contracts it held.
// CPFs are masked, in documents and in free text.
//
// # Downloading
//
// The API (GET /v1/contratos by day of publication, /v1/contratos/atualizacao by day of update) has
// no filter by supplier, so everything is downloaded: windows of a few days, each in pages of up to
// 500 contracts, each window in a file of its own.
//
// The API is weak. It times out on long windows, answers parallel calls with 429, and shows its
// limit as an HTML page, at times with status 200; 422 comes without a reason, 500 and broken
// connections now and then. So calls are strictly sequential with a pause between them, and
// failures are retried by kind (package fetch): see limited. Retry-After is honoured up to half an
// hour.
//
// Pages have no snapshot: contracts published or changed meanwhile move between pages. The totals of
// every page are compared with those of the first, and the number of contracts with the
// total announced. A window that changed is fetched again, up to maxAttempts times.
//
// A file is written as name.jsonl.incomplete and renamed when its window is whole, so every *.jsonl
// is complete and a download is resumed by calling Fetch again. Memory is bounded by one page.
package pncp

import (
	"context"
	"fmt"
	"strings"

	"razao/ingest/rows"
)

// Contratos returns the loader of pncp and pncp_orgao. The period is the month of the newest
// update, and the coverage begins with the first publication. Files that end in .incomplete
// (unfinished downloads) are left out, and a note counts them; other names are ignored.
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
		case strings.HasSuffix(f.Name, incomplete):
			unfinished++
		}
	}
	if len(files) == 0 {
		return rows.Facts{}, in.NoFile("files of contracts (*.jsonl, *.jsonl.gz, or pages *.json, *.json.gz)")
	}
	r := &reader{files: files, workers: max(in.Workers, 1), out: out, span: span{until: in.Until}}
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

// isLines reports whether a file's name is that of JSON Lines.
func isLines(name string) bool { return hasExtension(name, extension) }

// isPage reports whether a file's name is that of one JSON document.
func isPage(name string) bool { return hasExtension(name, ".json") }

// hasExtension compares the end of a name without .gz, ignoring case.
func hasExtension(name, extension string) bool {
	return strings.HasSuffix(strings.TrimSuffix(strings.ToLower(name), ".gz"), extension)
}

// span is the time that a load's contracts cover.
type span struct {
	earliest string // first publication, AAAA-MM-DD; "" for none
	newest   string // last update, as published: AAAA-MM-DDTHH:MM:SS
	until    string // last day that is believed, AAAA-MM-DD; "": any
}

// add widens the span by the times of a contract; "" is no time.
func (s *span) add(published, updated string) {
	if published != "" && (s.earliest == "" || published < s.earliest) {
		s.earliest = published
	}
	if d := day(updated); d != "" && updated > s.newest && (s.until == "" || d <= s.until) {
		s.newest = updated
	}
}
