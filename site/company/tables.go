package company

import (
	"context"

	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/site/page"
)

// partnerTable is one page of a company's partners.
type partnerTable struct {
	Rows  []partnerRow
	Pager page.Pager
}

// partnerRow is a partner as people read it; "" means not published.
type partnerRow struct {
	Name               string
	Document           string // masked CNPJ, or CPF as the tax authority masks it
	Company            string // path of the partner's own page; "" unless it is a CNPJ
	Person             string // path of /socio/…; "" for companies and for people without visible digits
	Qualification      string
	Entry              record.Date
	Age                string
	Country            string
	Representative     string
	RepresentativeRole string
}

// partners reads a range of the company's partners in stored order.
func partners(ctx context.Context, snap *snapshot.Snapshot, h *pack.Head, in registry.Range) ([]partnerRow, error) {
	var rows []partnerRow
	err := snap.Partners(ctx, h, in, func(p *record.Partner) error {
		rows = append(rows, partnerRowOf(snap, p))
		return nil
	})
	return rows, err
}

// partnerRowOf puts a partner into words. A partner with a valid CNPJ links to its page; others
// link to the list of the person's companies.
func partnerRowOf(snap *snapshot.Snapshot, p *record.Partner) partnerRow {
	row := partnerRow{
		Name:               ptbr.Partner(p),
		Document:           ptbr.Document(p.CNPJCPFSocio),
		Qualification:      wording.Describe(snap, record.DomainQualificacao, p.QualificacaoSocio),
		Entry:              p.DataEntradaSociedade,
		Country:            wording.Describe(snap, record.DomainPais, p.Pais),
		Representative:     ptbr.Person(p.NomeRepresentante),
		RepresentativeRole: wording.Describe(snap, record.DomainQualificacao, p.QualificacaoRepresentanteLegal),
		Age:                wording.Describe(snap, record.DomainFaixaEtaria, p.AgeBracket()),
	}
	if full, err := cnpj.ParseFull(p.CNPJCPFSocio); err == nil {
		row.Company = "/" + full.String()
	} else {
		row.Person = page.PersonPath(p)
	}
	return row
}
