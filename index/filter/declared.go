package filter

import (
	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/term"
)

// Names of the filters. The comments describe their values; bounds are inclusive.
const (
	UF        = "uf"        // "SP"; "EX" is abroad
	Regiao    = "regiao"    // one of Regions
	Municipio = "municipio" // 4 digits of the tax authority
	Bairro    = "bairro"    // words, folded by the filter
	CEP       = "cep"       // 3 to 8 digits: a prefix
	DDD       = "ddd"       // 2 digits, of any of the telephones
	Pais      = "pais"      // 1 to 3 digits, of an establishment abroad

	CNAE          = "cnae"            // main activity: letter of a section, or 2, 3, 5 or 7 digits
	CNAESecondary = "cnae_secundario" // the same, of any secondary activity
	CNAEAny       = "cnae_todos"      // the same, of the main or any secondary activity

	Situacao   = "situacao"     // "01", "02" (active), "03", "04", "08"
	SinceFrom  = "situacao_de"  // earliest day on which the current situação began, AAAA-MM-DD
	SinceTo    = "situacao_ate" // latest day
	Motivo     = "motivo"       // 2 digits
	OpenedFrom = "abertura_de"  // AAAA-MM-DD
	OpenedTo   = "abertura_ate" // AAAA-MM-DD
	YearFrom   = "ano_de"       // year of opening
	YearTo     = "ano_ate"      // year of opening

	HeadOffice         = "tipo"                 // "matriz" or "filial"
	Natureza           = "natureza"             // 4 digits
	Porte              = "porte"                // "01", "03", "05"; "00" for not informed
	Capital            = "capital"              // one of CapitalBands
	CapitalFrom        = "capital_de"           // reais, "100000" or "1500.50"
	CapitalTo          = "capital_ate"          // reais
	EstablishmentsFrom = "estabelecimentos_de"  // number of establishments of the company
	EstablishmentsTo   = "estabelecimentos_ate" // the same
	Simples            = "simples"              // "sim" or "nao"
	SimplesFrom        = "simples_de"           // earliest entry of a company that is in it, AAAA-MM-DD
	SimplesTo          = "simples_ate"          // latest entry
	MEI                = "mei"                  // "sim" or "nao"
	MEIFrom            = "mei_de"               // as SimplesFrom
	MEITo              = "mei_ate"              // as SimplesTo

	PartnersFrom  = "socios_de"          // number of partners of the company
	PartnersTo    = "socios_ate"         // the same
	PartnerKind   = "socio_tipo"         // one of partnerKinds
	PartnerRole   = "socio_qualificacao" // 2 digits
	PartnerAge    = "socio_faixa"        // "1" to "9"
	PartnerDigits = "socio_digitos"      // 6 visible digits of a partner's masked CPF; see Filter.Internal
	PartnerRoot   = "socio_raiz"         // 8 positions of a company among the partners; see Filter.Internal

	Telephone = "telefone"      // "sim" or "nao"
	Email     = "email"         // "sim" or "nao"
	Domain    = "email_dominio" // lower case

	Source        = "fonte"           // id of a source that has records of the company: see term.Sources
	SourceAll     = "fonte_todas"     // the same, but all values must hold
	DebtFrom      = "divida_de"       // total active debt in reais
	DebtTo        = "divida_ate"      // the same
	Sanction      = "sancao"          // "sim" or "nao": a sanction of CEIS or CNEP is in force today
	ContractsFrom = "contratos_de"    // total of public contracts in reais
	ContractsTo   = "contratos_ate"   // the same
	ContractsYear = "contratos_ano"   // year of any public contract
	LoansFrom     = "emprestimos_de"  // total of loans of BNDES in reais
	LoansTo       = "emprestimos_ate" // the same
	LoansYear     = "emprestimos_ano" // year of any loan
)

// Kind says how many values a filter takes and how they combine.
type Kind int

// The kinds of filters.
const (
	// Codes takes several values, of which a document must have at least one, and excluded values,
	// of which it must have none.
	Codes Kind = iota
	// Choice is Codes over a domain of two values of which every document has exactly one: to
	// choose both is no condition, to exclude one is to choose the other.
	Choice
	// Bound takes one value, the inclusive end of a range. Nothing can be excluded.
	Bound
	// Every takes several values, all of which a document must have. Nothing can be excluded.
	Every
)

// Filter is the declaration of one filter.
type Filter struct {
	Name string
	Kind Kind
	// Internal filters are not offered to visitors. PartnerDigits are shared by many people, so
	// callers must compare the name as well. Partners are indexed with the head office and with the
	// first establishment of their company, which are mostly the same one.
	Internal bool
	valid    func(value string) bool
	match    func(value string) query.Query // one value as a query; nil for a Bound
	place    string                         // kind of the terms that combine the value with a situação, "" for none
	bound    bound                          // zero unless Kind is Bound
}

// bound is the end of a range that a Bound sets.
type bound struct {
	measure Measure
	upper   bool
	number  func(value string) int64 // parses a valid value
}

// declared lists the filters in their canonical order: that of the conditions in a Set, of
// generated forms and of documentation. The lower bound of a range is directly followed by its
// upper bound: see Bounds.
var declared = [...]Filter{
	{Name: Municipio, valid: digits(4), match: coded(term.Municipio), place: term.MunicipioSituacao},
	{Name: UF, valid: isUF, match: coded(term.UF), place: term.UFSituacao},
	{Name: Regiao, valid: isRegion, match: inRegion},
	{Name: Bairro, valid: hasWords, match: inBairro},
	{Name: CEP, valid: isCEP, match: inArea},
	{Name: DDD, valid: digits(2), match: coded(term.DDD)},
	{Name: Pais, valid: isCountry, match: coded(term.Pais)},
	{Name: CNAE, valid: isCNAE, match: coded(term.MainCNAE)},
	{Name: CNAESecondary, valid: isCNAE, match: coded(term.SecondaryCNAE)},
	{Name: CNAEAny, valid: isCNAE, match: inAnyActivity},
	{Name: Situacao, valid: oneOf("01", "02", "03", "04", "08"), match: coded(term.Situacao)},
	{Name: SinceFrom, Kind: Bound, valid: isDate, bound: bound{SituacaoDay, false, day}},
	{Name: SinceTo, Kind: Bound, valid: isDate, bound: bound{SituacaoDay, true, day}},
	{Name: Motivo, valid: digits(2), match: coded(term.Motivo)},
	{Name: OpenedFrom, Kind: Bound, valid: isDate, bound: bound{OpeningDay, false, day}},
	{Name: OpenedTo, Kind: Bound, valid: isDate, bound: bound{OpeningDay, true, day}},
	{Name: YearFrom, Kind: Bound, valid: isYear, bound: bound{OpeningDay, false, firstOfYear}},
	{Name: YearTo, Kind: Bound, valid: isYear, bound: bound{OpeningDay, true, lastOfYear}},
	{Name: HeadOffice, Kind: Choice, valid: oneOf(offices...), match: choice(term.HeadOffice, offices)},
	{Name: Natureza, valid: digits(4), match: coded(term.Natureza)},
	{Name: Porte, valid: oneOf("00", "01", "03", "05"), match: coded(term.Porte)},
	{Name: Capital, valid: oneOf(CapitalBands()...), match: inBand},
	{Name: CapitalFrom, Kind: Bound, valid: isAmount, bound: bound{CapitalCents, false, cents}},
	{Name: CapitalTo, Kind: Bound, valid: isAmount, bound: bound{CapitalCents, true, cents}},
	{Name: EstablishmentsFrom, Kind: Bound, valid: isCount, bound: bound{Establishments, false, count}},
	{Name: EstablishmentsTo, Kind: Bound, valid: isCount, bound: bound{Establishments, true, count}},
	{Name: Simples, Kind: Choice, valid: oneOf(yesOrNo...), match: choice(term.Simples, yesOrNo)},
	{Name: SimplesFrom, Kind: Bound, valid: isDate, bound: bound{SimplesDay, false, day}},
	{Name: SimplesTo, Kind: Bound, valid: isDate, bound: bound{SimplesDay, true, day}},
	{Name: MEI, Kind: Choice, valid: oneOf(yesOrNo...), match: choice(term.MEI, yesOrNo)},
	{Name: MEIFrom, Kind: Bound, valid: isDate, bound: bound{MEIDay, false, day}},
	{Name: MEITo, Kind: Bound, valid: isDate, bound: bound{MEIDay, true, day}},
	{Name: PartnersFrom, Kind: Bound, valid: isCount, bound: bound{Partners, false, count}},
	{Name: PartnersTo, Kind: Bound, valid: isCount, bound: bound{Partners, true, count}},
	{Name: PartnerKind, valid: oneOf(partnerKinds...), match: partnerOfKind},
	{Name: PartnerRole, valid: digits(2), match: coded(term.PartnerRole)},
	{Name: PartnerAge, valid: oneOf("1", "2", "3", "4", "5", "6", "7", "8", "9"), match: coded(term.PartnerAge)},
	{Name: Telephone, Kind: Choice, valid: oneOf(yesOrNo...), match: choice(term.Telephone, yesOrNo)},
	{Name: Email, Kind: Choice, valid: oneOf(yesOrNo...), match: choice(term.Email, yesOrNo)},
	{Name: Domain, valid: isDomain, match: coded(term.Domain)},
	{Name: Source, valid: oneOf(term.Sources()...), match: recordsIn},
	{Name: SourceAll, Kind: Every, valid: oneOf(term.Sources()...), match: recordsIn},
	{Name: DebtFrom, Kind: Bound, valid: isAmount, bound: bound{DebtCents, false, cents}},
	{Name: DebtTo, Kind: Bound, valid: isAmount, bound: bound{DebtCents, true, cents}},
	{Name: Sanction, Kind: Choice, valid: oneOf(yesOrNo...), match: sanctioned},
	{Name: ContractsFrom, Kind: Bound, valid: isAmount, bound: bound{ContractCents, false, cents}},
	{Name: ContractsTo, Kind: Bound, valid: isAmount, bound: bound{ContractCents, true, cents}},
	{Name: ContractsYear, valid: isYear, match: inYear(ContractYears)},
	{Name: LoansFrom, Kind: Bound, valid: isAmount, bound: bound{LoanCents, false, cents}},
	{Name: LoansTo, Kind: Bound, valid: isAmount, bound: bound{LoanCents, true, cents}},
	{Name: LoansYear, valid: isYear, match: inYear(LoanYears)},
	{Name: PartnerDigits, Internal: true, valid: digits(6), match: coded(term.PartnerDigits)},
	{Name: PartnerRoot, Internal: true, valid: isRoot, match: partnerRoot},
}

// Names returns the names of all filters but the internal ones, in canonical order.
func Names() []string {
	var names []string
	for i := range declared {
		if !declared[i].Internal {
			names = append(names, declared[i].Name)
		}
	}
	return names
}

// position returns the index of a filter in declared, len(declared) for an unknown name.
func position(name string) int {
	for i := range declared {
		if declared[i].Name == name {
			return i
		}
	}
	return len(declared)
}

// KindOf returns the kind of a filter, Codes for an unknown name.
func KindOf(name string) Kind {
	if at := position(name); at < len(declared) {
		return declared[at].Kind
	}
	return Codes
}

// Valid reports whether a filter can have a value, see Set.Validate.
func Valid(name, value string) bool {
	at := position(name)
	return at < len(declared) && declared[at].valid(value)
}

// Bounds returns the two filters of the range that name is an end of; ok is false when name is not
// a Bound.
func Bounds(name string) (lower, upper string, ok bool) {
	at := position(name)
	if at == len(declared) || declared[at].Kind != Bound {
		return "", "", false
	}
	if declared[at].bound.upper {
		at--
	}
	return declared[at].Name, declared[at+1].Name, true
}

var (
	yesOrNo      = []string{"sim", "nao"}
	offices      = []string{"matriz", "filial"}
	partnerKinds = []string{"empresa", "pessoa", "estrangeiro"} // index + 1 is the published code (identificador)
)

// CapitalBands returns the values of Capital, indexed by the number of the band: see
// term.CapitalBand.
func CapitalBands() []string {
	return []string{"0", "1-10k", "10k-100k", "100k-1m", "1m-10m", "10m-100m", "100m"}
}
