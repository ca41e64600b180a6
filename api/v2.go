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

	"razao/internal/cnpj"
	"razao/internal/record"
	"razao/internal/registry"
	"razao/internal/registry/pack"
	"razao/internal/render"
	"razao/internal/snapshot"
	"razao/internal/source"
	"razao/internal/web"
)

// release is the version of the product that meta names.
const release = "2.0.0"

// resource is what the first part of a path of v2 is about.
type resource struct {
	plural    string // in paths
	recurso   string // in meta
	positions int    // of its documents
}

var (
	companyResource       = resource{"empresas", "empresa", 8}
	establishmentResource = resource{"estabelecimentos", "estabelecimento", 14}
)

// route is one operation on a resource.
type route struct {
	resource
	modo string
	path string // below the document
	// walks is true for the page of one collection: it takes a cursor.
	walks bool
	// dados appends the answer's own part.
	dados func(r *v2Renderer, ctx context.Context, dst []byte) ([]byte, error)
}

const sourcePath = "fontes/" // and the id of a source

func (a *API) registerV2(room gin.IRouter) {
	web.Get(room, "/v2/fontes", a.shed, a.open(a.catalogue))
	web.Get(room, searchPath, a.protect, a.shed, a.keyed(a.search))
	for _, r := range []resource{companyResource, establishmentResource} {
		web.Get(room, "/v2/"+r.plural+"/:documento", a.toBasic)
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

// toBasic leads from the path of a resource alone to its basic mode. It asks for no key and does not count.
func (a *API) toBasic(c *gin.Context) {
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

// question is a request of v2, read.
type question struct {
	route
	document registry.Document
	text     string // the document, normalized
	fonte    string // of a source page
	limit    int
	load     int64 // that the cursor walks; 0: there is no cursor
	from     int   // position of the first item
}

// v2 returns the handler of a route.
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
			Renderer: render.Renderer{Domains: s.Domains, IBGE: a.ibge}, question: q,
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

// question reads a request as far as that needs no data.
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

// parseDocument reads a document of the length that the resource has.
func (q *question) parseDocument(s string) error {
	if len(s) != q.positions {
		return cnpj.ErrInvalid
	}
	var err error
	q.document, err = parseDocument(s)
	q.text = strings.ToUpper(s)
	return err
}

// address returns the path of a collection of the queried resource.
func (q *question) address(path string) string {
	return "/v2/" + q.plural + "/" + q.text + "/" + path
}

// companyAddress returns the path of a collection of the company, also when one of its establishments is queried.
func (q *question) companyAddress(path string) string {
	return "/v2/" + companyResource.plural + "/" + q.document.Root.String() + "/" + path
}

// v2Renderer appends the body of one answer of v2.
type v2Renderer struct {
	render.Renderer
	question
	snap    *snapshot.Snapshot
	cursors cursorSigner
	now     time.Time

	head    pack.Head
	only    record.Establishment // the queried one, with 14 positions
	partial bool                 // a source had nothing to answer with
}

// find reads the company, and the establishment when one is queried. The errors are a *registry.AbsentError and, before
// anything else is looked at, errSnapshotChanged.
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

// meta appends meta from the comma on.
func (r *v2Renderer) meta(dst []byte, requestID string) []byte {
	dst = appendRelease(dst, r.recurso)
	dst = render.AppendText(dst, `,"modo":`, r.modo)
	dst = render.AppendText(dst, `,"documento":`, r.text)
	return appendSnapshot(dst, r.snap, requestID, r.partial)
}

func appendRelease(dst []byte, recurso string) []byte {
	dst = append(dst, `,"meta":{"versao":"v2","release":"`+release+`"`...)
	return render.AppendText(dst, `,"recurso":`, recurso)
}

// appendSnapshot appends the part of meta that says what answered, and closes meta.
func appendSnapshot(dst []byte, snap *snapshot.Snapshot, requestID string, partial bool) []byte {
	dst = render.AppendTextOrNull(dst, `,"competencia":`, snap.Load.Period)
	dst = render.AppendText(dst, `,"fotografia":`, snap.Fotografia())
	dst = render.AppendText(dst, `,"requisicao_id":`, requestID)
	if partial {
		return append(dst, `,"disponibilidade":"parcial"}`...)
	}
	return append(dst, `,"disponibilidade":"completa"}`...)
}
