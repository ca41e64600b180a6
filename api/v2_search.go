package api

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"razao/index"
	"razao/index/filter"
	"razao/internal/data/cnpj"
	"razao/internal/store/render"
	"razao/internal/store/snapshot"
	"razao/internal/web"
)

const searchPath = "/v2/busca"

// Values of the parameters of a search, and what they mean to the index.
var (
	scopes = map[string]index.Scope{"nomes": index.InNames, "socios": index.InPartners}
	orders = map[string]index.Order{
		"relevancia": index.ByRank, "capital": index.ByCapital, "nome": index.ByName, "recentes": index.ByNewest, "antigas": index.ByOldest,
	}
	yesOrNo = map[string]bool{"sim": true, "nao": false}
)

// searchRequest is a parsed request of /v2/busca. searchRequestOf fills what can be validated without a load,
// readFilters the filters, whose codes a load defines, and then the cursor, which is bound to all of it.
type searchRequest struct {
	index.Query
	at     collectionAt
	facets bool
	state  int64 // of the cursor, see stateOf; 0: there is no cursor
}

// search serves /v2/busca. Results and facet counts come from one snapshot. A cursor holds an
// offset into the result set, so it is valid as long as stateOf is the same.
func (a *API) search(c *gin.Context, b *body) error {
	q, query, err := searchRequestOf(c.Request.URL)
	if err != nil {
		return err
	}
	reader, err := a.config.Live.Filters()
	if err != nil {
		return err
	}
	s, err := a.config.Live.Acquire()
	if err != nil {
		// A value that no load can have is a 400 even without a snapshot: retrying would not help.
		return cmp.Or(q.readFilters(a.cursors, reader, filter.AnyLoad{}, query), fmt.Errorf("current snapshot: %w", err))
	}
	defer s.Release()
	if err := q.readFilters(a.cursors, reader, s, query); err != nil {
		return err
	}
	sources := q.Filters.Sources()
	state := stateOf(s, q.Filters)
	if q.state != 0 && q.state != state {
		return errSnapshotChanged
	}
	ctx := c.Request.Context()
	found, err := s.Find(ctx, q.Query)
	if err != nil {
		return err
	}
	r := &searchRenderer{Renderer: render.Of(s), searchRequest: q, cursors: a.cursors, state: state}
	r.describe = func(c index.Condition) string {
		given, _ := reader.Value(s, c.Name, c.Value)
		return given.Text
	}
	// A filter by a source without a load matches nothing, which must not pass for a finding: the
	// response is partial.
	r.partial = slices.ContainsFunc(sources, func(id string) bool { return s.LoadOf(id) == 0 })
	if q.facets {
		if r.counts, err = s.Facets(ctx, q.Query); err != nil {
			return err
		}
		r.partial = r.partial || len(s.Unflagged()) > 0
	}
	b.bytes = r.dados(append(b.bytes, `{"dados":`...), &found)
	lacking := found.Lacking
	if q.facets {
		lacking = s.Load.Lacking()
	}
	b.etag = web.ETag(appendGaps(b.bytes, &s.Load, lacking))
	b.bytes = appendRelease(b.bytes, "busca")
	b.bytes = appendSnapshot(b.bytes, s, web.EventOf(ctx).RequestID, r.partial, lacking)
	b.bytes = append(b.bytes, '}')
	return nil
}

// stateOf hashes what an offset in a search depends on (snapshot.StateOf): the index, the loads of
// the filtering sources, and the day for sanctions in force. It takes the place of the load in
// cursors, so loads of other sources do not end a walk. The result is positive; 0 stands for "no
// cursor".
func stateOf(s *snapshot.Snapshot, f filter.Set) int64 {
	sum := sha256.Sum256([]byte(s.StateOf(f)))
	return int64(binary.BigEndian.Uint64(sum[:])>>1 | 1)
}

// searchRequestOf parses everything but filters and cursor. The errors are parameterError and, for a CNPJ
// with wrong check digits, cnpj.ErrInvalid: an empty result would pass for absence.
func searchRequestOf(u *url.URL) (q searchRequest, query url.Values, err error) {
	q.at.path = searchPath
	if query, err = parametersWith(u, filter.Names(), "q", "em", "agrupar", "literal", "ordem", "limite", "cursor", "facetas"); err != nil {
		return q, nil, err
	}
	if q.at.limit, err = limitOf(query); err != nil {
		return q, nil, err
	}
	if err := q.readText(query); err != nil {
		return q, nil, err
	}
	return q, query, q.readOptions(query)
}

// readFilters parses the filters, checking codes with d, and verifies the cursor. It sets the offset,
// the limit and the canonical address. The errors are parameterError and errCursor.
func (q *searchRequest) readFilters(cursors cursorSigner, reader *filter.Reader, d filter.Describer, query url.Values) (err error) {
	if q.Filters, err = filtersOf(reader, d, query); err != nil {
		return err
	}
	if q.Text == "" && q.Filters.Empty() {
		// Everything by rank is no search; the website and the assistants require one, too.
		return parameterError{name: "q", problem: nothingAsked}
	}
	q.at.query = q.canonicalQuery()
	q.Limit = q.at.limit
	if query.Has("cursor") {
		q.state, q.Offset, err = cursors.read(query.Get("cursor"), q.at.signed(), q.at.limit)
	}
	return err
}

// readText parses q, with white space normalized.
func (q *searchRequest) readText(query url.Values) error {
	text := query.Get("q")
	q.Text = strings.Join(strings.Fields(text), " ")
	switch {
	case !utf8.ValidString(text), query.Has("q") && q.Text == "", utf8.RuneCountInString(q.Text) > index.LongestText:
		return wrong("q", text, fmt.Sprintf("Envie um texto em UTF-8 com até %d caracteres.", index.LongestText))
	case cnpj.Mistyped(q.Text):
		return &argumentError{"q", cnpj.ErrCheckDigits}
	}
	return nil
}

// readOptions parses the options: scope, grouping, literal places, order, facets.
func (q *searchRequest) readOptions(query url.Values) error {
	var err error
	if q.Scope, err = oneOf(query, "em", scopes, index.InAll); err != nil {
		return err
	}
	if q.ByCompany, err = oneOf(query, "agrupar", yesOrNo, true); err != nil {
		return err
	}
	if q.LiteralPlaces, err = oneOf(query, "literal", map[string]bool{"0": false, "1": true}, false); err != nil {
		return err
	}
	if q.Order, err = oneOf(query, "ordem", orders, index.ByRank); err != nil {
		return err
	}
	q.facets, err = oneOf(query, "facetas", yesOrNo, false)
	return err
}

// oneOf maps the value of a parameter by words; usual if it is missing. The error is a
// parameterError that lists the words.
func oneOf[T any](query url.Values, name string, words map[string]T, usual T) (T, error) {
	if !query.Has(name) {
		return usual, nil
	}
	value, ok := words[query.Get(name)]
	if !ok {
		all := slices.Sorted(maps.Keys(words))
		return value, wrong(name, query.Get(name), "Valores possíveis: "+strings.Join(all, ", ")+".")
	}
	return value, nil
}

// canonicalQuery returns the canonical query string: equal for equal searches, whatever spelling and
// order the client used. Cursors sign it. Page and facets, which are the same on all pages, are
// left out.
func (q *searchRequest) canonicalQuery() string {
	v := q.Filters.Parameters()
	if q.Text != "" {
		v.Set("q", q.Text)
	}
	for word, scope := range scopes {
		if scope == q.Scope {
			v.Set("em", word)
		}
	}
	for word, order := range orders {
		if order == q.Order && order != index.ByRank {
			v.Set("ordem", word)
		}
	}
	if !q.ByCompany {
		v.Set("agrupar", "nao")
	}
	if q.LiteralPlaces {
		v.Set("literal", "1")
	}
	return v.Encode()
}
