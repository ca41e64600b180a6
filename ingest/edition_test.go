package ingest_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"razao/ingest"
	"razao/internal/data/source"
	"razao/internal/sample"
	"razao/internal/store/journal"
	"razao/internal/store/registry/history"
	"razao/internal/testing/fixture"
)

// TestAnotherEditionTellsNothing loads what every source publishes about an invented country, and then the same a fortnight
// later: other names of files, other days of extraction and update, other numbers of lines, and the rows in another order.
func TestAnotherEditionTellsNothing(t *testing.T) {
	t.Parallel()
	written, later := t.TempDir(), t.TempDir()
	for dir, day := range map[string]string{written: "2026-09-30", later: "2026-10-14"} {
		if _, err := sample.Write(t.Context(), dir, sample.Options{Roots: 2000, Seed: 5, Month: "2026-09", Day: day, Debts: 1000}); err != nil {
			t.Fatal(err)
		}
	}
	l := fixture.Empty(t)
	release := find(t, filepath.Join(written, "receita"), "")
	if _, err := l.Ingester.Receita(t.Context(), &release, ingest.Options{Force: true}); err != nil {
		t.Fatal(err)
	}
	for _, id := range source.IDs() {
		if id == "pncp_orgao" {
			continue // it comes with pncp
		}
		loadSource(t, l, id, filepath.Join(written, id), ingest.SourceOptions{Force: true})
		_, at := announcedTo(t, l, history.Position{})
		moved, rows := anew(t, filepath.Join(later, id), id)
		if rewritten[id] != nil && moved == 0 {
			t.Errorf("%s: nothing speaks of the edition", id)
		}
		for _, load := range loadSource(t, l, id, filepath.Join(later, id), ingest.SourceOptions{Force: true}) {
			events := 0
			for _, announced := range journal.Loads(now(t, l)) {
				if announced.ID != load.ID {
					continue
				}
				if len(announced.Gaps) > 0 || announced.Former == 0 {
					t.Errorf("%s was not compared: %+v", load.Source, announced.Gaps)
				}
				for _, n := range announced.Events {
					events += int(n)
				}
			}
			t.Logf("%-22s %5d rows in another order, %5d values of the edition moved, %d records: %d events", load.Source, rows, moved, load.Counts.Records, events)
			if load.Counts.Records < 3 {
				t.Errorf("%s has %d records", load.Source, load.Counts.Records)
			}
		}
		if events, _ := announcedTo(t, l, at); len(events) > 0 {
			t.Errorf("%s: %d events, %q first", id, len(events), events[0])
		}
	}
}

// rewritten are the values that another edition has anew, beside those that follow the day of the sample.
var rewritten = map[string]*regexp.Regexp{
	"mte_empregadores": regexp.MustCompile(`(?m)^()(\d+;)`),
	"mte_ceac":         regexp.MustCompile(`(?m)^()(\d+;)`),
	"ibama_autos":      regexp.MustCompile(`()( 09:10:11)`),
	"pncp":             regexp.MustCompile(`("dataAtualizacao(?:Global)?":"\d{4}-\d\d-\d\dT)(\d\d:)`),
}

// anew writes the files of a source in the order of another edition, with its own values. It returns how many were moved, and the rows.
func anew(t *testing.T, dir, id string) (moved, rows int) {
	t.Helper()
	change := func(text []byte) []byte {
		if values := rewritten[id]; values != nil {
			moved += len(values.FindAll(text, -1))
			text = values.ReplaceAllFunc(text, func(found []byte) []byte {
				at := values.FindSubmatchIndex(found)
				kept, value := found[:at[3]], found[at[4]:]
				if value[0] == ' ' {
					return fmt.Appendf(nil, "%s 11%s", kept, value[3:])
				}
				return fmt.Appendf(nil, "%s1%s", kept, value[1:])
			})
		}
		return reversed(text, id != "pncp", &rows)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		switch filepath.Ext(file) {
		case ".txt":
			continue
		case ".zip":
			content = everyMember(t, content, change)
		default:
			content = change(content)
		}
		info, err := os.Stat(file) // nothing else dates some of them
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, info.ModTime(), info.ModTime()); err != nil {
			t.Fatal(err)
		}
	}
	return moved, rows
}

// reversed returns the rows of a table in the reverse order, behind its header if it has one. Line breaks within quotes end no row.
func reversed(text []byte, header bool, rows *int) []byte {
	end := []byte("\n")
	if bytes.Contains(text, []byte("\r\n")) {
		end = []byte("\r\n")
	}
	trailing := bytes.HasSuffix(text, end)
	var all [][]byte
	for _, part := range bytes.Split(bytes.TrimSuffix(text, end), end) {
		if last := len(all) - 1; last >= 0 && bytes.Count(all[last], []byte(`"`))%2 == 1 {
			all[last] = bytes.Join([][]byte{all[last], part}, end)
			continue
		}
		all = append(all, part)
	}
	body := all
	if header {
		body = all[1:]
	}
	slices.Reverse(body)
	*rows += len(body)
	text = bytes.Join(all, end)
	if trailing {
		text = append(text, end...)
	}
	return text
}

// everyMember changes all members of a zip.
func everyMember(t *testing.T, content []byte, change func([]byte) []byte) []byte {
	t.Helper()
	in, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	var changed bytes.Buffer
	out := zip.NewWriter(&changed)
	for _, member := range in.File {
		r, err := member.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		w, err := out.Create(member.Name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(change(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return changed.Bytes()
}
