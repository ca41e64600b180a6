package cadastre

import (
	"razao/internal/sample/draw"
	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

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
