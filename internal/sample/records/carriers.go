package records

import (
	"strings"

	"razao/internal/sample/draw"
	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

// carriers returns the rows of RNTRC.
func (s *sources) carriers() int { return s.volume(1_160_000, 60) }

// carrier returns a row of RNTRC. Six in ten are self-employed (TAC), with a masked CPF. Each row
// draws its company from a part of the founders of its own, so that a company has one row at most.
func (s *sources) carrier(x int) row {
	d := s.Dice(draw.Carrier, uint64(x))
	var c *company
	if x%5 >= 3 {
		c = s.findCarrier(&d, x)
	}
	var who party
	var document, category string
	if c == nil {
		who = party{natural: true, person: s.Anyone(&d)}
		cpf := s.CPF(who.person)
		document, category = "***."+cpf[3:6]+"."+cpf[6:9]+"-**", "TAC"
	} else {
		who = at(s.somewhere(&d, c, 60))
		if x%500 == 13 {
			who = at(s.anyBranch(&d))
		}
		document, category = who.place.Full.Masked(), ifElse(who.place.Company.Kind.Code == world.Cooperative, "CTC", "ETC")
	}
	name, first := s.nameOf(&who), world.NoDay
	if x%2000 == 9 && !who.natural {
		name += ` "MATRIZ" + FILIAIS`
	}
	if x%20_000 == 14 && !who.natural {
		document = wrongCheckDigit(document)
	}
	if x%300 != 8 && x%300 != 20 {
		first = s.Between(&d, min(s.last, world.DayOf(2004, 7, 1)), s.last)
	}
	situation := d.OneOf("ATIVO", "ATIVO", "ATIVO", "ATIVO", "PENDENTE")
	if who.natural {
		who.city = s.Population.Pick(&d)
	}
	city := &s.Cities[who.city]
	return row{
		"nome_transportador", name, "numero_rntrc", table.Digits(1_000_000+x*47, 9),
		"data_primeiro_cadastro", s.BR(first), "situacao_rntrc", situation, "cpfcnpjtransportador", document,
		"categoria_transportador", category,
		"cep", table.Digits(city.Prefix+d.N(city.Prefixes), 5) + "-" + table.Digits(d.N(900), 3),
		"municipio", strings.ToUpper(city.Title), "uf", city.UF, "equiparado", d.OneOf("Não", "Não", "Não", "Sim"),
		"data_situacao_rntrc", s.BR(s.last - world.Day(d.N(1200))),
	}
}

// findCarrier returns an active business of the row's part of the founders, preferably one whose
// trade is transport, or nil. Cooperatives are too rare for that and are looked for everywhere.
func (s *sources) findCarrier(d *dice, x int) *company {
	if x%100 == 8 {
		c := s.anywhere(d, func(c *company) bool { return known(c) && c.Kind.Code == world.Cooperative })
		if c.Kind.Code == world.Cooperative {
			return &c
		}
	}
	var found *company
	part := s.Founders / s.carriers()
	for range min(part, 40) {
		c := s.Company(x*part + d.N(part))
		if !business(&c) || c.Status != world.Active {
			continue
		}
		found = &c
		if strings.HasPrefix(s.Activities[c.Activity].Code, "49") {
			break
		}
	}
	return found
}
