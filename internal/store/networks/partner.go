package networks

import (
	"context"
	"slices"
	"strings"

	"razao/index"
	"razao/index/filter"
	"razao/index/term"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
)

const (
	// MaxExamined is how many companies at most Partnerships reads the partners of. Hardly any six
	// digits of a CPF occur in a tenth of that; the commonest names occur in more.
	MaxExamined    = 2000
	examinedAtOnce = 200 // companies that are read in one round trip
)

// Partnership is a company with those of its partners that match a query.
type Partnership struct {
	*pack.Head
	Office   record.Establishment // the establishment that the index found, mostly the head office
	Partners []record.Partner     // those that match, in stored order; at least one
}

// Name returns a name for the company, never "".
func (p *Partnership) Name() string { return p.Head.NameOf(&p.Office) }

// Person describes a partner to look for. Masked CPFs are shared by several people, so a match is
// not proof of identity.
type Person struct {
	Document string // as published: ***456789** or the 14 positions of a CNPJ; "" matches any
	Name     string // its words are in the partner's name, in any order, case, accents
}

// Partnerships returns the companies that have a matching partner, the most important first. The
// index proposes at most MaxExamined companies, and their partners are compared one by one;
// complete is false if there were more, or more partners than one call pays for. The errors are those of Find.
func Partnerships(ctx context.Context, s *snapshot.Snapshot, who Person) (all []Partnership, complete bool, err error) {
	r, err := search(ctx, s, who.query())
	if err != nil {
		return nil, false, err
	}
	is := who.matcher()
	seen, budget := map[cnpj.Root]bool{}, snapshot.NewBudget(1, 0, nil)
	for hits := range slices.Chunk(r.Hits, examinedAtOnce) {
		hits = slices.DeleteFunc(slices.Clone(hits), func(hit index.Hit) bool {
			again := seen[hit.CNPJ.Root()]
			seen[hit.CNPJ.Root()] = true
			return again
		})
		found, err := partnerships(ctx, s, hits, is, budget)
		if err != nil {
			return nil, false, err
		}
		if all = append(all, found...); budget.Spent() {
			break
		}
	}
	return all, r.Total <= MaxExamined && !budget.Spent(), nil
}

// query returns the query for the companies to examine: by the CNPJ root or the visible digits of
// the CPF, which few share, otherwise by the name.
func (p *Person) query() index.Query {
	q := index.Query{Limit: MaxExamined}
	partner := record.Partner{CNPJCPFSocio: p.Document}
	if full, err := cnpj.ParseFull(p.Document); err == nil {
		q.Filters = filter.Of(filter.PartnerRoot, full.Root().String(), filter.HeadOffice, "matriz")
	} else if digits, ok := partner.VisibleDigits(); ok {
		q.Filters = filter.Of(filter.PartnerDigits, digits)
	} else {
		q.Text, q.LiteralPlaces, q.Scope, q.Filters = p.Name, true, index.InPartners, filter.Of(filter.HeadOffice, "matriz")
	}
	return q
}

// matcher returns a predicate for the partners that match.
func (p *Person) matcher() func(*record.Partner) bool {
	words := term.Words(p.Name)
	return func(partner *record.Partner) bool {
		if p.Document != "" && partner.CNPJCPFSocio != p.Document {
			return false
		}
		has := term.Words(partner.NomeSocio)
		return !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(has, word) })
	}
}

// Holdings returns a page of the companies that have the company of among their partners, the most
// important first, and their total, which is a lower bound if floor is true. The errors are those
// of Find.
func Holdings(ctx context.Context, s *snapshot.Snapshot, of cnpj.Root, in registry.Range) (all []Partnership, total int, floor bool, err error) {
	r, err := search(ctx, s, index.Query{
		// A company is listed once, by its head office.
		Filters: filter.Of(filter.PartnerRoot, of.String(), filter.HeadOffice, "matriz"), Offset: in.From, Limit: in.Limit,
	})
	if err != nil {
		return nil, 0, false, err
	}
	root := of.String()
	all, err = partnerships(ctx, s, r.Hits, func(p *record.Partner) bool { return strings.HasPrefix(p.CNPJCPFSocio, root) }, nil)
	return all, r.Total, r.TotalIsFloor, err
}

// partnerships reads the companies of hits and all their partners, and keeps those with a partner
// that matches is. Each company must be among hits once. The last ones are missing if the budget, nil for none, does not pay for them.
func partnerships(ctx context.Context, s *snapshot.Snapshot, hits []index.Hit, is func(*record.Partner) bool, b *snapshot.Budget) ([]Partnership, error) {
	var roots []cnpj.Root
	for _, hit := range hits {
		roots = append(roots, hit.CNPJ.Root())
	}
	companies, err := s.Companies(ctx, roots)
	if err != nil {
		return nil, err
	}
	var all []Partnership
	for _, hit := range hits {
		h := companies[hit.CNPJ.Root()]
		if h == nil {
			return nil, snapshot.ErrIndexAhead
		}
		if b != nil {
			if ok, err := b.Take(ctx, snapshot.CompanySteps+h.Partners*nameSteps); !ok {
				return all, err
			}
		}
		p := Partnership{Head: h}
		err := s.Partners(ctx, h, registry.Range{Limit: h.Partners}, func(partner *record.Partner) error {
			if is(partner) {
				p.Partners = append(p.Partners, *partner)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if len(p.Partners) == 0 {
			continue
		}
		if p.Office, err = s.Establishment(ctx, h, hit.CNPJ.Order()); err != nil {
			if registry.IsAbsent(err) {
				err = snapshot.ErrIndexAhead
			}
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// search asks the index. The errors are those of Find.
func search(ctx context.Context, s *snapshot.Snapshot, q index.Query) (index.Results, error) {
	ix, err := s.Internals().Index(&q)
	if err != nil {
		return index.Results{}, err
	}
	r, err := ix.Search(ctx, q)
	return r, s.Internals().Wrap("search networks", err)
}
