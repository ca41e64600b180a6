package cadastre

import (
	"razao/internal/sample/draw"
	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

// wealth describes a log-normal distribution of declared capital. Both figures count steps, ten of
// which are a power of ten reais: the median, and how far each of four draws may lead away from it.
// The sum of the draws is about normal, and it is an exponent.
type wealth struct{ median, spread int }

// wealthOf returns the wealth of companies of a style and a size (porte_empresa). Medians are about
// 2,000 reais for an entrepreneur, 20,000 for a micro-enterprise, 250,000 for a company that is not
// small, a million for a corporation.
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

// usual holds the amounts within a power of ten that people declare, in tenths.
var usual = [...]int{10, 12, 15, 20, 25, 30, 40, 50, 60, 80}

// sum draws an amount in cents.
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

// capital returns capital_social: mostly round amounts, 0,00 for some, billions for the giants, and
// after a Raise at least double the former amount.
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
