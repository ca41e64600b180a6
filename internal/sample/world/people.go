package world

import "razao/internal/sample/draw"

// PersonID names an invented person. Some people own or run several companies: they come from a pool that all companies
// share, in which a few are met often. The others belong to one company.
type PersonID int

// familyBit marks a person of one company who bears the surname of the others of its family.
const familyBit = 8

func (w *World) pool() int { return w.Founders/3 + 1 }

// Anyone returns a person of the pool, some more often.
func (w *World) Anyone(d *draw.Dice) PersonID { return PersonID(d.Skewed(w.pool())) }

// Someone returns the k-th person of a company, k below 8; shared in a thousand come from the pool.
func (w *World) Someone(c *Company, k, shared int, d *draw.Dice) PersonID {
	if d.Permille(shared) {
		return w.Anyone(d)
	}
	id := PersonID(w.pool() + c.Index*16 + k)
	if d.Permille(400) {
		id += familyBit
	}
	return id
}

// ownerOf returns the person behind an individual entrepreneur.
func (w *World) ownerOf(c *Company) PersonID {
	d := w.Dice(draw.Partner, uint64(c.Index)*16)
	return w.Someone(c, 0, 120, &d)
}

// FirstName returns one of a man or of a woman.
func (w *World) FirstName(d *draw.Dice) *Word {
	if d.Permille(500) {
		return w.women.Pick(d)
	}
	return w.men.Pick(d)
}

// Person returns a person's name.
func (w *World) Person(id PersonID, accents bool) string {
	d := w.Dice(draw.Person, uint64(id))
	names := &w.men
	if d.Permille(480) {
		names = &w.women
	}
	b := append(make([]byte, 0, 64), names.Pick(&d).In(accents)...)
	if d.Permille(250) {
		b = append(append(b, ' '), names.Pick(&d).In(accents)...)
	}
	for n := 1 + d.N(5)/3 + d.N(5)/4; n > 0; n-- {
		b = append(b, ' ')
		surname := w.Surnames.Pick(&d)
		if d.Permille(250) {
			b = append(b, particle(surname.Plain)...)
		}
		b = append(b, surname.In(accents)...)
	}
	if own := int(id) - w.pool(); own >= 0 && own&familyBit != 0 {
		family := w.Dice(draw.Family, uint64(own/16))
		b = append(append(b, ' '), w.Surnames.Pick(&family).In(accents)...)
	}
	return string(b)
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

// CPF returns a person's number: nine invented digits and the two check digits that they require.
func (w *World) CPF(id PersonID) string {
	d := w.Dice(draw.Person, ^uint64(id))
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

// checkDigit is the rule of the CPF: 11 minus the remainder, 0 for remainders below 2.
func checkDigit(sum int) int {
	if r := sum % 11; r >= 2 {
		return 11 - r
	}
	return 0
}
