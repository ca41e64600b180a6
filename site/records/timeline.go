package records

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/source"
	"razao/internal/source/tally"
)

const (
	newestFacts = 15  // that the time line of a company has, unless a year of it is asked for
	factsOfYear = 200 // that it has of a year, at most
	openYears   = 6   // that are counted in sight; the older ones unfold
)

// Timeline are the dated facts about a company or an establishment: the newest of them, or those of one year.
type Timeline struct {
	Asked   int         // the year that was asked for; 0: the newest facts
	Total   int         // facts of all years
	Groups  []YearFacts // the newest first
	Cut     int64       // facts of the year that was asked for, when it has more than are shown; else 0
	Shown   int         // facts
	Years   []YearKinds // with all facts of each year by kind, when some of them are not shown
	Older   []YearKinds // further ones, folded
	BackURL string      // to the newest facts
	Missing []string    // sentences: whose facts are not all in it
}

// YearFacts are facts of one year, the newest first.
type YearFacts struct {
	Year   string
	Events []Event
}

// YearKinds leads to the facts of a year.
type YearKinds struct {
	Choice
	Kinds string // how many facts of each kind it has, the most frequent first
}

// Event is a dated fact.
type Event struct {
	Day      time.Time
	Text     string
	Detail   string
	URL      string // of the place that says so
	Expected bool   // the day is still to come
}

// Date returns the day as people write it.
func (e Event) Date() string { return e.Day.Format("02/01/2006") }

// ISO returns the day as programs write it.
func (e Event) ISO() string { return e.Day.Format(time.DateOnly) }

// dated is an event before it is put into words: of all those of a company few are shown.
type dated struct {
	day    record.Date
	event  *Event // one that is in words already; nil for that of a record
	page   int    // position of the source
	fact   int
	moment *source.Milestone
}

// kind is what happened.
func (d *dated) kind() string {
	if d.event != nil {
		return d.event.Text
	}
	return d.moment.Text
}

// line is what the time line shows, found in one pass over all events: those that it does not show are only counted.
type line struct {
	year  int     // that was asked for; 0: the newest events
	limit int     // of the events that are shown
	shown []dated // the newest first, as they come within a day
	total int
	kinds map[int]map[string]int // events by year and kind
}

func (l *line) add(d *dated) {
	l.total++
	year := d.day.Year()
	if l.kinds[year] == nil {
		l.kinds[year] = map[string]int{}
	}
	l.kinds[year][d.kind()]++
	full := len(l.shown) == l.limit
	if l.year != 0 && l.year != year || full && d.day <= l.shown[l.limit-1].day {
		return
	}
	if full {
		l.shown = l.shown[:l.limit-1]
	}
	at, _ := slices.BinarySearchFunc(l.shown, d.day, func(one dated, day record.Date) int {
		if one.day >= day { // what came first stays first
			return -1
		}
		return 1
	})
	l.shown = slices.Insert(l.shown, at, *d)
}

// timeline puts the facts of all records and others into one line.
func (read *reading) timeline(others []Event, missing []string) Timeline {
	t := Timeline{Asked: read.Year, Missing: missing}
	l := &line{year: read.Year, limit: newestFacts, kinds: map[int]map[string]int{}}
	if read.Year != 0 {
		l.limit = factsOfYear
		t.BackURL = read.with("linha", "linha", "")
	}
	read.eachDated(others, l.add)
	t.Total, t.Shown = l.total, len(l.shown)
	for i := range read.pages {
		p := &read.pages[i]
		if len(p.Source.Facts.Dates) > 0 && (!p.Answered() && p.Load != nil || read.facts[i].missing != "") {
			t.Missing = append(t.Missing, "Faltam os fatos de "+p.Source.Title+", que esta página não pôde ler por inteiro.")
		}
	}
	if n := sumOf(l.kinds[read.Year]); read.Year != 0 && n > t.Shown {
		t.Cut = int64(n)
	}
	now := read.rm.now()
	for i := range l.shown {
		e := read.event(&l.shown[i])
		e.Expected = e.Day.After(now)
		year := yearText(e.Day.Year())
		if n := len(t.Groups); n == 0 || t.Groups[n-1].Year != year {
			t.Groups = append(t.Groups, YearFacts{Year: year})
		}
		group := &t.Groups[len(t.Groups)-1]
		group.Events = append(group.Events, e)
	}
	if l.total > len(l.shown) {
		t.Years = read.years(l)
		n := min(openYears, len(t.Years))
		t.Years, t.Older = t.Years[:n], t.Years[n:]
	}
	return t
}

// eachDated visits others and the events of all records that are known.
func (read *reading) eachDated(others []Event, visit func(*dated)) {
	for i := range others {
		day := others[i].Day
		visit(&dated{day: record.MakeDate(day.Year(), int(day.Month()), day.Day()), event: &others[i]})
	}
	for i := range read.pages {
		declared := &read.pages[i].Source.Facts
		for k := range declared.Dates {
			d := dated{page: i, moment: &declared.Dates[k]}
			for n := range read.facts[i].all {
				f := &read.facts[i].all[n]
				d.day, d.fact = f.day, n
				if d.moment.Field != declared.Day {
					d.day = tally.Day(f.item, d.moment.Field)
				}
				if d.day != 0 {
					visit(&d)
				}
			}
		}
	}
}

// years are those that are not shown whole, with their events by kind.
func (read *reading) years(l *line) []YearKinds {
	shown := map[int]int{}
	for i := range l.shown {
		shown[l.shown[i].day.Year()]++
	}
	var years []YearKinds
	for _, year := range slices.Backward(slices.Sorted(maps.Keys(l.kinds))) {
		of := l.kinds[year]
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

// event puts a fact into words.
func (read *reading) event(d *dated) Event {
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

// place is the address of the row of a record, on this page or another one, or of the card of its source when no page has it.
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
