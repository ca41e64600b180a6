// Package aduana loads habilitacao_aduaneira, the tax authority's list of companies that may import
// and export (Empresas Habilitadas).
//
// The list is one CSV file with three columns: RAZÃO SOCIAL, CNPJ EMPRESA and MODALIDADE
// HABILITAÇÃO. Neither its encoding nor its separator is documented. Package rows detects UTF-8 or
// Windows-1252; this package tries semicolon, comma and tab and takes the one that cuts the header
// into three columns. Columns are found by name, so their order does not matter.
//
// The file has no key and no date. Identical rows of one company are one record
// (rows.Loader.DropIdentical), and the period is the operator's or, failing that, the month in
// which the file was last written.
//
// Companies are named by the root of their CNPJ (8 positions), now and then by a full one.
// Spreadsheets have cost some numbers their leading zeros. Every record is kept for the company as
// a whole, never for an establishment; a row whose document may be a CPF is dropped.
//
// The text of a modality is kept as published. Its class and the limit that it states are derived
// from that text alone; see limitOf for what is not guessed.
package aduana

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"razao/ingest/rows"
	"razao/internal/data/cnpj"
)

const habilitacao = "habilitacao_aduaneira"

// Habilitacao returns the loader of habilitacao_aduaneira. It reads exactly one CSV file and
// refuses an input with several, because each is another period. If the operator gives no period,
// the loader takes the month of the file's modification time and says so in a note; for a member of
// a zip it states none.
func Habilitacao() rows.Loader {
	return rows.Loader{Sources: []string{habilitacao}, DropIdentical: true, Read: read}
}

// Positions of the columns in the table that read declares.
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

// facts returns the month of the file's modification time (UTC) as the period, with a note, unless
// the operator gave one. A member of a zip or a fetched file has no such time at f.Path: os.Stat
// fails, and the period stays unknown.
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

// separator returns the byte that cuts the header into the table's three columns. If none does, the
// error quotes the header as semicolons cut it.
func separator(table rows.Table, f *rows.File) (byte, error) {
	var header []string
	for _, comma := range []byte{'\t', ',', ';'} { // ';' last: the error quotes its header
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
			row.Value(name),
			row.Value(modality),
			modalityOf(row.Value(modality)),
			limit,
			currency,
		},
	})
}

// rootOf reads CNPJ EMPRESA by its length without punctuation:
//
//	1–7    digits of a root that lost leading zeros: padded to 8
//	8      a root
//	9–11   may be a CPF, whole or without its leading zeros: rule "pessoa_fisica"
//	12–14  a full CNPJ with valid check digits, 12 and 13 padded: its root counts
//
// Everything else gives a rule, "sem_documento" or "documento_invalido", by which the row is
// dropped; root is then 0.
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
