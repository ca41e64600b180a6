package find

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strings"
)

//go:embed cnae.csv
var cnaeTable string

// cnaeNames holds the names of the sections (a letter) and divisions (two digits) of the CNAE, which the monthly
// tables, of subclasses only, lack.
type cnaeNames map[string]string

func loadCNAE() (cnaeNames, error) {
	records, err := csv.NewReader(strings.NewReader(cnaeTable)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read CNAE table: %w", err)
	}
	names := cnaeNames{}
	for _, record := range records[1:] {
		names[record[0]] = record[1]
	}
	return names, nil
}

// has says whether a code can exist at its level: a section, a division, or a group, class or subclass of a division.
func (n cnaeNames) has(code string) bool {
	switch len(code) {
	case 1, 2:
		return n[code] != ""
	case 3, 5, 7:
		return n[code[:2]] != "" && strings.Trim(code, "0123456789") == ""
	}
	return false
}
