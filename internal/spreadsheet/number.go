package spreadsheet

import (
	"html"
	"regexp"
	"strings"
	"unicode"

	"razao/internal/data/cnpj"
)

// Number is what a row says as a CNPJ.
type Number struct {
	Root   cnpj.Root
	Full   cnpj.Full // 0: the row names the company, not an establishment
	Padded bool      // a spreadsheet has dropped zeros at its beginning
	Wrong  string    // why it is none, in words; "" if it is one

	amid  bool   // a text stands beside it in the cell
	rest  string // that text
	short bool   // misread, and as long as a CPF, with its zeros or without
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
	scientific = regexp.MustCompile(`^[0-9][.,][0-9]+[eE]\+?([0-9]+)$`)
	decimals   = regexp.MustCompile(`^[0-9]+[.,]0+$`) // 12345678000195.0, as programs export numbers
	// 31/12/2021 and 2021-12-31, with a time behind them or not: they have the eight digits of a root.
	day = regexp.MustCompile(`^([0-3]?[0-9][/.-][01]?[0-9][/.-][0-9]{4}|[0-9]{4}-[01][0-9]-[0-3][0-9])([ T][0-9:.]+)?$`)
	// A number of an establishment beside a text: with its mask, or fourteen digits.
	besideText = regexp.MustCompile(`(?i)\b(?:[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}/[0-9A-Z]{4}-[0-9]{2}|[0-9]{14})\b`)
)

const (
	longestNumber = 1000 // bytes of a cell with a number and a name
	fewestCPF     = 9    // digits of a CPF whose zeros a spreadsheet has dropped; of fewer, too many are something else
	lengthCPF     = 11
	lengthCNPJ    = 14
)

// roots says whether eight digits are the root of a CNPJ. They have no check digits: dates, telephones and numbers of invoices have eight,
// too.
type roots int

const (
	noRoots roots = iota
	wholeRoots
	cutRoots // whole, or with fewer digits: a spreadsheet has dropped zeros
)

// Number returns the number of a row.
func (l *List) Number(r *Row) Number { return r.number }

// Name returns the name of a row, "" if it has none: what stands beside the number if both are in one cell. A row about a person has none.
func (l *List) Name(r *Row) string { return r.name }

// read reads number and name of a row.
func (l *List) read(r *Row) {
	r.number = readNumber(r.Cell(l.Columns.Number), l.Columns.roots)
	if r.number.Wrong == NoNumber && len(l.Heading.Cells) > 0 && len(r.Cells) > len(l.Heading.Cells) {
		r.number = l.shifted(r)
	}
	number := l.Columns.Number
	if r.number.Wrong != "" && (r.number.short && l.Columns.Number != l.Columns.Name || l.isAboutPerson(r)) {
		r.number = Number{Wrong: Person}
	}
	if r.number.Wrong == Misread && len(r.Cell(number)) < lengthCNPJ-2 && (subjectOf(l.Heading.Cell(number)) != ofNumber || l.persons[number]) {
		return // digits of a document that may be a person's
	}
	name := r.Cell(l.Columns.Name)
	if r.number.amid && l.Columns.Name == number {
		name = r.number.rest
	}
	name = listMark.ReplaceAllString(name, "")
	if strings.ContainsFunc(name, unicode.IsLetter) && r.number.Wrong != Person {
		r.name = html.UnescapeString(name)
	}
}

// listMark matches what stands before the items of a numbered list, and bullets.
var listMark = regexp.MustCompile(`^\s*(?:[0-9]{1,4}[.)º]|[-•*–])\s+`)

// shifted returns the only number of a row that has more cells than the list has columns: a name in it has the separator.
func (l *List) shifted(r *Row) (found Number) {
	found = Number{Wrong: NoNumber}
	for _, cell := range r.Cells {
		if n := readNumber(cell, noRoots); n.Wrong == "" && !n.amid {
			if found.Wrong == "" {
				return Number{Wrong: Several}
			}
			found = n
		}
	}
	return found
}

// lettersRoot matches a root without digits.
var lettersRoot = regexp.MustCompile(`^\s*[A-Za-z]{2}\.?[A-Za-z]{3}\.?[A-Za-z]{3}\s*$`)

// readNumber reads a cell. Twelve and thirteen digits get back the zeros that a spreadsheet has
// dropped, as everywhere; so do fewer if the check digits are right then and they are no CPF.
func readNumber(cell string, as roots) Number {
	if len(cell) > longestNumber || !hasDigit(cell) && !(as == cutRoots && lettersRoot.MatchString(cell)) {
		return Number{Wrong: NoNumber}
	}
	cell = plain(cell)
	switch {
	case strings.ContainsAny(cell, ";|"): // stands between cells, not between digits
		return readBeside(cell)
	case cell[0] < '0' || cell[0] > '9': // most cells are words, and none of these
	case day.MatchString(cell):
		return Number{Wrong: NoNumber}
	case scientific.MatchString(cell):
		if exponent := scientific.FindStringSubmatch(cell)[1]; len(exponent) < 2 || exponent < "11" {
			return Number{Wrong: Misread, short: true}
		}
		return Number{Wrong: Rounded}
	case decimals.MatchString(cell):
		cell = cell[:strings.LastIndexAny(cell, ".,")]
	}
	digits := strings.Trim(cell, "0123456789") == ""
	if digits && len(cell) > lengthCNPJ {
		cell = strings.TrimLeft(cell[:len(cell)-lengthCNPJ], "0") + cell[len(cell)-lengthCNPJ:]
	}
	if as == cutRoots && digits && len(cell) < 8 {
		root, err := cnpj.ParseRoot(strings.Repeat("0", 8-len(cell)) + cell)
		if err == nil {
			return Number{Root: root, Padded: true}
		}
	}
	typed, ok := cnpj.Read(cell)
	ok = ok && (typed.Digits > 0 || as == cutRoots && typed.IsRoot()) // elsewhere a word of 8 or 14 letters is no CNPJ
	switch {
	case ok && typed.IsRoot() && (hasCPF(cell) || cut.MatchString(cell)):
		return Number{Wrong: Person}
	case ok && typed.IsRoot() && as == noRoots:
		return Number{Wrong: NoNumber}
	case ok && typed.IsRoot():
		if root, err := cnpj.ParseRoot(typed.Text); err == nil {
			return Number{Root: root}
		}
	case ok:
		return readFull(cell, typed.Text)
	case hasCPF(cell), digits && len(cell) >= fewestCPF && len(cell) < lengthCPF && cnpj.HasCPF(strings.Repeat("0", lengthCPF-len(cell))+cell):
		return Number{Wrong: Person}
	case digits && len(cell) < lengthCNPJ:
		if full, err := cnpj.ParseFull(strings.Repeat("0", lengthCNPJ-len(cell)) + cell); err == nil {
			return Number{Root: full.Root(), Full: full, Padded: true}
		}
		n := len(strings.TrimLeft(cell, "0"))
		return Number{Wrong: Misread, short: n >= fewestCPF && n <= lengthCPF}
	}
	return readBeside(cell)
}

// readFull reads the fourteen positions that a cell has, or has with zeros. A CPF may have zeros before it, too.
func readFull(cell, text string) Number {
	full, err := cnpj.ParseFull(text)
	short := strings.TrimLeft(text, "0")
	if err == nil {
		written, _ := cnpj.ReadPart(cell) // without added zeros
		return Number{Root: full.Root(), Full: full, Padded: len(written.Text) < len(text)}
	}
	return Number{Wrong: Misread, short: len(short) <= lengthCPF && len(short) >= fewestCPF}
}

// readBeside reads a number that stands beside a name in its cell.
func readBeside(cell string) Number {
	var n Number
	for _, at := range besideText.FindAllStringIndex(cell, -1) {
		if isJoined(cell[:at[0]], true) || isJoined(cell[at[1]:], false) { // part of a longer number, as of a contract
			continue
		}
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

// isJoined reports whether a text goes on with a mark and a digit, or ends so.
func isJoined(text string, ends bool) bool {
	if len(text) < 2 {
		return false
	}
	mark, digit := text[0], text[1]
	if ends {
		mark, digit = text[len(text)-1], text[len(text)-2]
	}
	return strings.IndexByte("-.", mark) >= 0 && digit >= '0' && digit <= '9'
}
