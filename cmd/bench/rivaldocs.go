package main

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"razao/index"
	"razao/internal/registry"
)

// rivalDocs reads companies evenly spread over the load, so that -compare documents result or all there are, in the
// order of their importance: the position of a document is the rank that the other engines order by.
func (o *options) rivalDocs(ctx context.Context, f *folder, db *database) ([]index.Doc, error) {
	say("reading documents for the comparison")
	live, _, err := openSnapshot(ctx, f, db)
	if err != nil {
		return nil, err
	}
	defer live.Close()
	s, err := live.Acquire()
	if err != nil {
		return nil, err
	}
	defer s.Release()
	var docs []index.Doc
	all, wanted, roots := s.Load.Counts.Establishments, int64(o.compare), int64(0)
	err = s.Scan(ctx, func(h *registry.Head, partners []registry.Partner, c *registry.EstablishmentCursor) error {
		roots++
		if wanted < all && roots*wanted/all == (roots-1)*wanted/all {
			return nil
		}
		for first := true; len(docs) < o.compare && c.Next(); first = false {
			docs = append(docs, rivalDoc(h, &c.Establishment))
			if first {
				docs[len(docs)-1].Partners = rivalPartners(partners)
			}
		}
		return c.Err()
	})
	slices.SortFunc(docs, byImportance)
	return docs, err
}

// rivalDoc copies what an engine is given of an establishment, whose texts share memory with the row.
func rivalDoc(h *registry.Head, e *registry.Establishment) index.Doc {
	return index.Doc{
		CNPJ:              e.CNPJ,
		HeadOffice:        e.IdentificadorMatrizFilial == "1",
		RazaoSocial:       strings.Clone(h.Company.RazaoSocial),
		NomeFantasia:      strings.Clone(e.NomeFantasia),
		UF:                strings.Clone(e.UF),
		Municipio:         strings.Clone(e.Municipio),
		SituacaoCadastral: strings.Clone(e.SituacaoCadastral),
		PorteEmpresa:      strings.Clone(h.Company.PorteEmpresa),
		NaturezaJuridica:  strings.Clone(h.Company.NaturezaJuridica),
		CNAE:              strings.Clone(e.CNAEFiscalPrincipal),
		CNAEsSecundarios:  strings.Clone(e.CNAEFiscalSecundaria),
		MEI:               h.Simples.OpcaoPeloMEI == registry.Yes,
		Simples:           h.Simples.OpcaoPeloSimples == registry.Yes,
		Opening:           opening(e.DataInicioAtividade),
		Capital:           int64(h.Company.CapitalSocial),
		Branches:          h.Establishments,
	}
}

func rivalPartners(partners []registry.Partner) []index.Partner {
	out := make([]index.Partner, len(partners))
	for i, p := range partners {
		out[i] = index.Partner{Name: strings.Clone(p.NomeSocio), Document: strings.Clone(p.CNPJCPFSocio)}
	}
	return out
}

// opening is a date as the index wants it: AAAAMMDD, 0 for none.
func opening(d registry.Date) int {
	if d == 0 {
		return 0
	}
	year, month, day := d.Time().Date()
	return year*10_000 + int(month)*100 + day
}

// byImportance orders much as our index does: active head offices first, then by size, branches and capital.
func byImportance(a, b index.Doc) int {
	return cmp.Or(
		cmp.Compare(classOf(&a), classOf(&b)),
		cmp.Compare(b.PorteEmpresa, a.PorteEmpresa),
		cmp.Compare(b.Branches, a.Branches),
		cmp.Compare(b.Capital, a.Capital),
		cmp.Compare(a.CNPJ, b.CNPJ),
	)
}

func classOf(d *index.Doc) int {
	class := 0
	if d.SituacaoCadastral != "02" {
		class = 2
	}
	if !d.HeadOffice {
		class++
	}
	return class
}

// drawFrom keeps every k-th of what the documents hold to ask for.
func drawFrom(docs []index.Doc) *drawn {
	d := &drawn{}
	step := int(every(int64(len(docs)), maxTexts))
	for i := 0; i < len(docs); i += step {
		doc := &docs[i]
		d.numbers = append(d.numbers, doc.CNPJ)
		if doc.RazaoSocial != "" {
			d.names = append(d.names, doc.RazaoSocial)
		}
		if doc.NomeFantasia != "" {
			d.trades = append(d.trades, doc.NomeFantasia)
		}
		if len(doc.Partners) > 0 && doc.Partners[0].Name != "" {
			d.partners = append(d.partners, doc.Partners[0].Name)
		}
		s := sketch{
			name: doc.RazaoSocial, uf: doc.UF, municipio: doc.Municipio, situacao: doc.SituacaoCadastral,
			porte: doc.PorteEmpresa, cnae: doc.CNAE,
		}
		if s.whole() {
			d.sketches = append(d.sketches, s)
		}
	}
	return d
}

// plainWords returns a text as the words that all engines are given: folded and parted by our own rules, so that all
// of them find the same.
func plainWords(text string) []string {
	var words []string
	for _, token := range index.Tokens(text) {
		if !slices.Contains(words, token.Text) {
			words = append(words, token.Text)
		}
	}
	return words
}

// namesOf returns the words of the legal and the trade name of a document.
func namesOf(d *index.Doc) []string { return plainWords(d.RazaoSocial + " " + d.NomeFantasia) }

func partnersOf(d *index.Doc) []string {
	var names strings.Builder
	for _, p := range d.Partners {
		names.WriteString(p.Name)
		names.WriteByte(' ')
	}
	return plainWords(names.String())
}
