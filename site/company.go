package site

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/cnpj"
	"razao/internal/ptbr"
	"razao/internal/registry"
	"razao/internal/snapshot"
)

const (
	partnersPerPage       = 50 // what the head of a company holds: no further read for the first page
	establishmentsPerPage = 20
)

// Codes of the tax authority that decide something here.
const (
	isHeadOffice     = "1"
	situacaoNula     = "01"
	situacaoAtiva    = "02"
	situacaoBaixada  = "08"
	motivoNone       = "00"
	ageNotApplicable = "0"
)

// companyPage is the page of one establishment and of the company it belongs to.
type companyPage struct {
	frame
	Name         string
	Where        []crumb // state and municipality
	CNPJ         cnpj.Full
	Root         cnpj.Root
	TradeName    string
	Special      string // special situation, such as a liquidation; "" for most
	SpecialSince registry.Date
	Opened       registry.Date
	Company      registry.Company
	HasCompany   bool // false: the release has no row of the company itself
	HeadOffice   string
	Status       status
	Natureza     string
	Porte        string
	MainActivity activity
	Activities   []activity // secondary
	Address      address
	Phones       []string
	Fax          string
	Email        string
	Private      bool // of an individual entrepreneur: contacts and street stay hidden
	Hidden       bool // contact and street are hidden on request
	CanAsk       bool // to have them hidden
	Simples, MEI regime
	Partners     partnerTable
	Holdings     holdingTable // what it owns
	Branches     establishmentTable
	Source       provenance
	Themes       []theme // of the public records
	Timeline     []event
	Changes      changes     // since the load before
	Structured   *structured // nil for a private one
}

func (*companyPage) template() string { return "company" }

// TwinURL is the address of the same page in Markdown.
func (p *companyPage) TwinURL() string { return "/" + p.CNPJ.String() + markdownSuffix }

// WithRecords returns the cards of the sources that have records.
func (p *companyPage) WithRecords() []card {
	var found []card
	for _, t := range p.Themes {
		for _, c := range t.Cards {
			if c.Found() {
				found = append(found, c)
			}
		}
	}
	return found
}

// activity is a CNAE code and its description.
type activity struct {
	Code, Text string
	URL        string // of the companies that have it as their main one; "" for a code that cannot be listed
}

// regime is the state of an option: for the Simples Nacional or for MEI.
type regime struct {
	Published bool // false: there is no row, the company never opted
	In        registry.Flag
	From, To  registry.Date
}

// Yes says that the option is in force.
func (r regime) Yes() bool { return r.In == registry.Yes }

// No says that it is not.
func (r regime) No() bool { return r.In == registry.No }

// company answers /{cnpj}.
func (s *Site) company(c *gin.Context, snap *snapshot.Snapshot) (reply, error) {
	p, moved, err := s.companyAsked(c, snap, "")
	if err != nil || p == nil {
		return moved, err
	}
	return reply{page: p}, nil
}

// companyAsked reads the company that an address asks for, whose number is followed by suffix. Addresses that are not
// canonical come back as a redirection, without a page.
func (s *Site) companyAsked(c *gin.Context, snap *snapshot.Snapshot, suffix string) (*companyPage, reply, error) {
	full, moved, err := s.addressed(c, snap, suffix)
	if err != nil || moved.location != "" {
		return nil, moved, err
	}
	partnersPage, err := pageNumber(c, "socios_pagina")
	if err != nil {
		return nil, reply{}, err
	}
	branchesPage, err := pageNumber(c, "estabelecimentos_pagina")
	if err != nil {
		return nil, reply{}, err
	}
	holdingsPage, err := pageNumber(c, "participacoes_pagina")
	if err != nil {
		return nil, reply{}, err
	}
	recordPages, err := sourcePageNumbers(c)
	if err != nil {
		return nil, reply{}, err
	}
	ctx := c.Request.Context()
	head, err := snap.Head(ctx, full.Root())
	if err != nil {
		return nil, reply{}, missing(full.String(), err)
	}
	establishment, err := snap.Establishment(ctx, &head, full.Order())
	if err != nil {
		return nil, reply{}, missing(full.String(), err)
	}
	p := s.companyPage(snap, &head, establishment)
	if p.Partners, err = partners(ctx, c.Request.URL, snap, &head, partnersPage); err != nil {
		return nil, reply{}, err
	}
	p.Holdings = s.holdings(ctx, c.Request.URL, snap, head.Root, holdingsPage)
	if p.Branches, err = s.establishments(ctx, c.Request.URL, snap, &head, branchesPage); err != nil {
		return nil, reply{}, err
	}
	order := full.Order()
	records, err := publicRecords(ctx, c.Request.URL, snap, registry.Document{Root: head.Root, Order: &order}, recordPages)
	if err != nil {
		return nil, reply{}, err
	}
	p.Themes = view{s.now(), p.Private || p.Hidden}.themes(c.Request.URL, full.String(), records, recordPages)
	p.Timeline = timeline(p, records, s.now())
	p.Changes = s.changes(ctx, snap, &head, full)
	return p, reply{}, nil
}

// addressed reads the number in the path, which suffix follows. Numbers that are not written in the canonical form, and
// roots, come back as a redirection.
func (s *Site) addressed(c *gin.Context, snap *snapshot.Snapshot, suffix string) (cnpj.Full, reply, error) {
	given := strings.TrimSuffix(c.Param("cnpj"), suffix)
	root, full, err := numberOf(given)
	switch {
	case err != nil:
		return 0, reply{}, err
	case full == 0:
		office, err := headOffice(c.Request.Context(), snap, root)
		if err != nil {
			return 0, reply{}, missing(root.String(), err)
		}
		return 0, reply{status: http.StatusFound, location: withQuery(c, office, suffix)}, nil
	case given != full.String():
		return 0, reply{status: http.StatusMovedPermanently, location: withQuery(c, full, suffix)}, nil
	}
	return full, reply{}, nil
}

// numberOf reads the CNPJ of a path, masked or not: 14 positions, or the 8 of a company, for which full is 0.
func numberOf(given string) (root cnpj.Root, full cnpj.Full, err error) {
	text := cnpj.Unmask(given)
	if digits, ok := countDigits(text); !ok || digits == 0 { // words may have 8 or 14 letters too
		return 0, 0, errUnknownPath
	}
	switch len(text) {
	case 14:
		if full, err = cnpj.ParseFull(text); err != nil {
			return 0, 0, missing(text, err)
		}
		return full.Root(), full, nil
	case 8:
		if root, err = cnpj.ParseRoot(text); err != nil {
			return 0, 0, missing(text, err)
		}
		return root, 0, nil
	}
	return 0, 0, errUnknownPath
}

// countDigits returns how many digits a text of letters and digits has, false when there is anything else in it.
func countDigits(text string) (digits int, ok bool) {
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case (r < 'A' || r > 'Z') && (r < 'a' || r > 'z'):
			return 0, false
		}
	}
	return digits, true
}

// withQuery returns the address of a company's page with the query of the present one.
func withQuery(c *gin.Context, full cnpj.Full, suffix string) string {
	if c.Request.URL.RawQuery == "" {
		return "/" + full.String() + suffix
	}
	return "/" + full.String() + suffix + "?" + c.Request.URL.RawQuery
}

// missing marks an error that means that there is no such number; others stay what they are.
func missing(text string, err error) error {
	if errors.Is(err, cnpj.ErrInvalid) || registry.IsAbsent(err) || errors.Is(err, errNoEstablishment) {
		return &unknownCNPJ{text: text, err: err}
	}
	return err
}

var (
	errFound           = errors.New("found") // ends a walk that has what it looked for
	errNoEstablishment = errors.New("the company has no establishment")
)

// headOffice returns the establishment that says it is the head office, else the first one.
func headOffice(ctx context.Context, snap *snapshot.Snapshot, root cnpj.Root) (cnpj.Full, error) {
	head, err := snap.Head(ctx, root)
	if err != nil {
		return 0, err
	}
	if head.Establishments == 0 {
		return 0, errNoEstablishment
	}
	var office cnpj.Full
	first := true
	err = snap.Establishments(ctx, &head, registry.Range{Limit: head.Establishments}, func(e *registry.Establishment) error {
		if e.IdentificadorMatrizFilial == isHeadOffice {
			office = e.CNPJ
			return errFound
		}
		if first {
			office, first = e.CNPJ, false
		}
		return nil
	})
	if err != nil && !errors.Is(err, errFound) {
		return 0, err
	}
	return office, nil
}

// isPrivate says whether the contacts and the street of a company are those of a natural person.
func isPrivate(h *registry.Head) bool {
	return registry.IsIndividual(&h.Company, &h.Simples)
}

// companyPage fills the page but for its two tables.
func (s *Site) companyPage(snap *snapshot.Snapshot, h *registry.Head, e registry.Establishment) *companyPage {
	p := &companyPage{
		Name: nameOf(h, &e), CNPJ: e.CNPJ, Root: h.Root, TradeName: e.NomeFantasia, Company: h.Company, HasCompany: h.HasCompany,
		HeadOffice: describe(snap, registry.DomainMatrizFilial, e.IdentificadorMatrizFilial),
		Status:     statusOf(snap, &e),
		Porte:      describe(snap, registry.DomainPorte, h.Company.PorteEmpresa),
		Natureza:   ptbr.Join(" ", ptbr.Natureza(h.Company.NaturezaJuridica), describe(snap, registry.DomainNatureza, h.Company.NaturezaJuridica)),
		Special:    e.SituacaoEspecial, SpecialSince: e.DataSituacaoEspecial, Opened: e.DataInicioAtividade,
		Activities: secondaryActivities(snap, &e),
		Address:    s.address(snap, &e),
		Where:      s.where(e.UF, e.Municipio),
		Private:    isPrivate(h),
		Hidden:     h.ContactHidden(e.CNPJ.Order()),
		Simples:    simplesOf(h),
		MEI:        meiOf(h),
		Source:     provenanceOf(&snap.Load),
	}
	if e.CNAEFiscalPrincipal != "" {
		p.MainActivity = activityOf(snap, e.CNAEFiscalPrincipal)
	}
	if p.Private {
		p.Address = p.Address.withoutStreet()
	} else {
		p.Email, p.Phones, p.Fax = e.CorreioEletronico, phonesOf(&e), ptbr.Phone(e.DDDFax, e.Fax)
	}
	p.CanAsk = s.Contacts != nil && (p.Address.Street != "" || p.Email != "" || len(p.Phones) > 0 || p.Fax != "")
	p.NoIndex = p.Private
	p.Title = p.Name + " · " + p.CNPJ.Masked()
	p.Canonical = "/" + p.CNPJ.String()
	p.Description = ptbr.Join(". ", p.Name+", CNPJ "+p.CNPJ.Masked(), p.Status.String(), p.Address.City(), p.MainActivity.Text) +
		". Dados abertos da Receita Federal, competência " + ptbr.Month(snap.Load.Period) + "."
	if !p.Private {
		p.Structured = s.structured(p, &e)
	}
	return p
}

// nameOf returns the name of an establishment's company. Without one, the trade name or the number must serve.
func nameOf(h *registry.Head, e *registry.Establishment) string {
	switch {
	case h.Company.RazaoSocial != "":
		return h.Company.RazaoSocial
	case e.NomeFantasia != "":
		return e.NomeFantasia
	}
	return "CNPJ " + e.CNPJ.Masked()
}

// describe returns the description of a code; a code that no table knows stands for itself.
func describe(snap *snapshot.Snapshot, kind registry.Domain, code string) string {
	text, ok := snap.Domains.Describe(kind, code)
	if !ok && code != "" {
		return "código " + code
	}
	return text
}

func activityOf(snap *snapshot.Snapshot, code string) activity {
	text, known := snap.Domains.Describe(registry.DomainCNAE, code)
	a := activity{Code: ptbr.CNAE(code), Text: text}
	if known {
		a.URL = "/empresas?cnae=" + code
	}
	return a
}

func secondaryActivities(snap *snapshot.Snapshot, e *registry.Establishment) []activity {
	var all []activity
	for code := range strings.SplitSeq(e.CNAEFiscalSecundaria, ",") {
		if code != "" {
			all = append(all, activityOf(snap, code))
		}
	}
	return all
}

func phonesOf(e *registry.Establishment) []string {
	first, second := ptbr.Phone(e.DDD1, e.Telefone1), ptbr.Phone(e.DDD2, e.Telefone2)
	var phones []string
	if first != "" {
		phones = append(phones, first)
	}
	if second != "" && second != first {
		phones = append(phones, second)
	}
	return phones
}
