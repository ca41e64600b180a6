package world

import (
	"fmt"
	"iter"
	"sort"
	"time"

	"razao/internal/sample/draw"
)

// Event is what may happen to an active company in a month after it became known, each at most once
// in its life. An event that does not apply, such as the Exit of a company's only partner, changes
// nothing.
type Event int

// The events.
const (
	Closure      Event = iota // of company and branches; its options for Simples and MEI end
	Move                      // of the head office within its municipality
	Departure                 // of the head office to another municipality
	Entry                     // of a partner
	Exit                      // of the last of several partners
	Requalified               // the first partner gets another qualification
	Renaming                  // of a firm: razao_social gets another brand
	Raise                     // of capital_social
	SimplesEntry              // option for Simples
	SimplesExit               // exit from Simples, and from MEI with it
	MEIExit                   // exit from MEI; the option for Simples stays
	Events                    // number of events
)

// openings is how many companies are opened in a month for each million that exist.
const openings = 8000

// eventRates holds, for each event, how many of a million active companies it comes to in a month,
// of the order of real months. About two in five companies are active.
var eventRates = [Events]int{
	Closure: 12_000, Move: 6000, Departure: 1500, Entry: 2500, Exit: 2500, Requalified: 600, Renaming: 2500, Raise: 3000,
	SimplesEntry: 2000, SimplesExit: 4000, MEIExit: 3000,
}

// count computes the publication day and the number of companies of every release from first to
// this world's, and numbers the companies.
func (w *World) count(first string) error {
	start, err := newCalendar(first)
	if err != nil {
		return err
	}
	if start.Month.After(w.Month) {
		return fmt.Errorf("the release %s comes before the first one, %s", w.Month.Format("2006-01"), first)
	}
	numeric, total := w.Founders, w.Founders
	if start.Release > firstLetters {
		numeric -= w.Founders * 3 / 100
	}
	w.roots = newNumbering(w.seed, numeric, w.Founders)
	letters := -1 // first index that gets an alphanumeric root after the first release
	for month := start.Month; !month.After(w.Month); month = month.AddDate(0, 1, 0) {
		published := DayOf(publication(month).Date())
		if len(w.counts) > 0 {
			if letters < 0 && published > firstLetters {
				letters = total
			}
			total += max(1, total*openings/1_000_000)
		}
		w.publications, w.counts = append(w.publications, published), append(w.counts, total)
	}
	if letters < 0 {
		letters = total
	}
	w.Companies, w.Months = total, len(w.counts)-1
	return w.roots.issue(letters, total)
}

// Earlier returns the world of an earlier release of the series, AAAA-MM. Only its companies may be
// asked for: the calendar (Month, Release) stays that of w.
func (w *World) Earlier(month string) (*World, error) {
	t, err := time.Parse("2006-01", month)
	gone := (w.Month.Year()-t.Year())*12 + int(w.Month.Month()-t.Month())
	if err != nil || gone < 1 || gone > w.Months {
		return nil, fmt.Errorf("there is no release %q before that of %s", month, w.Month.Format("2006-01"))
	}
	before := *w
	before.Months -= gone
	before.Companies = w.counts[before.Months]
	return &before, nil
}

// monthOf returns in which month after the first release company i became known, 0 for founders.
func (w *World) monthOf(i int) int {
	if i < w.Founders {
		return 0
	}
	return sort.SearchInts(w.counts, i+1)
}

// dayIn draws a day between the publications of the month before and of the given month, which must
// be 1 or later.
func (w *World) dayIn(d *draw.Dice, month int) Day {
	return Since(d, w.publications[month-1]+1, w.publications[month])
}

// eventDice returns the sequence of a topic for company i in a month after the first release.
func (w *World) eventDice(t draw.Topic, i, month int) draw.Dice {
	return w.Dice(t, uint64(month)<<32|uint64(i))
}

// live replays the months that a company has seen since it became known and records its events in
// c.When. Companies with a trap or abroad, public bodies and giants have no events, because other
// rows and tests rely on what they are.
func (w *World) live(c *Company) {
	if c.Status != Active || c.Trap != NoTrap || c.Abroad > 0 || c.Kind.Style == Public || w.GiantOf(c.Index) != nil {
		return
	}
	for month := w.monthOf(c.Index) + 1; month <= w.Months && !c.Closed(); month++ {
		d := w.eventDice(draw.Event, c.Index, month)
		event := Event(draw.Rung(d.N(1_000_000), eventRates[:]...))
		if event == Events || c.When[event] > 0 {
			continue
		}
		c.When[event] = uint16(month)
		if event == Closure {
			c.Status, c.Changed = Closed, w.EventDay(c, Closure)
		}
	}
}

// EventDay returns the day of an event that has happened to the company.
func (w *World) EventDay(c *Company, event Event) Day {
	month := int(c.When[event])
	d := w.eventDice(draw.EventDay, c.Index, month)
	return max(w.dayIn(&d, month), c.Start)
}

// Past yields the events that have happened, in chronological order.
func (c *Company) Past() iter.Seq[Event] {
	return func(yield func(Event) bool) {
		for last := uint16(0); ; {
			next := Events
			for event, month := range c.When {
				if month > last && (next == Events || month < c.When[next]) {
					next = Event(event)
				}
			}
			if next == Events || !yield(next) {
				return
			}
			last = c.When[next]
		}
	}
}

// AsKnown returns the company as the first release that has it: without events.
func (c *Company) AsKnown() Company {
	first := *c
	first.When, first.Status, first.Changed = [Events]uint16{}, c.began.status, c.began.since
	return first
}

// move applies the moves of a head office.
func (w *World) move(e *Establishment) {
	c := e.Company
	if month := int(c.When[Departure]); month > 0 {
		d := w.eventDice(draw.Move, c.Index, month)
		e.City = w.seats.Pick(&d)
	}
	e.Moved = int(max(c.When[Move], c.When[Departure]))
}

// AddressDice returns the sequence for the new address of an establishment that has moved.
func (w *World) AddressDice(e *Establishment) draw.Dice {
	return w.Dice(draw.Move, 1<<63|uint64(e.Moved)<<32|uint64(e.Company.Index))
}
