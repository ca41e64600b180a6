package figures

import (
	"cmp"
	"encoding/binary"
	"os"
	"slices"
	"time"

	"razao/index/column"
	"razao/index/term"
)

// placesFile holds openings, closings and activities of all places: see Totals.writeMoves.
const placesFile = "places"

// maxActivities is the number of activities that are kept for each place.
const maxActivities = 20

// moves counts openings, closings and main activities of one place.
type moves struct {
	opened, closed int64             // within the period
	closings       map[uint32]uint32 // by year, 0 for unknown
	activities     map[uint32]uint32 // active head offices by main activity
}

// period is a half-open range of days, AAAAMMDD. The zero period is empty: it does not even contain
// 0, the day of documents without a date.
type period struct{ first, end uint32 }

// twelveMonths returns the twelve months that end with month (AAAA-MM). A text in another form, as
// invented registries have, gives the zero period.
func twelveMonths(month string) period {
	t, err := time.Parse("2006-01", month)
	if err != nil {
		return period{}
	}
	day := func(t time.Time) uint32 { return uint32(t.Year()*10_000 + int(t.Month())*100 + t.Day()) }
	return period{day(t.AddDate(-1, 1, 0)), day(t.AddDate(0, 1, 0))}
}

func (p period) has(day uint32) bool { return day >= p.first && day < p.end }

func newMoves() *moves {
	return &moves{closings: make(map[uint32]uint32), activities: make(map[uint32]uint32)}
}

func (m *moves) add(a *column.Attributes, lately period) {
	if lately.has(a.Opening) {
		m.opened++
	}
	if lately.has(a.Closing) {
		m.closed++
	}
	if a.Facets.Closed() {
		year := a.Closing / 10_000
		if !term.IsYear(int(year)) {
			year = 0
		}
		m.closings[year]++
	}
	if a.Facets.Active() && a.Facets.HeadOffice() && a.Activity != column.UnknownActivity {
		m.activities[a.Activity]++
	}
}

// append appends the varints of one place: openings and closings of the period, then two counted
// lists, closings by year and the most frequent activities. Sorting by code before the stable sort
// by count makes the file reproducible.
func (m *moves) append(out []byte) []byte {
	out = binary.AppendUvarint(out, uint64(m.opened))
	out = binary.AppendUvarint(out, uint64(m.closed))
	years := byCode(m.closings)
	out = appendCounts(out, years)
	activities := byCode(m.activities)
	slices.SortStableFunc(activities, func(a, b codeCount) int { return cmp.Compare(b.count, a.count) })
	return appendCounts(out, activities[:min(len(activities), maxActivities)])
}

type codeCount struct{ code, count uint32 }

// byCode returns the entries of a map in ascending order of their keys.
func byCode(counts map[uint32]uint32) []codeCount {
	out := make([]codeCount, 0, len(counts))
	for code, count := range counts {
		out = append(out, codeCount{code, count})
	}
	slices.SortFunc(out, func(a, b codeCount) int { return cmp.Compare(a.code, b.code) })
	return out
}

func appendCounts(out []byte, counts []codeCount) []byte {
	out = binary.AppendUvarint(out, uint64(len(counts)))
	for _, c := range counts {
		out = binary.AppendUvarint(out, uint64(c.code))
		out = binary.AppendUvarint(out, uint64(c.count))
	}
	return out
}

// writeMoves writes the period, then kind, number and moves of every place in order.
func (t *Totals) writeMoves(path string) error {
	out := binary.AppendUvarint(nil, uint64(t.lately.first))
	out = binary.AppendUvarint(out, uint64(t.lately.end))
	t.each(func(kind, number uint64, s *sum) {
		out = binary.AppendUvarint(out, kind)
		out = binary.AppendUvarint(out, number)
		out = s.moves.append(out)
	})
	return os.WriteFile(path, out, 0o600)
}
