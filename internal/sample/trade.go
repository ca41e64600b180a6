package sample

import (
	"strings"

	"razao/internal/sample/country"
)

// tradeFiles declares the companies that may import and export, and the carriers of RNTRC.
func (s *sources) tradeFiles() []file {
	importers := file{
		folder: "habilitacao_aduaneira", group: "habilitacao_aduaneira", name: "empresas-habilitadas.csv", dialect: importerDialect,
		modified: s.Month.AddDate(0, 0, 19), // nothing else dates this file
	}
	carriers := file{
		folder: "rntrc", group: "rntrc", name: s.Month.Format("transportadores_rntrc_01_2006.csv"), dialect: carrierDialect,
	}
	able, hauling := s.first.importers(), s.first.carriers()
	carriers = hauling.whole(carriers, s.Country, s.Months)
	carriers.header = strings.ReplaceAll(carriers.header, `"`, "")
	return []file{able.whole(importers, s.Country, s.Months), carriers}
}

// importers and carriers declare the rows of the two tables.
func (s *sources) importers() living {
	return living{
		source: "habilitacao_aduaneira", topic: lifeOfImporter, rows: s.importerRows(), fates: fates{withdrawn: 3, edited: 5},
		unit: itself, record: s.importer,
	}
}

func (s *sources) carriers() living {
	return living{
		source: "rntrc", topic: lifeOfCarrier, rows: s.carrierRows(), fates: fates{withdrawn: 5, edited: 10}, unit: itself, record: s.carrier,
	}
}

func (s *sources) importerRows() int { return s.volume(250_000, 40) }
func (s *sources) carrierRows() int  { return s.volume(1_160_000, 60) }

// ofPart draws a company that fits from the x-th of n equal parts of the founders, or nil; records that are added later
// begin with the first part again. of returns what another position has drawn, so no company is drawn by two.
func (s *sources) ofPart(d *dice, x, n int, of func(x int) *company, fits func(*company) bool) *company {
	part := s.Founders / n
	for range min(part, 40) {
		c := s.known(x%n*part + d.N(part))
		if c.Abroad > 0 || !fits(&c) {
			continue
		}
		taken := false
		for y := x - n; y >= 0 && !taken; y -= n {
			other := of(y)
			taken = other != nil && other.Index == c.Index
		}
		if !taken {
			return &c
		}
	}
	return nil
}

// importer returns a row of habilitacao_aduaneira.
func (s *sources) importer(x int, l life) row {
	c, d := s.importing(x)
	if c == nil {
		c = &s.giant
	}
	if l.edits > 0 {
		d = s.edit(lifeOfImporter, x, l)
	}
	return row{
		"RAZÃO SOCIAL", s.Name(c), "CNPJ EMPRESA", c.Root.String(), "MODALIDADE HABILITAÇÃO",
		d.OneOf("LIMITADA (ATÉ US$ 50.000,00)", "LIMITADA (ATÉ US$ 150.000,00)", "EXPRESSA", "ILIMITADA"),
	}
}

// importing returns the company of a row of habilitacao_aduaneira, nil for none, and the sequence behind it.
func (s *sources) importing(x int) (*company, dice) {
	d := s.Dice(ofImporter, uint64(x))
	of := func(x int) *company { c, _ := s.importing(x); return c }
	c := s.ofPart(&d, x, s.importerRows(), of, func(c *company) bool { return c.Firm() && c.Status == country.Active })
	return c, d
}

// hauling returns the resident whom a row of RNTRC is about or, in four of ten, the company, and the sequence behind them.
func (s *sources) hauling(x int) (party, *company, dice) {
	d := s.Dice(ofCarrier, uint64(x))
	who := s.resident(&d)
	if x%5 < 3 {
		return who, nil, d
	}
	of := func(x int) *company { _, c, _ := s.hauling(x); return c }
	active := func(c *company) bool { return c.Business() && c.Status == country.Active }
	c := s.ofPart(&d, x, s.carrierRows(), of, func(c *company) bool { return active(c) && strings.HasPrefix(s.Activities[c.Activity].Code, "49") })
	if c == nil {
		c = s.ofPart(&d, x, s.carrierRows(), of, active)
	}
	return who, c, d
}

// carrier returns a row of RNTRC. Six in ten are self-employed (TAC), with a masked CPF. What changes is the situation.
func (s *sources) carrier(x int, l life) row {
	who, c, d := s.hauling(x)
	category, document := "TAC", ""
	if c != nil {
		who, category = at(s.somewhere(&d, *c, 60)), either(c.Kind.Code == country.Cooperative, "CTC", "ETC")
	}
	if document = s.numberOf(&who); who.natural {
		document = "***" + document[3:12] + "**"
	}
	city := &s.Cities[who.city]
	cep := city.CEP(&d)
	registered := s.since(&d, country.DayOf(2004, 7, 1), l)
	situation := d.OneOf("ATIVO", "ATIVO", "ATIVO", "ATIVO", "PENDENTE")
	equal := d.OneOf("Não", "Não", "Não", "Sim")
	as := s.until(l.known) - country.Day(d.N(1200))
	if l.known > 0 {
		as = max(as, registered)
	}
	if l.edits > 0 {
		anew := s.edit(lifeOfCarrier, x, l)
		situation, as = either((situation == "ATIVO") == (l.edits%2 == 0), "ATIVO", "PENDENTE"), s.until(l.changed)-country.Day(anew.N(28))
	}
	return row{
		"nome_transportador", s.nameOf(&who), "numero_rntrc", country.Digits(1_000_000+x*47, 9),
		"data_primeiro_cadastro", s.BR(registered), "situacao_rntrc", situation, "cpfcnpjtransportador", document,
		"categoria_transportador", category, "cep", cep[:5] + "-" + cep[5:], "municipio", strings.ToUpper(city.Name), "uf", city.UF,
		"equiparado", equal, "data_situacao_rntrc", s.BR(as),
	}
}
