package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"razao/index/term"
	"razao/internal/data/cnpj"
	"razao/internal/data/openapi"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/reconcile"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/web"
)

// Paths of the reconciliation service. Its shapes are those of the Reconciliation Service API 0.2 of W3C's
// Entity Reconciliation Community Group, which OpenRefine speaks, so answers have neither dados nor meta.
// Of the protocol it lacks CORS: keys do not belong in browsers. `razao ask openrefine` stands between the two.
const (
	reconcilePath         = "/v2/reconciliar"
	reconcilePreviewPath  = reconcilePath + "/previa"
	reconcileSuggestPath  = reconcilePath + "/sugestoes"
	reconcilePropertyPath = reconcilePath + "/propriedades"
	reconcileFlyoutPath   = reconcilePath + "/cartao"
	reconcileProposePath  = reconcilePath + "/campos"
)

const (
	mostQuestions    = 50 // in a batch
	questionsPerCall = 10 // that count as one call, if they are no more work than that
	reconcileCalls   = 50 // that a batch counts as, at most: fewer than a minute has
	usualCandidates  = 10
	mostCandidates   = 25
	mostSuggestions  = 50 // up to where suggestions go on
	suggestionsShown = 10
)

// Identifiers are CNPJs, as org-id.guide registers them.
const (
	identifierSpace = "https://org-id.guide/list/BR-CNPJ"
	schemaSpace     = "https://schema.org/Organization"
)

// entityType is the one type of the service.
type entityType struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

var onlyType = []entityType{{"empresa", "Empresa"}}

// suggestion is an item of a suggest service.
type suggestion struct {
	ID          string       `json:"id"`
	Name        string       `json:"name"`
	Description string       `json:"description"`
	Notable     []entityType `json:"notable,omitempty"`
}

// properties are what a question may say beside the name.
var properties = []suggestion{
	{ID: "municipio", Name: "Município", Description: "nome, com ou sem a UF, ou código da Receita ou do IBGE"},
	{ID: "uf", Name: "UF", Description: "sigla ou nome do estado"},
	{ID: "atividade", Name: "Atividade", Description: "código da CNAE ou palavras, como padaria"},
}

// reconcileQuery is a question of the protocol.
type reconcileQuery struct {
	Query      string          `json:"query"`
	Limit      float64         `json:"limit"`
	Properties []propertyValue `json:"properties"`
	// Ignored: there is one type.
	Type       json.RawMessage `json:"type"`
	TypeStrict json.RawMessage `json:"type_strict"`
}

type propertyValue struct {
	PID string          `json:"pid"`
	V   json.RawMessage `json:"v"`
}

// candidate is a reconciliation candidate.
type candidate struct {
	ID          string       `json:"id"`
	Name        string       `json:"name"`
	Description string       `json:"description"`
	Type        []entityType `json:"type"`
	Score       float64      `json:"score"`
	Match       bool         `json:"match"`
	Features    []feature    `json:"features"`
}

// feature is a matching feature; Value is a number or a boolean.
type feature struct {
	ID    string `json:"id"`
	Value any    `json:"value"`
}

type candidates struct {
	Result []candidate `json:"result"`
}

// registerReconciliation adds the routes of the service. Without queries, the path itself is the manifest, which needs no key.
func (a *API) registerReconciliation(routes gin.IRouter) {
	asked := func(asked bool, handler gin.HandlerFunc) gin.HandlerFunc {
		return func(c *gin.Context) {
			if asked == (c.Request.URL.RawQuery != "") {
				handler(c)
			}
		}
	}
	web.Get(routes, reconcilePath, asked(false, web.Limit(a.config.Requests, a.fail)), asked(true, a.protect), asked(true, a.shed),
		asked(false, a.open(a.manifest)), asked(true, a.keyed(a.takesLong(a.reconcileOne))))
	routes.POST(reconcilePath, a.protect, a.receive, a.shed, a.keyed(a.takesLong(a.reconcileMany)))
	web.Get(routes, reconcileSuggestPath, a.protect, a.shed, a.keyed(a.suggestEntities))
	web.Get(routes, reconcilePropertyPath, a.protect, a.shed, a.keyed(a.suggestProperties))
	web.Get(routes, reconcileProposePath, a.protect, a.shed, a.keyed(a.proposeProperties))
	web.Get(routes, reconcilePreviewPath, a.protect, a.shed, a.keyed(a.preview))
	web.Get(routes, reconcileFlyoutPath, a.protect, a.shed, a.keyed(a.flyout))
}

// manifest serves the service manifest. Without the address of the site it names no further services.
func (a *API) manifest(_ *gin.Context, b *body) error {
	field := openapi.Field
	m := openapi.Object{
		field("versions", []string{"0.2"}),
		field("name", "Razão: empresas do Brasil (CNPJ)"),
		field("identifierSpace", identifierSpace),
		field("schemaSpace", schemaSpace),
		field("defaultTypes", onlyType),
		field("batchSize", mostQuestions),
		field("serviceVersion", Release),
		// As the protocol has it, in the words of OpenAPI 2.0, which knows no bearer.
		field("authentication", openapi.Object{field("type", "apiKey"), field("name", "Authorization"), field("in", "header"), field("description", "Bearer rz_…")}),
	}
	if base := a.config.BaseURL; base != "" {
		service := func(path string) openapi.Object { // with cards: without, OpenRefine asks for some of a service that is no more
			return openapi.Object{field("service_url", base), field("service_path", path), field("flyout_service_url", base), field("flyout_service_path", reconcileFlyoutPath+"?id=${id}")}
		}
		m = append(
			m,
			field("documentation", base+"/api#reconciliar"),
			field("view", openapi.Object{field("url", base+"/{{id}}")}),
			field("preview", openapi.Object{field("url", base+reconcilePreviewPath+"?id={{id}}"), field("width", previewWidth), field("height", previewHeight)}),
			field("suggest", openapi.Object{field("entity", service(reconcileSuggestPath)), field("property", service(reconcilePropertyPath))}),
			field("extend", openapi.Object{
				field("propose_properties", openapi.Object{field("service_url", base), field("service_path", reconcileProposePath)}),
				field("property_settings", extensionSettings),
			}),
		)
	}
	return b.encode(m)
}

// encode makes v the response.
func (b *body) encode(v any) error {
	raw, err := openapi.Marshal(v)
	b.bytes, b.etag = append(b.bytes, raw...), web.ETag(raw)
	return err
}

// reconcileOne answers questions in the address, as people try them out.
func (a *API) reconcileOne(c *gin.Context, b *body) error {
	query, err := parameters(c.Request.URL, "queries", "extend")
	if err != nil {
		return err
	}
	return a.reconcileOrExtend(c, b, query)
}

// reconcileMany answers questions in a form.
func (a *API) reconcileMany(c *gin.Context, b *body) error {
	if _, err := parameters(c.Request.URL); err != nil {
		return err
	}
	raw, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, maxBatch))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return errBatchTooLarge
	}
	if err != nil {
		return fmt.Errorf("read questions: %w", err)
	}
	form, err := url.ParseQuery(string(raw))
	if err != nil {
		return notOneForm
	}
	err = a.reconcileOrExtend(c, b, form)
	b.etag = "" // of a POST, nothing is stored
	return err
}

var notOneForm = &batchError{"Envie um formulário (application/x-www-form-urlencoded) com o campo queries ou extend."}

// reconcileOrExtend answers questions for candidates or for columns.
func (a *API) reconcileOrExtend(c *gin.Context, b *body, form url.Values) error {
	switch queries, extend := form.Has("queries"), form.Has("extend"); {
	case queries && !extend:
		return a.reconcile(c, b, form.Get("queries"))
	case extend && !queries:
		return a.extend(c, b, form.Get("extend"))
	}
	return notOneForm
}

// reconcile answers a batch of questions, each by itself.
func (a *API) reconcile(c *gin.Context, b *body, queries string) error {
	questions, err := questionsOf(queries)
	if err != nil {
		return err
	}
	matcher, err := reconcile.New(a.config.Live)
	if err != nil {
		return err
	}
	wanted := map[string]reconcile.Wanted{}
	for key, q := range questions {
		if wanted[key], err = q.read(matcher, key); err != nil {
			return err
		}
	}
	calls := (len(questions)-1)/questionsPerCall + 1
	if err := a.admitFurther(c, calls-1); err != nil {
		return err
	}
	budget := snapshot.NewBudget(calls, reconcileCalls-calls, func(context.Context) error { return a.admitFurther(c, 1) })
	s, err := a.config.Live.Acquire()
	if err != nil {
		return fmt.Errorf("current snapshot: %w", err)
	}
	defer s.Release()
	answers := map[string]candidates{}
	for _, key := range slices.Sorted(maps.Keys(questions)) {
		if budget != nil && budget.Spent() {
			budget = nil // all that a batch may count as is paid
		}
		q := questions[key]
		found, err := matcher.Find(c.Request.Context(), s, wanted[key], q.most(), budget)
		if err != nil {
			return err
		}
		answer := candidates{[]candidate{}}
		for i := range found {
			answer.Result = append(answer.Result, a.candidate(s, &found[i]))
		}
		answers[key] = answer
	}
	return b.encode(answers)
}

// questionsOf reads a batch of questions. The error is a *batchError.
func questionsOf(queries string) (questions map[string]reconcileQuery, err error) {
	decoder := json.NewDecoder(bytes.NewReader([]byte(queries)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&questions); err != nil || decoder.More() {
		return nil, &batchError{`queries não é um lote de perguntas: {"q0": {"query": "nome da empresa"}}, em JSON.`}
	}
	if len(questions) == 0 || len(questions) > mostQuestions {
		return nil, &batchError{fmt.Sprintf("Envie de 1 a %d perguntas em queries.", mostQuestions)}
	}
	return questions, nil
}

// most returns how many candidates are asked for.
func (q *reconcileQuery) most() int {
	if q.Limit < 1 {
		return usualCandidates
	}
	return int(min(q.Limit, mostCandidates))
}

// read returns what a question wants. The error is a *batchError.
func (q *reconcileQuery) read(matcher *reconcile.Matcher, key string) (w reconcile.Wanted, err error) {
	if !utf8.ValidString(q.Query) || utf8.RuneCountInString(q.Query) > longestQuery {
		return w, &batchError{fmt.Sprintf("query de %s passa de %d caracteres.", repeated(key), longestQuery)}
	}
	said := map[string]string{}
	for _, p := range q.Properties {
		if !slices.ContainsFunc(properties, func(known suggestion) bool { return known.ID == p.PID }) {
			return w, &batchError{"Propriedade desconhecida: " + repeated(p.PID) + ". As propriedades são municipio, uf e atividade."}
		}
		value, ok := textOf(p.V)
		if !ok {
			return w, &batchError{"O valor de " + p.PID + " em " + repeated(key) + " não é um texto, um número ou uma lista deles."}
		}
		said[p.PID] = value
	}
	return matcher.Read(q.Query, said["municipio"], said["uf"], said["atividade"]), nil
}

// textOf returns the text of a property value: a string, a number, a boolean, an entity by its name, or the first of a list.
func textOf(value json.RawMessage) (text string, ok bool) {
	var v any
	if err := json.Unmarshal(value, &v); err != nil {
		return "", false
	}
	if list, isList := v.([]any); isList {
		if len(list) == 0 {
			return "", true
		}
		v = list[0]
	}
	switch v := v.(type) {
	case nil, bool:
		return "", true
	case string:
		return v, utf8.RuneCountInString(v) <= longestQuery
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	case map[string]any:
		for _, member := range []string{"name", "id"} {
			if text, isText := v[member].(string); isText {
				return text, utf8.RuneCountInString(text) <= longestQuery
			}
		}
	}
	return "", false
}

// candidate returns a candidate as the protocol has it.
func (a *API) candidate(s *snapshot.Snapshot, c *reconcile.Candidate) candidate {
	return candidate{
		ID: c.Establishment.CNPJ.String(), Name: c.Name(), Description: ptbr.Join("; ", a.describe(s, &c.Match), c.Reason()), Type: onlyType, Score: round(c.Score, 1), Match: c.Sure,
		Features: []feature{
			{"cnpj", c.Number}, {"nome", round(c.Likeness, 3)}, {"municipio", c.SameMunicipio}, {"uf", c.SameUF}, {"atividade", c.SameActivity}, {"ativa", c.Active()},
		},
	}
}

// round rounds to some decimals.
func round(x float64, decimals int) float64 {
	scale := math.Pow10(decimals)
	return math.Round(x*scale) / scale
}

// describe tells an establishment from others of its name: trade name, place, situação, activity.
func (a *API) describe(s *snapshot.Snapshot, m *snapshot.Match) string {
	e := &m.Establishment
	trade := e.NomeFantasia
	if trade == m.Name() {
		trade = ""
	}
	return ptbr.Join("; ", trade, a.cityOf(s, e), meaning(s, record.DomainSituacao, e.SituacaoCadastral), meaning(s, record.DomainCNAE, e.CNAEFiscalPrincipal))
}

// cityOf returns city and state of an establishment.
func (a *API) cityOf(s *snapshot.Snapshot, e *record.Establishment) string {
	city := meaning(s, record.DomainMunicipio, e.Municipio)
	if m, ok := a.config.Live.Atlas().ByRFB(e.Municipio); ok {
		city = m.Name
	}
	return ptbr.Join("/", city, e.UF)
}

// meaning returns the description of a code, or the code.
func meaning(s *snapshot.Snapshot, domain record.Domain, code string) string {
	if text, ok := ptbr.Meaning(s, domain, code); ok {
		return text
	}
	return code
}

// suggestEntities completes names and numbers.
func (a *API) suggestEntities(c *gin.Context, b *body) error {
	prefix, skip, err := prefixOf(c.Request.URL)
	if err != nil {
		return err
	}
	s, err := a.config.Live.Acquire()
	if err != nil {
		return fmt.Errorf("current snapshot: %w", err)
	}
	defer s.Release()
	out := suggestions{[]suggestion{}}
	if most := min(skip+suggestionsShown, mostSuggestions); skip < most {
		found, err := s.Suggest(c.Request.Context(), prefix, most)
		if err != nil {
			return err
		}
		for i := range found[min(skip, len(found)):] {
			m := &found[skip+i]
			out.Result = append(out.Result, suggestion{m.Establishment.CNPJ.String(), m.Name(), a.describe(s, m), onlyType})
		}
	}
	return b.encode(out)
}

type suggestions struct {
	Result []suggestion `json:"result"`
}

// suggestProperties completes names of properties; an empty prefix lists all.
func (a *API) suggestProperties(c *gin.Context, b *body) error {
	prefix, skip, err := prefixOf(c.Request.URL)
	if err != nil {
		return err
	}
	out := suggestions{[]suggestion{}}
	for _, p := range properties {
		if strings.HasPrefix(term.Fold(p.Name), term.Fold(prefix)) || strings.HasPrefix(p.ID, prefix) {
			out.Result = append(out.Result, p)
		}
	}
	out.Result = out.Result[min(skip, len(out.Result)):]
	return b.encode(out)
}

// prefixOf reads the parameters of a suggest service. The error is a parameterError.
func prefixOf(u *url.URL) (prefix string, skip int, err error) {
	query, err := parameters(u, "prefix", "cursor")
	if err != nil {
		return "", 0, err
	}
	prefix = query.Get("prefix")
	if !utf8.ValidString(prefix) || utf8.RuneCountInString(prefix) > longestQuery {
		return "", 0, wrong("prefix", prefix, fmt.Sprintf("Envie um texto em UTF-8 com até %d caracteres.", longestQuery))
	}
	if given := query.Get("cursor"); given != "" {
		if skip, err = strconv.Atoi(given); err != nil || skip < 0 {
			return "", 0, wrong("cursor", given, "Envie quantas sugestões pular.")
		}
	}
	return prefix, skip, nil
}

// Size of a preview in pixels.
const (
	previewWidth  = 430
	previewHeight = 220
)

// previewPage is the preview of an establishment, for a frame, and card what it has, for a box beside a list. They have no
// style: the policy of the site allows none that is inline, and frame and box are another program's.
var previewPage = template.Must(template.New("preview").Parse(`<!doctype html>
<html lang="pt-BR"><head><meta charset="utf-8"><title>{{.Name}}</title></head><body>
{{template "card" .}}
</body></html>
`))

var card = template.Must(previewPage.New("card").Parse(`<p><strong>{{.Name}}</strong>{{with .Trade}}<br>{{.}}{{end}}</p>
<p>CNPJ {{.CNPJ}}<br>{{.Place}}<br>{{.Status}}<br>{{.Activity}}{{with .Capital}}<br>Capital social: {{.}}{{end}}</p>`))

// preview serves a page about an establishment or, for 8 positions, the head office of a company.
func (a *API) preview(c *gin.Context, b *body) error {
	id, err := idOf(c.Request.URL)
	if err != nil {
		return err
	}
	page, err := a.introduce(c.Request.Context(), previewPage, id)
	b.bytes, b.contentType, b.etag = append(b.bytes, page...), "text/html; charset=utf-8", web.ETag(page)
	return err
}

// flyout serves the card of an establishment or a property.
func (a *API) flyout(c *gin.Context, b *body) error {
	id, err := idOf(c.Request.URL)
	if err != nil {
		return err
	}
	var html []byte
	if at := slices.IndexFunc(properties, func(p suggestion) bool { return p.ID == id }); at >= 0 {
		html = []byte("<p>" + template.HTMLEscapeString(properties[at].Name+": "+properties[at].Description) + "</p>")
	} else if html, err = a.introduce(c.Request.Context(), card, id); err != nil {
		return err
	}
	return b.encode(openapi.Object{openapi.Field("id", id), openapi.Field("html", string(html))})
}

// idOf reads the parameter id.
func idOf(u *url.URL) (string, error) {
	query, err := parameters(u, "id")
	return query.Get("id"), err
}

// introduce renders what is known of an establishment or a head office. The errors are cnpj.ErrInvalid, *registry.AbsentError and
// those of the records.
func (a *API) introduce(ctx context.Context, as *template.Template, id string) ([]byte, error) {
	document, err := parseDocument(id)
	if err != nil {
		return nil, err
	}
	s, err := a.config.Live.Acquire()
	if err != nil {
		return nil, fmt.Errorf("current snapshot: %w", err)
	}
	defer s.Release()
	h, err := s.Company(ctx, document.Root)
	if err != nil {
		return nil, err
	}
	if document.Order == nil {
		office, exists, err := s.HeadOfficeOf(ctx, &h)
		if err != nil {
			return nil, err
		}
		if !exists {
			return nil, s.Load.Absent(registry.Document{Root: document.Root, Order: new(cnpj.Order)})
		}
		order := office.Order()
		document.Order = &order
	}
	e, err := s.Establishment(ctx, &h, *document.Order)
	if err != nil {
		return nil, err
	}
	var page bytes.Buffer
	err = as.Execute(&page, map[string]string{
		"Name": h.NameOf(&e), "Trade": e.NomeFantasia, "CNPJ": e.CNPJ.Masked(), "Place": a.cityOf(s, &e),
		"Status":   ptbr.Since(meaning(s, record.DomainSituacao, e.SituacaoCadastral), e.DataSituacaoCadastral.Time()),
		"Activity": meaning(s, record.DomainCNAE, e.CNAEFiscalPrincipal), "Capital": ptbr.Capital(h.Company.CapitalSocial),
	})
	return page.Bytes(), err
}
