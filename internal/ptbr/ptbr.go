// Package ptbr writes values the way Brazilians read them: Campinas/SP, 1091-1/02, (19) 3233-4455, R$ 1.234,56,
// 31/12/2026, 27.800.285, 13024-100. It is the one writer of the pages, the assistant and the messengers.
//
// A value that was not published is "" here, never a word for it: what to say instead depends on the page. Codes and texts
// that do not have the expected shape stay as they were published.
package ptbr

import (
	"strings"
)

// NBSP keeps an amount and its currency on one line.
const NBSP = "\u00a0"

// Plain writes a value with ordinary spaces, for text that nobody lays out.
func Plain(value string) string { return strings.ReplaceAll(value, NBSP, " ") }

// Join joins the parts that are not empty, as in Campinas/SP.
func Join(separator string, parts ...string) string {
	kept := parts[:0:0]
	for _, part := range parts {
		if part != "" {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, separator)
}

// Alternatives writes capital, nome ou recente. There is at least one.
func Alternatives(names []string) string { return listed(names, " ou ") }

// List writes capital, nome e recente. There is at least one.
func List(names []string) string { return listed(names, " e ") }

func listed(names []string, and string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + and + names[last]
}

// Span writes 2019 a 2023. A span is open where an end is "": desde 2019, até 2023.
func Span(from, to string) string {
	switch {
	case from == to:
		return from
	case to == "":
		return "desde " + from
	case from == "":
		return "até " + to
	}
	return from + " a " + to
}
