// Package compare proves that two builds of the program answer alike. Both serve the same database, data folder, secret and
// public address; every question is put to both with the same request id, and their answers must be equal byte for byte:
// status, headers and body.
//
// What is asked follows from a seed, from what the database holds, and from what the first server answers: companies are
// drawn from the load in service, their pages are opened, and the links of these pages are followed. Questions that differ
// are asked again, one after the other, so that a deadline missed under load is not taken for a change of behaviour.
package compare

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"razao/internal/bench/questions"
	"razao/internal/bench/report"
	"razao/internal/cnpj"
	"razao/internal/seal"
	"razao/internal/source"
)

// Options say what to compare.
type Options struct {
	Before, After string // base addresses of the servers
	Pool          *pgxpool.Pool
	Seal          *seal.Sealer // of the servers
	Seed          uint64       // the same seed asks the same questions
	Answers       int          // of v1 and v2
	Pages         int          // companies whose pages are opened
	Tools         int          // companies that the tools at /mcp are asked about
	Conns         int          // questions at once
}

// run is one comparison.
type run struct {
	Options
	*asker
	log *questions.Log
}

// Run asks both servers and returns what it found. An error means that they could not be compared.
func Run(ctx context.Context, o Options) (*Report, error) {
	r := &run{Options: o, asker: newAsker(o.Before, o.After, o.Conns)}
	if err := r.sameService(ctx); err != nil {
		return nil, err
	}
	session, err := r.makeCallers(ctx, o.Pool)
	if err != nil {
		return nil, err
	}
	report.Say("drawing companies from the load")
	drawn, err := questions.Draw(ctx, o.Pool, rand.New(rand.NewPCG(o.Seed, 0)))
	if err != nil {
		return nil, err
	}
	if r.log, err = questions.NewLog(drawn); err != nil {
		return nil, err
	}
	for _, part := range []struct {
		name  string
		units int
		ask   func(ctx context.Context, dice *rand.Rand, unit int) error
	}{
		{"fixed addresses", len(fixedParts), r.askFixed},
		{"what needs an account", 1, func(ctx context.Context, dice *rand.Rand, _ int) error {
			return r.askSignedIn(ctx, dice, session)
		}},
		{"answers of v1 and v2", (o.Answers + answersOfUnit - 1) / answersOfUnit, r.askAPI},
		{"pages of companies", o.Pages, r.askPages},
		{"tools of /mcp", o.Tools, r.askTools},
	} {
		report.Say("%s", part.name)
		if err := r.each(ctx, part.units, part.ask); err != nil {
			return nil, fmt.Errorf("compare %s: %w", part.name, err)
		}
	}
	return r.result(), r.sameService(ctx)
}

// each does the units of a part, several at once. A unit has dice of its own, so that what it asks depends on no other.
func (r *run) each(ctx context.Context, units int, ask func(ctx context.Context, dice *rand.Rand, unit int) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(r.Conns)
	for unit := range units {
		g.Go(func() error {
			if unit%max(units/10, 100) == 0 && unit > 0 {
				report.Say("%d of %d", unit, units)
			}
			return ask(ctx, rand.New(rand.NewPCG(r.Seed, uint64(unit)+1)), unit)
		})
	}
	return g.Wait()
}

// sameService makes sure that there is something to compare: both serve one snapshot under one public address.
func (r *run) sameService(ctx context.Context) error {
	for _, path := range []string{"/health", "/.well-known/oauth-protected-resource"} {
		q := question{kind: "service", path: path}
		before, after, err := r.both(ctx, &q)
		if err != nil {
			return err
		}
		if found := judge(&q, before, after); before.status != 200 || len(found) > 0 {
			return fmt.Errorf("the servers do not serve the same, or not with the same RAZAO_BASE_URL: %s is\n%s\nand\n%s",
				path, before.body, after.body)
		}
		if path != "/health" {
			var described struct {
				Servers []string `json:"authorization_servers"`
			}
			if err := json.Unmarshal(before.body, &described); err != nil || len(described.Servers) == 0 {
				return fmt.Errorf("%s does not say which public address the servers have: %v", path, err)
			}
			r.publicAddress = described.Servers[0]
		}
	}
	return nil
}

// subject is a company to ask about, one of its establishments, and a source that may have records of it.
type subject struct {
	root   cnpj.Root
	number cnpj.Full
	source string
	absent int64 // of which there is no company, most likely
}

// fill puts the numbers of the subject into an address.
func (c *subject) fill(address string) string {
	number, absent := c.number.String(), cnpj.Join(cnpj.Root(c.absent), 1)
	digit := (number[13]-'0'+1)%10 + '0'
	return strings.NewReplacer(
		"{cnpj}", number, "{root}", c.root.String(), "{source}", c.source, "{masked}", url.PathEscape(c.number.Masked()),
		"{bad}", number[:13]+string(rune(digit)), "{absent}", absent.String(), "{absentroot}", absent.Root().String(),
		"{nobranch}", cnpj.Join(c.root, cnpj.Orders-1).String(),
	).Replace(address)
}

// subject draws a company: mostly any, often one with records, now and then a large one or one without establishments.
func (r *run) subject(dice *rand.Rand) subject {
	number, id := questions.Pick(dice, r.log.Numbers), questions.Pick(dice, source.IDs())
	switch chance := dice.IntN(10); {
	case chance < 3 && len(r.log.Owners[id]) > 0:
		number = questions.Pick(dice, r.log.Owners[id])
	case chance == 3:
		number = questions.Pick(dice, questions.Pick(dice, r.log.Largest).Numbers)
	case chance == 4:
		root := questions.Pick(dice, r.log.Roots)
		return subject{root: root, number: cnpj.Join(root, 1), source: id}
	}
	return subject{root: number.Root(), number: number, source: id}
}
