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
	aboutPerson = regexp.MustCompile(`(?i)\b(?:cpf|pessoa\s+(?:f[ií]sica|natural)|sigilos[oa]|lgpd|aut[oô]nom[oa])\b|^\W*(?:p\.?\s?f\.?|f[ií]sica)\W*$`)
	// Digits that are masked, as far as nothing else is in the cell: ***.982.247-**, 529.xxx.xxx-25, ###.
	masked = regexp.MustCompile(`^(?:[0-9 ./-]*(?:[*#?•·…]+[0-9 ./-]*)+|[0-9 ./-]*(?:[xX]{2,}[0-9 ./-]*)+|-{2,}[. ]?[0-9. ]+[- ]*)$`)
	// Parts of a CPF: 529.982.247, 982.247-25. Amounts go on with cents or more thousands, CNPJs with their order.
	cut = regexp.MustCompile(`(?:^|[^0-9./])[0-9]{3}\.[0-9]{3}\.[0-9]{3}(?:-[0-9]?)?(?:[^0-9.,/-]|$)|(?:^|[^0-9/])[0-9]{3}\.[0-9]{3}-[0-9]{2}(?:[^0-9]|$)|^[0-9]{3}\.[0-9]{3}$`)
)

const (
	longestPerson = 4 << 10 // bytes of a cell that are looked through for a CPF
	longestHint   = 60      // bytes of a cell that says that there is one
)

// hasCPF reports whether a cell has a CPF, whole or masked.
func hasCPF(cell string) bool {
	return hasDigit(cell) && cnpj.HasCPF(plain(cell[:min(len(cell), longestPerson)]))
}

// digitsIn returns how many digits a cell has.
func digitsIn(cell string) (n int) {
	for _, r := range cell {
		if unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

func hasDigit(cell string) bool { return strings.ContainsFunc(cell, unicode.IsDigit) }

// isPerson reports whether a cell that has documents has a CPF, or a part of one, or says that there is one.
func isPerson(cell string) bool {
	short := len(cell) <= longestHint
	return short && (aboutPerson.MatchString(cell) || len(cell) > 2 && masked.MatchString(plain(cell)) || hasDigit(cell) && cut.MatchString(plain(cell))) || hasCPF(cell)
}

// isAboutPerson reports whether a row has a CPF in any of its cells or, in a column of documents, what stands for one. Elsewhere, what
// looks like a part of one is the number of something else.
func (l *List) isAboutPerson(r *Row) bool {
	c := l.Columns
	for i, cell := range r.Cells {
		switch {
		case cell == "":
		case hasCPF(cell), i == c.Name && i != c.Number && len(cell) < longestNumber && hasDigit(cell) && cut.MatchString(plain(cell)):
			return true
		case i == c.Number || l.persons[i] || c.Number == None && i != c.Name && i != c.Place && i != c.UF && i != c.Activity && subjectOf(l.Heading.Cell(i)) == nothing:
			if isPerson(cell) || l.persons[i] && hasDigit(cell) && digitsIn(cell) <= lengthCPF && (i != c.Number || r.number.Wrong == NoNumber) {
				return true
			}
		}
	}
	return false
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
