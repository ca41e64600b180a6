package api

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/journal"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/render"
	"razao/internal/store/snapshot"
	"razao/internal/web"
)

// Release is the version of the product: of its source, its changelog and its manifests. What the linker knows of a build is more exact.
const Release = "2.2.0"

// resource is the kind of document that a path of v2 names.
type resource struct {
	plural    string // in paths
	recurso   string // in meta
	positions int    // length of its CNPJs
}

var (
	companyResource       = resource{"empresas", "empresa", 8}
	establishmentResource = resource{"estabelecimentos", "estabelecimento", 14}
)

// route is one operation on a resource: a mode, which renders several collections from their
// beginning, or the pages of one collection.
type route struct {
	resource
	modo string
	path string // below the document
	// walks is true for the pages of one collection, which take a cursor.
	walks bool
	reads sections
	// dados appends the value of "dados" to dst, after read.
	dados func(r *v2Renderer, dst []byte) []byte
}

// sections are the parts of a document that a route reads beside the company itself.
type sections struct{ partners, establishments, records, changes bool }

const sourcePath = "fontes/" // followed by the id of a source

// registerV2 adds the routes of v2, the catalogue to public. operationsV2 describes the same
// ones for OpenAPI.
func (a *API) registerV2(routes, public gin.IRouter) {
	web.Get(public, "/v2/fontes", a.shed, a.open(a.catalogue))
	web.Get(public, ginPath.Replace(qualityPath), a.shed, a.open(a.quality))
	web.Get(routes, searchPath, a.protect, a.shed, a.keyed(a.search))
	web.Get(routes, changesPath, a.protect, a.shed, a.keyed(a.changes))
	for _, r := range []resource{companyResource, establishmentResource} {
		web.Get(routes, "/v2/"+r.plural+"/:documento", a.redirectToBasic)
	}
	for _, r := range []route{
		{companyResource, "basic", "basic", false, sections{partners: true, establishments: true}, (*v2Renderer).basic},
		{companyResource, "full", "full", false, sections{partners: true, establishments: true, records: true}, (*v2Renderer).full},
		{companyResource, "fonte", sourcePath + ":fonte", true, sections{records: true}, (*v2Renderer).source},
		{companyResource, "estabelecimentos", "estabelecimentos", true, sections{establishments: true}, (*v2Renderer).establishments},
		{companyResource, "socios", "socios", true, sections{partners: true}, (*v2Renderer).partners},
		{companyResource, modeChanges, modeChanges, true, sections{changes: true}, (*v2Renderer).changes},
		{establishmentResource, "basic", "basic", false, sections{partners: true}, (*v2Renderer).basic},
		{establishmentResource, "full", "full", false, sections{partners: true, records: true}, (*v2Renderer).full},
		{establishmentResource, "fonte", sourcePath + ":fonte", true, sections{records: true}, (*v2Renderer).source},
		{establishmentResource, modeChanges, modeChanges, true, sections{changes: true}, (*v2Renderer).changes},
	} {
		web.Get(routes, "/v2/"+r.plural+"/:documento/"+r.path, a.protect, a.shed, a.keyed(a.v2(r)))
	}
	a.registerNetwork(routes)
	a.registerReconciliation(routes)
	a.registerAccount(routes)
	routes.POST(batchPath, a.protect, a.receive, a.shed, a.keyed(a.batch))
	web.Get(routes, "/v2/"+proofRoute.plural+"/:documento/"+proofRoute.path, a.protect, a.shed, a.keyed(a.prove))
}

// redirectToBasic redirects the path of a resource to its basic mode (308 keeps the method). It needs no
// key and counts no call, and it re-encodes the query. Location is a path of this server, so it is
// no open redirect.
func (a *API) redirectToBasic(c *gin.Context) {
	query, err := url.ParseQuery(c.Request.URL.RawQuery)
	if err != nil {
		a.fail(c, parameterError{})
		return
	}
	to := c.Request.URL.EscapedPath() + "/basic"
	if len(query) > 0 {
		to += "?" + query.Encode()
	}
	c.Header("Location", to)
	forCaller.Set(c, http.StatusPermanentRedirect)
	c.Status(http.StatusPermanentRedirect)
	c.Writer.WriteHeaderNow()
}

// v2Request is a parsed request of v2.
type v2Request struct {
	route
	document registry.Document
	text     string // the document in upper case, as in addresses and meta
	fonte    string // id of the source, for a source page
	limit    int    // items of each collection of the response
	load     int64  // of the cursor; 0: there is no cursor
	from     int    // position of the first item
}

// v2 returns the handler of a route, steps 4 to 6 of the package comment: everything is read from the
// snapshot, one call a section, before the first byte is rendered. The ETag is taken before meta is
// appended, so neither request id nor snapshot number change it.
func (a *API) v2(r route) handler {
	return func(c *gin.Context, b *body) error {
		q, err := a.requestOf(c, r)
		if err != nil {
			return err
		}
		s, err := a.config.Live.Acquire()
		if err != nil {
			return fmt.Errorf("current snapshot: %w", err)
		}
		defer s.Release()
		ctx := c.Request.Context()
		v := &v2Renderer{Renderer: render.Of(s), v2Request: q, snap: s, cursors: a.cursors, now: a.config.Now()}
		if err := v.read(ctx); err != nil {
			return err
		}
		b.bytes = r.dados(v, append(b.bytes, `{"dados":`...))
		b.etag = web.ETag(appendGaps(b.bytes, &s.Load, lackingOf(&s.Load, r.parts())))
		b.bytes = v.meta(b.bytes, web.EventOf(ctx).RequestID)
		b.bytes = append(b.bytes, '}')
		return nil
	}
}

// requestOf parses and validates a request without reading any data. The errors are cnpj.ErrInvalid,
// parameterError, errNoSource and errCursor.
func (a *API) requestOf(c *gin.Context, r route) (v2Request, error) {
	q := v2Request{route: r}
	if err := q.parseDocument(c.Param("documento")); err != nil {
		return q, err
	}
	known := []string{"limite", "cursor"}
	if !r.walks {
		known = known[:1]
	}
	query, err := parameters(c.Request.URL, known...)
	if err != nil {
		return q, err
	}
	if q.limit, err = limitOf(query); err != nil {
		return q, err
	}
	path := r.path
	if r.modo == "fonte" {
		q.fonte = c.Param("fonte")
		if !slices.ContainsFunc(a.sources, func(s source.Source) bool { return s.ID == q.fonte }) {
			return q, errNoSource
		}
		path = sourcePath + q.fonte
	}
	if query.Has("cursor") {
		q.load, q.from, err = a.cursors.read(query.Get("cursor"), q.address(path), q.limit)
	}
	return q, err
}

// parseDocument parses a CNPJ of exactly the resource's length: a root is no establishment.
func (q *v2Request) parseDocument(s string) error {
	if len(s) != q.positions {
		return cnpj.OfWrongLength(s)
	}
	var err error
	q.document, err = registry.ParseDocument(s)
	q.text = strings.ToUpper(s)
	return err
}

// address returns the path of a collection of the queried document. Cursors are bound to it.
func (q *v2Request) address(path string) string {
	return "/v2/" + q.plural + "/" + q.text + "/" + path
}

// companyAddress returns the path of a collection of the company. Partners belong to the company,
// so an establishment's response links there.
func (q *v2Request) companyAddress(path string) string {
	return "/v2/" + companyResource.plural + "/" + q.document.Root.String() + "/" + path
}

// v2Renderer makes one response of v2 and belongs to its request: read reads what the route shows, the
// methods that append only render it.
type v2Renderer struct {
	*render.Renderer
	v2Request
	snap    *snapshot.Snapshot
	cursors cursorSigner
	now     time.Time

	head pack.Head
	only record.Establishment // the queried one; unset for a company
	// The sections of the route. In a walk, records has the one source that is walked.
	partnerPage       []record.Partner
	establishmentPage []record.Establishment
	records           []registry.SourcePage
	partial           bool // a source failed or has no load
	history           []journal.Change
	coverage          []record.Coverage
}

// read reads the company, the queried establishment and the sections of the route. The errors are
// errSnapshotChanged, before any query, *registry.AbsentError and errSourceFailed.
func (r *v2Renderer) read(ctx context.Context) (err error) {
	if r.reads.changes {
		return r.readChanges(ctx)
	}
	if r.load != 0 && r.load != r.snap.LoadOf(r.fonte) {
		return errSnapshotChanged
	}
	if err := r.readDocument(ctx); err != nil {
		return err
	}
	return r.readSections(ctx, registry.Range{From: r.from, Limit: r.limit})
}

// readSections reads the sections of the route beside the document.
func (r *v2Renderer) readSections(ctx context.Context, in registry.Range) (err error) {
	if r.reads.partners {
		r.partnerPage = make([]record.Partner, 0, in.Of(r.head.Partners))
		err = r.snap.Partners(ctx, &r.head, in, func(p *record.Partner) error { r.partnerPage = append(r.partnerPage, *p); return nil })
		if err != nil {
			return err
		}
	}
	if r.reads.establishments {
		r.establishmentPage = make([]record.Establishment, 0, in.Of(r.head.Establishments))
		err = r.snap.Establishments(ctx, &r.head, in, func(e *record.Establishment) error { r.establishmentPage = append(r.establishmentPage, *e); return nil })
		if err != nil {
			return err
		}
	}
	if r.reads.records {
		return r.readRecords(ctx, in)
	}
	return nil
}

// readDocument reads the company and the queried establishment. The error is *registry.AbsentError if
// the load lacks either.
func (r *v2Renderer) readDocument(ctx context.Context) (err error) {
	if r.head, err = r.snap.Company(ctx, r.document.Root); err != nil {
		return err
	}
	return r.readEstablishment(ctx)
}

// readEstablishment reads the queried establishment, if it is one.
func (r *v2Renderer) readEstablishment(ctx context.Context) (err error) {
	if r.document.Order != nil {
		r.only, err = r.snap.Establishment(ctx, &r.head, *r.document.Order)
	}
	return err
}

// readRecords reads the first page of every source, or a page of the one that is walked. A source that
// does not answer makes the response partial; on a further page it is errSourceFailed: a 200 without a
// cursor would end the walk, and the client would miss the rest unnoticed.
func (r *v2Renderer) readRecords(ctx context.Context, in registry.Range) error {
	if r.fonte == "" {
		r.records = r.snap.Records(ctx, &r.head, r.document, r.limit, nil)
	} else {
		page, found := r.snap.Select(ctx, r.fonte, &r.head, r.document, registry.Selection{Range: in})
		if !found {
			return errNoSource
		}
		if page.Status == registry.Failed && r.load != 0 {
			return fmt.Errorf("%w: %s: %w", errSourceFailed, r.fonte, page.Err)
		}
		r.records = []registry.SourcePage{page}
	}
	for i := range r.records {
		p := &r.records[i]
		r.partial = r.partial || !p.Answered()
		if p.Err != nil && !p.Answered() {
			web.EventOf(ctx).Fail(fmt.Errorf("source %s: %w", p.Source.ID, p.Err))
		}
	}
	return nil
}

// meta appends "meta" from its comma on.
func (r *v2Renderer) meta(dst []byte, requestID string) []byte {
	dst = appendRelease(dst, r.recurso)
	dst = render.AppendText(dst, `,"modo":`, r.modo)
	dst = render.AppendText(dst, `,"documento":`, r.text)
	return appendSnapshot(dst, r.snap, requestID, r.partial, lackingOf(&r.snap.Load, r.parts()))
}

// appendRelease opens "meta", which all of v2 has in common.
func appendRelease(dst []byte, recurso string) []byte {
	dst = append(dst, `,"meta":{"versao":"v2","release":"`+Release+`"`...)
	return render.AppendText(dst, `,"recurso":`, recurso)
}

// appendSnapshot appends what identifies the data that answered, and closes "meta". The response is partial if a source
// failed or has no load, or if the load has not whole what it shows.
func appendSnapshot(dst []byte, snap *snapshot.Snapshot, requestID string, partial bool, lacking []change.Part) []byte {
	dst = render.AppendTextOrNull(dst, `,"competencia":`, snap.Load.Period)
	dst = render.AppendText(dst, `,"fotografia":`, strconv.FormatInt(snap.ID(), 10))
	dst = render.AppendText(dst, `,"requisicao_id":`, requestID)
	if partial || len(lacking) > 0 {
		return append(appendGaps(append(dst, `,"disponibilidade":"parcial"`...), &snap.Load, lacking), '}')
	}
	return append(dst, `,"disponibilidade":"completa"}`...)
}
