package cadastre

import (
	"razao/internal/sample/draw"
	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

// wealth says what capital companies declare: a median, in steps of which ten are a power of ten reais, and how far each of
// four throws may lead away from it. The product of many small factors is what makes real capital log-normal.
type wealth struct{ median, spread int }

// wealthOf returns the wealth of a company of a size, porte_empresa. The median is 2,000 reais of an entrepreneur, 20,000 of
// a micro-enterprise, 250,000 of a company that is not small, a million of a corporation.
func wealthOf(style world.Style, size string) wealth {
	switch style {
	case world.Personal:
		return wealth{33, 3}
	case world.Stock:
		return wealth{60, 8}
	case world.Commercial, world.Professional:
		switch size {
		case "03":
			return wealth{50, 4}
		case "05":
			return wealth{54, 6}
		}
		return wealth{43, 4}
	}
	return wealth{45, 5}
}

// usual has the sums of a power of ten that people declare, in tenths of it.
var usual = [...]int{10, 12, 15, 20, 25, 30, 40, 50, 60, 80}

// sum returns a sum in cents.
func (w wealth) sum(d *draw.Dice) int {
	step := w.median
	for range 4 {
		step += d.N(2*w.spread+1) - w.spread
	}
	cents := usual[step%len(usual)] * 10
	for range step / len(usual) {
		cents *= 10
	}
	return cents
}

// capital returns capital_social: mostly round sums.
func (g *registry) capital(c *world.Company, size string, d *draw.Dice) string {
	if sentinel, ok := odd(c.Trap, "capital_social"); ok {
		return sentinel
	}
	w, cents := wealthOf(c.Kind.Style, size), 0
	switch {
	case g.GiantOf(c.Index) != nil:
		cents = (3000 + d.N(1000)) * 1_000_000 * 100
	case d.Permille(c.Kind.Capital):
		cents = w.sum(d)
	}
	if cents > 0 && d.Permille(60) {
		cents += d.N(cents)
	}
	if c.When[world.Raise] > 0 {
		raise := g.Dice(draw.Raise, uint64(c.Index))
		cents += max(cents, w.sum(&raise))
	}
	return table.Cents(cents, ",")
}
