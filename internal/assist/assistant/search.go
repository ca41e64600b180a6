package assistant

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"razao/index"
	"razao/index/filter"
	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
)

const (
	usualResults = 10 // per page, by default
	mostResults  = 50 // per page, at most
)

// SearchQuery asks for companies or establishments by words and filters.
type SearchQuery struct {
	Consulta string  `json:"consulta,omitempty" jsonschema:"palavras do nome ou do nome fantasia, nome de sócio, CNPJ, telefone com DDD, e-mail ou endereço; entre aspas, palavras juntas; pode faltar se há filtros"`
	Em       string  `json:"em,omitempty" jsonschema:"onde procurar as palavras; em tudo se ausente" enum:"nomes,socios"`
	Agrupar  string  `json:"agrupar,omitempty" jsonschema:"nao: por estabelecimento, com os seus registros; se ausente, por empresa, com os de toda ela" enum:"sim,nao"`
	Filters  Filters `json:"-"` // the other arguments, which package filter declares
	Ordem    string  `json:"ordem,omitempty" jsonschema:"ordem dos resultados; relevancia se ausente" enum:"relevancia,capital,nome,recentes,antigas"`
	Limite   int     `json:"limite,omitempty" jsonschema:"resultados por página; 10 se ausente" minimum:"1" maximum:"50"`
	Cursor   string  `json:"cursor,omitempty" jsonschema:"o da página anterior"`
}

// UnmarshalJSON implements json.Unmarshaler. An argument of the wrong type is a
// *json.UnmarshalTypeError.
func (q *SearchQuery) UnmarshalJSON(body []byte) error {
	type arguments SearchQuery // without this method
	if err := json.Unmarshal(body, (*arguments)(q)); err != nil {
		return err
	}
	return json.Unmarshal(body, &q.Filters)
}

// Result is an establishment that a search found; with results by company, the best of each
// company.
type Result struct {
	CNPJ                      string             `json:"cnpj"`
	RazaoSocial               string             `json:"razao_social"`
	NomeFantasia              string             `json:"nome_fantasia"`
	IdentificadorMatrizFilial string             `json:"identificador_matriz_filial"`
	SituacaoCadastral         string             `json:"situacao_cadastral"`
	DataInicioAtividade       Date               `json:"data_inicio_atividade"`
	CNAEFiscalPrincipal       string             `json:"cnae_fiscal_principal"`
	PorteEmpresa              string             `json:"porte_empresa"`
	CapitalSocial             Amount             `json:"capital_social"`
	UF                        string             `json:"uf"`
	Municipio                 string             `json:"municipio"`
	Descricoes                ResultDescriptions `json:"descricoes"`
	Socio                     *string            `json:"socio" jsonschema:"nome do sócio encontrado, com motivo socio; null nos demais"`
	EstabelecimentosDaEmpresa int                `json:"estabelecimentos_da_empresa"`
	Motivo                    string             `json:"motivo" jsonschema:"por que foi encontrado: cnpj, nome_exato, nome, comeco_do_nome, socio, atividade, som, outra_grafia, sem_uma_palavra ou filtro"`
	URL                       string             `json:"url"`

	name, city string // formatted, for texts
}

// ResultDescriptions describes the codes of a Result; nil: unknown code.
type ResultDescriptions struct {
	IdentificadorMatrizFilial *string `json:"identificador_matriz_filial"`
	SituacaoCadastral         *string `json:"situacao_cadastral"`
	CNAEFiscalPrincipal       *string `json:"cnae_fiscal_principal"`
	PorteEmpresa              *string `json:"porte_empresa"`
	Municipio                 *string `json:"municipio"`
}

// SearchAnswer is a page of search results, in the requested order.
type SearchAnswer struct {
	Origin
	Itens            []Result `json:"itens"`
	Total            int      `json:"total" jsonschema:"resultados; contados até 10.000"`
	TotalMinimo      bool     `json:"total_minimo" jsonschema:"true: há mais resultados do que total"`
	Estabelecimentos int      `json:"estabelecimentos" jsonschema:"estabelecimentos encontrados, dos quais cada empresa é um resultado"`
	ProximoCursor    *string  `json:"proximo_cursor" jsonschema:"da próxima página; null no fim"`
	Avisos           []string `json:"avisos" jsonschema:"como a consulta foi entendida, e o que a resposta não diz"`
}

// Search runs a search. It needs the search index (see [NeedsIndex] and [NeedsFlags]). A cursor is
// bound to the query and to the state of index and filters, not to the spelling of the arguments.
func (a *Assistant) Search(ctx context.Context, q SearchQuery) (*SearchAnswer, error) {
	limit, err := limitOf(q.Limite, usualResults, mostResults)
	if err != nil {
		return nil, err
	}
	snap, err := a.acquire()
	if err != nil {
		return nil, err
	}
	defer snap.Release()
	query, err := a.query(snap, &q)
	if err != nil {
		return nil, err
	}
	w := walk{"busca " + searchPath(&query), snap.StateOf(query.Filters)}
	if query.Offset, err = w.from(q.Cursor); err != nil {
		return nil, err
	}
	query.Limit = limit
	found, err := snap.Find(ctx, query)
	if err != nil {
		return nil, wrongFilter(err)
	}
	reader, err := a.live.Filters()
	if err != nil {
		return nil, err
	}
	parts := reader.TextParts(snap, found.Understood.Conditions)
	answer := &SearchAnswer{
		Origin: a.origin(snap, searchPath(&query)), Itens: make([]Result, 0, len(found.Matches)),
		Total: found.Total, TotalMinimo: found.TotalIsFloor, Estabelecimentos: found.Establishments,
		Avisos: append(a.remarks(found.Understood, parts), a.caveats(found.Caveats)...),
	}
	if found.Unsought > 0 {
		answer.Avisos = append(answer.Avisos, wording.Unsought(found.Unsought, query.ByCompany))
	}
	r := a.read(snap)
	for i := range found.Matches {
		answer.Itens = append(answer.Itens, r.result(&found.Matches[i]))
	}
	if next := query.Offset + len(found.Matches); len(found.Matches) > 0 && next < found.Total {
		answer.ProximoCursor = w.cursor(next)
	}
	return answer, nil
}

// query converts the arguments to an index query, without offset and limit. The error is a *Refusal.
func (a *Assistant) query(snap *snapshot.Snapshot, q *SearchQuery) (index.Query, error) {
	query := index.Query{Text: strings.Join(strings.Fields(q.Consulta), " ")}
	if utf8.RuneCountInString(query.Text) > index.LongestText {
		return query, refuse(Malformed, "A consulta é longa demais: envie até %d caracteres.", index.LongestText)
	}
	if cnpj.Mistyped(query.Text) {
		return query, wrongDigits()
	}
	var err error
	if query.Scope, err = oneOf("em", q.Em, map[string]index.Scope{"": index.InAll, "nomes": index.InNames, "socios": index.InPartners}); err != nil {
		return query, err
	}
	if query.ByCompany, err = oneOf("agrupar", q.Agrupar, map[string]bool{"": true, "sim": true, "nao": false}); err != nil {
		return query, err
	}
	if query.Filters, err = a.filters(snap, q.Filters); err != nil {
		return query, err
	}
	if query.Text == "" && query.Filters.Empty() {
		return query, refuse(Malformed, "Informe consulta (nome, sócio, CNPJ, telefone, e-mail ou endereço) ou ao menos um filtro, como municipio ou cnae.")
	}
	query.Order, err = oneOf("ordem", q.Ordem, map[string]index.Order{
		"": index.ByRank, "relevancia": index.ByRank, "capital": index.ByCapital, "nome": index.ByName,
		"recentes": index.ByNewest, "antigas": index.ByOldest,
	})
	return query, err
}

// searchPath returns path and query of the website's page with the same results. Parameters are
// sorted, so it also identifies the query in cursors.
func searchPath(q *index.Query) string {
	v := q.Filters.Parameters()
	for name, value := range map[string]string{
		"q":       q.Text,
		"em":      [...]string{index.InAll: "", index.InNames: "nomes", index.InPartners: "socios"}[q.Scope],
		"agrupar": map[bool]string{false: "nao"}[q.ByCompany],
		"ordem":   [...]string{index.ByCapital: "capital", index.ByName: "nome", index.ByNewest: "recentes", index.ByOldest: "antigas"}[q.Order],
	} {
		if value != "" {
			v.Set(name, value)
		}
	}
	return "/busca?" + v.Encode()
}

// remarks explains how the text was interpreted where it was not taken literally: places and
// conditions used as filters, towns of this name, activities, corrections, dropped words. parts are the conditions in
// words.
func (a *Assistant) remarks(u index.Understood, parts []filter.TextPart) []string {
	remarks := []string{}
	for _, place := range u.Places {
		name := place.UF
		if m, ok := a.atlas.ByRFB(place.Municipio); ok {
			name = m.Name + "/" + m.UF
		}
		remarks = append(remarks, fmt.Sprintf("“%s” foi usado como filtro de lugar: %s. Entre aspas, é procurado nos nomes.", place.Words, name))
	}
	for _, code := range u.Towns {
		if m, ok := a.atlas.ByRFB(code); ok && len(u.Places) == 0 {
			remarks = append(remarks, fmt.Sprintf("É também o nome de um município: “em %s %s” traz as empresas de lá.", m.Name, m.UF))
		}
	}
	for _, part := range parts {
		var filters []string
		for _, phrase := range part.Phrases {
			filters = append(filters, phrase.Label+": "+phrase.Text)
		}
		remarks = append(remarks, fmt.Sprintf("“%s” foi usado como filtro: %s. Entre aspas, é procurado nos nomes.", part.Words, ptbr.Plain(ptbr.List(filters))))
	}
	if u.Activity != "" {
		remarks = append(remarks, fmt.Sprintf("Inclui empresas cuja atividade principal é “%s”.", u.Activity))
	}
	for _, c := range u.Corrections {
		remarks = append(remarks, fmt.Sprintf("Nada com “%s”; resultados com “%s”.", c.From, c.To))
	}
	for _, word := range u.Dropped {
		remarks = append(remarks, fmt.Sprintf("Nada com todas as palavras; resultados sem “%s”.", word))
	}
	return remarks
}

func (r *reader) result(m *snapshot.Match) Result {
	c, e := &m.Company, &m.Establishment
	var partner *string
	if m.Partner != nil {
		partner = &m.Partner.NomeSocio
	}
	return Result{
		CNPJ: e.CNPJ.String(), RazaoSocial: c.RazaoSocial, NomeFantasia: e.NomeFantasia,
		IdentificadorMatrizFilial: e.IdentificadorMatrizFilial, SituacaoCadastral: e.SituacaoCadastral,
		DataInicioAtividade: Date{e.DataInicioAtividade}, CNAEFiscalPrincipal: e.CNAEFiscalPrincipal,
		PorteEmpresa: c.PorteEmpresa, CapitalSocial: Amount(c.CapitalSocial), UF: e.UF, Municipio: e.Municipio,
		Descricoes: ResultDescriptions{
			IdentificadorMatrizFilial: r.Describe(record.DomainMatrizFilial, e.IdentificadorMatrizFilial),
			SituacaoCadastral:         r.Describe(record.DomainSituacao, e.SituacaoCadastral),
			CNAEFiscalPrincipal:       r.Describe(record.DomainCNAE, e.CNAEFiscalPrincipal),
			PorteEmpresa:              r.Describe(record.DomainPorte, c.PorteEmpresa),
			Municipio:                 r.Describe(record.DomainMunicipio, e.Municipio),
		},
		Socio: partner, EstabelecimentosDaEmpresa: m.Establishments,
		Motivo: m.Why.Word(), URL: r.address(e.CNPJ), name: ptbr.Holder(m.Root, m.Name(), m.Individual()), city: r.City(e.Municipio, e.UF),
	}
}

// Name returns the formatted name of the company.
func (r *Result) Name() string { return r.name }

// City returns the formatted place of the establishment: Campinas/SP.
func (r *Result) City() string { return r.city }

// Text lists the results.
func (r *SearchAnswer) Text() string {
	var t text
	total := ptbr.Count(r.Total)
	if r.TotalMinimo {
		total = "mais de " + total
	}
	t.line("Resultados: %s; estabelecimentos: %s; nesta página: %d.", total, ptbr.Count(r.Estabelecimentos), len(r.Itens))
	for _, remark := range r.Avisos {
		t.line("%s", remark)
	}
	for i := range r.Itens {
		t.result(&r.Itens[i])
	}
	t.more("buscar_empresas", r.ProximoCursor)
	t.origin(&r.Origin)
	return t.String()
}

// result writes a result as a list item.
func (t *text) result(e *Result) {
	t.line("- %s, CNPJ %s: %s, %s, %s, %s. %s", ptbr.Join(" / ", e.name, ptbr.Company(e.NomeFantasia)), ptbr.Document(e.CNPJ),
		orCode(e.Descricoes.IdentificadorMatrizFilial, e.IdentificadorMatrizFilial),
		orCode(e.Descricoes.SituacaoCadastral, e.SituacaoCadastral),
		e.city,
		orCode(e.Descricoes.CNAEFiscalPrincipal, e.CNAEFiscalPrincipal), e.URL)
}
