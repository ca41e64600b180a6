package sample

import (
	"strings"

	"razao/internal/sample/country"
)

// establishments appends the rows of Estabelecimentos of a company, the head office first.
func (g *release) establishments(r *rowBuffer, c *company) {
	if c.When[country.Removal] > 0 {
		return
	}
	for k := range c.Branches + 1 {
		r.add(g.establishment(r.scratch[:0], c, k)...)
	}
}

// establishment appends the columns of a company's k-th establishment to row.
func (g *release) establishment(row []string, c *company, k int) []string {
	e := g.Establishment(c, k)
	d := g.Dice(ofAddress, uint64(e.Full))
	full, kind, tradeName := e.Full.String(), "2", ""
	if e.Head {
		kind = "1"
	}
	if d.Permille(tradeNameShare(c)) {
		tradeName = g.TradeName(c, &d)
	}
	if anew, changed := g.anew(&e, country.NewTradeName); changed && c.Business() {
		tradeName = g.TradeName(c, &anew)
	}
	city, code := "", ""
	if c.Abroad > 0 {
		city, code = g.Abroad[c.Abroad-1].Name, g.Abroad[c.Abroad-1].Country
	}
	reason := reasonOf(&e, &d)
	row = append(row, full[:8], full[8:12], full[12:], kind, tradeName, e.Status, g.Compact(e.Changed), reason, city, code,
		g.Compact(e.Start))
	main := g.Activities[g.ActivityOf(c, k)].Code
	row = append(row, main, g.otherActivities(&e, main, &d))
	address := g.address(&e, &d)
	contact := g.contact(&e, &d)
	row = append(append(row, address[:]...), contact[:]...)
	if anew, changed := g.anew(&e, country.Distress); changed && c.Firm() {
		return append(row, special(&anew), g.Compact(g.EventDay(c, country.Distress)))
	}
	if d.Permille(2) && c.Firm() {
		return append(row, special(&d), g.Compact(country.Since(&d, e.Start, max(e.Start, c.Known))))
	}
	return append(row, "", "")
}

// special draws situacao_especial.
func special(d *dice) string { return d.OneOf("RECUPERACAO JUDICIAL", "EM LIQUIDACAO", "FALIDO") }

// anew returns the sequence for what an event of head offices has changed of an establishment, and
// whether it has.
func (g *release) anew(e *country.Establishment, event country.Event) (dice, bool) {
	month := e.Company.When[event]
	if month == 0 || !e.First {
		return dice{}, false
	}
	return g.Dice(ofRenewal+country.Topic(event), uint64(month)<<32|uint64(e.Company.Index)), true
}

// tradeNameShare returns how many establishments in a thousand have a nome_fantasia.
func tradeNameShare(c *company) int {
	switch c.Kind.Style {
	case country.Personal:
		return 320
	case country.Commercial, country.Professional:
		return 480
	case country.Stock:
		return 600
	}
	return 60
}

// reasonOf returns motivo_situacao_cadastral. If the status has changed after the company had become
// known, d draws the former reason and discards it.
func reasonOf(e *country.Establishment, d *dice) string {
	if e.Former != "" {
		reasonFor(e.Former, d)
		return commonest[e.Status]
	}
	return reasonFor(e.Status, d)
}

// commonest holds the reason that most have for a status: voluntary liquidation, missing
// declarations, and for a suspension an inconsistent registration.
var commonest = map[string]string{country.Active: "00", country.Closed: "01", country.Inapt: "63", country.Suspended: "18"}

// reasonFor draws a reason of a status, the common ones more often.
func reasonFor(status string, d *dice) string {
	switch status {
	case country.Closed:
		return d.OneOf("01", "01", "01", "01", "73", "73", "71", "54", "09", "80")
	case country.Inapt:
		return d.OneOf("63", "63", "63", "63", "63", "63", "64", "15")
	case country.Suspended:
		return d.OneOf("18", "17", "72", "74")
	case country.Null:
		return d.OneOf("11", "12", "16", "34")
	}
	return "00"
}

// otherActivities draws cnae_fiscal_secundaria, distinct codes joined by commas: nearly half the
// establishments have some, two in a thousand very many.
func (g *release) otherActivities(e *country.Establishment, main string, d *dice) string {
	codes := ""
	if d.Permille(460) {
		codes = g.activities(g.Activities[e.Company.Activity].Code, d)
	}
	if anew, changed := g.anew(e, country.OtherActivities); changed {
		codes = g.activities(main, &anew)
	}
	if strings.Contains(codes, main) { // it was none of the other activities until it became the main one
		codes = strings.Trim(strings.ReplaceAll(","+codes+",", ","+main+",", ","), ",")
	}
	return codes
}

// activities draws distinct codes other than the main one.
func (g *release) activities(main string, d *dice) (codes string) {
	count := 1 + d.N(3) + d.N(4)
	if d.Permille(2) {
		count = 10 + d.N(88)
	}
	for range count {
		code := g.Activities[g.Frequent.Pick(d)].Code
		if code != main && !strings.Contains(codes, code) {
			codes += "," + code
		}
	}
	return strings.TrimPrefix(codes, ",")
}

// address returns the columns tipo_logradouro to municipio. If the head office has moved, d draws
// the former address and discards it.
func (g *release) address(e *country.Establishment, d *dice) [8]string {
	former, anew, moved := g.Moves(e)
	if !moved {
		return g.addressAt(e, d)
	}
	g.addressAt(&former, d)
	return g.addressAt(e, &anew)
}

// addressAt draws the address in the establishment's present city.
func (g *release) addressAt(e *country.Establishment, d *dice) [8]string {
	kind := country.Ladder(d.N(1000), []int{640, 200, 40, 25, 25, 20, 20, 15, 15},
		"RUA", "AVENIDA", "TRAVESSA", "RODOVIA", "ESTRADA", "PRACA", "ALAMEDA", "QUADRA", "VILA")
	street := g.Streets.Pick(d)
	if d.Permille(450) {
		street = g.FirstName(d) + " " + g.Surnames.Pick(d)
	}
	number := country.Ladder(d.N(1000), []int{100, 20}, "S/N", "SN")
	if number == "" {
		number = country.Digits(1+d.N(1+d.N(4000)), 1) // small numbers more often
	}
	a := [8]string{kind, street, number, complement(d), g.Districts.Pick(d), "", country.AbroadUF, country.AbroadCode}
	if e.Company.Abroad == 0 {
		city := &g.Cities[e.City]
		a[5], a[6], a[7] = city.CEP(d), city.UF, city.RFB
	}
	return a
}

// complement draws complemento, empty on half the rows.
func complement(d *dice) string {
	u, n := d.N(100), 1+d.N(1+d.N(1500))
	number := country.Digits(n, 1)
	switch {
	case u < 50:
		return ""
	case u < 55:
		return "QUADRA" + country.Digits(n%90+1, 1) + ";LOTE " + country.Digits(n%40+1, 2)
	case u < 65:
		return "SALA " + number
	case u < 75:
		return "APT  " + number
	case u < 80:
		return "LOJA " + number
	case u < 85:
		return "BLOCO " + "ABCDEF"[n%6:][:1] + "  APT  " + number
	case u < 92:
		return d.OneOf("CASA", "FUNDOS", "TERREO", "LETRA A", "SOBRELOJA", "GALPAO", "ANEXO B")
	case u < 96:
		return "ANDAR " + country.Digits(n%30+1, 1) + " CONJ " + number
	}
	return "KM " + number
}

// contact returns the columns ddd_1 to correio_eletronico. If they have changed, d draws the former
// ones and discards them.
func (g *release) contact(e *country.Establishment, d *dice) [7]string {
	row := g.reachedAt(e, 820, d)
	if anew, changed := g.anew(e, country.NewContact); changed {
		row = g.reachedAt(e, 1000, &anew)
	}
	return row
}

// reachedAt draws two telephones, the first with probability telephone/1000, a fax, an address.
func (g *release) reachedAt(e *country.Establishment, telephone int, d *dice) (row [7]string) {
	if e.Company.Abroad > 0 {
		return row
	}
	for i, share := range [...]int{telephone, 130, 60} {
		if d.Permille(share) {
			// Such numbers cannot ring: no subscriber's begins with 1.
			row[2*i], row[2*i+1] = e.DDD, country.Digits(10_000_000+d.N(10_000_000), 8)
		}
	}
	if d.Permille(680) {
		row[6] = g.email(e, d)
	}
	return row
}

// email draws an address in a domain kept for examples (RFC 2606 reserves EXAMPLE.COM and
// EXAMPLE.ORG).
func (g *release) email(e *country.Establishment, d *dice) string {
	var box string
	switch d.N(3) {
	case 0:
		box = d.OneOf("CONTATO", "FINANCEIRO", "FISCAL", "CONTABIL", "ATENDIMENTO")
	case 1:
		box = g.FirstName(d) + "." + g.Surnames.Pick(d)
	default:
		box = g.Brand(e.Company) + country.Digits(d.N(1000), 1)
	}
	email := box + d.OneOf("@EXEMPLO.COM.BR", "@EXEMPLO.COM.BR", "@EXEMPLO.COM.BR", "@EXAMPLE.COM", "@EXAMPLE.ORG")
	if d.Permille(160) {
		return strings.ToLower(email)
	}
	return email
}
