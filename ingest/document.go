package ingest

import (
	"errors"
	"fmt"
	"slices"

	"razao/index/build"
	"razao/index/extsort"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/network"
	"razao/internal/store/registry/pack"
)

// index adds the documents of the root to the search index and counts its active establishments and
// head offices.
func (m *merger) index(root cnpj.Root) error {
	var c record.Company
	if m.parts.Company != nil {
		if err := pack.DecodeCompany(m.parts.Company, &c); err != nil {
			return fmt.Errorf("company %s: %w", root, err)
		}
	} else {
		c.CapitalSocial = record.NoCents
	}
	var s record.Simples
	if m.parts.Simples != nil {
		if err := pack.DecodeSimples(m.parts.Simples, &s); err != nil {
			return fmt.Errorf("company %s: %w", root, err)
		}
	}
	m.emitter.begin(root, len(m.parts.Establishments))
	for i := range m.partners {
		m.emitter.partner(&m.partners[i].Partner)
	}
	if err := m.emitter.named(); err != nil {
		return err
	}
	for _, packed := range m.parts.Establishments {
		var e record.Establishment
		if err := pack.DecodeEstablishment(packed, root, &e); err != nil {
			return fmt.Errorf("establishment of %s: %w", root, err)
		}
		if err := m.emitter.establishment(&c, &s, &e); err != nil {
			return err
		}
		if e.Active() {
			m.out.counts.ActiveEstablishments++
			if e.HeadOffice() {
				m.out.counts.ActiveCompanies++
			}
		}
	}
	return nil
}

// emitter makes the documents and edges of one root after the other, for one goroutine. merge and
// rebuild share it, so both make the same. For each root call begin, then partner for all partners,
// then named, then establishment for all establishments; close at the end.
type emitter struct {
	to       *build.Writer
	edges    *extsort.Writer
	root     cnpj.Root
	partners []build.Partner
	owners   []network.Node // partners that the network knows
	agents   []network.Node // their legal representatives
	branches int            // establishments of the root
	emitted  int            // of these, so far
	first    *build.Doc     // the first of them, until it is known whether it carries the partners
	pages    []cnpj.Full    // of all roots since the caller last took them
}

// emitter returns an emitter that writes to o.
func (o *outputs) emitter() emitter {
	return emitter{to: o.documents.Writer(), edges: o.edges.Writer()}
}

// begin starts a root with this number of establishments.
func (m *emitter) begin(root cnpj.Root, establishments int) {
	m.root, m.branches, m.emitted, m.first = root, establishments, 0, nil
	m.partners, m.owners, m.agents = m.partners[:0], m.owners[:0], m.agents[:0]
}

// close hands on what is buffered.
func (m *emitter) close() error { return errors.Join(m.to.Close(), m.edges.Close()) }

// partner adds a partner of the root.
func (m *emitter) partner(p *record.Partner) {
	m.partners = append(m.partners, build.Partner{
		Name: p.NomeSocio, Document: p.CNPJCPFSocio, Kind: p.IdentificadorSocio, Role: p.QualificacaoSocio, Age: p.AgeBracket(),
	})
	if of := network.PartnerOf(m.root, p); of.Known() {
		m.owners = append(m.owners, of.Node())
	}
	if of, ok := network.RepresentativeOf(p); ok {
		m.agents = append(m.agents, of.Node())
	}
}

// named adds the edges of the root, of which all partners are known: who is both partner and
// representative has one, as partner.
func (m *emitter) named() error {
	for _, of := range m.owners {
		if err := m.edges.Add(uint64(of), network.Edge{Root: m.root}.Key(), nil); err != nil {
			return err
		}
	}
	for _, of := range m.agents {
		if slices.Contains(m.owners, of) {
			continue
		}
		if err := m.edges.Add(uint64(of), network.Edge{Root: m.root, Representative: true}.Key(), nil); err != nil {
			return err
		}
	}
	return nil
}

// establishment adds the document of an establishment, whose texts must last as long as the root. Only
// the head office of a root carries the partners, or the first establishment of a root without one: a search for a partner should
// find companies, not every branch.
func (m *emitter) establishment(c *record.Company, s *record.Simples, e *record.Establishment) error {
	d := document(c, s, e)
	if m.emitted == 0 { // a partner published twice counts once here, whatever its dates
		slices.SortFunc(m.partners, build.ComparePartners)
		m.partners = slices.Compact(m.partners)
	}
	d.Branches, d.PartnerCount = m.branches, len(m.partners)
	m.emitted++
	if e.Active() && !record.IsIndividual(c, s) {
		m.pages = append(m.pages, e.CNPJ)
	}
	switch {
	case d.HeadOffice:
		d.Partners = m.partners
		return errors.Join(m.flush(nil), m.to.Add(&d))
	case m.emitted == 1:
		m.first = &d
	default:
		if err := m.to.Add(&d); err != nil {
			return err
		}
	}
	if m.emitted == m.branches {
		return m.flush(m.partners)
	}
	return nil
}

// flush adds the first establishment, if that was kept back.
func (m *emitter) flush(partners []build.Partner) error {
	d := m.first
	if d == nil {
		return nil
	}
	m.first, d.Partners = nil, partners
	return m.to.Add(d)
}

// document returns an establishment as the index sees it, without its partners. For a natural person
// it leaves out address, CEP, telephones and e-mail, so that search finds
// nothing that pages withhold.
func document(c *record.Company, s *record.Simples, e *record.Establishment) build.Doc {
	d := build.Doc{
		CNPJ:              e.CNPJ,
		HeadOffice:        e.HeadOffice(),
		RazaoSocial:       c.RazaoSocial,
		NomeFantasia:      e.NomeFantasia,
		UF:                e.UF,
		Municipio:         e.Municipio,
		Pais:              e.Pais,
		SituacaoCadastral: e.SituacaoCadastral,
		SituacaoDay:       day(e.DataSituacaoCadastral),
		Motivo:            e.MotivoSituacaoCadastral,
		PorteEmpresa:      c.PorteEmpresa,
		NaturezaJuridica:  c.NaturezaJuridica,
		CNAE:              e.CNAEFiscalPrincipal,
		CNAEsSecundarios:  e.CNAEFiscalSecundaria,
		MEI:               s.OpcaoPeloMEI == record.Yes,
		Simples:           s.OpcaoPeloSimples == record.Yes,
		Opening:           day(e.DataInicioAtividade),
		Capital:           int64(c.CapitalSocial),
	}
	if e.Closed() {
		d.Closing = d.SituacaoDay
	}
	if d.MEI {
		d.MEIDay = day(s.DataOpcaoPeloMEI)
	}
	if d.Simples {
		d.SimplesDay = day(s.DataOpcaoPeloSimples)
	}
	if !record.IsIndividual(c, s) {
		d.Street, d.HouseNumber, d.Bairro, d.CEP = e.TipoLogradouro+" "+e.Logradouro, e.Numero, e.Bairro, e.CEP
		d.DDDs, d.Telephones, d.Email = [...]string{e.DDD1, e.DDD2}, [...]string{e.Telefone1, e.Telefone2}, e.CorreioEletronico
	}
	return d
}

// day returns a date as the number AAAAMMDD, 0 for no date.
func day(d record.Date) int {
	if d == 0 {
		return 0
	}
	t := d.Time()
	return t.Year()*10_000 + int(t.Month())*100 + t.Day()
}
