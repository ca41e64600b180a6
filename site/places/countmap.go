package places

import "razao/internal/store/snapshot"

// CountMap returns a map of the states shaded by counts, keyed by UF. Keys without an outline, such
// as EX for abroad, are ignored.
func (hs *Handlers) CountMap(label string, counts map[string]int) *StateMap {
	var states []snapshot.Place
	for _, uf := range hs.atlas.UFs() {
		if hs.outlines[uf.Code] != "" {
			states = append(states, snapshot.Place{UF: uf.Code, Name: uf.Name})
		}
	}
	return newStateMap(hs.outlines, states, label, measure{}.counting(func(p *snapshot.Place) int64 { return int64(counts[p.UF]) }))
}
