package sample

// companies appends the rows of Empresas at positions from to to-1 and returns how many they are.
func (g *generator) companies(b []byte, runs shuffle, from, to int) ([]byte, int) {
	r := row{b}
	rows := 0
	for x := from; x < to; x++ {
		if c := g.company(runs.at(x)); c.inCompanies() {
			g.companyRow(&r, &c)
			rows++
		}
		// What repeats another row stands far from it, in another part.
		switch i := runs.at((x + g.n/2) % g.n); g.trapAt(i) {
		case duplicateCompany:
			c := g.company(i)
			g.companyRow(&r, &c)
			rows++
		case phantomRow:
			g.phantomRow(&r, i)
			rows++
		}
	}
	return r.b, rows
}

// trapAt is trapOf for those who need no more of the company; the giants have none.
func (g *generator) trapAt(i int) trap {
	if g.giantOf(i) != nil {
		return noTrap
	}
	t, _ := g.trapOf(i)
	return t
}

func (g *generator) companyRow(r *row, c *company) {
	d := newDice(g.seed, topicName, ^uint64(c.index))
	r.begin()
	r.b = c.root.Append(r.b)
	r.next()
	r.b = g.appendName(r.b, c)
	r.field(c.kind.code)
	if c.trap == unknownQualification {
		r.field("36")
	} else {
		r.field(c.kind.responsible)
	}
	r.next()
	r.b = g.appendCapital(r.b, c, &d)
	r.field(c.size(&d))
	r.next()
	r.b = g.appendBodyOf(r.b, c)
	r.end()
}

// phantomRow is a second row of a good root, without name or anything else.
func (g *generator) phantomRow(r *row, i int) {
	r.begin()
	r.b = g.numbers.root(i).Append(r.b)
	r.field("")
	r.field("0000")
	r.field("00")
	r.field("0,00")
	r.field("")
	r.field("")
	r.end()
}

// appendCapital appends capital_social: mostly round sums.
func (g *generator) appendCapital(b []byte, c *company, d *dice) []byte {
	if c.trap == capitalSentinel {
		return append(b, "999999999999,00"...)
	}
	if !d.permille(c.kind.capital) {
		return append(b, "0,00"...)
	}
	sums := [...]int{
		100, 500, 1000, 2000, 3000, 5000, 8000, 10_000, 15_000, 20_000, 50_000, 100_000, 200_000, 500_000,
		1_000_000, 5_000_000, 20_000_000,
	}
	amount := sums[g.capitals.pick(d)]
	switch c.kind.style {
	case personal:
		amount = min(amount, 20_000)
	case stock:
		amount *= 1 + d.n(200)
		if g.giantOf(c.index) != nil {
			amount = 3_000_000_000 + d.n(1000)*1_000_000
		}
	default:
		amount *= 1 + d.n(4)
	}
	if d.permille(60) {
		b = appendInt(b, amount+d.n(amount), 1)
		b = append(b, ',')
		return appendInt(b, d.n(100), 2)
	}
	b = appendInt(b, amount, 1)
	return append(b, ",00"...)
}

// size returns porte_empresa.
func (c *company) size(d *dice) string {
	u := d.n(1000)
	switch c.kind.style {
	case personal:
		if u < 960 {
			return "01"
		}
		return oneOf(d, "05", "03")
	case commercial, professional:
		switch {
		case u < 700:
			return "01"
		case u < 835:
			return "03"
		case u < 980:
			return "05"
		}
		return oneOf(d, "00", "")
	}
	return "05"
}
