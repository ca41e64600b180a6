package profile

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Bounds of how far a figure moves between two editions that follow each other, as shares of the rows.
const (
	// steady bounds a column that changes company by company. A month opens less than one establishment in a
	// hundred and changes fewer than that; what is added or taken away is allowed for by itself.
	steady = 0.05
	// swing bounds a column that an act of the authority changes for many at once. The largest known ones: 3.4
	// million of 50 million companies declared inapta in 2018, the exclusions from Simples of every January with
	// some 1 in 25 of those who opted.
	swing = 0.15
	// published bounds those of a source of public records, which are few and corrected by hand.
	published = 0.1
	// rare is the share from which on a shape or a length is a habit of a column: it neither disappears nor comes
	// from nowhere, that is, changes by a factor of ten. Expected are at least so many rows, so it is no accident.
	rare, factor, expected = 0.002, 10, 30
	// sparse is how many rows at least make an emptied column none that was nearly empty anyway.
	sparse = 20
	// unknown is how far the share of codes that their table lacks may rise: one that is added too late.
	unknown = 0.05
	// fewer is the factor by which the number of distinct values neither falls nor rises.
	fewer, leastDistinct, leastFilled = 3.0, 20, 50
	// codes is the share of its rows that a table of codes keeps.
	codes = 0.9
	// longest is the number of months for which the bounds of columns grow: what happens in each adds up.
	longest = 4
)

// Bound returns how large a part of the rows may change between two editions that are months apart (less than
// one counts as one): of a column or event that an act of the authority changes for many at once, or of others.
func Bound(swings bool, months int) float64 {
	bound := steady
	if swings {
		bound = swing
	}
	return bound * float64(min(max(months, 1), longest))
}

// Months returns how many months lie between two periods, 1 at least; other periods than months are one apart.
func Months(a, b string) int {
	from, err := time.Parse("2006-01", a)
	to, err2 := time.Parse("2006-01", b)
	if err != nil || err2 != nil {
		return 1
	}
	months := (to.Year()-from.Year())*12 + int(to.Month()-from.Month())
	return max(months, -months, 1)
}

// Move is how far a figure of a column moved between two editions.
type Move struct {
	Figure        Figure
	Class         string  // of lengths, shapes and values: that which moved furthest; "" for the column as a whole, or not for everybody's eyes
	Before, After float64 // of the figure: a share, or a number (rows and distinct values)
}

// Jump is a move further than editions do.
type Jump struct {
	Table, Column string
	Move
	Examples examples
}

// Figure is what is compared of a column.
type Figure string

// The figures of a column, as the API names them.
const (
	Rows     Figure = "linhas"
	Filled   Figure = "preenchidas"
	Distinct Figure = "distintos"
	Lengths  Figure = "comprimentos"
	Shapes   Figure = "formatos"
	Values   Figure = "valores"
	Largest  Figure = "maior"
	Unknown  Figure = "fora_da_tabela"
)

// IsNumber reports whether the figure is a number, not a share.
func (f Figure) IsNumber() bool { return f == Rows || f == Distinct }

// Compare returns what moved further between two editions of a table than it does in real ones, the furthest
// first. months is how many lie between them; columns are those that are declared, which says what may move;
// isSource is true for a source of public records. Columns that only one of the editions has are passed over.
//
// Of two distributions half the sum of the differences counts (the total variation distance), less the share of
// values that were added or taken away, whose shape is their own, and less chance: three rows, which matter in files of
// a hundred, and a quarter of the standard error of each share. Editions are no independent samples, or it would be
// more: most of their rows are the same.
func Compare(before, after *Table, columns []Declaration, months int, isSource bool) []Jump {
	c := comparison{before: before, after: after, months: months, source: isSource}
	if after.Name != "" && isCodes(columns) && float64(after.Rows) < codes*float64(before.Rows) {
		c.jumps = append(c.jumps, Jump{Table: after.Name, Column: columns[0].Name, Move: Move{Figure: Rows, Before: float64(before.Rows), After: float64(after.Rows)}})
	}
	for i := range columns {
		b, a := before.Column(columns[i].Name), after.Column(columns[i].Name)
		if b != nil && a != nil && before.Rows > 0 && after.Rows > 0 {
			c.column(&columns[i], b, a)
		}
	}
	slices.SortStableFunc(c.jumps, func(a, b Jump) int {
		switch x, y := a.distance(), b.distance(); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return c.jumps
}

// isCodes reports whether columns are those of a table of codes.
func isCodes(columns []Declaration) bool { return columns[0].Name == "codigo" }

// distance is how far a figure moved, to put moves in order.
func (m *Move) distance() float64 {
	if m.Figure.IsNumber() {
		return math.Abs(m.After-m.Before) / max(m.After, m.Before, 1)
	}
	return math.Abs(m.After - m.Before)
}

// Furthest returns the share of a column that moved furthest between two editions of a table, however little that is. It
// is false if one of them has not the column, or nothing moved.
func Furthest(before, after *Table, d *Declaration) (furthest Move, moved bool) {
	b, a := before.Column(d.Name), after.Column(d.Name)
	if b == nil || a == nil || before.Rows == 0 || after.Rows == 0 {
		return Move{}, false
	}
	consider := func(figure Figure, of [2]map[string]int64, n [2]int64) {
		if n[0] == 0 || n[1] == 0 {
			return
		}
		class := furthestOf(of, n)
		m := Move{figure, class, share(of[0][class], n[0]), share(of[1][class], n[1])}
		if m.distance() > furthest.distance() {
			furthest, moved = m, true
		}
	}
	whole := func(b, a int64) [2]map[string]int64 { return [2]map[string]int64{{"": b}, {"": a}} }
	n := [2]int64{b.Filled, a.Filled}
	consider(Filled, whole(b.Filled, a.Filled), [2]int64{before.Rows, after.Rows})
	consider(Values, valuesOf(d, b, a, n), n)
	consider(Shapes, [2]map[string]int64{b.Shapes, a.Shapes}, n)
	consider(Lengths, [2]map[string]int64{named(b.Lengths), named(a.Lengths)}, n)
	consider(Largest, whole(b.Largest, a.Largest), n)
	consider(Unknown, whole(b.Unknown, a.Unknown), n)
	if furthest.Figure == Values && !d.Shows(furthest.Class, max(b.Values[furthest.Class], a.Values[furthest.Class])) {
		furthest.Class = ""
	}
	return furthest, moved
}

type comparison struct {
	before, after *Table
	months        int
	source        bool
	jumps         []Jump
}

// column compares a column. Of figures that say the same, the first one is reported.
func (c *comparison) column(d *Declaration, b, a *Column) {
	bound := Bound(d.Swings, c.months)
	if c.source {
		bound = published
	}
	rows := [2]int64{c.before.Rows, c.after.Rows}
	filled := [2]map[string]int64{{"": rows[0] - b.Filled, "·": b.Filled}, {"": rows[1] - a.Filled, "·": a.Filled}}
	if c.moved(bound, filled, rows) || c.vanished(filled, rows, 0, sparse) != "" {
		c.add(d, a, Move{Figure: Filled, Before: share(b.Filled, rows[0]), After: share(a.Filled, rows[1])}, filled, rows)
		return
	}
	n := [2]int64{b.Filled, a.Filled}
	if n[0] == 0 || n[1] == 0 {
		return
	}
	jump := func(figure Figure, class string, of [2]map[string]int64) {
		c.add(d, a, Move{Figure: figure, Class: class, Before: share(of[0][class], n[0]), After: share(of[1][class], n[1])}, of, n)
	}
	shapes := [2]map[string]int64{b.Shapes, a.Shapes}
	if class := c.habit(bound, shapes, n); class != "" {
		jump(Shapes, class, shapes)
		return
	}
	lengths := [2]map[string]int64{named(b.Lengths), named(a.Lengths)}
	if class := c.habit(bound, lengths, n); class != "" {
		jump(Lengths, class, lengths)
		return
	}
	values := valuesOf(d, b, a, n)
	class := ""
	switch {
	case d.Edition:
	case c.moved(bound, values, n):
		class = furthestOf(values, n)
	case !c.source:
		class = appeared(d, values, n)
	}
	if class != "" {
		jump(Values, class, values)
		return
	}
	largest := [2]map[string]int64{{"": b.Largest}, {"": a.Largest}}
	if !d.Edition && c.moved(bound, largest, n) {
		jump(Largest, "", largest)
		return
	}
	if was, is := share(b.Unknown, n[0]), share(a.Unknown, n[1]); is-was > unknown {
		jump(Unknown, "", [2]map[string]int64{{"": b.Unknown}, {"": a.Unknown}})
		return
	}
	c.distinct(d, b, a)
}

// distinct compares how many distinct values there are for each filled one, if about as many rows of each load were
// measured.
func (c *comparison) distinct(d *Declaration, b, a *Column) {
	if 2*min(c.before.Rows, c.after.Rows) < max(c.before.Rows, c.after.Rows) || min(b.Filled, a.Filled) < leastFilled || max(b.Distinct, a.Distinct) < leastDistinct {
		return
	}
	least := fewer
	if d.Kind == ID && max(c.before.Rows, c.after.Rows) > wholly {
		least *= every // rows of one company are neighbours, and may have moved behind those that are all measured
	}
	was, is := share(b.Distinct, b.Filled), share(a.Distinct, a.Filled)
	if is*least < was || was*least < is {
		c.add(d, a, Move{Figure: Distinct, Before: float64(b.Distinct), After: float64(a.Distinct)}, [2]map[string]int64{}, [2]int64{})
	}
}

// add adds a jump with examples of what there is now: of its class or, if that became rarer, of the one that gained most, otherwise of
// the commonest value or shape.
func (c *comparison) add(d *Declaration, a *Column, m Move, of [2]map[string]int64, n [2]int64) {
	j := Jump{Table: c.after.Name, Column: d.Name, Move: m, Examples: a.examples[m.Figure][m.Class]}
	switch {
	case m.Figure == Filled && m.After >= m.Before: // by what it has, below
		j.Examples = nil
	case m.Figure != Filled && m.After < m.Before:
		j.Examples = a.examples[m.Figure][gained(of, n)]
	}
	for _, common := range []struct {
		figure Figure
		of     map[string]int64
	}{{Values, a.Values}, {Shapes, a.Shapes}} {
		if len(j.Examples) == 0 {
			j.Examples = a.examples[common.figure][commonest(common.of)]
		}
	}
	c.jumps = append(c.jumps, j)
}

// gained returns the class whose share rose most.
func gained(of [2]map[string]int64, n [2]int64) (class string) {
	most := 0.0
	for _, name := range slices.Sorted(maps.Keys(of[1])) {
		if rose := share(of[1][name], n[1]) - share(of[0][name], n[0]); rose > most {
			class, most = name, rose
		}
	}
	return class
}

// habit returns the class that moved furthest of a distribution that moved too far, or one that vanished or came
// from nowhere; "" if there is none.
func (c *comparison) habit(bound float64, of [2]map[string]int64, n [2]int64) string {
	if c.moved(bound, of, n) {
		return furthestOf(of, n)
	}
	return c.vanished(of, n, rare, expected)
}

// valuesOf returns the common values of both editions. One that only one of them keeps is as common in the other as it
// may be without being kept.
func valuesOf(d *Declaration, b, a *Column, n [2]int64) [2]map[string]int64 {
	of := [2]map[string]int64{{}, {}}
	maps.Copy(of[0], b.Values)
	maps.Copy(of[1], a.Values)
	for i, side := range of {
		var most int64
		if d.Kind == Text {
			most = max(sharedBy, n[i]/shared)
		}
		if len(side) == keptValues {
			most = max(most, slices.Min(slices.Collect(maps.Values(side))))
		}
		for class, count := range of[1-i] {
			if _, kept := side[class]; !kept {
				side[class] = min(most, int64(share(count, n[1-i])*float64(n[i])))
			}
		}
	}
	return of
}

// moved reports whether two distributions are further apart than bound and chance.
func (c *comparison) moved(bound float64, of [2]map[string]int64, n [2]int64) bool {
	distance, chance := 0.0, 3/float64(max(min(n[0], n[1]), 1))
	var sum [2]int64
	add := func(b, a int64) {
		p, q := share(b, n[0]), share(a, n[1])
		distance += math.Abs(p-q) / 2
		pooled := min(share(b+a, n[0]+n[1]), 1)
		chance += 0.25 * math.Sqrt(pooled*(1-pooled)*(1/float64(max(n[0], 1))+1/float64(max(n[1], 1))))
		sum[0], sum[1] = sum[0]+b, sum[1]+a
	}
	for class := range union(of) {
		add(of[0][class], of[1][class])
	}
	add(max(n[0]-sum[0], 0), max(n[1]-sum[1], 0)) // the rest
	turnover := share(abs(n[1]-n[0]), max(n[1], n[0]))
	return distance > bound+turnover+chance
}

// vanished returns a class with at least a share of the rows in one edition, which in the other has not a tenth
// of what is expected of it there; "" if there is none.
func (c *comparison) vanished(of [2]map[string]int64, n [2]int64, least float64, expected int64) string {
	turnover := share(abs(n[1]-n[0]), max(n[1], n[0]))
	for _, class := range slices.Sorted(maps.Keys(union(of))) {
		p, q := share(of[0][class], n[0]), share(of[1][class], n[1])
		gone := p >= least && p*float64(n[1]) >= float64(expected) && q < p/factor
		come := q >= max(least, rare)+turnover && q*float64(n[0]) >= float64(expected) && p < q/factor && class != ""
		if gone && class != "" || come {
			return class
		}
	}
	return ""
}

// appeared returns a common value of the company registry that vanished or, if it is a text, came from nowhere; "" if there is none.
// Whatever many companies write, many wrote the month before; a new code may be that of a new law.
func appeared(d *Declaration, of [2]map[string]int64, n [2]int64) string {
	turnover := share(abs(n[1]-n[0]), max(n[1], n[0]))
	for _, class := range slices.Sorted(maps.Keys(union(of))) {
		p, q := share(of[0][class], n[0]), share(of[1][class], n[1])
		gone := p >= rare && p*float64(n[1]) >= expected && q < p/factor
		come := d.Kind == Text && q >= rare+turnover && q*float64(n[0]) >= expected && p < q/factor
		if gone || come {
			return class
		}
	}
	return ""
}

// furthestOf returns the class whose share moved furthest.
func furthestOf(of [2]map[string]int64, n [2]int64) (class string) {
	most := -1.0
	for _, name := range slices.Sorted(maps.Keys(union(of))) {
		if moved := math.Abs(share(of[0][name], n[0]) - share(of[1][name], n[1])); moved > most {
			class, most = name, moved
		}
	}
	return class
}

func union(of [2]map[string]int64) map[string]bool {
	all := map[string]bool{}
	for _, side := range of {
		for class := range side {
			all[class] = true
		}
	}
	return all
}

func commonest(of map[string]int64) (class string) {
	for _, name := range slices.Sorted(maps.Keys(of)) {
		if class == "" || of[name] > of[class] {
			class = name
		}
	}
	return class
}

func named(lengths map[int]int64) map[string]int64 {
	of := make(map[string]int64, len(lengths))
	for length, n := range lengths {
		of[strconv.Itoa(length)] = n
	}
	return of
}

func share(n, of int64) float64 { return float64(n) / float64(max(of, 1)) }

func abs(n int64) int64 { return max(n, -n) }

// String says for an operator what moved, with the examples.
func (j *Jump) String() string {
	what := map[Figure]string{
		Rows: "rows", Filled: "filled", Distinct: "distinct values", Lengths: "of %s characters", Shapes: "of the form %s", Values: "with the value %s",
		Largest: "with the commonest value", Unknown: "not in their table",
	}[j.Figure]
	switch {
	case j.Figure == Values && strings.HasPrefix(j.Class, hashed):
		what = "with a common value" // which is known by its hash only
	case strings.Contains(what, "%s"):
		what = fmt.Sprintf(what, j.Class)
	}
	before, after := fmt.Sprintf("%.4g %%", 100*j.Before), fmt.Sprintf("%.4g %%", 100*j.After)
	if j.Figure.IsNumber() {
		before, after = fmt.Sprintf("%.0f", j.Before), fmt.Sprintf("%.0f", j.After)
	}
	text := fmt.Sprintf("%s.%s: %s %s before, now %s", j.Table, j.Column, what, before, after)
	if len(j.Examples) > 0 {
		text += " (" + strings.Join(j.Examples, ", ") + ")"
	}
	return text
}
