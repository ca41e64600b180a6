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
	responsible := oddOr(c.Trap, "qualificacao_responsavel", c.Kind.Responsible)
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
	if sentinel, ok := odd(c.Trap, "capital_social"); ok {
		return sentinel
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
		cents += d.N(amount)*100 + d.N(100)
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

// simples appends the rows of Simples of the companies whose roots are, in ascending order, the from-th to the to-1st.
func (g *registry) simples(r *table.Rows, from, to int) {
	for i := range g.ByRoot(from, to) {
		if c := g.Company(i); g.inSimples(&c) {
			g.simplesRow(r, &c)
		}
	}
}

func (g *registry) inSimples(c *world.Company) bool {
	switch c.Trap {
	case world.OnlySimples, world.UnknownOption, world.FutureExclusion:
		return c.Kind.Simples > 0
	case world.OnlyEstablishment, world.NoEstablishment:
		return false
	}
	d := g.Dice(draw.Simples, ^uint64(c.Index))
	return d.Permille(c.Kind.Simples)
}

// option is a regime of taxes: whether the company has it, since when and until when.
type option struct {
	flag     string
	from, to world.Day
}

func (g *registry) simplesRow(r *table.Rows, c *world.Company) {
	d := g.Dice(draw.Simples, uint64(c.Index))
	general, micro := g.optionsOf(c, &d)
	switch c.Trap {
	case world.UnknownOption:
		general.flag, micro.flag = "", ""
	case world.FutureExclusion:
		general.to = g.Release + 60
	}
	r.Add(c.Root.String(), general.flag, g.zeros(general.from), g.zeros(general.to), micro.flag, g.zeros(micro.from), g.zeros(micro.to))
}

// zeros returns a date, or eight zeros for none.
func (g *registry) zeros(d world.Day) string {
	if d == world.NoDay {
		return "00000000"
	}
	return g.Compact(d)
}

// optionsOf returns the options for Simples and for MEI. Nine active companies in a thousand have an option that ends.
func (g *registry) optionsOf(c *world.Company, d *draw.Dice) (general, micro option) {
	general = option{"N", world.NoDay, world.NoDay}
	micro = general
	individual := c.Kind.Style == world.Personal
	mei := individual && d.Permille(870)
	switch {
	case c.Closed() && c.Changed < world.SimplesFrom, g.Release < world.MEIFrom:
		return general, micro
	case mei:
		general.from = max(c.Start, world.MEIFrom)
		micro.from = general.from
	case individual || d.Permille(600):
		general.from = max(c.Start, world.SimplesFrom)
	default:
		return general, micro
	}
	left := world.NoDay
	switch {
	case c.Closed():
		left = max(c.Changed, general.from)
	case d.Permille(250):
		left = g.Since(d, general.from)
	}
	general.to, general.flag = left, "S"
	if left != world.NoDay && !d.Permille(15) {
		general.flag = "N"
	}
	if mei {
		micro.flag, micro.to = general.flag, general.to
	}
	return general, micro
}
