package sample

// personID names an invented person. Some people own or run several companies: they come from a pool that all companies
// share, in which a few are met often. The others belong to one company.
type personID int

// familyBit marks a person of one company who bears the surname of the others of its family.
const familyBit = 8

func (g *generator) pool() int { return g.n/3 + 1 }

// ownerOf returns the person behind an individual entrepreneur.
func (g *generator) ownerOf(c *company) personID {
	d := newDice(g.seed, topicPartner, uint64(c.index)*16)
	return g.someone(c, 0, 120, &d)
}

// someone returns the k-th person of a company, k below 8; shared in a thousand come from the pool.
func (g *generator) someone(c *company, k, shared int, d *dice) personID {
	if d.permille(shared) {
		return personID(skewed(d, g.pool()))
	}
	id := personID(g.pool() + c.index*16 + k)
	if d.permille(400) {
		id += familyBit
	}
	return id
}

func (g *generator) appendPerson(b []byte, id personID, accents bool) []byte {
	d := newDice(g.seed, topicPerson, uint64(id))
	names := &g.men
	if d.permille(480) {
		names = &g.women
	}
	b = append(b, names.pick(&d).in(accents)...)
	if d.permille(250) {
		b = append(b, ' ')
		b = append(b, names.pick(&d).in(accents)...)
	}
	for n := 1 + d.n(5)/3 + d.n(5)/4; n > 0; n-- {
		b = append(b, ' ')
		surname := g.surnames.pick(&d)
		if d.permille(250) {
			b = append(b, particle(surname.plain)...)
		}
		b = append(b, surname.in(accents)...)
	}
	if own := int(id) - g.pool(); own >= 0 && own&familyBit != 0 {
		family := newDice(g.seed, topicFamily, uint64(own/16))
		b = append(b, ' ')
		b = append(b, g.surnames.pick(&family).in(accents)...)
	}
	return b
}

// particle returns what usage puts before a surname.
func particle(surname string) string {
	switch surname {
	case "SILVA", "COSTA", "ROCHA", "CUNHA", "MOTA", "FONSECA":
		return "DA "
	case "SANTOS", "REIS", "PASSOS":
		return "DOS "
	}
	return "DE "
}

// cpf returns a person's number: nine invented digits and the two check digits that they require.
func (g *generator) cpf(id personID) [11]byte {
	d := newDice(g.seed, topicPerson, ^uint64(id))
	var number [11]byte
	var sum1, sum2 int
	for n, i := d.n(1_000_000_000), 8; i >= 0; i-- {
		v := n % 10
		n /= 10
		number[i] = byte('0' + v)
		sum1 += v * (10 - i)
		sum2 += v * (11 - i)
	}
	first := checkDigit(sum1)
	number[9] = byte('0' + first)
	number[10] = byte('0' + checkDigit(sum2+2*first))
	return number
}

// checkDigit is the rule of the CPF: 11 minus the remainder, 0 for remainders below 2.
func checkDigit(sum int) int {
	if r := sum % 11; r >= 2 {
		return 11 - r
	}
	return 0
}

// appendMasked appends a person's number as it is published: ***456789**.
func (g *generator) appendMasked(b []byte, id personID) []byte {
	number := g.cpf(id)
	b = append(b, "***"...)
	b = append(b, number[3:9]...)
	return append(b, "**"...)
}

// ageOf returns faixa_etaria, 3 to 9.
func (g *generator) ageOf(id personID) byte {
	d := newDice(g.seed, topicPerson, uint64(id)^1<<62)
	return "3344445555556666777889"[d.n(22)]
}
