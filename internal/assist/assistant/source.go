package assistant

import (
	"context"
	"fmt"
	"strings"
	"time"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/store/render"
)

// Default and maximum numbers of records on a page; records may be long.
const (
	usualRecords = 5
	mostRecords  = 20
)

// SourceQuery asks for a page of a source's records about a document.
type SourceQuery struct {
	CNPJ   string `json:"cnpj" jsonschema:"CNPJ com ou sem pontuação: 14 posições para um estabelecimento, 8 para a empresa inteira"`
	Fonte  string `json:"fonte" jsonschema:"identificador da fonte" enum:"pgfn,ceis,cnep,cepim,acordos_leniencia,mte_empregadores,mte_ceac,habilitacao_aduaneira,ibama_autos,ibama_embargos,rntrc,pncp,pncp_orgao,bndes"`
	Limite int    `json:"limite,omitempty" jsonschema:"registros por página; 5 se ausente" minimum:"1" maximum:"20"`
	Cursor string `json:"cursor,omitempty" jsonschema:"o da página anterior"`
}

// SourceState is the result of a look-up in a source, and its load, with the field names of the
// API.
type SourceState struct {
	Status          registry.Status `json:"status"`
	Escopo          registry.Scope  `json:"escopo"`
	CarregadaEm     *string         `json:"carregada_em"`
	CoberturaInicio *string         `json:"cobertura_inicio"`
	Desatualizada   *bool           `json:"desatualizada"`
	Total           *int            `json:"total" jsonschema:"registros encontrados; null quando a fonte não pôde ser consultada"`
}

// SourceSummary is the number of a source's records about a document.
type SourceSummary struct {
	SourceState
	Competencia *string        `json:"competencia"`
	Source      *source.Source `json:"-"`
}

func (s *SourceSummary) appendTo(dst []byte) []byte {
	dst = render.AppendText(dst, `{"status":`, string(s.Status))
	dst = render.AppendText(dst, `,"escopo":`, string(s.Escopo))
	dst = render.AppendTextOrNull(dst, `,"competencia":`, orEmpty(s.Competencia))
	dst = render.AppendTextOrNull(dst, `,"carregada_em":`, orEmpty(s.CarregadaEm))
	dst = render.AppendTextOrNull(dst, `,"cobertura_inicio":`, orEmpty(s.CoberturaInicio))
	dst = render.AppendFlag(dst, `,"desatualizada":`, flagOf(s.Desatualizada))
	if s.Total == nil {
		return append(dst, `,"total":null}`...)
	}
	return append(render.AppendInt(dst, `,"total":`, int64(*s.Total)), '}')
}

// flagOf converts an optional bool to a record.Flag.
func flagOf(known *bool) record.Flag {
	switch {
	case known == nil:
		return record.Unknown
	case *known:
		return record.Yes
	}
	return record.No
}

// Records holds the summaries of all sources, in the order of source.All, which groups them by
// theme. Their JSON is an object of themes, each an object of source ids.
type Records []SourceSummary

// ByTheme is the JSON form of [Records]: theme, then source id. It exists for the schema.
type ByTheme map[string]map[string]SourceSummary

// appendTo opens a new object whenever the theme changes, so sources of a theme must be adjacent.
func (all Records) appendTo(dst []byte) []byte {
	if len(all) == 0 {
		return append(dst, `{}`...)
	}
	dst = append(dst, '{')
	for i := range all {
		s := &all[i]
		switch {
		case i > 0 && s.Source.Theme == all[i-1].Source.Theme:
			dst = append(dst, ',')
		case i > 0:
			dst = append(dst, `},`...)
			fallthrough
		default:
			dst = append(render.AppendString(dst, s.Source.Theme), `:{`...)
		}
		dst = s.appendTo(append(render.AppendString(dst, s.Source.ID), ':'))
	}
	return append(dst, `}}`...)
}

// MarshalJSON implements json.Marshaler.
func (all Records) MarshalJSON() ([]byte, error) { return all.appendTo(nil), nil }

// SourceAnswer is a page of the records of one source.
type SourceAnswer struct {
	Origin
	Titulo    string `json:"titulo"`
	Documento string `json:"documento"`
	SourceState
	Proveniencia  *Provenance `json:"proveniencia"`
	Itens         []Item      `json:"itens" jsonschema:"registros com os campos e valores como publicados"`
	ProximoCursor *string     `json:"proximo_cursor" jsonschema:"da próxima página; null no fim"`

	description string
	trouble     error
}

// Provenance is the origin of a load.
type Provenance struct {
	Orgao       string `json:"orgao"`
	Conjunto    string `json:"conjunto"`
	URL         string `json:"url"`
	Licenca     string `json:"licenca"`
	Atribuicao  string `json:"atribuicao,omitempty"`
	Metodologia string `json:"metodologia_url,omitempty"`
}

// Trouble returns why the source could not be read, nil if it could.
func (r *SourceAnswer) Trouble() error { return r.trouble }

// Source returns a page of a source's records about a document. A source that cannot be read is an
// answer with the status erro or indisponivel, not an error.
func (a *Assistant) Source(ctx context.Context, q SourceQuery) (*SourceAnswer, error) {
	d, err := parseDocument(q.CNPJ)
	if err != nil {
		return nil, err
	}
	if _, known := source.Find(q.Fonte); !known {
		return nil, refuse(Malformed, "Não existe a fonte %q. As fontes são: %s.", q.Fonte, strings.Join(source.IDs(), ", "))
	}
	limit, err := limitOf(q.Limite, usualRecords, mostRecords)
	if err != nil {
		return nil, err
	}
	snap, err := a.acquire()
	if err != nil {
		return nil, err
	}
	defer snap.Release()
	w := walk{"fonte " + q.Fonte + " " + d.text, stateOf(snap, q.Fonte)}
	from, err := w.from(q.Cursor)
	if err != nil {
		return nil, err
	}
	h, err := existing(ctx, snap, d)
	if err != nil {
		return nil, err
	}
	page, _ := snap.Select(ctx, q.Fonte, h, d.Document, registry.Selection{Range: registry.Range{From: from, Limit: limit}})
	return a.read(snap).sourceAnswer(&page, d, w), nil
}

func (r *reader) sourceAnswer(page *registry.SourcePage, d document, w walk) *SourceAnswer {
	summary := r.summary(page)
	answer := &SourceAnswer{
		Origin: r.origin(r.snap, "/"+d.text), Titulo: page.Source.Title, Documento: d.text, SourceState: summary.SourceState,
		Itens: []Item{}, description: page.Source.Description, trouble: troubleOf(page),
	}
	answer.Fonte, answer.Competencia = page.Source.ID, summary.Competencia // not those of the Receita load
	if page.Load != nil {
		answer.Proveniencia = r.provenance(&page.Load.Provenance)
	}
	for _, item := range page.Items {
		answer.Itens = append(answer.Itens, Item{item})
	}
	if next, more := page.Next(); more {
		answer.ProximoCursor = w.cursor(next)
	}
	return answer
}

// provenance returns the provenance of a load, with absolute URLs.
func (r *reader) provenance(p *record.Provenance) *Provenance {
	out := &Provenance{p.Orgao, p.Conjunto, p.URL, p.Licenca, p.Atribuicao, p.Metodologia}
	if strings.HasPrefix(out.Metodologia, "/") {
		out.Metodologia = r.baseURL + out.Metodologia
	}
	return out
}

// summary returns the summary of a source page.
func (r *reader) summary(page *registry.SourcePage) SourceSummary {
	s := SourceSummary{Source: &page.Source}
	s.Status, s.Escopo = page.Status, page.Scope
	if page.Status == registry.Found || page.Status == registry.None {
		s.Total = &page.Total
	}
	if l := page.Load; l != nil {
		s.Competencia, s.CoberturaInicio = optional(l.Period), optional(l.CoverageStart)
		s.CarregadaEm = moment(l.FinishedAt)
		s.Desatualizada = page.Source.Stale(l.Period, r.now())
	}
	return s
}

// moment formats an instant as RFC 3339 in UTC, nil for nil.
func moment(t *time.Time) *string {
	if t == nil {
		return nil
	}
	text := t.UTC().Format("2006-01-02T15:04:05Z")
	return &text
}

// troubleOf returns the error of a source page with the source's id, nil if there is none.
func troubleOf(page *registry.SourcePage) error {
	if page.Err == nil {
		return nil
	}
	return fmt.Errorf("source %s: %w", page.Source.ID, page.Err)
}

// records writes the summaries of all sources; those without records share one line.
func (t *text) records(all Records) {
	t.line("Registros públicos (consultar_fonte traz cada um):")
	var none []string
	for i := range all {
		s := &all[i]
		if s.Status == registry.None {
			none = append(none, s.Source.ID)
			continue
		}
		t.line("- %s (%s): %s.", s.Source.Title, s.Source.ID, s.state())
	}
	if len(none) > 0 {
		t.line("- sem_ocorrencia: %s.", strings.Join(none, ", "))
	}
	t.line(notCertificate)
}

// state returns status, number of records, period and staleness in words.
func (s *SourceSummary) state() string {
	if s.Total == nil {
		return string(s.Status) + ", não foi possível consultar"
	}
	text := fmt.Sprintf("%s, %s", s.Status, ptbr.Count(*s.Total))
	if s.Competencia != nil {
		text += ", competência " + *s.Competencia
	}
	if s.Desatualizada != nil && *s.Desatualizada {
		text += ", carga desatualizada"
	}
	return text
}

// Text describes the result and lists the records of the page.
func (r *SourceAnswer) Text() string {
	var t text
	t.line("%s sobre %s: %s", r.Titulo, ptbr.Document(r.Documento), (&SourceSummary{SourceState: r.SourceState, Competencia: r.Competencia}).state())
	t.line("%s", r.description)
	for i := range r.Itens {
		t.line("%d. %s", i+1, r.Itens[i].text())
	}
	t.more("consultar_fonte", r.ProximoCursor)
	if p := r.Proveniencia; p != nil {
		t.line("Publicado por: %s. %s", ptbr.Join(", ", p.Orgao, p.Conjunto, p.URL), ptbr.Join(". ", p.Licenca, p.Atribuicao, p.Metodologia))
	}
	t.line(notCertificate)
	t.origin(&r.Origin)
	return t.String()
}

// text returns a record in one line, without absent values.
func (i *Item) text() string {
	var parts []string
	for n, field := range i.Fields {
		if value := i.Values[n]; value != "" && value != "null" && value != `""` {
			parts = append(parts, field.Name+": "+value)
		}
	}
	return strings.Join(parts, "; ")
}
