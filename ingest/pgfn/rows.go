package pgfn

import (
	"razao/ingest/rows"
	"razao/internal/data/cnpj"
)

// oldUF stands in the place of UF_DEVEDOR in files until 2022 T3. It is the UF of the responsible
// unit, so it is not read: uf_devedor is null in their records.
const oldUF = "UF_UNIDADE_RESPONSAVEL"

// Positions of the fields, in package source, that are not kept as published. Field 0, sistema, is
// no column, so the column of field i is column i-1 of the table.
const (
	sistema         = 0
	documento       = 1
	tipoDevedor     = 3
	nomeDevedor     = 4
	numeroInscricao = 9
	receita         = 12
	tipoCredito     = 13
	dataInscricao   = 14
	valor           = 16
	fields          = 17
)

// columns returns the columns of the fields from documento on. A column that the part's system or
// layout lacks is optional, and its value "".
func (p *part) columns() []rows.Column {
	return []rows.Column{
		{Name: "CPF_CNPJ"},
		{Name: "TIPO_PESSOA"},
		{Name: "TIPO_DEVEDOR"},
		{Name: "NOME_DEVEDOR"},
		{Name: "UF_DEVEDOR", Optional: p.old},
		{Name: "UNIDADE_RESPONSAVEL"},
		{Name: "ENTIDADE_RESPONSAVEL", Optional: p.system != fgts()},
		{Name: "UNIDADE_INSCRICAO", Optional: p.system != fgts()},
		{Name: "NUMERO_INSCRICAO"},
		{Name: "TIPO_SITUACAO_INSCRICAO"},
		{Name: "SITUACAO_INSCRICAO"},
		{Name: "RECEITA_PRINCIPAL", Optional: p.system == prev()},
		{Name: "TIPO_CREDITO", Optional: p.system != prev()},
		{Name: "DATA_INSCRICAO"},
		{Name: "INDICADOR_AJUIZADO"},
		{Name: "VALOR_CONSOLIDADO"},
	}
}

func (p *part) table() *rows.Table {
	return &rows.Table{Columns: p.columns(), Visit: p.visit}
}

// visit returns the rows.Table.Visit of one goroutine, which reuses one record for all rows. Rows
// are also counted by system, for floor.
func (p *part) visit(w *rows.Writer) func(*rows.Row) error {
	record := rows.Record{Values: make([]string, fields)}
	values := record.Values
	var order []byte
	return func(r *rows.Row) error {
		w.Mark(p.system.id)
		owner, ok := rows.ParseOwner(r.Value(documento - 1))
		if !ok {
			w.Drop("nao_cnpj")
			return nil
		}
		values[sistema] = p.system.id
		for i := documento + 1; i < fields; i++ {
			values[i] = r.Value(i - 1)
		}
		if err := convert(values); err != nil {
			return err
		}
		order = appendOrder(order[:0], values, owner.Order)
		record.Where, record.Owner, record.Order = r.Where, owner, string(order)
		return w.Add(id, &record)
	}
}

// convert cleans the values that are not kept as published; its error rejects the row.
func convert(values []string) error {
	const unknown = "10000101" // the publisher's 01/01/1000
	date, err := rows.Date(values[dataInscricao])
	if err != nil {
		return rows.Reject("DATA_INSCRICAO", err.Error())
	}
	if date == unknown {
		date = ""
	}
	amount, err := rows.Decimal(values[valor])
	if err != nil {
		return rows.Reject("VALOR_CONSOLIDADO", err.Error())
	}
	values[dataInscricao], values[valor] = date, amount
	return nil
}

// appendOrder appends a record's order: system, inscription, kind of debtor, establishment, kind of
// debt (another field in each system). NUL bytes, which rows.Row.Value strips from every value,
// separate the parts of variable length.
func appendOrder(dst []byte, values []string, establishment cnpj.Order) []byte {
	dst = append(dst, values[sistema][0]) // no two systems begin alike
	dst = append(append(dst, values[numeroInscricao]...), 0)
	dst = append(append(dst, values[tipoDevedor]...), 0)
	dst = establishment.Append(dst)
	return append(append(dst, values[receita]...), values[tipoCredito]...)
}
