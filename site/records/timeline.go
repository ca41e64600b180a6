package records

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/totals"
)

// Bounds of the time line.
const (
	newestFacts = 15  // events shown when no year is asked for
	factsOfYear = 200 // events shown of the year asked for
	openYears   = 6   // years with counts that are visible; older ones are folded away
)

// Timeline is the dated events about a company or establishment: the newest, or those of one year,
// with counts by year of the rest.
type Timeline struct {
	Asked   int         // the year asked for; 0 means the newest events
	Total   int         // events of all years
	Groups  []YearFacts // descending
	Cut     int64       // events of the year asked for, if more than shown; else 0
	Shown   int         // events in Groups
	Years   []YearKinds // counts of the newest years that are not shown in full
	Older   []YearKinds // counts of further such years
	BackURL string      // the time line with the newest events
	Missing []string    // sentences on what the time line lacks
	Records bool        // some events come from records, and not from what the page says elsewhere
}

// YearFacts are events of one year, newest first.
type YearFacts struct {
	Year   string
	Events []Event
}

// YearKinds counts the events of a year and links to them.
type YearKinds struct {
	Choice
	Kinds string // counts by kind in words, most frequent first
}

// Event is something that happened on a day.
type Event struct {
	Day      time.Time
	Text     string
	Detail   string
	URL      string // where the page says so: a fragment, or an address on the site
	Expected bool   // the day is in the future
}

// Date returns the day as people write it.
func (e Event) Date() string { return e.Day.Format("02/01/2006") }

// ISO returns the day as AAAA-MM-DD.
func (e Event) ISO() string { return e.Day.Format(time.DateOnly) }

// rawEvent is an event not yet put into words. A company may have tens of thousands, of which few
// are shown.
type rawEvent struct {
	day    record.Date
	event  *Event // an event that is in words already; nil for one of a record
	page   int    // index in reading.pages
	fact   int    // index in the source's facts
	moment *source.Milestone
}

// kind returns what happened, such as "Abertura do estabelecimento".
func (d *rawEvent) kind() string {
	if d.event != nil {
		return d.event.Text
	}
	return d.moment.Text
}

// eventWindow selects the events to show in one pass over all of them, and counts the rest. It keeps
// a sorted list of at most limit events, a bounded insertion sort: O(n) for n events, because limit
// is constant.
type eventWindow struct {
	year  int        // the year asked for; 0 means the newest events
	limit int        // of shown
	shown []rawEvent // newest first; events of one day in the order in which they were added
	total int
	kinds map[int]map[string]int // counts by year and kind
}

// add counts an event and, if it belongs among those shown, inserts it. It copies d.
func (w *eventWindow) add(d *rawEvent) {
	w.total++
	year := d.day.Year()
	if w.kinds[year] == nil {
		w.kinds[year] = map[string]int{}
	}
	w.kinds[year][d.kind()]++
	full := len(w.shown) == w.limit
	if w.year != 0 && w.year != year || full && d.day <= w.shown[w.limit-1].day {
		return
	}
	if full {
		w.shown = w.shown[:w.limit-1]
	}
	at, _ := slices.BinarySearchFunc(w.shown, d.day, func(one rawEvent, day record.Date) int {
		if one.day >= day { // stable: equal days keep their order
			return -1
		}
		return 1
	})
	w.shown = slices.Insert(w.shown, at, *d)
}

// timeline builds the time line of the facts of all records and of others.
func (read *reading) timeline(others []Event, missing []string) Timeline {
	t := Timeline{Asked: read.Year, Missing: missing}
	w := &eventWindow{year: read.Year, limit: newestFacts, kinds: map[int]map[string]int{}}
	if read.Year != 0 {
		w.limit = factsOfYear
		t.BackURL = read.with("linha", "linha", "")
	}
	read.eachRawEvent(others, w.add)
	t.Total, t.Shown, t.Records = w.total, len(w.shown), w.total > len(others)
	for i := range read.pages {
		p := &read.pages[i]
		if len(p.Source.Facts.Dates) > 0 && (!p.Answered() && p.Load != nil || read.facts[i].missing != "") {
			t.Missing = append(t.Missing, "Faltam os fatos de "+p.Source.Title+", que esta página não pôde ler por inteiro.")
		}
	}
	if n := sumOf(w.kinds[read.Year]); read.Year != 0 && n > t.Shown {
		t.Cut = int64(n)
	}
	now := read.hs.now()
	for i := range w.shown {
		e := read.event(&w.shown[i])
		e.Expected = e.Day.After(now)
		year := yearText(e.Day.Year())
		if n := len(t.Groups); n == 0 || t.Groups[n-1].Year != year {
			t.Groups = append(t.Groups, YearFacts{Year: year})
		}
		group := &t.Groups[len(t.Groups)-1]
		group.Events = append(group.Events, e)
	}
	if w.total > len(w.shown) {
		t.Years = read.years(w)
		n := min(openYears, len(t.Years))
		t.Years, t.Older = t.Years[:n], t.Years[n:]
	}
	return t
}

// eachRawEvent visits others and then every event of every known fact. The *rawEvent is valid only
// during the call.
func (read *reading) eachRawEvent(others []Event, visit func(*rawEvent)) {
	for i := range others {
		day := others[i].Day
		visit(&rawEvent{day: record.MakeDate(day.Year(), int(day.Month()), day.Day()), event: &others[i]})
	}
	for i := range read.pages {
		declared := &read.pages[i].Source.Facts
		for k := range declared.Dates {
			d := rawEvent{page: i, moment: &declared.Dates[k]}
			for n := range read.facts[i].all {
				f := &read.facts[i].all[n]
				d.day, d.fact = f.day, n
				if d.moment.Field != declared.Day {
					d.day = totals.Day(f.item, d.moment.Field)
				}
				if d.day != 0 {
					visit(&d)
				}
			}
		}
	}
}

// years returns the years that are not shown in full, descending, with their counts.
func (read *reading) years(w *eventWindow) []YearKinds {
	shown := map[int]int{}
	for i := range w.shown {
		shown[w.shown[i].day.Year()]++
	}
	var years []YearKinds
	for _, year := range slices.Backward(slices.Sorted(maps.Keys(w.kinds))) {
		of := w.kinds[year]
		count := sumOf(of)
		if count == shown[year] {
			continue
		}
		var parts []string
		for _, kind := range slices.SortedFunc(maps.Keys(of), func(a, b string) int { return cmp.Or(cmp.Compare(of[b], of[a]), cmp.Compare(a, b)) }) {
			parts = append(parts, kind+" ("+ptbr.Count(of[kind])+")")
		}
		text := yearText(year)
		years = append(years, YearKinds{
			Choice: Choice{Text: text, Count: int64(count), URL: read.with("linha", "linha", text), Current: year == read.Year},
			Kinds:  strings.Join(parts, ", "),
		})
	}
	return years
}

func sumOf(counts map[string]int) (n int) {
	for _, count := range counts {
		n += count
	}
	return n
}

// event puts an event into words.
func (read *reading) event(d *rawEvent) Event {
	if d.event != nil {
		return *d.event
	}
	f := &read.facts[d.page].all[d.fact]
	src := &read.pages[d.page].Source
	var parts []string
	if d.moment.Amount && f.valued {
		parts = append(parts, f.amount.String())
	}
	for _, name := range d.moment.Detail {
		parts = append(parts, detailOf(f.item, name))
	}
	e := Event{Day: d.day.Time(), Text: d.moment.Text, Detail: ptbr.Join(", ", parts...), URL: read.place(d.page, f)}
	if isCancelled(&src.Facts, f.item) {
		e.Text += ", cancelado"
	}
	return e
}

// place returns the address of a record's row: on this page if it is shown, else on the list's page
// that has it; for a source that the page does not page through, its card.
func (read *reading) place(i int, f *fact) string {
	id := read.pages[i].Source.ID
	row := recordID(id, f.at)
	if slices.ContainsFunc(read.cards[i].Rows, func(r Row) bool { return r.ID == row }) {
		return "#" + row
	}
	if list, ok := ibamaLists[id]; ok {
		return listAddress(read.document(), list, f.at/listPerPage+1) + "#" + row
	}
	if !listed(id) {
		return "#" + id
	}
	text := ""
	if number := f.at/PerPage + 1; number > 1 {
		text = strconv.Itoa(number)
	}
	return read.with(row, id+"_pagina", text, id+"_ano", "", id+"_situacao", "", id+"_ordem", "")
}
