package change

import (
	"cmp"
	"fmt"
	"slices"

	"razao/internal/data/record"
)

// State is what a load says of a company. Of a large company it may hold a part of the partners and
// establishments: those that may differ, on both sides.
type State struct {
	Exists         bool // the load has the company; otherwise the rest is empty
	Company        record.Company
	HasSimples     bool
	Simples        record.Simples
	Partners       []record.Partner
	Establishments []record.Establishment // in CNPJ order
}

// Individual reports whether the company is a natural person in business.
func (s *State) Individual() bool { return s.Exists && record.IsIndividual(&s.Company, &s.Simples) }

// Compare returns the events between two states of a company, in a fixed order: of the company, its
// options, its partners, its establishments. Parts for which has is false are left out: one of the
// loads lacks them, and their absence says nothing. A company that is new has the events of its
// establishments and partners; one that is gone has only that event.
func Compare(before, after *State, has func(Part) bool) []Event {
	c := comparison{has: has}
	if before.Exists && !after.Exists {
		c.add(Event{Kind: CompanyRemoved, Before: []string{before.Company.RazaoSocial}})
		return c.events
	}
	if before.Exists {
		c.company(&before.Company, &after.Company)
		c.simples(before, after)
	}
	c.partners(before.Partners, after.Partners)
	c.establishments(before.Establishments, after.Establishments)
	return c.events
}

type comparison struct {
	has    func(Part) bool
	events []Event
}

// add adds an event, unless its part is missing in one of the loads.
func (c *comparison) add(e Event) {
	if c.has(e.Kind.Info().Part) {
		c.events = append(c.events, e)
	}
}

// differ adds an event if the values read differently.
func (c *comparison) differ(e Event, before, after []string) {
	e.Before, e.After = before, after
	if len(e.Changed()) > 0 {
		c.add(e)
	}
}

func (c *comparison) company(b, a *record.Company) {
	for _, field := range []struct {
		kind          Kind
		before, after string
	}{
		{Name, b.RazaoSocial, a.RazaoSocial},
		{Capital, amount(b.CapitalSocial), amount(a.CapitalSocial)},
		{Nature, b.NaturezaJuridica, a.NaturezaJuridica},
		{Size, b.PorteEmpresa, a.PorteEmpresa},
		{Responsible, b.QualificacaoResponsavel, a.QualificacaoResponsavel},
		{Entity, b.EnteFederativoResponsavel, a.EnteFederativoResponsavel},
	} {
		c.differ(Event{Kind: field.kind}, []string{field.before}, []string{field.after})
	}
}

// amount returns reais with two decimals, "" for an absent amount.
func amount(c record.Cents) string {
	if c == record.NoCents {
		return ""
	}
	return reais(int64(c))
}

// reais returns cents as reais with two decimals.
func reais(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return fmt.Sprintf("%s%d.%02d", sign, cents/100, cents%100)
}

// flag returns a yes or no as it is published.
func flag(f record.Flag) string {
	return [...]string{record.Unknown: "", record.No: "N", record.Yes: "S"}[f]
}

func (c *comparison) simples(before, after *State) {
	b, a := &before.Simples, &after.Simples
	c.option([3]Kind{SimplesIn, SimplesOut, SimplesChanged}, b.OpcaoPeloSimples, a.OpcaoPeloSimples,
		[2]record.Date{b.DataOpcaoPeloSimples, b.DataExclusaoSimples}, [2]record.Date{a.DataOpcaoPeloSimples, a.DataExclusaoSimples})
	c.option([3]Kind{MEIIn, MEIOut, MEIChanged}, b.OpcaoPeloMEI, a.OpcaoPeloMEI,
		[2]record.Date{b.DataOpcaoPeloMEI, b.DataExclusaoMEI}, [2]record.Date{a.DataOpcaoPeloMEI, a.DataExclusaoMEI})
}

// option compares one of the two options of Simples. kinds are in, out and changed; the dates are
// those of the option and of the exit.
func (c *comparison) option(kinds [3]Kind, b, a record.Flag, before, after [2]record.Date) {
	e := Event{Kind: kinds[2]}
	switch {
	case a == record.Yes && b != record.Yes:
		e.Kind, e.Date = kinds[0], after[0]
	case b == record.Yes && a != record.Yes:
		e.Kind, e.Date = kinds[1], after[1]
	}
	c.differ(e, []string{flag(b), before[0].String(), before[1].String()}, []string{flag(a), after[0].String(), after[1].String()})
}

// partners compares two multisets of rows. Rows that read the same say nothing; of the others, rows of
// the same name, document and type are one partner whose row changed, the remaining ones left or
// entered.
func (c *comparison) partners(before, after []record.Partner) {
	gone, come := without(before, after), without(after, before)
	gone = slices.DeleteFunc(gone, func(b record.Partner) bool {
		at := slices.IndexFunc(come, func(a record.Partner) bool {
			e := Event{Kind: PartnerChanged, Before: partnerValues(&b), After: partnerValues(&a)}
			return isSame(&b, &a) && len(e.Changed()) == 0
		})
		if at >= 0 {
			come = slices.Delete(come, at, at+1)
		}
		return at >= 0
	})
	for i := range gone {
		b := &gone[i]
		at := slices.IndexFunc(come, func(a record.Partner) bool { return isSame(b, &a) })
		if at < 0 {
			c.add(Event{Kind: PartnerOut, Partner: partnerOf(b), Before: partnerValues(b)})
			continue
		}
		c.differ(Event{Kind: PartnerChanged, Partner: partnerOf(b)}, partnerValues(b), partnerValues(&come[at]))
		come = slices.Delete(come, at, at+1)
	}
	for i := range come {
		a := &come[i]
		c.add(Event{Kind: PartnerIn, Partner: partnerOf(a), Date: a.DataEntradaSociedade, After: partnerValues(a)})
	}
}

// without returns the multiset difference partners − others, sorted by name.
func without(partners, others []record.Partner) []record.Partner {
	count := make(map[record.Partner]int, len(others))
	for i := range others {
		count[others[i]]++
	}
	var left []record.Partner
	for i := range partners {
		if count[partners[i]]--; count[partners[i]] < 0 {
			left = append(left, partners[i])
		}
	}
	slices.SortStableFunc(left, func(a, b record.Partner) int {
		return cmp.Or(cmp.Compare(a.NomeSocio, b.NomeSocio), cmp.Compare(a.CNPJCPFSocio, b.CNPJCPFSocio))
	})
	return left
}

func partnerOf(p *record.Partner) Partner {
	return Partner{Type: p.IdentificadorSocio, Name: p.NomeSocio, Document: p.CNPJCPFSocio}
}

// isSame reports whether two rows are about one partner.
func isSame(b, a *record.Partner) bool {
	return b.IdentificadorSocio == a.IdentificadorSocio && b.CNPJCPFSocio == a.CNPJCPFSocio && sameText(b.NomeSocio, a.NomeSocio)
}

func partnerValues(p *record.Partner) []string {
	return []string{
		p.QualificacaoSocio, p.DataEntradaSociedade.String(), p.Pais, p.RepresentanteLegal, p.NomeRepresentante,
		p.QualificacaoRepresentanteLegal, p.FaixaEtaria,
	}
}

// establishments merges two lists in CNPJ order.
func (c *comparison) establishments(before, after []record.Establishment) {
	for len(before) > 0 || len(after) > 0 {
		switch {
		case len(after) == 0 || len(before) > 0 && before[0].CNPJ < after[0].CNPJ:
			c.add(Event{Kind: Removed, Order: before[0].CNPJ.Order(), Before: openedValues(&before[0])})
			before = before[1:]
		case len(before) == 0 || after[0].CNPJ < before[0].CNPJ:
			a := &after[0]
			c.add(Event{Kind: Opened, Order: a.CNPJ.Order(), Date: a.DataInicioAtividade, After: openedValues(a)})
			after = after[1:]
		default:
			if before[0] != after[0] {
				c.establishment(&before[0], &after[0])
			}
			before, after = before[1:], after[1:]
		}
	}
}

func (c *comparison) establishment(b, a *record.Establishment) {
	order := a.CNPJ.Order()
	status := Event{Kind: Status, Order: order, Date: a.DataSituacaoCadastral}
	switch {
	case a.Closed() && !b.Closed():
		status.Kind = Closed
	case a.Active() && !b.Active():
		status.Kind = Reactivated
	}
	c.differ(status, statusValues(b), statusValues(a))
	address := Event{Kind: Address, Order: order, Before: addressValues(b), After: addressValues(a)}
	if slices.ContainsFunc(address.Changed(), func(i int) bool { return slices.Contains(placeFields, addressFields[i]) }) {
		address.Kind = Moved
	}
	c.differ(address, address.Before, address.After)
	for _, field := range []struct {
		kind          Kind
		before, after []string
	}{
		{Activity, []string{b.CNAEFiscalPrincipal}, []string{a.CNAEFiscalPrincipal}},
		{Activities, []string{b.CNAEFiscalSecundaria}, []string{a.CNAEFiscalSecundaria}},
		{Contact, contactValues(b), contactValues(a)},
		{TradeName, []string{b.NomeFantasia}, []string{a.NomeFantasia}},
		{HeadOffice, []string{b.IdentificadorMatrizFilial}, []string{a.IdentificadorMatrizFilial}},
		{Started, []string{b.DataInicioAtividade.String()}, []string{a.DataInicioAtividade.String()}},
	} {
		c.differ(Event{Kind: field.kind, Order: order}, field.before, field.after)
	}
	c.differ(Event{Kind: Special, Order: order, Date: a.DataSituacaoEspecial},
		[]string{b.SituacaoEspecial, b.DataSituacaoEspecial.String()}, []string{a.SituacaoEspecial, a.DataSituacaoEspecial.String()})
}

func statusValues(e *record.Establishment) []string {
	return []string{e.SituacaoCadastral, e.DataSituacaoCadastral.String(), e.MotivoSituacaoCadastral}
}

func openedValues(e *record.Establishment) []string {
	return []string{
		e.SituacaoCadastral, e.DataInicioAtividade.String(), e.IdentificadorMatrizFilial, e.CNAEFiscalPrincipal, e.UF, e.Municipio,
	}
}

func addressValues(e *record.Establishment) []string {
	return []string{
		e.TipoLogradouro, e.Logradouro, e.Numero, e.Complemento, e.Bairro, e.CEP, e.UF, e.Municipio, e.NomeCidadeExterior, e.Pais,
	}
}

func contactValues(e *record.Establishment) []string {
	return []string{e.DDD1, e.Telefone1, e.DDD2, e.Telefone2, e.DDDFax, e.Fax, e.CorreioEletronico}
}
