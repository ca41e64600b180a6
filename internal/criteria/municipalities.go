package criteria

import (
	"cmp"
	"slices"
	"strings"

	"razao/index/text"
	"razao/internal/territory"
)

// municipalityIndex finds municipalities by the beginnings of their names: keys in order, one for each word of a name, which
// reaches from that word to the UF ("rio de janeiro rj", "de janeiro rj", "janeiro rj").
type municipalityIndex []municipalityKey

type municipalityKey struct {
	text  string
	name  string // the whole name, folded; "" for a key that does not begin with its first word
	place territory.Municipality
}

func newMunicipalityIndex(atlas *territory.Atlas) municipalityIndex {
	var keys municipalityIndex
	for _, m := range atlas.Municipalities() {
		if m.UF == territory.Abroad {
			continue
		}
		words := text.Words(m.Name + " " + m.UF)
		name := strings.Join(words[:len(words)-1], " ")
		for i := range words[:len(words)-1] {
			keys = append(keys, municipalityKey{strings.Join(words[i:], " "), name, m})
			name = ""
		}
	}
	slices.SortFunc(keys, func(a, b municipalityKey) int { return cmp.Compare(a.text, b.text) })
	return keys
}

// Places returns the municipalities whose whole name was typed, with or without the UF, and others that a name with these words may become:
// the most populous first, mostWhole and mostOthers of them at the most.
func (r *Reader) Places(typed string, mostWhole, mostOthers int) (whole, others []territory.Municipality) {
	return r.places.find(typed, mostWhole, mostOthers)
}

func (keys municipalityIndex) find(typed string, mostWhole, mostOthers int) (whole, others []territory.Municipality) {
	typed = strings.Join(text.Words(typed), " ")
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
	return whole, others
}

// keepLargest adds a municipality to a short list in order of population that has each only once.
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
