package pgfn

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"razao/ingest/rows"
)

// system is one of the three systems in which debts are registered.
type system struct {
	id    string // value of the field sistema, and the mark under which rows are counted
	title string // for notes, in Portuguese
	floor int64  // fewest rows of a plausible quarter, well below every real one
}

// The systems, each with its floor.
func prev() system { return system{"previdenciario", "Previdenciário", 2_000_000} }
func fgts() system { return system{"fgts", "FGTS", 400_000} }
func sida() system { return system{"nao_previdenciario", "Não previdenciário", 30_000_000} }

// systems returns all systems in the order in which notes list them.
func systems() []system { return []system{sida(), prev(), fgts()} }

// systemOf tells the system from a column that only it has: file names have varied.
func systemOf(header []string) system {
	switch {
	case slices.Contains(header, "TIPO_CREDITO"):
		return prev()
	case slices.Contains(header, "ENTIDADE_RESPONSAVEL"):
		return fgts()
	}
	return sida()
}

// A part's plain name ends in its month; the publisher's folders are AAAA_trimestre_QQ.
var (
	monthInName   = regexp.MustCompile(`_(20\d\d)(0[1-9]|1[0-2])\.csv$`)
	quarterInPath = regexp.MustCompile(`(?i)(20\d\d)_trimestre_0?([1-4])(?:\D|$)`)
)

// periodOf returns the last month of a file's quarter, AAAA-MM: from its name, else from the
// folders or the zip of its path, else "".
func periodOf(f *rows.File) string {
	if m := monthInName.FindStringSubmatch(f.PlainName()); m != nil {
		return m[1] + "-" + m[2]
	}
	if m := quarterInPath.FindStringSubmatch(f.Path); m != nil {
		quarter, _ := strconv.Atoi(m[2]) // one digit
		return fmt.Sprintf("%s-%02d", m[1], 3*quarter)
	}
	return ""
}
