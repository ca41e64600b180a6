package assistant

import (
	"context"
	"errors"

	"razao/index/filter"
	"razao/internal/data/glossary"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/render"
)

// How many items of its collections a record includes. The rest comes in pages.
const (
	partnersInRecord       = 5
	establishmentsInRecord = 3
)

// RecordQuery asks for the record of a company or of one establishment.
type RecordQuery struct {
	CNPJ string `json:"cnpj" jsonschema:"CNPJ com ou sem pontuação: 14 posições para um estabelecimento, 8 para a empresa inteira"`
}

// RecordAnswer is the company registry of a company or establishment and, for each source, the number of
// records. With 14 positions Estabelecimento is set, with 8 Estabelecimentos.
type RecordAnswer struct {
	Origin
	Recurso               string               `json:"recurso" jsonschema:"empresa (8 posições) ou estabelecimento (14)"`
	Documento             string               `json:"documento"`
	Disponibilidade       string               `json:"disponibilidade" jsonschema:"completa, ou parcial quando alguma fonte não pôde ser consultada ou há lacunas"`
	Empresa               CompanyRecord        `json:"empresa"`
	Estabelecimento       *Establishment       `json:"estabelecimento,omitempty" jsonschema:"o estabelecimento consultado, com 14 posições"`
	Estabelecimentos      *Page[Establishment] `json:"estabelecimentos,omitempty" jsonschema:"os primeiros estabelecimentos, com 8 posições"`
	TotalEstabelecimentos int                  `json:"total_estabelecimentos"`
	RegistrosPublicos     Records              `json:"registros_publicos" jsonschema:"por tema e fonte: se há registros e quantos; os registros vêm de consultar_fonte"`
	Avisos                []string             `json:"avisos"`

	name     string
	troubles error
}

// appendTo appends the answer as encoding/json would. It is written by hand because this is the
// most frequent answer, and encoding/json takes as long as reading the records.
func (r *RecordAnswer) appendTo(dst []byte) []byte {
	dst = appendOrigin(append(dst, '{'), &r.Origin)
	dst = render.AppendText(dst, `,"recurso":`, r.Recurso)
	dst = render.AppendText(dst, `,"documento":`, r.Documento)
	dst = render.AppendText(dst, `,"disponibilidade":`, r.Disponibilidade)
	dst = r.Empresa.appendTo(append(dst, `,"empresa":`...))
	if r.Estabelecimento != nil {
		dst = r.Estabelecimento.appendTo(append(dst, `,"estabelecimento":`...))
	}
	if r.Estabelecimentos != nil {
		dst = appendPage(append(dst, `,"estabelecimentos":`...), r.Estabelecimentos)
	}
	dst = render.AppendInt(dst, `,"total_estabelecimentos":`, int64(r.TotalEstabelecimentos))
	dst = append(r.RegistrosPublicos.appendTo(append(dst, `,"registros_publicos":`...)), `,"avisos":[`...)
	for i, caveat := range r.Avisos {
		dst = render.AppendString(render.AppendComma(dst, i), caveat)
	}
	return append(dst, "]}"...)
}

// MarshalJSON implements json.Marshaler.
func (r *RecordAnswer) MarshalJSON() ([]byte, error) { return r.appendTo(nil), nil }

// Name returns the formatted name of the company or establishment.
func (r *RecordAnswer) Name() string { return r.name }

// Trouble returns why sources could not be read, nil if all could.
func (r *RecordAnswer) Trouble() error { return r.troubles }

// Record returns the record of a company or establishment. Sources that cannot be read make it
// "parcial"; they do not fail it.
func (a *Assistant) Record(ctx context.Context, q RecordQuery) (*RecordAnswer, error) {
	d, err := parseDocument(q.CNPJ)
	if err != nil {
		return nil, err
	}
	snap, err := a.acquire()
	if err != nil {
		return nil, err
	}
	defer snap.Release()
	return a.read(snap).record(ctx, d)
}

// record reads the company, then the requested establishment or the first ones, the first partners,
// and one summary per source.
func (r *reader) record(ctx context.Context, d document) (*RecordAnswer, error) {
	h, err := company(ctx, r.snap, d)
	if err != nil {
		return nil, err
	}
	answer := &RecordAnswer{
		Origin: r.origin(r.snap, "/"+d.text), Recurso: "empresa", Documento: d.text, Disponibilidade: "completa",
		Empresa:               CompanyRecord{h.Company, CompanyLists{Simples: simplesOf(h)}, h.Root, r.codes},
		TotalEstabelecimentos: h.Establishments, name: ptbr.Holder(h.Root, h.Company.RazaoSocial, h.Individual()),
	}
	if err := r.offices(ctx, answer, h, d); err != nil {
		return nil, err
	}
	partners := registry.Range{Limit: partnersInRecord}
	if answer.Empresa.Socios, err = r.partners(ctx, h, partners, partnersWalk(r.snap, d)); err != nil {
		return nil, err
	}
	r.summarize(ctx, answer, h, d)
	if answer.Lacunas != "" {
		answer.Disponibilidade = "parcial"
	}
	answer.Avisos = r.caveats(answer.caveats())
	return answer, nil
}

// caveats returns what the record does not say although it may be taken to.
func (r *RecordAnswer) caveats() []glossary.Caveat {
	parts := []string{"capital_social"}
	offices := []Establishment{}
	if r.Estabelecimento != nil {
		offices = append(offices, *r.Estabelecimento)
	} else if r.Estabelecimentos != nil {
		offices = r.Estabelecimentos.Itens
	}
	for i := range offices {
		parts = append(parts, filter.Situacao+"="+offices[i].SituacaoCadastral)
	}
	if r.Empresa.Socios.Total > 0 {
		parts = append(parts, filter.PartnerRole)
	}
	return glossary.Caveats(parts)
}

// offices sets the requested establishment, or the first ones of a company.
func (r *reader) offices(ctx context.Context, answer *RecordAnswer, h *pack.Head, d document) error {
	if !d.isEstablishment() {
		page, err := r.establishments(ctx, h, registry.Range{Limit: establishmentsInRecord}, establishmentsWalk(r.snap, d))
		answer.Estabelecimentos = &page
		if answer.name == "" && len(page.Itens) > 0 {
			answer.name = ptbr.Company(page.Itens[0].NomeFantasia)
		}
		return err
	}
	e, err := r.snap.Establishment(ctx, h, *d.Order)
	if err != nil {
		return missing(d, err)
	}
	answer.Recurso, answer.Estabelecimento, answer.name = "estabelecimento", &Establishment{e, r.codes}, ptbr.Holder(h.Root, h.NameOf(&e), h.Individual())
	return nil
}

// summarize sets the number of records of each source.
func (r *reader) summarize(ctx context.Context, answer *RecordAnswer, h *pack.Head, d document) {
	var troubles []error
	pages := r.snap.Records(ctx, h, d.Document, 0, nil)
	answer.RegistrosPublicos = make(Records, 0, len(pages))
	for i := range pages {
		summary := r.summary(&pages[i])
		if summary.Total == nil {
			answer.Disponibilidade = "parcial"
		}
		troubles = append(troubles, troubleOf(&pages[i]))
		answer.RegistrosPublicos = append(answer.RegistrosPublicos, summary)
	}
	answer.troubles = errors.Join(troubles...)
}

// Text describes the company and lists the sources with records.
func (r *RecordAnswer) Text() string {
	var t text
	company := &r.Empresa
	t.line("%s, CNPJ %s", r.name, ptbr.Document(r.Documento))
	t.line("Natureza jurídica: %s. Porte: %s. Capital social: %s.", company.label(record.DomainNatureza, company.NaturezaJuridica),
		company.label(record.DomainPorte, company.PorteEmpresa), capital(company.CapitalSocial))
	if s := company.Simples; s != nil {
		t.line("Simples Nacional: %s. MEI: %s.", yesNo(s.OpcaoPeloSimples), yesNo(s.OpcaoPeloMEI))
	}
	if r.Estabelecimento != nil {
		t.establishment(r.Estabelecimento)
		t.line("Estabelecimentos da empresa: %s (listar_estabelecimentos).", ptbr.Count(r.TotalEstabelecimentos))
	} else {
		t.line("Estabelecimentos: %s.", ptbr.Count(r.TotalEstabelecimentos))
		for i := range r.Estabelecimentos.Itens {
			t.listed(&r.Estabelecimentos.Itens[i])
		}
		t.more("listar_estabelecimentos", r.Estabelecimentos.ProximoCursor)
	}
	t.line("Sócios: %s.", ptbr.Count(company.Socios.Total))
	for i := range company.Socios.Itens {
		t.partner(&company.Socios.Itens[i])
	}
	t.more("listar_socios", company.Socios.ProximoCursor)
	t.records(r.RegistrosPublicos)
	for _, caveat := range r.Avisos {
		t.line("%s", caveat)
	}
	t.origin(&r.Origin)
	return t.String()
}

// establishment writes the details of an establishment.
func (t *text) establishment(e *Establishment) {
	if e.NomeFantasia != "" {
		t.line("Nome fantasia: %s.", ptbr.Company(e.NomeFantasia))
	}
	t.line("%s. Situação cadastral: %s.", e.label(record.DomainMatrizFilial, e.IdentificadorMatrizFilial),
		ptbr.Since(e.label(record.DomainSituacao, e.SituacaoCadastral), e.DataSituacaoCadastral.Time()))
	if e.SituacaoEspecial != "" {
		t.line("Situação especial: %s.", ptbr.Since(ptbr.Value(e.SituacaoEspecial), e.DataSituacaoEspecial.Time()))
	}
	if e.DataInicioAtividade != 0 {
		t.line("Início de atividade: %s.", ptbr.Date(e.DataInicioAtividade.Time()))
	}
	t.line("Atividade principal: %s %s.", e.CNAEFiscalPrincipal, e.label(record.DomainCNAE, e.CNAEFiscalPrincipal))
	t.line("Endereço: %s.", ptbr.Join(", ", ptbr.Street(ptbr.Join(" ", e.TipoLogradouro, e.Logradouro)),
		ptbr.Street(e.Numero), ptbr.Street(e.Complemento), ptbr.Street(e.Bairro), cityOf(e), e.CEP))
	contact := ptbr.Join(", ", ptbr.Join(" ", e.DDD1, e.Telefone1), ptbr.Join(" ", e.DDD2, e.Telefone2), ptbr.Email(e.CorreioEletronico))
	if e.Telefone1+e.Telefone2+e.CorreioEletronico != "" {
		t.line("Contato publicado: %s.", contact)
	}
}

// cityOf returns the place of an establishment: Campinas/SP, or city and country abroad.
func cityOf(e *Establishment) string {
	if e.NomeCidadeExterior != "" {
		return ptbr.Join(", ", ptbr.Street(e.NomeCidadeExterior), ptbr.Country(e.label(record.DomainPais, e.Pais)))
	}
	return e.City(e.Municipio, e.UF)
}

// listed writes an establishment as a list item.
func (t *text) listed(e *Establishment) {
	t.line("- %s %s: %s, %s, %s.", e.CNPJ.Masked(), ptbr.Join(" ", e.label(record.DomainMatrizFilial, e.IdentificadorMatrizFilial), ptbr.Company(e.NomeFantasia)),
		e.label(record.DomainSituacao, e.SituacaoCadastral), cityOf(e), e.label(record.DomainCNAE, e.CNAEFiscalPrincipal))
}

// partner writes a partner as a list item.
func (t *text) partner(p *Partner) {
	t.line("- %s (%s), %s.", ptbr.Partner(&p.Partner), ptbr.Document(p.CNPJCPFSocio),
		ptbr.Since(p.label(record.DomainQualificacao, p.QualificacaoSocio), p.DataEntradaSociedade.Time()))
}
