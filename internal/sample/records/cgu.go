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

// registers declares both registers: national and least volume, code of the first sanction, and of
// a thousand sanctions how many are of people and how many have no end.
var registers = [...]struct {
	source, name           string
	nation, least          int
	first, people, endless int
}{
	ceis: {"ceis", "CEIS", 23_720, 60, 60_000, 386, 85},
	cnep: {"cnep", "CNEP", 1_819, 30, 290_000, 15, 980},
}

// sanctionFile declares the table of a register.
func (s *sources) sanctionFile(k register) table.File {
	r := &registers[k]
	name := s.daily(0) + "_" + r.name
	return table.File{
		Folder: r.source, Name: name + ".zip", Member: name + ".csv", Dialect: cguDialect, To: s.volume(r.nation, r.least),
		Row: func(x int) row { return s.sanction(k, x) },
	}
}

// Positions, modulo oddRowInterval, of rows with an oddity. The smallest register holds all of
// them.
const (
	rowPerson      = 2  // always a person
	rowForeign     = 3  // no type of person, a foreign number
	rowUntyped     = 5  // no type of person, a CNPJ
	rowBranch      = 7  // a branch
	rowBrokenText  = 9  // line breaks, quotes and separators in a field
	rowCPFInText   = 11 // a CPF in free text
	rowWrongDigit  = 13 // wrong check digits
	rowPersonal    = 15 // the owner's CPF in the name
	rowRepeated    = 17 // the row above with another code; the last of them
	oddRowInterval = 4000
)

// sanction returns a row of CEIS or CNEP. Two in five of CEIS are of people, with full CPFs.
func (s *sources) sanction(k register, x int) row {
	r, odd, of := &registers[k], x%oddRowInterval, x
	if odd == rowRepeated {
		of--
	}
	d := s.Dice(draw.Sanction, uint64(k)<<40|uint64(of))
	cells := row{"CADASTRO", r.name, "CÓDIGO DA SANÇÃO", strconv.Itoa(r.first + x*7)}
	cells = append(cells, s.sanctioned(odd, r.people, &d)...)
	cells = append(cells, "NÚMERO DO PROCESSO", process(&d))
	if k == ceis {
		cells = append(cells, "CATEGORIA DA SANÇÃO", ceisCategory(&d))
	} else {
		cells = append(cells, cnepCategory(&d)...)
	}
	cells = append(cells, s.published(r.endless, &d)...)
	cells = append(cells, "ABRAGÊNCIA DA SANÇÃO", d.OneOf(
		"Sem Informação", "Sem Informação", "Em todos os Poderes da Esfera do órgão sancionador",
		"Em todos os Poderes da Esfera do órgão sancionador", "No órgão sancionador", "Todas as Esferas em todos os Poderes",
		"Na Esfera e no Poder do órgão sancionador",
	))
	body, uf, sphere := s.sanctioningBody(&d)
	return append(cells,
		"ÓRGÃO SANCIONADOR", body, "UF ÓRGÃO SANCIONADOR", uf, "ESFERA ÓRGÃO SANCIONADOR", sphere,
		"FUNDAMENTAÇÃO LEGAL", legalGround(k, &d),
		"DATA ORIGEM INFORMAÇÃO", s.BR(s.last-world.Day(d.N(900))),
		"ORIGEM INFORMAÇÕES", ifElse(d.Permille(300), "CNJ", body), "OBSERVAÇÕES", s.remarks(odd, &d),
	)
}

// sanctioned returns the columns that name whom a sanction is against; people is in a thousand.
func (s *sources) sanctioned(odd, people int, d *dice) row {
	who := func(kind, number, name, companyName, tradeName string) row {
		return row{
			"TIPO DE PESSOA", kind, "CPF OU CNPJ DO SANCIONADO", number, "NOME DO SANCIONADO", name,
			"NOME INFORMADO PELO ÓRGÃO SANCIONADOR", name, "RAZÃO SOCIAL - CADASTRO RECEITA", companyName,
			"NOME FANTASIA - CADASTRO RECEITA", tradeName,
		}
	}
	switch {
	case odd == rowForeign:
		return who("", table.Digits(d.N(1_000_000_000), 9), "FOREIGN SYNTHETIC TRADING CO", "", "")
	case odd == rowUntyped:
	case odd == rowPerson || odd > rowRepeated && d.Permille(people):
		id := s.Anyone(d)
		return who("F", s.CPF(id), s.Person(id, false), "", "")
	}
	fits := func(c *company) bool { return firm(c) || known(c) && d.Permille(100) }
	switch odd {
	case rowPersonal:
		fits = s.nameEndsInCPF
	case rowBranch:
		fits = branched
	}
	c := s.anywhere(d, fits)
	e := s.somewhere(d, &c, 15)
	if odd == rowBranch && c.Branches > 0 {
		e = s.Establishment(&c, 1)
	}
	number, name, tradeName := e.Full.String(), s.PlainName(&c), ""
	if odd == rowWrongDigit {
		number = wrongCheckDigit(number)
	}
	if d.Permille(500) {
		tradeName = s.TradeName(&c, d, world.NoTrap)
	}
	return who(ifElse(odd == rowUntyped, "", "J"), number, name, name, tradeName)
}

// process returns the number of an administrative proceeding in one of its forms.
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

// ceisCategory draws CATEGORIA DA SANÇÃO of CEIS with real frequencies.
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

// cnepCategory returns category and fine of CNEP. Sanctions other than fines have the value 0,00.
func cnepCategory(d *dice) row {
	const published = "Publicação extraordinária da decisão condenatória"
	if d.Permille(560) {
		return row{"CATEGORIA DA SANÇÃO", "Multa", "VALOR DA MULTA", table.Cents(d.Cents(1000, 4), ",")}
	}
	return row{"CATEGORIA DA SANÇÃO", d.OneOf(
		published, published, published, published, "Proibição de receber incentivos, subsídios, subvenções, doações ou empréstimos",
		"Suspensão/Interdição das atividades com prazo determinado", "Dissolução compulsória da pessoa jurídica", "Perdimento de bens",
	), "VALOR DA MULTA", "0,00"}
}

// published returns the dates of a sanction and where it was published; endless is in a thousand.
func (s *sources) published(endless int, d *dice) row {
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
	return row{
		"DATA INÍCIO SANÇÃO", s.BR(start), "DATA FINAL SANÇÃO", s.BR(end), "DATA PUBLICAÇÃO", s.BR(publication),
		"PUBLICAÇÃO", medium, "DETALHAMENTO DO MEIO DE PUBLICAÇÃO", "", "DATA DO TRÂNSITO EM JULGADO", s.BR(final),
	}
}

// sanctioningBody draws the agency: federal without a UF, of a state, or of a municipality.
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

// legalGround returns FUNDAMENTAÇÃO LEGAL. Several articles are joined by two semicolons.
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

// remarks returns OBSERVAÇÕES, at times with line breaks, quotes or a CPF.
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

// impediment returns a row of CEPIM: one agreement of a non-profit entity. Neighbouring rows often
// share their entity.
func (s *sources) impediment(x int) row {
	entity := s.Dice(draw.Impediment, uint64(x/2))
	if entity.Permille(300) {
		entity = s.Dice(draw.Impediment, 1<<40|uint64(x))
	}
	d := s.Dice(draw.Impediment, 2<<40|uint64(x))
	c := s.anywhere(&entity, func(c *company) bool {
		return (c.Kind.Style == world.Civic || c.Kind.Style == world.Religious) && known(c)
	})
	e := s.somewhere(&entity, &c, 100)
	return row{
		"CNPJ ENTIDADE", e.Full.String(), "NOME ENTIDADE", s.PlainName(&c),
		"NÚMERO CONVÊNIO", table.Digits(20_000+x*37%900_000, 6),
		"ÓRGÃO CONCEDENTE", d.OneOf("Ministério da Saúde", "Ministério da Cultura", "Ministério do Turismo", "Ministério da Educação",
			"Ministério do Desenvolvimento Agrário e Agricultura Familiar") + " - Unidades com vínculo direto",
		"MOTIVO DO IMPEDIMENTO", d.OneOf(
			"INSTAURACAO DE TOMADA DE CONTAS ESPECIAL", "INSTAURACAO DE TOMADA DE CONTAS ESPECIAL", "MOTIVO NÃO ESPECIFICADO",
			"NAO APRESENTACAO DE DOCUMENTACAO COMPLEMENTAR", "NAO APRESENTACAO DA PRESTACAO DE CONTAS",
			"IRREGULARIDADE NA EXECUCAO FINANCEIRA", "DESCUMPRIMENTO DE CLAUSULA/CONDICAO DO INSTR.",
		),
	}
}

// signatories is the number of rows of one leniency agreement.
const signatories = 3

// signatures, agreements and effects are numbers of rows of the two files, and of agreements. There
// are 173 effects for 151 signatures, as published.
func (s *sources) signatures() int { return s.volume(151, 24) }
func (s *sources) agreements() int { return (s.signatures() + signatories - 1) / signatories }
func (s *sources) effects() int    { return s.signatures() * 173 / 151 }

// agreementID returns ID DO ACORDO of agreement a.
func agreementID(a int) string { return strconv.Itoa(9_000_001 + a) }

// agreement returns a row of Acordos: one signatory of an agreement. The first is a company, the
// second another or a foreign one without a CNPJ, the third a branch of the first if it has any.
// The en dash and the misspelling in the headings are the publisher's.
func (s *sources) agreement(x int) row {
	a, k := x/signatories, x%signatories
	e := s.signatory(a, k)
	number, name, tradeName := e.Full.String(), s.PlainName(e.Company), ""
	switch {
	case a%8 == 1 && k == 1:
		number, name = "EXDRAGOVAL", "DRAGOVAL INDUSTRIES SE"
	case k == 0:
		d := s.Dice(draw.Signatory, uint64(x))
		tradeName = s.TradeName(e.Company, &d, world.NoTrap)
	}
	d := s.Dice(draw.Agreement, uint64(a))
	start := s.Between(&d, min(s.last, world.DayOf(2015, 1, 1)), s.last)
	end, informed := world.NoDay, s.last-agreementsLag
	if a%5 != 2 {
		end = start + world.Day(d.N(3650))
	}
	if a%6 == 3 {
		informed = world.NoDay
	}
	return row{
		"ID DO ACORDO", agreementID(a), "CNPJ DO SANCIONADO", number, "RAZÃO SOCIAL – CADASTRO RECEITA", name,
		"NOME FANTASIA – CADASTRO RECEITA", tradeName, "DATA DE INÍCIO DO ACORDO", s.BR(start),
		"DATA DE FIM DO ACORDO", s.BR(end),
		"SITUAÇÃO DO ACORDO DE LENIÊNICA", d.OneOf("Em Execução", "Em Execução", "Cumprido", "Rescindido"),
		"DATA DA INFORMAÇÃO", s.BR(informed),
		"NÚMERO DO PROCESSO", "00190." + table.Digits(100_000+a, 6) + "/2019-" + table.Digits(a%100, 2),
		"TERMOS DO ACORDO", [...]string{
			"Pagamento de multa e ressarcimento.\r\nAperfeiçoamento do programa de integridade.", "Termos publicados no sítio do órgão.", "",
		}[a%3],
		"ÓRGÃO SANCIONADOR", "Controladoria-Geral da União",
	}
}

// signatory derives the k-th signatory of agreement a.
func (s *sources) signatory(a, k int) world.Establishment {
	d := s.Dice(draw.Signatory, uint64(a)*signatories)
	first := s.anywhere(&d, branched)
	switch {
	case k == 0:
		return s.Establishment(&first, 0)
	case k == 2 && first.Branches > 0:
		return s.Establishment(&first, 1)
	}
	d = s.Dice(draw.Signatory, uint64(a)*signatories+uint64(k))
	other := s.anywhere(&d, func(c *company) bool { return firm(c) && c.Index != first.Index })
	return s.Establishment(&other, 0)
}

// effect returns a row of Efeitos. One agreement in seven has no effects.
func (s *sources) effect(x int) row {
	a := x * s.agreements() / s.effects()
	if a%7 == 6 {
		a--
	}
	return row{
		"ID DO ACORDO", agreementID(a),
		"EFEITO DO ACORDO DE LENIENCIA", [...]string{
			"Isenção da publicação extraordinária da decisão condenatória",
			"Redução da multa",
			"Isenção ou atenuação das sanções da Lei de Licitações",
		}[x%3],
		"COMPLEMENTO", ifElse(x%4 == 0, "Redução de até 2/3 (dois terços)", ""),
	}
}
