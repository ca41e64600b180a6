// Package tally reads what the records of a source say, the days and the amounts, and adds it up as package source declares it. The pages
// of companies and the filters of searches both ask here, so they cannot differ.
package tally

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/registry/pack"
	"razao/internal/source"
)

// Value returns the text of a field, "" when it is null. Of a field that holds any JSON it is the text or the number
// that this is, "" for anything else.
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

// Members returns the texts and numbers of a field that is a JSON object, by their names.
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

// raw is Value that returns JSON lists, objects and flags as they are kept.
func raw(it *pack.Item, name string) string { return cmp.Or(Value(it, name), it.Value(name)) }

// Day returns the published day that a field holds, 0 when it is none.
func Day(it *pack.Item, name string) record.Date { return dayOf(Value(it, name)) }

func dayOf(published string) record.Date {
	t, ok := ptbr.ParseDay(published)
	if !ok {
		return 0
	}
	return record.MakeDate(t.Year(), int(t.Month()), t.Day())
}
