package totals

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/registry/pack"
)

// Amount is an amount in ten-thousandths of a real: PNCP publishes four decimals, the others two.
type Amount int64

// decimals is the number of decimals of an Amount.
const decimals = 4

// ParseAmount parses a decimal with a point, without rounding. ok is false for "", for anything
// that is no number and for one with more than four decimals or beyond int64.
func ParseAmount(published string) (value Amount, ok bool) {
	whole, fraction, _ := strings.Cut(published, ".")
	if len(fraction) > decimals || strings.HasPrefix(published, "+") {
		return 0, false
	}
	const zeros = "0000"
	n, err := strconv.ParseInt(whole+fraction+zeros[len(fraction):], 10, 64)
	return Amount(n), published != "" && err == nil
}

// String formats an amount as Sum.String does.
func (a Amount) String() string {
	var s Sum
	s.Add(a)
	return s.String()
}

// Sum is an exact sum of amounts of any size. The zero value is 0.
type Sum struct{ total big.Int }

// Add adds an amount.
func (s *Sum) Add(a Amount) { s.total.Add(&s.total, big.NewInt(int64(a))) }

// Cents returns the sum in whole cents, rounded down and saturated at the bounds of int64.
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

// String formats the sum as R$ 1.234,50, with three or four decimals only where they are needed.
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

// Adder decides which amounts of one company's or establishment's records may be added, and counts
// the records left out by reason. Use a new one for each owner.
type Adder struct {
	*source.Amount
	Left    []int // by exception, in the order of Amount.Except
	Old     int   // undated or of a day before Amount.Since
	Again   int   // repeats an amount of the same contract (Amount.Group)
	Unknown int   // without a published amount

	since record.Date
	seen  map[string]bool // contract and amount, for Again; nil until needed
}

// NewAdder returns an Adder for a declared amount, which must not be nil.
func NewAdder(a *source.Amount) *Adder {
	return &Adder{Amount: a, since: dayOf(a.Since), Left: make([]int, len(a.Except))}
}

// Adds reports whether the amount of a record may be added; otherwise it counts the record under
// the first reason that applies. day and amount are the record's, 0 for an unknown day; valued says
// that the record has an amount. it must hold the fields that source.Source.MeasuredFields or
// FactFields name.
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
	case a.Group == "" || Value(it, a.Group) == "":
		return true
	}
	key := Value(it, a.Group) + " " + strconv.FormatInt(int64(amount), 10)
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
