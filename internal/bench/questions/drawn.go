// Package questions makes what people and programs ask from what a load holds: numbers, names as they are typed, filters that
// find something, words that find nothing, and the addresses of the website for all of them. The same dice make the same
// questions.
package questions

import (
	"context"
	"errors"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/cnpj"
	"razao/internal/record"
	"razao/internal/registry"
	"razao/internal/registry/pack"
	"razao/internal/registry/presence"
	"razao/internal/slug"
	"razao/internal/source"
)

// What is kept of a load, at the most.
const (
	maxNumbers  = 1_000_000 // establishments, and roots
	maxTexts    = 20_000    // of each kind
	maxOwners   = 50_000    // of records, of each source
	maxLargest  = 100
	maxRecorded = 1_000
	numbersKept = 3 // of a company
)

// Company is one with many establishments or partners.
type Company struct {
	Root    cnpj.Root
	Numbers []cnpj.Full // some of its establishments

	rows int // establishments and partners
}

// Drawn is what a load holds to ask for.
type Drawn struct {
	Numbers    []cnpj.Full            // evenly from all
	Roots      []cnpj.Root            // evenly from all
	Owners     map[string][]cnpj.Full // establishments with records, by source
	Recorded   []cnpj.Full            // those with records of most sources
	Individual []cnpj.Full            // of individual entrepreneurs
	Largest    []Company              // those with most establishments and partners, the largest first

	names, trades, partners []string
	people                  []string // paths of the pages of partners
	sketches                []sketch
}

// drawer meets every company of a load.
type drawer struct {
	Drawn
	dice                            *rand.Rand
	presence                        *presence.Map
	everyNumber, everyRoot, forText int64
	numbers, roots                  int64
	owners                          map[string]int64 // met
	sources                         []string
	most                            [][]cnpj.Full // establishments by the number of sources that have records of them
}

// Draw reads the whole load in service.
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
	presence, err := store.Presence(ctx, snapshot)
	if err != nil {
		return nil, err
	}
	counts := &view.Load.Counts
	d := &drawer{
		dice: dice, presence: presence, everyNumber: every(counts.Establishments, maxNumbers), everyRoot: every(counts.Companies, maxNumbers),
		forText: every(counts.Companies, maxTexts), owners: map[string]int64{}, sources: source.IDs(),
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

// every returns k such that every k-th of n are at most limit.
func every(n, limit int64) int64 { return max((n+limit-1)/limit, 1) }

// company keeps what it likes of a company, whose texts share memory with the row and have to be copied.
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

// person keeps the page of the first partner who has one.
func (d *drawer) person(partners []record.Partner) {
	for _, p := range partners {
		digits, masked := strings.CutPrefix(p.CNPJCPFSocio, "***") // ***456789**
		if name := slug.Make(p.NomeSocio); masked && name != "" && digits != "000000**" {
			d.people = append(d.people, "/socio/"+digits[:6]+"/"+name)
			return
		}
	}
}

// establishment keeps a number, for the company when it is one of the first, or by chance.
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
	mask := d.presence.Sources(number)
	if many := bits.OnesCount16(mask); many > 0 && len(d.most[many]) < maxRecorded {
		d.most[many] = append(d.most[many], number)
	}
	for ; mask != 0; mask &= mask - 1 {
		id := d.sources[bits.TrailingZeros16(mask)]
		d.owners[id]++
		if len(d.Owners[id]) < maxOwners {
			d.Owners[id] = append(d.Owners[id], number)
		} else if i := d.dice.Int64N(d.owners[id]); i < maxOwners { // each with the same chance
			d.Owners[id][i] = number
		}
	}
}

func (d *drawer) keepLargest(c *Company) {
	if len(c.Numbers) == 0 || len(d.Largest) == maxLargest && c.rows <= d.Largest[maxLargest-1].rows {
		return
	}
	at, _ := slices.BinarySearchFunc(d.Largest, c.rows, func(x Company, rows int) int { return rows - x.rows })
	d.Largest = slices.Insert(d.Largest, at, *c)
	d.Largest = d.Largest[:min(len(d.Largest), maxLargest)]
}
