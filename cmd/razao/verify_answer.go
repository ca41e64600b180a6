package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"strconv"

	"razao/internal/data/cnpj"
	"razao/internal/data/territory"
	"razao/internal/store/proof"
	"razao/internal/store/render"
)

// provedRows is a company as its rows have it, in the form of the API. Meanings of codes are null, because
// they are not in the rows.
type provedRows struct {
	root                     string
	hasCompany               bool
	company                  map[string]any
	partners, establishments []any
	simples                  any
}

// decodeRows decodes the rows of a company.
func decodeRows(root cnpj.Root, rows []proof.Row) (*provedRows, error) {
	c, err := proof.Decode(root, rows)
	if err != nil {
		return nil, fmt.Errorf("the rows are in the load, but of another version of the program: %w", err)
	}
	atlas, err := territory.Open()
	if err != nil {
		return nil, err
	}
	r := render.New(nil, atlas.IBGE)
	dst := r.AppendCompany([]byte(`{"empresa":`), c.Root, &c.Company)
	dst = r.AppendPartners(append(dst, `},"socios":`...), c.AllPartners)
	dst = r.AppendEstablishments(append(dst, `,"estabelecimentos":`...), c.AllEstablishments)
	if c.HasSimples {
		dst = render.AppendSimples(append(dst, `,"simples":`...), &c.Simples)
	}
	value, err := proof.ReadJSON(bytes.NewReader(append(dst, '}')))
	if err != nil {
		return nil, fmt.Errorf("the rows are in the load, but cannot be written: %w", err)
	}
	all := value.(map[string]any)
	return &provedRows{
		root: root.String(), hasCompany: c.HasCompany, company: all["empresa"].(map[string]any), partners: all["socios"].([]any),
		establishments: all["estabelecimentos"].([]any), simples: all["simples"],
	}, nil
}

const (
	meanings       = "descricoes"      // of codes, an object within a record
	companyRecurso = "empresa"         // in dados, and recurso in meta
	establishment  = "estabelecimento" // the same
)

// answer returns what an answer must say, in the form that it has: of v1, or of basic or full of v2. compared
// says what of it follows from the rows. What decides the form (members that one has and others have not,
// the number of an establishment, the length of a first page) is taken from the answer, and is part of what
// is compared.
func (r *provedRows) answer(answered any) (want map[string]any, compared []string, err error) {
	body, _ := answered.(map[string]any)
	dados, _ := body["dados"].(map[string]any)
	switch {
	case dados == nil, dados["checkpoint"] != nil:
		return nil, nil, errors.New("it is no answer of /v1/cnpj/{cnpj}, nor of …/basic or …/full")
	case dados["cnpj_basico"] != nil:
		want, compared = r.v1(dados)
	default:
		want, compared = r.v2(dados)
		expectGaps(want, body)
	}
	return withUnprovedMeanings(want).(map[string]any), compared, nil
}

// expectGaps adds to an expected answer of v2 what one says of a load that lacks files: the proof is of the rows that were
// loaded, and says nothing of others.
func expectGaps(want, body map[string]any) {
	meta, _ := body["meta"].(map[string]any)
	if gaps, _ := meta["lacunas"].([]any); len(gaps) == 0 {
		return
	}
	expected := want["meta"].(map[string]any)
	expected["lacunas"], expected["disponibilidade"] = proof.Exemption{Why: "what was missing when the load was made is not signed: the page of the load says it", Takes: isList}, "parcial"
	mine, _ := want["dados"].(map[string]any)
	theirs, _ := body["dados"].(map[string]any)
	company, _ := mine[companyRecurso].(map[string]any)
	answered, _ := theirs[companyRecurso].(map[string]any)
	for _, pages := range [][2]any{{mine["estabelecimentos"], theirs["estabelecimentos"]}, {company["socios"], answered["socios"]}} {
		page, _ := pages[0].(map[string]any)
		shown, _ := pages[1].(map[string]any)
		if page != nil && shown["total_minimo"] != nil {
			page["total_minimo"] = true
		}
	}
}

// v1 returns an answer of /v1/cnpj/{cnpj}: of the company with all establishments, or with one.
func (r *provedRows) v1(dados map[string]any) (want map[string]any, compared []string) {
	shown := r.establishments
	if only, _ := dados["estabelecimentos"].([]any); len(only) == 1 {
		if e := r.establishment(only[0]); e != nil {
			shown = []any{e}
		}
	}
	var company any
	if r.hasCompany {
		company = r.company
	}
	want = map[string]any{
		"dados": map[string]any{"cnpj_basico": r.root, "empresa": company, "estabelecimentos": shown, "socios": r.partners, "simples": r.simples},
		"meta":  map[string]any{"versao": "v1", "competencia": month, "requisicao_id": ofRequest},
	}
	compared = []string{
		"dados.empresa", "dados.simples", part("dados.socios", r.partners, r.partners), part("dados.estabelecimentos", shown, r.establishments),
	}
	return want, compared
}

// v2 returns an answer of /v2/empresas/{raiz} or /v2/estabelecimentos/{cnpj}, basic or full.
func (r *provedRows) v2(dados map[string]any) (want map[string]any, compared []string) {
	company, recurso, document, modo := maps.Clone(r.company), companyRecurso, r.root, "basic"
	mine := map[string]any{companyRecurso: company}
	theirs, _ := dados[companyRecurso].(map[string]any)
	company["simples"] = r.simples
	limit := limitOf(theirs["socios"], r.partners)
	if dados[establishment] != nil {
		only, _ := r.establishment(dados[establishment]).(map[string]any)
		mine[establishment] = only
		recurso = establishment
		document, _ = only["cnpj"].(string)
		compared = []string{"dados.estabelecimento"}
	} else {
		limit = min(limit, limitOf(dados["estabelecimentos"], r.establishments))
		shown := r.establishments[:min(limit, len(r.establishments))]
		mine["estabelecimentos"] = r.page(dados["estabelecimentos"], "estabelecimentos", shown, r.establishments)
		compared = []string{part("dados.estabelecimentos", shown, r.establishments)}
	}
	shown := r.partners[:min(limit, len(r.partners))]
	company["socios"] = r.page(theirs["socios"], "socios", shown, r.partners)
	if _, full := dados["registros_publicos"]; full {
		mine["registros_publicos"], modo = records, "full"
	}
	return map[string]any{"dados": mine, "meta": metaOf(modo, recurso, document)},
		append([]string{"dados.empresa", "dados.empresa.simples", part("dados.empresa.socios", shown, r.partners)}, compared...)
}

// part says how many items of a collection an answer has.
func part(path string, shown, all []any) string {
	return fmt.Sprintf("%s: %d of %d", path, len(shown), len(all))
}

// establishment returns the establishment that has the number of another one, nil if there is none.
func (r *provedRows) establishment(like any) any {
	number, _ := like.(map[string]any)
	for _, e := range r.establishments {
		if e.(map[string]any)["cnpj"] == number["cnpj"] {
			return e
		}
	}
	return nil
}

// limitOf returns how many items a page may have had at most: as many as it has, unless it has all or none.
// All pages of an answer have the same limit.
func limitOf(page any, all []any) int {
	shown, _ := page.(map[string]any)
	items, _ := shown["itens"].([]any)
	if len(items) == 0 || len(items) >= len(all) {
		return math.MaxInt
	}
	return len(items)
}

// page returns the first page of a collection of the company, given that of the answer.
func (r *provedRows) page(answered any, name string, shown, all []any) map[string]any {
	want := map[string]any{"itens": shown, "total": json.Number(strconv.Itoa(len(all))), "proximo_cursor": nil, "proxima_url": nil}
	if len(shown) < len(all) {
		theirs, _ := answered.(map[string]any)
		cursor, _ := theirs["proximo_cursor"].(string)
		want["proximo_cursor"] = proof.Exemption{Why: "what follows this page is not in the answer", Takes: isCursor}
		want["proxima_url"] = fmt.Sprintf("/v2/empresas/%s/%s?cursor=%s&limite=%d", r.root, name, cursor, len(shown))
	}
	return want
}

var cursors = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

func isCursor(value any) bool {
	text, _ := value.(string)
	return cursors.MatchString(text)
}

// What follows from nothing that is signed.
var (
	records   = proof.Exemption{Why: "which sources are here, and what they say: each has months of its own and no proof", Takes: isObject}
	month     = proof.Exemption{Why: "the month is not signed: the page of the load says it", Takes: isTextOrNull}
	ofRequest = proof.Exemption{Why: "of the request and the server, not of the company", Takes: isText}
)

func isText(value any) bool {
	_, is := value.(string)
	return is
}

func isObject(value any) bool {
	_, is := value.(map[string]any)
	return is
}

func isList(value any) bool {
	_, is := value.([]any)
	return is
}

func isTextOrNull(value any) bool { return value == nil || isText(value) }

// metaOf returns the meta of an answer of v2.
func metaOf(modo, recurso, document string) map[string]any {
	meta := map[string]any{
		"versao": "v2", "release": ofRequest, "recurso": recurso, "modo": modo, "documento": document, "competencia": month, "fotografia": ofRequest,
		"requisicao_id": ofRequest, "disponibilidade": "completa",
	}
	if modo == "full" {
		meta["disponibilidade"] = ofRequest
	}
	return meta
}

// withUnprovedMeanings returns a copy of a value in which Unproved stands for the meanings of codes. These may
// be any text, of the codes that the rows have.
func withUnprovedMeanings(value any) any {
	return eachMeaning(value, func(of any) (any, bool) {
		return proof.Exemption{Why: "meanings of codes are not in the rows", Takes: func(v any) bool { return areMeanings(of, v) }}, true
	})
}

// withoutMeanings returns a copy of a value without the meanings of codes.
func withoutMeanings(value any) any {
	return eachMeaning(value, func(any) (any, bool) { return nil, false })
}

// eachMeaning returns a copy of a value in which another stands for the meanings of codes, or none.
func eachMeaning(value any, instead func(any) (any, bool)) any {
	switch v := value.(type) {
	case map[string]any:
		members := make(map[string]any, len(v))
		for name, inner := range v {
			if name != meanings {
				members[name] = eachMeaning(inner, instead)
			} else if other, ok := instead(inner); ok {
				members[name] = other
			}
		}
		return members
	case []any:
		items := make([]any, len(v))
		for i, inner := range v {
			items[i] = eachMeaning(inner, instead)
		}
		return items
	}
	return value
}

// areMeanings reports whether an answer has meanings of the same codes.
func areMeanings(of, answered any) bool {
	codes, nested := of.(map[string]any)
	if !nested {
		return isTextOrNull(answered)
	}
	texts, ok := answered.(map[string]any)
	if !ok || len(texts) != len(codes) {
		return false
	}
	for code, inner := range codes {
		if text, met := texts[code]; !met || !areMeanings(inner, text) {
			return false
		}
	}
	return true
}
