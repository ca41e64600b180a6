package company

import (
	"context"
	"strings"

	"razao/index"
	"razao/internal/cnpj"
	"razao/internal/record"
	"razao/internal/registry"
	"razao/internal/registry/pack"
	"razao/internal/snapshot"
	"razao/internal/web"
	"razao/site/page"
	"razao/site/wording"
)

const holdingsPerPage = 20

// holdingTable is one page of the companies that have a company among their partners.
type holdingTable struct {
	Rows   []holdingRow
	Pager  page.Pager
	Failed bool // they could not be looked for
}

// holdingRow is a company that belongs to another one.
type holdingRow struct {
	CNPJ   cnpj.Full
	Name   string
	Roles  []string // as what the other one belongs to it, with dates
	City   string
	Status wording.Status
}

// holdings finds the companies that have a company among their partners, the most important first. The page is whole
// without them.
func (rm *Room) holdings(ctx context.Context, snap *snapshot.Snapshot, r *request) holdingTable {
	of := r.full.Root()
	found, err := findHoldings(ctx, snap, of, r.holdings)
	var rows []holdingRow
	if err == nil {
		rows, err = rm.holdingRows(ctx, snap, of, found.Hits)
	}
	if err != nil {
		web.EventOf(ctx).Fail(err)
		return holdingTable{Failed: true}
	}
	t := holdingTable{Rows: rows, Pager: r.pager("Páginas de participações", "participacoes", r.holdings, holdingsPerPage, found.Total)}
	t.Pager.Floor = found.TotalIsFloor
	return t
}

// findHoldings looks for one page of the companies that have of among their partners. Each is found once, by its head office.
func findHoldings(ctx context.Context, snap *snapshot.Snapshot, of cnpj.Root, number int) (index.Results, error) {
	return snap.Index.Search(ctx, index.Query{
		Filters: index.Filters{PartnerRoot: of.String(), HeadOffice: index.Yes}, Offset: (number - 1) * holdingsPerPage, Limit: holdingsPerPage,
	})
}

// holdingRows reads the companies that were found.
func (rm *Room) holdingRows(ctx context.Context, snap *snapshot.Snapshot, of cnpj.Root, hits []index.Hit) ([]holdingRow, error) {
	offices := map[cnpj.Root]cnpj.Full{}
	roots := make([]cnpj.Root, len(hits))
	for i, hit := range hits {
		roots[i] = hit.CNPJ.Root()
		offices[roots[i]] = hit.CNPJ
	}
	heads, err := snap.Heads(ctx, roots)
	if err != nil {
		return nil, err
	}
	var rows []holdingRow
	for i := range heads {
		row, err := rm.holdingRow(ctx, snap, &heads[i], offices[heads[i].Root], of)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func (rm *Room) holdingRow(ctx context.Context, snap *snapshot.Snapshot, h *pack.Head, office cnpj.Full, of cnpj.Root) (holdingRow, error) {
	e, err := snap.Establishment(ctx, h, office.Order())
	if err != nil {
		return holdingRow{}, err
	}
	row := holdingRow{CNPJ: office, Name: wording.NameOf(h, &e), City: wording.AddressOf(rm.atlas, snap, &e).City(), Status: wording.StatusOf(snap, &e)}
	err = snap.Partners(ctx, h, registry.Range{Limit: h.Partners}, func(p *record.Partner) error {
		if strings.HasPrefix(p.CNPJCPFSocio, of.String()) {
			row.Roles = append(row.Roles, wording.RoleOf(snap, p))
		}
		return nil
	})
	return row, err
}
