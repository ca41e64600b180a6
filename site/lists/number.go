package lists

import (
	"regexp"
	"strings"

	"razao/internal/data/cnpj"
)

// number is what a cell says as a CNPJ.
type number struct {
	root   cnpj.Root
	full   cnpj.Full // 0: the cell names the company, not an establishment
	padded bool      // a spreadsheet has dropped zeros at its beginning
	wrong  string    // why it is none, in words; "" if it is one
}

// The reasons why a cell is no number.
const (
	noNumber = "sem CNPJ"
	misread  = "dígitos verificadores não conferem"
	rounded  = "a planilha arredondou o número: formate a coluna como texto e copie de novo"
)

var (
	scientific = regexp.MustCompile(`^[0-9][.,][0-9]+[eE]\+?[0-9]+$`)
	decimals   = regexp.MustCompile(`^[0-9]+[.,]0+$`) // 12345678000195.0, as programs export numbers
	// 31/12/2021 and 2021-12-31, with a time behind them or not: they have the eight digits of a root.
	day = regexp.MustCompile(`^([0-3]?[0-9][/.-][01]?[0-9][/.-][0-9]{4}|[0-9]{4}-[01][0-9]-[0-3][0-9])([ T][0-9:.]+)?$`)
)

// readNumber reads a cell. Twelve and thirteen digits get back the zeros that a spreadsheet has
// dropped, as everywhere; in a column of CNPJs, so do fewer if the check digits are right then, but for the eight of a root.
func readNumber(cell string) number {
	cell = oneLine(cell)
	switch {
	case cell == "":
		return number{wrong: noNumber}
	case cell[0] < '0' || cell[0] > '9': // most cells are words, and none of these
	case day.MatchString(cell):
		return number{wrong: noNumber}
	case scientific.MatchString(cell):
		return number{wrong: rounded}
	case decimals.MatchString(cell):
		cell = cell[:strings.LastIndexAny(cell, ".,")]
	}
	written, _ := cnpj.ReadPart(cell) // without added zeros
	typed, ok := cnpj.Read(cell)
	ok = ok && typed.Digits > 0 // a word of 8 or 14 letters is no CNPJ
	switch {
	case ok && typed.IsRoot():
		if root, err := cnpj.ParseRoot(typed.Text); err == nil {
			return number{root: root}
		}
	case ok:
		full, err := cnpj.ParseFull(typed.Text)
		if err != nil {
			return number{wrong: misread}
		}
		return number{root: full.Root(), full: full, padded: len(written.Text) < len(typed.Text)}
	case cell != "" && written.Text == cell && written.Digits == len(cell) && len(cell) < 14: // digits alone
		if full, err := cnpj.ParseFull(strings.Repeat("0", 14-len(cell)) + cell); err == nil {
			return number{root: full.Root(), full: full, padded: true}
		}
		return number{wrong: misread}
	}
	return number{wrong: noNumber}
}

// columnOf returns the column with the CNPJs: the one in which most cells are one. Whole numbers count
// more than eight digits, which a CEP has, too, and a heading with the word doubles what a column has. found is false if
// no cell is one.
func columnOf(rows []row) (best int, found bool) {
	most := 0
	for column := range width(rows) {
		score := 0
		for _, r := range rows {
			switch n := readNumber(r.cell(column)); {
			case n.wrong == misread, n.wrong == rounded:
				score++
			case n.wrong == "" && n.full != 0:
				score += 4
			case n.wrong == "":
				score++
			}
		}
		score *= 2
		if score > 0 && strings.Contains(strings.ToLower(rows[0].cell(column)), "cnpj") {
			score = 2*score + 1
		}
		if score > most {
			best, most = column, score
		}
	}
	return best, most > 0
}

// isHeading reports whether the first row names the columns: where the numbers are, it has none.
func isHeading(rows []row, column int) bool {
	cell := rows[0].cell(column)
	return cell != "" && !strings.ContainsAny(cell, "0123456789")
}
