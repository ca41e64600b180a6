package ptbr

import "razao/internal/record"

// Meaning returns the description of a code as people write it; ok is false for a code that no table knows.
func Meaning(d interface {
	Describe(kind record.Domain, code string) (text string, ok bool)
}, kind record.Domain, code string,
) (text string, ok bool) {
	text, ok = d.Describe(kind, code)
	switch {
	case kind == record.DomainMotivo:
		text = Motive(text)
	case kind == record.DomainPais:
		text = Country(text)
	case kind == record.DomainMunicipio:
		text = Street(text)
	case kind == record.DomainPorte && code == record.PorteDemais:
		text += " (médio ou grande)"
	}
	return text, ok
}
