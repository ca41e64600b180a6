package cgu

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"razao/ingest/rows"
)

// CEIS returns the loader of ceis, the companies that may not bid for or enter into public
// contracts.
func CEIS() rows.Loader { return sanctions("ceis") }

// CNEP returns the loader of cnep, the companies punished under the anti-corruption law (Lei
// 12.846/2013).
func CNEP() rows.Loader { return sanctions("cnep") }

// sanctions returns the loader of "ceis" or "cnep". Records are ordered by the start of the
// sanction, newest first, then by code.
func sanctions(id string) rows.Loader {
	return rows.Loader{
		Sources: []string{id},
		Read: func(ctx context.Context, in *rows.Input, out *rows.Output) (rows.Facts, error) {
			file, err := register(in, strings.ToUpper(id))
			if err != nil {
				return rows.Facts{}, err
			}
			fields := sanctionFields(id)
			t := newTable(fields)
			if err := refuseSIRCAD(t, file.File); err != nil {
				return rows.Facts{}, err
			}
			t.Visit = func(w *rows.Writer) func(*rows.Row) error {
				s := newSanction(id, fields)
				return func(r *rows.Row) error { return s.add(w, r) }
			}
			return rows.Facts{Period: file.period()}, t.Read(ctx, in, file.File, out)
		},
	}
}

// sanction turns rows of CEIS or CNEP into records on one goroutine. For CEIS fine is -1: it has no
// fines.
type sanction struct {
	*draft
	id                                string
	cadastro, code, person, fine, day int // positions of fields
}

func newSanction(id string, fields rows.Fields) *sanction {
	return &sanction{
		draft:    newDraft(fields),
		id:       id,
		cadastro: fields.Position("cadastro"),
		code:     fields.Position("codigo_sancao"),
		person:   fields.Position("tipo_pessoa"),
		fine:     fields.Position("valor_multa"),
		day:      fields.Position("data_inicio_sancao"),
	}
}

// add adds the record of one row. A row of the other register ends the load; a fine that is no
// amount rejects the row.
func (s *sanction) add(w *rows.Writer, r *rows.Row) error {
	company := s.fill(r)
	// CNEP has every column of CEIS, so the header does not tell the registers apart; CADASTRO
	// does.
	if got, want := s.Values[s.cadastro], strings.ToUpper(s.id); got != want {
		return fmt.Errorf("column CADASTRO: %q instead of %q: this file is of another register; name the file %s", got, want, expected(want))
	}
	// A CPF padded with zeros to 14 digits could pass for a CNPJ, so the type of person is checked
	// too.
	if !company || s.Values[s.person] == "F" {
		w.Drop(notCompany)
		return nil
	}
	if s.fine >= 0 {
		amount, err := rows.Decimal(s.Values[s.fine])
		if err != nil {
			return rows.Reject("VALOR DA MULTA", err.Error())
		}
		s.Values[s.fine] = amount
	}
	s.Order = rows.NewestFirst(s.Values[s.day]) + s.Values[s.code]
	return w.Add(s.id, &s.Record)
}

// refuseSIRCAD returns an error that names the layout of the SIRCAD years, which had no CÓDIGO DA
// SANÇÃO. Without it the operator would only read that columns are missing.
func refuseSIRCAD(t *rows.Table, f *rows.File) error {
	header, err := t.Header(f)
	if err != nil {
		return err
	}
	old := slices.ContainsFunc(header, func(name string) bool { return name == "TIPO SANCAO" || name == "TIPO DE SANCAO" })
	if !old || slices.Contains(header, "CODIGO DA SANCAO") {
		return nil
	}
	return fmt.Errorf("%s has the layout of the SIRCAD years (Tipo Sanção, no CÓDIGO DA SANÇÃO), which is not read: fetch the current file from the Portal da Transparência",
		f.Name)
}

// sanctionFields returns the fields of "ceis" or "cnep" in the order of package source, each with
// its column. Free fields are those in which agencies write, where CPFs occur.
func sanctionFields(id string) rows.Fields {
	fields := rows.Fields{
		rows.Plain("cadastro", "CADASTRO"),
		rows.Plain("codigo_sancao", "CÓDIGO DA SANÇÃO"),
		rows.Plain("tipo_pessoa", "TIPO DE PESSOA"),
		rows.Plain("cnpj", "CPF OU CNPJ DO SANCIONADO"),
		rows.Plain("nome_sancionado", "NOME DO SANCIONADO"),
		rows.Plain("nome_informado_orgao_sancionador", "NOME INFORMADO PELO ÓRGÃO SANCIONADOR"),
		rows.Plain("razao_social_receita", "RAZÃO SOCIAL - CADASTRO RECEITA"),
		rows.Plain("nome_fantasia_receita", "NOME FANTASIA - CADASTRO RECEITA"),
		rows.Plain("numero_processo", "NÚMERO DO PROCESSO"),
		rows.Plain("categoria_sancao", "CATEGORIA DA SANÇÃO"),
	}
	if id == "cnep" {
		fields = append(fields, rows.Plain("valor_multa", "VALOR DA MULTA"))
	}
	return append(fields,
		rows.Plain("data_inicio_sancao", "DATA INÍCIO SANÇÃO"),
		rows.Plain("data_final_sancao", "DATA FINAL SANÇÃO"),
		rows.Plain("data_publicacao", "DATA PUBLICAÇÃO"),
		rows.Plain("publicacao", "PUBLICAÇÃO"),
		rows.Plain("detalhamento_meio_publicacao", "DETALHAMENTO DO MEIO DE PUBLICAÇÃO"),
		rows.Plain("data_transito_julgado", "DATA DO TRÂNSITO EM JULGADO"),
		rows.Plain("abrangencia_sancao", "ABRAGÊNCIA DA SANÇÃO", "ABRANGÊNCIA DA SANÇÃO"), // the publisher's spelling first
		rows.Plain("orgao_sancionador", "ÓRGÃO SANCIONADOR"),
		rows.Plain("uf_orgao_sancionador", "UF ÓRGÃO SANCIONADOR"),
		rows.Plain("esfera_orgao_sancionador", "ESFERA ÓRGÃO SANCIONADOR"),
		rows.Plain("fundamentacao_legal", "FUNDAMENTAÇÃO LEGAL"),
		rows.Plain("data_origem_informacao", "DATA ORIGEM INFORMAÇÃO"),
		rows.Plain("origem_informacoes", "ORIGEM INFORMAÇÕES"),
		rows.Plain("observacoes", "OBSERVAÇÕES"),
	)
}
