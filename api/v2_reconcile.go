package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

	"razao/index"
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
// Of the protocol it lacks suggest services, which are optional, and CORS: keys do not belong in browsers.
// `razao ask openrefine` stands between the two.
const (
	reconcilePath        = "/v2/reconciliar"
	reconcilePreviewPath = reconcilePath + "/previa"
	reconcileProposePath = reconcilePath + "/campos"
)

const (
	mostQuestions    = 50 // in a batch
	questionsPerCall = 10 // that count as one call, if they are no more work than that
	reconcileCalls   = 50 // that a batch counts as, at most: fewer than a minute has
	usualCandidates  = 10
	mostCandidates   = 25
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

// properties are what a question may say beside the name.
var properties = []string{"municipio", "uf", "atividade"}

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

// candidates answer a question. Error says what is wrong with it; there are no candidates then. The protocol requires the result, which
// OpenRefine reads, and allows more beside it.
type candidates struct {
	Result []candidate   `json:"result"`
	Error  *refusedQuery `json:"error,omitempty"`
}

// refusedQuery has code and message of an error as other answers have them.
type refusedQuery struct {
	Code    string `json:"codigo"`
	Message string `json:"mensagem"`
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
	for _, path := range []string{reconcilePath, reconcilePath + "/"} { // the protocol calls it an endpoint, and people end it with a slash
		web.Get(routes, path, asked(false, web.Limit(a.config.Requests, a.fail)), asked(true, a.protect), asked(true, a.shed),
			asked(false, a.open(a.manifest)), asked(true, a.keyed(a.takesLong(a.reconcileOne))))
		routes.POST(path, a.protect, a.receive, a.shed, a.keyed(a.takesLong(a.reconcileMany)))
	}
	web.Get(routes, reconcileProposePath, a.protect, a.shed, a.keyed(a.proposeProperties))
	web.Get(routes, reconcilePreviewPath, a.protect, a.shed, a.keyed(a.preview))
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
		m = append(
			m,
			field("documentation", base+"/api#reconciliar"),
			field("view", openapi.Object{field("url", base+"/{{id}}")}),
			field("preview", openapi.Object{field("url", base+reconcilePreviewPath+"?id={{id}}"), field("width", previewWidth), field("height", previewHeight)}),
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

var notOneForm = &batchError{"", "Envie um formulário (application/x-www-form-urlencoded) com o campo queries ou extend."}

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
		answer := candidates{Result: []candidate{}}
		wanted, most, err := readQuery(matcher, questions[key])
		if err != nil {
			f := failureOf(err)
			answer.Error = &refusedQuery{f.code, f.message}
			answers[key] = answer
			continue
		}
		found, err := matcher.Find(c.Request.Context(), s, wanted, most, budget)
		if err != nil {
			return err
		}
		for i := range found {
			answer.Result = append(answer.Result, a.candidate(s, &found[i]))
		}
		answers[key] = answer
	}
	return b.encode(answers)
}

// questionsOf reads a batch of questions, each of which is read by itself. The error is a *batchError.
func questionsOf(queries string) (questions map[string]json.RawMessage, err error) {
	decoder := json.NewDecoder(strings.NewReader(queries))
	if err := decoder.Decode(&questions); err != nil || decoder.More() {
		return nil, &batchError{"queries", `queries não é um lote de perguntas: {"q0": {"query": "nome da empresa"}}, em JSON.`}
	}
	if len(questions) == 0 || len(questions) > mostQuestions {
		return nil, &batchError{"queries", fmt.Sprintf("Envie de 1 a %d perguntas em queries.", mostQuestions)}
	}
	return questions, nil
}

// readQuery returns what a question wants, and how many candidates. The error is a *batchError.
func readQuery(matcher *reconcile.Matcher, raw json.RawMessage) (w reconcile.Wanted, most int, err error) {
	refuse := func(format string, args ...any) (reconcile.Wanted, int, error) {
		return reconcile.Wanted{}, 0, &batchError{"queries", fmt.Sprintf(format, args...)}
	}
	var q *reconcileQuery
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&q); err != nil || q == nil {
		return refuse(`A pergunta não é um objeto com query, um texto, e se quiser limit, type e properties.`)
	}
	if !utf8.ValidString(q.Query) || utf8.RuneCountInString(q.Query) > index.LongestText {
		return refuse("query passa de %d caracteres.", index.LongestText)
	}
	said := map[string]string{}
	for _, p := range q.Properties {
		if !slices.Contains(properties, p.PID) {
			return refuse("Propriedade desconhecida: %s. As propriedades são municipio, uf e atividade.", repeated(p.PID))
		}
		value, ok := textOf(p.V)
		if !ok {
			return refuse("O valor de %s não é um texto de até %d caracteres, um número ou uma lista deles.", p.PID, index.LongestText)
		}
		said[p.PID] = value
	}
	return matcher.Read(q.Query, said["municipio"], said["uf"], said["atividade"]), q.most(), nil
}

// most returns how many candidates are asked for.
func (q *reconcileQuery) most() int {
	if q.Limit < 1 {
		return usualCandidates
	}
	return int(min(q.Limit, mostCandidates))
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
		return v, utf8.RuneCountInString(v) <= index.LongestText
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	case map[string]any:
		for _, member := range []string{"name", "id"} {
			if text, isText := v[member].(string); isText {
				return text, utf8.RuneCountInString(text) <= index.LongestText
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

// identifier returns the positions of an identifier as people write it, 12.345.678/0001-95; what is none as it is.
func identifier(id string) string {
	if typed, ok := cnpj.Read(id); ok {
		return typed.Text
	}
	return id
}

// preview serves a page about an establishment or, for 8 positions, the head office of a company. The errors are cnpj.ErrInvalid,
// *registry.AbsentError and those of the records.
func (a *API) preview(c *gin.Context, b *body) error {
	query, err := parameters(c.Request.URL, "id")
	if err != nil {
		return err
	}
	document, err := registry.ParseDocument(identifier(query.Get("id")))
	if err != nil {
		return &argumentError{"id", err}
	}
	ctx := c.Request.Context()
	s, err := a.config.Live.Acquire()
	if err != nil {
		return fmt.Errorf("current snapshot: %w", err)
	}
	defer s.Release()
	h, err := s.Company(ctx, document.Root)
	if err != nil {
		return &argumentError{"id", err}
	}
	e, err := reconcile.Establishment(ctx, s, &h, document)
	switch {
	case err != nil:
		return err
	case e == nil:
		return &argumentError{"id", s.Load.Absent(registry.Document{Root: document.Root, Order: new(cnpj.Order)})}
	}
	var page bytes.Buffer
	err = preview{
		name: h.NameOf(e), trade: e.NomeFantasia, number: e.CNPJ.Masked(), place: a.cityOf(s, e),
		status:   ptbr.Since(meaning(s, record.DomainSituacao, e.SituacaoCadastral), e.DataSituacaoCadastral.Time()),
		activity: meaning(s, record.DomainCNAE, e.CNAEFiscalPrincipal), capital: ptbr.Capital(h.Company.CapitalSocial),
	}.page().Render(ctx, &page)
	b.bytes, b.contentType, b.etag = append(b.bytes, page.Bytes()...), htmlType, web.ETag(page.Bytes())
	return err
}

// refusalPage is the page that says in a frame why there is no preview.
func refusalPage(ctx context.Context, message string) []byte {
	var page bytes.Buffer
	_ = refusedPreview(message).Render(ctx, &page) // a buffer takes everything
	return page.Bytes()
}
