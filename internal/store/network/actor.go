// Package network is the graph of companies and those who are in them: partners and legal
// representatives, as the company registry of a load publishes them.
//
// A company's record names its partners, so the graph upwards is the record store. What the records do
// not answer is the other direction, the companies that name somebody. A file beside the search index
// has it: one [Edge] for each company and partner, sorted by the partner. It is made from the same
// ordered stream as the index, and read with one or two reads of 4 KB.
//
//	file   magic, 16 bytes; edges
//	edge   node, 8 bytes; root of the company, with the highest bit set for a legal representative,
//	       8 bytes
//
// Numbers are big endian, so that edges are in the order of their bytes, and those of partners come before
// those of representatives; none is there twice. Who is both in one company has an edge as partner.
package network

import (
	"hash/fnv"
	"strings"

	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
)

// Kind says what an actor is.
type Kind uint8

// The kinds of actors.
const (
	Company      Kind = iota // by its root
	Person                   // a natural person, by name and six digits of the CPF
	Foreigner                // who has neither CPF nor CNPJ, by name and country
	Unidentified             // a partner of whom no more than a name is published, in one company
)

// Actor is a company, or somebody in one. Persons and foreigners are told apart by what is published:
// equal actors may be namesakes, and one person may be several actors.
type Actor struct {
	Kind    Kind
	Root    cnpj.Root // of a company; of an unidentified partner that of the company that names him
	Digits  string    // of a person, six
	Country string    // of a foreigner, the tax authority's code; "" if none is published
	Slug    string    // the name, as in addresses; "" of companies
}

// CompanyOf returns the actor of a company.
func CompanyOf(root cnpj.Root) Actor { return Actor{Kind: Company, Root: root} }

// PersonOf returns the actor of a person, from the six digits and the name; ok is false if one of them
// says nothing.
func PersonOf(digits, name string) (a Actor, ok bool) {
	a = Actor{Kind: Person, Digits: digits, Slug: ptbr.Slug(name)}
	return a, record.ValidDigits(digits) && a.Slug != ""
}

// Known reports whether an actor can be told from others, so that the graph knows where else he is.
func (a Actor) Known() bool { return a.Kind != Unidentified }

// PartnerOf returns the actor of a partner of a company.
func PartnerOf(of cnpj.Root, p *record.Partner) Actor {
	if full, err := cnpj.ParseFull(p.CNPJCPFSocio); err == nil {
		return CompanyOf(full.Root())
	}
	if digits, ok := p.VisibleDigits(); ok {
		if a, ok := PersonOf(digits, p.NomeSocio); ok {
			return a
		}
	}
	if slug := ptbr.Slug(p.NomeSocio); p.IdentificadorSocio == record.SocioForeigner && slug != "" {
		return Actor{Kind: Foreigner, Country: p.Pais, Slug: slug}
	}
	return Actor{Kind: Unidentified, Root: of, Slug: ptbr.Slug(p.NomeSocio)}
}

// RepresentativeOf returns the actor of a partner's legal representative; ok is false if there is none.
func RepresentativeOf(p *record.Partner) (a Actor, ok bool) {
	as := record.Partner{CNPJCPFSocio: p.RepresentanteLegal}
	digits, ok := as.VisibleDigits()
	if !ok {
		return Actor{}, false
	}
	return PersonOf(digits, p.NomeRepresentante)
}

// The forms of an identifier: 98765432, 456789-maria-ficticia, ex-105-acme-inc.
const (
	digitsOfID  = 6
	abroad      = "ex-"
	nobody      = "sem-" // and the company and the name: no identifier that can be asked for
	noCountry   = "000"
	countrySize = 3
)

// ID returns the identifier of an actor in addresses. It is the same in every load. That of an
// unidentified one only tells him from others.
func (a Actor) ID() string {
	switch a.Kind {
	case Company:
		return a.Root.String()
	case Person:
		return a.Digits + "-" + a.Slug
	case Unidentified:
		return nobody + a.Root.String() + "-" + a.Slug
	}
	country := a.Country
	if country == "" {
		country = noCountry
	}
	return abroad + country + "-" + a.Slug
}

// ParseID is the inverse of ID; ok is false if no actor that can be asked for has that identifier. A CNPJ of 14
// positions stands for its company.
func ParseID(id string) (a Actor, ok bool) {
	if rest, foreign := strings.CutPrefix(id, abroad); foreign {
		country, slug, _ := strings.Cut(rest, "-")
		if len(country) != countrySize || slug == "" || ptbr.Slug(slug) != slug || ptbr.Slug(country) != country {
			return Actor{}, false
		}
		if country == noCountry {
			country = ""
		}
		return Actor{Kind: Foreigner, Country: country, Slug: slug}, true
	}
	if digits, slug, named := strings.Cut(id, "-"); named && len(digits) == digitsOfID {
		a, ok = PersonOf(digits, slug)
		return a, ok && a.Slug == slug
	}
	if full, err := cnpj.ParseFull(id); err == nil {
		return CompanyOf(full.Root()), true
	}
	root, err := cnpj.ParseRoot(id)
	return CompanyOf(root), err == nil
}

// Node is an actor in the graph: the root of a company, a hash of others. Two actors may
// share one, so what is found by a node is compared with the records.
type Node uint64

// hashed is set in nodes of persons and foreigners; roots are below it.
const hashed Node = 1 << 63

// Node returns the node of an actor.
func (a Actor) Node() Node {
	if a.Kind == Company {
		return Node(a.Root)
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(a.ID()))
	return hashed | Node(mixed(h.Sum64()))
}

// mixed spreads the bits of a hash (the finalizer of MurmurHash3): FNV leaves those of the last letters
// low.
func mixed(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// Boundaries cut the nodes into parts of about the same size, for sorting.
func Boundaries() []uint64 {
	const parts = 32
	var cuts []uint64
	for i := range uint64(parts) {
		cuts = append(cuts, uint64(hashed)+i*(uint64(hashed)/parts))
	}
	return cuts
}
