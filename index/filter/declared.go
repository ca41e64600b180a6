package filter

import (
	"slices"
	"strconv"

	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/term"
	"razao/internal/cnpj"
)

// The names of the filters, as addresses have them.
const (
	UF            = "uf"         // "SP"; "EX" is abroad
	Municipio     = "municipio"  // 4 digits of the tax authority
	Situacao      = "situacao"   // "01", "02" (active), "03", "04", "08"
	Porte         = "porte"      // "01", "03", "05"; "00" is not informed
	Natureza      = "natureza"   // 4 digits
	CNAE          = "cnae"       // of the main activity: a section's letter, or 2, 3, 5 or 7 digits: division, group, class, subclass
	CNAEAny       = "cnae_todos" // the same, of the main or a secondary activity
	HeadOffice    = "tipo"       // "matriz" or "filial"
	Simples       = "simples"    // "sim" or "nao"
	MEI           = "mei"        // "sim" or "nao"
	YearFrom      = "ano_de"     // of opening, included
	YearTo        = "ano_ate"    // of opening, included
	Capital       = "capital"    // one of CapitalBands
	Source        = "fonte"      // id of a source that has records of the company: one of term.Sources
	PartnerDigits = "socio_digitos"
	PartnerRoot   = "socio_raiz"
)

// Kind says which conditions a filter takes.
type Kind int

// The kinds.
const (
	// Codes takes several values, of which a document has to have one, and excluded ones, of which it must have none.
	Codes Kind = iota
	// Choice is the same with two values, of which every document has one.
	Choice
	// Bound takes one value, an end of a range that is part of it; nothing can be excluded.
	Bound
)

// Filter is one way to narrow a search.
type Filter struct {
	Name string
	Kind Kind
	// Internal filters are not for visitors to choose: PartnerDigits are the six visible digits of a person among the partners,
	// which many people share, so that callers compare the name as well; PartnerRoot the eight positions of a company among
	// them. Partners are known of the head office and of the company's first establishment, mostly the same one.
	Internal bool
	valid    func(value string) bool
	match    func(value string) query.Query // nil for a Bound
	place    string                         // kind of the terms that combine it with a situação, "" when there are none
}

// declared are all filters, in the order in which their queries are asked.
var declared = [...]Filter{
	{Name: Municipio, valid: digits(4), match: coded(term.Municipio), place: term.MunicipioSituacao},
	{Name: UF, valid: func(v string) bool { return term.UFNumber(v) > 0 }, match: coded(term.UF), place: term.UFSituacao},
	{Name: Situacao, valid: oneOf("01", "02", "03", "04", "08"), match: coded(term.Situacao)},
	{Name: Porte, valid: oneOf("00", "01", "03", "05"), match: coded(term.Porte)},
	{Name: Natureza, valid: digits(4), match: coded(term.Natureza)},
	{Name: CNAE, valid: isCNAE, match: coded(term.MainCNAE)},
	{Name: CNAEAny, valid: isCNAE, match: coded(term.AnyCNAE)},
	{Name: MEI, Kind: Choice, valid: oneOf(yesOrNo...), match: choice(term.MEI, yesOrNo)},
	{Name: Simples, Kind: Choice, valid: oneOf(yesOrNo...), match: choice(term.Simples, yesOrNo)},
	{Name: HeadOffice, Kind: Choice, valid: oneOf(offices...), match: choice(term.HeadOffice, offices)},
	{Name: YearFrom, Kind: Bound, valid: isYear},
	{Name: YearTo, Kind: Bound, valid: isYear},
	{Name: Capital, valid: oneOf(CapitalBands()...), match: inBand},
	{Name: Source, valid: oneOf(term.Sources()...), match: func(v string) query.Query { return &RecordsIn{Source: v} }},
	{Name: PartnerDigits, Internal: true, valid: digits(6), match: coded(term.PartnerDigits)},
	{Name: PartnerRoot, Internal: true, valid: isRoot, match: partnerRoot},
}

// The values of choices, the one that has a term first.
var (
	yesOrNo = []string{"sim", "nao"}
	offices = []string{"matriz", "filial"}
)

// position returns where a filter is declared; unknown ones are behind all others.
func position(name string) int {
	for i := range declared {
		if declared[i].Name == name {
			return i
		}
	}
	return len(declared)
}

// KindOf returns the kind of a filter, Codes for an unknown one.
func KindOf(name string) Kind {
	if at := position(name); at < len(declared) {
		return declared[at].Kind
	}
	return Codes
}

// CapitalBands returns the names of the ranges of the capital in reais, rising: "0" is less than one real, "1-10k" from 1 to
// less than 10,000, "100m" is 100 million and more. Their places are the numbers of term.CapitalBand.
func CapitalBands() []string {
	return []string{"0", "1-10k", "10k-100k", "100k-1m", "1m-10m", "10m-100m", "100m"}
}

func digits(n int) func(string) bool { return func(v string) bool { return term.IsDigits(v, n) } }

func oneOf(values ...string) func(string) bool {
	return func(v string) bool { return slices.Contains(values, v) }
}

func isCNAE(v string) bool {
	switch len(v) {
	case 1:
		return v[0] >= 'A' && v[0] <= 'U'
	case 2, 3, 5, 7:
		return term.IsDigits(v, len(v))
	}
	return false
}

func isYear(v string) bool {
	year, err := strconv.Atoi(v)
	return err == nil && term.IsDigits(v, 4) && term.IsYear(year)
}

// isRoot says whether a text is a root as terms have it: in capitals, without punctuation.
func isRoot(v string) bool {
	root, err := cnpj.ParseRoot(v)
	return err == nil && root.String() == v
}
