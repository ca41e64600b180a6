package ptbr

import "razao/internal/data/record"

// Meaning returns the description of a code, with the accents and case of written Portuguese. ok is
// false if d does not know the code.
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
	}
	return text, ok
}
