package record

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strings"
)

//go:embed cnae.csv
var cnaeTable string

// CNAE maps codes of the national classification of economic activities (CNAE 2.3) to their names: of
// sections (a letter), divisions (2 digits) and subclasses (7), retired ones included, but not of the
// groups (3) and classes (5) between. It is what is known without a load. Releases have subclasses
// only; their names take precedence. It is not changed after LoadCNAE, and so safe for concurrent use.
type CNAE map[string]string

// LoadCNAE parses the embedded table. An error means that the program was built with a damaged one.
func LoadCNAE() (CNAE, error) {
	rows, err := csv.NewReader(strings.NewReader(cnaeTable)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read CNAE table: %w", err)
	}
	names := make(CNAE, len(rows))
	for _, row := range rows[1:] {
		names[row[0]] = row[1]
	}
	return names, nil
}

// Has reports whether a code can exist: a known section or division, or any group, class or
// subclass whose division is known. Those below the division are not looked up, because releases
// may have newer ones than the table.
func (c CNAE) Has(code string) bool {
	switch len(code) {
	case 1, 2:
		return c[code] != ""
	case 3, 5, 7:
		return c[code[:2]] != "" && strings.Trim(code, "0123456789") == ""
	}
	return false
}
