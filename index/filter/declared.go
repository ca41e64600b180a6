package filter

import (
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/term"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/source"
)

// Names of the filters. The comments describe their values; bounds are inclusive.
const (
	UF        = "uf"         // "SP"; "EX" is abroad
	Regiao    = "regiao"     // one of Regions
	Municipio = "municipio"  // 4 digits of the tax authority
	Bairro    = "bairro"     // words, folded by the filter
	CEP       = "cep"        // 3 to 8 digits: a prefix
	DDD       = "ddd"        // 2 digits, of any of the telephones
	Street    = "logradouro" // words of a street, type and name, folded by the filter
	House     = "numero"     // as published, of which the first digits count
	Pais      = "pais"       // 1 to 3 digits, of an establishment abroad

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
	PartnerDigits = "socio_digitos"      // 6 visible digits of a partner's masked CPF; not offered, see groups
	PartnerRoot   = "socio_raiz"         // 8 positions of a company among the partners; not offered, see groups

	Telephone = "telefone"        // "sim" or "nao"
	Email     = "email"           // "sim" or "nao"
	Phone     = "telefone_numero" // digits of DDD and number
	Address   = "email_endereco"  // an e-mail address, lower case
	Domain    = "email_dominio"   // lower case

	Source        = "fonte"           // id of a source that has records of the company: see package source
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

	Unsought = "sem_busca" // "sim": the contact is not searched, see Set.WithoutSought; not offered, see groups

	Changed = "mudou" // "sim": the load of companies changed something of the company; not offered, see groups
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

// Form says how a value is written.
type Form int

// The forms.
const (
	Text   Form = iota // free text
	Digits             // digits, with or without punctuation
	Host               // a domain, alone or behind an e-mail address
	Mail               // an e-mail address
	Tel                // a telephone with its DDD
	OneOf              // one of few values, a choice
	Coded              // one of many codes that have names
	Date               // AAAA-MM-DD, or a month or a year
	Year               // four digits
	Amount             // reais, with a point before the cents
	Number             // a count
)

// Option is a value and its name in Portuguese.
type Option struct{ Value, Text string }

// Filter is the declaration of one filter. The declared ones are shared and must not be changed.
type Filter struct {
	Name  string // of the parameter
	Label string // what people call it; both ends of a range share one
	About string // completes "Deve ser …": "a sigla de um estado, ou EX para o exterior"
	Kind  Kind
	Form  Form
	// Options are the values of a OneOf in order, with their names; nil when Domain has them.
	Options []Option
	Domain  record.Domain // table of the load that has the values, "" for none
	Group   string        // heading under which forms list it, "" if it is not offered: see groups

	valid   func(value string) bool        // nil: what the form and the options say
	match   func(value string) query.Query // one value as a query; nil for a Bound
	place   string                         // kind of the terms that combine the value with a situação, "" for none
	measure Measure                        // of a Bound: what it bounds
	upper   bool                           // of a Bound: the upper end
	contact bool                           // reads a contact, which may be hidden on request
	sources []string                       // ids of the sources whose records decide it, when its values do not name them
}

var (
	yesOrNo      = []Option{{"sim", "Sim"}, {"nao", "Não"}}
	opting       = []Option{{"sim", "Optante"}, {"nao", "Não optante"}}
	offices      = []Option{{"matriz", "Matriz"}, {"filial", "Filial"}}
	regions      = []Option{{"norte", "Norte"}, {"nordeste", "Nordeste"}, {"centro-oeste", "Centro-Oeste"}, {"sudeste", "Sudeste"}, {"sul", "Sul"}}
	partnerKinds = []Option{{"pessoa", "Pessoa física"}, {"empresa", "Empresa"}, {"estrangeiro", "Estrangeiro"}}
	bands        = []Option{
		{"0", "Menos de R$" + ptbr.NBSP + "1"},
		{"1-10k", "Até R$" + ptbr.NBSP + "10 mil"},
		{"10k-100k", "R$" + ptbr.NBSP + "10 mil a 100 mil"},
		{"100k-1m", "R$" + ptbr.NBSP + "100 mil a 1 milhão"},
		{"1m-10m", "R$" + ptbr.NBSP + "1 a 10 milhões"},
		{"10m-100m", "R$" + ptbr.NBSP + "10 a 100 milhões"},
		{"100m", "Mais de R$" + ptbr.NBSP + "100 milhões"},
	}
	sources = func() []Option {
		var options []Option
		for _, src := range source.All() {
			options = append(options, Option{src.ID, src.Title})
		}
		return options
	}()
)

const (
	dateForm   = "uma data, AAAA-MM-DD"
	amountForm = "um valor em reais, como 1500.50"
	cnaeForm   = "a letra de uma seção ou os 2, 3, 5 ou 7 primeiros dígitos de uma subclasse"
	yearForm   = "um ano de quatro dígitos"
)

// declared is the table of filters in canonical order, that of the conditions in a Set: everything
// else that is said of filters, in forms, addresses, documents and queries, is read from it. The
// lower end of a range is directly followed by its upper end: see Bounds.
var declared = [...]Filter{
	{
		Name: Municipio, Label: "Município", Form: Coded, Domain: record.DomainMunicipio, valid: digits(4), match: coded(term.Municipio), place: term.MunicipioSituacao,
		About: "o código de um município na Receita Federal (4 dígitos) ou no IBGE (7), ou seu nome, como Campinas/SP",
	},
	{
		Name: UF, Label: "Estado", Form: Coded, valid: isUF, match: coded(term.UF), place: term.UFSituacao,
		About: "a sigla de um estado, ou EX para o exterior",
	},
	{Name: Regiao, Label: "Região", Form: OneOf, Options: regions, match: inRegion, About: listOf(regions)},
	{Name: Bairro, Label: "Bairro", valid: hasWords, match: inBairro, contact: true, About: "o nome inteiro de um bairro, como publicado"},
	{Name: Street, Label: "Logradouro", valid: isStreet, match: inStreet, contact: true, About: "o tipo e o nome, como Rua Sete de Setembro"},
	{Name: House, Label: "Número", valid: isHouseNumber, match: atNumber, contact: true, About: "o do endereço, de até 5 dígitos"},
	{Name: CEP, Label: "CEP", Form: Digits, valid: isCEP, match: inArea, contact: true, About: "um CEP ou o começo de um, de 3 a 8 dígitos"},
	{Name: DDD, Label: "DDD", Form: Digits, valid: digits(2), match: coded(term.DDD), contact: true, About: "um DDD, com dois dígitos"},
	{
		Name: Pais, Label: "País", Form: Coded, Domain: record.DomainPais, valid: isCountry, match: coded(term.Pais),
		About: "o código de um país na Receita Federal, de estabelecimentos no exterior",
	},
	{Name: CNAE, Label: "Atividade principal", Form: Coded, Domain: record.DomainCNAE, valid: isCNAE, match: coded(term.MainCNAE), About: cnaeForm},
	{Name: CNAESecondary, Label: "Atividade secundária", Form: Coded, Domain: record.DomainCNAE, valid: isCNAE, match: coded(term.SecondaryCNAE), About: cnaeForm},
	{Name: CNAEAny, Label: "Atividade principal ou secundária", Form: Coded, Domain: record.DomainCNAE, valid: isCNAE, match: inAnyActivity, About: cnaeForm},
	{
		Name: Situacao, Label: "Situação", Form: OneOf, Domain: record.DomainSituacao, valid: among("01", "02", "03", "04", "08"), match: coded(term.Situacao),
		About: "o código de uma situação cadastral: 01 nula, 02 ativa, 03 suspensa, 04 inapta ou 08 baixada",
	},
	{Name: SinceFrom, Label: "Nesta situação", Kind: Bound, Form: Date, measure: SituacaoDay, About: dateForm + ": a primeira da situação cadastral"},
	{Name: SinceTo, Label: "Nesta situação", Kind: Bound, Form: Date, measure: SituacaoDay, upper: true, About: dateForm + ": a última da situação cadastral"},
	{
		Name: Motivo, Label: "Motivo da situação", Form: Coded, Domain: record.DomainMotivo, valid: digits(2), match: coded(term.Motivo),
		About: "um código de dois dígitos",
	},
	{Name: OpenedFrom, Label: "Abertura", Kind: Bound, Form: Date, measure: OpeningDay, About: dateForm + ": a primeira de abertura"},
	{Name: OpenedTo, Label: "Abertura", Kind: Bound, Form: Date, measure: OpeningDay, upper: true, About: dateForm + ": a última de abertura"},
	{Name: YearFrom, Label: "Ano de abertura", Kind: Bound, Form: Year, measure: OpeningDay, About: yearForm + ": o primeiro de abertura"},
	{Name: YearTo, Label: "Ano de abertura", Kind: Bound, Form: Year, measure: OpeningDay, upper: true, About: yearForm + ": o último de abertura"},
	{Name: HeadOffice, Label: "Matriz ou filial", Kind: Choice, Form: OneOf, Options: offices, match: choice(term.HeadOffice, offices), About: "matriz ou filial"},
	{
		Name: Natureza, Label: "Natureza jurídica", Form: Coded, Domain: record.DomainNatureza, valid: digits(4), match: coded(term.Natureza),
		About: "um código de quatro dígitos",
	},
	{
		Name: Porte, Label: "Porte", Form: OneOf, Domain: record.DomainPorte, valid: among("00", "01", "03", "05"), match: coded(term.Porte),
		About: "o código de um porte: 00 não informado, 01 micro, 03 pequeno ou 05 demais",
	},
	{Name: Capital, Label: "Faixa de capital social", Form: OneOf, Options: bands, match: inBand, About: "uma faixa de capital social em reais: " + listOf(bands)},
	{Name: CapitalFrom, Label: "Capital social", Kind: Bound, Form: Amount, measure: CapitalCents, About: amountForm + ": o menor capital social"},
	{Name: CapitalTo, Label: "Capital social", Kind: Bound, Form: Amount, measure: CapitalCents, upper: true, About: amountForm + ": o maior capital social"},
	{Name: EstablishmentsFrom, Label: "Estabelecimentos", Kind: Bound, Form: Number, measure: Establishments, About: "um número: o menor de estabelecimentos da empresa"},
	{Name: EstablishmentsTo, Label: "Estabelecimentos", Kind: Bound, Form: Number, measure: Establishments, upper: true, About: "um número: o maior de estabelecimentos da empresa"},
	{Name: Simples, Label: "Simples Nacional", Kind: Choice, Form: OneOf, Options: opting, match: choice(term.Simples, opting), About: "sim ou nao"},
	{Name: SimplesFrom, Label: "Optante pelo Simples", Kind: Bound, Form: Date, measure: SimplesDay, About: dateForm + ": a primeira da opção, que ainda vale"},
	{Name: SimplesTo, Label: "Optante pelo Simples", Kind: Bound, Form: Date, measure: SimplesDay, upper: true, About: dateForm + ": a última da opção, que ainda vale"},
	{Name: MEI, Label: "MEI", Kind: Choice, Form: OneOf, Options: opting, match: choice(term.MEI, opting), About: "sim ou nao"},
	{Name: MEIFrom, Label: "Optante pelo MEI", Kind: Bound, Form: Date, measure: MEIDay, About: dateForm + ": a primeira da opção, que ainda vale"},
	{Name: MEITo, Label: "Optante pelo MEI", Kind: Bound, Form: Date, measure: MEIDay, upper: true, About: dateForm + ": a última da opção, que ainda vale"},
	{Name: PartnersFrom, Label: "Número de sócios", Kind: Bound, Form: Number, measure: Partners, About: "um número: o menor de sócios da empresa"},
	{Name: PartnersTo, Label: "Número de sócios", Kind: Bound, Form: Number, measure: Partners, upper: true, About: "um número: o maior de sócios da empresa"},
	{
		Name: PartnerKind, Label: "Entre os sócios", Form: OneOf, Options: partnerKinds, match: partnerOfKind,
		About: "pessoa, empresa ou estrangeiro: quem está entre os sócios; vale para a matriz",
	},
	{
		Name: PartnerRole, Label: "Qualificação de um sócio", Form: Coded, Domain: record.DomainQualificacao, valid: digits(2), match: coded(term.PartnerRole),
		About: "um código de dois dígitos; vale para a matriz",
	},
	{
		Name: PartnerAge, Label: "Faixa etária de um sócio", Form: OneOf, Domain: record.DomainFaixaEtaria, valid: among("1", "2", "3", "4", "5", "6", "7", "8", "9"),
		match: coded(term.PartnerAge), About: "um código de 1 a 9; vale para a matriz",
	},
	{
		Name: Telephone, Label: "Telefone publicado", Kind: Choice, Form: OneOf, Options: yesOrNo, match: choice(term.Telephone, yesOrNo), contact: true,
		About: "sim ou nao; o de uma pessoa física conta como nenhum",
	},
	{
		Name: Email, Label: "E-mail publicado", Kind: Choice, Form: OneOf, Options: yesOrNo, match: choice(term.Email, yesOrNo), contact: true,
		About: "sim ou nao; o de uma pessoa física conta como nenhum",
	},
	{Name: Phone, Label: "Telefone", Form: Tel, valid: isPhone, match: withPhone, contact: true, About: "um número com DDD, como (19) 3233-4455"},
	{Name: Address, Label: "E-mail", Form: Mail, valid: isEmail, match: coded(term.EmailAddress), contact: true, About: "um endereço inteiro"},
	{Name: Domain, Label: "Domínio do e-mail", Form: Host, valid: isDomain, match: coded(term.Domain), contact: true, About: "o domínio do e-mail, como exemplo.com.br"},
	{
		Name: Source, Label: "Registros públicos", Form: OneOf, Options: sources, match: recordsIn,
		About: "o identificador de uma fonte: quem tem registros em alguma delas (" + listOf(sources) + ")",
	},
	{
		Name: SourceAll, Label: "Em todas estas fontes", Kind: Every, Form: OneOf, Options: sources, match: recordsIn,
		About: "o identificador de uma fonte: quem tem registros em todas elas",
	},
	{
		Name: DebtFrom, Label: "Dívida ativa", Kind: Bound, Form: Amount, measure: DebtCents, sources: []string{"pgfn"},
		About: amountForm + ": a menor dívida ativa somada, como devedor principal",
	},
	{
		Name: DebtTo, Label: "Dívida ativa", Kind: Bound, Form: Amount, measure: DebtCents, upper: true, sources: []string{"pgfn"},
		About: amountForm + ": a maior dívida ativa somada, como devedor principal",
	},
	{
		Name: Sanction, Label: "Sanção em vigor", Kind: Choice, Form: OneOf, Options: yesOrNo, match: sanctioned, sources: []string{"ceis", "cnep"},
		About: "sim ou nao: uma sanção do CEIS ou do CNEP está em vigor",
	},
	{
		Name: ContractsFrom, Label: "Contratos públicos", Kind: Bound, Form: Amount, measure: ContractCents, sources: []string{"pncp"},
		About: amountForm + ": o menor dos contratos como fornecedor, somados",
	},
	{
		Name: ContractsTo, Label: "Contratos públicos", Kind: Bound, Form: Amount, measure: ContractCents, upper: true, sources: []string{"pncp"},
		About: amountForm + ": o maior dos contratos como fornecedor, somados",
	},
	{
		Name: ContractsYear, Label: "Ano de um contrato público", Form: Year, match: inYear(ContractYears), sources: []string{"pncp"},
		About: yearForm + ": o de um contrato como fornecedor",
	},
	{
		Name: LoansFrom, Label: "Financiamentos do BNDES", Kind: Bound, Form: Amount, measure: LoanCents, sources: []string{"bndes"},
		About: amountForm + ": o menor dos contratados, somados",
	},
	{
		Name: LoansTo, Label: "Financiamentos do BNDES", Kind: Bound, Form: Amount, measure: LoanCents, upper: true, sources: []string{"bndes"},
		About: amountForm + ": o maior dos contratados, somados",
	},
	{
		Name: LoansYear, Label: "Ano de um financiamento do BNDES", Form: Year, match: inYear(LoanYears), sources: []string{"bndes"},
		About: yearForm + ": o de um financiamento",
	},
	// Not in any group, so only our own code can use them.
	{Name: PartnerDigits, Form: Digits, valid: digits(6), match: coded(term.PartnerDigits)},
	{Name: PartnerRoot, valid: isRoot, match: partnerRoot},
	{Name: Unsought, valid: among("sim"), match: func(string) query.Query { return unsought() }},
	{Name: Changed, valid: among("sim"), match: func(string) query.Query { return recordsIn(source.Receita) }},
}

// groups are the headings under which forms and documentation list the filters, in their order. A
// filter without a heading is not offered to visitors: PartnerDigits are shared by many people, so
// callers must compare the name as well.
var groups = [...]struct {
	heading string
	names   []string
}{
	{"Atividade", []string{CNAE, CNAESecondary, CNAEAny}},
	{"Lugar", []string{UF, Regiao, Municipio, Bairro, Street, House, CEP, Pais}},
	{"Situação e abertura", []string{Situacao, SinceFrom, SinceTo, Motivo, OpenedFrom, OpenedTo, YearFrom, YearTo}},
	{"Empresa", []string{
		Natureza, Porte, Capital, CapitalFrom, CapitalTo, HeadOffice, EstablishmentsFrom, EstablishmentsTo,
		Simples, SimplesFrom, SimplesTo, MEI, MEIFrom, MEITo,
	}},
	{"Sócios", []string{PartnersFrom, PartnersTo, PartnerKind, PartnerRole, PartnerAge}},
	{"Contato", []string{Phone, Address, Telephone, Email, DDD, Domain}},
	{"Registros públicos", []string{
		Source, SourceAll, DebtFrom, DebtTo, Sanction, ContractsFrom, ContractsTo, ContractsYear, LoansFrom, LoansTo, LoansYear,
	}},
}

// offered are the filters of groups.
var offered = func() []*Filter {
	var list []*Filter
	for _, g := range groups {
		for _, name := range g.names {
			f := declaration(name)
			f.Group = g.heading
			list = append(list, f)
		}
	}
	return list
}()

// All returns the filters that visitors may use, in the order of forms and documentation. The slice
// is shared and must not be changed.
func All() []*Filter { return offered }

// Named returns the filter with a name that visitors may use, nil for any other name.
func Named(name string) *Filter {
	if f := declaration(name); f != nil && f.Group != "" {
		return f
	}
	return nil
}

// Names returns the names of the filters that visitors may use, in canonical order.
func Names() []string {
	var names []string
	for i := range declared {
		if declared[i].Group != "" {
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

// declaration returns the filter with a name, nil for an unknown one.
func declaration(name string) *Filter {
	if at := position(name); at < len(declared) {
		return &declared[at]
	}
	return nil
}

// KindOf returns the kind of a filter, Codes for an unknown name.
func KindOf(name string) Kind {
	if f := declaration(name); f != nil {
		return f.Kind
	}
	return Codes
}

// Valid reports whether a filter can have a value, see Set.Validate.
func Valid(name, value string) bool {
	f := declaration(name)
	return f != nil && f.takes(value)
}

// takes reports whether a value is in the domain of the filter.
func (f *Filter) takes(value string) bool {
	switch {
	case f.valid != nil:
		return f.valid(value)
	case f.Options != nil:
		return slices.ContainsFunc(f.Options, func(o Option) bool { return o.Value == value })
	}
	switch f.Form {
	case Date:
		return isDate(value)
	case Year:
		return isYear(value)
	case Amount:
		return isAmount(value)
	}
	return isCount(value)
}

// end returns the number at which a Bound ends its range, inclusive; value is valid.
func (f *Filter) end(value string) int64 {
	switch {
	case f.Form == Date:
		return day(value)
	case f.Form == Amount:
		return cents(value)
	case f.Form == Year && f.upper:
		return lastOfYear(value)
	case f.Form == Year:
		return firstOfYear(value)
	}
	return count(value)
}

// Must returns the sentence that says what a value has to be.
func (f *Filter) Must() string { return "Deve ser " + f.About + "." }

// Note returns a sentence on whom the filter does not find and does not exclude either; "" where it is decided of everybody.
func (f *Filter) Note() string {
	if !f.seeksContact() {
		return ""
	}
	return "Pessoas físicas e MEIs não são achadas, nem com “-”."
}

// seeksContact reports whether the filter looks for the value of a contact.
func (f *Filter) seeksContact() bool { return f.contact && f.Kind == Codes }

// Bounds returns the two filters of the range that name is an end of; ok is false when name is not
// a Bound.
func Bounds(name string) (lower, upper string, ok bool) {
	at := position(name)
	if at == len(declared) || declared[at].Kind != Bound {
		return "", "", false
	}
	if declared[at].upper {
		at--
	}
	return declared[at].Name, declared[at+1].Name, true
}

// CapitalBands returns the values of Capital, indexed by the number of the band: see
// term.CapitalBand.
func CapitalBands() []string { return valuesOf(bands) }

// listOf returns the values of options, separated by commas, for About.
func listOf(options []Option) string { return strings.Join(valuesOf(options), ", ") }

// valuesOf returns the values of options.
func valuesOf(options []Option) []string {
	values := make([]string, len(options))
	for i, o := range options {
		values[i] = o.Value
	}
	return values
}
