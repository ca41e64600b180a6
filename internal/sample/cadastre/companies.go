package cadastre

import (
	"razao/internal/sample/draw"
	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

// companies appends the rows of Empresas at position x: those of one company, and those that repeat
// a company of the opposite position.
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

// companyRow appends the row of a company.
func (g *registry) companyRow(r *table.Rows, c *world.Company) {
	d := g.Dice(draw.Name, ^uint64(c.Index))
	responsible := oddOr(c.Trap, "qualificacao_responsavel", c.Kind.Responsible)
	size := sizeOf(c, &d)
	r.Add(c.Root.String(), g.Name(c), c.Kind.Code, responsible, g.capital(c, size, &d), size, g.bodyOf(c))
}

// sizeOf returns porte_empresa: 01 micro, 03 small, 05 other, 00 or "" not informed.
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

// bodyOf returns ente_federativo_responsavel, which only public bodies have.
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

// simples appends the rows of Simples for positions from to to-1, which here are ranks of the
// roots: the file is sorted.
func (g *registry) simples(r *table.Rows, from, to int) {
	for i := range g.ByRoot(from, to) {
		if c := g.Company(i); g.inSimples(&c) {
			g.simplesRow(r, &c)
		}
	}
}

// inSimples reports whether the company has a row in Simples.
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

// option is one tax regime of a company: S or N, with the days of entry and exit.
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
		general.to = c.Known + 60
	}
	r.Add(c.Root.String(), general.flag, g.zeros(general.from), g.zeros(general.to), micro.flag, g.zeros(micro.from), g.zeros(micro.to))
}

// zeros returns a date, "00000000" for NoDay.
func (g *registry) zeros(d world.Day) string {
	if d == world.NoDay {
		return "00000000"
	}
	return g.Compact(d)
}

// optionsOf returns the options for Simples and MEI: those that the company became known with,
// changed by its events in order.
func (g *registry) optionsOf(c *world.Company, d *draw.Dice) (general, micro option) {
	first := c.AsKnown()
	general, micro = g.optionsAsKnown(&first, d)
	for event := range c.Past() {
		day := g.EventDay(c, event)
		switch {
		case event == world.SimplesEntry && general.flag == "N" && day >= world.SimplesFrom:
			general = option{"S", day, world.NoDay}
		case event == world.SimplesExit || event == world.Closure:
			general.end(day)
			micro.end(day)
		case event == world.MEIExit:
			micro.end(day)
		}
	}
	return general, micro
}

// end ends an option that the company has.
func (o *option) end(day world.Day) {
	if o.flag == "S" && o.to == world.NoDay {
		o.flag, o.to = "N", max(day, o.from)
	}
}

// optionsAsKnown returns the options that a company became known with. A few keep the flag S
// although they have an exit date, as real rows do.
func (g *registry) optionsAsKnown(c *world.Company, d *draw.Dice) (general, micro option) {
	general = option{"N", world.NoDay, world.NoDay}
	micro = general
	individual := c.Kind.Style == world.Personal
	mei := individual && d.Permille(870)
	switch {
	case c.Closed() && c.Changed < world.SimplesFrom, c.Known < world.MEIFrom:
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
		left = world.Since(d, general.from, c.Known)
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
