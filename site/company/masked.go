package company

import (
	"regexp"
	"strings"

	"razao/internal/data/cnpj"
	"razao/site/records"
)

// numberShape matches a path that may be a CNPJ with slashes in it or after it, before what the path of
// a company ends in.
var numberShape = regexp.MustCompile(`(?s)^/(.+?)(\.md|/ibama/([a-z_]+)/([0-9]+))?/*$`)

// UnmaskedPath returns the path of a company for one that no route matches because of its slashes:
// 12.345.678/0001-95 (see [cnpj.Read]), 12345678/. The path is that of the page, its Markdown version or a
// list of IBAMA. ok is false when the path has no CNPJ, or one in several segments that is not an
// establishment's or has wrong check digits.
func UnmaskedPath(path string) (address string, ok bool) {
	parts := numberShape.FindStringSubmatch(path)
	if parts == nil {
		return "", false
	}
	typed, ok := cnpj.Read(parts[1])
	_, err := cnpj.ParseFull(typed.Text)
	if divided := strings.Contains(parts[1], "/"); !ok || typed.Digits == 0 || divided && (err != nil || !typed.MeansNumber()) {
		return "", false
	}
	address = "/" + typed.Text
	if list, ok := records.ListName(parts[3]); ok {
		return address + "/ibama/" + list + "/" + parts[4], true
	}
	return address + parts[2], true
}
