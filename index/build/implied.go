package build

import (
	"strings"

	"razao/index/term"
)

// implied returns where the terms begin in v.also that every document with a term of its payload has,
// too: of a word in a name how it sounds, its abbreviation and its long forms, of an activity
// everything above it. They follow from the term, so they are found once for all documents of a bucket,
// and neither encoded nor sorted with each of them.
func (v *inverter) implied(number uint32) uint32 {
	if at := v.terms[number].also; at > 0 {
		return at - 1
	}
	at := uint32(len(v.also))
	key := string(v.keyOf(number)) // a copy: new terms move the keys
	switch {
	case key[0] == term.FieldName:
		v.implyForms(key[1:])
	case strings.HasPrefix(key[1:], term.MainCNAE) && key[0] == term.FieldFilter:
		v.implyLevels(term.MainCNAE, key[1+len(term.MainCNAE):])
	case strings.HasPrefix(key[1:], term.SecondaryCNAE) && key[0] == term.FieldFilter:
		v.implyLevels(term.SecondaryCNAE, key[1+len(term.SecondaryCNAE):])
	}
	v.also = append(v.also, 0)
	v.terms[number].also = at + 1
	return at
}

// imply adds a term to the list that implied has begun.
func (v *inverter) imply(field byte, parts ...string) {
	v.key = append(v.key[:0], field)
	for _, part := range parts {
		v.key = append(v.key, part...)
	}
	number := v.number(v.key)
	v.also = append(v.also, number+1)
}

// implyForms adds how a word sounds, unless that is how it is written, its abbreviation and its long
// forms. These do not imply anything: they are not words of the name.
func (v *inverter) implyForms(word string) {
	for _, sound := range term.Sounds(word) {
		if term.Written(sound) != word {
			v.imply(term.FieldSound, sound)
		}
	}
	short, full := term.AlsoIndexed([]byte(word))
	if short != "" {
		v.imply(term.FieldName, short)
	}
	for _, form := range full {
		v.imply(term.FieldName, form)
	}
}

// implyLevels adds class, group, division and section of an activity, so that a filter at any level is
// one term.
func (v *inverter) implyLevels(kind, code string) {
	for _, digits := range [...]int{2, 3, 5} {
		if digits < len(code) {
			v.imply(term.FieldFilter, kind, code[:digits])
		}
	}
	if section := term.Section(code); section != "" {
		v.imply(term.FieldFilter, kind, section)
	}
}
