// Package aduana reads the list of companies that may trade abroad (empresas habilitadas), a CSV file of three columns
// by the tax authority. The list names companies only, by the root of their CNPJ, and bears no date.
package aduana

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"razao/ingest/rows"
	"razao/internal/cnpj"
)

const habilitacao = "habilitacao_aduaneira"

// Habilitacao returns the loader of habilitacao_aduaneira. Neither names nor contents tell a period: the operator does, or
// else the time at which the file was last written, and a note says so.
func Habilitacao() rows.Loader {
	return rows.Loader{Sources: []string{habilitacao}, DropIdentical: true, Read: read}
}

// The columns, by position in the table.
const (
	name = iota
	document
	modality
)

func read(ctx context.Context, in *rows.Input, out *rows.Output) (rows.Facts, error) {
	f, err := in.OneTable("the CSV file Empresas Habilitadas")
	if err != nil {
		return rows.Facts{}, err
	}
	table := rows.Table{
		Quoted:  true,
		Columns: []rows.Column{{Name: "RAZAO SOCIAL"}, {Name: "CNPJ EMPRESA"}, {Name: "MODALIDADE HABILITACAO"}},
		Visit: func(w *rows.Writer) func(*rows.Row) error {
			return func(row *rows.Row) error { return visit(w, row) }
		},
	}
	if table.Comma, err = separator(table, f); err != nil {
		return rows.Facts{}, err
	}
	return facts(in, f), table.Read(ctx, in, f, out)
}

// facts takes the month in which a file was last written for the period that the operator did not give. Of a file in a
// zip or at an address it is not known.
func facts(in *rows.Input, f *rows.File) rows.Facts {
	if in.Period != "" {
		return rows.Facts{}
	}
	info, err := os.Stat(f.Path)
	if err != nil {
		return rows.Facts{}
	}
	return rows.Facts{
		Period: info.ModTime().UTC().Format("2006-01"),
		Notes:  []string{"O arquivo publicado não traz data: a competência é o mês em que o arquivo lido foi gravado."},
	}
}

// separator returns the character that parts the header into three columns.
func separator(table rows.Table, f *rows.File) (byte, error) {
	var header []string
	for _, comma := range []byte{'\t', ',', ';'} { // the usual one last: the error shows what it gives
		table.Comma = comma
		var err error
		if header, err = table.Header(f); err != nil {
			return 0, err
		}
		if len(header) == len(table.Columns) {
			return comma, nil
		}
	}
	return 0, fmt.Errorf("%s: the header has the columns %s; expected RAZÃO SOCIAL, CNPJ EMPRESA, MODALIDADE HABILITAÇÃO between ; or , or tabs",
		f.Name, strings.Join(header, "; "))
}

func visit(w *rows.Writer, row *rows.Row) error {
	root, rule := rootOf(row.Value(document))
	if rule != "" {
		w.Drop(rule)
		return nil
	}
	limit, currency := limitOf(row.Value(modality))
	return w.Add(habilitacao, &rows.Record{
		Where: row.Where,
		Owner: rows.Owner{Root: root},
		Values: []string{
			root.String(),
			rows.MaskCPFs(row.Value(name)),
			row.Value(modality),
			modalityOf(row.Value(modality)),
			limit,
			currency,
		},
	})
}

// rootOf reads a root, whose zeros at the left a spreadsheet may have lost, or a full CNPJ, which gives its root. Else it
// returns the rule by which the row is left out: nine to eleven digits may be a CPF, whole or not.
func rootOf(published string) (root cnpj.Root, rule string) {
	const (
		rootLength = 8
		cpfLength  = 11
	)
	s := cnpj.Unmask(strings.TrimSuffix(published, ".0")) // spreadsheets append it to numbers
	switch n := len(s); {
	case n == 0:
		return 0, "sem_documento"
	case n < rootLength && strings.Trim(s, "0123456789") != "":
		return 0, "documento_invalido"
	case n <= rootLength:
		root, err := cnpj.ParseRoot(strings.Repeat("0", rootLength-n) + s)
		if errors.Is(err, cnpj.ErrInvalid) {
			return 0, "documento_invalido"
		}
		return root, ""
	case n <= cpfLength:
		return 0, "pessoa_fisica"
	}
	owner, ok := rows.ParseOwner(s)
	if !ok || owner.Published != "" {
		return 0, "documento_invalido"
	}
	return owner.Root, ""
}
