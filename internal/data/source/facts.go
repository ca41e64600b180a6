package source

import (
	"slices"
	"strings"
)

// Facts declares which fields of a source's records carry the facts that people ask for: state,
// day, amount, events. Fields are named as in Source.Fields; a member of a field that is a JSON
// object follows after a dot ("tipo_contrato.nome").
type Facts struct {
	State     string      // field that groups records; "" for none
	StateName string      // heading of State, in Portuguese
	Day       string      // field with the day that dates a record; "" for none
	Cancelled string      // field that is "S" in a cancelled record; "" for none
	Amount    *Amount     // amount in reais; nil for none
	Dates     []Milestone // dated events, in the order of a record's life; may be nil
	Periods   string      // field with the periods in which the record holds, a list of {inicio, fim}; "" for none
	Measures  Measures    // what searches filter by
}

// Measures says what searches can filter by besides the fact that a source has records of an
// establishment.
type Measures struct {
	Total   bool // sum of the amounts that may be added; needs Facts.Amount
	Year    bool // years of the records; needs Facts.Day
	InForce bool // spans from Dates[0] to Dates[1], open where a date is absent; needs two Dates
}

// Any reports whether searches filter by anything that records must be read for.
func (s Measures) Any() bool { return s != Measures{} }

// Amount declares the field with the amount of a record and the rules of adding amounts up; package
// totals applies them.
type Amount struct {
	Field  string
	Name   string      // heading, in Portuguese
	Means  string      // sentence: what the sum is and what it is not
	Except []Exception // records whose amounts are not added
	Since  string      // AAAA-MM-DD: earlier amounts may be in another currency; "" for none
	Group  string      // group field: an amount repeated in a group counts once; "" for none
}

// Exception selects records by the value of one field, compared without regard to case.
type Exception struct {
	Field string
	Is    string // value that selects a record
	Not   bool   // select the records with any other value instead
	Why   string // what they are: ends a Portuguese sentence that begins with their number
}

// Milestone is a dated event of a record's life, for time lines.
type Milestone struct {
	Field  string   // with the day
	Text   string   // what happened, in Portuguese
	Detail []string // fields, or members of fields, that are shown with it
	Amount bool     // show the record's amount too
}

// MeasuredFields returns the names of the fields that Measures is computed from, sorted. Only these are
// read of all records when the filters of a load are written.
func (s *Source) MeasuredFields() []string {
	only := *s
	only.Facts.State, only.Facts.Cancelled, only.Facts.Periods = "", "", ""
	if !s.Facts.Measures.Total {
		only.Facts.Amount = nil
	}
	if !s.Facts.Measures.Year && (only.Facts.Amount == nil || only.Facts.Amount.Since == "") {
		only.Facts.Day = ""
	}
	only.Facts.Dates = nil
	for _, m := range s.Facts.Dates {
		if s.Facts.Measures.InForce {
			only.Facts.Dates = append(only.Facts.Dates, Milestone{Field: m.Field})
		}
	}
	return only.FactFields()
}

// FactFields returns the names of all fields that Facts refers to, sorted, each once; of a member
// it is the field's name.
func (s *Source) FactFields() []string {
	f := &s.Facts
	state, _ := Member(f.State)
	names := []string{state, f.Day, f.Cancelled, f.Periods}
	if a := f.Amount; a != nil {
		names = append(names, a.Field, a.Group)
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

// Member splits "field.member" into its parts; member is "" when the name is that of a whole field.
func Member(name string) (field, member string) {
	field, member, _ = strings.Cut(name, ".")
	return field, member
}

// debtFacts: only amounts of principal debtors are added, because every co-debtor's row repeats the
// whole amount.
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
		Dates:    []Milestone{{Field: "data_inscricao", Text: "Inscrição em dívida ativa", Detail: []string{"numero_inscricao"}, Amount: true}},
		Measures: Measures{Total: true},
	}
}

// sanctionFacts are the facts of CEIS; register is the name in the texts.
func sanctionFacts(register string) Facts {
	detail := []string{"categoria_sancao", "orgao_sancionador"}
	return Facts{
		State: "categoria_sancao", StateName: "Categoria", Day: "data_inicio_sancao",
		Dates: []Milestone{
			{Field: "data_inicio_sancao", Text: "Início de sanção (" + register + ")", Detail: detail},
			{Field: "data_final_sancao", Text: "Fim de sanção (" + register + ")", Detail: detail},
		},
		Measures: Measures{InForce: true},
	}
}

// fineFacts are the facts of CNEP: those of CEIS with a fine.
func fineFacts() Facts {
	f := sanctionFacts("CNEP")
	f.Amount = &Amount{Field: "valor_multa", Name: "Multa", Means: "Multas como publicadas; não se sabe quanto foi pago."}
	f.Dates[0].Amount = true
	return f
}

// agreementFacts are the facts of leniency agreements.
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

// noticeFacts: fines from before the real (1 July 1994) and fines of cancelled notices are not
// added.
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

// embargoFacts are the facts of IBAMA's embargoes.
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

// contractFacts are the facts of public contracts. text names the event of the signature, party the
// field with the other side. The global value belongs to the whole contract, so a subcontractor's
// records are not added, nor are contracts that bring revenue.
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

// supplierFacts are the facts of a supplier's contracts, which searches filter by.
func supplierFacts() Facts {
	f := contractFacts("Contrato público assinado", "orgao_entidade.razao_social")
	f.Measures = Measures{Total: true, Year: true}
	return f
}

// financingFacts: sub-credits of one contract with the same amount count once, since they may be
// the same money.
func financingFacts() Facts {
	return Facts{
		State: "situacao", StateName: "Situação", Day: "data_da_contratacao",
		Amount: &Amount{
			Field: "valor_contratado_reais", Name: "Contratado", Group: "numero_do_contrato",
			Means: "Valor contratado em reais da data, sem correção, que não é o desembolsado. Cada registro é uma operação ou um subcrédito, e um contrato pode ter vários.",
		},
		Dates:    []Milestone{{Field: "data_da_contratacao", Text: "Operação do BNDES contratada", Detail: []string{"produto"}, Amount: true}},
		Measures: Measures{Total: true, Year: true},
	}
}
