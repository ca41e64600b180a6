package api

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/render"
	"razao/internal/store/snapshot"
	"razao/internal/web"
)

// release is the version of the product, published in meta.
const release = "2.0.0"

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
	// dados appends the value of "dados" to dst, after find.
	dados func(r *v2Renderer, ctx context.Context, dst []byte) ([]byte, error)
}

const sourcePath = "fontes/" // followed by the id of a source

// registerV2 adds the routes of v2, the catalogue to public. operationsV2 describes the same
// ones for OpenAPI.
func (a *API) registerV2(room, public gin.IRouter) {
	web.Get(public, "/v2/fontes", a.shed, a.open(a.catalogue))
	web.Get(room, searchPath, a.protect, a.shed, a.keyed(a.search))
	for _, r := range []resource{companyResource, establishmentResource} {
		web.Get(room, "/v2/"+r.plural+"/:documento", a.redirectToBasic)
	}
	for _, r := range []route{
		{companyResource, "basic", "basic", false, (*v2Renderer).basic},
		{companyResource, "full", "full", false, (*v2Renderer).full},
		{companyResource, "fonte", sourcePath + ":fonte", true, (*v2Renderer).source},
		{companyResource, "estabelecimentos", "estabelecimentos", true, (*v2Renderer).establishments},
		{companyResource, "socios", "socios", true, (*v2Renderer).partners},
		{establishmentResource, "basic", "basic", false, (*v2Renderer).basic},
		{establishmentResource, "full", "full", false, (*v2Renderer).full},
		{establishmentResource, "fonte", sourcePath + ":fonte", true, (*v2Renderer).source},
	} {
		web.Get(room, "/v2/"+r.plural+"/:documento/"+r.path, a.protect, a.shed, a.keyed(a.v2(r)))
	}
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

// question is a parsed request of v2.
type question struct {
	route
	document registry.Document
	text     string // the document in upper case, as in addresses and meta
	fonte    string // id of the source, for a source page
	limit    int    // items of each collection of the response
	load     int64  // of the cursor; 0: there is no cursor
	from     int    // position of the first item
}

// v2 returns the handler of a route, steps 4 to 6 of the package comment. The ETag is taken before
// meta is appended, so neither request id nor snapshot number change it.
func (a *API) v2(r route) handler {
	return func(c *gin.Context, b *body) error {
		q, err := a.question(c, r)
		if err != nil {
			return err
		}
		s, err := a.live.Acquire()
		if err != nil {
			return fmt.Errorf("current snapshot: %w", err)
		}
		defer s.Release()
		ctx := c.Request.Context()
		v := &v2Renderer{
			Renderer: render.Of(s, a.ibge), question: q,
			snap: s, cursors: a.cursors, now: a.now(),
		}
		if err := v.find(ctx); err != nil {
			return err
		}
		b.bytes = append(b.bytes, `{"dados":`...)
		if b.bytes, err = r.dados(v, ctx, b.bytes); err != nil {
			return err
		}
		b.etag = web.ETag(b.bytes)
		b.bytes = v.meta(b.bytes, web.EventOf(ctx).RequestID)
		b.bytes = append(b.bytes, '}')
		return nil
	}
}

// question parses and validates a request without reading any data. The errors are cnpj.ErrInvalid,
// parameterError, errNoSource and errCursor.
func (a *API) question(c *gin.Context, r route) (question, error) {
	q := question{route: r}
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
func (q *question) parseDocument(s string) error {
	if len(s) != q.positions {
		return cnpj.ErrInvalid
	}
	var err error
	q.document, err = parseDocument(s)
	q.text = strings.ToUpper(s)
	return err
}

// address returns the path of a collection of the queried document. Cursors are bound to it.
func (q *question) address(path string) string {
	return "/v2/" + q.plural + "/" + q.text + "/" + path
}

// companyAddress returns the path of a collection of the company. Partners belong to the company,
// so an establishment's response links there.
func (q *question) companyAddress(path string) string {
	return "/v2/" + companyResource.plural + "/" + q.document.Root.String() + "/" + path
}

// v2Renderer renders one response of v2 and belongs to its request. find reads the head row, which
// has the company and its first fifty partners and establishments; the methods that render
// collections read the rest on demand.
type v2Renderer struct {
	*render.Renderer
	question
	snap    *snapshot.Snapshot
	cursors cursorSigner
	now     time.Time

	head    pack.Head
	only    record.Establishment // the queried one; unset for a company
	partial bool                 // a source failed or has no load
}

// find reads the company and the queried establishment. The errors are errSnapshotChanged, before
// any query, and *registry.AbsentError.
func (r *v2Renderer) find(ctx context.Context) error {
	if r.load != 0 && r.load != r.snap.LoadOf(r.fonte) {
		return errSnapshotChanged
	}
	var err error
	if r.head, err = r.snap.Company(ctx, r.document.Root); err != nil || r.document.Order == nil {
		return err
	}
	r.only, err = r.snap.Establishment(ctx, &r.head, *r.document.Order)
	return err
}

// meta appends "meta" from its comma on.
func (r *v2Renderer) meta(dst []byte, requestID string) []byte {
	dst = appendRelease(dst, r.recurso)
	dst = render.AppendText(dst, `,"modo":`, r.modo)
	dst = render.AppendText(dst, `,"documento":`, r.text)
	return appendSnapshot(dst, r.snap, requestID, r.partial)
}

// appendRelease opens "meta", which all of v2 has in common.
func appendRelease(dst []byte, recurso string) []byte {
	dst = append(dst, `,"meta":{"versao":"v2","release":"`+release+`"`...)
	return render.AppendText(dst, `,"recurso":`, recurso)
}

// appendSnapshot appends what identifies the data that answered, and closes "meta".
func appendSnapshot(dst []byte, snap *snapshot.Snapshot, requestID string, partial bool) []byte {
	dst = render.AppendTextOrNull(dst, `,"competencia":`, snap.Load.Period)
	dst = render.AppendText(dst, `,"fotografia":`, snap.Fotografia())
	dst = render.AppendText(dst, `,"requisicao_id":`, requestID)
	if partial {
		return append(dst, `,"disponibilidade":"parcial"}`...)
	}
	return append(dst, `,"disponibilidade":"completa"}`...)
}
