// Package questions generates realistic requests from the content of a load: numbers, names as
// people type them, filters that match something, words that match nothing, and addresses of the
// website.
//
// [Draw] scans the whole load in service once and keeps a bounded sample of it ([Drawn]). A [Log]
// combines that sample into index queries ([Class], [Kind]) and website paths ([Address]). All
// randomness comes from the caller's generator, so the same seed over the same load gives the same
// questions.
package questions

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/data/slug"
	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
)

// Bounds of the sample, so that its memory does not depend on the load.
const (
	maxNumbers  = 1_000_000 // establishments, and as many roots
	maxTexts    = 20_000    // names, trade names, partners and sketches, each
	maxOwners   = 50_000    // establishments with records, of each source
	maxLargest  = 100
	maxRecorded = 1_000
	numbersKept = 3 // of a company
)

// Company is a company with many establishments or partners.
type Company struct {
	Root    cnpj.Root
	Numbers []cnpj.Full // some of its establishments

	rows int // establishments and partners
}

// Drawn is a sample of a load.
type Drawn struct {
	Numbers    []cnpj.Full            // every k-th establishment of the load
	Roots      []cnpj.Root            // every k-th company
	Owners     map[string][]cnpj.Full // establishments with records, by source id; a uniform sample
	Recorded   []cnpj.Full            // establishments with records of the most sources, those first
	Individual []cnpj.Full            // establishments of individual entrepreneurs
	Largest    []Company              // companies by establishments plus partners, descending

	names, trades, partners []string
	people                  []string // paths of the pages of partners
	sketches                []sketch
}

// drawer collects a sample while a scan passes every company once.
type drawer struct {
	Drawn
	dice                            *rand.Rand
	everyNumber, everyRoot, forText int64
	numbers, roots                  int64
	owners                          map[string]int64 // establishments with records so far, by source
	sources                         []ownerRanges
	most                            [][]cnpj.Full // establishments by their number of sources with records
}

// Draw samples the load in service in one scan of the record store. It fails if the load is too
// small to have at least one name, trade name, partner with a page and complete establishment.
func Draw(ctx context.Context, pool *pgxpool.Pool, dice *rand.Rand) (*Drawn, error) {
	store := registry.NewStore(pool)
	id, err := store.CurrentID(ctx)
	if err != nil {
		return nil, err
	}
	snapshot, err := store.Snapshot(ctx, id)
	if err != nil {
		return nil, err
	}
	view, err := store.View(ctx, snapshot)
	if err != nil {
		return nil, err
	}
	sources, err := ownersOf(ctx, store, snapshot)
	if err != nil {
		return nil, err
	}
	counts := &view.Load.Counts
	d := &drawer{
		dice: dice, sources: sources, everyNumber: every(counts.Establishments, maxNumbers), everyRoot: every(counts.Companies, maxNumbers),
		forText: every(counts.Companies, maxTexts), owners: map[string]int64{},
	}
	d.Owners, d.most = map[string][]cnpj.Full{}, make([][]cnpj.Full, len(d.sources)+1)
	if err := view.Scan(ctx, d.company); err != nil {
		return nil, err
	}
	for _, numbers := range slices.Backward(d.most[1:]) {
		d.Recorded = append(d.Recorded, numbers[:min(len(numbers), maxRecorded-len(d.Recorded))]...)
	}
	if len(d.names) == 0 || len(d.trades) == 0 || len(d.people) == 0 || len(d.sketches) == 0 {
		return nil, errors.New("the load holds too little to ask for: take more companies")
	}
	return &d.Drawn, nil
}

// every returns the smallest k for which every k-th of n items is at most limit items.
func every(n, limit int64) int64 { return max((n+limit-1)/limit, 1) }

// company samples one company. Texts share memory with the row buffer of the scan and are cloned.
func (d *drawer) company(h *pack.Head, partners []record.Partner, establishments *pack.EstablishmentCursor) error {
	c := Company{Root: h.Root, rows: len(partners)}
	if d.roots%d.everyRoot == 0 {
		d.Roots = append(d.Roots, h.Root)
	}
	texts := d.roots%d.forText == 0
	d.roots++
	if texts && h.Company.RazaoSocial != "" {
		d.names = append(d.names, strings.Clone(h.Company.RazaoSocial))
	}
	if texts && len(partners) > 0 {
		d.partners = append(d.partners, strings.Clone(partners[0].NomeSocio))
	}
	sketched, traded := !texts, !texts
	for establishments.Next() {
		e := &establishments.Establishment
		d.establishment(&c, e.CNPJ)
		if !sketched {
			if s := sketchOf(h, e); s.whole() {
				d.sketches, sketched = append(d.sketches, s), true
			}
		}
		if !traded && e.NomeFantasia != "" {
			d.trades, traded = append(d.trades, strings.Clone(e.NomeFantasia)), true
		}
	}
	if texts && c.Numbers != nil {
		d.person(partners)
	}
	if h.Individual() && c.Numbers != nil && len(d.Individual) < maxRecorded {
		d.Individual = append(d.Individual, c.Numbers[0])
	}
	d.keepLargest(&c)
	return establishments.Err()
}

// person keeps the page of the first partner who has one: a natural person, whose masked CPF
// (***456789**) has six digits that are not all zero.
func (d *drawer) person(partners []record.Partner) {
	for _, p := range partners {
		digits, masked := strings.CutPrefix(p.CNPJCPFSocio, "***") // ***456789**
		if name := slug.Make(p.NomeSocio); masked && name != "" && digits != "000000**" {
			d.people = append(d.people, "/socio/"+digits[:6]+"/"+name)
			return
		}
	}
}

// establishment samples one establishment. The company keeps its first one, usually the head
// office, and a changing choice of others. Owners of records are drawn by reservoir sampling
// (Algorithm R).
func (d *drawer) establishment(c *Company, number cnpj.Full) {
	if d.numbers%d.everyNumber == 0 {
		d.Numbers = append(d.Numbers, number)
	}
	d.numbers++
	if c.rows++; len(c.Numbers) < numbersKept {
		c.Numbers = append(c.Numbers, number)
	} else if d.dice.IntN(c.rows) == 0 {
		c.Numbers[1+d.dice.IntN(numbersKept-1)] = number
	}
	many := 0
	for i := range d.sources {
		if !d.sources[i].have(number) {
			continue
		}
		many++
		id := d.sources[i].id
		d.owners[id]++
		if len(d.Owners[id]) < maxOwners {
			d.Owners[id] = append(d.Owners[id], number)
		} else if i := d.dice.Int64N(d.owners[id]); i < maxOwners {
			d.Owners[id][i] = number
		}
	}
	if many > 0 && len(d.most[many]) < maxRecorded {
		d.most[many] = append(d.most[many], number)
	}
}

// ownerRanges are the establishments that a source has records of, as ascending ranges of two numbers.
type ownerRanges struct {
	id     string
	ranges [][2]cnpj.Full
}

// ownersOf reads the owners of the records of every source in a snapshot.
func ownersOf(ctx context.Context, store *registry.Store, snapshot registry.Snapshot) ([]ownerRanges, error) {
	var all []ownerRanges
	for _, src := range source.All() {
		load, ok := snapshot.Loads[src.ID]
		if !ok {
			continue
		}
		o := ownerRanges{id: src.ID}
		if err := store.Owners(ctx, &src, load, func(first, last cnpj.Full) { o.ranges = append(o.ranges, [2]cnpj.Full{first, last}) }); err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}

// have reports whether the source has records of an establishment. Numbers must ascend over all calls.
func (o *ownerRanges) have(number cnpj.Full) bool {
	for len(o.ranges) > 0 && o.ranges[0][1] < number {
		o.ranges = o.ranges[1:]
	}
	return len(o.ranges) > 0 && o.ranges[0][0] <= number
}

// keepLargest inserts c into the bounded, sorted list of the largest companies.
func (d *drawer) keepLargest(c *Company) {
	if len(c.Numbers) == 0 || len(d.Largest) == maxLargest && c.rows <= d.Largest[maxLargest-1].rows {
		return
	}
	at, _ := slices.BinarySearchFunc(d.Largest, c.rows, func(x Company, rows int) int { return rows - x.rows })
	d.Largest = slices.Insert(d.Largest, at, *c)
	d.Largest = d.Largest[:min(len(d.Largest), maxLargest)]
}
