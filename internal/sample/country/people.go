package country

// PersonID identifies an invented person. Low numbers are a pool that all companies share, in which
// a few people are met often: they own or run several companies. The other people belong to one
// company each.
type PersonID int

// familyBit marks a person of one company who bears the company's family name.
const familyBit = 8

// pool is the number of people that all companies share; their ids are 0 to pool-1.
func (c *Country) pool() int { return c.Founders/3 + 1 }

// Anyone draws a person of the pool, low numbers more often.
func (c *Country) Anyone(d *Dice) PersonID { return PersonID(d.Skewed(c.pool())) }

// Someone returns the k-th person of a company, k below 8. With probability shared/1000 it is one
// of the pool.
func (c *Country) Someone(of *Company, k, shared int, d *Dice) PersonID {
	if d.Permille(shared) {
		return c.Anyone(d)
	}
	id := PersonID(c.pool() + of.Index*16 + k)
	if d.Permille(400) {
		id += familyBit
	}
	return id
}

// ownerOf returns the person behind an individual entrepreneur.
func (c *Country) ownerOf(of *Company) PersonID {
	d := c.Dice(ofOwner, uint64(of.Index)*16)
	return c.Someone(of, 0, 120, &d)
}

// FirstName draws a first name of a man or a woman.
func (c *Country) FirstName(d *Dice) string {
	if d.Permille(500) {
		return c.women.Pick(d)
	}
	return c.men.Pick(d)
}

// Person returns the full name of a person, in capitals, always the same for an id.
func (c *Country) Person(id PersonID) string {
	d := c.Dice(ofPerson, uint64(id))
	names := &c.men
	if d.Permille(480) {
		names = &c.women
	}
	b := append(make([]byte, 0, 64), names.Pick(&d)...)
	if d.Permille(250) {
		b = append(append(b, ' '), names.Pick(&d)...)
	}
	for n := 1 + d.N(5)/3 + d.N(5)/4; n > 0; n-- {
		b = append(b, ' ')
		surname := c.Surnames.Pick(&d)
		if d.Permille(250) {
			b = append(b, particle(surname)...)
		}
		b = append(b, surname...)
	}
	if own := int(id) - c.pool(); own >= 0 && own&familyBit != 0 {
		family := c.Dice(ofFamily, uint64(own/16))
		b = append(append(b, ' '), c.Surnames.Pick(&family)...)
	}
	return string(b)
}

// particle returns the particle that usually precedes a surname.
func particle(surname string) string {
	switch surname {
	case "SILVA", "COSTA", "ROCHA", "CUNHA", "MOTA", "FONSECA":
		return "DA "
	case "SANTOS", "REIS", "PASSOS":
		return "DOS "
	}
	return "DE "
}

// CPF returns a person's CPF: nine drawn digits and their two check digits (mod 11).
func (c *Country) CPF(id PersonID) string {
	d := c.Dice(ofPerson, ^uint64(id))
	var number [11]byte
	var sum1, sum2 int
	for n, i := d.N(1_000_000_000), 8; i >= 0; i-- {
		v := n % 10
		n /= 10
		number[i] = byte('0' + v)
		sum1 += v * (10 - i)
		sum2 += v * (11 - i)
	}
	first := checkDigit(sum1)
	number[9] = byte('0' + first)
	number[10] = byte('0' + checkDigit(sum2+2*first))
	return string(number[:])
}

// checkDigit returns 11 minus the remainder mod 11, or 0 for remainders below 2.
func checkDigit(sum int) int {
	if r := sum % 11; r >= 2 {
		return 11 - r
	}
	return 0
}
