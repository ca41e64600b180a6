package records

import (
	"slices"
	"strconv"
	"strings"

	"razao/internal/sample/draw"
	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

const (
	longestClient = 55           // characters at which BNDES cuts a name
	bracketAt     = 45           // characters before a root in brackets
	noBank        = "----------" // not applicable
)

// automaticRows returns the rows of the automatic operations.
func (s *sources) automaticRows() int { return s.volume(2_360_000, 120) }

// client draws the establishment that an operation is with, one of the big company if big is set.
func (s *sources) client(d *dice, big bool, fits func(*company) bool) world.Establishment {
	if big {
		c := s.big()
		return s.somewhere(d, &c, 500)
	}
	return s.place(d, &s.clients, 80, func(c *company) bool { return firm(c) && fits(c) })
}

// link says how a masked operation relates to the registry, and so whether and how the loader can
// link it.
type link int

const (
	linkable     link = iota // mask, name and municipality agree
	inBrackets               // the root follows the name
	elsewhere                // another municipality: where the money was spent
	renamed                  // another name
	homonym                  // name and municipality of one company, mask of another
	nowhere                  // unknown municipality
	bracketsOnly             // the root follows the name, unknown municipality
	linkKinds
)

// linkShares holds how many operations in a thousand are of each kind.
var linkShares = [linkKinds]int{linkable: 560, inBrackets: 80, elsewhere: 150, renamed: 120, homonym: 30, nowhere: 30, bracketsOnly: 30}

// linkOf returns the kind of operation x. The first operations have one kind each, so that the
// smallest sample has all.
func linkOf(x int, d *dice) link {
	if x < int(linkKinds) { // every one occurs in the smallest sample
		return link(x)
	}
	return link(draw.Rung(d.N(1000), linkShares[:]...))
}

// rowLongName is the position of an operation whose client's name is longer than longestClient.
const rowLongName = 10

// automatic returns a row of the automatic operations: through a bank, with a masked CNPJ. A third
// of them, up to 4000, are the big company's.
func (s *sources) automatic(x int) row {
	d := s.Dice(draw.Financing, uint64(x))
	k, total := linkOf(x, &d), s.automaticRows()
	big := x > rowLongName && d.N(total) < min(total/3, 4000)
	e := s.client(&d, big, func(c *company) bool { return x != rowLongName || len(s.PlainName(c)) > longestClient })
	name, city, masked := s.PlainName(e.Company), &s.Cities[e.City], e.Full.String()
	switch k {
	case elsewhere:
		city = &s.Cities[s.Population.Pick(&d)]
	case renamed:
		former := s.anywhere(&d, firm)
		name = s.PlainName(&former)
	case homonym:
		other := s.anywhere(&d, func(c *company) bool { return firm(c) && c.Index != e.Company.Index })
		masked = other.Root.String() + masked[8:]
	}
	uf, municipality, municipalityCode := placeOf(city, x, k == nowhere || k == bracketsOnly)
	signed := s.Between(&d, min(s.last, world.DayOf(2002, 1, 2)), s.last)
	if x == 0 {
		signed = s.last // the files are dated by their newest operation only
	}
	reais := strconv.Itoa(d.Cents(2000, 3) / 100)
	paid := reais
	switch d.N(8) {
	case 0:
		paid = ""
	case 1:
		paid = "0"
	default:
		paid += "," + strconv.Itoa(d.N(100))
	}
	product := d.OneOf("BNDES FINAME", "BNDES AUTOMÁTICO")
	instrument := d.OneOf("BK AQUISIÇÃO E COMERCIALIZAÇÃO – ÔNIBUS E CAMINHÃO", "BK AQUISIÇÃO E COMERCIALIZAÇÃO - DEMAIS", "PROGRAMA BNDES MAIS INOVAÇÃO")
	bank, bankNumber := s.bank()
	return slices.Concat(
		row{
			"cliente", clientText(name, e.Company, k == inBrackets || k == bracketsOnly),
			"cpf_cnpj", "**.*" + masked[3:5] + "." + masked[5:8] + "/" + masked[8:12] + "-**", "uf", " " + uf,
			"municipio", municipality, "municipio_codigo", municipalityCode, "data_da_contratacao", s.ISO(signed),
			"valor_da_operacao_em_reais", reais, "valor_desembolsado_reais", paid,
		},
		conditions(&d, "INDIRETA", product, instrument),
		s.trade(e.Company, "INFRA-ESTRUTURA", &d),
		row{
			"natureza_do_cliente", "PRIVADA", "instituicao_financeira_credenciada", bank,
			"cnpj_do_agente_financeiro", strings.Replace(bankNumber, "/", ".", 1),
			"situacao_da_operacao", d.OneOf("ATIVA", "LIQUIDADA", "LIQUIDADA"),
		},
	)
}

// clientText returns a client's name as BNDES cuts it, with or without the root in the last ten
// characters.
func clientText(name string, c *company, root bool) string {
	if !root {
		return name[:min(len(name), longestClient)]
	}
	name = name[:min(len(name), bracketAt)]
	return name + strings.Repeat(" ", bracketAt-len(name)) + "(" + c.Root.String() + ")"
}

// placeOf returns uf, municipio and municipio_codigo: at times unknown, at times with ".0" behind
// the code.
func placeOf(city *world.City, x int, unknown bool) (uf, name, code string) {
	switch {
	case unknown && x%2 == 0:
		return city.UF, "SEM MUNICÍPIO", "0"
	case unknown:
		return city.UF, "DIVERSOS", "9999999"
	case x%90 == 17:
		return city.UF, city.Name, city.IBGE + ".0"
	}
	return city.UF, city.Name, city.IBGE
}

// conditions returns the terms of an operation.
func conditions(d *dice, form, product, instrument string) row {
	return row{
		"fonte_de_recurso_desembolsos", d.OneOf("-", "RECURSOS LIVRES - PRÓPRIOS", "RECURSOS LIVRES - FAT", "RECURSOS LIVRES - FAT / RECURSOS LIVRES - TESOURO"),
		"custo_financeiro", d.OneOf("TAXA FIXA", "TAXA FIXA", "TLP", "TJLP", "SELIC", "SEM CUSTO"),
		"juros", strings.TrimSuffix(table.Cents(d.N(2200), ","), "0"), "prazo_carencia_meses", strconv.Itoa(d.N(5) * 3),
		"prazo_amortizacao_meses", strconv.Itoa(12 + d.N(8)*12),
		"modalidade_de_apoio", d.OneOf("REEMBOLSÁVEL", "REEMBOLSÁVEL", "REEMBOLSÁVEL", "NÃO REEMBOLSÁVEL"),
		"forma_de_apoio", form, "produto", product, "instrumento_financeiro", instrument,
		"inovacao", d.OneOf("NÃO", "NÃO   ", "SIM"),
		"area_operacional", d.OneOf("AREA DE OPERACOES E CANAIS DIGITAIS", "AREA DE INFRAESTRUTURA"),
	}
}

// trade returns the columns on the client's sector.
func (s *sources) trade(c *company, infrastructure string, d *dice) row {
	a := &s.Activities[c.Activity]
	section := sectionOf(a.Code)
	group, sector, subsector := "Comércio", "COMERCIO/SERVICOS", "COMÉRCIO E SERVIÇOS"
	switch section {
	case "H":
		group, sector, subsector = "Transporte terrestre", infrastructure, "TRANSPORTE RODOVIÁRIO"
	case "F":
		group = "Construção"
	case "C":
		group = "Produtos Alimentícios"
	}
	return row{
		"setor_cnae", ifElse(section == "C", "INDUSTRIA DE TRANSFORMAÇÃO    ", "COMERCIO E SERVICOS           "),
		"subsetor_cnae_agrupado", group, "subsetor_cnae_codigo", section + a.Code,
		"subsetor_cnae_nome", a.Title + "   ", "setor_bndes", sector, "subsetor_bndes", subsector,
		"porte_do_cliente", d.OneOf("MICRO", "MICRO", "PEQUENA", "MÉDIA", "GRANDE"),
	}
}

// bank returns name and CNPJ of the lender, the giant that is a bank.
func (s *sources) bank() (name, number string) {
	c := s.Company(s.Giants[len(s.Giants)-1].Index)
	return s.PlainName(&c), s.Establishment(&c, 0).Full.Masked()
}

// direct returns a row of the other operations: one of the three sub-credits of a contract, with a
// full CNPJ. The last two have the same amounts.
func (s *sources) direct(x int) row {
	contract := x / 3
	d := s.Dice(draw.Financing, 1<<40|uint64(contract))
	e := s.client(&d, contract%3 == 0, func(*company) bool { return true })
	if contract == 3 {
		e = s.anyBranch(&d)
	}
	project := d.OneOf("AQUISICAO DE FROTA; EXPANSAO DE TERMINAL                        ", "MODERNIZACAO DE UNIDADE                 ",
		"INOVACAO E \"FABRICA DIGITAL\"; PROJETO SOCIAL")
	uf, municipality, municipalityCode := placeOf(&s.Cities[e.City], x, contract%10 == 7)
	signed := s.Between(&d, min(s.last, world.DayOf(2002, 1, 2)), s.last)
	part := s.Dice(draw.Financing, 2<<40|uint64(x-x%3/2)) // the third sub-credit equals the second
	agreed, paid := strconv.Itoa(part.Cents(10_000, 4)/100)+",0", ""
	if !part.Permille(100) {
		paid = strconv.Itoa(part.Cents(10_000, 4)/100) + "," + strconv.Itoa(part.N(10))
	}
	form, bank, bankNumber := d.OneOf("DIRETA", "DIRETA", "INDIRETA"), noBank, noBank
	if form != "DIRETA" {
		bank, bankNumber = s.bank()
	}
	return slices.Concat(
		row{
			"cliente", clientText(s.PlainName(e.Company), e.Company, false), "cnpj", e.Full.Masked(),
			"descricao_do_projeto", project, "uf", uf, "municipio", municipality, "municipio_codigo", municipalityCode,
			"numero_do_contrato", strconv.Itoa(24_900_000 + contract), "data_da_contratacao", s.ISO(signed),
			"valor_contratado_reais", agreed, "valor_desembolsado_reais", paid,
		},
		conditions(&part, form, "BNDES FINEM", "CAPACIDADE PRODUTIVA - DEMAIS INDÚSTRIA E SERVIÇOS"),
		s.trade(e.Company, "INFRAESTRUTURA", &d),
		row{
			"natureza_do_cliente", d.OneOf("PRIVADA             ", "PRIVADA             ", "ADMINISTRAÇÃO PÚBLICA INDIRETA"),
			"instituicao_financeira_credenciada", bank, "cnpj_da_instituicao_financeira_credenciada", bankNumber,
			"tipo_de_garantia", d.OneOf("PESSOAL", "REAL / PESSOAL", noBank), "tipo_de_excepcionalidade", noBank,
			"situacao_do_contrato", d.OneOf("ATIVO", "LIQUIDADO"),
		},
	)
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
