package spreadsheet

import (
	"regexp"
	"strings"

	"razao/internal/data/cnpj"
)

// Number is what a row says as a CNPJ.
type Number struct {
	Root   cnpj.Root
	Full   cnpj.Full // 0: the row names the company, not an establishment
	Padded bool      // a spreadsheet has dropped zeros at its beginning
	Wrong  string    // why it is none, in words; "" if it is one

	amid bool   // a text stands beside it in the cell
	rest string // that text
}

// The reasons why a cell is no number.
const (
	NoNumber = "sem CNPJ"
	Misread  = "dígitos verificadores não conferem"
	Rounded  = "a planilha arredondou o número: formate a coluna como texto e copie de novo"
	Several  = "mais de um CNPJ na célula"
	Person   = "é um CPF: pessoa natural, não consultada"
)

var (
	scientific = regexp.MustCompile(`^[0-9][.,][0-9]+[eE]\+?[0-9]+$`)
	decimals   = regexp.MustCompile(`^[0-9]+[.,]0+$`) // 12345678000195.0, as programs export numbers
	// 31/12/2021 and 2021-12-31, with a time behind them or not: they have the eight digits of a root.
	day = regexp.MustCompile(`^([0-3]?[0-9][/.-][01]?[0-9][/.-][0-9]{4}|[0-9]{4}-[01][0-9]-[0-3][0-9])([ T][0-9:.]+)?$`)
	// A number of an establishment amid a text: with its mask, or fourteen digits.
	besideText = regexp.MustCompile(`(?i)\b(?:[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}/[0-9A-Z]{4}-[0-9]{2}|[0-9]{14})\b`)
)

// Number reads the number of a row. A row that has none, but a CPF in any of its cells, is about a person.
func (l *List) Number(r *Row) Number {
	n := readNumber(r.Cell(l.Columns.Number), l.Columns.roots)
	if n.Wrong == NoNumber {
		for _, cell := range r.Cells {
			if cnpj.HasCPF(cell) {
				n.Wrong = Person
				break
			}
		}
	}
	return n
}

// readNumber reads a cell. Twelve and thirteen digits get back the zeros that a spreadsheet has
// dropped, as everywhere; in a column of CNPJs, so do fewer if the check digits are right then, but for the eight of a root, and in one of
// roots, fewer than eight.
func readNumber(cell string, roots bool) Number {
	cell = oneLine(cell)
	switch {
	case cell == "":
		return Number{Wrong: NoNumber}
	case cell[0] < '0' || cell[0] > '9': // most cells are words, and none of these
	case day.MatchString(cell):
		return Number{Wrong: NoNumber}
	case scientific.MatchString(cell):
		return Number{Wrong: Rounded}
	case decimals.MatchString(cell):
		cell = cell[:strings.LastIndexAny(cell, ".,")]
	}
	if roots && len(cell) < 8 && strings.Trim(cell, "0123456789") == "" {
		root, err := cnpj.ParseRoot(strings.Repeat("0", 8-len(cell)) + cell)
		if err == nil {
			return Number{Root: root, Padded: true}
		}
	}
	written, _ := cnpj.ReadPart(cell) // without added zeros
	typed, ok := cnpj.Read(cell)
	ok = ok && typed.Digits > 0 // a word of 8 or 14 letters is no CNPJ
	switch {
	case ok && typed.IsRoot():
		if root, err := cnpj.ParseRoot(typed.Text); err == nil {
			return Number{Root: root}
		}
	case ok:
		full, err := cnpj.ParseFull(typed.Text)
		if err != nil {
			return Number{Wrong: Misread}
		}
		return Number{Root: full.Root(), Full: full, Padded: len(written.Text) < len(typed.Text)}
	case cnpj.HasCPF(cell):
		return Number{Wrong: Person}
	case written.Text == cell && written.Digits == len(cell) && len(cell) < 14: // digits alone
		if full, err := cnpj.ParseFull(strings.Repeat("0", 14-len(cell)) + cell); err == nil {
			return Number{Root: full.Root(), Full: full, Padded: true}
		}
		return Number{Wrong: Misread}
	}
	return readWithin(cell)
}

// readWithin reads a number that stands beside a name in its cell.
func readWithin(cell string) Number {
	var n Number
	for _, at := range besideText.FindAllStringIndex(cell, -1) {
		full, err := cnpj.ParseFull(cnpj.Unmask(cell[at[0]:at[1]]))
		if n.amid && (err != nil || full != n.Full) {
			return Number{Wrong: Several}
		}
		n = Number{Root: full.Root(), Full: full, amid: true, rest: strings.Trim(cell[:at[0]]+cell[at[1]:], " -–—:;|,/()")}
		if err != nil {
			n = Number{Wrong: Misread, amid: true, rest: n.rest}
		}
	}
	if !n.amid {
		n.Wrong = NoNumber
	}
	return n
}
