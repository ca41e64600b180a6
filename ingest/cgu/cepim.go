package cgu

import (
	"context"

	"razao/ingest/rows"
)

// CEPIM returns the loader of the non-profit entities that may not make agreements with the federal administration.
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
					// There is no date: the key of a row is its order.
					d.Order = d.Owner.Order.String() + " " + d.Values[number]
					return w.Add("cepim", &d.Record)
				}
			}
			return rows.Facts{Period: file.period()}, t.Read(ctx, in, file.File, out)
		},
	}
}

func cepimFields() rows.Fields {
	return rows.Fields{
		rows.Plain("cnpj", "CNPJ ENTIDADE"),
		rows.Free("nome_entidade", "NOME ENTIDADE"),
		rows.Plain("numero_convenio", "NÚMERO CONVÊNIO"),
		rows.Plain("orgao_concedente", "ÓRGÃO CONCEDENTE"),
		rows.Plain("motivo_impedimento", "MOTIVO DO IMPEDIMENTO"),
	}
}
