package company

import (
	"context"
	"errors"
	"slices"
	"strings"

	"razao/internal/cnpj"
	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/registry"
	"razao/internal/registry/pack"
	"razao/internal/snapshot"
	"razao/internal/territory"
	"razao/internal/web"
	"razao/site/wording"
)

// partnerChangesShown is how many changes among the partners a page names.
const partnerChangesShown = 30

// changes is what a page says of how the records of its company came to be as they are.
type changes struct {
	Failed  bool   // it could not be found out now
	Former  string // month of the load before; "" when there was none to compare with
	Since   string // month of the load that brought the records as they are
	AtLeast bool   // they may be older than that
	Now     bool   // that load is the one in service; what follows says what it changed

	Gone         bool // the records before are not kept any more
	New          bool // the company was not in the load before
	NewHere      bool // the establishment of the page was not
	Rows         []fieldChange
	MorePartners int      // changes among the partners that Rows leaves out
	Others       []string // what changed of the other establishments
	Withheld     []string // what changed without the page saying how
}

// Silent says that nothing of what changed is on the page.
func (c *changes) Silent() bool {
	return !c.New && !c.NewHere && len(c.Rows)+len(c.Others)+len(c.Withheld) == 0
}

// fieldChange is a field before and now, "" when it had no value.
type fieldChange struct {
	Name, Before, After string
}

// changes compares the company of a page with the load before. The page is whole without it.
func (rm *Room) changes(ctx context.Context, snap *snapshot.Snapshot, h *pack.Head, number cnpj.Full) changes {
	c, err := rm.compared(ctx, snap, h, number)
	if err != nil {
		web.EventOf(ctx).Fail(err)
		return changes{Failed: true}
	}
	return c
}

func (rm *Room) compared(ctx context.Context, snap *snapshot.Snapshot, h *pack.Head, number cnpj.Full) (changes, error) {
	former, ok := snap.Former()
	if !ok {
		return changes{}, nil
	}
	since, known, err := snap.Change(ctx, h.Root)
	if err != nil || !known {
		return changes{}, err
	}
	c := changes{
		Former: ptbr.Month(former.Period), Since: ptbr.Month(since.Period),
		AtLeast: !since.Exact, Now: since.Exact && since.Load == snap.Load.ID,
	}
	if !c.Now {
		return c, nil
	}
	d, err := snap.Difference(ctx, h)
	if errors.Is(err, registry.ErrGone) {
		c.Gone = true
		return c, nil
	}
	if err != nil {
		return changes{}, err
	}
	if c.New = d.New; c.New {
		return c, nil
	}
	f := differ{atlas: rm.atlas, snap: snap, private: wording.IsPrivate(h) || wording.IsPrivate(&d.Heads[0]), changes: &c}
	f.company(&d.Heads[0], &d.Heads[1])
	f.establishments(d.Establishments, number)
	f.partners(d.Partners[0], d.Partners[1])
	return c, nil
}

// differ puts what changed into words.
type differ struct {
	*changes
	atlas   *territory.Atlas
	snap    *snapshot.Snapshot
	private bool // the company is, or was, a natural person: former names and contacts are not shown
	named   int  // changes among the partners
}

// compare adds a field that is not the same.
func (f *differ) compare(name, before, after string) {
	if before != after {
		f.Rows = append(f.Rows, fieldChange{name, before, after})
	}
}

// code compares the descriptions of a coded field.
func (f *differ) code(name string, kind record.Domain, before, after string) {
	f.compare(name, wording.Describe(f.snap, kind, before), wording.Describe(f.snap, kind, after))
}

// withhold names a field that is not the same when its values are not to be shown, and compares it otherwise.
func (f *differ) withhold(name, before, after string) {
	if !f.private {
		f.compare(name, before, after)
	} else if before != after {
		f.Withheld = append(f.Withheld, name)
	}
}

func (f *differ) company(before, after *pack.Head) {
	b, a := &before.Company, &after.Company
	f.withhold("Nome empresarial", b.RazaoSocial, a.RazaoSocial)
	f.code("Natureza jurídica", record.DomainNatureza, b.NaturezaJuridica, a.NaturezaJuridica)
	f.code("Porte", record.DomainPorte, b.PorteEmpresa, a.PorteEmpresa)
	f.compare("Capital social", ptbr.Money(b.CapitalSocial), ptbr.Money(a.CapitalSocial))
	f.code("Qualificação do responsável", record.DomainQualificacao, b.QualificacaoResponsavel, a.QualificacaoResponsavel)
	f.compare("Ente federativo responsável", b.EnteFederativoResponsavel, a.EnteFederativoResponsavel)
	f.compare("Simples Nacional", simplesOf(before).String(), simplesOf(after).String())
	f.compare("MEI", meiOf(before).String(), meiOf(after).String())
}

// establishments compares the one of the page field by field, and counts the others.
func (f *differ) establishments(pairs []registry.EstablishmentPair, number cnpj.Full) {
	var others othersChanged
	for _, p := range pairs {
		switch {
		case p.After == nil || p.After.CNPJ != number:
			others.count(p)
		case p.Before == nil:
			f.NewHere = true
		default:
			f.establishment(p.Before, p.After)
		}
	}
	f.Others = others.texts()
}

func (f *differ) establishment(b, a *record.Establishment) {
	before, after := wording.StatusOf(f.snap, b), wording.StatusOf(f.snap, a)
	f.compare("Situação", before.String(), after.String())
	f.compare("Motivo da situação", before.Reason, after.Reason)
	f.compare("Situação especial", special(b), special(a))
	f.code("Matriz ou filial", record.DomainMatrizFilial, b.IdentificadorMatrizFilial, a.IdentificadorMatrizFilial)
	f.withhold("Nome fantasia", b.NomeFantasia, a.NomeFantasia)
	f.compare("Abertura", ptbr.Date(b.DataInicioAtividade.Time()), ptbr.Date(a.DataInicioAtividade.Time()))
	f.compare("Atividade principal", f.activity(b.CNAEFiscalPrincipal), f.activity(a.CNAEFiscalPrincipal))
	f.activities(b.CNAEFiscalSecundaria, a.CNAEFiscalSecundaria)
	f.address(b, a)
	f.withhold("Telefone", strings.Join(wording.PhonesOf(b), "; "), strings.Join(wording.PhonesOf(a), "; "))
	f.withhold("Fax", ptbr.Phone(b.DDDFax, b.Fax), ptbr.Phone(a.DDDFax, a.Fax))
	f.withhold("E-mail", b.CorreioEletronico, a.CorreioEletronico)
}

func special(e *record.Establishment) string {
	return ptbr.Join(" desde ", e.SituacaoEspecial, ptbr.Date(e.DataSituacaoEspecial.Time()))
}

func (f *differ) activity(code string) string {
	if code == "" {
		return ""
	}
	a := wording.ActivityOf(f.snap, code)
	return ptbr.Join(" ", a.Code, a.Text)
}

// activities adds the secondary activities that were left out and those that came.
func (f *differ) activities(before, after string) {
	was, is := strings.Split(before, ","), strings.Split(after, ",")
	only := func(codes, others []string) string {
		var texts []string
		for _, code := range codes {
			if !slices.Contains(others, code) {
				texts = append(texts, f.activity(code))
			}
		}
		return ptbr.Join("; ", texts...)
	}
	f.compare("Atividades secundárias", only(was, is), only(is, was))
}

// address compares the whole address, or of a natural person's the municipality.
func (f *differ) address(b, a *record.Establishment) {
	before, after := wording.AddressOf(f.atlas, f.snap, b), wording.AddressOf(f.atlas, f.snap, a)
	if !f.private {
		f.compare("Endereço", before.String(), after.String())
		return
	}
	f.compare("Município", before.City(), after.City())
	if before.Street != after.Street || before.CEP != after.CEP {
		f.Withheld = append(f.Withheld, "Rua")
	}
}

// partners pairs the rows that name the same partner and tells the others who came or went. It does not say that two
// rows are one person, only that both have the same name and document.
func (f *differ) partners(before, after []record.Partner) {
	for i := range before {
		b := &before[i]
		at := slices.IndexFunc(after, func(a record.Partner) bool { return sameIdentity(b, &a) })
		if at < 0 {
			f.partner("Sócio", f.partnerText(b), "")
			continue
		}
		f.partner("Sócio: "+b.NomeSocio, f.partnerText(b), f.partnerText(&after[at]))
		after = slices.Delete(after, at, at+1)
	}
	for i := range after {
		f.partner("Sócio", "", f.partnerText(&after[i]))
	}
}

func sameIdentity(a, b *record.Partner) bool {
	return a.NomeSocio == b.NomeSocio && a.CNPJCPFSocio == b.CNPJCPFSocio && a.IdentificadorSocio == b.IdentificadorSocio
}

func (f *differ) partner(name, before, after string) {
	if f.named == partnerChangesShown {
		f.MorePartners++
		return
	}
	f.named++
	f.compare(name, before, after)
}

// partnerText says of a partner what the table of the partners does.
func (f *differ) partnerText(p *record.Partner) string {
	row := partnerRowOf(f.snap, p)
	entry := ptbr.Date(row.Entry.Time())
	if entry != "" {
		entry = "entrada em " + entry
	}
	representative := ""
	if row.Representative != "" {
		representative = "representante " + ptbr.Join(", ", row.Representative, row.RepresentativeRole)
	}
	return ptbr.Join(", ", row.Name, row.Qualification, entry, row.Country, row.Age, representative)
}

// othersChanged counts what changed of the other establishments of a company.
type othersChanged struct {
	appeared, disappeared, opened, closed, edited int
}

func (o *othersChanged) count(p registry.EstablishmentPair) {
	switch {
	case p.Before == nil:
		o.appeared++
	case p.After == nil:
		o.disappeared++
	case p.Before.SituacaoCadastral == p.After.SituacaoCadastral:
		o.edited++
	case p.After.SituacaoCadastral == wording.SituacaoAtiva:
		o.opened++
	case p.Before.SituacaoCadastral == wording.SituacaoAtiva:
		o.closed++
	default:
		o.edited++
	}
}

func (o *othersChanged) texts() []string {
	var texts []string
	for _, line := range []struct {
		n            int
		one, several string
	}{
		{o.appeared, "novo estabelecimento", "novos estabelecimentos"},
		{o.opened, "outro estabelecimento passou a ativo", "outros estabelecimentos passaram a ativos"},
		{o.closed, "outro estabelecimento deixou de ser ativo", "outros estabelecimentos deixaram de ser ativos"},
		{o.disappeared, "outro estabelecimento já não é publicado", "outros estabelecimentos já não são publicados"},
		{o.edited, "outro estabelecimento teve dados alterados", "outros estabelecimentos tiveram dados alterados"},
	} {
		if line.n > 0 {
			texts = append(texts, ptbr.Counted(line.n, line.one, line.several))
		}
	}
	return texts
}

func simplesOf(h *pack.Head) regime {
	return regime{h.HasSimples, h.Simples.OpcaoPeloSimples, h.Simples.DataOpcaoPeloSimples, h.Simples.DataExclusaoSimples}
}

func meiOf(h *pack.Head) regime {
	return regime{h.HasSimples, h.Simples.OpcaoPeloMEI, h.Simples.DataOpcaoPeloMEI, h.Simples.DataExclusaoMEI}
}

// String says what the facts of a company do.
func (r regime) String() string {
	from, to := ptbr.Date(r.From.Time()), ptbr.Date(r.To.Time())
	switch {
	case !r.Published:
		return "Sem registro de opção"
	case r.Yes():
		return ptbr.Join(" desde ", "Optante", from)
	case !r.No():
		return "Não informado"
	case from != "" && to != "":
		return "Não optante, optou de " + from + " a " + to
	case to != "":
		return "Não optante, excluída em " + to
	}
	return "Não optante"
}
