package cadastre

import (
	"strings"

	"razao/internal/sample/draw"
	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

// establishments appends the rows of Estabelecimentos at position x: the first establishment of one
// company, a row that repeats that of the opposite position, and the branches of another company.
// The giants' branches are spread over all positions.
func (g *registry) establishments(r *table.Rows, heads, branches draw.Shuffle, x int) {
	if c := g.Company(heads.At(x)); c.InEstablishments() {
		g.establishmentRow(r, &c, 0)
	}
	if i := heads.At(g.opposite(x)); g.TrapAt(i) == world.DuplicateEstablishment {
		c := g.Company(i)
		g.establishmentRow(r, &c, 0)
	}
	if i := branches.At(x); g.GiantOf(i) == nil && g.MayHaveBranches(i) {
		if c := g.Company(i); c.InBoth() {
			for k := 1; k <= c.Branches; k++ {
				g.establishmentRow(r, &c, k)
			}
		}
	}
	for _, giant := range g.Giants { // each position gets its share of their branches
		first, last := x*giant.Branches/g.Companies, (x+1)*giant.Branches/g.Companies
		if first == last {
			continue
		}
		c := g.Company(giant.Index)
		for k := first + 1; k <= last; k++ {
			g.establishmentRow(r, &c, k)
		}
	}
}

// establishmentRow appends the row of a company's k-th establishment.
func (g *registry) establishmentRow(r *table.Rows, c *world.Company, k int) {
	e := g.Establishment(c, k)
	d := g.Dice(draw.Address, uint64(e.Full))
	full := e.Full.String()
	kind := "2"
	if e.Head {
		kind = "1"
	}
	tradeName := ""
	if share := tradeNameShare(c); e.Trap == world.QuotedComplement || d.Permille(share) {
		tradeName = g.TradeName(c, &d, e.Trap)
	}
	r.Fields(full[:8], full[8:12], full[12:], kind, tradeName, e.Status,
		oddOr(e.Trap, "data_situacao_cadastral", g.Compact(e.Changed)), oddOr(e.Trap, "motivo_situacao_cadastral", reasonOf(&e, &d)))
	r.Fields(g.countryOf(&e))
	r.Fields(oddOr(e.Trap, "data_inicio_atividade", g.Compact(e.Start)), g.activity(&e, &d), g.otherActivities(&e, &d))
	address := g.address(&e, &d)
	r.Fields(address[:]...)
	g.contact(r, &e, &d)
	if e.Trap == world.SpecialSituation {
		r.Add(d.OneOf("RECUPERACAO JUDICIAL", "EM LIQUIDACAO", "FALIDO", "ESPOLIO DE EVENTUAL"), g.Compact(e.Changed))
	} else {
		r.Add("", "")
	}
}

// tradeNameShare returns how many establishments in a thousand have a nome_fantasia.
func tradeNameShare(c *world.Company) int {
	switch c.Kind.Style {
	case world.Personal:
		return 320
	case world.Commercial, world.Professional:
		return 480
	case world.Stock:
		return 600
	}
	return 60
}

// reasonOf returns motivo_situacao_cadastral. If the company closed after it had become known, d
// draws the former reason and discards it, so that the columns after it stay as they were.
func reasonOf(e *world.Establishment, d *draw.Dice) string {
	if e.Former != "" {
		reasonFor(e.Former, d)
		return "01" // voluntary liquidation, the reason of most
	}
	return reasonFor(e.Status, d)
}

// reasonFor draws a reason of a status, the common ones more often.
func reasonFor(status string, d *draw.Dice) string {
	switch status {
	case world.Closed:
		return d.OneOf("01", "01", "01", "01", "73", "73", "71", "54", "09", "80")
	case world.Inapt:
		return d.OneOf("63", "63", "63", "63", "63", "63", "64", "15")
	case world.Suspended:
		return d.OneOf("18", "17", "72", "74")
	case world.Null:
		return d.OneOf("11", "12", "16", "34")
	}
	return "00"
}

// countryOf returns nome_cidade_exterior and pais.
func (g *registry) countryOf(e *world.Establishment) (city, country string) {
	switch a := e.Company.Abroad; {
	case a == 0:
		return "", oddOr(e.Trap, "pais", "")
	case e.Trap == world.UnknownCountry:
		return g.Abroad[a-1].Name, "498"
	default:
		return g.Abroad[a-1].Name, g.Abroad[a-1].Country
	}
}

// activity returns cnae_fiscal_principal.
func (g *registry) activity(e *world.Establishment, d *draw.Dice) string {
	if e.Trap == world.RetiredActivity {
		return d.OneOf(g.Retired...)
	}
	return oddOr(e.Trap, "cnae_fiscal_principal", g.Activities[e.Company.Activity].Code)
}

// otherActivities returns cnae_fiscal_secundaria, distinct codes joined by commas: nearly half the
// establishments have some, two in a thousand very many.
func (g *registry) otherActivities(e *world.Establishment, d *draw.Dice) string {
	if !d.Permille(460) {
		return ""
	}
	count := 1 + d.N(3) + d.N(4)
	if d.Permille(2) {
		count = 10 + d.N(88)
	}
	main, codes := g.Activities[e.Company.Activity].Code, ""
	for range count {
		code := g.Activities[g.Frequent.Pick(d)].Code
		if code != main && !strings.Contains(codes, code) {
			codes += "," + code
		}
	}
	return strings.TrimPrefix(codes, ",")
}
