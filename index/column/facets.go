package column

import (
	"strconv"

	"razao/index/term"
)

// Facets packs the facet values of a document, from the lowest bit: situação 3 bits, porte 2,
// capital band 3, MEI, Simples and head office 1 each, UF 5, CNAE division 7, year of opening 8,
// municipality 14, natureza 14. Codes are stored as numbers, years as the distance from the year
// before term.FirstYear.
type Facets uint64

// Positions of the bit fields in Facets, each reaching up to the next; FacetBits is the number of
// bits in use.
const (
	SituacaoShift  = 0
	PorteShift     = 3
	CapitalShift   = 5
	MEIShift       = 8
	SimplesShift   = 9
	HeadShift      = 10
	UFShift        = 11
	DivisionShift  = 16
	YearShift      = 23
	MunicipioShift = 31
	NaturezaShift  = 45
	FacetBits      = 59
)

// Numbers for unknown in fields where 0 is a value.
const (
	UnknownCapital = 7
	UnknownCode    = 1<<14 - 1 // of a municipality or natureza
	UnknownDiv     = 1<<7 - 1  // of a CNAE division
	// UnknownActivity stands for no main activity; subclasses are numbers of seven digits.
	UnknownActivity = 10_000_000
)

// Values are the values of a document as published: see build.Doc for their formats.
type Values struct {
	UF, Municipio, SituacaoCadastral, PorteEmpresa, NaturezaJuridica, CNAE string
	MEI, Simples, HeadOffice                                               bool
	Opening, Closing                                                       int   // AAAAMMDD, 0 unknown or not closed
	Capital                                                                int64 // cents, negative when unknown
	SituacaoDay, SimplesDay, MEIDay                                        int   // since when, AAAAMMDD; 0 unknown or not a member
	Establishments, Partners                                               int   // of the company
}

// Attributes converts the values to their column form; codes that are malformed become unknown.
// name is the folded legal name; the result keeps a slice of it.
func (v *Values) Attributes(name []byte) Attributes {
	a := Attributes{
		Facets: v.facets(), Opening: uint32(max(v.Opening, 0)), Closing: uint32(max(v.Closing, 0)), Activity: activityNumber(v.CNAE),
		Capital: v.Capital, name: name[:min(len(name), MaxNameKey)],
	}
	a.Numbers = [...]uint16{
		SituacaoDay: Day(v.SituacaoDay), SimplesDay: Day(v.SimplesDay), MEIDay: Day(v.MEIDay), Establishments: upTo16(v.Establishments),
		Partners: upTo16(v.Partners),
	}
	// Most companies have one: stored as none, their blocks stay sparse.
	if v.Establishments == 1 {
		a.Numbers[Establishments] = 0
	}
	return a
}

// upTo16 saturates n to 16 bits.
func upTo16(n int) uint16 { return uint16(min(max(n, 0), 1<<16-1)) }

func (v *Values) facets() Facets {
	f := term.SituacaoNumber(v.SituacaoCadastral)<<SituacaoShift | term.PorteRank(v.PorteEmpresa)<<PorteShift
	band := uint64(UnknownCapital)
	if v.Capital >= 0 {
		band = uint64(term.CapitalBand(v.Capital))
	}
	f |= band<<CapitalShift | bit(v.MEI)<<MEIShift | bit(v.Simples)<<SimplesShift | bit(v.HeadOffice)<<HeadShift
	f |= uint64(term.UFNumber(v.UF)) << UFShift
	f |= codeNumber(v.CNAE[:min(len(v.CNAE), 2)], 2, UnknownDiv) << DivisionShift
	if year := v.Opening / 10_000; term.IsYear(year) {
		f |= uint64(year-term.FirstYear+1) << YearShift
	}
	f |= codeNumber(v.Municipio, 4, UnknownCode)<<MunicipioShift | codeNumber(v.NaturezaJuridica, 4, UnknownCode)<<NaturezaShift
	return Facets(f)
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// codeNumber returns a code of exactly n digits as a number, and unknown for any other text.
func codeNumber(code string, n int, unknown uint64) uint64 {
	if !term.IsDigits(code, n) {
		return unknown
	}
	number, err := strconv.ParseUint(code, 10, 16)
	if err != nil {
		return unknown
	}
	return number
}

// activityNumber returns a subclass of the CNAE (seven digits) as a number, and UnknownActivity for
// any other text.
func activityNumber(code string) uint32 {
	if !term.IsDigits(code, 7) {
		return UnknownActivity
	}
	number, err := strconv.ParseUint(code, 10, 32)
	if err != nil {
		return UnknownActivity
	}
	return uint32(number)
}

// part extracts a bit field.
func (f Facets) part(shift, bits int) int { return int(f >> shift & (1<<bits - 1)) }

// Situacao returns the number of the situação cadastral: see term.SituacaoCode.
func (f Facets) Situacao() int { return f.part(SituacaoShift, 3) }

// Active reports whether the situação is ativa (02).
func (f Facets) Active() bool { return f.Situacao() == 2 }

// Closed reports whether the situação is baixada (08).
func (f Facets) Closed() bool { return f.Situacao() == 6 }

// HeadOffice reports whether the establishment is the matriz.
func (f Facets) HeadOffice() bool { return f.part(HeadShift, 1) == 1 }

// UF returns the number of the UF, 0 for none: see term.UFCode.
func (f Facets) UF() int { return f.part(UFShift, 5) }

// Year returns the year of opening, 0 if it is unknown or out of the range of term.IsYear.
func (f Facets) Year() int {
	if y := f.part(YearShift, 8); y > 0 {
		return y - 1 + term.FirstYear
	}
	return 0
}

// Municipio returns the code of the municipality as a number, UnknownCode for none.
func (f Facets) Municipio() int { return f.part(MunicipioShift, 14) }
