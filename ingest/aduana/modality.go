package aduana

import (
	"regexp"
	"strings"

	"razao/ingest/rows"
)

// modalityOf sorts a published modality into expressa, limitada, ilimitada or outra; "" stays "".
func modalityOf(published string) string {
	if published == "" {
		return ""
	}
	text := strings.ToLower(published)
	for _, known := range []string{"expressa", "limitada", "ilimitada"} {
		if strings.HasPrefix(text, known) {
			return known
		}
	}
	return "outra"
}

// amount is a currency with a number behind it and what comes after that.
var amount = regexp.MustCompile(`(?i)(US\$|USD|R\$|BRL)[\s\x{a0}]*([0-9][0-9.,]*)[\s\x{a0}]*(.*)`)

// more is what makes more of the number before it: a multiple, or further digits.
var more = regexp.MustCompile(`(?i)^(?:\d|(?:k|mi|mil|milh\pL*)(?:\PL|$))`)

// brazilian is a number with or without thousands and cents.
var brazilian = regexp.MustCompile(`^(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d{2})?$`)

// limitOf returns the limit that the text of a modality states, as a decimal, with its currency, or nothing. What the
// rules in force would allow is never filled in, nor is a number guessed at: not "50 mil", not 50 000, not 50,000.00.
func limitOf(published string) (limit, currency string) {
	m := amount.FindStringSubmatch(published)
	if m == nil || modalityOf(published) == "ilimitada" {
		return "", ""
	}
	number := strings.TrimRight(m[2], ".,")
	if !brazilian.MatchString(number) || more.MatchString(m[3]) {
		return "", ""
	}
	limit, err := rows.Decimal(strings.ReplaceAll(number, ".", ""))
	if err != nil {
		return "", ""
	}
	switch strings.ToUpper(m[1]) {
	case "US$", "USD":
		return limit, "USD"
	}
	return limit, "BRL"
}
