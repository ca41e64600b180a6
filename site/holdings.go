package site

import (
	"context"
	"net/url"
	"strings"

	"razao/index"
	"razao/internal/cnpj"
	"razao/internal/ptbr"
	"razao/internal/registry"
	"razao/internal/snapshot"
	"razao/internal/web"
)

const holdingsPerPage = 20

// holdingTable is one page of the companies that have a company among their partners.
type holdingTable struct {
	Rows   []holdingRow
	Pager  pager
	Failed bool // they could not be looked for
}

// holdingRow is a company that belongs to another one.
type holdingRow struct {
	CNPJ   cnpj.Full
	Name   string
	Roles  []string // as what the other one belongs to it, with dates
	City   string
	Status status
}

// holdings finds the companies that have a company among their partners, the most important first. The page is whole
// without them.
func (s *Site) holdings(ctx context.Context, address *url.URL, snap *snapshot.Snapshot, of cnpj.Root, page int) holdingTable {
	t, err := s.findHoldings(ctx, address, snap, of, page)
	if err != nil {
		web.EventOf(ctx).Fail(err)
		return holdingTable{Failed: true}
	}
	return t
}

func (s *Site) findHoldings(ctx context.Context, address *url.URL, snap *snapshot.Snapshot, of cnpj.Root, page int) (holdingTable, error) {
	found, err := snap.Index.Search(ctx, index.Query{
		// A company is listed once, by its head office.
		Filters: index.Filters{PartnerRoot: of.String(), HeadOffice: index.Yes}, Offset: (page - 1) * holdingsPerPage, Limit: holdingsPerPage,
	})
	if err != nil {
		return holdingTable{}, err
	}
	t := holdingTable{Pager: newPager("Páginas de participações", address, "participacoes_pagina", "participacoes", page, holdingsPerPage, int64(found.Total))}
	t.Pager.Floor = found.TotalIsFloor
	offices := map[cnpj.Root]cnpj.Full{}
	roots := make([]cnpj.Root, len(found.Hits))
	for i, hit := range found.Hits {
		roots[i] = hit.CNPJ.Root()
		offices[roots[i]] = hit.CNPJ
	}
	heads, err := snap.Heads(ctx, roots)
	if err != nil {
		return holdingTable{}, err
	}
	for i := range heads {
		row, err := s.holdingRow(ctx, snap, &heads[i], offices[heads[i].Root], of)
		if err != nil {
			return holdingTable{}, err
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

func (s *Site) holdingRow(ctx context.Context, snap *snapshot.Snapshot, h *registry.Head, office cnpj.Full, of cnpj.Root) (holdingRow, error) {
	e, err := snap.Establishment(ctx, h, office.Order())
	if err != nil {
		return holdingRow{}, err
	}
	row := holdingRow{CNPJ: office, Name: nameOf(h, &e), City: s.address(snap, &e).City(), Status: statusOf(snap, &e)}
	err = snap.Partners(ctx, h, registry.Range{Limit: h.Partners}, func(p *registry.Partner) error {
		if strings.HasPrefix(p.CNPJCPFSocio, of.String()) {
			row.Roles = append(row.Roles, roleOf(snap, p))
		}
		return nil
	})
	return row, err
}

// roleOf says as what a partner belongs to a company: Sócio desde 02/08/2019.
func roleOf(snap *snapshot.Snapshot, p *registry.Partner) string {
	role := describe(snap, registry.DomainQualificacao, p.QualificacaoSocio)
	if entry := ptbr.Date(p.DataEntradaSociedade.Time()); entry != "" {
		role += " desde " + entry
	}
	return role
}
