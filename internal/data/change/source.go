package change

import (
	"strconv"
	"strings"
)

// SourceState is what a load of public records says of a company. Equal states have records that read the same.
type SourceState struct {
	Records int64
	Total   int64    // cents, as pages add the amounts up
	Totaled bool     // Total is known: the source has amounts, and some may be added
	Content uint64   // a hash of the records, as a set
	Fields  []uint64 // of each field that is compared a hash of its values in the records, as a set
}

// CompareSource returns the event between two states of a company in a source, if there is one. names are those of the
// fields that are compared.
func CompareSource(before, after SourceState, names []string) (e Event, differ bool) {
	total := before.Total != after.Total || before.Totaled != after.Totaled
	if before.Records == after.Records && before.Content == after.Content && !total {
		return Event{}, false
	}
	e.Kind = SourceChanged
	switch {
	case before.Records == 0:
		e.Kind = SourceIn
	case after.Records == 0:
		e.Kind = SourceOut
	case total:
		e.Kind = SourceTotal
	}
	if before.Records > 0 {
		e.Before = sourceValues(before)
	}
	if after.Records > 0 {
		e.After = sourceValues(after)
	}
	if e.Kind == SourceChanged {
		changed := ""
		if before.Records == after.Records {
			changed = changedFields(before, after, names)
		}
		e.Before, e.After = append(e.Before, ""), append(e.After, changed)
	}
	return e, true
}

// changedFields returns the names of the fields whose values differ, separated by commas.
func changedFields(before, after SourceState, names []string) string {
	var changed []string
	for i, name := range names {
		if before.Fields[i] != after.Fields[i] {
			changed = append(changed, name)
		}
	}
	return strings.Join(changed, ",")
}

func sourceValues(s SourceState) []string {
	values := []string{strconv.FormatInt(s.Records, 10), ""}
	if s.Totaled {
		values[1] = reais(s.Total)
	}
	return values
}
