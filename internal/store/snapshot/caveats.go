package snapshot

import (
	"strings"

	"razao/index"
	"razao/index/filter"
	"razao/internal/data/glossary"
)

// caveats returns what must be said with the results of a query. The filters are those given and those that
// the text was understood as.
func caveats(q *index.Query, matches []Match) []glossary.Caveat {
	var parts []string
	for name, values := range q.Filters.Parameters() {
		parts = append(parts, name)
		for _, value := range values {
			parts = append(parts, name+"="+value)
			if strings.HasPrefix(value, "-") {
				parts = append(parts, name+"=-")
			}
		}
	}
	if q.Order == index.ByCapital {
		parts = append(parts, "ordem=capital")
	}
	byPartner := q.Scope == index.InPartners
	for i := range matches {
		byPartner = byPartner || matches[i].Partner != nil
		if matches[i].Why == index.WhyActivity {
			parts = append(parts, filter.CNAE)
		}
	}
	if byPartner {
		parts = append(parts, "em=socios")
	}
	return glossary.Caveats(parts)
}
