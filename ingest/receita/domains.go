package receita

import (
	"bytes"
	_ "embed" // the table below
	"encoding/csv"
	"fmt"

	"razao/internal/record"
)

//go:embed data/dominios.csv
var knownDomains []byte

// CompleteDomains adds to the published tables the codes that they lack and the domains without a file. A published
// description is never replaced.
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
