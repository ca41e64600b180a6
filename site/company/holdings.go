package company

import (
	"context"

	"razao/internal/data/cnpj"
	"razao/internal/store/networks"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/internal/web"
	"razao/site/page"
)

const holdingsPerPage = 20

// holdingTable is one page of the companies that have this one among their partners.
type holdingTable struct {
	Rows   []holdingRow
	Pager  page.Pager
	Failed bool // the search failed; says nothing about the company
}

// holdingRow is a company owned, fully or in part.
type holdingRow struct {
	CNPJ   cnpj.Full
	Name   string
	Roles  []string // qualification and entry date of each partnership
	City   string
	Status wording.Status
}

// holdings finds the companies that have this one, in any of its establishments, among their
// partners, in rank order. It needs the search index. An error is logged and shown as Failed; it
// does not fail the page.
func (hs *Handlers) holdings(ctx context.Context, snap *snapshot.Snapshot, r *request) holdingTable {
	found, total, floor, err := networks.Holdings(ctx, snap, r.full.Root(), r.part("participacoes", holdingsPerPage))
	if err != nil {
		web.EventOf(ctx).Fail(err)
		return holdingTable{Failed: true}
	}
	t := holdingTable{Pager: r.pager("Páginas de participações", "participacoes", holdingsPerPage, total)}
	t.Pager.Floor = floor
	for i := range found {
		t.Rows = append(t.Rows, hs.holdingRow(snap, &found[i]))
	}
	return t
}

func (hs *Handlers) holdingRow(snap *snapshot.Snapshot, p *networks.Partnership) holdingRow {
	row := holdingRow{
		CNPJ: p.Office.CNPJ, Name: wording.NameOf(p.Head, &p.Office), City: wording.CityOf(hs.atlas, snap, &p.Office), Status: wording.StatusOf(snap, &p.Office),
	}
	for i := range p.Partners {
		row.Roles = append(row.Roles, wording.RoleOf(snap, &p.Partners[i]))
	}
	return row
}
