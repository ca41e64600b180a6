package sample

import (
	"strings"

	"razao/internal/sample/country"
)

// tradeFiles declares the companies that may import and export, and the carriers of RNTRC.
func (s *sources) tradeFiles() []file {
	importers := file{
		folder: "habilitacao_aduaneira", group: "habilitacao_aduaneira", name: "empresas-habilitadas.csv", dialect: importerDialect,
		to: s.importers(), modified: s.Month.AddDate(0, 0, 19), // nothing else dates this file
	}
	carriers := file{
		folder: "rntrc", group: "rntrc", name: s.Month.Format("transportadores_rntrc_01_2006.csv"), dialect: carrierDialect, to: s.carriers(),
	}
	carriers = carriers.titled(s.carrier)
	carriers.header = strings.ReplaceAll(carriers.header, `"`, "")
	return []file{importers.titled(s.importer), carriers}
}

func (s *sources) importers() int { return s.volume(250_000, 40) }
func (s *sources) carriers() int  { return s.volume(1_160_000, 60) }

// ofPart draws a company that fits from the x-th of n equal parts of the founders, or nil. So no
// company is drawn by two positions.
func (s *sources) ofPart(d *dice, x, n int, fits func(*company) bool) *company {
	part := s.Founders / n
	for range min(part, 40) {
		if c := s.known(x*part + d.N(part)); c.Abroad == 0 && fits(&c) {
			return &c
		}
	}
	return nil
}

// importer returns a row of habilitacao_aduaneira.
func (s *sources) importer(x int) row {
	d := s.Dice(ofImporter, uint64(x))
	c := s.ofPart(&d, x, s.importers(), func(c *company) bool { return c.Firm() && c.Status == country.Active })
	if c == nil {
		c = &s.giant
	}
	return row{
		"RAZÃO SOCIAL", s.Name(c), "CNPJ EMPRESA", c.Root.String(), "MODALIDADE HABILITAÇÃO",
		d.OneOf("LIMITADA (ATÉ US$ 50.000,00)", "LIMITADA (ATÉ US$ 150.000,00)", "EXPRESSA", "ILIMITADA"),
	}
}

// carrier returns a row of RNTRC. Six in ten are self-employed (TAC), with a masked CPF.
func (s *sources) carrier(x int) row {
	d := s.Dice(ofCarrier, uint64(x))
	who, category, document := s.resident(&d), "TAC", ""
	if x%5 >= 3 {
		active := func(c *company) bool { return c.Business() && c.Status == country.Active }
		c := s.ofPart(&d, x, s.carriers(), func(c *company) bool { return active(c) && strings.HasPrefix(s.Activities[c.Activity].Code, "49") })
		if c == nil {
			c = s.ofPart(&d, x, s.carriers(), active)
		}
		if c != nil {
			who, category = at(s.somewhere(&d, *c, 60)), either(c.Kind.Code == country.Cooperative, "CTC", "ETC")
		}
	}
	if document = s.numberOf(&who); who.natural {
		document = "***" + document[3:12] + "**"
	}
	city := &s.Cities[who.city]
	cep := city.CEP(&d)
	return row{
		"nome_transportador", s.nameOf(&who), "numero_rntrc", country.Digits(1_000_000+x*47, 9),
		"data_primeiro_cadastro", s.BR(s.Between(&d, min(s.last, country.DayOf(2004, 7, 1)), s.last)),
		"situacao_rntrc", d.OneOf("ATIVO", "ATIVO", "ATIVO", "ATIVO", "PENDENTE"), "cpfcnpjtransportador", document,
		"categoria_transportador", category, "cep", cep[:5] + "-" + cep[5:], "municipio", strings.ToUpper(city.Name), "uf", city.UF,
		"equiparado", d.OneOf("Não", "Não", "Não", "Sim"), "data_situacao_rntrc", s.BR(s.last - country.Day(d.N(1200))),
	}
}
