package registry

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"razao/internal/data/change"
)

// tables are the published names of the parts of the company registry, in the order in which they are listed.
var tables = []struct {
	part change.Part
	name string
}{
	{change.Companies, "Empresas"}, {change.Establishments, "Estabelecimentos"}, {change.Partners, "Socios"}, {change.Simples, "Simples"},
}

// Lacks returns the names of the files of a part that the load was made without (`--partial`); nil: it has all of them.
// What the load does not have of such a part may be in them, and is never absent.
func (l *Load) Lacks(part change.Part) (files []string) {
	for _, t := range tables {
		if t.part == part {
			files = append(files, l.Missing(t.name)...)
		}
	}
	return files
}

// Missing returns the names of the files of a published table that the load was made without.
func (l *Load) Missing(table string) (files []string) {
	for _, name := range l.Provenance.Faltantes {
		if strings.TrimRight(strings.TrimSuffix(name, ".zip"), "0123456789") == table {
			files = append(files, name)
		}
	}
	return files
}

// Lacking returns the parts of the company registry that the load has not whole, of those that are asked for; of all, if none is.
func (l *Load) Lacking(parts ...change.Part) (lacking []change.Part) {
	for _, t := range tables {
		if (len(parts) == 0 || slices.Contains(parts, t.part)) && l.Lacks(t.part) != nil {
			lacking = append(lacking, t.part)
		}
	}
	return lacking
}

// LackError is the error of a query whose answer may be in files that the load was made without: of a look-up that
// finds nothing, or of a filter by what a company does not have. It is a failure, and never absence.
type LackError struct{ Files []string }

// Names joins the names of the files, of many the first.
func (e *LackError) Names() string {
	const most = 6
	if more := len(e.Files) - most; more > 0 {
		return strings.Join(e.Files[:most], ", ") + fmt.Sprintf(" (+%d)", more)
	}
	return strings.Join(e.Files, ", ")
}

// Error does not name the document, because errors are logged.
func (e *LackError) Error() string {
	return "the load lacks " + e.Names() + ", which may have the answer"
}

// Lack returns the *LackError of the parts that the load has not whole; nil if it has all of them.
func (l *Load) Lack(parts ...change.Part) error {
	var files []string
	for _, part := range l.Lacking(parts...) {
		files = append(files, l.Lacks(part)...)
	}
	if files == nil {
		return nil
	}
	return &LackError{files}
}

// Gap names the files of companies that the load was made without, of many the first; "": it has all of them.
func (l *Load) Gap(parts ...change.Part) string {
	if lack, ok := errors.AsType[*LackError](l.Lack(parts...)); ok {
		return lack.Names()
	}
	return ""
}

// Absent returns the error of a look-up that has found nothing: an *AbsentError, or a *LackError if the document may be in
// files that the load lacks. A company is there by its own row, or by one of an establishment.
func (l *Load) Absent(d Document) error {
	parts := []change.Part{change.Companies, change.Establishments}
	if d.Order != nil {
		parts = parts[1:]
	}
	if err := l.Lack(parts...); err != nil {
		return err
	}
	return &AbsentError{Document: d}
}
