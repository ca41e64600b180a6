package cgu

import (
	"context"

	"razao/ingest/frame"
)

// CEPIM returns the loader of the non-profit entities that may not make agreements with the federal administration.
func CEPIM() frame.Loader {
	return frame.Loader{
		Sources: []string{"cepim"},
		Read: func(ctx context.Context, in *frame.Input, out *frame.Output) (frame.Facts, error) {
			file, err := register(in, "CEPIM")
			if err != nil {
				return frame.Facts{}, err
			}
			fields := cepimFields()
			number := fields.Position("numero_convenio")
			t := newTable(fields)
			t.Visit = func(w *frame.Writer) func(*frame.Row) error {
				d := newDraft(fields)
				return func(r *frame.Row) error {
					if !d.fill(r) {
						w.Drop(notCompany)
						return nil
					}
					// There is no date: the key of a row is its order.
					d.Order = d.Owner.Order.String() + " " + d.Values[number]
					return w.Add("cepim", &d.Record)
				}
			}
			return frame.Facts{Period: file.period()}, t.Read(ctx, in, file.File, out)
		},
	}
}

func cepimFields() frame.Fields {
	return frame.Fields{
		frame.Plain("cnpj", "CNPJ ENTIDADE"),
		frame.Free("nome_entidade", "NOME ENTIDADE"),
		frame.Plain("numero_convenio", "NÚMERO CONVÊNIO"),
		frame.Plain("orgao_concedente", "ÓRGÃO CONCEDENTE"),
		frame.Plain("motivo_impedimento", "MOTIVO DO IMPEDIMENTO"),
	}
}
