package ptbr

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"razao/internal/data/record"
)

// Money formats an amount in cents as R$ 1.234.567,89. A negative amount means absent and is "".
func Money[C ~int64](cents C) string {
	if cents < 0 {
		return ""
	}
	return fmt.Sprintf("R$%s%s,%02d", NBSP, Count(int64(cents/100)), int64(cents%100))
}

// Capital is [Money] for a company's capital; implausible values (see [record.ImplausibleCapital])
// are marked as such.
func Capital(cents record.Cents) string {
	if record.ImplausibleCapital(cents) {
		return Money(cents) + " (valor publicado, improvável)"
	}
	return Money(cents)
}

// LeftOut explains what a sum of capital leaves out: sem 2 empresas de capital improvável; com elas
// R$ 2,0 trilhões. companies is their number, with the sum in cents that includes them. It returns
// "" if companies is 0.
func LeftOut(companies int64, with *big.Int) string {
	them := "elas"
	switch companies {
	case 0:
		return ""
	case 1:
		them = "ela"
	}
	return fmt.Sprintf("sem %s de capital improvável; com %s %s", Counted(companies, "empresa", "empresas"), them, Rounded(with))
}

// Sum formats a non-negative sum of cents as R$ 1.234.567,89.
func Sum(cents *big.Int) string {
	reais, rest := new(big.Int).QuoRem(cents, big.NewInt(100), new(big.Int))
	return fmt.Sprintf("R$%s%s,%02d", NBSP, group(reais.String()), rest.Int64())
}

// magnitudes are sorted from largest to smallest. digits is the number of digits, in reais, from
// which a name applies.
var magnitudes = [...]struct {
	digits       int
	one, several string
}{
	{13, "trilhão", "trilhões"},
	{10, "bilhão", "bilhões"},
	{7, "milhão", "milhões"},
}

// Rounded formats a sum of cents with one decimal, truncated: R$ 12,3 bilhões. Below one million it
// is exact, as [Sum].
func Rounded(cents *big.Int) string {
	reais := new(big.Int).Quo(cents, big.NewInt(100)).String()
	for _, m := range magnitudes {
		whole := len(reais) - m.digits + 1
		if whole < 1 {
			continue
		}
		name := m.several
		if reais[:whole] == "1" {
			name = m.one
		}
		return "R$" + NBSP + group(reais[:whole]) + "," + reais[whole:whole+1] + NBSP + name
	}
	return Sum(cents)
}

// Rate formats a non-negative rate with 1 to 3 decimals, more for smaller values: 12,3 or 1,23 or
// 0,123. A rate that would round to zero becomes "menos de 0,001".
func Rate(rate float64) string {
	decimals := 1
	switch {
	case rate == 0:
	case rate < 0.0005:
		return "menos de 0,001"
	case rate < 1:
		decimals = 3
	case rate < 10:
		decimals = 2
	}
	whole, decimal, _ := strings.Cut(strconv.FormatFloat(rate, 'f', decimals, 64), ".")
	return group(whole) + "," + decimal
}

// Percent formats a share from 0 to 1 with one decimal, and with more what would be rounded to nothing or to all: 12,3 %, 0,01 %, 99,98 %.
func Percent(share float64) string {
	percent := 100 * share
	decimals := 1
	for decimals < 4 && percent > 0 && percent < 100 && (percent < 0.5*math.Pow10(-decimals) || 100-percent < 0.5*math.Pow10(-decimals)) {
		decimals++
	}
	return Number(strconv.FormatFloat(percent, 'f', decimals, 64)) + NBSP + "%"
}

// Count formats an integer as 1.234.567.
func Count[N ~int | ~int64](n N) string { return group(strconv.FormatInt(int64(n), 10)) }

// Counted formats an integer with its noun: 1 abertura, 1.234 aberturas.
func Counted[N ~int | ~int64](n N, one, several string) string {
	return Count(n) + " " + Plural(n, one, several)
}

// Plural returns the noun that a count asks for, without the count.
func Plural[N ~int | ~int64](n N, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}

var plainNumber = regexp.MustCompile(`^(-?)([0-9]+)(?:\.([0-9]+))?$`)

// Number formats a published decimal, such as 1234.5, with all its digits: 1.234,5.
func Number(published string) string {
	parts := plainNumber.FindStringSubmatch(published)
	if parts == nil {
		return published
	}
	text := parts[1] + group(parts[2])
	if parts[3] != "" {
		text += "," + parts[3]
	}
	return text
}

// Amount formats a published decimal as an amount in currency with two decimals, rounded half away
// from zero: 1234.5642 as R$ 1.234,56.
func Amount(currency, published string) string {
	if !plainNumber.MatchString(published) {
		return published
	}
	exact, _ := new(big.Rat).SetString(published)
	return currency + NBSP + Number(exact.FloatString(2))
}

// group inserts thousands separators into a decimal integer, which may be negative.
func group(digits string) string {
	var b strings.Builder
	for i, d := range digits {
		if left := len(digits) - i; i > 0 && left%3 == 0 && digits[i-1] != '-' {
			b.WriteByte('.')
		}
		b.WriteRune(d)
	}
	return b.String()
}
