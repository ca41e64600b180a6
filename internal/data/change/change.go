// Package change declares what may change of a company from one load to the next, as events with
// stable codes, and finds the events between two states of a company. What an event says of a
// company is fields of the published tables (package record), before and after.
//
// [Kinds] is the one declaration of the events: the comparison, the stored form, the API, the feeds
// and the pages follow from it.
package change

import (
	"slices"
	"strings"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
)

// Kind is what happened. Its number is stored: numbers are never given anew.
type Kind uint8

// The kinds of events.
const (
	Opened      Kind = 1  // an establishment appears
	Removed     Kind = 2  // an establishment is not published any more
	Closed      Kind = 3  // its status became baixada
	Reactivated Kind = 4  // its status became ativa
	Status      Kind = 5  // another change of status, its reason or its date
	Address     Kind = 6  // within its municipality
	Moved       Kind = 7  // to another municipality
	Activity    Kind = 8  // main activity
	Activities  Kind = 9  // secondary activities
	Contact     Kind = 10 // telephones, fax, e-mail
	TradeName   Kind = 11
	HeadOffice  Kind = 12 // head office or branch
	Special     Kind = 13 // special situation
	Started     Kind = 14 // day on which the activity began

	CompanyRemoved Kind = 20 // the company is not published any more
	Name           Kind = 21
	Capital        Kind = 22
	Nature         Kind = 23 // legal nature
	Size           Kind = 24 // porte
	Responsible    Kind = 25 // qualification of the person responsible
	Entity         Kind = 26 // federative entity responsible

	PartnerIn      Kind = 30
	PartnerOut     Kind = 31
	PartnerChanged Kind = 32 // the same name, document and type, and something else of the row

	SimplesIn      Kind = 40
	SimplesOut     Kind = 41
	SimplesChanged Kind = 42 // only its dates
	MEIIn          Kind = 43
	MEIOut         Kind = 44
	MEIChanged     Kind = 45

	SourceIn      Kind = 50 // first record of the company in a source
	SourceOut     Kind = 51 // last record gone
	SourceTotal   Kind = 52 // the total of its records
	SourceChanged Kind = 53 // its records, but not their total
)

// Part is the part of a load that an event is found in. Parts are compared, or missing, each by itself.
type Part string

// The parts of the company registry, named as its tables, and that of a public-record source.
const (
	Companies      Part = "empresas"
	Establishments Part = "estabelecimentos"
	Partners       Part = "socios"
	Simples        Part = "simples"
	Records        Part = "registros"
)

// Info declares a kind of event.
type Info struct {
	Kind   Kind
	Code   string   // stable code, tema.verbo; of a source, {fonte} stands for its id
	Title  string   // for people, in Portuguese
	Part   Part     // in which it is found
	Fields []string // of the part's table, in the order of Event.Before and After
}

var (
	statusFields  = []string{"situacao_cadastral", "data_situacao_cadastral", "motivo_situacao_cadastral"}
	openedFields  = []string{"situacao_cadastral", "data_inicio_atividade", "identificador_matriz_filial", "cnae_fiscal_principal", "uf", "municipio"}
	addressFields = []string{
		"tipo_logradouro", "logradouro", "numero", "complemento", "bairro", "cep", "uf", "municipio", "nome_cidade_exterior", "pais",
	}
	contactFields = []string{"ddd_1", "telefone_1", "ddd_2", "telefone_2", "ddd_fax", "fax", "correio_eletronico"}
	partnerFields = []string{
		"qualificacao_socio", "data_entrada_sociedade", "pais", "representante_legal", "nome_representante",
		"qualificacao_representante_legal", "faixa_etaria",
	}
	simplesFields = []string{"opcao_pelo_simples", "data_opcao_pelo_simples", "data_exclusao_simples"}
	meiFields     = []string{"opcao_pelo_mei", "data_opcao_pelo_mei", "data_exclusao_mei"}
	sourceFields  = []string{"registros", "total"}
	placeFields   = []string{"uf", "municipio", "nome_cidade_exterior", "pais"}
)

var kinds = []Info{
	{Opened, "estabelecimento.aberto", "Estabelecimento aberto", Establishments, openedFields},
	{Removed, "estabelecimento.removido", "Estabelecimento não é mais publicado", Establishments, openedFields},
	{Closed, "estabelecimento.baixado", "Baixa", Establishments, statusFields},
	{Reactivated, "estabelecimento.reativado", "Reativação", Establishments, statusFields},
	{Status, "estabelecimento.situacao", "Situação cadastral", Establishments, statusFields},
	{Address, "estabelecimento.endereco", "Endereço", Establishments, addressFields},
	{Moved, "estabelecimento.municipio", "Mudança de município", Establishments, addressFields},
	{Activity, "estabelecimento.atividade", "Atividade principal", Establishments, []string{"cnae_fiscal_principal"}},
	{Activities, "estabelecimento.atividades_secundarias", "Atividades secundárias", Establishments, []string{"cnae_fiscal_secundaria"}},
	{Contact, "estabelecimento.contato", "Contato", Establishments, contactFields},
	{TradeName, "estabelecimento.nome_fantasia", "Nome fantasia", Establishments, []string{"nome_fantasia"}},
	{HeadOffice, "estabelecimento.matriz_filial", "Matriz ou filial", Establishments, []string{"identificador_matriz_filial"}},
	{Special, "estabelecimento.situacao_especial", "Situação especial", Establishments, []string{"situacao_especial", "data_situacao_especial"}},
	{Started, "estabelecimento.inicio", "Data de início da atividade", Establishments, []string{"data_inicio_atividade"}},

	{CompanyRemoved, "empresa.removida", "Empresa não é mais publicada", Companies, []string{"razao_social"}},
	{Name, "empresa.nome", "Nome empresarial", Companies, []string{"razao_social"}},
	{Capital, "empresa.capital", "Capital social", Companies, []string{"capital_social"}},
	{Nature, "empresa.natureza", "Natureza jurídica", Companies, []string{"natureza_juridica"}},
	{Size, "empresa.porte", "Porte", Companies, []string{"porte_empresa"}},
	{Responsible, "empresa.responsavel", "Qualificação do responsável", Companies, []string{"qualificacao_responsavel"}},
	{Entity, "empresa.ente", "Ente federativo responsável", Companies, []string{"ente_federativo_responsavel"}},

	{PartnerIn, "socio.entrou", "Sócio entrou", Partners, partnerFields},
	{PartnerOut, "socio.saiu", "Sócio saiu", Partners, partnerFields},
	{PartnerChanged, "socio.alterado", "Dados de sócio", Partners, partnerFields},

	{SimplesIn, "simples.optou", "Opção pelo Simples", Simples, simplesFields},
	{SimplesOut, "simples.saiu", "Saída do Simples", Simples, simplesFields},
	{SimplesChanged, "simples.alterado", "Datas do Simples", Simples, simplesFields},
	{MEIIn, "mei.optou", "Opção pelo MEI", Simples, meiFields},
	{MEIOut, "mei.saiu", "Saída do MEI", Simples, meiFields},
	{MEIChanged, "mei.alterado", "Datas do MEI", Simples, meiFields},

	{SourceIn, "fonte.{fonte}.entrou", "Primeiros registros", Records, sourceFields},
	{SourceOut, "fonte.{fonte}.saiu", "Sem registros", Records, sourceFields},
	{SourceTotal, "fonte.{fonte}.valor", "Total dos registros", Records, sourceFields},
	{SourceChanged, "fonte.{fonte}.alterado", "Registros alterados", Records, append(sourceFields, "campos")},
}

// Kinds returns the declarations of all kinds. Callers must not change them.
func Kinds() []Info { return kinds }

var byKind = func() (of [256]*Info) {
	for i := range kinds {
		of[kinds[i].Kind] = &kinds[i]
	}
	return of
}()

// Info returns the declaration of a kind, nil if there is none with its number.
func (k Kind) Info() *Info { return byKind[k] }

// Event is one change of a company, seen between two loads.
type Event struct {
	Kind    Kind
	Order   cnpj.Order  // of the establishment that it is about, with Part Establishments
	Partner Partner     // that it is about, with Part Partners
	Date    record.Date // on which it happened, as published; 0: that is not published
	Before  []string    // values of Info.Fields: texts and codes as published, dates as AAAA-MM-DD, amounts with two decimals, S or N; nil: there was nothing
	After   []string    // the same afterwards; nil: nothing is left
}

// Partner says whom an event is about: a name and a masked document, which prove no person.
type Partner struct{ Type, Name, Document string }

var declared = func() (of [256][]record.Field) {
	for i := range kinds {
		table := TableOf(kinds[i].Part)
		for _, name := range kinds[i].Fields {
			of[kinds[i].Kind] = append(of[kinds[i].Kind], table.Field(name))
		}
	}
	return of
}()

// Declared returns the declarations of Info.Fields. Callers must not change them.
func (k Kind) Declared() []record.Field { return declared[k] }

// Changed returns the positions in Info.Fields of the values that read differently; of an event with one side
// only, those that are not empty.
func (e *Event) Changed() []int {
	var at []int
	fields := e.Kind.Declared()
	for i := range fields {
		b, a := value(e.Before, i), value(e.After, i)
		if b != a && (e.Before == nil || e.After == nil || !sameValue(&fields[i], b, a)) {
			at = append(at, i)
		}
	}
	return at
}

func value(side []string, i int) string {
	if side == nil {
		return ""
	}
	return side[i]
}

// Value returns the value of a field on one of the two sides, "" if there is none.
func (e *Event) Value(side []string, field string) string {
	i := slices.Index(e.Kind.Info().Fields, field)
	if i < 0 {
		return ""
	}
	return value(side, i)
}

// Contradicts returns the field that changes with what an event says and has not changed; "": nothing is wrong. A situation begins on
// a day, whoever leaves Simples or MEI leaves on one, and a municipality is in one state.
func (e *Event) Contradicts() string {
	says, with := "", ""
	switch e.Kind {
	case Closed, Reactivated, Status:
		says, with = "situacao_cadastral", "data_situacao_cadastral"
	case SimplesOut:
		says, with = "opcao_pelo_simples", "data_exclusao_simples"
	case MEIOut:
		says, with = "opcao_pelo_mei", "data_exclusao_mei"
	case Address, Moved:
		says, with = "uf", "municipio"
	default:
		return ""
	}
	if e.Value(e.Before, says) == e.Value(e.After, says) || e.Value(e.Before, with) != e.Value(e.After, with) {
		return ""
	}
	return with
}

// follows names the field that a field changes with: the day and the reason are those of a situation, an option has its days.
var follows = map[string]string{
	"data_situacao_cadastral": "situacao_cadastral", "motivo_situacao_cadastral": "situacao_cadastral",
	"data_opcao_pelo_simples": "opcao_pelo_simples", "data_exclusao_simples": "opcao_pelo_simples",
	"data_opcao_pelo_mei": "opcao_pelo_mei", "data_exclusao_mei": "opcao_pelo_mei",
}

// Alone reports whether a field has changed in an event without the one that it belongs to.
func (e *Event) Alone(field string) bool {
	with, ok := follows[field]
	return ok && e.Value(e.Before, with) == e.Value(e.After, with)
}

// Swings reports whether an act of the authority may bring the event about for many companies at once. Nothing opens
// or enters by such an act.
func (i *Info) Swings() bool {
	switch i.Kind {
	case Opened, Removed, CompanyRemoved, PartnerIn, PartnerOut:
		return false
	}
	return slices.ContainsFunc(i.Fields, i.SwingsIn)
}

// SwingsIn is Swings for one of the fields.
func (i *Info) SwingsIn(field string) bool {
	t := TableOf(i.Part)
	return t.Field(field).Swings
}

// CodeOf returns the code of the kind in a load of a source.
func (i *Info) CodeOf(source string) string { return strings.Replace(i.Code, "{fonte}", source, 1) }

// TableOf returns the table whose fields the events of a part name.
func TableOf(p Part) record.Table {
	switch p {
	case Companies:
		return record.CompanyTable()
	case Establishments:
		return record.EstablishmentTable()
	case Partners:
		return record.PartnerTable()
	case Simples:
		return record.SimplesTable()
	}
	return record.Table{Name: "Registros", Title: "Registros públicos", About: "O que uma fonte diz da empresa.", Fields: []record.Field{
		{Name: "registros", Kind: record.Count, About: "registros da empresa na fonte"},
		{Name: "total", Kind: record.Amount, About: "soma dos valores que podem ser somados"},
		{
			Name: "campos", Kind: record.Codes,
			About: "em depois, se o número de registros é o mesmo: os campos da fonte cujos valores mudaram; vazio se os mesmos valores passaram de um registro a outro, e em cargas comparadas antes de a história os guardar",
		},
	}}
}

// OrderOf returns the establishment that an event is about; ok is false if it is about the company.
func (e *Event) OrderOf() (order cnpj.Order, ok bool) {
	return e.Order, e.Kind.Info().Part == Establishments
}

// Concerns reports whether an event is about an establishment or about its company as a whole.
func (e *Event) Concerns(order cnpj.Order) bool {
	of, ok := e.OrderOf()
	return !ok || of == order
}
