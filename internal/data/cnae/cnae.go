// Package cnae embeds the national classification of economic activities (CNAE 2.3): the names of
// its codes that are known without a load. A code is a path from general to special: section (a
// letter), division (2 digits), group (3), class (5), subclass (7). The tables of a monthly release
// have subclasses only; their names take precedence over these.
package cnae

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strings"
)

//go:embed cnae.csv
var table string

// Names maps the codes of sections, divisions and subclasses, retired ones included, to their
// names. Groups and classes are not in it. It is not changed after Load and so safe for concurrent
// use.
type Names map[string]string

// Load parses the embedded table. An error means that the program was built with a damaged one.
func Load() (Names, error) {
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read CNAE table: %w", err)
	}
	names := make(Names, len(rows))
	for _, row := range rows[1:] {
		names[row[0]] = row[1]
	}
	return names, nil
}

// Has reports whether a code can exist: a known section or division, or any group, class or
// subclass whose division is known. Those below the division are not looked up, because releases
// may have newer ones than the table.
func (n Names) Has(code string) bool {
	switch len(code) {
	case 1, 2:
		return n[code] != ""
	case 3, 5, 7:
		return n[code[:2]] != "" && strings.Trim(code, "0123456789") == ""
	}
	return false
}
