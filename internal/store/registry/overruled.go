package registry

import (
	"slices"
	"strings"
)

// Check is a kind of check that --force overrules.
type Check string

// The checks, as the API names them.
const (
	ByRejects Check = "rejeitadas" // rows that cannot be read
	ByFigures Check = "contagens"  // of rows and records
	ByRules   Check = "regras"     // that drop or repair rows
	ByColumns Check = "colunas"    // their shapes
	ByCodes   Check = "codigos"    // what they mean
	ByChanges Check = "mudancas"   // since the load before
)

// Checks are all of them, in the order in which a load is checked.
var Checks = []Check{ByRejects, ByFigures, ByRules, ByColumns, ByCodes, ByChanges}

// Overrule notes that a load is published in spite of a check. The reason is for operators only: it may show values.
func (l *Load) Overrule(check Check, why string) {
	l.Overruled = append(l.Overruled, string(check)+": "+why)
}

// OverruledChecks returns the kinds of checks in spite of which the load was published; none: it passed all.
func (l *Load) OverruledChecks() []Check {
	checks := []Check{}
	for _, check := range Checks {
		if slices.ContainsFunc(l.Overruled, func(why string) bool { return strings.HasPrefix(why, string(check)+": ") }) {
			checks = append(checks, check)
		}
	}
	return checks
}
