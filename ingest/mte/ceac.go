package mte

import (
	"cmp"
	"context"
	"regexp"

	"razao/ingest/rows"
)

const ceac = "mte_ceac"

// CEAC returns the loader of mte_ceac. The period is the version in the file's name, AAAA_NNNN; of
// several versions it reads the operator's, else the newest. Some versions publish the dates of the
// CEAC in the column of the Cadastro de Empregadores: they stay there, and periodos_ceac is then
// null, but they still order the records.
func CEAC() rows.Loader {
	return rows.Loader{
		Sources: []string{ceac},
		Read: func(ctx context.Context, in *rows.Input, out *rows.Output) (rows.Facts, error) {
			file, version, err := ceacFile(in)
			if err != nil {
				return rows.Facts{}, err
			}
			t := newTable(ceacFields())
			t.Visit = func(w *rows.Writer) func(*rows.Row) error {
				a := newAdjustment(cmp.Or(in.Period, version))
				return func(r *rows.Row) error { return a.add(w, r) }
			}
			return rows.Facts{Period: version}, t.Read(ctx, in, file, out)
		},
	}
}

// adjustment turns rows of mte_ceac into records on one goroutine.
type adjustment struct {
	*draft
	version                                   string // of the load
	label, year, register, inclusion, periods int    // positions of fields
}

func newAdjustment(version string) *adjustment {
	fields := ceacFields()
	return &adjustment{
		draft:     newDraft(fields),
		version:   version,
		label:     fields.Position("versao"),
		year:      fields.Position("ano_acao_fiscal"),
		register:  fields.Position("inclusao_cadastro_empregadores"),
		inclusion: fields.Position("inclusao_ceac"),
		periods:   fields.Position("periodos_ceac"),
	}
}

func (a *adjustment) add(w *rows.Writer, r *rows.Row) error {
	if rule := a.fill(r); rule != "" {
		w.Drop(rule)
		return nil
	}
	if err := a.number(a.year); err != nil {
		return err
	}
	a.Values[a.label] = a.version
	periods := parseLoosePeriods(a.Values[a.inclusion])
	var err error
	if a.Values[a.periods], err = periodsJSON(periods); err != nil {
		return err
	}
	if periods == nil {
		periods = parseLoosePeriods(a.Values[a.register])
	}
	a.Order = newestFirst(periods)
	return w.Add(ceac, &a.Record)
}

// ceacFields returns the fields of mte_ceac in the order of package source, each with its column.
// Columns are found by name, because versions order them differently.
func ceacFields() rows.Fields {
	return rows.Fields{
		rows.Plain("id_publicacao", "ID"),
		rows.Derived("versao"),
		rows.Plain("ano_acao_fiscal", "Ano da ação fiscal"),
		rows.Plain("uf", "UF"),
		rows.Plain("empregador", "Empregador"),
		rows.Plain("cnpj", "CNPJ/CPF"),
		rows.Plain("estabelecimento", "Estabelecimento"),
		rows.Plain("inclusao_cadastro_empregadores", "Inclusão no Cadastro de Empregadores"),
		rows.Plain("inclusao_ceac", "Inclusão no CEAC"),
		rows.Derived("periodos_ceac"),
		rows.Plain("termo_ajustamento_conduta_mte", "Termo de Ajustamento de Conduta MTE"),
	}
}

// versionInName matches the version in a file's name.
var versionInName = regexp.MustCompile(`(?:^|\D)(\d{4}_\d{4})(?:\D|$)`)

// ceacFile returns the version of the operator's period, else the newest one, else the only CSV
// file with version "".
func ceacFile(in *rows.Input) (file *rows.File, version string, err error) {
	all := tables(in)
	for _, f := range all {
		m := versionInName.FindStringSubmatch(f.Name)
		if m == nil {
			continue
		}
		if m[1] == in.Period {
			return f, m[1], nil
		}
		if m[1] > version {
			file, version = f, m[1]
		}
	}
	if file == nil && len(all) == 1 {
		file = all[0]
	}
	if file == nil {
		return nil, "", in.NoFile("AAAA_NNNN.csv")
	}
	return file, version, nil
}
