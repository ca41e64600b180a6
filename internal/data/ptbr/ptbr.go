// Package ptbr formats values for Brazilian readers: R$ 1.234,56, 31/12/2026, 27.800.285,
// 1091-1/02, (19) 3233-4455, 13024-100, Campinas/SP. Pages, assistant and messengers all format
// with it.
//
// An absent value is formatted as ""; callers choose the words for it. Codes and texts of an
// unexpected shape are returned as published. Currency and unit are joined to the number by a
// no-break space ([NBSP]).
//
// Title case (name.go) works on names published in capitals only. It is rule-based: particles,
// Roman numerals, initials, UFs, company suffixes and words without vowels are recognized from
// short word lists; accents are never guessed. Texts of official tables, which are published
// without accents, are looked up in official.csv instead.
package ptbr

import (
	"strings"
)

// NBSP is the no-break space, which keeps amount and currency on one line.
const NBSP = "\u00a0"

// Plain replaces no-break spaces by ordinary ones, for plain text.
func Plain(value string) string { return strings.ReplaceAll(value, NBSP, " ") }

// Join joins the non-empty parts.
func Join(separator string, parts ...string) string {
	kept := parts[:0:0]
	for _, part := range parts {
		if part != "" {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, separator)
}

// Alternatives formats a list with "ou": capital, nome ou recente. names must not be empty.
func Alternatives(names []string) string { return listed(names, " ou ") }

// List formats a list with "e": capital, nome e recente. names must not be empty.
func List(names []string) string { return listed(names, " e ") }

func listed(names []string, and string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + and + names[last]
}

// Span formats a range: 2019 a 2023. An empty end leaves it open: desde 2019, até 2023.
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
