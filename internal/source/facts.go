package source

import (
	"slices"
	"strings"
)

// Facts declares what the fields of a source's items say that totals, orders and time lines need.
type Facts struct {
	State     string      // field by which records are grouped; "" when there is none
	StateName string      // what that field is called
	Day       string      // field with the day that a record is ordered by; "" when its records have none
	Cancelled string      // field that is S of a record that was cancelled
	Amount    *Amount     // nil: the records have no amount in reais
	Dates     []Milestone // what happened on days, in the order of a record's life; registers of what is in force have none
	Sought    Sought
}

// Sought says by what searches find establishments, beside that a source has records of them.
type Sought struct {
	Total   bool // the sum of their amounts
	Year    bool // the years of the days of their records
	InForce bool // the days on which a record is in force, from the first of Dates to the second; one that was not published is open
}

// Any reports whether searches ask for anything.
func (s Sought) Any() bool { return s != Sought{} }

// Amount is the field with the amount of a record, and which of the amounts a sum may add.
type Amount struct {
	Field  string
	Name   string
	Means  string      // a sentence: what a sum of them is and what it is not
	Except []Exception // records whose amount is not added
	Since  string      // AAAA-MM-DD: amounts of days before may be in other currencies; "" when none is
	Once   string      // field that names what several records may be parts of: of one, an amount that comes again is not added again
}

// Exception tells records apart by a field that says something, whatever the case of its letters.
type Exception struct {
	Field string
	Is    string
	Not   bool   // those of which the field says something else
	Why   string // what they are, as the end of a sentence that begins with their number
}

// Milestone is a field that says when something happened. What it names beside the day are fields, or members of fields that
// are objects, after a point.
type Milestone struct {
	Field  string
	Text   string
	Detail []string
	Amount bool // with the amount of the record
}

// SoughtFields returns the names of the fields that what searches ask for is read from.
func (s *Source) SoughtFields() []string {
	only := *s
	only.Facts.State, only.Facts.Cancelled = "", ""
	if !s.Facts.Sought.Total {
		only.Facts.Amount = nil
	}
	if !s.Facts.Sought.Year && (only.Facts.Amount == nil || only.Facts.Amount.Since == "") {
		only.Facts.Day = ""
	}
	only.Facts.Dates = nil
	for _, m := range s.Facts.Dates {
		if s.Facts.Sought.InForce {
			only.Facts.Dates = append(only.Facts.Dates, Milestone{Field: m.Field})
		}
	}
	return only.FactFields()
}

// FactFields returns the names of all fields that the facts of a source are read from.
func (s *Source) FactFields() []string {
	f := &s.Facts
	state, _ := Member(f.State)
	names := []string{state, f.Day, f.Cancelled}
	if a := f.Amount; a != nil {
		names = append(names, a.Field, a.Once)
		for _, e := range a.Except {
			names = append(names, e.Field)
		}
	}
	for _, m := range f.Dates {
		names = append(names, m.Field)
		for _, detail := range m.Detail {
			name, _ := Member(detail)
			names = append(names, name)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// Member splits the name of a member of a field that is an object; member is "" when the name is that of the whole field.
func Member(name string) (field, member string) {
	field, member, _ = strings.Cut(name, ".")
	return field, member
}

func debtFacts() Facts {
	return Facts{
		State: "tipo_situacao_inscricao", StateName: "Situação", Day: "data_inscricao",
		Amount: &Amount{
			Field: "valor_consolidado", Name: "Valor consolidado",
			Means: "Valor consolidado na data da base, o fim do trimestre da competência; não é o de hoje.",
			Except: []Exception{{
				Field: "tipo_devedor", Is: "principal", Not: true,
				Why: "em que a empresa não é a devedora principal, porque o valor inteiro se repete em cada devedor da inscrição",
			}},
		},
		Dates:  []Milestone{{Field: "data_inscricao", Text: "Inscrição em dívida ativa", Detail: []string{"numero_inscricao"}, Amount: true}},
		Sought: Sought{Total: true},
	}
}

func sanctionFacts(register string) Facts {
	detail := []string{"categoria_sancao", "orgao_sancionador"}
	return Facts{
		State: "categoria_sancao", StateName: "Categoria", Day: "data_inicio_sancao",
		Dates: []Milestone{
			{Field: "data_inicio_sancao", Text: "Início de sanção (" + register + ")", Detail: detail},
			{Field: "data_final_sancao", Text: "Fim de sanção (" + register + ")", Detail: detail},
		},
		Sought: Sought{InForce: true},
	}
}

func fineFacts() Facts {
	f := sanctionFacts("CNEP")
	f.Amount = &Amount{Field: "valor_multa", Name: "Multa", Means: "Multas como publicadas; não se sabe quanto foi pago."}
	f.Dates[0].Amount = true
	return f
}

func agreementFacts() Facts {
	detail := []string{"orgao_sancionador"}
	return Facts{
		State: "situacao_acordo", StateName: "Situação", Day: "data_inicio_acordo",
		Dates: []Milestone{
			{Field: "data_inicio_acordo", Text: "Início de acordo de leniência", Detail: detail},
			{Field: "data_fim_acordo", Text: "Fim de acordo de leniência", Detail: detail},
		},
	}
}

func noticeFacts() Facts {
	return Facts{
		State: "des_status_formulario", StateName: "Situação", Day: "dat_hora_auto_infracao", Cancelled: "sit_cancelado",
		Amount: &Amount{
			Field: "val_auto_infracao", Name: "Multa", Since: "1994-07-01",
			Means:  "Multas como lavradas, sem recursos, descontos nem pagamentos.",
			Except: []Exception{{Field: "sit_cancelado", Is: "S", Why: "de autos cancelados"}},
		},
		Dates: []Milestone{{Field: "dat_hora_auto_infracao", Text: "Auto de infração do IBAMA", Detail: []string{"tipo_infracao"}, Amount: true}},
	}
}

func embargoFacts() Facts {
	detail := []string{"nome_imovel"}
	return Facts{
		State: "des_status_formulario", StateName: "Situação", Day: "dat_embargo", Cancelled: "sit_cancelado",
		Dates: []Milestone{
			{Field: "dat_embargo", Text: "Embargo do IBAMA", Detail: detail},
			{Field: "dat_desembargo", Text: "Desembargo do IBAMA", Detail: detail},
		},
	}
}

// contractFacts are those of contracts; party is the field that names the other side.
func contractFacts(text, party string) Facts {
	return Facts{
		State: "tipo_contrato.nome", StateName: "Instrumento", Day: "data_assinatura",
		Amount: &Amount{
			Field: "valor_global", Name: "Valor global",
			Means: "Valor global dos contratos e empenhos, que não é dinheiro pago; um empenho pode tratar do mesmo contrato que outro registro.",
			Except: []Exception{
				{Field: "participacao", Is: `["subcontratado"]`, Why: "em que a empresa é só subcontratada, porque o valor é o do contrato inteiro"},
				{Field: "receita", Is: "true", Why: "de contratos que geram receita para o órgão"},
			},
		},
		Dates: []Milestone{{Field: "data_assinatura", Text: text, Detail: []string{party, "numero_contrato_empenho"}, Amount: true}},
	}
}

func supplierFacts() Facts {
	f := contractFacts("Contrato público assinado", "orgao_entidade.razao_social")
	f.Sought = Sought{Total: true, Year: true}
	return f
}

func financingFacts() Facts {
	return Facts{
		State: "situacao", StateName: "Situação", Day: "data_da_contratacao",
		Amount: &Amount{
			Field: "valor_contratado_reais", Name: "Contratado", Once: "numero_do_contrato",
			Means: "Valor contratado em reais da data, sem correção, que não é o desembolsado. Cada registro é uma operação ou um subcrédito, e um contrato pode ter vários.",
		},
		Dates:  []Milestone{{Field: "data_da_contratacao", Text: "Operação do BNDES contratada", Detail: []string{"produto"}, Amount: true}},
		Sought: Sought{Total: true, Year: true},
	}
}
