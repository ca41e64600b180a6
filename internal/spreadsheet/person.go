package spreadsheet

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"razao/internal/data/cnpj"
)

// A line about a natural person is not looked up, also not by name. It has a CPF, in whatever writing: whole, mistyped, without its zeros,
// masked, cut off, or only said to be there. A company taken for a person is told so, and can be looked up by its CNPJ.

var (
	aboutPerson = regexp.MustCompile(`(?i)\b(?:cpf|pessoa\s+(?:f[ií]sica|natural))\b|^pf$`)
	// Digits that are masked, as far as nothing else is in the cell: ***.982.247-**, 529.xxx.xxx-25, ###.
	masked = regexp.MustCompile(`^(?:[0-9 ./-]*(?:[*#?•·]+[0-9 ./-]*){1,}|[0-9 ./-]*(?:[xX]{2,}[0-9 ./-]*)+|-{2,}[. ]?[0-9. ]+[- ]*)$`)
	// Parts of a CPF: 529.982.247, 982.247-25. Amounts go on with cents or more thousands, CNPJs with their order.
	cut = regexp.MustCompile(`(?:^|[^0-9./])[0-9]{3}\.[0-9]{3}\.[0-9]{3}(?:-[0-9]?)?(?:[^0-9.,/-]|$)|(?:^|[^0-9/])[0-9]{3}\.[0-9]{3}-[0-9]{2}(?:[^0-9]|$)`)
)

// longestPerson bounds in bytes how much of a cell is looked through for a CPF.
const longestPerson = 4 << 10

// isPerson reports whether a cell has a CPF, or says that there is one.
func isPerson(cell string) bool {
	cell = plain(cell[:min(len(cell), longestPerson)])
	if aboutPerson.MatchString(cell) || len(cell) > 2 && masked.MatchString(cell) {
		return true
	}
	return strings.ContainsAny(cell, "0123456789") && (cnpj.HasCPF(cell) || cut.MatchString(cell))
}

// isAboutPerson reports whether a row has a CPF in any of its cells, or something in a column of CPFs.
func (l *List) isAboutPerson(r *Row) bool {
	for i, cell := range r.Cells {
		if cell != "" && (isPerson(cell) || l.persons[i] && i != l.Columns.Number) {
			return true
		}
	}
	number := r.Cell(l.Columns.Number)
	return l.persons[l.Columns.Number] && number != "" && r.number.Wrong != Misread && r.number.Wrong != Rounded && r.number.Wrong != Several
}

// plain returns a cell as one line without invisible characters, and with the digits and dashes that keyboards have.
func plain(cell string) string {
	if isOneLine(cell) {
		return cell
	}
	return oneLine(strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r):
			return -1
		case unicode.Is(unicode.Pd, r):
			return '-'
		}
		return r
	}, norm.NFKC.String(cell)))
}
