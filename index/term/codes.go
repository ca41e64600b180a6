package term

import "strings"

// Codes of the situação cadastral that rank and wording depend on.
const (
	SituacaoAtiva    = "02"
	SituacaoSuspensa = "03"
	SituacaoInapta   = "04"
)

// Tables of two characters per number; two blanks stand for an unused or unknown number.
const (
	situacoes = "  01020304  08"
	portes    = "00010305"
)

// LastSituacao is the highest number that SituacaoNumber returns.
const LastSituacao = 6

// SituacaoNumber maps a code of the situação cadastral to a number of three bits; 0 stands for an
// unknown code.
func SituacaoNumber(code string) uint64 {
	switch code {
	case "01", "02", "03", "04":
		return uint64(code[1] - '0')
	case "08":
		return LastSituacao
	}
	return 0
}

// SituacaoCode is the inverse of SituacaoNumber: two digits, or two blanks for unknown. The number
// must be at most LastSituacao.
func SituacaoCode(number int) string { return situacoes[2*number : 2*number+2] }

// PorteRank maps a code of the company size to a number of two bits that grows with the size; 0
// stands for not informed.
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

// PorteCode is the inverse of PorteRank: two digits, "00" for not informed. The rank must be at
// most 3.
func PorteCode(rank uint64) string { return portes[2*rank : 2*rank+2] }

// knownUFs lists the UFs in alphabetical order, "EX" (abroad) among them. A UF's number is its
// position in the list, counted from 1. The blanks keep UFNumber from matching across two codes.
const knownUFs = " AC AL AM AP BA CE DF ES EX GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO "

// LastUF is the highest number that UFNumber returns.
const LastUF = len(knownUFs) / 3

// UFNumber maps the two capitals of a UF to its number; 0 stands for an unknown UF.
func UFNumber(code string) int {
	if i := strings.Index(knownUFs, " "+code+" "); i >= 0 && len(code) == 2 {
		return i/3 + 1
	}
	return 0
}

// UFCode is the inverse of UFNumber. The number must be between 1 and LastUF.
func UFCode(number int) string { return knownUFs[3*number-2 : 3*number] }

// Years of opening that facets tell apart: 255 values, so that a year and "unknown" fit a byte.
// Other years count as unknown.
const (
	FirstYear = 1800
	LastYear  = FirstYear + 254
)

// IsYear reports whether y is between FirstYear and LastYear.
func IsYear(y int) bool { return y >= FirstYear && y <= LastYear }

// CapitalBand returns the band of an amount in cents: 0 for less than one real, 1 for less than
// 10,000 reais, then one band for each power of ten up to 6 (100 million reais and more). Negative
// amounts, the unknown ones, are in band 0.
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

// IsDigits reports whether s consists of exactly n ASCII digits.
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

// DivisionDigits and SubclassDigits are the lengths of the widest and the narrowest numeric codes
// of the CNAE.
const (
	DivisionDigits = 2
	SubclassDigits = 7
)

// Section returns the letter of the CNAE section that the first two digits of a code belong to, ""
// when the code is shorter than two digits or beyond the last division.
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
