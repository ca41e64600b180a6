package ingest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"razao/ingest/receita"
	"razao/internal/data/profile"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/registry"
)

// ErrRefused is wrapped by the error of every load that is not fit to be served, or not to be
// begun.
var ErrRefused = errors.New("load refused")

// superseded is the rule under which older versions of a record are discarded. The checks ignore it.
const superseded = "versao_superada"

// checks compare the figures of one load with those of the load in service, before its records are
// committed: a file that was cut short or changed its format reads without errors, but something
// collapses or jumps. Call read once the rows are read, merged once their records are.
//
// There are five, with thresholds that depend on the source: a figure below an absolute floor that
// every real edition exceeds; a figure below a share of the former load's; a rule that drops or
// repairs a larger share of the rows than before, by more than drift and sampling error; a column
// whose shape jumps (package profile); an event that happens to far more companies than ever. Every
// refusal wraps [ErrRefused] and names the figures. With --force the load is published all the same,
// and keeps what would have refused it (registry.Load.Overruled), but for a release without
// companies.
type checks struct {
	source string
	former *registry.Load          // in service; nil: none
	least  map[string]int64        // floor by figure; nil for invented or partial data
	shares bool                    // judge rules of a first load too: real files are nearly clean
	keep   float64                 // share of each former figure that must remain
	drift  float64                 // how much the share of rows that a rule takes may rise
	force  bool                    // only an empty release is refused
	shapes []registry.MeasuredLoad // loads, one of which each column must resemble; nil: nothing is known of any
}

// refuse returns the refusal of a load; with --force it notes the reason in the load instead.
func (c *checks) refuse(l *registry.Load, check registry.Check, format string, args ...any) error {
	why := fmt.Sprintf(format, args...)
	if c.force {
		l.Overrule(check, why)
		return nil
	}
	return fmt.Errorf("%w: %s; accept that with --force", ErrRefused, why)
}

// releaseChecks returns the checks of a release of the Receita, which only ever grows: figures may
// fall by 3 %, shares of rules rise by one percentage point. former is the load in service, nil if
// there is none. The first published, complete release is also held to absolute floors.
func releaseChecks(rel *receita.Release, former *registry.Load, force bool) *checks {
	c := &checks{source: registry.Receita, former: former, keep: 0.97, drift: 0.01, force: force}
	if first := former == nil || former.Invented; first && !rel.Fictional && len(rel.Missing) == 0 {
		// Half of the figures of July 2026, which releases of every year exceed.
		c.least = map[string]int64{companiesKept: 34_000_000, establishmentsKept: 36_000_000, partnersKept: 14_000_000, simplesKept: 24_000_000}
		c.shares = true
	}
	return c
}

// sourceChecks returns the checks of a source of public records, whose publisher may take records
// back: figures may fall by 20 %, shares of rules rise by five percentage points. former is the load in
// service, nil if there is none. Published data are also held to the floors of package source.
func sourceChecks(src *source.Source, former *registry.Load, invented, force bool) *checks {
	c := &checks{source: src.ID, former: former, keep: 0.8, drift: 0.05, force: force}
	if !invented {
		c.least = map[string]int64{rowsRead: src.Floor, recordsKept: src.Records}
	}
	return c
}

// Figures of a load that must not collapse, as refusals name them.
const (
	rowsRead           = "rows read"
	recordsKept        = "records"
	ownersKept         = "CNPJs with records"
	companiesKept      = "companies"
	establishmentsKept = "establishments"
	partnersKept       = "partners"
	simplesKept        = "rows of Simples"
)

// check keeps what was measured of the columns of a load and judges its rows, then its columns.
func (in *Ingester) check(ctx context.Context, c *checks, l *registry.Load, tables []profile.Table) error {
	if c.former != nil {
		l.Former = c.former.ID
	}
	if len(tables) > 0 {
		if err := in.Store.KeepProfile(ctx, l.ID, tables); err != nil {
			return err
		}
	}
	if err := c.read(l); err != nil {
		return err
	}
	if err := in.measure(ctx, c, l.Invented); err != nil {
		return err
	}
	return c.shape(l, tables)
}

// read judges the rows of a load: RowsRead, RowsRejected and Counts.
func (c *checks) read(l *registry.Load) error {
	if l.RowsRead > 0 && l.RowsRead-l.RowsRejected == l.Counts.AllDiscarded() {
		return c.nothing(l)
	}
	return c.judge(l, func(l *registry.Load) map[string]int64 {
		figures := map[string]int64{rowsRead: l.RowsRead}
		for _, t := range []receita.Table{receita.Companies, receita.Establishments, receita.Partners, receita.SimplesOptions} {
			if n, ok := l.Counts.Marked[t.String()]; ok {
				figures["rows of "+t.String()+" read"] = n
			}
		}
		return figures
	})
}

// nothing is the refusal of a load without any record.
func (c *checks) nothing(l *registry.Load) error {
	return c.refuse(l, registry.ByFigures, "the files hold no record of %s", c.source)
}

// merged judges the records made of the rows: the counts of companies or records in l. A release
// without companies is refused even with force, because servers could not use it.
func (c *checks) merged(l *registry.Load) error {
	counts := &l.Counts
	switch none := counts.Companies+counts.Establishments+counts.Records == 0; {
	case none && c.source == registry.Receita:
		return fmt.Errorf("%w: the release holds no company", ErrRefused)
	case none:
		return c.nothing(l)
	}
	return c.judge(l, func(l *registry.Load) map[string]int64 {
		return map[string]int64{
			recordsKept: l.Counts.Records, ownersKept: l.Counts.Owners, companiesKept: l.Counts.Companies,
			establishmentsKept: l.Counts.Establishments, partnersKept: l.Counts.Partners, simplesKept: l.Counts.Simples,
		}
	})
}

// judge compares the figures of l with the floors and with those of the former load, then the
// rules. of returns the figures of a load; one that only the former load has is not compared.
func (c *checks) judge(l *registry.Load, of func(*registry.Load) map[string]int64) error {
	now, before := of(l), map[string]int64{}
	if c.former != nil {
		before = of(c.former)
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if now[name] < c.least[name] {
			err := c.refuse(l, registry.ByFigures, "%d %s, fewer than the %d that every real file of %s has: cut short, or in another format", now[name], name, c.least[name], c.source)
			if err != nil {
				return err
			}
		}
	}
	unlike := unlike(l, c.former)
	for _, name := range slices.Sorted(maps.Keys(before)) {
		n, known := now[name]
		if least := int64(math.Ceil(c.keep * float64(before[name]))); known && n < least && !unlike[name] {
			err := c.refuse(l, registry.ByFigures, "%d %s, fewer than %.0f %% of the %d of load %d (%s) in service: cut short, or in another format",
				n, name, 100*c.keep, before[name], c.former.ID, c.former.Period)
			if err != nil {
				return err
			}
		}
	}
	if len(unlike) > 0 {
		return nil // the shares of rules are of all rows
	}
	return c.rules(l)
}

// rules compares the share of rows that each rule took with its share in the former load. Without a
// former load it compares with zero, if the checks judge first loads so.
func (c *checks) rules(l *registry.Load) error {
	if c.former == nil && !c.shares || l.RowsRead == 0 {
		return nil
	}
	former := registry.Load{RowsRead: l.RowsRead} // of a first load: no rule took anything
	if c.former != nil {
		former = *c.former
	}
	taken, before := taken(&l.Counts), taken(&former.Counts)
	for _, rule := range slices.Sorted(maps.Keys(taken)) {
		if !c.jumped(taken[rule], l.RowsRead, before[rule], former.RowsRead) {
			continue
		}
		err := c.refuse(l, registry.ByRules, "the rule %s: %d of %d (%.1f %%), in load %d (%s) %.1f %%: the format has changed",
			rule, taken[rule], l.RowsRead, share(taken[rule], l.RowsRead), former.ID, former.Period, share(before[rule], former.RowsRead))
		if err != nil {
			return err
		}
	}
	return nil
}

// taken returns the rows dropped and values repaired by rule. Superseded versions are left out: the
// record is there, in its newer version.
func taken(c *registry.Counts) map[string]int64 {
	all := maps.Clone(c.Discarded)
	if all == nil {
		all = map[string]int64{}
	}
	maps.Copy(all, c.Repaired)
	delete(all, superseded)
	return all
}

// jumped reports whether a rule took a larger share of the rows than before, by more than drift
// plus three standard errors of the difference between two proportions (pooled). The standard error
// is wide for files of a few hundred rows and vanishes for those of millions. A change of format
// moves whole columns, far beyond either term; ordinary editions move by a few points.
func (c *checks) jumped(n, of, before, ofBefore int64) bool {
	if of == 0 || ofBefore == 0 {
		return false
	}
	pooled := min(float64(n+before)/float64(of+ofBefore), 1)
	chance := 3 * math.Sqrt(pooled*(1-pooled)*(1/float64(of)+1/float64(ofBefore)))
	return float64(n)/float64(of)-float64(before)/float64(ofBefore) > c.drift+chance
}

// measure returns what the columns of a load are compared with: the load in service and, if that one was published
// in spite of the checks, the last one before it that passed them. What was forced by mistake is no measure for the
// next edition, and what was forced because the publisher changed something is the only one. Loads without a
// profile, from versions before there were any, and invented ones beside published ones measure nothing.
func (in *Ingester) measure(ctx context.Context, c *checks, invented bool) error {
	if c.former == nil {
		return nil
	}
	loads, err := in.Store.Loads(ctx)
	if err != nil {
		return err
	}
	var against []registry.Load
	for i := range loads { // the newest first
		l := &loads[i]
		if l.Source != c.source || l.ServedAt == nil || l.ID > c.former.ID || l.Invented != invented {
			continue
		}
		passed := len(l.Overruled) == 0
		if l.ID == c.former.ID || passed {
			against = append(against, *l)
		}
		if passed {
			break
		}
	}
	if c.shapes, err = in.Store.Measure(ctx, against); err != nil {
		return err
	}
	c.shapes = slices.DeleteFunc(c.shapes, func(m registry.MeasuredLoad) bool { return m.Tables == nil })
	return nil
}

// shape judges the columns of a load, but for those of tables of which a file is missing on either side.
func (c *checks) shape(l *registry.Load, tables []profile.Table) error {
	var jumps []profile.Jump
	now := registry.MeasuredLoad{Load: *l, Tables: tables}
	for i := range c.shapes {
		moved := registry.Jumps(&c.shapes[i], &now)
		if i > 0 {
			jumps = slices.DeleteFunc(jumps, func(j profile.Jump) bool {
				return !slices.ContainsFunc(moved, func(n profile.Jump) bool { return n.Table == j.Table && n.Column == j.Column })
			})
			continue
		}
		jumps = moved
	}
	if len(jumps) == 0 {
		return nil
	}
	const most = 5
	var listed []string
	for i := range jumps[:min(len(jumps), most)] {
		listed = append(listed, jumps[i].String())
	}
	if len(jumps) > most {
		var more []string
		for i := range jumps[most:] {
			more = append(more, jumps[most+i].Table+"."+jumps[most+i].Column)
		}
		listed = append(listed, "and "+strings.Join(more, ", "))
	}
	m := &c.shapes[0]
	return c.refuse(l, registry.ByColumns, "compared with load %d (%s): %s: %s", m.ID, m.Period, strings.Join(listed, "; "), ruined(&m.Load))
}

// ruined says what has happened if a load differs too much from the former one, and what to do.
func ruined(former *registry.Load) string {
	if len(former.Overruled) > 0 {
		return fmt.Sprintf("load %d was published in spite of checks: if its columns are the ruined ones, go back first (`razao loads rollback %s`, or `razao loads activate` with a load before it)", former.ID, former.Source)
	}
	return "a column was ruined, or the format has changed: wait for a corrected file, or look at it"
}

// described judges the descriptions of codes: most stay as they are, and none moves to another code, but for a slip: that would leave
// the shape of its column as it was.
func (c *checks) described(l *registry.Load, before, now record.Domains) error {
	const most, slips = 0.2, 1
	for _, domain := range slices.Sorted(maps.Keys(now)) {
		var both, changed, moved int64
		var examples []string
		of := map[string]string{} // the code that a description had
		for code, text := range before[domain] {
			of[text] = code
		}
		for _, code := range slices.Sorted(maps.Keys(now[domain])) {
			was, known := before[domain][code]
			if !known {
				continue
			}
			if both++; was != now[domain][code] {
				if other, had := of[now[domain][code]]; had && now[domain][other] != now[domain][code] {
					moved++
				}
				if changed++; len(examples) < 3 {
					examples = append(examples, fmt.Sprintf("%s: %q, now %q", code, was, now[domain][code]))
				}
			}
		}
		if strange := strangeCodes(before[domain], now[domain], most); len(strange) > 0 {
			if err := c.refuse(l, registry.ByCodes, "the table %s: %d of %d codes are none that load %d (%s) had or could have, such as %s",
				domain, len(strange), len(now[domain]), c.former.ID, c.former.Period, strings.Join(strange[:min(len(strange), 3)], ", ")); err != nil {
				return err
			}
			continue
		}
		if float64(changed) <= most*float64(both) && moved <= slips {
			continue
		}
		err := c.refuse(l, registry.ByCodes, "the table %s: %d of %d codes have another description than in load %d (%s), %d of them that of another code (%s)",
			domain, changed, both, c.former.ID, c.former.Period, moved, strings.Join(examples, "; "))
		if err != nil {
			return err
		}
	}
	return nil
}

// strangeCodes returns the codes of a table that are of another length than all were, or those that are new if they are more than most of
// what there were: a few are added in a year.
func strangeCodes(before, now map[string]string, most float64) (strange []string) {
	length, uniform := 0, true
	for code := range before {
		uniform = uniform && (length == 0 || length == len(code))
		length = len(code)
	}
	var added []string
	for _, code := range slices.Sorted(maps.Keys(now)) {
		if _, known := before[code]; known {
			continue
		}
		added = append(added, code)
		if uniform && length > 0 && len(code) != length {
			strange = append(strange, code)
		}
	}
	if len(strange) == 0 && float64(len(added)) > most*float64(len(before)) && len(before) > 0 {
		return added
	}
	return strange
}

// share returns n as a percentage of of.
func share(n, of int64) float64 { return 100 * float64(n) / float64(max(of, 1)) }
