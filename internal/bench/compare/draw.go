package compare

import (
	"context"
	"errors"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/cnpj"
	"razao/internal/registry"
	"razao/internal/source"
)

const (
	drawnCompanies = 20_000
	drawnOwners    = 200 // of records, of each source
	drawnLargest   = 100 // whose collections have many pages
	numbersKept    = 3   // of a company
)

// company is one to ask about.
type company struct {
	root    cnpj.Root
	numbers []cnpj.Full // some of its establishments
	rows    int         // establishments and partners
	sources uint16      // with records of these establishments; bit i: source i of source.All
}

// drawn is what to ask about.
type drawn struct {
	companies []company   // evenly from all
	owners    [][]company // of records, by source
	largest   []company
}

// draw walks over the load in service.
func draw(ctx context.Context, pool *pgxpool.Pool, dice *rand.Rand) (*drawn, error) {
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
	d, met := &drawn{owners: make([][]company, len(source.All()))}, make([]int, len(source.All())+1)
	err = view.Scan(ctx, func(h *registry.Head, partners []registry.Partner, establishments *registry.EstablishmentCursor) error {
		c := company{root: h.Root, rows: len(partners)}
		for establishments.Next() {
			c.add(establishments.Establishment.CNPJ, presence, dice)
		}
		d.companies = reservoir(d.companies, c, drawnCompanies, &met[len(d.owners)], dice)
		for mask := c.sources; mask != 0; mask &= mask - 1 {
			i := bits.TrailingZeros16(mask)
			d.owners[i] = reservoir(d.owners[i], c, drawnOwners, &met[i], dice)
		}
		d.keepLargest(c)
		return establishments.Err()
	})
	if err == nil && len(d.companies) == 0 {
		err = errors.New("the load in service is empty")
	}
	return d, err
}

// add counts an establishment and keeps its number, when it is the first, has records, or by chance.
func (c *company) add(number cnpj.Full, presence *registry.Presence, dice *rand.Rand) {
	sources := presence.Sources(number)
	switch {
	case len(c.numbers) < numbersKept:
		c.numbers = append(c.numbers, number)
	case sources != 0 || dice.IntN(c.rows) == 0:
		c.numbers[1+dice.IntN(numbersKept-1)] = number
	}
	c.rows++
	c.sources |= sources
}

// reservoir keeps most of the companies it meets, each with the same chance.
func reservoir(kept []company, c company, most int, met *int, dice *rand.Rand) []company {
	*met++
	if len(kept) < most {
		return append(kept, c)
	}
	if i := dice.IntN(*met); i < most {
		kept[i] = c
	}
	return kept
}

func (d *drawn) keepLargest(c company) {
	if len(d.largest) == drawnLargest && c.rows <= d.largest[drawnLargest-1].rows {
		return
	}
	at, _ := slices.BinarySearchFunc(d.largest, c.rows, func(x company, rows int) int { return rows - x.rows })
	d.largest = slices.Insert(d.largest, at, c)
	d.largest = d.largest[:min(len(d.largest), drawnLargest)]
}

// one draws a company: mostly any, often one with records, now and then a large one.
func (d *drawn) one(dice *rand.Rand) company {
	switch chance := dice.IntN(10); {
	case chance < 3:
		if owners := pick(dice, d.owners); len(owners) > 0 {
			return pick(dice, owners)
		}
	case chance == 3:
		return pick(dice, d.largest)
	}
	return pick(dice, d.companies)
}

// number draws an establishment of a company. One without establishments has a number that nobody has.
func (c *company) number(dice *rand.Rand) cnpj.Full {
	if len(c.numbers) == 0 {
		return cnpj.Join(c.root, 1)
	}
	return pick(dice, c.numbers)
}

// source draws a source, one with records of the company if there is any.
func (c *company) source(dice *rand.Rand) string {
	var with []string
	for i, id := range source.IDs() {
		if c.sources&(1<<i) != 0 {
			with = append(with, id)
		}
	}
	if len(with) == 0 || dice.IntN(5) == 0 {
		with = source.IDs()
	}
	return pick(dice, with)
}
