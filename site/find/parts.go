package find

import (
	"slices"

	"razao/internal/data/ptbr"
	"razao/internal/store/dossier"
	"razao/site/page"
)

// Part is a part of a list of companies, to be counted and shown alone.
type Part[Row any] struct {
	Value        string // of the parameter; "": all
	One, Several string // what one is, and several are
	Has          func(Row) bool
}

// situations are the parts by registration status, by code.
var situations = []struct{ code, value, one, several string }{
	{"02", "ativas", "ativa", "ativas"},
	{"03", "suspensas", "suspensa", "suspensas"},
	{"04", "inaptas", "inapta", "inaptas"},
	{"08", "baixadas", "baixada", "baixadas"},
	{"01", "nulas", "nula", "nulas"},
}

// abouts are the parts by what sources have.
var abouts = map[dossier.Subject]string{
	dossier.Debts: "com dívida ativa", dossier.Sanctions: "com sanção em vigor", dossier.Labour: "em lista do trabalho", dossier.Environment: "com auto ou embargo do Ibama",
	dossier.Contracts: "com contrato público",
}

// CompanyParts returns the parts of companies by registration status, whose code situation returns, and by what sources have.
func CompanyParts[Row any](situation func(Row) string, of func(Row) dossier.Dossier) (parts []Part[Row]) {
	for _, s := range situations {
		parts = append(parts, Part[Row]{s.value, s.one, s.several, func(r Row) bool { return situation(r) == s.code }})
	}
	for _, subject := range dossier.Subjects() {
		parts = append(parts, Part[Row]{string(subject), abouts[subject], abouts[subject], func(r Row) bool { return of(r).Has(subject) }})
	}
	return parts
}

// Choose returns the rows of the part that a parameter names, and all parts that have some as tiles; link is the address of one. The error is
// an *page.InvalidParameter.
func Choose[Row any](parts []Part[Row], rows []Row, parameter, value string, link func(value string) string) (chosen []Row, tiles []page.Tile, err error) {
	at := slices.IndexFunc(parts, func(p Part[Row]) bool { return p.Value == value })
	if at < 0 {
		var values []string
		for _, p := range parts {
			if p.Value != "" {
				values = append(values, p.Value)
			}
		}
		return nil, nil, page.UnknownValue(parameter, value, "Deve ser "+ptbr.Alternatives(values)+".")
	}
	for i, p := range parts {
		n := 0
		for _, r := range rows {
			if !p.Has(r) {
				continue
			}
			if n++; i == at {
				chosen = append(chosen, r)
			}
		}
		if n > 0 || i == at {
			tiles = append(tiles, page.Tile{Text: ptbr.Plural(n, p.One, p.Several), Count: n, URL: link(p.Value), Chosen: i == at})
		}
	}
	return chosen, tiles, nil
}
