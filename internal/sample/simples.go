package sample

// simples appends the rows of Simples of the companies whose roots are, in ascending order, the from-th to the to-1st.
func (g *generator) simples(b []byte, from, to int) ([]byte, int) {
	r := row{b}
	rows := 0
	numeric, lettered := g.numbers.split(from)
	for x := from; x < to; x++ {
		i := g.numbers.numeric + lettered
		if i == g.n || numeric < g.numbers.numeric && g.numbers.root(numeric) < g.numbers.root(i) {
			i = numeric
			numeric++
		} else {
			lettered++
		}
		if c := g.company(i); g.inSimples(&c) {
			g.simplesRow(&r, &c)
			rows++
		}
	}
	return r.b, rows
}

func (g *generator) inSimples(c *company) bool {
	switch c.trap {
	case onlySimples, unknownOption, futureExclusion:
		return c.kind.simples > 0
	case onlyEstablishment, noEstablishment:
		return false
	}
	d := newDice(g.seed, topicSimples, ^uint64(c.index))
	return d.permille(c.kind.simples)
}

// option is a regime of taxes: whether the company has it, since when and until when.
type option struct {
	flag     string
	from, to day
}

func (g *generator) simplesRow(r *row, c *company) {
	d := newDice(g.seed, topicSimples, uint64(c.index))
	general, micro := g.optionsOf(c, &d)
	switch {
	case c.trap == unknownOption:
		general.flag, micro.flag = "", ""
	case c.trap == futureExclusion:
		general.to = g.release + 60
	}
	r.begin()
	r.b = c.root.Append(r.b)
	for _, o := range [...]option{general, micro} {
		r.field(o.flag)
		r.date(g.calendar, o.from, "00000000")
		r.date(g.calendar, o.to, "00000000")
	}
	r.end()
}

// optionsOf returns the options for Simples and for MEI. Nine active companies in a thousand have an option that ends.
func (g *generator) optionsOf(c *company, d *dice) (general, micro option) {
	general = option{"N", noDay, noDay}
	micro = general
	mei := c.kind == &kinds[individual] && d.permille(870)
	switch {
	case c.closed() && c.changed < simplesFrom, g.release < meiFrom:
		return general, micro
	case mei:
		general.from = max(c.start, meiFrom)
		micro.from = general.from
	case c.kind == &kinds[individual] || d.permille(600):
		general.from = max(c.start, simplesFrom)
	default:
		return general, micro
	}
	left := noDay
	switch {
	case c.closed():
		left = max(c.changed, general.from)
	case d.permille(250):
		left = general.from + day(d.n(int(g.release-general.from)+1))
	}
	general.to, general.flag = left, "S"
	if left != noDay && !d.permille(15) {
		general.flag = "N"
	}
	if mei {
		micro.flag, micro.to = general.flag, general.to
	}
	return general, micro
}
