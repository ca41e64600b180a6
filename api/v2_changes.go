package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"razao/index"
	"razao/index/filter"
	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/journal"
	"razao/internal/store/registry/history"
	"razao/internal/store/render"
	"razao/internal/web"
)

const (
	modeChanges = "mudancas"
	changesPath = "/v2/" + modeChanges

	// A page of the whole country's changes. A month has millions, and an account sixty calls a minute.
	usualChanges, mostChanges = 100, 1000
)

// readChanges reads the history of a company, and of an establishment only its own events and those of
// the company as a whole. What is not in the load any more still has a history; the error is
// *registry.AbsentError if it has none either.
//
// The position of a page is the number of a load and that of an event in it, so that it survives new
// loads: they come before it.
func (r *v2Renderer) readChanges(ctx context.Context) error {
	of, err := journal.OfCompanies(ctx, r.snap, []cnpj.Root{r.document.Root}, 0)
	if err != nil {
		return err
	}
	known := false
	for _, c := range of[r.document.Root] {
		if r.document.Order != nil && !c.Concerns(*r.document.Order) {
			continue
		}
		_, ofEstablishment := c.OrderOf()
		known = known || ofEstablishment || r.document.Order == nil
		r.history = append(r.history, c)
	}
	if !known {
		if err := r.readDocument(ctx); err != nil {
			return err
		}
	}
	r.coverage, err = journal.Coverage(ctx, r.snap)
	return err
}

// changes appends a page of the history of the document, the load announced last first, each load's events
// in their order.
func (r *v2Renderer) changes(dst []byte) []byte {
	dst = render.AppendText(dst, `{"cnpj_basico":`, r.document.Root.String())
	dst = append(dst, `,"itens":[`...)
	rest := r.history[r.firstChange():]
	shown := rest[:min(r.limit, len(rest))]
	for i := range shown {
		dst = r.AppendEvent(render.AppendComma(dst, i), &shown[i])
	}
	dst = append(dst, ']')
	dst = appendCoverage(dst, r.coverage)
	dst = render.AppendInt(dst, `,"total":`, int64(len(r.history)))
	if len(shown) == len(rest) {
		return append(dst, lastPage...)
	}
	next := &rest[len(shown)]
	return r.next(dst, r.address(modeChanges), journalNumber(next), next.Index)
}

// firstChange returns the place of the first event at or behind the position of the request.
func (r *v2Renderer) firstChange() int {
	if r.load == 0 {
		return 0
	}
	at := slices.IndexFunc(r.history, func(c journal.Change) bool {
		return journalNumber(&c) < r.load || journalNumber(&c) == r.load && c.Index >= r.from
	})
	if at < 0 {
		return len(r.history)
	}
	return at
}

// journalNumber returns the number of a change's load in a cursor, from 1: 0 stands for no cursor.
func journalNumber(c *journal.Change) int64 { return c.Load.Seq + 1 }

func appendCoverage(dst []byte, all []record.Coverage) []byte {
	dst = append(dst, `,"cobertura":[`...)
	for i := range all {
		dst = render.AppendCoverage(render.AppendComma(dst, i), &all[i])
	}
	return append(dst, ']')
}

// changesRequest is a parsed request of /v2/mudancas.
type changesRequest struct {
	journal.Query
	at collectionAt
}

// changes serves /v2/mudancas, the changes of the whole country in the order in which they were announced.
// Its cursor is a position of that journal, which no load ends: a client that comes back months later
// continues without a hole or a repetition.
func (a *API) changes(c *gin.Context, b *body) error {
	q, query, err := changesRequestOf(c.Request.URL)
	if err != nil {
		return err
	}
	reader, err := a.config.Live.Filters()
	if err != nil {
		return err
	}
	s, err := a.config.Live.Acquire()
	if err != nil { // see search
		return cmp.Or(q.readFilters(a.cursors, reader, filter.AnyLoad{}, query), fmt.Errorf("current snapshot: %w", err))
	}
	defer s.Release()
	if err := q.readFilters(a.cursors, reader, s, query); err != nil {
		return err
	}
	ctx := c.Request.Context()
	page, err := journal.Walk(ctx, s, q.Query)
	if old := new(journal.TooOldError); errors.As(err, &old) {
		return &forgottenError{q.at, a.cursors.appendPosition(nil, q.at.signed(), old.Oldest), err}
	}
	if err != nil {
		return err
	}
	coverage, err := journal.Coverage(ctx, s)
	if err != nil {
		return err
	}
	b.bytes = q.dados(append(b.bytes, `{"dados":`...), render.Of(s), a.cursors, &page, coverage)
	var lacking []change.Part
	if !q.Filters.Empty() {
		lacking = s.Lacking(index.Query{Filters: q.Filters})
	}
	b.etag = web.ETag(appendGaps(b.bytes, &s.Load, lacking))
	b.bytes = appendRelease(b.bytes, modeChanges)
	partial := slices.ContainsFunc(q.Filters.Sources(), func(id string) bool { return s.LoadOf(id) == 0 })
	b.bytes = appendSnapshot(b.bytes, s, web.EventOf(ctx).RequestID, partial, lacking)
	b.bytes = append(b.bytes, '}')
	return nil
}

// changesRequestOf parses everything but filters and cursor. The errors are parameterError.
func changesRequestOf(u *url.URL) (q changesRequest, query url.Values, err error) {
	q.at.path = changesPath
	if query, err = parametersWith(u, append(filter.Names(), "evento"), "desde", "lado", "limite", "cursor"); err != nil {
		return q, nil, err
	}
	var ok bool
	if q.at.limit, ok = limitWithin(query, usualChanges, mostChanges); !ok {
		return q, nil, wrong("limite", query.Get("limite"), fmt.Sprintf("Envie um número inteiro de 1 a %d.", mostChanges))
	}
	q.Limit = q.at.limit
	if query.Has("desde") {
		if q.Since, err = time.Parse(time.DateOnly, query.Get("desde")); err != nil {
			return q, nil, wrong("desde", query.Get("desde"), "Envie um dia, AAAA-MM-DD.")
		}
	}
	if q.Side, ok = journal.ParseSide(query.Get("lado")); !ok || query.Has("lado") && query.Get("lado") == "" {
		return q, nil, wrong("lado", query.Get("lado"), "Envie antes ou depois, ou nada para os dois.")
	}
	for _, word := range query["evento"] {
		codes := change.Selected(word)
		if len(codes) == 0 {
			return q, nil, wrong("evento", word, "Envie um código de evento, como estabelecimento.aberto, ou o começo de vários, até um ponto: "+
				strings.Join(change.Groups(), ", ")+".")
		}
		q.Events = append(q.Events, codes...)
	}
	slices.Sort(q.Events)
	q.Events = slices.Compact(q.Events)
	return q, query, nil
}

// readFilters parses the filters, checking codes with d, and verifies the cursor, which is bound to
// everything but the limit. The errors are parameterError and errCursor.
func (q *changesRequest) readFilters(cursors cursorSigner, reader *filter.Reader, d filter.Describer, query url.Values) (err error) {
	if q.Filters, err = filtersOf(reader, d, query); err != nil {
		return err
	}
	q.at.query = q.canonicalQuery(query)
	if query.Has("cursor") {
		q.From, err = cursors.readPosition(query.Get("cursor"), q.at.signed())
	}
	return err
}

// canonicalQuery returns the query string without page, the same for filters in any spelling.
func (q *changesRequest) canonicalQuery(query url.Values) string {
	v := q.Filters.Parameters()
	if words := slices.Compact(slices.Sorted(slices.Values(query["evento"]))); len(words) > 0 {
		v["evento"] = words
	}
	if !q.Since.IsZero() {
		v.Set("desde", q.Since.Format(time.DateOnly))
	}
	if query.Has("lado") {
		v.Set("lado", query.Get("lado"))
	}
	return v.Encode()
}

// dados appends a page of the journal. It always has a cursor: behind the last event it waits for the
// next load.
func (q *changesRequest) dados(dst []byte, r *render.Renderer, cursors cursorSigner, page *journal.Page, coverage []record.Coverage) []byte {
	dst = append(dst, `{"itens":[`...)
	for i := range page.Changes {
		dst = r.AppendEvent(render.AppendComma(dst, i), &page.Changes[i])
	}
	dst = append(dst, `],"retiradas":[`...)
	for i := range page.Withdrawn {
		dst = appendWithdrawn(render.AppendComma(dst, i), &page.Withdrawn[i])
	}
	dst = appendCoverage(append(dst, ']'), coverage)
	dst = appendBool(dst, `,"ha_mais":`, page.More)
	var space [longestCursor]byte
	return append(q.at.link(dst, cursors.appendPosition(space[:0], q.at.signed(), page.Next)), '}')
}

func appendWithdrawn(dst []byte, w *history.Withdrawn) []byte {
	return render.AppendWithdrawnLoad(dst, &record.WithdrawnLoad{Fonte: w.Source, Competencia: w.Period, Carga: w.Load})
}
