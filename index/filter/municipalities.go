package filter

import (
	"cmp"
	"slices"
	"strings"

	"razao/index/term"
	"razao/internal/data/territory"
)

// municipalityIndex finds municipalities by prefixes of their names: a sorted list of keys, one for
// each word of a name, from that word to the UF ("rio de janeiro rj", "de janeiro rj", "janeiro
// rj"). A look-up is a binary search and a scan of the matching keys.
type municipalityIndex []municipalityKey

// municipalityKey is a suffix of a name with its municipality.
type municipalityKey struct {
	text  string
	name  string // whole folded name; "" unless text begins with its first word
	place territory.Municipality
}

// newMunicipalityIndex indexes all names of all municipalities but those abroad.
func newMunicipalityIndex(atlas *territory.Atlas) municipalityIndex {
	var keys municipalityIndex
	for name, same := range atlas.ByName(func(name string) string { return strings.Join(term.Words(name), " ") }) {
		words := strings.Fields(name)
		for _, m := range same {
			uf := " " + term.Fold(m.UF)
			keys = append(keys, municipalityKey{name + uf, name, m})
			for i := range words[1:] {
				keys = append(keys, municipalityKey{strings.Join(words[1+i:], " ") + uf, "", m})
			}
		}
	}
	slices.SortFunc(keys, func(a, b municipalityKey) int { return cmp.Compare(a.text, b.text) })
	return keys
}

// Places returns the municipalities one of whose names was typed as a whole, with or without the UF,
// and others that have the typed words as the beginning of a part of a name. Both lists are in order of
// population, largest first, at most mostWhole and mostOthers long.
func (r *Reader) Places(typed string, mostWhole, mostOthers int) (whole, others []territory.Municipality) {
	return r.places.find(typed, mostWhole, mostOthers)
}

// find implements Places.
func (keys municipalityIndex) find(typed string, mostWhole, mostOthers int) (whole, others []territory.Municipality) {
	typed = strings.Join(term.Words(typed), " ")
	if typed == "" {
		return nil, nil
	}
	first, _ := slices.BinarySearchFunc(keys, typed, func(k municipalityKey, typed string) int { return cmp.Compare(k.text, typed) })
	for _, key := range keys[first:] {
		if !strings.HasPrefix(key.text, typed) {
			break
		}
		if typed == key.name || key.name != "" && typed == key.text {
			whole = keepLargest(whole, key.place, mostWhole)
		} else {
			others = keepLargest(others, key.place, mostOthers)
		}
	}
	return whole, slices.DeleteFunc(others, func(m territory.Municipality) bool { return slices.Contains(whole, m) })
}

// keepLargest inserts m into a list of at most most municipalities in descending order of
// population, unless it is there already.
func keepLargest(list []territory.Municipality, m territory.Municipality, most int) []territory.Municipality {
	at, _ := slices.BinarySearchFunc(list, m, func(a, b territory.Municipality) int {
		return cmp.Or(cmp.Compare(b.Population, a.Population), cmp.Compare(a.RFB, b.RFB))
	})
	if at == most || at < len(list) && list[at].RFB == m.RFB {
		return list
	}
	list = slices.Insert(list, at, m)
	return list[:min(len(list), most)]
}
