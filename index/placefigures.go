package index

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// placesFile holds what has happened in all places: see totals.writeMoves. Indexes of before it was written lack it.
const placesFile = "places"

// maxActivities is how many of a place's activities are kept.
const maxActivities = 20

// moves are the openings, closings and activities of one place.
type moves struct {
	opened, closed int64            // in the period
	closings       map[uint32]int64 // by year, 0 unknown
	activities     map[uint32]int64 // active head offices by their main activity
}

// period is a span of days, AAAAMMDD: from the first to before the last. The zero period has none.
type period struct{ first, end uint32 }

// twelveMonths returns the twelve months that end with a month (AAAA-MM), none for another text.
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
	return &moves{closings: make(map[uint32]int64), activities: make(map[uint32]int64)}
}

func (m *moves) add(a *attributes, lately period) {
	if lately.has(a.opening) {
		m.opened++
	}
	if lately.has(a.closing) {
		m.closed++
	}
	if a.facets.closed() {
		year := a.closing / 10_000
		if !isYear(int(year)) {
			year = 0
		}
		m.closings[year]++
	}
	if a.facets.active() && a.facets.headOffice() && a.activity != unknownActivity {
		m.activities[a.activity]++
	}
}

// append appends the numbers of a place: what was opened and closed in the period, the number of years and each with
// its closings, the number of activities and each with its companies.
func (m *moves) append(out []byte) []byte {
	out = binary.AppendUvarint(out, uint64(m.opened))
	out = binary.AppendUvarint(out, uint64(m.closed))
	years := byCode(m.closings)
	out = appendCounts(out, years)
	activities := byCode(m.activities)
	slices.SortStableFunc(activities, func(a, b codeCount) int { return cmp.Compare(b.count, a.count) })
	return appendCounts(out, activities[:min(len(activities), maxActivities)])
}

type codeCount struct {
	code  uint32
	count int64
}

func byCode(counts map[uint32]int64) []codeCount {
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

// writeMoves writes the first day and the end of the period, and for every place, in order, its kind and number and
// what moves.append says of it, all as varints.
func (t *totals) writeMoves(path string) error {
	out := binary.AppendUvarint(nil, uint64(t.lately.first))
	out = binary.AppendUvarint(out, uint64(t.lately.end))
	for _, p := range t.places() {
		out = binary.AppendUvarint(out, bit(p.municipality))
		out = binary.AppendUvarint(out, uint64(p.number))
		out = t.sums[p].moves.append(out)
	}
	return os.WriteFile(path, out, 0o600)
}

// places returns the places, in order.
func (t *totals) places() []place {
	out := make([]place, 0, len(t.sums))
	for p := range t.sums {
		out = append(out, p)
	}
	slices.SortFunc(out, comparePlaces)
	return out
}

func comparePlaces(a, b place) int {
	return cmp.Or(cmp.Compare(bit(a.municipality), bit(b.municipality)), cmp.Compare(a.number, b.number))
}

// readMoves completes the figures with what writeMoves has written, if that is there.
func (r *Rankings) readMoves(dir string) error {
	body, err := os.ReadFile(filepath.Join(dir, placesFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	in := &varints{r: bufio.NewReader(bytes.NewReader(body))}
	r.since, r.until = int(in.next()), int(in.next())
	names := map[uint64]string{}
	for !in.atEnd() && in.err == nil {
		f := r.figures(in.next() == 1, in.next())
		if f == nil {
			in.err = cmp.Or(in.err, errFigures)
			break
		}
		f.readMoves(in, names)
	}
	if in.err != nil {
		return fmt.Errorf("%w (%s: %w)", ErrDamaged, placesFile, in.err)
	}
	for _, f := range r.ufs {
		r.country.addMoves(f)
	}
	return nil
}

// figures returns the figures of a place by its number, nil when it has none.
func (r *Rankings) figures(municipality bool, number uint64) *PlaceFigures {
	switch {
	case municipality && number < unknownCode:
		return r.municipalities[fmt.Sprintf("%04d", number)]
	case !municipality && number > 0 && int(number) <= len(knownUFs)/3:
		return r.ufs[ufCode(int(number))]
	}
	return nil
}

// readMoves reads the numbers of one place; names keeps the texts of the activities.
func (f *PlaceFigures) readMoves(in *varints, names map[uint64]string) {
	f.Opened, f.Closed = int64(in.next()), int64(in.next())
	for n := in.next(); n > 0 && in.err == nil; n-- {
		f.Closings = append(f.Closings, ClosingCount{int(in.next()), int64(in.next())})
	}
	for n := in.next(); n > 0 && in.err == nil; n-- {
		code := in.next()
		if names[code] == "" {
			names[code] = fmt.Sprintf("%07d", code)
		}
		f.Activities = append(f.Activities, ActivityCount{names[code], int64(in.next())})
	}
}

// addMoves adds what has happened in a part. Activities are not added: those of the parts are not all there are.
func (f *PlaceFigures) addMoves(part *PlaceFigures) {
	f.Opened += part.Opened
	f.Closed += part.Closed
	for _, c := range part.Closings {
		i, ok := slices.BinarySearchFunc(f.Closings, c, func(a, b ClosingCount) int { return cmp.Compare(a.Year, b.Year) })
		if !ok {
			f.Closings = slices.Insert(f.Closings, i, ClosingCount{Year: c.Year})
		}
		f.Closings[i].Count += c.Count
	}
}
