package sample

import (
	"fmt"
	"strings"
)

// carrierDialect has quotes around the values but not around the names of the columns.
var carrierDialect = dialect{quoting: always, eol: "\r\n", windows: true}

const cooperative = "2143" // legal nature

const carrierColumns = "nome_transportador;numero_rntrc;data_primeiro_cadastro;situacao_rntrc;cpfcnpjtransportador;categoria_transportador;cep;municipio;uf;equiparado;data_situacao_rntrc"

func (s *sources) carrierFiles() []file {
	plainHeader := dialect{eol: carrierDialect.eol}
	return []file{{
		name:   fmt.Sprintf("transportadores_rntrc_%02d_%d.csv", s.month.Month(), s.month.Year()),
		header: plainHeader.header(carrierColumns), from: 0, to: s.inProportion(1_160_000, 60),
		rows: carrierDialect.rows(s.carrierRow),
	}}
}

// carrierRow appends a carrier: six in ten are people who drive their own lorry, some rows of whom want quotes here and
// there. A company has one row at most, for every row has its own part of the companies.
func (s *sources) carrierRow(l *line, x int) {
	d := newDice(s.seed, topicCarrier, uint64(x))
	if x%250 == 16 {
		l.dialect.quoting = asNeeded
	}
	if x%5 < 3 {
		s.driver(l, x, &d)
		return
	}
	c := s.findCarrier(&d, x)
	if c == nil {
		s.driver(l, x, &d)
		return
	}
	e := s.somewhere(&d, c, 60)
	if x%500 == 13 {
		e = s.anyBranch(&d)
		c = e.company
	}
	l.next()
	l.b = s.appendPlainName(l.b, c)
	if x%2000 == 9 {
		l.b = append(l.b, ` "MATRIZ" + FILIAIS`...)
	}
	s.carrierNumber(l, x, &d)
	l.next()
	l.b = appendFull(l.b, e.full)
	if x%20_000 == 14 {
		spoil(l.b)
	}
	if c.kind.code == cooperative {
		l.field("CTC")
	} else {
		l.field("ETC")
	}
	s.carrierPlace(l, &s.cities[e.city], &d)
}

// findCarrier returns a company of the row's own part of all, one whose trade is transport when there is one, or nil.
// The few cooperatives are looked for everywhere.
func (s *sources) findCarrier(d *dice, x int) *company {
	if x%100 == 8 {
		c := s.find(d, func(c *company) bool { return c.known() && c.kind.code == cooperative })
		if c.kind.code == cooperative {
			return &c
		}
	}
	var found *company
	part := s.n / s.inProportion(1_160_000, 60)
	for range min(part, 40) {
		c := s.company(x*part + d.n(part))
		if !c.business() || c.status != "02" {
			continue
		}
		found = &c
		if strings.HasPrefix(s.activities[c.activity].code, "49") {
			break
		}
	}
	return found
}

func (s *sources) driver(l *line, x int, d *dice) {
	id := s.anyone(d)
	l.next()
	l.b = s.appendPerson(l.b, id, false)
	s.carrierNumber(l, x, d)
	n := s.cpf(id)
	l.next()
	l.b = append(append(l.b, "***."...), n[3:6]...)
	l.b = append(append(append(l.b, '.'), n[6:9]...), "-**"...)
	l.field("TAC")
	s.carrierPlace(l, &s.cities[s.population.pick(d)], d)
}

// carrierNumber appends numero_rntrc to situacao_rntrc.
func (s *sources) carrierNumber(l *line, x int, d *dice) {
	l.next()
	l.b = appendInt(l.b, 1_000_000+x*47, 9)
	if x%300 == 8 || x%300 == 20 {
		l.field("")
	} else {
		l.brDate(s.calendar, s.between(d, min(s.last, dayOf(2004, 7, 1)), s.last))
	}
	l.field(oneOf(d, "ATIVO", "ATIVO", "ATIVO", "ATIVO", "PENDENTE"))
}

// carrierPlace appends cep to data_situacao_rntrc.
func (s *sources) carrierPlace(l *line, city *city, d *dice) {
	l.next()
	l.b = appendInt(l.b, city.prefix+d.n(city.prefixes), 5)
	l.b = append(l.b, '-')
	l.b = appendInt(l.b, d.n(900), 3)
	l.field(strings.ToUpper(city.title))
	l.field(city.uf)
	l.field(oneOf(d, "Não", "Não", "Não", "Sim"))
	l.brDate(s.calendar, s.last-day(d.n(1200)))
}
