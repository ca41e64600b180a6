package index

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// attributes are what is known of a document beside its terms: what facets and rankings count, and what orders sort by.
type attributes struct {
	facets   facets
	opening  uint32 // AAAAMMDD, 0 unknown
	closing  uint32 // AAAAMMDD, 0 unknown or not closed
	activity uint32 // main activity, see activityNumber
	capital  int64  // cents, negative when unknown
	name     []byte // folded words of the legal name, cut at maxNameKey
}

// maxNameKey is how many bytes of a name decide its place in the order by name. What is equal so far follows by rank.
const maxNameKey = 48

// fixedAttributes is the length of the encoded form without the name.
const fixedAttributes = 8 + 4 + 4 + 4 + 8 + 1

// append appends the encoded form.
func (a *attributes) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, uint64(a.facets))
	dst = binary.LittleEndian.AppendUint32(dst, a.opening)
	dst = binary.LittleEndian.AppendUint32(dst, a.closing)
	dst = binary.LittleEndian.AppendUint32(dst, a.activity)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(a.capital))
	dst = append(dst, byte(len(a.name)))
	return append(dst, a.name...)
}

// attributesLen returns the length of the encoded form at the beginning of b.
func attributesLen(b []byte) int { return fixedAttributes + int(b[fixedAttributes-1]) }

// decodeAttributes reads an encoded form; the name shares memory with b.
func decodeAttributes(b []byte) attributes {
	return attributes{
		facets:   facets(binary.LittleEndian.Uint64(b)),
		opening:  binary.LittleEndian.Uint32(b[8:]),
		closing:  binary.LittleEndian.Uint32(b[12:]),
		activity: binary.LittleEndian.Uint32(b[16:]),
		capital:  int64(binary.LittleEndian.Uint64(b[20:])),
		name:     b[fixedAttributes:attributesLen(b)],
	}
}

// facets packs the values of a document that are counted, from the lowest bit: situação 3, porte 2, capital band 3,
// MEI, Simples, head office 1 each, UF 5, CNAE division 7, year of opening 8, municipality 14, natureza 14.
type facets uint64

// The parts of facets.
const (
	situacaoShift  = 0
	porteShift     = 3
	capitalShift   = 5
	meiShift       = 8
	simplesShift   = 9
	headShift      = 10
	ufShift        = 11
	divisionShift  = 16
	yearShift      = 23
	municipioShift = 31
	naturezaShift  = 45
	facetBits      = 59
)

const (
	unknownCapital = 7
	unknownCode    = 1<<14 - 1 // of a municipality or natureza
	unknownDiv     = 1<<7 - 1
	// unknownActivity is more than any of seven digits.
	unknownActivity = 10_000_000
	situacoes       = "  01020304  08" // two letters each, at twice their number
	portes          = "00010305"
)

// packFacets returns the facets of d.
func packFacets(d *Doc) facets {
	f := situacaoNumber(d.SituacaoCadastral)<<situacaoShift | porteRank(d.PorteEmpresa)<<porteShift
	capital := uint64(unknownCapital)
	if d.Capital >= 0 {
		capital = uint64(capitalBand(d.Capital))
	}
	f |= capital<<capitalShift | bit(d.MEI)<<meiShift | bit(d.Simples)<<simplesShift | bit(d.HeadOffice)<<headShift
	if i := strings.Index(knownUFs, " "+d.UF+" "); i >= 0 && len(d.UF) == 2 {
		f |= uint64(i/3+1) << ufShift
	}
	f |= codeNumber(d.CNAE[:min(len(d.CNAE), 2)], 2, unknownDiv) << divisionShift
	if year := d.Opening / 10_000; isYear(year) {
		f |= uint64(year-firstYear+1) << yearShift
	}
	f |= codeNumber(d.Municipio, 4, unknownCode)<<municipioShift | codeNumber(d.NaturezaJuridica, 4, unknownCode)<<naturezaShift
	return facets(f)
}

func situacaoNumber(code string) uint64 {
	switch code {
	case "01", "02", "03", "04":
		return uint64(code[1] - '0')
	case "08":
		return 6
	}
	return 0
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// codeNumber returns a code of n digits as a number, unknown when it is none.
func codeNumber(code string, n int, unknown uint64) uint64 {
	if !isDigits(code, n) {
		return unknown
	}
	number, err := strconv.ParseUint(code, 10, 16)
	if err != nil {
		return unknown
	}
	return number
}

// activityNumber returns a subclass of the CNAE as a number, unknownActivity when it is none.
func activityNumber(code string) uint32 {
	if !isDigits(code, 7) {
		return unknownActivity
	}
	number, err := strconv.ParseUint(code, 10, 32)
	if err != nil {
		return unknownActivity
	}
	return uint32(number)
}

func (f facets) part(shift, bits int) int { return int(f >> shift & (1<<bits - 1)) }

func (f facets) situacao() int { return f.part(situacaoShift, 3) }

func (f facets) active() bool { return f.situacao() == 2 }

func (f facets) closed() bool { return f.situacao() == 6 }

func (f facets) headOffice() bool { return f.part(headShift, 1) == 1 }

// uf returns the number of the UF, 0 for none; see ufCode.
func (f facets) uf() int { return f.part(ufShift, 5) }

// year returns the year of opening, 0 when it is unknown.
func (f facets) year() int {
	if y := f.part(yearShift, 8); y > 0 {
		return y - 1 + firstYear
	}
	return 0
}

// municipio returns the number of the municipality, unknownCode for none.
func (f facets) municipio() int { return f.part(municipioShift, 14) }

func situacaoCode(number int) string { return situacoes[2*number : 2*number+2] }

// ufCode returns the letters of a UF's number, which must not be 0.
func ufCode(number int) string { return knownUFs[3*number-2 : 3*number] }
