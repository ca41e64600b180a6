package wording

import (
	"strings"

	"razao/internal/data/territory"
)

// articles maps the UFs whose names take an article: do Acre, da Bahia. The others take none: de
// São Paulo.
var articles = map[string]string{
	"AC": "o", "AM": "o", "AP": "o", "BA": "a", "CE": "o", "DF": "o", "ES": "o", "EX": "o", "MA": "o", "PA": "o", "PB": "a", "PI": "o", "PR": "o",
	"RJ": "o", "RN": "o", "RS": "o", "TO": "o",
}

// OfState returns a state with the preposition "de": do Rio de Janeiro, de Minas Gerais, do
// exterior.
func OfState(uf territory.UF) string {
	name := uf.Name
	if uf.Code == territory.Abroad {
		name = strings.ToLower(name)
	}
	if article := articles[uf.Code]; article != "" {
		return "d" + article + " " + name
	}
	return "de " + name
}

// rio is the one large city whose name always takes an article: no Rio de Janeiro, but em Recife.
const rio = "Rio de Janeiro"

// InState returns a state with the preposition "em": na Bahia, em Minas Gerais, no exterior.
func InState(uf territory.UF) string {
	of := OfState(uf)
	if name, ok := strings.CutPrefix(of, "de "); ok {
		return "em " + name
	}
	return "n" + of[1:]
}

// InCity returns em Campinas/SP.
func InCity(m territory.Municipality) string {
	if m.Name == rio {
		return "no " + m.Name + "/" + m.UF
	}
	return "em " + m.Name + "/" + m.UF
}

// OfCity returns de Campinas/SP.
func OfCity(m territory.Municipality) string {
	if m.Name == rio {
		return "do " + m.Name + "/" + m.UF
	}
	return "de " + m.Name + "/" + m.UF
}
