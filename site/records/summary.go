package records

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/totals"
	"razao/site/chart"
)

// Summary is the totals of all records of a source about a company or establishment.
type Summary struct {
	StateName string // label of the field that Rows group by; "" when there is only All
	Amount    string // label of the amount; "" when the source has none
	Rows      []SummaryRow
	All       SummaryRow
	First     string // day of the earliest and of the latest record; "" when no day is published
	Last      string
	Undated   string   // number of records without a day, in words; "" for none
	Notes     []string // sentences on what the sum means and what it leaves out

	Years  *chart.Columns // filters by year; nil unless the list offers them
	Orders []Choice       // orders, that of the API first; nil unless the list offers them
}

// SummaryRow is a group of records with the same state, or all of them.
type SummaryRow struct {
	Choice
	Amounts bool   // the source has amounts
	Sum     string // "" when none of the amounts may be added
	Largest string // largest amount in the sum
}

// Choice is a link to a part of the records, or to an order of them.
type Choice struct {
	Text    string
	Count   int64
	URL     string // "" when the list offers no such choice
	Current bool
}

// group accumulates a SummaryRow.
type group struct {
	count   int64
	sum     totals.Sum
	added   int // amounts in sum
	largest totals.Amount
}

// row returns the group as a row. Without an amount that may be added, Sum and Largest stay "".
func (g *group) row(text string, amounts bool) SummaryRow {
	row := SummaryRow{Choice: Choice{Text: text, Count: g.count}, Amounts: amounts}
	if g.added > 0 {
		row.Sum, row.Largest = g.sum.String(), g.largest.String()
	}
	return row
}

// notesOf returns what the sum means and, with counts, what it leaves out and why.
func notesOf(a *totals.Adder) []string {
	notes := []string{a.Means}
	left := func(n int, why string) {
		if n > 0 {
			notes = append(notes, "Fora da soma: "+ptbr.Counted(n, "registro ", "registros ")+why+".")
		}
	}
	for i, e := range a.Except {
		left(a.Left[i], e.Why)
	}
	left(a.Old, "sem data ou de antes de "+ptbr.PublishedDay(a.Since)+", que podem estar em outra moeda")
	left(a.Again, "com o valor de outro registro do mesmo contrato, que pode ser o mesmo dinheiro")
	left(a.Unknown, "sem valor publicado")
	return notes
}

// summaryOf computes the totals of a source, and notes in facts whose amounts are added. facts must be
// those of all its records.
func summaryOf(src *source.Source, facts []fact) *Summary {
	declared := &src.Facts
	s := &Summary{}
	var adding *totals.Adder
	if declared.Amount != nil {
		s.Amount, adding = declared.Amount.Name, totals.NewAdder(declared.Amount)
	}
	groups, all := map[string]*group{}, &group{}
	var first, last record.Date
	undated := 0
	for i := range facts {
		f := &facts[i]
		g := groups[f.state]
		if g == nil {
			g = &group{}
			groups[f.state] = g
		}
		f.added = adding != nil && adding.Adds(f.item, f.day, f.amount, f.valued)
		for _, g := range []*group{g, all} {
			g.count++
			if f.added {
				g.sum.Add(f.amount)
				if g.added++; g.added == 1 || f.amount > g.largest {
					g.largest = f.amount
				}
			}
		}
		switch {
		case f.day == 0:
			undated++
			continue
		case first == 0 || f.day < first:
			first = f.day
		}
		last = max(last, f.day)
	}
	s.All = all.row("Todos", adding != nil)
	s.Rows = rowsOf(groups, adding != nil)
	if declared.State != "" {
		s.StateName = declared.StateName
	}
	if declared.Day != "" {
		s.First, s.Last = ptbr.Date(first.Time()), ptbr.Date(last.Time())
		if undated > 0 {
			s.Undated = ptbr.Counted(undated, "registro sem data", "registros sem data")
		}
	}
	if adding != nil {
		s.Notes = notesOf(adding)
	}
	return s
}

// rowsOf returns the groups by descending count.
func rowsOf(groups map[string]*group, amounts bool) []SummaryRow {
	states := slices.SortedFunc(maps.Keys(groups), func(a, b string) int {
		return cmp.Or(cmp.Compare(groups[b].count, groups[a].count), cmp.Compare(a, b))
	})
	var rows []SummaryRow
	for _, state := range states {
		rows = append(rows, groups[state].row(state, amounts))
	}
	return rows
}

// offer adds the links by which a listed source can be filtered and ordered. Choosing a state drops
// the year; every choice goes to the first page.
func (s *Summary) offer(r *Request, src *source.Source, facts []fact) {
	id := src.ID
	l := r.lists[id]
	to := func(parameters ...string) string { return r.with(id, append(parameters, id+"_pagina", "")...) }
	if src.Facts.State != "" {
		for i := range s.Rows {
			row := &s.Rows[i]
			row.URL, row.Current = to(id+"_situacao", row.Text, id+"_ano", ""), l.byState && l.state == row.Text
		}
		s.All.URL, s.All.Current = to(id+"_situacao", "", id+"_ano", ""), !l.narrowed()
	}
	if src.Facts.Day != "" {
		s.Years = yearsOf(&l, src, facts, func(year string) string { return to(id+"_ano", year) })
	}
	s.Orders = append(s.Orders, Choice{Text: "da publicação", URL: to(id+"_ordem", ""), Current: l.order == ""})
	if src.Facts.Amount != nil {
		s.Orders = append(s.Orders, Choice{Text: "maior valor", URL: to(id+"_ordem", byAmount), Current: l.order == byAmount})
	}
	if src.Facts.Day != "" {
		s.Orders = append(s.Orders, Choice{Text: "mais recentes", URL: to(id+"_ordem", byDay), Current: l.order == byDay})
	}
}

// yearText writes a year with four digits, as the parameter takes it.
func yearText(year int) string { return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).Format("2006") }
