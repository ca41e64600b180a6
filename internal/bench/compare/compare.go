// Package compare proves that two builds of the program answer alike. Both serve the same database,
// data folder, secret and public address. Every question is put to both at the same time with the
// same request id, and the answers must be equal byte for byte: status, headers and uncompressed
// body, except for the few that cannot be (dates, tokens, the name of the build).
//
// The questions follow from a seed, from the content of the database and from the first server's
// answers: companies are drawn from the load in service, their pages opened and links followed, API
// collections walked along their cursors. A question with different answers is repeated: only if
// all tries differ is it reported as different, otherwise as unsteady, because a deadline missed
// under load is no change of behaviour. Differences are grouped by their shape, a text without
// names and numbers, so that one change that affects a thousand companies is one group in the
// report.
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
	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/people/seal"
)

// Options select what is compared. All fields are required.
type Options struct {
	Before, After string        // base addresses, such as http://127.0.0.1:8080; Before is the reference
	Pool          *pgxpool.Pool // of the database that both serve
	Seal          *seal.Sealer  // with the servers' secret
	Seed          uint64        // the same seed asks the same questions
	Answers       int           // answers of v1 and v2
	Pages         int           // companies whose pages are opened
	Tools         int           // companies about which the tools at /mcp are called
	Conns         int           // questions in flight; each is sent to both servers
}

// run is one comparison.
type run struct {
	Options
	*asker
	log *questions.Log
}

// Run compares the servers and returns the report, also when answers differ. An error means that no
// comparison was possible: a server failed, limits requests by address, or serves something else
// than the other one; the snapshot must be the same at the beginning and at the end.
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

// each runs the units of a part concurrently. A unit has its own generator, seeded by its number,
// so its questions do not depend on the order in which units run.
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

// sameService verifies the precondition: both servers have the same snapshot and public address.
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

// subject is a company to ask about, one of its establishments, and a source that may have records
// of it.
type subject struct {
	root   cnpj.Root
	number cnpj.Full
	source string
	absent int64 // a root that most likely does not exist
}

// fill replaces the placeholders of an address by numbers of the subject. {bad} has a wrong check
// digit, {nobranch} is an establishment that the company does not have.
func (c *subject) fill(address string) string {
	number, absent := c.number.String(), cnpj.Join(cnpj.Root(c.absent), 1)
	digit := (number[13]-'0'+1)%10 + '0'
	return strings.NewReplacer(
		"{cnpj}", number, "{root}", c.root.String(), "{source}", c.source, "{masked}", url.PathEscape(c.number.Masked()),
		"{bad}", number[:13]+string(rune(digit)), "{absent}", absent.String(), "{absentroot}", absent.Root().String(),
		"{nobranch}", cnpj.Join(c.root, cnpj.Orders-1).String(),
	).Replace(address)
}

// subject draws a company: of ten, three have records, one is among the largest, and one may have
// no establishments.
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
