package mte

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"razao/ingest/rows"
)

// period is a stay in a register, from an inclusion to a removal. Days are DD/MM/AAAA, as
// published.
type period struct {
	Inicio string  `json:"inicio"`
	Fim    *string `json:"fim"` // nil: still in the register
}

// A cell holds the day of an inclusion or a history of stays, of a name that an injunction removed
// and that came back:
//
//	05/04/2024 a 10/05/2024, 09/04/2025
//
// The shapes are matched after each stay has been replaced by the letter D.
var (
	interval = regexp.MustCompile(`(\d\d/\d\d/\d{4})(?:\s+a\s+(\d\d/\d\d/\d{4}))?`)
	history  = regexp.MustCompile(`^D(, D)*$`)
	// The CEAC separates stays by commas, semicolons, blanks or "e".
	looseHistory = regexp.MustCompile(`^D(([\s,;]|\se\s)+D)*$`)
)

// parsePeriods parses a history of the Cadastro de Empregadores. It returns nil unless the whole
// cell has the published grammar and every day exists: a guessed history is worse than none.
func parsePeriods(cell string) []period { return periodsOf(cell, history) }

// parseLoosePeriods parses a history of the CEAC, with any separator; nil as for parsePeriods.
func parseLoosePeriods(cell string) []period { return periodsOf(cell, looseHistory) }

// periodsOf parses a cell whose stays, each replaced by a D, form the given shape. A cell that
// itself holds a D is refused, since it could imitate a stay.
func periodsOf(cell string, shape *regexp.Regexp) []period {
	cell = strings.Join(strings.Fields(cell), " ")
	if strings.Contains(cell, "D") || !shape.MatchString(interval.ReplaceAllLiteralString(cell, "D")) {
		return nil
	}
	var periods []period
	for _, m := range interval.FindAllStringSubmatch(cell, -1) {
		p := period{Inicio: m[1]}
		if m[2] != "" {
			p.Fim = &m[2]
		}
		if !calendarDay(m[1]) || m[2] != "" && !calendarDay(m[2]) {
			return nil
		}
		periods = append(periods, p)
	}
	return periods
}

func calendarDay(s string) bool {
	_, err := rows.Date(s)
	return err == nil
}

// periodsJSON encodes periods as a JSON array; none are "" (null).
func periodsJSON(periods []period) (string, error) {
	if len(periods) == 0 {
		return "", nil
	}
	text, err := json.Marshal(periods)
	if err != nil {
		return "", fmt.Errorf("periods: %w", err)
	}
	return string(text), nil
}
