package site

import (
	"html/template"
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
	"month":    formatMonth,
	"natureza": formatNatureza,
}

// formatMoney writes R$ 1.234.567,89, "" when no amount was published.
func formatMoney(amount registry.Cents) string {
	if amount == registry.NoCents {
		return ""
	}
	cents := strconv.Itoa(int(amount % 100))
	return "R$" + nbsp + formatCount(int64(amount/100)) + "," + strings.Repeat("0", 2-len(cents)) + cents
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
