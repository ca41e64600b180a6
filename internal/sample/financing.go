package sample

import (
	"slices"
	"strconv"
	"strings"

	"razao/internal/sample/country"
)

const (
	longestClient = 55           // characters at which BNDES cuts a name
	bracketAt     = 45           // characters before a root in brackets
	noBank        = "----------" // not applicable
)

// financingFiles declares the two tables of BNDES.
func (s *sources) financingFiles() []file {
	f := file{folder: "bndes", group: "bndes", dialect: bndesDialect}
	automatic, direct := f, f
	automatic.name = "operacoes-financiamento-operacoes-indiretas-automaticas.csv"
	direct.name = "operacoes-financiamento-operacoes-nao-automaticas.csv"
	indirect, others := s.first.operations()
	return []file{indirect.whole(automatic, s.Country, s.Months), others.whole(direct, s.Country, s.Months)}
}

// operations declares the rows of the two tables. None ever leaves: more is disbursed, and loans are paid off.
func (s *sources) operations() (automatic, direct living) {
	of := fates{raised: 5, edited: 10}
	automatic = living{source: "bndes", topic: lifeOfAutomatic, rows: s.automaticRows(), fates: of, unit: itself, record: s.automatic}
	direct = living{source: "bndes", topic: lifeOfDirect, rows: s.volume(23_339, 36), fates: of, unit: itself, record: s.direct}
	return automatic, direct
}

func (s *sources) automaticRows() int { return s.volume(2_360_000, 120) }

// client draws the establishment that an operation is with.
func (s *sources) client(d *dice, giant bool) country.Establishment {
	if giant {
		return s.somewhere(d, s.giant, 500)
	}
	return s.somewhere(d, s.find(d, 50, (*company).Firm), 80)
}

// automatic returns a row of the automatic operations: through a bank, with a masked CNPJ. A third
// of them, up to 4000, are the giant's. Loaders link an operation to its company by mask, name and
// municipality, or by the root that follows the name; a fifth of the operations, where the money
// was spent elsewhere, cannot be linked.
func (s *sources) automatic(x int, l life) row {
	d := s.Dice(ofFinancing, uint64(x))
	e := s.client(&d, ofGiant(&d, s.automaticRows(), 3, 4000))
	name, masked, city := s.Name(e.Company), e.Full.Masked(), &s.Cities[e.City]
	switch {
	case d.Permille(200):
		city = &s.Cities[s.Population.Pick(&d)]
	case d.Permille(100):
		name = cut(name, bracketAt)
		name += strings.Repeat(" ", bracketAt-len(name)) + "(" + e.Full.String()[:8] + ")"
	}
	signed := s.since(&d, country.DayOf(2002, 1, 2), l)
	if all, _ := s.operations(); x == 0 || l.known > 0 && x == all.upTo(l.known-1) {
		signed = s.until(l.known) // the files are dated by their newest operation only
	}
	amount := d.Cents(2000, 3)
	disbursed := d.OneOf(reais(amount), reais(amount), "0")
	if l.raises > 0 {
		disbursed = reais(amount)
	}
	bank, bankNumber := s.bank()
	return slices.Concat(
		row{
			"cliente", cut(name, longestClient), "cpf_cnpj", "**.*" + masked[4:16] + "**", "uf", " " + city.UF,
			"municipio", city.RFBName, "municipio_codigo", city.IBGE, "data_da_contratacao", s.ISO(signed),
			"valor_da_operacao_em_reais", reais(amount), "valor_desembolsado_reais", disbursed,
		},
		conditions(&d, "INDIRETA", d.OneOf("BNDES FINAME", "BNDES AUTOMÁTICO"),
			d.OneOf("BK AQUISIÇÃO E COMERCIALIZAÇÃO – ÔNIBUS E CAMINHÃO", "PROGRAMA BNDES MAIS INOVAÇÃO")),
		s.sector(e.Company, &d),
		row{
			"natureza_do_cliente", "PRIVADA", "instituicao_financeira_credenciada", bank, "cnpj_do_agente_financeiro", bankNumber,
			"situacao_da_operacao", paid(d.OneOf("ATIVA", "LIQUIDADA", "LIQUIDADA"), "LIQUIDADA", l),
		},
	)
}

// direct returns a row of the other operations: one of the three sub-credits of a contract, with a
// full CNPJ.
func (s *sources) direct(x int, l life) row {
	contract := x / 3
	d, part := s.Dice(ofFinancing, 1<<40|uint64(contract)), s.Dice(ofFinancing, 2<<40|uint64(x))
	e := s.client(&d, contract%3 == 0)
	city := &s.Cities[e.City]
	all := life{known: l.known} // of the contract, in whose month its other parts are, too
	if _, direct := s.operations(); l.known > 0 {
		all.known = direct.known(x - x%3)
	}
	signed := s.since(&d, country.DayOf(2002, 1, 2), all)
	agreed := part.Cents(10_000, 4)
	form, bank, bankNumber := d.OneOf("DIRETA", "DIRETA", "INDIRETA"), noBank, noBank
	if form != "DIRETA" {
		bank, bankNumber = s.bank()
	}
	return slices.Concat(
		row{
			"cliente", cut(s.Name(e.Company), longestClient), "cnpj", e.Full.Masked(),
			"descricao_do_projeto", d.OneOf("AQUISICAO DE FROTA; EXPANSAO DE TERMINAL", "MODERNIZACAO DE UNIDADE", "INOVACAO E FABRICA DIGITAL"),
			"uf", city.UF, "municipio", city.RFBName, "municipio_codigo", city.IBGE,
			"numero_do_contrato", strconv.Itoa(24_900_000 + contract), "data_da_contratacao", s.ISO(signed),
			"valor_contratado_reais", reais(agreed) + ",0", "valor_desembolsado_reais", reais(min(agreed, agreed*(part.N(11)+l.raises)/10)) + ",0",
		},
		conditions(&part, form, "BNDES FINEM", "CAPACIDADE PRODUTIVA - DEMAIS INDÚSTRIA E SERVIÇOS"),
		s.sector(e.Company, &d),
		row{
			"natureza_do_cliente", "PRIVADA", "instituicao_financeira_credenciada", bank,
			"cnpj_da_instituicao_financeira_credenciada", bankNumber, "tipo_de_garantia", d.OneOf("PESSOAL", "REAL / PESSOAL", noBank),
			"tipo_de_excepcionalidade", noBank, "situacao_do_contrato", paid(d.OneOf("ATIVO", "LIQUIDADO"), "LIQUIDADO", l),
		},
	)
}

// paid returns the state of an operation, which is paid off once it has changed.
func paid(state, off string, l life) string { return either(l.edits > 0, off, state) }

// conditions returns the terms of an operation.
func conditions(d *dice, form, product, instrument string) row {
	return row{
		"fonte_de_recurso_desembolsos", d.OneOf("-", "RECURSOS LIVRES - PRÓPRIOS", "RECURSOS LIVRES - FAT"),
		"custo_financeiro", d.OneOf("TAXA FIXA", "TAXA FIXA", "TLP", "TJLP", "SELIC"), "juros", cents(d.N(2200), ","),
		"prazo_carencia_meses", strconv.Itoa(d.N(5) * 3), "prazo_amortizacao_meses", strconv.Itoa(12 + d.N(8)*12),
		"modalidade_de_apoio", "REEMBOLSÁVEL", "forma_de_apoio", form, "produto", product, "instrumento_financeiro", instrument,
		"inovacao", d.OneOf("NÃO", "NÃO", "SIM"), "area_operacional", d.OneOf("AREA DE OPERACOES E CANAIS DIGITAIS", "AREA DE INFRAESTRUTURA"),
	}
}

// sector returns the columns on the client's sector.
func (s *sources) sector(c *company, d *dice) row {
	a := &s.Activities[c.Activity]
	section := sectionOf(a.Code)
	wide, group, sector, subsector := "COMERCIO E SERVICOS", "Comércio", "COMERCIO/SERVICOS", "COMÉRCIO E SERVIÇOS"
	switch section {
	case "H":
		group, sector, subsector = "Transporte terrestre", "INFRAESTRUTURA", "TRANSPORTE RODOVIÁRIO"
	case "F":
		group = "Construção"
	case "C":
		wide, group = "INDUSTRIA DE TRANSFORMAÇÃO", "Produtos Alimentícios"
	}
	return row{
		"setor_cnae", wide, "subsetor_cnae_agrupado", group, "subsetor_cnae_codigo", section + a.Code,
		"subsetor_cnae_nome", strings.ToUpper(a.Title), "setor_bndes", sector, "subsetor_bndes", subsector,
		"porte_do_cliente", d.OneOf("MICRO", "MICRO", "PEQUENA", "MÉDIA", "GRANDE"),
	}
}

// bank returns name and CNPJ of the lender, the giant that is a bank.
func (s *sources) bank() (name, number string) {
	c := s.Company(s.Giants[len(s.Giants)-1].Index)
	return s.Name(&c), s.Establishment(&c, 0).Full.Masked()
}

// sectionOf returns the letter of the CNAE section of an activity. The table lists the last
// division of each section.
func sectionOf(code string) string {
	const lastDivisions = "03A09B33C35D39E43F47G53H56I63J66K68L75M82N84O85P88Q93R96S97T99U"
	for i := 0; i < len(lastDivisions); i += 3 {
		if code[:2] <= lastDivisions[i:i+2] {
			return lastDivisions[i+2 : i+3]
		}
	}
	return "S"
}
