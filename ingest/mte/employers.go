package mte

import (
	"context"
	"strings"

	"razao/ingest/rows"
)

const employers = "mte_empregadores"

// Empregadores returns the loader of mte_empregadores. It reads cadastro_de_empregadores.csv, or
// the only CSV file of the input, and the text file of the same name beside it. The text file gives
// the period (the day of the last update) and the texts of footnotes; without it the load has no
// period, and marked names have no note.
func Empregadores() rows.Loader {
	return rows.Loader{
		Sources: []string{employers},
		Read: func(ctx context.Context, in *rows.Input, out *rows.Output) (rows.Facts, error) {
			file, err := employersFile(in)
			if err != nil {
				return rows.Facts{}, err
			}
			c := &companion{}
			if text := companionFile(in, file); text != nil {
				if c, err = readCompanion(text); err != nil {
					return rows.Facts{}, err
				}
			}
			t := newTable(employerFields())
			t.Visit = func(w *rows.Writer) func(*rows.Row) error {
				e := newEmployer(c)
				return func(r *rows.Row) error { return e.add(w, r) }
			}
			return c.facts(), t.Read(ctx, in, file, out)
		},
	}
}

// facts returns the period, and a note when the half-yearly edition is of another day.
func (c *companion) facts() rows.Facts {
	facts := rows.Facts{Period: c.period()}
	if c.edition != "" && c.edition != facts.Period {
		facts.Notes = append(facts.Notes, "Atualização da edição periódica de "+c.edition+".")
	}
	return facts
}

// employer turns rows of mte_empregadores into records on one goroutine.
type employer struct {
	*draft
	companion                                     *companion // shared, read only
	year, name, workers, inclusion, periods, note int        // positions of fields
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

// add adds the record of one row. A name whose footnote has no text is counted as "nota_sem_texto".
func (e *employer) add(w *rows.Writer, r *rows.Row) error {
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

// employerFields returns the fields of mte_empregadores in the order of package source, each with
// its column.
func employerFields() rows.Fields {
	return rows.Fields{
		rows.Plain("id_publicacao", "ID"),
		rows.Plain("ano_acao_fiscal", "Ano da ação fiscal"),
		rows.Plain("uf", "UF"),
		rows.Plain("empregador", "Empregador"),
		rows.Plain("cnpj", "CNPJ/CPF"),
		rows.Plain("estabelecimento", "Estabelecimento"),
		rows.Plain("trabalhadores_envolvidos", "Trabalhadores envolvidos"),
		rows.Plain("cnae", "CNAE"),
		rows.Plain("decisao_administrativa_procedencia", "Decisão administrativa de procedência"),
		rows.Plain("inclusao_cadastro_empregadores", "Inclusão no Cadastro de Empregadores"),
		rows.Derived("periodos"),
		rows.Derived("nota"),
	}
}

// employersFile returns the file with the name that every edition has, else the only CSV file.
func employersFile(in *rows.Input) (*rows.File, error) {
	const name = "cadastro_de_empregadores.csv"
	all := tables(in)
	for _, f := range all {
		if f.PlainName() == name {
			return f, nil
		}
	}
	if len(all) == 1 {
		return all[0], nil
	}
	return nil, in.NoFile(name)
}

// companionFile returns the text file of the same name as the table, nil when there is none.
func companionFile(in *rows.Input, table *rows.File) *rows.File {
	for _, f := range in.Files {
		if f.PlainName() == strings.TrimSuffix(table.PlainName(), ".csv")+".txt" {
			return f
		}
	}
	return nil
}
