package company

import (
	"regexp"

	"razao/internal/data/cnpj"
	"razao/site/records"
)

// maskedShape matches a path that begins with a masked CNPJ, 12.345.678/0001-95, with or without
// its points and hyphen. The slash of the mask makes it two path segments, which no route matches.
var maskedShape = regexp.MustCompile(`^/([0-9A-Za-z.]{8,10}/[0-9A-Za-z]{4}-?[0-9]{2})(\.md|/ibama/([a-z_]+)/([0-9]+))?$`)

// UnmaskedPath returns the canonical path for a path with a masked CNPJ: that of the page, its
// Markdown twin or a list of IBAMA. ok is false when the path has no masked CNPJ or its check
// digits are wrong.
func UnmaskedPath(path string) (address string, ok bool) {
	parts := maskedShape.FindStringSubmatch(path)
	if parts == nil {
		return "", false
	}
	full, err := cnpj.ParseFull(cnpj.Unmask(parts[1]))
	if err != nil {
		return "", false
	}
	address = "/" + full.String()
	if list, ok := records.ListName(parts[3]); ok {
		return address + "/ibama/" + list + "/" + parts[4], true
	}
	return address + parts[2], true
}
