package assistant

import (
	"context"
	"slices"
	"strings"

	"razao/index"
	"razao/internal/cnpj"
	"razao/internal/registry"
	"razao/internal/snapshot"
)

const (
	usualPartnerships = 10
	maxExamined       = 1000 // companies whose partners are read for one answer: the commonest names have more
	examinedAtOnce    = 200  // of them in one batch
	maskedLength      = 11   // ***456789**
	visibleDigits     = 6
)

// homonyms warns, wherever a name was searched for.
const homonyms = "Nomes iguais podem ser de pessoas diferentes, e o CPF é publicado só em parte (***456789**): não afirme que dois registros são da mesma pessoa."

// PartnershipsQuestion asks in which companies somebody is a partner.
type PartnershipsQuestion struct {
	Nome      string `json:"nome,omitempty" jsonschema:"nome do sócio, de preferência completo; pode faltar quando documento é um CNPJ"`
	Documento string `json:"documento,omitempty" jsonschema:"para separar homônimos: CPF como publicado (***456789**) ou seus seis dígitos visíveis; ou o CNPJ da empresa sócia"`
	Limite    int    `json:"limite,omitempty" jsonschema:"participações por página; 10 se ausente" minimum:"1" maximum:"50"`
	Cursor    string `json:"cursor,omitempty" jsonschema:"proximo_cursor da página anterior"`
}

// Partnership is one row of partner in one company, which is shown by its head office.
type Partnership struct {
	CNPJ                 string                  `json:"cnpj" jsonschema:"CNPJ da matriz da empresa"`
	RazaoSocial          string                  `json:"razao_social"`
	SituacaoCadastral    string                  `json:"situacao_cadastral"`
	UF                   string                  `json:"uf"`
	Municipio            string                  `json:"municipio"`
	NomeSocio            string                  `json:"nome_socio"`
	CNPJCPFSocio         string                  `json:"cnpj_cpf_socio" jsonschema:"CPF mascarado como publicado, ou CNPJ"`
	QualificacaoSocio    string                  `json:"qualificacao_socio"`
	DataEntradaSociedade *string                 `json:"data_entrada_sociedade"`
	Descricoes           PartnershipDescriptions `json:"descricoes"`
	URL                  string                  `json:"url"`
}

// PartnershipDescriptions are what the codes of a Partnership mean; null: not known.
type PartnershipDescriptions struct {
	SituacaoCadastral *string `json:"situacao_cadastral"`
	QualificacaoSocio *string `json:"qualificacao_socio"`
	Municipio         *string `json:"municipio"`
}

// PartnershipsAnswer is a page of partnerships, those in the most important companies first.
type PartnershipsAnswer struct {
	Origin
	Page[Partnership]
	Completa bool   `json:"completa" jsonschema:"false: o nome é comum demais e só parte das empresas foi examinada"`
	Aviso    string `json:"aviso"`
}

// wanted is whom a partner is compared with.
type wanted struct {
	name     string   // for the index, where there is no document
	words    []string // folded; a partner's name has them all
	document string   // as published; "" for any
}

func (w *wanted) is(p *registry.Partner) bool {
	if w.document != "" && p.CNPJCPFSocio != w.document {
		return false
	}
	has := foldedWords(p.NomeSocio)
	return !slices.ContainsFunc(w.words, func(word string) bool { return !slices.Contains(has, word) })
}

// query finds the companies to examine: by what is seen of the document, which few share, or by the name.
func (w *wanted) query() index.Query {
	q := index.Query{Filters: index.Filters{HeadOffice: index.Yes}, Limit: maxExamined}
	if full, err := cnpj.ParseFull(w.document); err == nil {
		q.Filters.PartnerRoot = full.Root().String()
	} else if len(w.document) == maskedLength {
		q.Filters.PartnerDigits = strings.Trim(w.document, "*")
	} else {
		q.Text, q.LiteralPlaces = w.name, true
	}
	return q
}

func foldedWords(name string) []string {
	var words []string
	for _, token := range index.Tokens(name) {
		words = append(words, token.Text)
	}
	return words
}

// Partnerships answers with the companies that have a partner of a name.
func (a *Assistant) Partnerships(ctx context.Context, q PartnershipsQuestion) (*PartnershipsAnswer, error) {
	limit, err := limitOf(q.Limite, usualPartnerships, mostListed)
	if err != nil {
		return nil, err
	}
	snap, err := a.acquire()
	if err != nil {
		return nil, err
	}
	defer snap.Release()
	who, err := whoIs(ctx, snap, &q)
	if err != nil {
		return nil, err
	}
	w := walk{"socio " + strings.Join(who.words, " ") + " " + who.document, "index " + snap.View.Snapshot.IndexName}
	from, err := w.from(q.Cursor)
	if err != nil {
		return nil, err
	}
	all, complete, err := (&reader{a, snap}).partnerships(ctx, who)
	if err != nil {
		return nil, err
	}
	answer := &PartnershipsAnswer{Origin: a.origin(snap, searchPath(&index.Query{Text: who.name})), Completa: complete, Aviso: homonyms}
	first := min(from, len(all))
	answer.Itens = all[first:min(first+limit, len(all))]
	answer.closing(len(all), first, w)
	return answer, nil
}

// whoIs reads whom a question is about. The error of a question is a *Refusal.
func whoIs(ctx context.Context, snap *snapshot.Snapshot, q *PartnershipsQuestion) (*wanted, error) {
	who := &wanted{name: strings.Join(strings.Fields(q.Nome), " ")}
	var err error
	if who.document, err = partnerDocument(q.Documento); err != nil {
		return nil, err
	}
	if full, err := cnpj.ParseFull(who.document); who.name == "" && err == nil {
		d := document{Document: registry.Document{Root: full.Root()}, text: full.Root().String()}
		h, err := head(ctx, snap, d)
		if err != nil {
			return nil, err
		}
		who.name = h.Company.RazaoSocial
	}
	if who.words = foldedWords(who.name); len(who.words) == 0 || len(who.name) > 2*longestInquiry {
		return nil, refuse(Malformed, "Informe o argumento nome com o nome do sócio, de preferência completo.")
	}
	return who, nil
}

// partnerDocument returns a document as partners have it.
func partnerDocument(given string) (string, error) {
	number := strings.Trim(cnpj.Unmask(given), "*")
	digits := strings.Trim(number, "0123456789") == ""
	switch {
	case number == "":
		return "", nil
	case digits && len(number) == visibleDigits:
		return "***" + number + "**", nil
	case digits && len(number) == maskedLength:
		return "", refuse(Malformed, "Não envie um CPF inteiro: bastam os seis dígitos que são publicados, do quarto ao nono (***456789**).")
	}
	full, err := cnpj.ParseFull(number)
	if err != nil {
		return "", refuse(Malformed, "O argumento documento deve ter os seis dígitos visíveis de um CPF (***456789**) ou o CNPJ de uma empresa sócia, 14 posições com dígitos verificadores corretos.")
	}
	return full.String(), nil
}

// partnerships returns all that are found among the companies that are examined.
func (r *reader) partnerships(ctx context.Context, who *wanted) (all []Partnership, complete bool, err error) {
	found, err := r.snap.Index.Search(ctx, who.query())
	if err != nil {
		return nil, false, err
	}
	all = []Partnership{}
	for hits := range slices.Chunk(found.Hits, examinedAtOnce) {
		heads, err := headsOf(ctx, r.snap, hits)
		if err != nil {
			return nil, false, err
		}
		for _, hit := range hits {
			h := heads[hit.CNPJ.Root()]
			if h == nil {
				return nil, false, errIndexAhead
			}
			if all, err = r.appendPartnerships(ctx, all, h, hit.CNPJ, who); err != nil {
				return nil, false, err
			}
		}
	}
	return all, found.Total <= maxExamined, nil
}

// appendPartnerships appends those of one company.
func (r *reader) appendPartnerships(ctx context.Context, all []Partnership, h *registry.Head, office cnpj.Full, who *wanted) ([]Partnership, error) {
	known := len(all)
	err := r.snap.Partners(ctx, h, registry.Range{Limit: h.Partners}, func(p *registry.Partner) error {
		if who.is(p) {
			all = append(all, Partnership{
				NomeSocio: p.NomeSocio, CNPJCPFSocio: p.CNPJCPFSocio, QualificacaoSocio: p.QualificacaoSocio,
				DataEntradaSociedade: optional(p.DataEntradaSociedade.String()),
				Descricoes:           PartnershipDescriptions{QualificacaoSocio: r.describe(registry.DomainQualificacao, p.QualificacaoSocio)},
			})
		}
		return nil
	})
	if err != nil || len(all) == known {
		return all, err
	}
	e, err := r.snap.Establishment(ctx, h, office.Order())
	if err != nil {
		return nil, err
	}
	for i := range all[known:] {
		p := &all[known+i]
		p.CNPJ, p.RazaoSocial, p.URL = office.String(), h.Company.RazaoSocial, r.baseURL+pagePath(office)
		p.SituacaoCadastral, p.UF, p.Municipio = e.SituacaoCadastral, e.UF, e.Municipio
		p.Descricoes.SituacaoCadastral = r.describe(registry.DomainSituacao, e.SituacaoCadastral)
		p.Descricoes.Municipio = r.describe(registry.DomainMunicipio, e.Municipio)
	}
	return all, nil
}

// Text lists the partnerships.
func (r *PartnershipsAnswer) Text() string {
	var t text
	t.line("Participações encontradas: %s; nesta página: %d.", count(r.Total), len(r.Itens))
	if !r.Completa {
		t.line("O nome é comum: só as %s empresas mais importantes com ele foram examinadas. Informe o nome completo ou o documento.", count(maxExamined))
	}
	for i := range r.Itens {
		p := &r.Itens[i]
		t.line("- %s (%s): %s de %s, CNPJ %s, %s, %s. %s", p.NomeSocio, masked(p.CNPJCPFSocio),
			since(orCode(p.Descricoes.QualificacaoSocio, p.QualificacaoSocio), p.DataEntradaSociedade), p.RazaoSocial, masked(p.CNPJ),
			orCode(p.Descricoes.SituacaoCadastral, p.SituacaoCadastral), join("/", orCode(p.Descricoes.Municipio, p.Municipio), p.UF), p.URL)
	}
	t.more("empresas_do_socio", r.ProximoCursor)
	t.line("%s", r.Aviso)
	t.origin(&r.Origin)
	return t.String()
}
