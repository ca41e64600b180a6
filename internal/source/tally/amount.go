package tally

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/registry/pack"
	"razao/internal/source"
)

// Amount is an amount in ten-thousandths, as exact as any source publishes one.
type Amount int64

const decimals = 4

// ParseAmount reads a published number without rounding; ok is false for what is none, or has more digits than an amount holds.
func ParseAmount(published string) (value Amount, ok bool) {
	whole, fraction, _ := strings.Cut(published, ".")
	if len(fraction) > decimals || strings.HasPrefix(published, "+") {
		return 0, false
	}
	const zeros = "0000"
	n, err := strconv.ParseInt(whole+fraction+zeros[len(fraction):], 10, 64)
	return Amount(n), published != "" && err == nil
}

// String writes an amount as a Sum.
func (a Amount) String() string {
	var s Sum
	s.Add(a)
	return s.String()
}

// Sum adds amounts up. The zero value is 0.
type Sum struct{ total big.Int }

// Add adds an amount.
func (s *Sum) Add(a Amount) { s.total.Add(&s.total, big.NewInt(int64(a))) }

// Cents returns the sum in whole cents: what is below a cent is left out (rounded down). It ends where an int64 does.
func (s *Sum) Cents() int64 {
	var cents, hundred big.Int
	cents.Div(&s.total, hundred.SetInt64(100)) // ten-thousandths; Div rounds down, for the divisor is positive
	switch {
	case cents.IsInt64():
		return cents.Int64()
	case cents.Sign() < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}

// String writes R$ 1.234,50, with more than two decimals only where they are needed.
func (s *Sum) String() string {
	digits := s.total.Text(10)
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	if short := decimals + 1 - len(digits); short > 0 {
		digits = strings.Repeat("0", short) + digits
	}
	point := len(digits) - decimals
	return ptbr.Amount("R$", strings.TrimSuffix(sign+digits[:point]+"."+strings.TrimRight(digits[point:], "0"), "."))
}

// Adder decides which amounts of the records about one company, or establishment, are added, and counts the others.
type Adder struct {
	*source.Amount
	Left    []int // by exceptions
	Old     int   // before the currency of today
	Again   int   // amounts of a contract that came before
	Unknown int   // without an amount

	since record.Date
	seen  map[string]bool // what a contract and an amount say together
}

// NewAdder returns an adder of amounts that are declared.
func NewAdder(a *source.Amount) *Adder {
	return &Adder{Amount: a, since: dayOf(a.Since), Left: make([]int, len(a.Except))}
}

// Adds reports whether the amount of a record may be added, and counts why not. day and amount are the record's; valued says that it
// has an amount.
func (a *Adder) Adds(it *pack.Item, day record.Date, amount Amount, valued bool) bool {
	for i, e := range a.Except {
		if strings.EqualFold(raw(it, e.Field), e.Is) != e.Not {
			a.Left[i]++
			return false
		}
	}
	switch {
	case !valued:
		a.Unknown++
		return false
	case day < a.since:
		a.Old++
		return false
	case a.Once == "" || Value(it, a.Once) == "":
		return true
	}
	key := Value(it, a.Once) + " " + strconv.FormatInt(int64(amount), 10)
	if a.seen[key] {
		a.Again++
		return false
	}
	if a.seen == nil {
		a.seen = map[string]bool{}
	}
	a.seen[key] = true
	return true
}
