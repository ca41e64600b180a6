package places

import "razao/internal/snapshot"

// CountMap shows in shades how many of something the states have, by their two letters. Other keys, such as that of
// addresses abroad, have no place on it.
func (rm *Room) CountMap(label string, counts map[string]int) *StateMap {
	var states []snapshot.Place
	for _, uf := range rm.atlas.UFs() {
		if rm.outlines[uf.Code] != "" {
			states = append(states, snapshot.Place{UF: uf.Code, Name: uf.Name})
		}
	}
	return newStateMap(rm.outlines, states, label, measure{}.counting(func(p *snapshot.Place) int64 { return int64(counts[p.UF]) }))
}
