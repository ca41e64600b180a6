package country

import (
	"fmt"
	"iter"
	"sort"
	"time"
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
// this country's, and numbers the companies.
func (c *Country) count(first string) (err error) {
	start, err := newCalendar(first)
	if err != nil {
		return err
	}
	if start.Month.After(c.Month) {
		return fmt.Errorf("the release %s comes before the first one, %s", c.Month.Format("2006-01"), first)
	}
	numeric, lettered := c.Founders, -1
	if start.Release > firstLetters {
		numeric -= c.Founders * 3 / 100
	}
	total := c.Founders
	for month := start.Month; !month.After(c.Month); month = month.AddDate(0, 1, 0) {
		published := DayOf(publication(month).Date())
		if len(c.counts) > 0 {
			if lettered < 0 && published > firstLetters {
				lettered = total
			}
			total += max(1, total*openings/1_000_000)
		}
		c.publications, c.counts = append(c.publications, published), append(c.counts, total)
	}
	if lettered < 0 {
		lettered = total
	}
	c.Companies, c.Months = total, len(c.counts)-1
	c.roots, err = newNumbering(c.seed, numeric, c.Founders, lettered, total)
	return err
}

// Earlier returns the country of an earlier release of the series, AAAA-MM. Only its companies may
// be asked for: the calendar (Month, Release) stays that of c.
func (c *Country) Earlier(month string) (*Country, error) {
	t, err := time.Parse("2006-01", month)
	gone := (c.Month.Year()-t.Year())*12 + int(c.Month.Month()-t.Month())
	if err != nil || gone < 1 || gone > c.Months {
		return nil, fmt.Errorf("there is no release %q before that of %s", month, c.Month.Format("2006-01"))
	}
	before := *c
	before.Months -= gone
	before.Companies = c.counts[before.Months]
	return &before, nil
}

// monthOf returns in which month after the first release company i became known, 0 for founders.
func (c *Country) monthOf(i int) int {
	if i < c.Founders {
		return 0
	}
	return sort.SearchInts(c.counts, i+1)
}

// dayIn draws a day between the publications of the month before and of the given month, which must
// be 1 or later.
func (c *Country) dayIn(d *Dice, month int) Day {
	return Since(d, c.publications[month-1]+1, c.publications[month])
}

// eventDice returns the sequence of a topic for company i in a month after the first release.
func (c *Country) eventDice(t Topic, i, month int) Dice {
	return c.Dice(t, uint64(month)<<32|uint64(i))
}

// live replays the months that a company has seen since it became known and records its events in
// When. Companies abroad, public bodies and giants have no events, because rows about other
// companies rely on what they are.
func (c *Country) live(of *Company) {
	if of.Status != Active || of.Abroad > 0 || of.Kind.Style == Public || c.GiantOf(of.Index) != nil {
		return
	}
	for month := c.monthOf(of.Index) + 1; month <= c.Months && of.Status == Active; month++ {
		d := c.eventDice(ofEvent, of.Index, month)
		event := Event(Rung(d.N(1_000_000), eventRates[:]...))
		if event == Events || of.When[event] > 0 {
			continue
		}
		of.When[event] = uint16(month)
		if event == Closure {
			of.Status, of.Changed = Closed, c.EventDay(of, Closure)
		}
	}
}

// EventDay returns the day of an event that has happened to the company.
func (c *Country) EventDay(of *Company, event Event) Day {
	month := int(of.When[event])
	d := c.eventDice(ofEventDay, of.Index, month)
	return max(c.dayIn(&d, month), of.Start)
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
	first.When, first.Status, first.Changed = [Events]uint16{}, c.began, c.beganOn
	return first
}

// Moves returns whether a head office has moved, where it was before, and the sequence for its new
// address.
func (c *Country) Moves(e *Establishment) (former Establishment, d Dice, moved bool) {
	if !e.Head || e.Company.When[Move] == 0 && e.Company.When[Departure] == 0 {
		return Establishment{}, Dice{}, false
	}
	month := max(e.Company.When[Move], e.Company.When[Departure])
	former = *e
	former.City = e.Company.City
	return former, c.Dice(ofMove, 1<<63|uint64(month)<<32|uint64(e.Company.Index)), true
}
