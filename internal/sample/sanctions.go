package sample

import (
	"strconv"

	"razao/internal/sample/country"
)

// register declares one of the two registers of sanctions of CGU: national and least volume, code of
// the first sanction, and of a thousand sanctions how many are of people and how many have no end.
type register struct {
	source, name           string
	nation, least          int
	first, people, endless int
}

var ceis, cnep = register{"ceis", "CEIS", 23_720, 60, 60_000, 386, 85}, register{"cnep", "CNEP", 1_819, 30, 290_000, 15, 980}

// agreementsLag is how many days before the fetch the leniency agreements were published.
const agreementsLag = 5

// table declares the register's records.
func (r *register) table(s *sources) living {
	t := living{
		source: r.source, rows: s.volume(r.nation, r.least), fates: ofDebts, unit: itself,
		record: func(x int, l life) row { return s.sanction(r, x, l) }, holder: holderIn("CPF OU CNPJ DO SANCIONADO"),
	}
	if t.topic = ofLife + country.Topic(len(debtSystems)); r == &cnep {
		t.topic++
		t.amount = func(r row) int { return centsOf(cell(r, "VALOR DA MULTA")) }
	}
	return t
}

// cguFile declares a table of CGU that is zipped.
func cguFile(folder, zip, table string) file {
	return file{folder: folder, group: folder, name: zip + ".zip", member: table + ".csv", dialect: cguDialect}
}

// sanctionFiles declares what CGU publishes: CEIS, CNEP, CEPIM and the leniency agreements.
func (s *sources) sanctionFiles() []file {
	var files []file
	for _, r := range []*register{&ceis, &cnep} {
		name := s.daily(0) + "_" + r.name
		table := r.table(s.first)
		files = append(files, table.whole(cguFile(r.source, name, name), s.Country, s.Months))
	}
	cepim, agreements, effects := s.daily(2)+"_CEPIM", s.daily(agreementsLag)+"_Acordos", s.daily(agreementsLag)+"_Efeitos"
	impeded, signed := s.first.impediments(), s.first.agreements(s.last-agreementsLag)
	of := cguFile("acordos_leniencia", agreements, effects)
	of.to = signed.upTo(s.Months) * effectsOf
	return append(
		files, impeded.whole(cguFile("cepim", cepim, cepim), s.Country, s.Months),
		signed.whole(cguFile("acordos_leniencia", agreements, agreements), s.Country, s.Months),
		of.titled(s.effect(0), func(x int) row {
			if signed.life(s.Country, x/effectsOf, s.Months).gone {
				return nil
			}
			return s.effect(x)
		}),
	)
}

// impediments declares the rows of CEPIM, which the neighbours of an entity share the life of.
func (s *sources) impediments() living {
	return living{
		source: "cepim", topic: lifeOfImpediment, rows: s.volume(3_526, 30), fates: fates{withdrawn: 10, edited: 5},
		unit: func(x int) int { return x - x%2 }, record: s.impediment,
	}
}

// agreements declares the rows of Acordos as informed on a day. No agreement is ever left out.
func (s *sources) agreements(informed country.Day) living {
	return living{
		source: "acordos_leniencia", topic: lifeOfAgreement, rows: s.volume(151, 24), fates: fates{edited: 20},
		unit:   func(x int) int { return x - x%signatories },
		record: func(x int, l life) row { return s.agreement(x, l, informed) },
	}
}

// sanction returns a row of CEIS or CNEP.
func (s *sources) sanction(r *register, x int, l life) row {
	d := s.Dice(ofSanction, uint64(r.first)<<40|uint64(x))
	cells := append(row{"CADASTRO", r.name, "CÓDIGO DA SANÇÃO", strconv.Itoa(r.first + x*7)}, s.sanctioned(r.people, &d)...)
	cells = append(cells, "NÚMERO DO PROCESSO", proceeding(&d))
	if r == &ceis {
		cells = append(cells, "CATEGORIA DA SANÇÃO", ceisCategory(&d))
	} else {
		cells = append(cells, cnepCategory(&d, l)...)
	}
	cells = append(cells, s.published(r.endless, &d, l)...)
	body, uf, sphere := s.sanctioningBody(&d)
	ground := "LEI 12846 - ART. 6º, I e II - MULTA E PUBLICAÇÃO EXTRAORDINÁRIA DA DECISÃO CONDENATÓRIA"
	if r == &ceis {
		ground = d.OneOf(
			"LEI 8666 - ART. 87, III - SUSPENSÃO TEMPORÁRIA DE PARTICIPAÇÃO EM LICITAÇÃO E IMPEDIMENTO DE CONTRATAR COM A ADMINISTRAÇÃO",
			"LEI 10520 - ART. 7 - IMPEDIMENTO DE LICITAR E CONTRATAR COM A UNIÃO, ESTADOS, DISTRITO FEDERAL OU MUNICÍPIOS",
			"LEI 14133 - ART. 156, III - IMPEDIMENTO DE LICITAR E CONTRATAR", "LEI 8429 - ART. 12 - ATO DE IMPROBIDADE",
		)
	}
	return append(
		cells, "ABRAGÊNCIA DA SANÇÃO", d.OneOf(
			"Sem Informação", "Em todos os Poderes da Esfera do órgão sancionador", "Em todos os Poderes da Esfera do órgão sancionador",
			"No órgão sancionador", "Todas as Esferas em todos os Poderes",
		),
		"ÓRGÃO SANCIONADOR", body, "UF ÓRGÃO SANCIONADOR", uf, "ESFERA ÓRGÃO SANCIONADOR", sphere, "FUNDAMENTAÇÃO LEGAL", ground,
		"DATA ORIGEM INFORMAÇÃO", s.BR(s.until(l.known)-country.Day(d.N(900))), "ORIGEM INFORMAÇÕES", body,
		"OBSERVAÇÕES", d.OneOf("", "", "", "", "Sanção registrada a pedido do órgão."),
	)
}

// sanctioned returns the columns that name whom a sanction is against; people is in a thousand.
func (s *sources) sanctioned(people int, d *dice) row {
	kind, number, name, tradeName, companyName := "F", "", "", "", ""
	if d.Permille(people) {
		id := s.Anyone(d)
		number, name = s.CPF(id), s.Person(id)
	} else {
		c := s.find(d, 1, func(c *company) bool { return c.Firm() || d.Permille(100) })
		e := s.somewhere(d, c, 15)
		kind, number, name = "J", e.Full.String(), s.Name(&c)
		companyName = name
		if d.Permille(500) {
			tradeName = s.TradeName(&c, d)
		}
	}
	return row{
		"TIPO DE PESSOA", kind, "CPF OU CNPJ DO SANCIONADO", number, "NOME DO SANCIONADO", name,
		"NOME INFORMADO PELO ÓRGÃO SANCIONADOR", name, "RAZÃO SOCIAL - CADASTRO RECEITA", companyName,
		"NOME FANTASIA - CADASTRO RECEITA", tradeName,
	}
}

// ceisCategory draws CATEGORIA DA SANÇÃO of CEIS with real frequencies.
func ceisCategory(d *dice) string {
	return country.Ladder(d.N(1000), []int{750, 120, 60, 62, 8},
		"Impedimento/proibição de contratar com prazo determinado",
		"Suspensão",
		"Declaração de Inidoneidade sem prazo determinado",
		"Declaração de Inidoneidade com prazo determinado",
		"Impedimento/proibição de contratar sem prazo determinado",
	)
}

// cnepCategory returns category and fine of CNEP. Sanctions other than fines have the value 0,00.
func cnepCategory(d *dice, l life) row {
	const published = "Publicação extraordinária da decisão condenatória"
	if d.Permille(560) {
		fine := d.Cents(1000, 4)
		return row{"CATEGORIA DA SANÇÃO", "Multa", "VALOR DA MULTA", cents(fine+fine/10*l.raises, ",")}
	}
	return row{"CATEGORIA DA SANÇÃO", d.OneOf(
		published, published, published, "Proibição de receber incentivos, subsídios, subvenções, doações ou empréstimos", "Perdimento de bens",
	), "VALOR DA MULTA", "0,00"}
}

// published returns the dates of a sanction and where it was published; endless is in a thousand.
func (s *sources) published(endless int, d *dice, l life) row {
	start := s.Within(s.until(l.known) - country.Day(d.Skewed(4000)))
	end, publication, medium := country.NoDay, country.NoDay, "Sem Informação"
	if !d.Permille(endless) {
		end = start + country.Day(180+d.N(1800)+30*l.edits)
	}
	if !d.Permille(150) {
		publication = start
		medium = d.OneOf("Diário Oficial da União", "Diário Oficial do Estado", "Diário Oficial do Município") +
			" Seção 3 Pagina " + strconv.Itoa(1+d.N(300))
	}
	return row{
		"DATA INÍCIO SANÇÃO", s.BR(start), "DATA FINAL SANÇÃO", s.BR(end), "DATA PUBLICAÇÃO", s.BR(publication),
		"PUBLICAÇÃO", medium, "DETALHAMENTO DO MEIO DE PUBLICAÇÃO", "", "DATA DO TRÂNSITO EM JULGADO", "",
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
	return "Prefeitura Municipal de " + city.Name + " (" + city.UF + ")", city.UF, "MUNICIPAL"
}

// impediment returns a row of CEPIM: one agreement of a non-profit entity, which neighbouring rows
// share.
func (s *sources) impediment(x int, l life) row {
	entity, d := s.Dice(ofImpediment, uint64(x/2)), s.Dice(ofImpediment, 1<<40|uint64(x))
	c := s.find(&entity, 1, func(c *company) bool {
		return c.Kind.Style == country.Civic || c.Kind.Style == country.Religious
	})
	e := s.somewhere(&entity, c, 100)
	body := d.OneOf("Ministério da Saúde", "Ministério da Cultura", "Ministério do Turismo", "Ministério da Educação")
	if l.edits > 0 {
		d = s.edit(lifeOfImpediment, x, l)
	}
	return row{
		"CNPJ ENTIDADE", e.Full.String(), "NOME ENTIDADE", s.Name(&c),
		"NÚMERO CONVÊNIO", country.Digits(20_000+x*37%900_000, 6),
		"ÓRGÃO CONCEDENTE", body + " - Unidades com vínculo direto",
		"MOTIVO DO IMPEDIMENTO", d.OneOf(
			"INSTAURACAO DE TOMADA DE CONTAS ESPECIAL", "INSTAURACAO DE TOMADA DE CONTAS ESPECIAL", "MOTIVO NÃO ESPECIFICADO",
			"NAO APRESENTACAO DA PRESTACAO DE CONTAS", "IRREGULARIDADE NA EXECUCAO FINANCEIRA",
		),
	}
}

// signatories and effectsOf are the companies and the effects of one leniency agreement.
const signatories, effectsOf = 3, 2

// agreement returns a row of Acordos: one signatory of an agreement, as informed on a day. The en dash and the misspelling
// in the headings are the publisher's.
func (s *sources) agreement(x int, l life, informed country.Day) row {
	a := x / signatories
	who, d := s.Dice(ofAgreement, 1<<40|uint64(x)), s.Dice(ofAgreement, uint64(a))
	c := s.find(&who, 1, (*company).Firm)
	e := s.somewhere(&who, c, 300)
	start := s.since(&d, country.DayOf(2015, 1, 1), l)
	end := start + country.Day(d.N(3650))
	state := d.OneOf("Em Execução", "Em Execução", "Cumprido", "Rescindido")
	if l.edits > 0 {
		anew := s.edit(lifeOfAgreement, x-x%signatories, l)
		state = anew.OneOf("Em Execução", "Cumprido", "Cumprido", "Rescindido")
	}
	return row{
		"ID DO ACORDO", agreementID(a), "CNPJ DO SANCIONADO", e.Full.String(), "RAZÃO SOCIAL – CADASTRO RECEITA", s.Name(&c),
		"NOME FANTASIA – CADASTRO RECEITA", s.TradeName(&c, &who), "DATA DE INÍCIO DO ACORDO", s.BR(start),
		"DATA DE FIM DO ACORDO", s.BR(end),
		"SITUAÇÃO DO ACORDO DE LENIÊNICA", state,
		"DATA DA INFORMAÇÃO", s.BR(informed), "NÚMERO DO PROCESSO", proceeding(&d),
		"TERMOS DO ACORDO", d.OneOf("Pagamento de multa e ressarcimento.\r\nAperfeiçoamento do programa de integridade.", "Termos publicados no sítio do órgão."),
		"ÓRGÃO SANCIONADOR", "Controladoria-Geral da União",
	}
}

// agreementID returns ID DO ACORDO of agreement a.
func agreementID(a int) string { return strconv.Itoa(9_000_001 + a) }

// effect returns a row of Efeitos, one for each signatory.
func (s *sources) effect(x int) row {
	return row{
		"ID DO ACORDO", agreementID(x / effectsOf / signatories),
		"EFEITO DO ACORDO DE LENIENCIA", [...]string{
			"Isenção da publicação extraordinária da decisão condenatória", "Redução da multa",
			"Isenção ou atenuação das sanções da Lei de Licitações",
		}[x%3],
		"COMPLEMENTO", either(x%3 == 1, "Redução de até 2/3 (dois terços)", ""),
	}
}
