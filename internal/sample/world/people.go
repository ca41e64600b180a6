package world

import "razao/internal/sample/draw"

// PersonID identifies an invented person. Low numbers are a pool that all companies share, in which
// a few people are met often: they own or run several companies. The other people belong to one
// company each.
type PersonID int

// familyBit marks a person of one company who bears the company's family name.
const familyBit = 8

// pool is the number of people that all companies share; their ids are 0 to pool-1.
func (w *World) pool() int { return w.Founders/3 + 1 }

// Anyone draws a person of the pool, low numbers more often.
func (w *World) Anyone(d *draw.Dice) PersonID { return PersonID(d.Skewed(w.pool())) }

// Someone returns the k-th person of a company, k below 8. With probability shared/1000 it is one
// of the pool.
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

// FirstName draws a first name of a man or a woman.
func (w *World) FirstName(d *draw.Dice) *Word {
	if d.Permille(500) {
		return w.women.Pick(d)
	}
	return w.men.Pick(d)
}

// Person returns the full name of a person, in capitals, always the same for an id.
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

// checkDigit returns 11 minus the remainder mod 11, or 0 for remainders below 2.
func checkDigit(sum int) int {
	if r := sum % 11; r >= 2 {
		return 11 - r
	}
	return 0
}
