package company

import (
	"context"
	"slices"
	"strings"

	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/territory"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
	"razao/internal/web"
	"razao/site/wording"
)

// partnerChangesShown bounds the partner changes listed on a page; the rest is only counted.
const partnerChangesShown = 30

// changes is the section on what the last load changed. The flags are listed in the order of
// precedence in which the templates test them: Failed, no Former, not Now, Gone, New.
type changes struct {
	Failed  bool   // the comparison could not be read; try again later
	Former  string // month of the previous load, MM/AAAA; "" when there is none to compare with
	Since   string // month of the load that last changed the records
	AtLeast bool   // Since is an upper bound: the records may be older
	Now     bool   // Since is the load in service; the fields below say what it changed

	Gone         bool // the previous records were deleted: there is nothing to compare
	New          bool // the company was not in the previous load
	NewHere      bool // the company was, the page's establishment was not
	Rows         []fieldChange
	MorePartners int64    // partner changes beyond partnerChangesShown
	Others       []string // sentences that count changed sibling establishments
	Withheld     []string // names of fields that changed but whose values are private
}

// Silent reports that the company changed but none of it can be shown, such as fields the page does
// not have.
func (c *changes) Silent() bool {
	return !c.New && !c.NewHere && len(c.Rows)+len(c.Others)+len(c.Withheld) == 0
}

// Brief reports that the section is a single sentence.
func (c *changes) Brief() bool { return c.Failed || c.Former == "" || !c.Now || c.Gone }

// fieldChange is one field before and after, as people read it; "" means that it had no value.
type fieldChange struct {
	Name, Before, After string
}

// changes compares the company with the previous load. An error is logged and shown as Failed; it
// does not fail the page.
func (hs *Handlers) changes(ctx context.Context, snap *snapshot.Snapshot, h *pack.Head, number cnpj.Full) changes {
	found, err := snap.Changes(ctx, h, number)
	if err != nil {
		web.EventOf(ctx).Fail(err)
		return changes{Failed: true}
	}
	if found.Former == "" {
		return changes{}
	}
	c := changes{
		Former: ptbr.Month(found.Former), Since: ptbr.Month(found.Since.Period), AtLeast: !found.Since.Exact,
		Now: found.Now, Gone: found.Gone, New: found.New,
	}
	if c.Now && !c.Gone && !c.New {
		f := differ{atlas: hs.atlas, snap: snap, changes: &c}
		f.all(&found)
	}
	return c
}

// differ turns the differences of two loads into rows and sentences of changes.
type differ struct {
	*changes
	atlas          *territory.Atlas
	snap           *snapshot.Snapshot
	listedPartners int // partner changes listed so far
}

// all runs every comparison. Here is empty when the establishment is unchanged; it has no Before
// when it is new.
func (f *differ) all(found *snapshot.Changes) {
	f.company(&found.Heads[0], &found.Heads[1])
	if b, a := found.Here.Before, found.Here.After; b != nil && a != nil {
		f.establishment(b, a, found.Private)
	} else {
		f.NewHere = a != nil
	}
	f.Others = countOthers(found.Others).texts()
	f.partners(found.Partners[0], found.Partners[1])
	f.Withheld = withheldNames(&found.Withheld)
}

// compare adds a row when before and after differ.
func (f *differ) compare(name, before, after string) {
	if before != after {
		f.Rows = append(f.Rows, fieldChange{name, before, after})
	}
}

// written compares the published texts and shows them through write. When write maps both to the
// same text, as with a change of case only, the published texts are shown instead, so that the row
// does not read as if nothing changed.
func (f *differ) written(name string, write func(string) string, before, after string) {
	if b, a := write(before), write(after); b != a {
		before, after = b, a
	}
	f.compare(name, before, after)
}

// code compares a coded field by the descriptions of its codes.
func (f *differ) code(name string, kind record.Domain, before, after string) {
	f.compare(name, wording.Describe(f.snap, kind, before), wording.Describe(f.snap, kind, after))
}

// withheldNames returns the labels of the fields that changed and must not be shown.
func withheldNames(w *snapshot.Withheld) []string {
	var names []string
	for _, field := range []struct {
		changed bool
		name    string
	}{
		{w.Name, "Nome empresarial"}, {w.TradeName, "Nome fantasia"}, {w.Street, "Rua"}, {w.Phone, "Telefone"}, {w.Fax, "Fax"}, {w.Email, "E-mail"},
	} {
		if field.changed {
			names = append(names, field.name)
		}
	}
	return names
}

// company compares the Empresas and Simples fields.
func (f *differ) company(before, after *pack.Head) {
	b, a := &before.Company, &after.Company
	f.written("Nome empresarial", ptbr.Company, b.RazaoSocial, a.RazaoSocial)
	f.code("Natureza jurídica", record.DomainNatureza, b.NaturezaJuridica, a.NaturezaJuridica)
	f.code("Porte", record.DomainPorte, b.PorteEmpresa, a.PorteEmpresa)
	f.compare("Capital social", ptbr.Capital(b.CapitalSocial), ptbr.Capital(a.CapitalSocial))
	f.code("Qualificação do responsável", record.DomainQualificacao, b.QualificacaoResponsavel, a.QualificacaoResponsavel)
	f.written("Ente federativo responsável", ptbr.Street, b.EnteFederativoResponsavel, a.EnteFederativoResponsavel)
	f.compare("Simples Nacional", simplesOf(before).String(), simplesOf(after).String())
	f.compare("MEI", meiOf(before).String(), meiOf(after).String())
}

// establishment compares the page's establishment field by field. When private, only the
// municipality is left of the address, and the row is labelled so.
func (f *differ) establishment(b, a *record.Establishment, private bool) {
	before, after := wording.StatusOf(f.snap, b), wording.StatusOf(f.snap, a)
	f.compare("Situação", before.String(), after.String())
	f.compare("Motivo da situação", before.Reason, after.Reason)
	f.compare("Situação especial", special(b), special(a))
	f.code("Matriz ou filial", record.DomainMatrizFilial, b.IdentificadorMatrizFilial, a.IdentificadorMatrizFilial)
	f.written("Nome fantasia", ptbr.Company, b.NomeFantasia, a.NomeFantasia)
	f.compare("Abertura", ptbr.Date(b.DataInicioAtividade.Time()), ptbr.Date(a.DataInicioAtividade.Time()))
	f.compare("Atividade principal", f.activity(b.CNAEFiscalPrincipal), f.activity(a.CNAEFiscalPrincipal))
	f.activities(b.CNAEFiscalSecundaria, a.CNAEFiscalSecundaria)
	address := "Endereço"
	if private {
		address = "Município"
	}
	f.compare(address, wording.AddressOf(f.atlas, f.snap, b).String(), wording.AddressOf(f.atlas, f.snap, a).String())
	f.compare("Telefone", strings.Join(wording.PhonesOf(b), "; "), strings.Join(wording.PhonesOf(a), "; "))
	f.compare("Fax", ptbr.Phone(b.DDDFax, b.Fax), ptbr.Phone(a.DDDFax, a.Fax))
	f.written("E-mail", ptbr.Email, b.CorreioEletronico, a.CorreioEletronico)
}

func special(e *record.Establishment) string {
	return ptbr.Join(" desde ", ptbr.Value(e.SituacaoEspecial), ptbr.Date(e.DataSituacaoEspecial.Time()))
}

func (f *differ) activity(code string) string {
	if code == "" {
		return ""
	}
	a := wording.ActivityOf(f.snap, code)
	return ptbr.Join(" ", a.Code, a.Text)
}

// activities adds one row with the secondary activities that only the previous load has, and those
// that only this one has.
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

// partners pairs rows with the same identity and reports the others as partners who left or joined.
// before and after hold only the rows that differ. Equal identity is not proof of one person: it
// means the same name and the same masked document. Pairing is quadratic in the number of differing
// rows.
func (f *differ) partners(before, after []record.Partner) {
	for i := range before {
		b := &before[i]
		at := slices.IndexFunc(after, func(a record.Partner) bool { return sameIdentity(b, &a) })
		if at < 0 {
			f.partner("Sócio", f.partnerText(b), "")
			continue
		}
		f.partner("Sócio: "+ptbr.Partner(b), f.partnerText(b), f.partnerText(&after[at]))
		after = slices.Delete(after, at, at+1)
	}
	for i := range after {
		f.partner("Sócio", "", f.partnerText(&after[i]))
	}
}

// sameIdentity compares name, document and kind of partner.
func sameIdentity(a, b *record.Partner) bool {
	return a.NomeSocio == b.NomeSocio && a.CNPJCPFSocio == b.CNPJCPFSocio && a.IdentificadorSocio == b.IdentificadorSocio
}

// partner adds a partner row, or counts it once partnerChangesShown rows were added. It ignores a
// partner of whom nothing that the page shows has changed.
func (f *differ) partner(name, before, after string) {
	switch {
	case before == after:
	case f.listedPartners == partnerChangesShown:
		f.MorePartners++
	default:
		f.listedPartners++
		f.compare(name, before, after)
	}
}

// partnerText puts into one line what the table of partners shows of a partner.
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

// othersChanged counts how the other establishments of the company changed, each in one category.
type othersChanged struct {
	appeared, disappeared, opened, closed, edited int
}

// countOthers puts each changed establishment into one category; a change of activity status wins
// over other edits.
func countOthers(pairs []registry.EstablishmentPair) (o othersChanged) {
	for _, p := range pairs {
		switch {
		case p.Before == nil:
			o.appeared++
		case p.After == nil:
			o.disappeared++
		case p.After.Active() && !p.Before.Active():
			o.opened++
		case p.Before.Active() && !p.After.Active():
			o.closed++
		default:
			o.edited++
		}
	}
	return o
}

// texts returns a sentence for each category that is not zero.
func (o othersChanged) texts() []string {
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

// simplesOf and meiOf read the two options, which share one row of the Simples file.
func simplesOf(h *pack.Head) regime {
	return regime{h.HasSimples, h.Simples.OpcaoPeloSimples, h.Simples.DataOpcaoPeloSimples, h.Simples.DataExclusaoSimples}
}

func meiOf(h *pack.Head) regime {
	return regime{h.HasSimples, h.Simples.OpcaoPeloMEI, h.Simples.DataOpcaoPeloMEI, h.Simples.DataExclusaoMEI}
}

// String returns the option as the facts of the page show it, with its dates.
func (r regime) String() string {
	from, to := ptbr.Date(r.From.Time()), ptbr.Date(r.To.Time())
	switch {
	case !r.Published:
		return "Sem registro de opção"
	case r.In == record.Yes:
		return ptbr.Join(" desde ", "Optante", from)
	case r.In != record.No:
		return "Não informado"
	case from != "" && to != "":
		return "Não optante, optou de " + from + " a " + to
	case to != "":
		return "Não optante, excluída em " + to
	}
	return "Não optante"
}
