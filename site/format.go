package site

import (
	"fmt"
	"html/template"
	"math/big"
	"strconv"
	"strings"
	"time"

	"razao/internal/cnpj"
	"razao/internal/registry"
)

// nbsp keeps an amount and its currency on one line.
const nbsp = "\u00a0"

// saoPaulo is the legal time of Brasília, without summer time since 2019; a fixed zone needs no zone database.
var saoPaulo = time.FixedZone("-03", -3*60*60)

// formats are the functions that templates call to write published values the way people read them.
var formats = template.FuncMap{
	"cep":      formatCEP,
	"cnae":     formatCNAE,
	"count":    formatCount,
	"date":     formatDate,
	"day":      formatDay,
	"document": formatDocument,
	"money":    formatMoney,
	"moment":   formatMoment,
	"month":    formatMonth,
	"note":     formatNote,
	"natureza": formatNatureza,
	"position": func(i int) int { return i + 1 },
	"rate":     formatRate,
	"rounded":  formatRounded,
	"scope":    formatScope,
	"sum":      formatSum,
}

// formatMoney writes R$ 1.234.567,89, "" when no amount was published.
func formatMoney(amount registry.Cents) string {
	if amount == registry.NoCents {
		return ""
	}
	cents := strconv.Itoa(int(amount % 100))
	return "R$" + nbsp + formatCount(int64(amount/100)) + "," + strings.Repeat("0", 2-len(cents)) + cents
}

// formatSum writes R$ 1.234.567,89 for a sum of cents.
func formatSum(cents *big.Int) string {
	reais, rest := new(big.Int).QuoRem(cents, big.NewInt(100), new(big.Int))
	return fmt.Sprintf("R$%s%s,%02d", nbsp, groupDigits(reais.String()), rest.Int64())
}

// magnitudes are in the order of their size, in reais.
var magnitudes = [...]struct {
	digits        int
	one, severals string
}{
	{13, "trilhão", "trilhões"},
	{10, "bilhão", "bilhões"},
	{7, "milhão", "milhões"},
}

// formatRounded writes R$ 12,3 bilhões for a sum of cents; what is less than a million stays exact.
func formatRounded(cents *big.Int) string {
	reais := new(big.Int).Quo(cents, big.NewInt(100)).String()
	for _, m := range magnitudes {
		whole := len(reais) - m.digits + 1
		if whole < 1 {
			continue
		}
		name := m.severals
		if reais[:whole] == "1" {
			name = m.one
		}
		return "R$" + nbsp + groupDigits(reais[:whole]) + "," + reais[whole:whole+1] + nbsp + name
	}
	return formatSum(cents)
}

// formatRate writes a number with as many decimals as it needs to be compared with others of its size; what would round
// to nothing is said to be little.
func formatRate(rate float64) string {
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
	return groupDigits(whole) + "," + decimal
}

// formatCount writes 1.234.567.
func formatCount(n int64) string { return groupDigits(strconv.FormatInt(n, 10)) }

// groupDigits sets a point before every three digits from the end.
func groupDigits(digits string) string {
	var b strings.Builder
	for i, d := range digits {
		if left := len(digits) - i; i > 0 && left%3 == 0 && digits[i-1] != '-' {
			b.WriteByte('.')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// formatDate writes 31/12/2026, "" when there is no date.
func formatDate(d registry.Date) string {
	if d == 0 {
		return ""
	}
	return d.Time().Format("02/01/2006")
}

// formatDay writes the day of an instant in Brasília.
func formatDay(t time.Time) string { return t.In(saoPaulo).Format("02/01/2006") }

// formatMoment writes the day and the minute of an instant in Brasília.
func formatMoment(t time.Time) string { return t.In(saoPaulo).Format("02/01/2006 15:04") }

// formatMonth turns AAAA-MM into MM/AAAA; other texts stay as they are.
func formatMonth(period string) string {
	t, err := time.Parse("2006-01", period)
	if err != nil {
		return period
	}
	return t.Format("01/2006")
}

// formatPhone writes (19) 3233-4455; numbers of an unusual length stay as published.
func formatPhone(ddd, number string) string {
	if number == "" {
		return ""
	}
	if n := len(number); n == 8 || n == 9 {
		number = number[:n-4] + "-" + number[n-4:]
	}
	if ddd == "" {
		return number
	}
	return "(" + ddd + ") " + number
}

// formatCEP writes 13024-100.
func formatCEP(cep string) string { return punctuate(cep, 8, "-", 5) }

// formatCNAE writes 1091-1/02.
func formatCNAE(code string) string { return punctuate(punctuate(code, 7, "/", 5), 8, "-", 4) }

// formatNatureza writes 206-2.
func formatNatureza(code string) string { return punctuate(code, 4, "-", 3) }

// punctuate puts sep at position at of a code with the expected length; others stay as published.
func punctuate(code string, length int, sep string, at int) string {
	if len(code) != length {
		return code
	}
	return code[:at] + sep + code[at:]
}

// formatDocument masks a partner's CNPJ; what the tax authority has masked itself stays as published.
func formatDocument(document string) string {
	full, err := cnpj.ParseFull(document)
	if err != nil {
		return document
	}
	return full.Masked()
}
