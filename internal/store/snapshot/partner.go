package snapshot

import (
	"context"
	"errors"
	"slices"
	"strings"

	"razao/index"
	"razao/index/filter"
	"razao/index/term"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
)

const (
	// MaxExamined is how many companies at most Partnerships reads the partners of. Hardly any six
	// digits of a CPF occur in a tenth of that; the commonest names occur in more.
	MaxExamined    = 2000
	examinedAtOnce = 200 // companies that are read in one round trip

	// mostPartnersNamed is how many rows namePartners looks at for one page: cooperatives have thousands.
	mostPartnersNamed = 5_000
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
func (s *Snapshot) Partnerships(ctx context.Context, who Person) (all []Partnership, complete bool, err error) {
	ix, err := s.index()
	if err != nil {
		return nil, false, err
	}
	r, err := ix.Search(ctx, who.query())
	if err != nil {
		return nil, false, s.troubled("search partners", err)
	}
	is := who.matcher()
	seen, budget := map[cnpj.Root]bool{}, NewBudget(1, 0, nil)
	for hits := range slices.Chunk(r.Hits, examinedAtOnce) {
		hits = slices.DeleteFunc(slices.Clone(hits), func(hit index.Hit) bool {
			again := seen[hit.CNPJ.Root()]
			seen[hit.CNPJ.Root()] = true
			return again
		})
		found, err := s.partnerships(ctx, hits, is, budget)
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

// Words returns the words of a name as the index compares them: folded (case, accents), without
// numbers of more than four digits.
func Words(name string) []string { return term.Words(name) }

// Holdings returns a page of the companies that have the company of among their partners, the most
// important first, and their total, which is a lower bound if floor is true. The errors are those
// of Find.
func (s *Snapshot) Holdings(ctx context.Context, of cnpj.Root, in registry.Range) (all []Partnership, total int, floor bool, err error) {
	ix, err := s.index()
	if err != nil {
		return nil, 0, false, err
	}
	r, err := ix.Search(ctx, index.Query{
		// A company is listed once, by its head office.
		Filters: filter.Of(filter.PartnerRoot, of.String(), filter.HeadOffice, "matriz"), Offset: in.From, Limit: in.Limit,
	})
	if err != nil {
		return nil, 0, false, s.troubled("search holdings", err)
	}
	root := of.String()
	all, err = s.partnerships(ctx, r.Hits, func(p *record.Partner) bool { return strings.HasPrefix(p.CNPJCPFSocio, root) }, nil)
	return all, r.Total, r.TotalIsFloor, err
}

// partnerships reads the companies of hits and all their partners, and keeps those with a partner
// that matches is. Each company must be among hits once. The last ones are missing if the budget, nil for none, does not pay for them.
func (s *Snapshot) partnerships(ctx context.Context, hits []index.Hit, is func(*record.Partner) bool, b *Budget) ([]Partnership, error) {
	companies, err := s.companies(ctx, hits)
	if err != nil {
		return nil, err
	}
	var all []Partnership
	for _, hit := range hits {
		h := companies[hit.CNPJ.Root()]
		if h == nil {
			return nil, ErrIndexAhead
		}
		if b != nil {
			if ok, err := b.Take(ctx, companySteps+h.Partners*nameSteps); !ok {
				return all, err
			}
		}
		p := Partnership{Head: h}
		err := s.view.Partners(ctx, h, registry.Range{Limit: h.Partners}, func(partner *record.Partner) error {
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
			return nil, indexAhead(err)
		}
		all = append(all, p)
	}
	return all, nil
}

// indexAhead turns absence into ErrIndexAhead, for an establishment that came from the index:
// records that lack it are a failure, not a 404.
func indexAhead(err error) error {
	if registry.IsAbsent(err) {
		return ErrIndexAhead
	}
	return err
}

// namePartners sets Match.Partner: the first partner whose name has the most of the words, written or
// heard; the beginning of a word, if there is one, decides between equals. It does so for matches that
// were found by a partner, or for all but those found by their number if the search was restricted to
// partners (all). It ends after [mostPartnersNamed] rows.
func (s *Snapshot) namePartners(ctx context.Context, words []string, begun string, all bool, matches []Match) error {
	meant := make([][]string, len(words))
	for i, word := range words {
		meant[i] = term.Meant(word)
	}
	left, wholly := mostPartnersNamed, 2*len(words)
	if begun != "" {
		wholly++
	}
	for i := range matches {
		m := &matches[i]
		if m.Why == index.WhyCNPJ || m.Why != index.WhyPartner && !all {
			continue
		}
		most := 0
		err := s.view.Partners(ctx, m.Head, registry.Range{Limit: min(m.Partners, left)}, func(p *record.Partner) error {
			left--
			if n := common(words, meant, begun, term.Words(p.NomeSocio)); n > most {
				most, m.Partner = n, new(*p)
			}
			if most == wholly {
				return errFound
			}
			return nil
		})
		if err != nil && !errors.Is(err, errFound) {
			return err
		}
	}
	return nil
}

// common returns how much words have in common with a name: two for each word that is in it, one for
// each that only sounds like one of it, and one if a word of it begins so. meant is what the words may sound like.
func common(words []string, meant [][]string, begun string, name []string) int {
	n := 0
	for i, word := range words {
		if slices.Contains(name, word) {
			n += 2
			continue
		}
		if slices.ContainsFunc(name, func(part string) bool {
			return slices.ContainsFunc(term.Sounds(part), func(sound string) bool { return slices.Contains(meant[i], sound) })
		}) {
			n++
		}
	}
	if begun != "" && slices.ContainsFunc(name, func(word string) bool { return strings.HasPrefix(word, begun) }) {
		n++
	}
	return n
}
