package filter

import (
	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/term"
)

// Names of the filters. In comments: values.
const (
	UF        = "uf"        // "SP"; "EX" is abroad
	Regiao    = "regiao"    // one of Regions
	Municipio = "municipio" // 4 digits of the tax authority
	Bairro    = "bairro"    // words, folded by the filter
	CEP       = "cep"       // 3 to 8 digits: all that begin so
	DDD       = "ddd"       // 2 digits, of either telephone
	Pais      = "pais"      // 1 to 3 digits, of an establishment abroad

	CNAE          = "cnae"            // of the main activity: a section's letter, or 2, 3, 5 or 7 digits: division, group, class, subclass
	CNAESecondary = "cnae_secundario" // the same, of a secondary activity
	CNAEAny       = "cnae_todos"      // the same, of the main or a secondary activity

	Situacao   = "situacao"     // "01", "02" (active), "03", "04", "08"
	SinceFrom  = "situacao_de"  // first day on which the situação may have begun, AAAA-MM-DD
	SinceTo    = "situacao_ate" // last day
	Motivo     = "motivo"       // 2 digits
	OpenedFrom = "abertura_de"  // AAAA-MM-DD, included
	OpenedTo   = "abertura_ate" // AAAA-MM-DD, included
	YearFrom   = "ano_de"       // of opening, included
	YearTo     = "ano_ate"      // of opening, included

	HeadOffice         = "tipo"                 // "matriz" or "filial"
	Natureza           = "natureza"             // 4 digits
	Porte              = "porte"                // "01", "03", "05"; "00" is not informed
	Capital            = "capital"              // one of CapitalBands
	CapitalFrom        = "capital_de"           // reais, "100000" or "1500.50", included
	CapitalTo          = "capital_ate"          // reais, included
	EstablishmentsFrom = "estabelecimentos_de"  // of the company, included
	EstablishmentsTo   = "estabelecimentos_ate" // of the company, included
	Simples            = "simples"              // "sim" or "nao"
	SimplesFrom        = "simples_de"           // first day on which a company that is in may have entered, AAAA-MM-DD
	SimplesTo          = "simples_ate"          // last day
	MEI                = "mei"                  // "sim" or "nao"
	MEIFrom            = "mei_de"               // as SimplesFrom
	MEITo              = "mei_ate"              // as SimplesTo

	PartnersFrom  = "socios_de"          // partners of the company, included
	PartnersTo    = "socios_ate"         // included
	PartnerKind   = "socio_tipo"         // one of partnerKinds
	PartnerRole   = "socio_qualificacao" // 2 digits
	PartnerAge    = "socio_faixa"        // "1" to "9"
	PartnerDigits = "socio_digitos"
	PartnerRoot   = "socio_raiz"

	Telephone = "telefone"      // "sim" or "nao"
	Email     = "email"         // "sim" or "nao"
	Domain    = "email_dominio" // lower case

	Source        = "fonte"           // id of a source that has records of the company: one of term.Sources
	SourceAll     = "fonte_todas"     // the same, of which all are wanted
	DebtFrom      = "divida_de"       // reais of active debt in all, included
	DebtTo        = "divida_ate"      // included
	Sanction      = "sancao"          // "sim" or "nao": one of CEIS or CNEP is in force
	ContractsFrom = "contratos_de"    // reais of public contracts in all, included
	ContractsTo   = "contratos_ate"   // included
	ContractsYear = "contratos_ano"   // of a public contract
	LoansFrom     = "emprestimos_de"  // reais of loans of BNDES in all, included
	LoansTo       = "emprestimos_ate" // included
	LoansYear     = "emprestimos_ano" // of a loan
)

// Kind says which values a filter takes.
type Kind int

// The kinds.
const (
	// Codes takes several values, of which a document has to have one, and excluded ones, of which it must have none.
	Codes Kind = iota
	// Choice is the same with two values, of which every document has one.
	Choice
	// Bound takes one value, an end of a range that is part of it; nothing can be excluded.
	Bound
	// Every takes several values, all of which a document has to have; nothing can be excluded.
	Every
)

// Filter is one condition that a search can be narrowed by.
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
	bound    bound                          // of a Bound
}

// bound is what an end of a range does to it.
type bound struct {
	measure Measure
	upper   bool
	number  func(value string) int64 // of a valid one
}

// declared are the filters in the order in which everything that is put together from them lists them.
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

// Names returns the filters that visitors may choose.
func Names() []string {
	var names []string
	for i := range declared {
		if !declared[i].Internal {
			names = append(names, declared[i].Name)
		}
	}
	return names
}

// position returns where a filter stands in declared, its length for an unknown name.
func position(name string) int {
	for i := range declared {
		if declared[i].Name == name {
			return i
		}
	}
	return len(declared)
}

// KindOf returns which values a filter takes; Codes for an unknown name.
func KindOf(name string) Kind {
	if at := position(name); at < len(declared) {
		return declared[at].Kind
	}
	return Codes
}

// Bounds returns the filters that are the lower and the upper end of the range of which one is an end, false for others.
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
	partnerKinds = []string{"empresa", "pessoa", "estrangeiro"} // in the order of their codes
)

// CapitalBands returns the values of Capital by the number of the band: see term.CapitalBand.
func CapitalBands() []string {
	return []string{"0", "1-10k", "10k-100k", "100k-1m", "1m-10m", "10m-100m", "100m"}
}
