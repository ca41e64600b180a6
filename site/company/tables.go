package company

import (
	"context"

	"razao/internal/cnpj"
	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/registry"
	"razao/internal/registry/pack"
	"razao/internal/snapshot"
	"razao/site/page"
	"razao/site/wording"
)

// partnerTable is one page of a company's partners.
type partnerTable struct {
	Rows  []partnerRow
	Pager page.Pager
}

// partnerRow is a partner in words.
type partnerRow struct {
	Name               string
	Document           string
	Company            string // address of the partner's own page; "" for people
	Person             string // address of the page of a person; "" for companies and for people without visible digits
	Qualification      string
	Entry              record.Date
	Age                string
	Country            string
	Representative     string
	RepresentativeRole string
}

// partners returns one page of the partners of a company.
func partners(ctx context.Context, snap *snapshot.Snapshot, h *pack.Head, in registry.Range) ([]partnerRow, error) {
	var rows []partnerRow
	err := snap.Partners(ctx, h, in, func(p *record.Partner) error {
		rows = append(rows, partnerRowOf(snap, p))
		return nil
	})
	return rows, err
}

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
