// Package cnae is the national classification of economic activities (CNAE 2.3), built in: what can be known of a code
// without a load. The monthly tables have only the subclasses, and go before these names.
package cnae

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strings"
)

//go:embed cnae.csv
var table string

// Names are the names of the sections (a letter), divisions (two digits) and subclasses (seven digits), retired ones too,
// by code. Groups and classes have none.
type Names map[string]string

// Load reads the embedded table. An error means that the program was built with a damaged one.
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

// Has says whether a code can exist at its level: a section, a division, or a group, class or subclass of a division, be it
// a newer one than the table has.
func (n Names) Has(code string) bool {
	switch len(code) {
	case 1, 2:
		return n[code] != ""
	case 3, 5, 7:
		return n[code[:2]] != "" && strings.Trim(code, "0123456789") == ""
	}
	return false
}
