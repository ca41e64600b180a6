// Package ibama loads the inspections that IBAMA publishes: infraction notices (autos de infração)
// and embargo terms (termos de embargo).
//
// Both are CSV: UTF-8, semicolons, quotes only where needed, long texts with semicolons, quotes and
// line breaks. Notices come as one file per year, auto_infracao_AAAA.csv, in auto_infracao_csv.zip;
// embargoes as one, termo_embargo.csv, in termo_embargo_csv.zip. Of 84 and 51 columns only those
// that are fields of the source are read; the names of the columns are those of the fields in
// capitals. The geometries (WKT), most of the bytes and up to megabytes in one field, are skipped.
//
// Dates are AAAA-MM-DD HH:MM:SS, or only the date in old years, and stay as published. Integers
// carry a ".0" at times. Notices write documents with punctuation, embargoes as bare digits that
// may lack leading zeros. Most rows are about natural persons and are dropped.
//
// The key is SEQ_AUTO_INFRACAO or SEQ_TAD. Where it is empty, number and series stand in for it. A
// notice occurs again when it changes, so its rows are versions: the one with the latest
// DT_ULT_ALTERACAO, then DT_LANCAMENTO, counts. If that one names no company, the notice
// disappears. Cancelled notices and terms stay, with their flag.
//
// The period is the day of ULTIMA_ATUALIZACAO_RELATORIO, the publisher's extraction; the coverage
// begins with the earliest date of any term, of persons too.
package ibama

import (
	"context"
	"regexp"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"razao/ingest/rows"
)

// Autos returns the loader of ibama_autos. It reads all the years that the input holds, up to
// Input.Workers files at once, and keeps the newest version of each notice.
func Autos() rows.Loader { return loader(autos()) }

// Embargos returns the loader of ibama_embargos: terms in force, lifted and cancelled, each with
// the publisher's flags. Embargoes have no versions.
func Embargos() rows.Loader { return loader(embargos()) }

// autos describes infraction notices. The layout of 2023 had 42 columns with other names in files
// of the same names, so it is told by its columns.
func autos() form {
	return form{
		source:     "ibama_autos",
		files:      regexp.MustCompile(`(?i)auto_infracao.*(\d{4})\.csv(?:\.gz)?$`),
		expected:   "auto_infracao_csv.zip or its members auto_infracao_AAAA.csv",
		oldColumns: []string{"QTD_AREA", "DAT_LANCAMENTO", "NOTIFICACAO_VINCULADA", "ACAO_FISCALIZATORIA"},
		oldLayout:  "the 42 columns of 2023",
		document:   "cpf_cnpj_infrator",
		date:       "dat_hora_auto_infracao",
		key:        [3]string{"seq_auto_infracao", "num_auto_infracao", "ser_auto_infracao"},
		changed:    []string{"dt_ult_alteracao", "dt_lancamento"},
		ids:        []string{"seq_auto_infracao", "cod_infracao", "cod_municipio"},
	}
}

// embargos describes embargo terms. The withdrawn areas_embargadas.csv is told by its name or its
// columns.
func embargos() form {
	return form{
		source:     "ibama_embargos",
		files:      regexp.MustCompile(`(?i)^(termo_(?:de_)?embargo)[^a-z]*\.csv(?:\.gz)?$`),
		expected:   "termo_embargo_csv.zip or its member termo_embargo.csv",
		oldFile:    regexp.MustCompile(`(?i)areas_embargadas`),
		oldColumns: []string{"NOME_PESSOA_EMBARGADA", "SIG_UF_TAD", "NOM_MUNICIPIO_TAD"},
		oldLayout:  "the legacy layout of areas_embargadas.csv",
		document:   "cpf_cnpj_embargado",
		date:       "dat_embargo",
		key:        [3]string{"seq_tad", "num_tad", "ser_tad"},
		ids:        []string{"seq_tad", "cod_municipio", "seq_auto_infracao"},
	}
}

// extractedField is when the publisher extracted the report, normally the same in every row.
const extractedField = "ultima_atualizacao_relatorio"

// form describes one of the two kinds of term: its files and the fields that the loader interprets.
// Names are those of the source's fields.
type form struct {
	source   string
	files    *regexp.Regexp // group 1 tells which part of the data a file holds, such as the year
	expected string         // published names, for errors

	oldFile    *regexp.Regexp // files of a withdrawn layout; nil if their names were the same
	oldColumns []string       // columns that only the withdrawn layout has
	oldLayout  string         // its description, for errors

	document string
	date     string    // when the term was drawn up: orders the records, newest first
	key      [3]string // internal number; number and series, used when it is empty
	changed  []string  // times that order versions, the decisive one first; nil: no versions
	ids      []string  // integers, at times published with ".0"
}

func loader(f form) rows.Loader {
	return rows.Loader{
		Sources: []string{f.source},
		Read: func(ctx context.Context, in *rows.Input, out *rows.Output) (rows.Facts, error) {
			return f.read(ctx, in, out)
		},
	}
}

// read reads the files of the form in parallel. All headers are checked before the first row, so
// that a withdrawn layout is refused at once.
func (f *form) read(ctx context.Context, in *rows.Input, out *rows.Output) (rows.Facts, error) {
	files, err := f.pick(in)
	if err != nil {
		return rows.Facts{}, err
	}
	l := f.layout()
	var mu sync.Mutex
	var times []*span
	table := rows.Table{Quoted: true, Columns: l.columns, Visit: func(w *rows.Writer) func(*rows.Row) error {
		r := newReader(l, w)
		r.span.until = in.Until
		mu.Lock()
		times = append(times, &r.span)
		mu.Unlock()
		return r.visit
	}}
	for _, file := range files {
		if err := f.refuseOld(&table, file); err != nil {
			return rows.Facts{}, err
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(in.Workers, 1)) // package rows reads a quoted table with one goroutine
	for _, file := range files {
		g.Go(func() error { return table.Read(ctx, in, file, out) })
	}
	if err := g.Wait(); err != nil {
		return rows.Facts{}, err
	}
	var all span
	for _, s := range times {
		all.merge(s)
	}
	return all.facts(), nil
}

// span collects the times that rows state. A zero time means that no row stated it.
type span struct {
	drawn             time.Time // earliest date of a term, of natural persons too
	extracted, latest time.Time // earliest and latest extraction
	until             string    // last day that is believed, AAAA-MM-DD; "": any
}

// merge adds the times of another goroutine's span.
func (s *span) merge(o *span) {
	s.addDrawn(o.drawn)
	s.addExtracted(o.extracted)
	s.addExtracted(o.latest)
}

func (s *span) addDrawn(t time.Time) {
	if !t.IsZero() && (s.drawn.IsZero() || t.Before(s.drawn)) {
		s.drawn = t
	}
}

func (s *span) addExtracted(t time.Time) {
	if t.IsZero() || s.until != "" && day(t) > s.until {
		return
	}
	if s.extracted.IsZero() || t.Before(s.extracted) {
		s.extracted = t
	}
	if t.After(s.latest) {
		s.latest = t
	}
}

// facts returns the period, the coverage and, when files were extracted on different days, a note.
func (s *span) facts() rows.Facts {
	facts := rows.Facts{Period: day(s.latest), Coverage: day(s.drawn)}
	if first := day(s.extracted); first != facts.Period {
		facts.Notes = []string{"As linhas foram extraídas pelo publicador em datas diferentes, de " + first + " a " +
			facts.Period + "; a competência é a mais recente."}
	}
	return facts
}

// day returns AAAA-MM-DD, "" for the zero time.
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}
