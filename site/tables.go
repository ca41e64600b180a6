package site

import (
	"context"
	"net/url"

	"razao/internal/cnpj"
	"razao/internal/ptbr"
	"razao/internal/registry"
	"razao/internal/snapshot"
)

// partnerTable is one page of a company's partners.
type partnerTable struct {
	Rows  []partnerRow
	Pager pager
}

// partnerRow is a partner in words.
type partnerRow struct {
	Name               string
	Document           string
	Company            string // address of the partner's own page; "" for people
	Person             string // address of the page of a person; "" for companies and for people without visible digits
	Qualification      string
	Entry              registry.Date
	Age                string
	Country            string
	Representative     string
	RepresentativeRole string
}

func partners(ctx context.Context, address *url.URL, snap *snapshot.Snapshot, h *registry.Head, page int) (partnerTable, error) {
	t := partnerTable{Pager: newPager("Páginas de sócios", address, "socios_pagina", "socios", page, partnersPerPage, int64(h.Partners))}
	in := registry.Range{From: (page - 1) * partnersPerPage, Limit: partnersPerPage}
	err := snap.Partners(ctx, h, in, func(p *registry.Partner) error {
		t.Rows = append(t.Rows, partnerRowOf(snap, p))
		return nil
	})
	return t, err
}

func partnerRowOf(snap *snapshot.Snapshot, p *registry.Partner) partnerRow {
	row := partnerRow{
		Name:               p.NomeSocio,
		Document:           ptbr.Document(p.CNPJCPFSocio),
		Qualification:      describe(snap, registry.DomainQualificacao, p.QualificacaoSocio),
		Entry:              p.DataEntradaSociedade,
		Country:            describe(snap, registry.DomainPais, p.Pais),
		Representative:     p.NomeRepresentante,
		RepresentativeRole: describe(snap, registry.DomainQualificacao, p.QualificacaoRepresentanteLegal),
	}
	if p.FaixaEtaria != ageNotApplicable {
		row.Age = describe(snap, registry.DomainFaixaEtaria, p.FaixaEtaria)
	}
	if full, err := cnpj.ParseFull(p.CNPJCPFSocio); err == nil {
		row.Company = "/" + full.String()
	} else {
		row.Person = partnerAddress(p)
	}
	return row
}

// establishmentTable is one page of a company's establishments.
type establishmentTable struct {
	Rows   []establishmentRow
	Pager  pager
	Active int // -1 when the company has too many to count them for a page
}

// ActiveText says how many of the establishments are active, "" when that was not counted.
func (t establishmentTable) ActiveText() string {
	if t.Active < 0 {
		return ""
	}
	return ptbr.Counted(t.Active, "ativo", "ativos")
}

// establishmentRow is an establishment in the list of its company.
type establishmentRow struct {
	CNPJ       cnpj.Full
	HeadOffice string
	TradeName  string
	City       string
	Status     status
}

func (s *Site) establishments(ctx context.Context, address *url.URL, snap *snapshot.Snapshot, h *registry.Head, page int) (establishmentTable, error) {
	t := establishmentTable{
		Active: activeIn(h),
		Pager: newPager("Páginas de estabelecimentos", address, "estabelecimentos_pagina", "estabelecimentos", page,
			establishmentsPerPage, int64(h.Establishments)),
	}
	in := registry.Range{From: (page - 1) * establishmentsPerPage, Limit: establishmentsPerPage}
	err := snap.Establishments(ctx, h, in, func(e *registry.Establishment) error {
		t.Rows = append(t.Rows, establishmentRow{
			CNPJ:       e.CNPJ,
			HeadOffice: describe(snap, registry.DomainMatrizFilial, e.IdentificadorMatrizFilial),
			TradeName:  e.NomeFantasia,
			City:       s.address(snap, e).City(),
			Status:     statusOf(snap, e),
		})
		return nil
	})
	return t, err
}

// activeIn counts the active establishments when the head holds all of them, and returns -1 otherwise.
func activeIn(h *registry.Head) int {
	seen, active := 0, 0
	for c := h.FirstEstablishments(); c.Next(); seen++ {
		if c.Establishment.SituacaoCadastral == situacaoAtiva {
			active++
		}
	}
	if seen < h.Establishments {
		return -1
	}
	return active
}
