package site

import (
	"encoding/json"
	"regexp"
	"strings"
	"time"

	"razao/internal/registry"
	"razao/internal/source"
)

// dayLayouts are the forms in which the sources publish a day. Some are followed by the time.
var dayLayouts = [...]string{"02/01/2006", "20060102", "2006-01-02", "2006-01-02 15:04:05", "2006-01-02T15:04:05"}

// parseDay reads a day in any of the published forms.
func parseDay(published string) (day time.Time, ok bool) {
	for _, layout := range dayLayouts {
		if t, err := time.Parse(layout, published); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// formatPublishedDay writes 31/12/2026 for a day in any of the published forms; other texts stay as they are.
func formatPublishedDay(published string) string {
	day, ok := parseDay(published)
	if !ok {
		return published
	}
	return day.Format("02/01/2006")
}

// formatPeriod writes the period of a source: 06/2026 or 30/09/2026; the labels of publishers stay as they are.
func formatPeriod(period string) string {
	if day, err := time.Parse(time.DateOnly, period); err == nil {
		return day.Format("02/01/2006")
	}
	return formatMonth(period)
}

var dateInNote = regexp.MustCompile(`\b[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?\b`)

// formatNote writes the dates in a sentence about a load, AAAA-MM-DD or AAAA-MM, as formatPeriod does.
func formatNote(note string) string { return dateInNote.ReplaceAllStringFunc(note, formatPeriod) }

var plainNumber = regexp.MustCompile(`^(-?)([0-9]+)(?:\.([0-9]+))?$`)

// formatNumber writes a published number the Brazilian way with all its digits; other texts stay as they are.
func formatNumber(published string) string {
	parts := plainNumber.FindStringSubmatch(published)
	if parts == nil {
		return published
	}
	text := parts[1] + groupDigits(parts[2])
	if parts[3] != "" {
		text += "," + parts[3]
	}
	return text
}

// formatAmount writes R$ 1.234,56 for a published amount: no digit of it is lost, cents are always there. Other texts
// stay as they are.
func formatAmount(currency, published string) string {
	if !plainNumber.MatchString(published) {
		return published
	}
	if whole, cents, _ := strings.Cut(published, "."); len(cents) < 2 {
		published = whole + "." + cents + strings.Repeat("0", 2-len(cents))
	}
	return currency + nbsp + formatNumber(published)
}

// value returns the text of a field, "" when it is null. Of a field that holds any JSON it is the text or the number
// that this is, "" for anything else.
func value(it *registry.Item, name string) string {
	for i := range it.Fields {
		if it.Fields[i].Name != name {
			continue
		}
		if it.Fields[i].Kind == source.JSON {
			return jsonText(it.Values[i])
		}
		return it.Values[i]
	}
	return ""
}

// jsonText returns the text of a JSON string and the digits of a JSON number, "" for any other value.
func jsonText(raw string) string {
	if strings.HasPrefix(raw, `"`) {
		var text string
		if json.Unmarshal([]byte(raw), &text) != nil {
			return ""
		}
		return strings.TrimSpace(text)
	}
	if raw != "" && strings.IndexByte("-0123456789", raw[0]) >= 0 {
		return raw
	}
	return ""
}

// members returns the texts and numbers of a field that is a JSON object, by their names.
func members(it *registry.Item, name string) map[string]string {
	var raw map[string]json.RawMessage
	if json.Unmarshal([]byte(it.Value(name)), &raw) != nil {
		return nil
	}
	texts := make(map[string]string, len(raw))
	for member, text := range raw {
		texts[member] = jsonText(string(text))
	}
	return texts
}
