package company

import (
	"regexp"

	"razao/internal/cnpj"
	"razao/site/records"
)

var maskedShape = regexp.MustCompile(`^/([0-9A-Za-z.]{8,10}/[0-9A-Za-z]{4}-?[0-9]{2})(\.md|/ibama/([a-z_]+)/([0-9]+))?$`)

// UnmaskedPath returns the address of the page that a path with a masked CNPJ means.
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
