package cadastre

import (
	"strings"

	"razao/internal/sample/draw"
	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

// UF and municipality of an address abroad.
const (
	abroadUF   = "EX"
	abroadCode = "9707"
)

// address returns the columns tipo_logradouro to municipio. If the head office has moved, d first
// draws the former address and discards it, so that the columns after the address stay as they
// were.
func (g *registry) address(e *world.Establishment, d *draw.Dice) [8]string {
	if e.Moved == 0 {
		return g.addressAt(e, d)
	}
	former := *e
	former.City = e.Company.City
	g.addressAt(&former, d)
	moved := g.AddressDice(e)
	return g.addressAt(e, &moved)
}

// addressAt returns the address in the establishment's present city.
func (g *registry) addressAt(e *world.Establishment, d *draw.Dice) [8]string {
	a := [8]string{streetType(e, d), g.street(e, d), numberOf(e, d), complement(e, d), g.district(e, d), "", abroadUF, abroadCode}
	if e.Company.Abroad == 0 {
		city := &g.Cities[e.City]
		a[5], a[6], a[7] = cep(city, e.Trap, d), city.UF, city.Code
	}
	return a
}

// streetType returns tipo_logradouro.
func streetType(e *world.Establishment, d *draw.Dice) string {
	if none, ok := odd(e.Trap, "tipo_logradouro"); ok {
		return none
	}
	if usual := draw.Ladder(d.N(1000), []int{640, 200, 40, 25, 25, 20, 20, 15},
		"RUA", "AVENIDA", "TRAVESSA", "RODOVIA", "ESTRADA", "PRACA", "ALAMEDA", "QUADRA",
	); usual != "" {
		return usual
	}
	return d.OneOf("SITIO", "FAZENDA", "10A RUA", "VILA", "LARGO", "OUTROS")
}

// street returns logradouro, with accents on half a percent of the rows.
func (g *registry) street(e *world.Establishment, d *draw.Dice) string {
	accents := d.Permille(5)
	before, gap := "", " "
	switch e.Trap {
	case world.BlankStreet:
		before, gap = "  ", "  "
	case world.NulStreet:
		before = "DOS\x00 "
	}
	if d.Permille(550) {
		return before + g.Streets.Pick(d).In(accents)
	}
	return before + g.FirstName(d).In(accents) + gap + g.Surnames.Pick(d).In(accents)
}

// numberOf returns numero, small numbers more often, and the spellings of "none".
func numberOf(e *world.Establishment, d *draw.Dice) string {
	if wrong, ok := odd(e.Trap, "numero"); ok {
		return wrong
	}
	if none := draw.Ladder(d.N(1000), []int{100, 20, 5, 5}, "S/N", "SN", "S N", "000000"); none != "" {
		return none
	}
	return table.Digits(1+d.N(1+d.N(4000)), 1)
}

// complement returns complemento: empty on half the rows, with a semicolon on one in twenty.
func complement(e *world.Establishment, d *draw.Dice) string {
	if broken, ok := odd(e.Trap, "complemento"); ok {
		return broken
	}
	u := d.N(100)
	if u < 50 {
		return ""
	}
	n := 1 + d.N(1+d.N(1500))
	number := table.Digits(n, 1)
	switch {
	case u < 55:
		return "QUADRA" + table.Digits(n%90+1, 1) + ";LOTE " + table.Digits(n%40+1, 2)
	case u < 65:
		return "SALA " + number
	case u < 75:
		return "APT  " + number
	case u < 80:
		return "LOJA " + number
	case u < 85:
		return "BLOCO " + "ABCDEF"[d.N(6):][:1] + "  APT  " + number
	case u < 92:
		return d.OneOf("CASA", "FUNDOS", "TERREO", "LETRA A", "SOBRELOJA", "GALPAO", "ANEXO B")
	case u < 96:
		return "ANDAR " + table.Digits(n%30+1, 1) + " CONJ " + number
	}
	return "KM " + number
}

func (g *registry) district(e *world.Establishment, d *draw.Dice) string {
	if none, ok := odd(e.Trap, "bairro"); ok {
		return none
	}
	return g.Districts.Pick(d).In(d.Permille(4))
}

// cep returns a postcode in the municipality's range. Small municipalities mostly have a single
// one, which ends in 000.
func cep(city *world.City, trap world.Trap, d *draw.Dice) string {
	prefix := city.Prefix + d.N(city.Prefixes)
	suffix := 0
	if city.Prefixes > 2 || d.Permille(200) {
		suffix = d.N(900)
	}
	if trap == world.ShortCEP {
		return table.Digits((prefix%9000+1000)*1000+suffix, 7)
	}
	return oddOr(trap, "cep", table.Digits(prefix*1000+suffix, 8))
}

// contact appends the columns ddd_1 to correio_eletronico.
func (g *registry) contact(r *table.Rows, e *world.Establishment, d *draw.Dice) {
	if e.Company.Abroad > 0 {
		r.Fields("", "", "", "", "", "", "")
		return
	}
	r.Fields(firstPhone(e.Trap, e.DDD, d))
	r.Fields(phoneAt(e.DDD, d.Permille(130), d))
	r.Fields(phoneAt(e.DDD, d.Permille(60), d)) // the fax
	email := ""
	if e.Trap == world.OddEmail || d.Permille(680) {
		email = g.email(e, d)
	}
	r.Field(email)
}

// firstPhone returns ddd_1 and telefone_1.
func firstPhone(trap world.Trap, ddd string, d *draw.Dice) (area, number string) {
	if number, ok := odd(trap, "telefone_1"); ok {
		return ddd, number
	}
	area, always := odd(trap, "ddd_1")
	switch {
	case trap == world.LongDDD:
		area, always = "0"+ddd, true
	case !always:
		area = ddd
	}
	return phoneAt(area, always || d.Permille(820), d)
}

// phoneAt returns a telephone number that cannot ring, since no subscriber's number begins with 1;
// both are "" if the establishment has none.
func phoneAt(ddd string, has bool, d *draw.Dice) (area, number string) {
	switch {
	case !has:
		return "", ""
	case d.Permille(60):
		return ddd, table.Digits(100_000+d.N(100_000), 6)
	}
	return ddd, table.Digits(10_000_000+d.N(10_000_000), 8)
}

// email returns an address in a domain kept for examples (RFC 2606 reserves EXAMPLE.COM and
// EXAMPLE.ORG).
func (g *registry) email(e *world.Establishment, d *draw.Dice) string {
	var box string
	switch d.N(3) {
	case 0:
		box = d.OneOf("CONTATO", "FINANCEIRO", "FISCAL", "CONTABIL", "ATENDIMENTO")
	case 1:
		box = g.FirstName(d).Plain + "." + g.Surnames.Pick(d).Plain
	default:
		box = g.Brand(e.Company) + table.Digits(d.N(1000), 1)
	}
	if e.Trap == world.OddEmail {
		box += "\u008f"
	}
	email := box + d.OneOf("@EXEMPLO.COM.BR", "@EXEMPLO.COM.BR", "@EXEMPLO.COM.BR", "@EXAMPLE.COM", "@EXAMPLE.ORG")
	if d.Permille(160) {
		return strings.ToLower(email)
	}
	return email
}
