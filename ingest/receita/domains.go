package receita

import (
	"bytes"
	_ "embed" // the table below
	"encoding/csv"
	"fmt"

	"razao/internal/data/record"
)

// knownDomains is a CSV of domain, code and description, for codes that the published tables lack.
//
//go:embed data/dominios.csv
var knownDomains []byte

// CompleteDomains returns the published domain tables, completed with codes that they lack and with
// domains that have no file. A published description always wins. An unknown domain is an error.
func CompleteDomains(published record.Domains) (record.Domains, error) {
	records, err := csv.NewReader(bytes.NewReader(knownDomains)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("embedded domain tables: %w", err)
	}
	all := record.LayoutDomains()
	for _, r := range records[1:] {
		kind := record.Domain(r[0])
		if all[kind] == nil {
			all[kind] = map[string]string{}
		}
		all[kind][r[1]] = r[2]
	}
	for kind, table := range published {
		if all[kind] == nil {
			return nil, fmt.Errorf("unknown domain %q", kind)
		}
		for code, description := range table {
			all[kind][code] = description
		}
	}
	return all, nil
}
