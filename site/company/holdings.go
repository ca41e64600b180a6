package company

import (
	"context"

	"razao/internal/cnpj"
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
	found, total, floor, err := snap.Holdings(ctx, r.full.Root(), r.part("participacoes", holdingsPerPage))
	if err != nil {
		web.EventOf(ctx).Fail(err)
		return holdingTable{Failed: true}
	}
	t := holdingTable{Pager: r.pager("Páginas de participações", "participacoes", holdingsPerPage, total)}
	t.Pager.Floor = floor
	for i := range found {
		t.Rows = append(t.Rows, rm.holdingRow(snap, &found[i]))
	}
	return t
}

func (rm *Room) holdingRow(snap *snapshot.Snapshot, p *snapshot.Partnership) holdingRow {
	row := holdingRow{
		CNPJ: p.Office.CNPJ, Name: wording.NameOf(p.Head, &p.Office), City: wording.AddressOf(rm.atlas, snap, &p.Office).City(), Status: wording.StatusOf(snap, &p.Office),
	}
	for i := range p.Partners {
		row.Roles = append(row.Roles, wording.RoleOf(snap, &p.Partners[i]))
	}
	return row
}
