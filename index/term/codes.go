package term

import "strings"

// The situations that decide more than a filter.
const (
	SituacaoAtiva    = "02"
	SituacaoSuspensa = "03"
	SituacaoInapta   = "04"
)

const (
	situacoes = "  01020304  08" // two letters each, at twice their number
	portes    = "00010305"
)

// LastSituacao is the highest number of a situação.
const LastSituacao = 6

// SituacaoNumber returns a situação as a number of three bits, 0 when it is unknown.
func SituacaoNumber(code string) uint64 {
	switch code {
	case "01", "02", "03", "04":
		return uint64(code[1] - '0')
	case "08":
		return LastSituacao
	}
	return 0
}

// SituacaoCode returns the two digits of a situação's number, blanks for unknown.
func SituacaoCode(number int) string { return situacoes[2*number : 2*number+2] }

// PorteRank returns the size of a company as a number of two bits that rises with it, 0 when it is not informed.
func PorteRank(porte string) uint64 {
	switch porte {
	case "05":
		return 3
	case "03":
		return 2
	case "01":
		return 1
	}
	return 0
}

// PorteCode returns the two digits of a size's number.
func PorteCode(rank uint64) string { return portes[2*rank : 2*rank+2] }

// knownUFs are the states in order; a state's number is its place there, from 1 on.
const knownUFs = " AC AL AM AP BA CE DF ES EX GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO "

// LastUF is the highest number of a UF.
const LastUF = len(knownUFs) / 3

// UFNumber returns the number of a UF, 0 when there is none of these letters.
func UFNumber(code string) int {
	if i := strings.Index(knownUFs, " "+code+" "); i >= 0 && len(code) == 2 {
		return i/3 + 1
	}
	return 0
}

// UFCode returns the letters of a UF's number, which must not be 0.
func UFCode(number int) string { return knownUFs[3*number-2 : 3*number] }

// The years of opening that are told apart; earlier ones count as unknown.
const (
	FirstYear = 1800
	LastYear  = FirstYear + 254
)

// IsYear says whether a year is one of those that are told apart.
func IsYear(y int) bool { return y >= FirstYear && y <= LastYear }

// CapitalBand returns the number of the band of an amount in cents, from 0 (less than one real) to 6 (100 million reais and
// more); each band between ends at ten times its beginning.
func CapitalBand(cents int64) int {
	reais := cents / 100
	if reais < 1 {
		return 0
	}
	band := 1
	for limit := int64(10_000); band < 6 && reais >= limit; limit *= 10 {
		band++
	}
	return band
}

// Sources returns the ids of the public-record sources that are indexed, in the order in which facets count them.
func Sources() []string {
	return []string{
		"pgfn", "ceis", "cnep", "cepim", "acordos_leniencia", "mte_empregadores", "mte_ceac", "habilitacao_aduaneira",
		"ibama_autos", "ibama_embargos", "rntrc", "pncp", "pncp_orgao", "bndes",
	}
}

// IsDigits says whether a text is n digits.
func IsDigits(s string, n int) bool {
	if len(s) != n {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// DivisionDigits and SubclassDigits are how many digits the widest and the narrowest activity of the CNAE with a number have.
const (
	DivisionDigits = 2
	SubclassDigits = 7
)

// Section returns the letter of the CNAE section of a code of two digits and more, "" for a division that no section has.
func Section(code string) string {
	if len(code) < 2 {
		return ""
	}
	const lastDivisions = "03A09B33C35D39E43F47G53H56I63J66K68L75M82N84O85P88Q93R96S97T99U"
	for i := 0; i < len(lastDivisions); i += 3 {
		if code[:2] <= lastDivisions[i:i+2] {
			return lastDivisions[i+2 : i+3]
		}
	}
	return ""
}
