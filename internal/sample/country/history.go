package country

import (
	"fmt"
	"iter"
	"sort"
	"time"
)

// Event is what may happen to a company in a month after it became known, each at most once in its
// life; only the demonstration company repeats them. An event that does not apply, such as the Exit
// of a company's only partner, changes nothing.
type Event int

// The events.
const (
	Closure         Event = iota // of company and branches; its options for Simples and MEI end
	Move                         // of the head office within its municipality
	Departure                    // of the head office to another municipality
	Entry                        // of a partner
	Exit                         // of the last of several partners
	Requalified                  // the first partner gets another qualification
	Renaming                     // of a firm: razao_social gets another brand
	Raise                        // of capital_social
	SimplesEntry                 // option for Simples
	SimplesExit                  // exit from Simples, and from MEI with it
	MEIExit                      // exit from MEI; the option for Simples stays
	Suspension                   // of the company and of its active branches
	Inaptitude                   // the same, for missing declarations
	Reactivation                 // of a company that is suspended, inapt or closed
	BranchOpening                // of one more branch
	BranchClosure                // of one branch
	HeadMove                     // the first branch becomes the head office
	NewActivity                  // of the head office: another cnae_fiscal_principal
	OtherActivities              // of the head office: other cnae_fiscal_secundaria
	NewContact                   // of the head office: another telephone and e-mail
	NewTradeName                 // of the head office
	Distress                     // of the head office: situacao_especial
	Conversion                   // of a firm into a limited company (natureza_juridica)
	Resize                       // porte_empresa
	MEIEntry                     // option for MEI, and for Simples with it
	Correction                   // of the day of an option for Simples or MEI
	Removal                      // from the releases; only of companies opened after the first one
	Events                       // number of events
)

// openings is how many companies are opened in a month for each million that exist.
const openings = 8000

// eventRates holds, for each event, how many of a million active companies it comes to in a month,
// of the order of real months. About two in five companies are active.
var eventRates = [Events]int{
	Closure: 12_000, Move: 6000, Departure: 1500, Entry: 2500, Exit: 2500, Requalified: 600, Renaming: 2500, Raise: 3000,
	SimplesEntry: 2000, SimplesExit: 4000, MEIExit: 3000,
	Suspension: 400, Inaptitude: 1500, BranchOpening: 1500, BranchClosure: 1000, HeadMove: 2000, NewActivity: 1500, OtherActivities: 3000,
	NewContact: 8000, NewTradeName: 1500, Distress: 100, Conversion: 3000, Resize: 2500, MEIEntry: 600, Correction: 1000, Removal: 2000,
}

// reactivationRates holds how many of a million companies that are not active become so in a month,
// by situacao_cadastral.
var reactivationRates = map[string]int{Suspended: 15_000, Inapt: 4000, Closed: 100}

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
	if of.Status == Null || of.Abroad > 0 || of.Kind.Style == Public || c.GiantOf(of.Index) != nil {
		return
	}
	for month := c.monthOf(of.Index) + 1; month <= c.Months && of.When[Removal] == 0; month++ {
		event := c.drawn(of, month)
		if event == Events || of.When[event] > 0 && !of.Demonstration {
			continue
		}
		of.When[event] = uint16(month)
		switch event {
		case Closure, Suspension, Inaptitude, Reactivation:
			of.Status, of.Changed = statusAfter[event], c.EventDay(of, event)
		case BranchOpening:
			of.Branches++
			of.Opened++
		}
	}
}

// drawn returns the event of a company in a month, Events for none.
func (c *Country) drawn(of *Company, month int) Event {
	if of.Demonstration {
		return demonstrated[(month-2)%len(demonstrated)] // it is opened in the first month after the first release
	}
	d := c.eventDice(ofEvent, of.Index, month)
	u := d.N(1_000_000)
	if of.Status != Active {
		if u < reactivationRates[of.Status] {
			return Reactivation
		}
		return Events
	}
	event := Event(Rung(u, eventRates[:]...))
	switch {
	case event == Removal && (of.Index < c.Founders || of.Index%GroupSize == 0), // rows of others are about it
		event == BranchOpening && !of.Kind.Branches,
		event == Reactivation:
		return Events
	}
	return event
}

// statusAfter holds situacao_cadastral after the events that change it.
var statusAfter = [Events]string{Closure: Closed, Suspension: Suspended, Inaptitude: Inapt, Reactivation: Active}

// demonstrated is what happens to the demonstration company, one event a month over and over again.
var demonstrated = [...]Event{
	NewContact, Entry, Move, Raise, BranchOpening, NewActivity, Suspension, Reactivation, Exit, NewTradeName, OtherActivities, BranchClosure,
	Renaming, Departure, SimplesExit, SimplesEntry, Resize, Requalified,
}

// Times returns how often an event has happened to the company.
func (c *Company) Times(event Event) int {
	switch {
	case c.When[event] == 0:
		return 0
	case !c.Demonstration:
		return 1
	}
	return (int(c.When[event])-2)/len(demonstrated) + 1
}

// EventDay returns the day of an event that has happened to the company.
func (c *Country) EventDay(of *Company, event Event) Day { return c.dayOf(of, int(of.When[event])) }

// dayOf returns the day of the event that has happened to the company in a month.
func (c *Country) dayOf(of *Company, month int) Day {
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
	first.Branches, first.Opened = c.Branches-c.Opened, 0
	return first
}

// Moves returns whether a head office has moved, where it was before, and the sequence for its new
// address.
func (c *Country) Moves(e *Establishment) (former Establishment, d Dice, moved bool) {
	if !e.First || e.Company.When[Move] == 0 && e.Company.When[Departure] == 0 {
		return Establishment{}, Dice{}, false
	}
	month := max(e.Company.When[Move], e.Company.When[Departure])
	former = *e
	former.City = e.Company.City
	return former, c.Dice(ofMove, 1<<63|uint64(month)<<32|uint64(e.Company.Index)), true
}
