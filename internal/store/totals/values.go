// Package totals computes what the records of a source come to, in amounts and days, as the source's
// Facts declare it.
//
// The company pages and the filters of searches both add up with this package, so a filter by total
// agrees with the total that a page shows. Amounts are integers in ten-thousandths of a real, sums
// are exact, and rounding happens only in Sum.Cents.
//
// Adder, Sum and Measures are not safe for concurrent use; functions of a single record are.
package totals

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/registry/pack"
)

// Value returns the text of a field, "" when it is null or missing. Of a field of kind source.JSON
// it returns the decoded string (trimmed) or the digits of the number, and "" for any other JSON
// value.
func Value(it *pack.Item, name string) string {
	i := slices.IndexFunc(it.Fields, func(f source.Field) bool { return f.Name == name })
	switch {
	case i < 0:
		return ""
	case it.Fields[i].Kind == source.JSON:
		return jsonText(it.Values[i])
	}
	return it.Values[i]
}

// jsonText returns the text of a JSON string and the digits of a JSON number, "" for every other
// value.
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

// Members returns the strings and numbers in a field that holds a JSON object, by key; other
// members are "". It returns nil when the field holds no object.
func Members(it *pack.Item, name string) map[string]string {
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

// raw is Value, but returns lists, objects and booleans as their JSON text instead of "".
func raw(it *pack.Item, name string) string { return cmp.Or(Value(it, name), it.Value(name)) }

// Day returns the day that a field holds in any published format, 0 when it holds none.
func Day(it *pack.Item, name string) record.Date { return dayOf(Value(it, name)) }

// dayOf parses a published day; anything else is 0.
func dayOf(published string) record.Date {
	t, ok := ptbr.ParseDay(published)
	if !ok {
		return 0
	}
	return record.MakeDate(t.Year(), int(t.Month()), t.Day())
}
