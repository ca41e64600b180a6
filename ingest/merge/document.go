package merge

import (
	"fmt"
	"slices"

	"razao/index/build"
	"razao/internal/cnpj"
	"razao/internal/record"
	"razao/internal/registry/pack"
)

// index adds the documents of the root and counts the active establishments.
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
	m.emitter.begin(len(m.parts.Establishments))
	for i := range m.partners {
		m.emitter.partner(&m.partners[i].Partner)
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

// emitter gives the index the documents of one root after the other, and collects the pages for search engines.
type emitter struct {
	to       *build.Writer
	partners []build.Partner
	branches int // establishments of the root
	emitted  int
	pages    []cnpj.Full // for search engines, of all roots since it was last taken
}

func (m *emitter) begin(establishments int) {
	m.partners, m.branches, m.emitted = m.partners[:0], establishments, 0
}

func (m *emitter) partner(p *record.Partner) {
	m.partners = append(m.partners, build.Partner{
		Name: p.NomeSocio, Document: p.CNPJCPFSocio, Kind: p.IdentificadorSocio, Role: p.QualificacaoSocio, Age: p.AgeBracket(),
	})
}

// establishment adds a document. The partners go with the first establishment and the head office, which nearly always
// are one: who looks for a partner looks for companies, not for every branch.
func (m *emitter) establishment(c *record.Company, s *record.Simples, e *record.Establishment) error {
	d := document(c, s, e)
	if m.emitted == 0 { // rows that are published twice count once, and their order is nothing
		slices.SortFunc(m.partners, build.ComparePartners)
		m.partners = slices.Compact(m.partners)
	}
	d.Branches, d.PartnerCount = m.branches, len(m.partners)
	if m.emitted == 0 || d.HeadOffice {
		d.Partners = m.partners
	}
	m.emitted++
	if e.Active() && !record.IsIndividual(c, s) {
		m.pages = append(m.pages, e.CNPJ)
	}
	return m.to.Add(&d)
}

// document is an establishment as the index sees it, without partners. Of a natural person in business it has nothing that pages hide.
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
		d.Bairro, d.CEP, d.DDDs, d.Email, d.Telephone = e.Bairro, e.CEP, [...]string{e.DDD1, e.DDD2}, e.CorreioEletronico, e.Telefone1+e.Telefone2 != ""
	}
	return d
}

// day returns a date as the number AAAAMMDD, 0 when there is none.
func day(d record.Date) int {
	if d == 0 {
		return 0
	}
	t := d.Time()
	return t.Year()*10_000 + int(t.Month())*100 + t.Day()
}
