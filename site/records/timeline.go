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

// timeline puts the facts of all records and others into one line.
func (read *reading) timeline(others []Event, missing []string) Timeline {
	t := Timeline{Asked: read.Year, Missing: missing}
	all := read.dated(others)
	t.Total = len(all)
	for i := range read.pages {
		p := &read.pages[i]
		if len(p.Source.Facts.Dates) > 0 && (!p.Answered() && p.Load != nil || read.facts[i].missing != "") {
			t.Missing = append(t.Missing, "Faltam os fatos de "+p.Source.Title+", que esta página não pôde ler por inteiro.")
		}
	}
	slices.SortStableFunc(all, func(a, b dated) int { return cmp.Compare(b.day, a.day) })
	shown := all[:min(newestFacts, len(all))]
	if read.Year != 0 {
		shown = slices.DeleteFunc(slices.Clone(all), func(d dated) bool { return d.day.Year() != read.Year })
		if len(shown) > factsOfYear {
			t.Cut, shown = int64(len(shown)), shown[:factsOfYear]
		}
		t.BackURL = read.with("linha", "linha", "")
	}
	t.Shown = len(shown)
	now := read.rm.now()
	for i := range shown {
		e := read.event(&shown[i])
		e.Expected = e.Day.After(now)
		year := yearText(e.Day.Year())
		if n := len(t.Groups); n == 0 || t.Groups[n-1].Year != year {
			t.Groups = append(t.Groups, YearFacts{Year: year})
		}
		group := &t.Groups[len(t.Groups)-1]
		group.Events = append(group.Events, e)
	}
	if len(all) > len(shown) {
		t.Years = read.years(all, shown)
		n := min(openYears, len(t.Years))
		t.Years, t.Older = t.Years[:n], t.Years[n:]
	}
	return t
}

// dated returns the events of all records that are known, and others.
func (read *reading) dated(others []Event) []dated {
	var all []dated
	for i := range others {
		day := others[i].Day
		all = append(all, dated{day: record.MakeDate(day.Year(), int(day.Month()), day.Day()), event: &others[i]})
	}
	for i := range read.pages {
		for k := range read.pages[i].Source.Facts.Dates {
			moment := &read.pages[i].Source.Facts.Dates[k]
			for n := range read.facts[i].all {
				f := &read.facts[i].all[n]
				day := f.day
				if moment.Field != read.pages[i].Source.Facts.Day {
					day = dayOf(valueOf(f.item, moment.Field))
				}
				if day != 0 {
					all = append(all, dated{day: day, page: i, fact: n, moment: moment})
				}
			}
		}
	}
	return all
}

// years counts the facts of the years that are not shown whole, by kind.
func (read *reading) years(all, shown []dated) []YearKinds {
	kinds, left := map[int]map[string]int{}, map[int]int{}
	for i := range all {
		year := all[i].day.Year()
		if kinds[year] == nil {
			kinds[year] = map[string]int{}
		}
		kinds[year][all[i].kind()]++
		left[year]++
	}
	for i := range shown {
		left[shown[i].day.Year()]--
	}
	var years []YearKinds
	for _, year := range slices.Backward(slices.Sorted(maps.Keys(kinds))) {
		if left[year] == 0 {
			continue
		}
		count := int64(0)
		var parts []string
		of := kinds[year]
		for _, kind := range slices.SortedFunc(maps.Keys(of), func(a, b string) int { return cmp.Or(cmp.Compare(of[b], of[a]), cmp.Compare(a, b)) }) {
			parts = append(parts, kind+" ("+ptbr.Count(of[kind])+")")
			count += int64(of[kind])
		}
		text := yearText(year)
		years = append(years, YearKinds{
			Choice: Choice{Text: text, Count: count, URL: read.with("linha", "linha", text), Current: year == read.Year},
			Kinds:  strings.Join(parts, ", "),
		})
	}
	return years
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
