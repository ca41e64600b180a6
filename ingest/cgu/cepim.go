package cgu

import (
	"context"

	"razao/ingest/rows"
)

// CEPIM returns the loader of cepim: non-profit entities that may not make agreements (convênios)
// with the federal administration. Records are ordered by establishment and number of agreement,
// because the file has no date.
func CEPIM() rows.Loader {
	return rows.Loader{
		Sources: []string{"cepim"},
		Read: func(ctx context.Context, in *rows.Input, out *rows.Output) (rows.Facts, error) {
			file, err := register(in, "CEPIM")
			if err != nil {
				return rows.Facts{}, err
			}
			fields := cepimFields()
			number := fields.Position("numero_convenio")
			t := newTable(fields)
			t.Visit = func(w *rows.Writer) func(*rows.Row) error {
				d := newDraft(fields)
				return func(r *rows.Row) error {
					if !d.fill(r) {
						w.Drop(notCompany)
						return nil
					}
					// The file has no date: rows are served in the order of their key.
					d.Order = d.Owner.Order.String() + " " + d.Values[number]
					return w.Add("cepim", &d.Record)
				}
			}
			return rows.Facts{Period: file.period()}, t.Read(ctx, in, file.File, out)
		},
	}
}

// cepimFields returns the fields of cepim in the order of package source, each with its column.
func cepimFields() rows.Fields {
	return rows.Fields{
		rows.Plain("cnpj", "CNPJ ENTIDADE"),
		rows.Plain("nome_entidade", "NOME ENTIDADE"),
		rows.Plain("numero_convenio", "NÚMERO CONVÊNIO"),
		rows.Plain("orgao_concedente", "ÓRGÃO CONCEDENTE"),
		rows.Plain("motivo_impedimento", "MOTIVO DO IMPEDIMENTO"),
	}
}
