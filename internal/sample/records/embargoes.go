package records

import (
	"strconv"
	"strings"

	"razao/internal/sample/draw"
	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

// lostZero is which of a hundred embargoes is of a CNPJ without the zeros at its left.
const lostZero = 18

// fromNotice says whether an embargo goes with a notice, as seven in ten do.
func fromNotice(x int) bool { return x%10 < 7 }

func (s *sources) embargo(x int) []cell {
	d := s.Dice(draw.Embargo, uint64(x))
	n := s.notice(x * s.embargoStride())
	if n.embargo != x {
		n = notice{who: s.offender(&d, 600)}
		n.date = s.Between(&d, min(s.last, world.DayOf(1990, 1, 1)), s.last)
	} else if n.seq != "" {
		n.seq += ".0"
	}
	who := n.who
	switch x % 100 {
	case lostZero:
		c := s.find(&d, func(c *company) bool { return firm(c) && c.Root.String()[0] == '0' })
		who = party{place: s.Establishment(&c, 0), city: c.City}
	case 28:
		who = at(s.anyBranch(&d))
	}
	city := &s.Cities[who.city]
	cells := []cell{
		{"NUM_AUTO_INFRACAO", n.number},
		{"SEQ_AUTO_INFRACAO", n.seq},
		{"SEQ_TAD", strconv.Itoa(310_000+x) + ".0"},
		{"DES_STATUS_FORMULARIO", "Lavrado"},
		{"SIT_CANCELADO", d.OneOf("N", "N", "N", "N", "N", "N", "N", "S")},
		{"NUM_TAD", embargoCode(x)},
		{"SER_TAD", "E"},
		{"DAT_EMBARGO", s.ISO(n.date) + " " + timeOfDay(&d)},
		{"NOME_EMBARGADO", s.nameOf(&who)},
		{"CPF_CNPJ_EMBARGADO", s.embargoDocument(&who, x)},
		{"NUM_PROCESSO", "02018" + table.Digits(x, 6) + s.Year(n.date) + "11"},
		{"DES_TAD", d.OneOf("Embargo da atividade; pátio de estocagem", "Embargo de área desmatada", "Embargo de obra")},
		{"COD_MUNICIPIO", city.IBGE},
		{"MUNICIPIO", city.Title},
		{"UF", city.UF},
		{"DES_LOCALIZACAO", "Zona rural, km " + strconv.Itoa(1+d.N(90))},
		{"NUM_LONGITUDE_TAD", city.Longitude + "638888889"},
		{"NUM_LATITUDE_TAD", city.Latitude + "333333333"},
		{"QTD_AREA_EMBARGADA", strconv.Itoa(1+d.N(500)) + "," + strconv.Itoa(10+d.N(90))},
		{"NOME_IMOVEL", "FAZENDA " + s.Districts.Pick(&d).Plain},
		{"TIPO_AREA", d.OneOf("Imóvel", "Atividade", "Obra")},
		{"UNID_CONTROLE", "SUPES/" + city.UF},
		{"ULTIMA_ATUALIZACAO_RELATORIO", s.ISO(s.last-20) + " 18:56:39"},
	}
	if d.Permille(120) {
		cells = append(cells,
			cell{"SIT_DESEMBARGO", "Desembargado"},
			cell{"TIPO_DESEMBARGO", d.OneOf("Total", "Parcial")},
			cell{"DAT_DESEMBARGO", s.ISO(min(n.date+world.Day(d.N(1500)), s.last)) + " 00:00:00"},
			cell{"DES_DESEMBARGO", "Área recuperada"},
		)
	}
	switch {
	case x == 5: // beyond what readers take for a field
		cells = append(cells, cell{"GEOM_AREA_EMBARGADA", polygon(city, 12_000, &d)})
	case d.Permille(150):
		cells = append(cells, cell{"GEOM_AREA_EMBARGADA", polygon(city, 4+d.N(60), &d)})
	}
	return cells
}

// embargoDocument returns CPF_CNPJ_EMBARGADO: bare digits, of which some companies' have lost zeros at the left.
func (s *sources) embargoDocument(who *party, x int) string {
	if who.natural {
		return s.CPF(who.person)
	}
	document := who.place.Full.String()
	if x%100 == lostZero {
		return strings.TrimLeft(document[:2], "0") + document[2:]
	}
	return document
}
