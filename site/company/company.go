package company

import (
	"context"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/cnpj"
	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/registry"
	"razao/internal/registry/pack"
	"razao/internal/snapshot"
	"razao/internal/territory"
	"razao/site/page"
	"razao/site/records"
	"razao/site/wording"
)

const (
	partnersPerPage       = 50 // what the head of a company holds: no further read for the first page
	establishmentsPerPage = 20
)

// companyPage is the page of one establishment and of the company it belongs to.
type companyPage struct {
	page.Frame
	Name         string
	Where        []page.Crumb // state and municipality
	CNPJ         cnpj.Full
	Root         cnpj.Root
	TradeName    string
	Special      string // special situation, such as a liquidation; "" for most
	SpecialSince record.Date
	Opened       record.Date
	Company      record.Company
	HasCompany   bool // false: the release has no row of the company itself
	HeadOffice   string
	Status       wording.Status
	Natureza     string
	Porte        string
	MainActivity wording.Activity
	Activities   []wording.Activity // secondary
	Address      wording.Address
	Phones       []string
	Fax          string
	Email        string
	Private      bool // of an individual entrepreneur: contact and street are not shown
	Hidden       bool // contact and street are hidden on request
	CanAsk       bool // to have them hidden
	Simples, MEI regime
	Citation     string
	Partners     partnerTable
	NoPartners   string       // why there are none, in words
	Holdings     holdingTable // what it owns
	Branches     establishmentTable
	AsPublished  []rawField // what the page writes in other letters
	Source       registry.Load
	Records      *records.Section
	Changes      changes     // since the load before
	Structured   *structured // nil for a private one
}

func (*companyPage) Template() string { return "company" }

// TwinURL is the address of the same page in Markdown.
func (p *companyPage) TwinURL() string { return "/" + p.CNPJ.String() + markdownSuffix }

// regime is the state of an option: for the Simples Nacional or for MEI.
type regime struct {
	Published bool // false: there is no row, the company never opted
	In        record.Flag
	From, To  record.Date
}

// company answers /{cnpj}.
func (rm *Room) company(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	p, moved, err := rm.companyAsked(c, snap, "")
	if err != nil || p == nil {
		return moved, err
	}
	return page.Reply{Page: p}, nil
}

// companyAsked reads the company that an address asks for, whose number is followed by suffix. Addresses that are not
// canonical come back as a redirection, without a page.
func (rm *Room) companyAsked(c *gin.Context, snap *snapshot.Snapshot, suffix string) (*companyPage, page.Reply, error) {
	full, moved, err := rm.addressed(c, snap, suffix)
	if err != nil || moved.Location != "" {
		return nil, moved, err
	}
	r, err := readRequest(c, full)
	if err != nil {
		return nil, page.Reply{}, err
	}
	if r.branches, err = rm.readEstablishmentFilter(c, snap); err != nil {
		return nil, page.Reply{}, err
	}
	p, err := rm.read(c.Request.Context(), snap, r)
	return p, page.Reply{}, err
}

// read makes the page of a company, section by section.
func (rm *Room) read(ctx context.Context, snap *snapshot.Snapshot, r *request) (*companyPage, error) {
	head, err := snap.Company(ctx, r.full.Root())
	if err != nil {
		return nil, page.Missing(r.full.String(), err)
	}
	establishment, err := snap.Establishment(ctx, &head, r.full.Order())
	if err != nil {
		return nil, page.Missing(r.full.String(), err)
	}
	p := rm.companyPage(snap, &head, establishment)
	p.Partners.Pager = r.pager("Páginas de sócios", "socios", partnersPerPage, head.Partners)
	if p.Partners.Rows, err = partners(ctx, snap, &head, r.part("socios", partnersPerPage)); err != nil {
		return nil, err
	}
	p.Holdings = rm.holdings(ctx, snap, r)
	if p.Branches, err = rm.establishments(ctx, snap, &head, r); err != nil {
		return nil, err
	}
	p.NoPartners = noPartners(&head, &establishment)
	if err := rm.readRecords(ctx, snap, &head, p, r); err != nil {
		return nil, err
	}
	p.Changes = rm.changes(ctx, snap, &head, r.full)
	return p, nil
}

// companyPage fills the page but for its two tables.
func (rm *Room) companyPage(snap *snapshot.Snapshot, h *pack.Head, e record.Establishment) *companyPage {
	p := &companyPage{
		Name: wording.NameOf(h, &e), CNPJ: e.CNPJ, Root: h.Root, TradeName: ptbr.Company(e.NomeFantasia), Company: h.Company, HasCompany: h.HasCompany,
		HeadOffice: wording.Describe(snap, record.DomainMatrizFilial, e.IdentificadorMatrizFilial),
		Status:     wording.StatusOf(snap, &e),
		Porte:      wording.Describe(snap, record.DomainPorte, h.Company.PorteEmpresa),
		Natureza:   ptbr.Join(" ", ptbr.Natureza(h.Company.NaturezaJuridica), wording.Describe(snap, record.DomainNatureza, h.Company.NaturezaJuridica)),
		Special:    ptbr.Value(e.SituacaoEspecial), SpecialSince: e.DataSituacaoEspecial, Opened: e.DataInicioAtividade,
		Activities: secondaryActivities(snap, &e),
		Address:    wording.AddressOf(rm.atlas, snap, &e),
		Where:      rm.where(e.UF, e.Municipio),
		Phones:     wording.PhonesOf(&e),
		Fax:        ptbr.Phone(e.DDDFax, e.Fax),
		Email:      ptbr.Email(e.CorreioEletronico),
		Private:    h.Individual(),
		Hidden:     h.ContactHidden(e.CNPJ.Order()),
		Simples:    simplesOf(h),
		MEI:        meiOf(h),
		Source:     snap.Load,

		AsPublished: asPublished(h, &e),
	}
	p.Company.EnteFederativoResponsavel = ptbr.Street(p.Company.EnteFederativoResponsavel)
	if e.CNAEFiscalPrincipal != "" {
		p.MainActivity = wording.ActivityOf(snap, e.CNAEFiscalPrincipal)
	}
	p.CanAsk = rm.canAsk && (p.Address.Street != "" || p.Email != "" || len(p.Phones) > 0 || p.Fax != "")
	p.NoIndex = p.Private
	p.Title = p.Name + " · " + p.CNPJ.Masked()
	p.Canonical = "/" + p.CNPJ.String()
	p.Description = ptbr.Join(". ", p.Name+", CNPJ "+p.CNPJ.Masked(), p.Status.String(), p.Address.City(), p.MainActivity.Text) +
		". Dados abertos da Receita Federal, competência " + ptbr.Month(snap.Load.Period) + "."
	p.Citation = p.citation(rm.pages.BaseURL)
	if !p.Private {
		p.Structured = rm.structured(p, &e)
	}
	return p
}

func secondaryActivities(snap *snapshot.Snapshot, e *record.Establishment) []wording.Activity {
	var all []wording.Activity
	for code := range strings.SplitSeq(e.CNAEFiscalSecundaria, ",") {
		if code != "" {
			all = append(all, wording.ActivityOf(snap, code))
		}
	}
	return all
}

// where returns the state and the municipality of an address as steps on the way to it, with links to their listings.
func (rm *Room) where(uf, municipio string) []page.Crumb {
	var steps []page.Crumb
	if state, ok := rm.atlas.UF(uf); ok {
		steps = append(steps, page.Crumb{Text: state.Name, URL: page.StatePath(state.Code)})
	}
	if m, ok := rm.atlas.ByRFB(municipio); ok && m.UF == uf && m.UF != territory.Abroad {
		steps = append(steps, page.Crumb{Text: m.Name, URL: page.MunicipalityPath(m)})
	}
	return steps
}
