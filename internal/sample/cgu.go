package sample

// impedimentFiles are those of CEPIM, which appears two days after the other registers.
func (s *sources) impedimentFiles() []file {
	name := s.daily(2) + "_CEPIM"
	const columns = "CNPJ ENTIDADE;NOME ENTIDADE;NÚMERO CONVÊNIO;ÓRGÃO CONCEDENTE;MOTIVO DO IMPEDIMENTO"
	return []file{s.cguFile(name, name, columns, s.inProportion(3_526, 30), s.impedimentRow)}
}

// impedimentRow appends one agreement of a body without profit; about every second one has several.
func (s *sources) impedimentRow(l *line, x int) {
	entity := newDice(s.seed, topicImpediment, uint64(x/2))
	if entity.permille(300) {
		entity = newDice(s.seed, topicImpediment, 1<<40|uint64(x))
	}
	d := newDice(s.seed, topicImpediment, 2<<40|uint64(x))
	c := s.find(&entity, func(c *company) bool {
		return (c.kind.style == civic || c.kind.style == religious) && c.known()
	})
	e := s.somewhere(&entity, &c, 100)
	l.next()
	l.b = e.full.Append(l.b)
	l.next()
	l.b = s.appendPlainName(l.b, &c)
	l.next()
	l.b = appendInt(l.b, 20_000+x*37%900_000, 6)
	l.field(oneOf(&d, "Ministério da Saúde", "Ministério da Cultura", "Ministério do Turismo", "Ministério da Educação",
		"Ministério do Desenvolvimento Agrário e Agricultura Familiar"), " - Unidades com vínculo direto")
	l.field(oneOf(&d, "INSTAURACAO DE TOMADA DE CONTAS ESPECIAL", "INSTAURACAO DE TOMADA DE CONTAS ESPECIAL", "MOTIVO NÃO ESPECIFICADO",
		"NAO APRESENTACAO DE DOCUMENTACAO COMPLEMENTAR", "NAO APRESENTACAO DA PRESTACAO DE CONTAS",
		"IRREGULARIDADE NA EXECUCAO FINANCEIRA", "DESCUMPRIMENTO DE CLAUSULA/CONDICAO DO INSTR."))
}

// signatories is how many rows an agreement of leniency has.
const signatories = 3

// agreementFiles are both tables of the agreements, in one zip. The dash and the misspelling in the first header are the
// publisher's.
func (s *sources) agreementFiles() []file {
	const (
		columns = "ID DO ACORDO;CNPJ DO SANCIONADO;RAZÃO SOCIAL – CADASTRO RECEITA;NOME FANTASIA – CADASTRO RECEITA;DATA DE INÍCIO DO ACORDO;DATA DE FIM DO ACORDO;SITUAÇÃO DO ACORDO DE LENIÊNICA;DATA DA INFORMAÇÃO;NÚMERO DO PROCESSO;TERMOS DO ACORDO;ÓRGÃO SANCIONADOR"
		effects = "ID DO ACORDO;EFEITO DO ACORDO DE LENIENCIA;COMPLEMENTO"
	)
	date := s.daily(17)
	rows := s.inProportion(151, 24)
	agreements := (rows + signatories - 1) / signatories
	count := rows * 173 / 151
	zip := date + "_Acordos"
	return []file{
		s.cguFile(zip, date+"_Acordos", columns, rows, s.agreementRow),
		s.cguFile(zip, date+"_Efeitos", effects, count, func(l *line, x int) { effectRow(l, x, x*agreements/count) }),
	}
}

// agreementID returns ID DO ACORDO.
func agreementID(a int) int { return 9_000_001 + a }

// agreementRow appends a signatory of an agreement: a company, another one, or a foreign one without a number, and
// then a branch of the first when it has one.
func (s *sources) agreementRow(l *line, x int) {
	a := x / signatories
	e := s.signatory(a, x%signatories)
	d := newDice(s.seed, topicAgreement, uint64(a))
	l.number(agreementID(a))
	if a%8 == 1 && x%signatories == 1 {
		l.field("EXDRAGOVAL")
		l.field("DRAGOVAL INDUSTRIES SE")
		l.field("")
	} else {
		l.next()
		l.b = e.full.Append(l.b)
		l.next()
		l.b = s.appendPlainName(l.b, e.company)
		l.next()
		if x%signatories == 0 {
			at := len(l.b)
			trade := newDice(s.seed, topicSignatory, uint64(x))
			l.b = plain(s.appendTradeName(l.b, e.company, &trade, noTrap), at)
		}
	}
	start := s.between(&d, min(s.last, dayOf(2015, 1, 1)), s.last)
	l.brDate(s.calendar, start)
	if a%5 == 2 {
		l.field("")
	} else {
		l.brDate(s.calendar, start+day(d.n(3650)))
	}
	l.field(oneOf(&d, "Em Execução", "Em Execução", "Cumprido", "Rescindido"))
	if a%6 == 3 {
		l.field("")
	} else {
		l.brDate(s.calendar, s.last-17)
	}
	l.field("00190.")
	l.b = appendInt(l.b, 100_000+a, 6)
	l.b = append(l.b, "/2019-"...)
	l.b = appendInt(l.b, a%100, 2)
	l.field([...]string{
		"Pagamento de multa e ressarcimento.\r\nAperfeiçoamento do programa de integridade.",
		"Termos publicados no sítio do órgão.", "",
	}[a%3])
	l.field("Controladoria-Geral da União")
}

// signatory derives a signatory of agreement a.
func (s *sources) signatory(a, k int) establishment {
	d := newDice(s.seed, topicSignatory, uint64(a)*signatories)
	first := s.find(&d, func(c *company) bool { return c.firm() && c.branches > 0 })
	if k == 0 {
		return s.establishment(&first, 0)
	}
	if k == 2 && first.branches > 0 {
		return s.establishment(&first, 1)
	}
	d = newDice(s.seed, topicSignatory, uint64(a)*signatories+uint64(k))
	other := s.find(&d, func(c *company) bool { return c.firm() && c.index != first.index })
	return s.establishment(&other, 0)
}

// effectRow appends an effect of agreement a; one in seven has none.
func effectRow(l *line, x, a int) {
	if a%7 == 6 {
		a--
	}
	l.number(agreementID(a))
	l.field([...]string{
		"Isenção da publicação extraordinária da decisão condenatória",
		"Redução da multa",
		"Isenção ou atenuação das sanções da Lei de Licitações",
	}[x%3])
	if x%4 == 0 {
		l.field("Redução de até 2/3 (dois terços)")
	} else {
		l.field("")
	}
}
