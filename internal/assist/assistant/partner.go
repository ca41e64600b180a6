package assistant

import (
	"context"
	"strings"

	"razao/index"
	"razao/index/filter"
	"razao/index/term"
	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/network"
	"razao/internal/store/networks"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
)

const (
	usualPartnerships = 10
	cpfDigits         = 11
	visibleDigits     = 6 // digits of a CPF that are published
)

// homonyms is the warning in every answer that searched for a name.
const homonyms = "Nomes iguais podem ser de pessoas diferentes, e o CPF é publicado só em parte (***456789**): não afirme que dois registros são da mesma pessoa."

// PartnershipsQuery asks for the companies of a partner.
type PartnershipsQuery struct {
	Nome      string `json:"nome,omitempty" jsonschema:"nome do sócio, de preferência completo; pode faltar quando documento é um CNPJ"`
	Documento string `json:"documento,omitempty" jsonschema:"para separar homônimos: CPF como publicado (***456789**) ou seus seis dígitos visíveis; ou o CNPJ da empresa sócia"`
	Limite    int    `json:"limite,omitempty" jsonschema:"participações por página; 10 se ausente" minimum:"1" maximum:"50"`
	Cursor    string `json:"cursor,omitempty" jsonschema:"o da página anterior"`
}

// Partnership is an entry of a company's list of partners. CNPJ, status and place are those of the
// head office.
type Partnership struct {
	CNPJ                 string                  `json:"cnpj" jsonschema:"CNPJ da matriz da empresa"`
	RazaoSocial          string                  `json:"razao_social"`
	SituacaoCadastral    string                  `json:"situacao_cadastral"`
	UF                   string                  `json:"uf"`
	Municipio            string                  `json:"municipio"`
	NomeSocio            string                  `json:"nome_socio"`
	CNPJCPFSocio         string                  `json:"cnpj_cpf_socio"`
	QualificacaoSocio    string                  `json:"qualificacao_socio"`
	DataEntradaSociedade Date                    `json:"data_entrada_sociedade"`
	Descricoes           PartnershipDescriptions `json:"descricoes"`
	URL                  string                  `json:"url"`

	partner, company, city string // as people write them
}

// PartnershipDescriptions describes the codes of a Partnership; nil: unknown code.
type PartnershipDescriptions struct {
	SituacaoCadastral *string `json:"situacao_cadastral"`
	QualificacaoSocio *string `json:"qualificacao_socio"`
	Municipio         *string `json:"municipio"`
}

// PartnershipsAnswer is a page of partnerships, ordered by the rank of the companies. They match by
// name, so they may belong to different people.
type PartnershipsAnswer struct {
	Origin
	Page[Partnership]
	Completa bool   `json:"completa" jsonschema:"false: o nome é comum demais e só parte das empresas foi examinada"`
	Aviso    string `json:"aviso"`
}

// Partnerships returns the partnerships that match a name, a document or both. At most
// [networks.MaxExamined] companies are examined; if there are more, Completa is false. It needs the
// search index (see [NeedsIndex]).
func (a *Assistant) Partnerships(ctx context.Context, q PartnershipsQuery) (*PartnershipsAnswer, error) {
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
	w := walk{"socio " + strings.Join(term.Words(who.Name), " ") + " " + who.Document, snap.StateOf(filter.Set{})}
	from, err := w.from(q.Cursor)
	if err != nil {
		return nil, err
	}
	found, complete, err := networks.Partnerships(ctx, snap, who)
	if err != nil {
		return nil, err
	}
	var rows []partnershipRow
	for i := range found {
		for n := range found[i].Partners {
			rows = append(rows, partnershipRow{&found[i], &found[i].Partners[n]})
		}
	}
	return &PartnershipsAnswer{
		Origin: a.origin(snap, searchPath(&index.Query{Text: who.Name})), Completa: complete, Aviso: ptbr.Join(" ", append([]string{homonyms}, severalOf(rows)...)...),
		Page: pageOf(rows, registry.Range{From: from, Limit: limit}, w, a.read(snap).partnership),
	}, nil
}

// partnershipRow is a matching partner of a company that was found.
type partnershipRow struct {
	*networks.Partnership
	partner *record.Partner
}

// severalOf says of whom rows that would be of one person, by name and digits, are of several.
func severalOf(rows []partnershipRow) (sentences []string) {
	var all []networks.Member
	at := map[network.Actor]int{}
	for _, row := range rows {
		a := network.PartnerOf(row.Root, row.partner)
		i, known := at[a]
		if !known {
			i, all = len(all), append(all, networks.Member{Actor: a, Name: row.partner.NomeSocio})
			at[a] = i
		}
		all[i].Learn(row.partner)
	}
	for i := range all {
		if said := wording.Homonyms(&all[i]); said != "" {
			sentences = append(sentences, all[i].Name+" ("+all[i].ID()+"): "+said)
		}
	}
	return sentences
}

func (r *reader) partnership(row partnershipRow) Partnership {
	e, p := &row.Office, row.partner
	return Partnership{
		CNPJ: e.CNPJ.String(), RazaoSocial: row.Company.RazaoSocial,
		SituacaoCadastral: e.SituacaoCadastral, UF: e.UF, Municipio: e.Municipio,
		NomeSocio: p.NomeSocio, CNPJCPFSocio: p.CNPJCPFSocio, QualificacaoSocio: p.QualificacaoSocio,
		DataEntradaSociedade: Date{p.DataEntradaSociedade},
		Descricoes: PartnershipDescriptions{
			SituacaoCadastral: r.Describe(record.DomainSituacao, e.SituacaoCadastral),
			QualificacaoSocio: r.Describe(record.DomainQualificacao, p.QualificacaoSocio),
			Municipio:         r.Describe(record.DomainMunicipio, e.Municipio),
		},
		URL: r.address(e.CNPJ), partner: ptbr.Partner(p), company: ptbr.Holder(row.Root, row.Company.RazaoSocial, row.Individual()), city: r.City(e.Municipio, e.UF),
	}
}

// whoIs returns the person or company that a query is about. For a CNPJ without name, it looks
// up the name, because the index finds partners by name. Invalid arguments are a *Refusal.
func whoIs(ctx context.Context, snap *snapshot.Snapshot, q *PartnershipsQuery) (who networks.Person, err error) {
	who.Name = strings.Join(strings.Fields(q.Nome), " ")
	if who.Document, err = partnerDocument(q.Documento); err != nil {
		return who, err
	}
	if full, err := cnpj.ParseFull(who.Document); who.Name == "" && err == nil {
		d := document{Document: registry.Document{Root: full.Root()}, text: full.Root().String()}
		h, err := company(ctx, snap, d)
		if err != nil {
			return who, err
		}
		who.Name = h.Company.RazaoSocial
	}
	if len(term.Words(who.Name)) == 0 || len(who.Name) > 2*index.LongestText {
		return who, refuse(Malformed, "Informe o argumento nome com o nome do sócio, de preferência completo.")
	}
	return who, nil
}

// partnerDocument normalizes a document to its form in Sócios: a masked CPF or a CNPJ, "" for none.
// It refuses a whole CPF, so that models do not send one.
func partnerDocument(given string) (string, error) {
	number := strings.Trim(cnpj.Unmask(given), "*")
	digits := strings.Trim(number, "0123456789") == ""
	switch {
	case number == "":
		return "", nil
	case digits && len(number) == visibleDigits:
		return record.MaskCPF(number), nil
	case digits && len(number) == cpfDigits:
		return "", refuse(Malformed, "Não envie um CPF inteiro: bastam os seis dígitos que são publicados, do quarto ao nono (***456789**).")
	}
	full, err := cnpj.ParseFull(number)
	if err != nil {
		return "", refuse(Malformed, "O argumento documento deve ter os seis dígitos visíveis de um CPF (***456789**) ou o CNPJ de uma empresa sócia, 14 posições com dígitos verificadores corretos.")
	}
	return full.String(), nil
}

// Text lists the partnerships.
func (r *PartnershipsAnswer) Text() string {
	var t text
	t.line("Participações encontradas: %s; nesta página: %d.", ptbr.Count(r.Total), len(r.Itens))
	if !r.Completa {
		t.line("O nome é comum: só as %s empresas mais importantes com ele foram examinadas. Informe o nome completo ou o documento.", ptbr.Count(networks.MaxExamined))
	}
	for i := range r.Itens {
		p := &r.Itens[i]
		t.line("- %s (%s): %s de %s, CNPJ %s, %s, %s. %s", p.partner, ptbr.Document(p.CNPJCPFSocio),
			ptbr.Since(orCode(p.Descricoes.QualificacaoSocio, p.QualificacaoSocio), p.DataEntradaSociedade.Time()), p.company, ptbr.Document(p.CNPJ),
			orCode(p.Descricoes.SituacaoCadastral, p.SituacaoCadastral), p.city, p.URL)
	}
	t.more("empresas_do_socio", r.ProximoCursor)
	t.line("%s", r.Aviso)
	t.origin(&r.Origin)
	return t.String()
}
