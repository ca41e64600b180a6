package sample

import (
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"razao/internal/data/cnpj"
	"razao/internal/sample/country"
)

// newcomers says how many of its records a table has for one that a month adds.
const newcomers = 50

// fates says how many of a thousand records are withdrawn in a month, get another amount, or change otherwise.
type fates struct{ withdrawn, raised, edited int }

// ofDebts are the fates of debts and sanctions.
var ofDebts = fates{20, 25, 10}

// life is what has become of a record by a month of the series.
type life struct {
	gone          bool
	known         int // month in which it became known, 0 for the first release
	raises, edits int // changes of the amount, and others
	changed       int // month of the last of them
}

// living is a table whose records come, change and go from month to month; what has not changed is published as it was.
// The first release has the records at the positions 0 to rows-1, each month adds some behind them.
type living struct {
	source string
	topic  country.Topic // of the choices between lives
	rows   int
	fates
	unit   func(x int) int         // position of the record whose life the record at x shares; not after x
	record func(x int, l life) row // as it stands
	holder func(r row) (cnpj.Root, bool)
	amount func(r row) int // that adds up, in cents; nil for none
}

// added returns how many records each month adds.
func (t *living) added() int { return max(2, t.rows/newcomers) }

// upTo returns the number of positions by a month.
func (t *living) upTo(month int) int { return t.rows + month*t.added() }

// known returns the month in which the record at x became known, 0 for the first release.
func (t *living) known(x int) int { return (max(x, t.rows-1) - t.rows + t.added()) / t.added() }

// life returns the life of the record at x by a month after the first release.
func (t *living) life(c *country.Country, x, month int) (l life) {
	unit := t.unit(x)
	if t.known(x) > month {
		return life{gone: true}
	}
	l.known = t.known(unit)
	for m := l.known + 1; m <= month && !l.gone; m++ {
		d := c.Dice(t.topic, uint64(m)<<40|uint64(unit))
		switch country.Rung(d.N(1000), t.withdrawn, t.raised, t.edited) {
		case 0:
			l.gone = true
		case 1:
			l.raises, l.changed = l.raises+1, m
		case 2:
			l.edits, l.changed = l.edits+1, m
		}
	}
	return l
}

// in returns the function that makes the records as they stand in a month, nil for one that is not there.
func (t *living) in(c *country.Country, month int) func(x int) row {
	return func(x int) row {
		if l := t.life(c, x, month); !l.gone {
			return t.record(x, l)
		}
		return nil
	}
}

// file completes the declaration of a file with the records from f.from to before f.to as they stand in
// a month.
func (t *living) file(f file, c *country.Country, month int) file {
	return f.titled(t.record(0, life{}), t.in(c, month))
}

// whole declares all records of a table in a month as one file.
func (t *living) whole(f file, c *country.Country, month int) file {
	f.to = t.upTo(month)
	return t.file(f, c, month)
}

// itself is the unit of a record that shares its life with no other.
func itself(x int) int { return x }

// holding is what the records of one company come to.
type holding struct {
	records, cents int
	content        uint64 // sum of the hashes of the records
}

// changesOf appends what differs between the records of companies in two months: who has some at last
// or none any more, whose amounts add up to another total, and whose records differ otherwise. antes and
// depois are the number of records and the total. It holds the companies of the source in memory.
func changesOf(r *rowBuffer, c *country.Country, tables []living, before, now int) {
	was, is := map[cnpj.Root]holding{}, map[cnpj.Root]holding{}
	for _, t := range tables {
		for x := range t.upTo(now) {
			former, present := t.life(c, x, before), t.life(c, x, now)
			var r row
			if !present.gone {
				r = t.record(x, present)
				t.count(is, r)
			}
			if !former.gone && former != present {
				r = t.record(x, former)
			}
			if !former.gone {
				t.count(was, r)
			}
		}
	}
	source, amounts := tables[0].source, tables[0].amount != nil
	all := maps.Clone(was)
	maps.Copy(all, is)
	for _, root := range slices.Sorted(maps.Keys(all)) {
		former, present := was[root], is[root]
		event := ""
		switch {
		case former == present:
			continue
		case former.records == 0:
			event = "entrou"
		case present.records == 0:
			event = "saiu"
		case former.cents != present.cents:
			event = "valor"
		default:
			event = "alterado"
		}
		r.add(root.String(), "", "fonte."+source+"."+event, "", former.text(amounts), present.text(amounts))
	}
}

// count adds a record to its holder's.
func (t *living) count(to map[cnpj.Root]holding, r row) {
	root, ok := t.holder(r)
	if !ok {
		return
	}
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(strings.Join(r, "\x00"))) // never fails
	h := to[root]
	h.records++
	h.content += hash.Sum64()
	if t.amount != nil {
		h.cents += t.amount(r)
	}
	to[root] = h
}

func (h *holding) text(amounts bool) string {
	switch {
	case h.records == 0:
		return ""
	case amounts:
		return country.Digits(h.records, 1) + "|" + cents(h.cents, ".")
	}
	return country.Digits(h.records, 1)
}

// cell returns the text under a title of a row.
func cell(r row, title string) string {
	for i := 0; i < len(r); i += 2 {
		if r[i] == title {
			return r[i+1]
		}
	}
	return ""
}

// holderIn returns a holder that reads the CNPJ under a title; a CPF is nobody's.
func holderIn(title string) func(row) (cnpj.Root, bool) {
	return func(r row) (cnpj.Root, bool) {
		full, err := cnpj.ParseFull(cnpj.Unmask(cell(r, title)))
		return full.Root(), err == nil
	}
}

// centsOf reads an amount with two decimals.
func centsOf(text string) (n int) {
	for _, digit := range text {
		if '0' <= digit && digit <= '9' {
			n = n*10 + int(digit-'0')
		}
	}
	return n
}
