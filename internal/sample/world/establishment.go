package world

import (
	"razao/internal/cnpj"
	"razao/internal/sample/draw"
)

// Establishment is what the rows about an establishment agree on.
type Establishment struct {
	Company *Company
	Full    cnpj.Full
	Head    bool // identificador_matriz_filial 1
	Start   Day
	Status  string
	Changed Day
	City    int
	Trap    Trap // of the company, in the first establishment only
}

// Establishment derives the k-th establishment of a company, 0 to c.Branches; 0 is the head office of nearly all.
func (w *World) Establishment(c *Company, k int) Establishment {
	e := Establishment{Company: c, Head: k == 0, Start: c.Start, Status: c.Status, Changed: c.Changed, City: c.City}
	order := c.orderOf(k)
	if k == 0 {
		e.Trap = c.Trap
		e.Head = !c.swapped || c.Branches > 0
		e.Full = cnpj.Join(c.Root, order)
		return e
	}
	d := w.Dice(draw.Establishment, uint64(c.Index)<<20|uint64(k))
	e.Start = w.Since(&d, c.Start)
	if e.Start >= firstLetters && d.Permille(500) {
		order = c.letteredOrder(k)
	}
	e.Full = cnpj.Join(c.Root, order)
	if c.Branches > 300 || d.Permille(400) {
		e.City = w.Population.Pick(&d)
	}
	w.closeBranch(&e, &d)
	return e
}

// closeBranch gives a branch its status: with its company, or half of them before.
func (w *World) closeBranch(e *Establishment, d *draw.Dice) {
	if e.Company.Closed() {
		e.Changed = max(e.Changed, e.Start)
		return
	}
	e.Changed = e.Start
	if e.Status != Active {
		return
	}
	if status := draw.Ladder(d.N(100), []int{48, 4}, Closed, Inapt); status != "" {
		e.Status, e.Changed = status, w.Since(d, e.Start)
	}
}

// orderOf returns the numeric order of the k-th establishment; a tenth of the companies left numbers out.
func (c *Company) orderOf(k int) cnpj.Order {
	swapped := c.swapped && c.Branches > 0
	switch {
	case k == 0 && swapped:
		return decimalOrder(2)
	case k == 1 && swapped:
		return decimalOrder(1)
	case k > 0 && c.Index%10 == 3 && c.Branches < 3000:
		return decimalOrder(3*k + 1)
	}
	return decimalOrder(k + 1)
}

func decimalOrder(n int) cnpj.Order { return cnpj.Order(decimalRoot(n)) }

// letteredOrder returns an order that begins with a letter, another one for every k of a company.
func (c *Company) letteredOrder(k int) cnpj.Order {
	const threePlaces = 36 * 36 * 36
	letter := 10 + c.Index%26
	return cnpj.Order(letter*threePlaces + k*7919%threePlaces)
}
