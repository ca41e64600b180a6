package snapshot

import (
	"context"
	"slices"
	"strings"

	"razao/index"
	"razao/index/filter"
	"razao/index/text"
	"razao/internal/cnpj"
	"razao/internal/record"
	"razao/internal/registry"
	"razao/internal/registry/pack"
	"razao/internal/slug"
)

const (
	// MaxExamined is how many companies Partnerships reads the partners of. Hardly any six digits have a tenth of that; the
	// commonest names have more.
	MaxExamined    = 2000
	examinedAtOnce = 200 // of them in one round trip
)

// Partnership is a company and those of its partners who were looked for.
type Partnership struct {
	*pack.Head
	Office   record.Establishment // the head office, or the establishment that stands for the company in the index
	Partners []record.Partner     // in stored order, at least one
}

// Name is what people call the company.
func (p *Partnership) Name() string { return p.Head.NameOf(&p.Office) }

// Person is whom Partnerships looks for among the partners.
type Person struct {
	Document string // as published, ***456789** or 14 positions of a CNPJ; "" for any
	Name     string // a partner's name has all its words, in any order, case and accents; "" with Slug
	Slug     string // a partner's name is exactly this one, as addresses write it; "" with Name
}

// Partnerships returns the companies that have a partner like this, the most important ones first; complete is false when more
// than MaxExamined companies might.
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
	seen := map[cnpj.Root]bool{}
	for hits := range slices.Chunk(r.Hits, examinedAtOnce) {
		hits = slices.DeleteFunc(slices.Clone(hits), func(hit index.Hit) bool {
			again := seen[hit.CNPJ.Root()]
			seen[hit.CNPJ.Root()] = true
			return again
		})
		found, err := s.partnerships(ctx, hits, is)
		if err != nil {
			return nil, false, err
		}
		all = append(all, found...)
	}
	return all, r.Total <= MaxExamined, nil
}

// query finds the companies to examine: by what is seen of the document, which few share, or by the name.
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

// matcher returns what tells the partners who are looked for from others. It does not say that two rows are one person.
func (p *Person) matcher() func(*record.Partner) bool {
	words := text.Words(p.Name)
	return func(partner *record.Partner) bool {
		if p.Document != "" && partner.CNPJCPFSocio != p.Document {
			return false
		}
		if p.Slug != "" {
			return slug.Make(partner.NomeSocio) == p.Slug
		}
		has := text.Words(partner.NomeSocio)
		return !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(has, word) })
	}
}

// Words returns the words of a name as the index compares them: folded, without numbers of more than four digits.
func Words(name string) []string { return text.Words(name) }

// Holdings returns a page of the companies that have the company of among their partners, the most important first, and how
// many there are in all, which floor says to be more than were counted.
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
	all, err = s.partnerships(ctx, r.Hits, func(p *record.Partner) bool { return strings.HasPrefix(p.CNPJCPFSocio, root) })
	return all, r.Total, r.TotalIsFloor, err
}

// partnerships reads the companies of hits, one hit for each, and keeps those that have a partner who is looked for.
func (s *Snapshot) partnerships(ctx context.Context, hits []index.Hit, is func(*record.Partner) bool) ([]Partnership, error) {
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

// indexAhead tells an establishment that the index has and the records lack from one that was asked for by its number: it is
// trouble, not absence.
func indexAhead(err error) error {
	if registry.IsAbsent(err) {
		return ErrIndexAhead
	}
	return err
}

// namePartners fills in which partners the matches were found by: those whose names have most of the words, or of what was searched
// instead of them. all says that no match was found in another way.
func (s *Snapshot) namePartners(ctx context.Context, typed string, corrected []index.Correction, all bool, matches []Match) error {
	words := text.Words(typed)
	for _, c := range corrected {
		words = append(words, c.To)
	}
	for i := range matches {
		m := &matches[i]
		if m.Why == index.WhyCNPJ || m.Why != index.WhyPartner && !all {
			continue
		}
		most := 0
		err := s.view.Partners(ctx, m.Head, registry.Range{Limit: m.Partners}, func(p *record.Partner) error {
			if n := common(words, text.Words(p.NomeSocio)); n > most {
				most, m.Partner = n, new(*p)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// common counts the words that a name has.
func common(words, name []string) int {
	n := 0
	for _, word := range words {
		if slices.Contains(name, word) {
			n++
		}
	}
	return n
}
