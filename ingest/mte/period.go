package mte

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"razao/ingest/rows"
)

// period is a stay in a register, from an inclusion to a removal. Dates are as published.
type period struct {
	Inicio string  `json:"inicio"`
	Fim    *string `json:"fim"` // nil: still there
}

// The cells hold an inclusion, or a history of a name that left by injunction and came back:
// 05/04/2024 a 10/05/2024, 09/04/2025.
var (
	interval = regexp.MustCompile(`(\d\d/\d\d/\d{4})(?:\s+a\s+(\d\d/\d\d/\d{4}))?`)
	history  = regexp.MustCompile(`^D(, D)*$`)
	// The CEAC separates its intervals in any way.
	looseHistory = regexp.MustCompile(`^D(([\s,;]|\se\s)+D)*$`)
)

// parsePeriods reads a history as the Cadastro de Empregadores writes it. It returns nil for everything else: a wrong
// history is worse than none.
func parsePeriods(cell string) []period { return periodsOf(cell, history) }

// parseLoosePeriods reads a history as the CEAC writes it, or returns nil.
func parseLoosePeriods(cell string) []period { return periodsOf(cell, looseHistory) }

// periodsOf reads the intervals of a cell whose text, with a D for each of them, has the given shape.
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

// periodsJSON returns periods as a JSON value, "" (null) when there are none.
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
