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

// establishmentTable is one page of a company's establishments.
type establishmentTable struct {
	Rows   []establishmentRow
	Pager  page.Pager
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
	Status     wording.Status
}

// establishments returns one page of the establishments of a company.
func (rm *Room) establishments(ctx context.Context, snap *snapshot.Snapshot, h *pack.Head, in registry.Range) ([]establishmentRow, error) {
	var rows []establishmentRow
	err := snap.Establishments(ctx, h, in, func(e *record.Establishment) error {
		rows = append(rows, establishmentRow{
			CNPJ:       e.CNPJ,
			HeadOffice: wording.Describe(snap, record.DomainMatrizFilial, e.IdentificadorMatrizFilial),
			TradeName:  ptbr.Company(e.NomeFantasia),
			City:       wording.AddressOf(rm.atlas, snap, e).City(),
			Status:     wording.StatusOf(snap, e),
		})
		return nil
	})
	return rows, err
}

// activeIn counts the active establishments when the head holds all of them, and returns -1 otherwise.
func activeIn(h *pack.Head) int {
	seen, active := 0, 0
	for c := h.FirstEstablishments(); c.Next(); seen++ {
		if c.Establishment.Active() {
			active++
		}
	}
	if seen < h.Establishments {
		return -1
	}
	return active
}
