package aduana

import (
	"regexp"
	"strings"

	"razao/ingest/rows"
)

// modalityOf classifies a published modality by the word it begins with, ignoring case: "expressa",
// "limitada", "ilimitada", or "outra" for anything else. "" stays "".
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

// amount matches a currency (group 1), the number after it (group 2) and the rest of the text
// (group 3).
var amount = regexp.MustCompile(`(?i)(US\$|USD|R\$|BRL)[\s\x{a0}]*([0-9][0-9.,]*)[\s\x{a0}]*(.*)`)

// more matches a rest that changes the value of the number before it: further digits after a blank
// ("50 000") or a multiple ("50 mil", "50K", "1,5 milhão").
var more = regexp.MustCompile(`(?i)^(?:\d|(?:k|mi|mil|milh\pL*)(?:\PL|$))`)

// brazilian matches whole reais or dollars in Brazilian notation, with or without thousands points
// and two decimals.
var brazilian = regexp.MustCompile(`^(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d{2})?$`)

// limitOf returns the limit that a modality's text states, as a decimal, and its currency, "USD" or
// "BRL"; both are "" when it states none. The function reads only what is written: it does not fill
// in the limit that the rules in force give to a modality, and it rejects every ambiguous number
// ("50 mil", "50 000", "50,000.00"). The amount in an "ilimitada" is a threshold, not a limit, and
// is ignored.
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
