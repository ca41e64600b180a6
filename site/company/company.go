package company

import (
	"context"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/territory"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/site/page"
	"razao/site/records"
)

// Page sizes of the lists.
const (
	partnersPerPage       = 50 // a company's head row holds the first fifty: page 1 needs no further read
	establishmentsPerPage = 20
)

// companyPage is the view model of an establishment and its company, for company.templ and
// company.md. Texts are written as people read them, and "" when nothing was published; the
// templates decide what to say instead.
type companyPage struct {
	page.Frame
	Name          string
	Where         []page.Crumb // state and municipality, with links to their listings
	CNPJ          cnpj.Full
	Root          cnpj.Root
	TradeName     string
	Special       string // special situation, such as a liquidation; "" for most
	SpecialSince  record.Date
	Opened        record.Date
	Company       record.Company
	HasCompany    bool // false: the release has the establishment but no Empresas row for its root
	HeadOffice    string
	Status        wording.Status
	Natureza      string
	Porte         string
	MainActivity  wording.Activity
	Activities    []wording.Activity // secondary ones, as published
	Address       wording.Address
	Phones        []string
	Fax           string
	Email         string
	Private       bool // natural person in business: no street, no contact, noindex
	Hidden        bool // contact and street are hidden on request
	CanAsk        bool // there is a contact or street, and visitors may request that it be hidden
	Simples, MEI  wording.Regime
	Citation      string
	Partners      partnerTable
	FirstPartners []partnerRow // those of the summary
	NoPartners    string       // why the list of partners is empty; "" when it is not
	Holdings      holdingTable // companies that have this one among their partners
	Branches      establishmentTable
	AsPublished   []rawField    // free text before it was put into title case
	Source        registry.Load // of the company registry
	Records       *records.Section
	Changes       changesSection
	Structured    *structuredData // JSON-LD; nil when Private
}

// TwinURL returns the path of the Markdown version.
func (p *companyPage) TwinURL() string { return "/" + p.CNPJ.String() + markdownSuffix }

// company answers /{cnpj}.
func (hs *Handlers) company(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	p, moved, err := hs.companyAsked(c, snap, "")
	if err != nil || p == nil {
		return moved, err
	}
	return page.Reply{Page: p}, nil
}

// companyAsked reads the company that the path names; suffix follows the CNPJ in the path ("" or
// markdownSuffix). A path that is not canonical returns a redirect and a nil page.
func (hs *Handlers) companyAsked(c *gin.Context, snap *snapshot.Snapshot, suffix string) (*companyPage, page.Reply, error) {
	full, moved, err := hs.addressed(c, snap, suffix)
	if err != nil || moved.Location != "" {
		return nil, moved, err
	}
	r, err := readRequest(c, full)
	if err != nil {
		return nil, page.Reply{}, err
	}
	if r.branches, err = hs.readEstablishmentFilter(c, snap); err != nil {
		return nil, page.Reply{}, err
	}
	p, err := hs.read(c.Request.Context(), snap, r)
	return p, page.Reply{}, err
}

// read builds the page, with one query of the snapshot per section.
func (hs *Handlers) read(ctx context.Context, snap *snapshot.Snapshot, r *request) (*companyPage, error) {
	head, err := snap.Company(ctx, r.full.Root())
	if err != nil {
		return nil, page.Missing(r.full.String(), err)
	}
	establishment, err := snap.Establishment(ctx, &head, r.full.Order())
	if err != nil {
		return nil, page.Missing(r.full.String(), err)
	}
	p := hs.companyPage(snap, &head, establishment)
	p.Partners.Pager = r.pager("Páginas de sócios", "socios", partnersPerPage, head.Partners)
	if p.Partners.Rows, err = partners(ctx, snap, &head, r.part("socios", partnersPerPage)); err != nil {
		return nil, err
	}
	p.Holdings = hs.holdings(ctx, snap, r) // optional: it shows its own failure
	if p.Branches, err = hs.establishments(ctx, snap, &head, r); err != nil {
		return nil, err
	}
	if gap := snap.Load.Gap(change.Partners); gap != "" && head.Partners == 0 && !head.Individual() {
		p.NoPartners = "Não se sabe quem são os sócios: a publicação desta competência foi lida sem " + gap + "."
	} else if head.Partners == 0 {
		p.NoPartners = noPartners(&head, &establishment)
	}
	if err := hs.readRecords(ctx, snap, &head, p, r); err != nil {
		return nil, err
	}
	p.Changes = hs.changes(ctx, snap, &head, &establishment, r) // optional, too
	return p, nil
}

// companyPage fills in everything that follows from the head row and the establishment; it reads
// nothing. The sections with lists are left to read.
func (hs *Handlers) companyPage(snap *snapshot.Snapshot, h *pack.Head, e record.Establishment) *companyPage {
	p := &companyPage{
		Name: wording.NameOf(h, &e), CNPJ: e.CNPJ, Root: h.Root, TradeName: ptbr.Company(e.NomeFantasia), Company: h.Company, HasCompany: h.HasCompany,
		HeadOffice: wording.Describe(snap, record.DomainMatrizFilial, e.IdentificadorMatrizFilial),
		Status:     wording.StatusOf(snap, &e),
		Porte:      wording.Describe(snap, record.DomainPorte, h.Company.PorteEmpresa),
		Natureza:   ptbr.Join(" ", ptbr.Natureza(h.Company.NaturezaJuridica), wording.Describe(snap, record.DomainNatureza, h.Company.NaturezaJuridica)),
		Special:    ptbr.Value(e.SituacaoEspecial), SpecialSince: e.DataSituacaoEspecial, Opened: e.DataInicioAtividade,
		Activities: secondaryActivities(snap, &e),
		Address:    wording.AddressOf(hs.atlas, snap, &e),
		Where:      hs.where(e.UF, e.Municipio),
		Phones:     wording.PhonesOf(&e),
		Fax:        ptbr.Phone(e.DDDFax, e.Fax),
		Email:      ptbr.Email(e.CorreioEletronico),
		Private:    h.Individual(),
		Hidden:     h.ContactHidden(e.CNPJ.Order()),
		Simples:    wording.SimplesOf(snap, h),
		MEI:        wording.MEIOf(snap, h),
		Source:     snap.Load,

		AsPublished: asPublished(h, &e),
	}
	p.Company.EnteFederativoResponsavel = ptbr.Street(p.Company.EnteFederativoResponsavel)
	if e.CNAEFiscalPrincipal != "" {
		p.MainActivity = wording.ActivityOf(snap, e.CNAEFiscalPrincipal)
	}
	p.CanAsk = hs.canAsk && (p.Address.Street != "" || p.Email != "" || len(p.Phones) > 0 || p.Fax != "")
	p.NoIndex, p.Script = p.Private, page.Script("copy.js")
	p.Title = p.Name + " · " + p.CNPJ.Masked()
	p.Canonical = "/" + p.CNPJ.String()
	p.Description = ptbr.Join(". ", p.Name+", CNPJ "+p.CNPJ.Masked(), p.Status.String(), p.Address.City(), p.MainActivity.Text) +
		". Dados abertos da Receita Federal, competência " + ptbr.Month(snap.Load.Period) + "."
	p.Citation = p.citation(hs.pages.BaseURL)
	if !p.Private {
		p.Structured = hs.structured(p, &e)
	}
	return p
}

// secondaryActivities parses the comma-separated CNAE codes of the secondary activities.
func secondaryActivities(snap *snapshot.Snapshot, e *record.Establishment) []wording.Activity {
	var all []wording.Activity
	for code := range strings.SplitSeq(e.CNAEFiscalSecundaria, ",") {
		if code != "" {
			all = append(all, wording.ActivityOf(snap, code))
		}
	}
	return all
}

// where returns breadcrumbs for the state and municipality of an address, with links to their
// listings. It omits a code that the atlas lacks, a municipality that belongs to another state, and
// cities abroad, which share one listing.
func (hs *Handlers) where(uf, municipio string) []page.Crumb {
	var steps []page.Crumb
	if state, ok := hs.atlas.UF(uf); ok {
		steps = append(steps, page.Crumb{Text: state.Name, URL: page.StatePath(state.Code)})
	}
	if m, ok := hs.atlas.ByRFB(municipio); ok && m.UF == uf && m.UF != territory.Abroad {
		steps = append(steps, page.Crumb{Text: m.Name, URL: page.MunicipalityPath(m)})
	}
	return steps
}
