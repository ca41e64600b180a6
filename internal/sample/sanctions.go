package sample

import "fmt"

// register is one of the two registers of sanctions of CGU.
type register int

const (
	ceis register = iota
	cnep
)

// cguDialect is that of all tables of CGU.
var cguDialect = dialect{quoting: always, eol: "\r\n", windows: true}

const (
	sanctionStart = "CADASTRO;CÓDIGO DA SANÇÃO;TIPO DE PESSOA;CPF OU CNPJ DO SANCIONADO;NOME DO SANCIONADO;NOME INFORMADO PELO ÓRGÃO SANCIONADOR;RAZÃO SOCIAL - CADASTRO RECEITA;NOME FANTASIA - CADASTRO RECEITA;NÚMERO DO PROCESSO;CATEGORIA DA SANÇÃO"
	sanctionEnd   = ";DATA INÍCIO SANÇÃO;DATA FINAL SANÇÃO;DATA PUBLICAÇÃO;PUBLICAÇÃO;DETALHAMENTO DO MEIO DE PUBLICAÇÃO;DATA DO TRÂNSITO EM JULGADO;ABRAGÊNCIA DA SANÇÃO;ÓRGÃO SANCIONADOR;UF ÓRGÃO SANCIONADOR;ESFERA ÓRGÃO SANCIONADOR;FUNDAMENTAÇÃO LEGAL;DATA ORIGEM INFORMAÇÃO;ORIGEM INFORMAÇÕES;OBSERVAÇÕES"
)

func (s *sources) sanctionFiles(r register) []file {
	name, columns, rows := "CEIS", sanctionStart+sanctionEnd, s.inProportion(23_720, 60)
	if r == cnep {
		name, columns, rows = "CNEP", sanctionStart+";VALOR DA MULTA"+sanctionEnd, s.inProportion(1_819, 30)
	}
	return []file{s.cguFile(s.daily(0)+"_"+name, s.daily(0)+"_"+name, columns, rows, func(l *line, x int) {
		s.sanctionRow(l, r, name, x)
	})}
}

func (s *sources) cguFile(zip, member, columns string, rows int, row func(*line, int)) file {
	return file{
		name: zip + ".zip", member: member + ".csv", header: cguDialect.header(columns),
		from: 0, to: rows, rows: cguDialect.rows(row),
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

// sanctionRow appends a sanction. Two in five of CEIS are of people, with full numbers.
func (s *sources) sanctionRow(l *line, r register, name string, x int) {
	odd := x % oddRowInterval
	of := x
	if odd == rowRepeated {
		of--
	}
	d := newDice(s.seed, topicSanction, uint64(r)<<40|uint64(of))
	l.field(name)
	l.number([...]int{ceis: 60_000, cnep: 290_000}[r] + x*7)
	people := [...]int{ceis: 386, cnep: 15}[r]
	s.sanctioned(l, odd, people, &d)
	l.next()
	l.b = appendProcess(l.b, &d)
	if r == ceis {
		l.field(ceisCategory(&d))
	} else {
		cnepCategory(l, &d)
	}
	s.sanctionDates(l, r, &d)
	body := s.sanctioningBody(l, &d)
	l.field(legalGround(r, &d))
	l.brDate(s.calendar, s.last-day(d.n(900)))
	if d.permille(300) {
		l.field("CNJ")
	} else {
		l.field(body)
	}
	s.remarks(l, odd, &d)
}

// sanctioned appends TIPO DE PESSOA to NOME FANTASIA.
func (s *sources) sanctioned(l *line, odd, people int, d *dice) {
	typed := "J"
	switch {
	case odd == rowForeign:
		l.field("")
		l.field(fmt.Sprintf("%09d", d.n(1_000_000_000)))
		l.field("FOREIGN SYNTHETIC TRADING CO")
		l.field("FOREIGN SYNTHETIC TRADING CO")
		l.empty(2)
		return
	case odd == rowUntyped:
		typed = ""
	case odd == rowPerson || odd > rowRepeated && d.permille(people):
		s.sanctionedPerson(l, d)
		return
	}
	c := s.find(d, func(c *company) bool {
		if odd == rowPersonal {
			return c.known() && c.kind == &kinds[individual] && endsInDigit(s.appendPlainName(nil, c))
		}
		if odd == rowBranch {
			return c.firm() && c.branches > 0
		}
		return c.firm() || c.known() && d.permille(100)
	})
	e := s.somewhere(d, &c, 15)
	if odd == rowBranch && c.branches > 0 {
		e = s.establishment(&c, 1)
	}
	l.field(typed)
	l.next()
	l.b = e.full.Append(l.b)
	if odd == rowSpoiled {
		spoil(l.b)
	}
	for range 3 {
		l.next()
		l.b = s.appendPlainName(l.b, &c)
	}
	l.next()
	if d.permille(500) {
		at := len(l.b)
		l.b = plain(s.appendTradeName(l.b, &c, d, noTrap), at)
	}
}

func (s *sources) sanctionedPerson(l *line, d *dice) {
	id := s.anyone(d)
	n := s.cpf(id)
	l.field("F")
	l.field(string(n[:]))
	for range 2 {
		l.next()
		l.b = s.appendPerson(l.b, id, false)
	}
	l.empty(2)
}

// appendProcess appends the number of an administrative proceeding in one of its many forms.
func appendProcess(b []byte, d *dice) []byte {
	switch d.n(4) {
	case 0:
		b = appendInt(append(b, "PREGÃO N. "...), 1+d.n(200), 3)
		return appendInt(append(b, '/'), 2010+d.n(16), 4)
	case 1:
		return appendInt(b, 1_000_000_000+d.n(8_000_000_000), 13)
	}
	b = appendInt(b, d.n(100_000), 5)
	b = appendInt(append(b, '.'), d.n(1_000_000), 6)
	b = appendInt(append(b, '/'), 2010+d.n(16), 4)
	return appendInt(append(b, '-'), d.n(100), 2)
}

func ceisCategory(d *dice) string {
	switch u := d.n(1000); {
	case u < 750:
		return "Impedimento/proibição de contratar com prazo determinado"
	case u < 870:
		return "Suspensão"
	case u < 930:
		return "Declaração de Inidoneidade sem prazo determinado"
	case u < 984:
		return "Declaração de Inidoneidade com prazo determinado"
	case u < 992:
		return "Impedimento/proibição de contratar sem prazo determinado"
	}
	return oneOf(d, "Demissão", "Suspensão/Interdição das atividades com prazo determinado")
}

// cnepCategory appends CATEGORIA DA SANÇÃO and VALOR DA MULTA.
func cnepCategory(l *line, d *dice) {
	const published = "Publicação extraordinária da decisão condenatória"
	if d.permille(560) {
		l.field("Multa")
		l.next()
		l.b = appendCents(l.b, d.amount(1000, 4), ',')
		return
	}
	l.field(oneOf(d, published, published, published, published, "Proibição de receber incentivos, subsídios, subvenções, doações ou empréstimos",
		"Suspensão/Interdição das atividades com prazo determinado", "Dissolução compulsória da pessoa jurídica", "Perdimento de bens"))
	l.field("0,00")
}

// sanctionDates appends DATA INÍCIO to ABRAGÊNCIA.
func (s *sources) sanctionDates(l *line, r register, d *dice) {
	start := s.within(s.last - day(skewed(d, 4000)))
	l.brDate(s.calendar, start)
	if open := [...]int{ceis: 85, cnep: 980}[r]; d.permille(open) {
		l.field("")
	} else {
		l.brDate(s.calendar, start+day(180+d.n(1800)))
	}
	if d.permille(150) {
		l.field("")
		l.field("Sem Informação")
		l.field("")
	} else {
		l.brDate(s.calendar, start)
		l.field(oneOf(d, "Diário Oficial da União", "Diário Oficial do Estado", "Diário Oficial do Município"), " Seção 3 Pagina ")
		l.b = appendInt(l.b, 1+d.n(300), 1)
		l.field("")
	}
	if d.permille(200) {
		l.brDate(s.calendar, start-day(d.n(90)))
	} else {
		l.field("")
	}
	l.field(oneOf(d, "Sem Informação", "Sem Informação", "Em todos os Poderes da Esfera do órgão sancionador",
		"Em todos os Poderes da Esfera do órgão sancionador", "No órgão sancionador", "Todas as Esferas em todos os Poderes",
		"Na Esfera e no Poder do órgão sancionador"))
}

// sanctioningBody appends ÓRGÃO SANCIONADOR, its UF and its sphere, and returns the first.
func (s *sources) sanctioningBody(l *line, d *dice) string {
	city := &s.cities[s.population.pick(d)]
	var body, uf, sphere string
	switch d.n(3) {
	case 0:
		body, sphere = oneOf(d, "Controladoria-Geral da União", "Ministério da Saúde", "Ministério da Educação", "Comando do Exército"), "FEDERAL"
	case 1:
		body, uf, sphere = "Governo do Estado ("+city.uf+")", city.uf, "ESTADUAL"
	default:
		body, uf, sphere = "Prefeitura Municipal de "+city.title+" ("+city.uf+")", city.uf, "MUNICIPAL"
	}
	l.field(body)
	l.field(uf)
	l.field(sphere)
	return body
}

// legalGround returns FUNDAMENTAÇÃO LEGAL. Two semicolons stand between two articles.
func legalGround(r register, d *dice) string {
	const (
		bids8666 = "LEI 8666 - ART. 87, III - PELA INEXECUÇÃO TOTAL OU PARCIAL DO CONTRATO A ADMINISTRAÇÃO PODERÁ, GARANTIDA A PRÉVIA DEFESA, APLICAR AO CONTRATADO AS SEGUINTES SANÇÕES: III - SUSPENSÃO TEMPORÁRIA DE PARTICIPAÇÃO EM LICITAÇÃO E IMPEDIMENTO DE CONTRATAR COM A ADMINISTRAÇÃO, POR PRAZO NÃO SUPERIOR A 2 (DOIS) ANOS;"
		auction  = "LEI 10520 - ART. 7 - QUEM, CONVOCADO DENTRO DO PRAZO DE VALIDADE DA SUA PROPOSTA, NÃO CELEBRAR O CONTRATO, FICARÁ IMPEDIDO DE LICITAR E CONTRATAR COM A UNIÃO, ESTADOS, DISTRITO FEDERAL OU MUNICÍPIOS"
		bids     = "LEI 14133 - ART. 156, III - IMPEDIMENTO DE LICITAR E CONTRATAR"
		probity  = "LEI 8429 - ART. 12 - INDEPENDENTEMENTE DAS SANÇÕES PENAIS, CIVIS E ADMINISTRATIVAS PREVISTAS NA LEGISLAÇÃO ESPECÍFICA, ESTÁ O RESPONSÁVEL PELO ATO DE IMPROBIDADE SUJEITO ÀS SEGUINTES COMINAÇÕES, QUE PODEM SER APLICADAS ISOLADA OU CUMULATIVAMENTE, DE ACORDO COM A GRAVIDADE DO FATO"
	)
	if r == cnep {
		return "LEI 12846 - ART. 6º, I e II - MULTA E PUBLICAÇÃO EXTRAORDINÁRIA DA DECISÃO CONDENATÓRIA"
	}
	return oneOf(d, bids8666, auction, bids, probity, bids8666+";"+auction)
}

// remarks appends OBSERVAÇÕES.
func (s *sources) remarks(l *line, odd int, d *dice) {
	switch {
	case odd == rowBrokenText:
		l.field("Primeira linha da observação\r\nsegunda linha com \"aspas\"; e ponto e vírgula")
	case odd == rowCPFInText:
		l.field("Representada por ")
		id := s.anyone(d)
		l.b = append(s.appendPerson(l.b, id, false), ", CPF "...)
		l.b = append(appendCPF(l.b, s.cpf(id)), '.')
	case d.permille(40):
		l.field("Prazo contado da publicação.\r\nProcesso arquivado.")
	case d.permille(200):
		l.field("Sanção registrada a pedido do órgão.")
	default:
		l.field("")
	}
}
