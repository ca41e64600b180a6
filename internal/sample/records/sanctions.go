package records

import (
	"strconv"

	"razao/internal/sample/draw"
	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

// register is one of the two registers of sanctions of CGU.
type register int

const (
	ceis register = iota
	cnep
)

// registers has the rows nationwide and at least, the code of the first sanction, and of a thousand sanctions those of
// people and those without an end.
var registers = [...]struct {
	source, name           string
	nation, least          int
	first, people, endless int
}{
	ceis: {"ceis", "CEIS", 23_720, 60, 60_000, 386, 85},
	cnep: {"cnep", "CNEP", 1_819, 30, 290_000, 15, 980},
}

func (s *sources) sanctionSheet(k register) sheet {
	r := &registers[k]
	name := s.daily(0) + "_" + r.name
	return sheet{
		source: r.source, name: name + ".zip", member: name + ".csv", dialect: cguDialect, to: s.volume(r.nation, r.least),
		row: func(x int) []cell { return s.sanction(k, x) },
	}
}

// Rows of every register, also of the smallest, that show an oddity. They come back every oddRowInterval rows.
const (
	rowPerson      = 2  // always a person
	rowForeign     = 3  // no type of person, a foreign number
	rowUntyped     = 5  // no type of person, a CNPJ
	rowBranch      = 7  // a branch
	rowBrokenText  = 9  // line breaks, quotes and separators in a field
	rowCPFInText   = 11 // a person's number in free text
	rowSpoiled     = 13 // wrong check digits
	rowPersonal    = 15 // the owner's number in the name
	rowRepeated    = 17 // the row above with another code; the last of them
	oddRowInterval = 4000
)

// sanction returns a row. Two in five of CEIS are of people, with full numbers.
func (s *sources) sanction(k register, x int) []cell {
	r, odd, of := &registers[k], x%oddRowInterval, x
	if odd == rowRepeated {
		of--
	}
	d := s.Dice(draw.Sanction, uint64(k)<<40|uint64(of))
	who := s.sanctioned(odd, r.people, &d)
	cells := []cell{
		{"CADASTRO", r.name},
		{"CÓDIGO DA SANÇÃO", strconv.Itoa(r.first + x*7)},
		{"TIPO DE PESSOA", who.kind},
		{"CPF OU CNPJ DO SANCIONADO", who.number},
		{"NOME DO SANCIONADO", who.name},
		{"NOME INFORMADO PELO ÓRGÃO SANCIONADOR", who.name},
		{"RAZÃO SOCIAL - CADASTRO RECEITA", who.companyName},
		{"NOME FANTASIA - CADASTRO RECEITA", who.tradeName},
		{"NÚMERO DO PROCESSO", process(&d)},
	}
	if k == ceis {
		cells = append(cells, cell{"CATEGORIA DA SANÇÃO", ceisCategory(&d)})
	} else {
		category, fine := cnepCategory(&d)
		cells = append(cells, cell{"CATEGORIA DA SANÇÃO", category}, cell{"VALOR DA MULTA", fine})
	}
	cells = append(cells, s.published(r.endless, &d)...)
	cells = append(cells, cell{"ABRAGÊNCIA DA SANÇÃO", d.OneOf(
		"Sem Informação", "Sem Informação", "Em todos os Poderes da Esfera do órgão sancionador",
		"Em todos os Poderes da Esfera do órgão sancionador", "No órgão sancionador", "Todas as Esferas em todos os Poderes",
		"Na Esfera e no Poder do órgão sancionador",
	)})
	body, uf, sphere := s.sanctioningBody(&d)
	return append(cells,
		cell{"ÓRGÃO SANCIONADOR", body},
		cell{"UF ÓRGÃO SANCIONADOR", uf},
		cell{"ESFERA ÓRGÃO SANCIONADOR", sphere},
		cell{"FUNDAMENTAÇÃO LEGAL", legalGround(k, &d)},
		cell{"DATA ORIGEM INFORMAÇÃO", s.BR(s.last - world.Day(d.N(900)))},
		cell{"ORIGEM INFORMAÇÕES", choose(d.Permille(300), "CNJ", body)},
		cell{"OBSERVAÇÕES", s.remarks(odd, &d)},
	)
}

// sanctioned is whom a sanction is against.
type sanctioned struct{ kind, number, name, companyName, tradeName string }

func (s *sources) sanctioned(odd, people int, d *dice) sanctioned {
	switch {
	case odd == rowForeign:
		const name = "FOREIGN SYNTHETIC TRADING CO"
		return sanctioned{number: table.Digits(d.N(1_000_000_000), 9), name: name}
	case odd == rowUntyped:
	case odd == rowPerson || odd > rowRepeated && d.Permille(people):
		id := s.Anyone(d)
		return sanctioned{kind: "F", number: s.CPF(id), name: s.Person(id, false)}
	}
	fits := func(c *company) bool { return firm(c) || known(c) && d.Permille(100) }
	switch odd {
	case rowPersonal:
		fits = s.nameEndsInCPF
	case rowBranch:
		fits = branched
	}
	c := s.find(d, fits)
	e := s.somewhere(d, &c, 15)
	if odd == rowBranch && c.Branches > 0 {
		e = s.Establishment(&c, 1)
	}
	who := sanctioned{kind: choose(odd == rowUntyped, "", "J"), number: e.Full.String(), name: s.PlainName(&c)}
	who.companyName = who.name
	if odd == rowSpoiled {
		who.number = spoiled(who.number)
	}
	if d.Permille(500) {
		who.tradeName = s.TradeName(&c, d, world.NoTrap)
	}
	return who
}

// process returns the number of an administrative proceeding in one of its many forms.
func process(d *dice) string {
	switch d.N(4) {
	case 0:
		return "PREGÃO N. " + table.Digits(1+d.N(200), 3) + "/" + table.Digits(2010+d.N(16), 4)
	case 1:
		return table.Digits(1_000_000_000+d.N(8_000_000_000), 13)
	}
	return table.Digits(d.N(100_000), 5) + "." + table.Digits(d.N(1_000_000), 6) + "/" + table.Digits(2010+d.N(16), 4) +
		"-" + table.Digits(d.N(100), 2)
}

func ceisCategory(d *dice) string {
	if usual := draw.Ladder(d.N(1000), []int{750, 120, 60, 54, 8},
		"Impedimento/proibição de contratar com prazo determinado",
		"Suspensão",
		"Declaração de Inidoneidade sem prazo determinado",
		"Declaração de Inidoneidade com prazo determinado",
		"Impedimento/proibição de contratar sem prazo determinado",
	); usual != "" {
		return usual
	}
	return d.OneOf("Demissão", "Suspensão/Interdição das atividades com prazo determinado")
}

func cnepCategory(d *dice) (category, fine string) {
	const published = "Publicação extraordinária da decisão condenatória"
	if d.Permille(560) {
		return "Multa", table.Cents(d.Cents(1000, 4), ",")
	}
	return d.OneOf(published, published, published, published, "Proibição de receber incentivos, subsídios, subvenções, doações ou empréstimos",
		"Suspensão/Interdição das atividades com prazo determinado", "Dissolução compulsória da pessoa jurídica", "Perdimento de bens"), "0,00"
}

// published returns when a sanction holds and where it was published.
func (s *sources) published(endless int, d *dice) []cell {
	start := s.Within(s.last - world.Day(d.Skewed(4000)))
	end, publication, medium, final := world.NoDay, world.NoDay, "Sem Informação", world.NoDay
	if !d.Permille(endless) {
		end = start + world.Day(180+d.N(1800))
	}
	if !d.Permille(150) {
		publication = start
		medium = d.OneOf("Diário Oficial da União", "Diário Oficial do Estado", "Diário Oficial do Município") +
			" Seção 3 Pagina " + strconv.Itoa(1+d.N(300))
	}
	if d.Permille(200) {
		final = start - world.Day(d.N(90))
	}
	return []cell{
		{"DATA INÍCIO SANÇÃO", s.BR(start)},
		{"DATA FINAL SANÇÃO", s.BR(end)},
		{"DATA PUBLICAÇÃO", s.BR(publication)},
		{"PUBLICAÇÃO", medium},
		{"DETALHAMENTO DO MEIO DE PUBLICAÇÃO", ""},
		{"DATA DO TRÂNSITO EM JULGADO", s.BR(final)},
	}
}

func (s *sources) sanctioningBody(d *dice) (body, uf, sphere string) {
	city := &s.Cities[s.Population.Pick(d)]
	switch d.N(3) {
	case 0:
		return d.OneOf("Controladoria-Geral da União", "Ministério da Saúde", "Ministério da Educação", "Comando do Exército"), "", "FEDERAL"
	case 1:
		return "Governo do Estado (" + city.UF + ")", city.UF, "ESTADUAL"
	}
	return "Prefeitura Municipal de " + city.Title + " (" + city.UF + ")", city.UF, "MUNICIPAL"
}

// legalGround returns FUNDAMENTAÇÃO LEGAL. Two semicolons stand between two articles.
func legalGround(k register, d *dice) string {
	const (
		bids8666 = "LEI 8666 - ART. 87, III - PELA INEXECUÇÃO TOTAL OU PARCIAL DO CONTRATO A ADMINISTRAÇÃO PODERÁ, GARANTIDA A PRÉVIA DEFESA, APLICAR AO CONTRATADO AS SEGUINTES SANÇÕES: III - SUSPENSÃO TEMPORÁRIA DE PARTICIPAÇÃO EM LICITAÇÃO E IMPEDIMENTO DE CONTRATAR COM A ADMINISTRAÇÃO, POR PRAZO NÃO SUPERIOR A 2 (DOIS) ANOS;"
		auction  = "LEI 10520 - ART. 7 - QUEM, CONVOCADO DENTRO DO PRAZO DE VALIDADE DA SUA PROPOSTA, NÃO CELEBRAR O CONTRATO, FICARÁ IMPEDIDO DE LICITAR E CONTRATAR COM A UNIÃO, ESTADOS, DISTRITO FEDERAL OU MUNICÍPIOS"
		bids     = "LEI 14133 - ART. 156, III - IMPEDIMENTO DE LICITAR E CONTRATAR"
		probity  = "LEI 8429 - ART. 12 - INDEPENDENTEMENTE DAS SANÇÕES PENAIS, CIVIS E ADMINISTRATIVAS PREVISTAS NA LEGISLAÇÃO ESPECÍFICA, ESTÁ O RESPONSÁVEL PELO ATO DE IMPROBIDADE SUJEITO ÀS SEGUINTES COMINAÇÕES, QUE PODEM SER APLICADAS ISOLADA OU CUMULATIVAMENTE, DE ACORDO COM A GRAVIDADE DO FATO"
	)
	if k == cnep {
		return "LEI 12846 - ART. 6º, I e II - MULTA E PUBLICAÇÃO EXTRAORDINÁRIA DA DECISÃO CONDENATÓRIA"
	}
	return d.OneOf(bids8666, auction, bids, probity, bids8666+";"+auction)
}

// remarks returns OBSERVAÇÕES.
func (s *sources) remarks(odd int, d *dice) string {
	switch {
	case odd == rowBrokenText:
		return "Primeira linha da observação\r\nsegunda linha com \"aspas\"; e ponto e vírgula"
	case odd == rowCPFInText:
		id := s.Anyone(d)
		return "Representada por " + s.Person(id, false) + ", CPF " + dotted(s.CPF(id)) + "."
	case d.Permille(40):
		return "Prazo contado da publicação.\r\nProcesso arquivado."
	case d.Permille(200):
		return "Sanção registrada a pedido do órgão."
	}
	return ""
}

// impediment returns a row of CEPIM: one agreement of a body without profit; about every second body has several.
func (s *sources) impediment(x int) []cell {
	entity := s.Dice(draw.Impediment, uint64(x/2))
	if entity.Permille(300) {
		entity = s.Dice(draw.Impediment, 1<<40|uint64(x))
	}
	d := s.Dice(draw.Impediment, 2<<40|uint64(x))
	c := s.find(&entity, func(c *company) bool {
		return (c.Kind.Style == world.Civic || c.Kind.Style == world.Religious) && known(c)
	})
	e := s.somewhere(&entity, &c, 100)
	return []cell{
		{"CNPJ ENTIDADE", e.Full.String()},
		{"NOME ENTIDADE", s.PlainName(&c)},
		{"NÚMERO CONVÊNIO", table.Digits(20_000+x*37%900_000, 6)},
		{"ÓRGÃO CONCEDENTE", d.OneOf("Ministério da Saúde", "Ministério da Cultura", "Ministério do Turismo", "Ministério da Educação",
			"Ministério do Desenvolvimento Agrário e Agricultura Familiar") + " - Unidades com vínculo direto"},
		{"MOTIVO DO IMPEDIMENTO", d.OneOf(
			"INSTAURACAO DE TOMADA DE CONTAS ESPECIAL", "INSTAURACAO DE TOMADA DE CONTAS ESPECIAL", "MOTIVO NÃO ESPECIFICADO",
			"NAO APRESENTACAO DE DOCUMENTACAO COMPLEMENTAR", "NAO APRESENTACAO DA PRESTACAO DE CONTAS",
			"IRREGULARIDADE NA EXECUCAO FINANCEIRA", "DESCUMPRIMENTO DE CLAUSULA/CONDICAO DO INSTR.",
		)},
	}
}
