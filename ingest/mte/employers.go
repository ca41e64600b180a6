package mte

import (
	"context"
	"strings"

	"razao/ingest/frame"
)

const employers = "mte_empregadores"

// Empregadores returns the loader of the Cadastro de Empregadores. The day of the list and its footnotes are in the
// text version of the list: without that file beside the table, the load has no period.
func Empregadores() frame.Loader {
	return frame.Loader{
		Sources: []string{employers},
		Read: func(ctx context.Context, in *frame.Input, out *frame.Output) (frame.Facts, error) {
			file, err := employersFile(in)
			if err != nil {
				return frame.Facts{}, err
			}
			c := &companion{}
			if text := companionFile(in, file); text != nil {
				if c, err = readCompanion(text); err != nil {
					return frame.Facts{}, err
				}
			}
			t := newTable(employerFields())
			t.Visit = func(w *frame.Writer) func(*frame.Row) error {
				e := newEmployer(c)
				return func(r *frame.Row) error { return e.add(w, r) }
			}
			return c.facts(), t.Read(ctx, in, file, out)
		},
	}
}

func (c *companion) facts() frame.Facts {
	facts := frame.Facts{Period: c.period()}
	if c.edition != "" && c.edition != facts.Period {
		facts.Notes = append(facts.Notes, "Atualização da edição periódica de "+c.edition+".")
	}
	return facts
}

// employer is a row of the Cadastro de Empregadores.
type employer struct {
	*draft
	companion                                     *companion
	year, name, workers, inclusion, periods, note int // positions
}

func newEmployer(c *companion) *employer {
	fields := employerFields()
	return &employer{
		draft:     newDraft(fields),
		companion: c,
		year:      fields.Position("ano_acao_fiscal"),
		name:      fields.Position("empregador"),
		workers:   fields.Position("trabalhadores_envolvidos"),
		inclusion: fields.Position("inclusao_cadastro_empregadores"),
		periods:   fields.Position("periodos"),
		note:      fields.Position("nota"),
	}
}

func (e *employer) add(w *frame.Writer, r *frame.Row) error {
	if rule := e.fill(r); rule != "" {
		w.Drop(rule)
		return nil
	}
	for _, i := range []int{e.year, e.workers} {
		if err := e.number(i); err != nil {
			return err
		}
	}
	published := e.Values[e.name]
	e.Values[e.name], e.Values[e.note] = e.companion.unmark(published)
	if e.Values[e.name] != published && e.Values[e.note] == "" {
		w.Mark("nota_sem_texto")
	}
	periods := parsePeriods(e.Values[e.inclusion])
	var err error
	if e.Values[e.periods], err = periodsJSON(periods); err != nil {
		return err
	}
	e.Order = newestFirst(periods)
	return w.Add(employers, &e.Record)
}

func employerFields() frame.Fields {
	return frame.Fields{
		frame.Plain("id_publicacao", "ID"),
		frame.Plain("ano_acao_fiscal", "Ano da ação fiscal"),
		frame.Plain("uf", "UF"),
		frame.Free("empregador", "Empregador"),
		frame.Plain("cnpj", "CNPJ/CPF"),
		frame.Free("estabelecimento", "Estabelecimento"),
		frame.Plain("trabalhadores_envolvidos", "Trabalhadores envolvidos"),
		frame.Plain("cnae", "CNAE"),
		frame.Plain("decisao_administrativa_procedencia", "Decisão administrativa de procedência"),
		frame.Plain("inclusao_cadastro_empregadores", "Inclusão no Cadastro de Empregadores"),
		frame.Derived("periodos"),
		frame.Derived("nota"),
	}
}

// employersFile finds the table by its name, which never changes, or takes the only one there is.
func employersFile(in *frame.Input) (*frame.File, error) {
	const name = "cadastro_de_empregadores.csv"
	all := tables(in)
	for _, f := range all {
		if plainName(f) == name {
			return f, nil
		}
	}
	if len(all) == 1 {
		return all[0], nil
	}
	return nil, in.NoFile(name)
}

// companionFile returns the text version beside a table, nil when there is none.
func companionFile(in *frame.Input, table *frame.File) *frame.File {
	for _, f := range in.Files {
		if plainName(f) == strings.TrimSuffix(plainName(table), ".csv")+".txt" {
			return f
		}
	}
	return nil
}
