package relevance

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"razao/index/build"
	"razao/ingest/receita"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/sample"
)

const (
	noiseRoots = 25_000
	noiseMonth = "2026-09"
)

// noise is the content of an invented release, by root.
type noise struct {
	mu    sync.Mutex
	roots map[cnpj.Root]*noiseCompany
}

type noiseCompany struct {
	company        record.Company
	simples        record.Simples
	partners       []build.Partner
	establishments []record.Establishment
}

// readNoise invents a release below dir and returns its documents, grouped by root.
func readNoise(ctx context.Context, dir string) ([]build.Doc, error) {
	sum, err := sample.Write(ctx, dir, sample.Options{Roots: noiseRoots, Seed: 16, Month: noiseMonth, OnlyReceita: true})
	if err != nil {
		return nil, err
	}
	rel, err := receita.Find(sum.Dir, noiseMonth, false)
	if err != nil {
		return nil, err
	}
	n := &noise{roots: map[cnpj.Root]*noiseCompany{}}
	if _, err := rel.Read(ctx, receita.Options{Workers: 2, NewHandler: n.handler}); err != nil {
		return nil, err
	}
	var docs []build.Doc
	for _, c := range n.roots {
		docs = c.appendDocs(docs)
	}
	return docs, nil
}

// handler keeps the records; their texts are copied, for they last no longer than the call.
func (n *noise) handler() receita.Handler {
	return receita.Handler{
		Company: func(root cnpj.Root, c *record.Company) error {
			n.at(root, func(to *noiseCompany) {
				if c.RazaoSocial != "" { // a blank row duplicates a good one
					to.company = record.Company{
						RazaoSocial: strings.Clone(c.RazaoSocial), PorteEmpresa: strings.Clone(c.PorteEmpresa),
						NaturezaJuridica: strings.Clone(c.NaturezaJuridica), CapitalSocial: c.CapitalSocial,
					}
				}
			})
			return nil
		},
		Simples: func(root cnpj.Root, s *record.Simples) error {
			n.at(root, func(to *noiseCompany) { to.simples = *s })
			return nil
		},
		Partner: func(root cnpj.Root, p *record.Partner, _ uint32) error {
			n.at(root, func(to *noiseCompany) {
				to.partners = append(to.partners, build.Partner{Name: strings.Clone(p.NomeSocio), Document: strings.Clone(p.CNPJCPFSocio)})
			})
			return nil
		},
		Establishment: func(e *record.Establishment) error {
			n.at(e.CNPJ.Root(), func(to *noiseCompany) { to.establishment(e) })
			return nil
		},
	}
}

func (n *noise) at(root cnpj.Root, change func(*noiseCompany)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.roots[root] == nil {
		n.roots[root] = &noiseCompany{company: record.Company{CapitalSocial: record.NoCents}}
	}
	change(n.roots[root])
}

// establishment keeps one row for each order; of several, the one whose status is the latest.
func (c *noiseCompany) establishment(e *record.Establishment) {
	row := record.Establishment{
		CNPJ: e.CNPJ, IdentificadorMatrizFilial: strings.Clone(e.IdentificadorMatrizFilial),
		NomeFantasia:      strings.Clone(e.NomeFantasia),
		SituacaoCadastral: strings.Clone(e.SituacaoCadastral), DataSituacaoCadastral: e.DataSituacaoCadastral,
		UF: strings.Clone(e.UF), Municipio: strings.Clone(e.Municipio), DataInicioAtividade: e.DataInicioAtividade,
		CNAEFiscalPrincipal: strings.Clone(e.CNAEFiscalPrincipal), CNAEFiscalSecundaria: strings.Clone(e.CNAEFiscalSecundaria),
	}
	for i := range c.establishments {
		if kept := &c.establishments[i]; kept.CNPJ == row.CNPJ {
			if row.DataSituacaoCadastral > kept.DataSituacaoCadastral {
				*kept = row
			}
			return
		}
	}
	c.establishments = append(c.establishments, row)
}

// appendDocs adds the documents of the company; its partners go with the first and with the head
// office.
func (c *noiseCompany) appendDocs(docs []build.Doc) []build.Doc {
	slices.SortFunc(c.establishments, func(a, b record.Establishment) int { return cmp.Compare(a.CNPJ, b.CNPJ) })
	for i := range c.establishments {
		e := &c.establishments[i]
		d := build.Doc{
			CNPJ: e.CNPJ, HeadOffice: e.IdentificadorMatrizFilial == "1",
			RazaoSocial: c.company.RazaoSocial, NomeFantasia: e.NomeFantasia,
			UF: e.UF, Municipio: e.Municipio, SituacaoCadastral: e.SituacaoCadastral,
			PorteEmpresa: c.company.PorteEmpresa, NaturezaJuridica: c.company.NaturezaJuridica,
			CNAE: e.CNAEFiscalPrincipal, CNAEsSecundarios: e.CNAEFiscalSecundaria,
			MEI: c.simples.OpcaoPeloMEI == record.Yes, Simples: c.simples.OpcaoPeloSimples == record.Yes,
			Opening: day(e.DataInicioAtividade),
			Capital: int64(c.company.CapitalSocial), Branches: len(c.establishments),
		}
		if e.Closed() {
			d.Closing = day(e.DataSituacaoCadastral)
		}
		if i == 0 || d.HeadOffice {
			d.Partners = c.partners
		}
		docs = append(docs, d)
	}
	return docs
}

// day returns a date as the number AAAAMMDD, 0 when there is none.
func day(d record.Date) int {
	if d == 0 {
		return 0
	}
	t := d.Time()
	return t.Year()*10_000 + int(t.Month())*100 + t.Day()
}
