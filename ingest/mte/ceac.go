package mte

import (
	"cmp"
	"context"
	"regexp"

	"razao/ingest/frame"
)

const ceac = "mte_ceac"

// CEAC returns the loader of the employers in adjustment of conduct. The period is the version in the file's name; of
// several versions the operator's is read, or the newest. Some versions have the dates of the CEAC in the column of
// the Cadastro de Empregadores, and there they stay.
func CEAC() frame.Loader {
	return frame.Loader{
		Sources: []string{ceac},
		Read: func(ctx context.Context, in *frame.Input, out *frame.Output) (frame.Facts, error) {
			file, version, err := ceacFile(in)
			if err != nil {
				return frame.Facts{}, err
			}
			t := newTable(ceacFields())
			t.Visit = func(w *frame.Writer) func(*frame.Row) error {
				a := newAdjustment(cmp.Or(in.Period, version))
				return func(r *frame.Row) error { return a.add(w, r) }
			}
			return frame.Facts{Period: version}, t.Read(ctx, in, file, out)
		},
	}
}

// adjustment is a row of the CEAC.
type adjustment struct {
	*draft
	version                                   string
	label, year, register, inclusion, periods int // positions
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

func (a *adjustment) add(w *frame.Writer, r *frame.Row) error {
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

// ceacFields lists the columns by name alone: their order is the version's own.
func ceacFields() frame.Fields {
	return frame.Fields{
		frame.Plain("id_publicacao", "ID"),
		frame.Derived("versao"),
		frame.Plain("ano_acao_fiscal", "Ano da ação fiscal"),
		frame.Plain("uf", "UF"),
		frame.Free("empregador", "Empregador"),
		frame.Plain("cnpj", "CNPJ/CPF"),
		frame.Free("estabelecimento", "Estabelecimento"),
		frame.Plain("inclusao_cadastro_empregadores", "Inclusão no Cadastro de Empregadores"),
		frame.Plain("inclusao_ceac", "Inclusão no CEAC"),
		frame.Derived("periodos_ceac"),
		frame.Free("termo_ajustamento_conduta_mte", "Termo de Ajustamento de Conduta MTE"),
	}
}

var versionInName = regexp.MustCompile(`(?:^|\D)(\d{4}_\d{4})(?:\D|$)`)

// ceacFile finds the version of the operator's period, or the newest, or takes the only table there is; its version is
// then "".
func ceacFile(in *frame.Input) (file *frame.File, version string, err error) {
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
