package cadastre

import (
	"razao/internal/sample/draw"
	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

// companies appends the rows of Empresas at a position: a company, and what repeats another far from it.
func (g *registry) companies(r *table.Rows, runs draw.Shuffle, x int) {
	if c := g.Company(runs.At(x)); c.InCompanies() {
		g.companyRow(r, &c)
	}
	switch i := runs.At(g.opposite(x)); g.TrapAt(i) {
	case world.DuplicateCompany:
		c := g.Company(i)
		g.companyRow(r, &c)
	case world.PhantomRow: // a second row of a good root, without name or anything else
		r.Add(g.Root(i).String(), "", "0000", "00", "0,00", "", "")
	}
}

func (g *registry) companyRow(r *table.Rows, c *world.Company) {
	d := g.Dice(draw.Name, ^uint64(c.Index))
	responsible := c.Kind.Responsible
	if c.Trap == world.UnknownQualification {
		responsible = "36"
	}
	r.Add(c.Root.String(), g.Name(c), c.Kind.Code, responsible, g.capital(c, &d), sizeOf(c, &d), g.bodyOf(c))
}

// capitals are the usual sums.
var capitals = [...]int{
	100, 500, 1000, 2000, 3000, 5000, 8000, 10_000, 15_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 5_000_000, 20_000_000,
}

// capitalWeights has how often each of them occurs.
var capitalWeights = [...]uint64{30, 60, 160, 110, 90, 180, 60, 120, 40, 60, 40, 25, 12, 8, 3, 1, 1}

// capital returns capital_social: mostly round sums.
func (g *registry) capital(c *world.Company, d *draw.Dice) string {
	if c.Trap == world.CapitalSentinel {
		return "999999999999,00"
	}
	if !d.Permille(c.Kind.Capital) {
		return "0,00"
	}
	amount := capitals[g.usualCapitals.Pick(d)]
	switch c.Kind.Style {
	case world.Personal:
		amount = min(amount, 20_000)
	case world.Stock:
		amount *= 1 + d.N(200)
		if g.GiantOf(c.Index) != nil {
			amount = 3_000_000_000 + d.N(1000)*1_000_000
		}
	default:
		amount *= 1 + d.N(4)
	}
	cents := amount * 100
	if d.Permille(60) {
		cents += d.N(amount) * 100
		cents += d.N(100)
	}
	return table.Cents(cents, ",")
}

// sizeOf returns porte_empresa.
func sizeOf(c *world.Company, d *draw.Dice) string {
	u := d.N(1000)
	switch c.Kind.Style {
	case world.Personal:
		if u < 960 {
			return "01"
		}
		return d.OneOf("05", "03")
	case world.Commercial, world.Professional:
		if u < 980 {
			return draw.Ladder(u, []int{700, 135, 145}, "01", "03", "05")
		}
		return d.OneOf("00", "")
	}
	return "05"
}

// bodyOf returns ente_federativo_responsavel.
func (g *registry) bodyOf(c *world.Company) string {
	city := &g.Cities[c.City]
	switch {
	case c.Kind.Style != world.Public:
		return ""
	case c.Kind.Code == world.Federal:
		return "UNIAO"
	}
	return city.Name + " - " + city.UF
}
