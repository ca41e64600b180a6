// Package ibama reads the open data of IBAMA's inspections: infraction notices (autos de infração), one CSV file for
// each year in a zip, and embargo terms (termos de embargo), one CSV file. Most rows are about natural persons and are
// dropped. The geometries, most of the bytes, are never loaded.
package ibama

import (
	"context"
	"regexp"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"razao/ingest/rows"
)

// Autos returns the loader of ibama_autos. Of the versions of a notice only the last one changed is kept; cancelled
// notices are kept with their flag.
func Autos() rows.Loader { return loader(autos()) }

// Embargos returns the loader of ibama_embargos: terms in force, lifted and cancelled, each with the publisher's flags.
func Embargos() rows.Loader { return loader(embargos()) }

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
		free: []string{
			"des_auto_infracao", "ds_enquadramento_administrativo", "ds_enquadramento_nao_administrativo",
			"ds_enquadramento_complementar", "nome_infrator", "des_local_infracao", "solicitacao_recurso",
		},
	}
}

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
		free:       []string{"des_desembargo", "nome_embargado", "des_tad", "des_localizacao", "nome_imovel"},
	}
}

// extractedField is the time of the publisher's report, the same in all rows.
const extractedField = "ultima_atualizacao_relatorio"

// form is one kind of term: its files, and the fields by which its rows are understood. The columns of a file are the
// fields of the source in capitals.
type form struct {
	source   string
	files    *regexp.Regexp // its group is the part of the data that a file holds
	expected string         // the files by their published names

	oldFile    *regexp.Regexp // nil when the layout no longer published had the same names
	oldColumns []string       // only the old layout has them
	oldLayout  string

	document string
	date     string    // when the term was drawn up
	key      [3]string // the publisher's number, and the term's number and series, which stand in for it
	changed  []string  // times that tell versions of a row apart, the decisive one first; none: there are no versions
	ids      []string  // integers, published with a needless .0 at times
	free     []string  // free text, in which CPFs are hidden
}

func loader(f form) rows.Loader {
	return rows.Loader{
		Sources: []string{f.source},
		Read: func(ctx context.Context, in *rows.Input, out *rows.Output) (rows.Facts, error) {
			return f.read(ctx, in, out)
		},
	}
}

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
	g.SetLimit(max(in.Workers, 1)) // quoted tables are read by one goroutine each
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

// span are the times that the rows of a load tell. Zero times are those that no row has told.
type span struct {
	drawn             time.Time // the first date of a term, of natural persons too: the history begins with it
	extracted, latest time.Time // the first and the last time of extraction
}

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
	if t.IsZero() {
		return
	}
	if s.extracted.IsZero() || t.Before(s.extracted) {
		s.extracted = t
	}
	if t.After(s.latest) {
		s.latest = t
	}
}

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
