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
	months     [monthsKept][2]uint32 // opened and closed, oldest month first
	closings   map[uint32]uint32     // by year, 0 for unknown
	activities map[uint32]uint32     // active head offices by main activity
}

// monthsKept is the number of months with openings and closings of their own: a year, and the month
// that the last one is compared with.
const monthsKept = 13

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

// month returns the place of a day's month among the monthsKept that end with the period, false when
// it is none of them.
func (p period) month(day uint32) (at int, ok bool) {
	if day == 0 || p == (period{}) {
		return 0, false
	}
	at = monthsFrom(p.first, day) + 1
	return at, at >= 0 && at < monthsKept
}

// monthsFrom returns how many months the month of one day is after that of another.
func monthsFrom(first, day uint32) int {
	return (int(day/10_000)-int(first/10_000))*12 + int(day/100%100) - int(first/100%100)
}

func newMoves() *moves {
	return &moves{closings: make(map[uint32]uint32), activities: make(map[uint32]uint32)}
}

func (m *moves) add(a *column.Attributes, lately period) {
	if at, ok := lately.month(a.Opening); ok {
		m.months[at][0]++
	}
	if at, ok := lately.month(a.Closing); ok {
		m.months[at][1]++
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

// append appends the varints of one place: openings and closings of each month, none in the zero
// period, then two counted lists, closings by year and the most frequent activities. Sorting by code
// before the stable sort by count makes the file reproducible.
func (m *moves) append(out []byte, lately period) []byte {
	if lately != (period{}) {
		for _, month := range m.months {
			out = binary.AppendUvarint(binary.AppendUvarint(out, uint64(month[0])), uint64(month[1]))
		}
	}
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
		out = s.moves.append(out, t.lately)
	})
	return os.WriteFile(path, out, 0o600)
}
