package api

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/store/network"
	"razao/internal/store/networks"
	"razao/internal/store/registry"
	"razao/internal/store/render"
	"razao/internal/store/snapshot"
	"razao/internal/web"
)

const (
	modeNetwork = "rede"
	modeGroup   = "grupo"
	modeNaming  = "socio_empresas"
	modePaths   = "caminho"

	farthest     = 6 // ties between the company and any member of its network
	longestPath  = 6 // ties
	mostPaths    = 10
	usualMembers = 100
	mostMembers  = 500

	networkCalls = 4 // that an answer counts as, at most
)

// networkRoute is a route on the network.
type networkRoute struct {
	recurso string
	path    string // as in OpenAPI
	parse   func(c *gin.Context, q *networkRequest) error
	find    func(q *networkRequest, ctx context.Context, r *networkRenderer) (networkAnswer, error)
}

// networkAnswer is a network, and what "dados" has besides.
type networkAnswer struct {
	*networks.Network
	note   string
	before []byte                  // further fields, rendered
	after  func(dst []byte) []byte // appends further fields and closes "dados"; nil: there are none
}

// usualFormat is the value of formato that is not in exports.
const usualFormat = "json"

// exports are the other values: the network in the format of others, without meta. Each has a media type of its own, which tells
// clients what the body is.
var exports = map[string]struct {
	contentType string
	write       func(x *render.Exporter, dst []byte, n *networks.Network, note string) ([]byte, error)
}{
	"ftm":  {ndjson, (*render.Exporter).AppendFTM},
	"bods": {bods + "; charset=utf-8", (*render.Exporter).AppendBODS},
}

// The media types of exports: JSON texts, one per line, and statements of the Beneficial Ownership Data Standard, which has registered none.
const (
	ndjson = "application/x-ndjson"
	bods   = "application/vnd.bods+json"
)

// networkRequest is a parsed request about the network.
type networkRequest struct {
	networks.Query
	path   networks.PathQuery
	actor  network.Actor // whom the address names
	format string        // "": usualFormat
	at     collectionAt
	load   int64 // of the cursor; 0: there is none
	offset int
}

// networkRenderer renders the answer from one snapshot.
type networkRenderer struct {
	*render.Renderer
	snap    *snapshot.Snapshot
	cursors cursorSigner
	budget  *snapshot.Budget
}

// networkRoutes are the routes on the network.
func (a *API) networkRoutes() []networkRoute {
	return []networkRoute{
		{modeNetwork, "/v2/empresas/{documento}/rede", a.readNetwork, (*networkRequest).surroundings},
		{modeNaming, "/v2/socios/{id}/empresas", a.readNaming, (*networkRequest).naming},
		{modeGroup, "/v2/grupos/{documento}", a.readGroup, (*networkRequest).group},
		{modePaths, "/v2/caminho", a.readPaths, (*networkRequest).paths},
	}
}

// ginPath writes the parameters of a path as gin does.
var ginPath = strings.NewReplacer("{", ":", "}", "")

// registerNetwork adds the routes on the network.
func (a *API) registerNetwork(routes gin.IRouter) {
	for _, q := range a.networkRoutes() {
		web.Get(routes, ginPath.Replace(q.path), a.protect, a.shed, a.keyed(a.takesLong(a.networkHandler(q))))
	}
}

// networkHandler returns the handler of a route.
func (a *API) networkHandler(of networkRoute) handler {
	return func(c *gin.Context, b *body) error {
		q := &networkRequest{}
		if err := of.parse(c, q); err != nil {
			return err
		}
		s, err := a.config.Live.Acquire()
		if err != nil {
			return fmt.Errorf("current snapshot: %w", err)
		}
		defer s.Release()
		if q.load != 0 && q.load != s.LoadOf(registry.Receita) {
			return errSnapshotChanged
		}
		ctx := c.Request.Context()
		budget := snapshot.NewBudget(1, networkCalls-1, func(context.Context) error { return a.admitFurther(c, 1) })
		r := &networkRenderer{render.Of(s), s, a.cursors, budget}
		found, err := of.find(q, ctx, r)
		if err != nil {
			return err
		}
		if export, asked := exports[q.format]; asked {
			b.contentType = export.contentType
			b.bytes, err = export.write(render.ExporterOf(s, a.config.BaseURL), b.bytes, found.Network, found.note)
			b.etag = web.ETag(b.bytes)
			return err
		}
		b.bytes = r.appendFields(append(b.bytes, `{"dados":{`...), &found)
		lacking := s.Load.Lacking(change.Companies, change.Establishments, change.Partners)
		b.etag = web.ETag(appendGaps(b.bytes, &s.Load, lacking))
		b.bytes = appendRelease(b.bytes, of.recurso)
		b.bytes = appendSnapshot(b.bytes, s, web.EventOf(ctx).RequestID, false, lacking)
		b.bytes = append(b.bytes, '}')
		return nil
	}
}

// company reads the company of the address, 8 positions.
func (q *networkRequest) company(c *gin.Context) error {
	root, err := cnpj.ParseRoot(c.Param("documento"))
	if err != nil {
		return err
	}
	q.actor = network.CompanyOf(root)
	return nil
}

// actorOf reads an identifier. The error is a parameterError.
func actorOf(name, id string) (network.Actor, error) {
	a, ok := network.ParseID(id)
	if !ok {
		return a, wrong(name, id, "Envie as 8 ou 14 posições de um CNPJ ou o id de um membro de uma rede, como 456789-maria-ficticia.")
	}
	return a, nil
}

// flagOf reads a parameter that is sim or nao.
func flagOf(query url.Values, name string, usual bool) (bool, error) {
	if !query.Has(name) {
		return usual, nil
	}
	yes, ok := yesOrNo[query.Get(name)]
	if !ok {
		return false, wrong(name, query.Get(name), "Envie sim ou nao.")
	}
	return yes, nil
}

// numberOf reads a parameter from 1 to most.
func numberOf(query url.Values, name string, usual, most int) (int, error) {
	if !query.Has(name) {
		return usual, nil
	}
	n, ok := within(query.Get(name), most)
	if !ok {
		return 0, wrong(name, query.Get(name), fmt.Sprintf("Envie um número inteiro de 1 a %d.", most))
	}
	return n, nil
}

// directions are the values of sentido.
var directions = map[string]struct{ up, down bool }{"acima": {true, false}, "abaixo": {false, true}, "ambos": {true, true}}

func (a *API) readNetwork(c *gin.Context, q *networkRequest) error {
	if err := q.company(c); err != nil {
		return err
	}
	query, err := parameters(c.Request.URL, "profundidade", "sentido", "pessoas", "representantes", "contatos", "limite", "formato")
	if err != nil {
		return err
	}
	q.From = []network.Actor{q.actor}
	if q.Steps, err = numberOf(query, "profundidade", 1, farthest); err != nil {
		return err
	}
	if q.Most, err = numberOf(query, "limite", usualMembers, mostMembers); err != nil {
		return err
	}
	direction := directions["ambos"]
	if query.Has("sentido") {
		var ok bool
		if direction, ok = directions[query.Get("sentido")]; !ok {
			return wrong("sentido", query.Get("sentido"), "Envie acima, abaixo ou ambos.")
		}
	}
	q.Up, q.Down = direction.up, direction.down
	if q.Persons, err = flagOf(query, "pessoas", true); err != nil {
		return err
	}
	if q.Representatives, err = flagOf(query, "representantes", false); err != nil {
		return err
	}
	if q.Contacts, err = flagOf(query, "contatos", false); err != nil {
		return err
	}
	q.format, err = formatOf(query)
	if _, export := exports[q.format]; err == nil && export && q.Contacts {
		err = wrong("contatos", query.Get("contatos"), "Envie nao: ftm e bods só têm vínculos.")
	}
	return err
}

// formatOf reads the parameter formato.
func formatOf(query url.Values) (string, error) {
	format := query.Get("formato")
	if _, known := exports[format]; !known && format != usualFormat && query.Has("formato") {
		return "", wrong("formato", format, "Envie json, ftm ou bods.")
	}
	return format, nil
}

// surroundings answers /v2/empresas/{raiz}/rede.
func (q *networkRequest) surroundings(ctx context.Context, r *networkRenderer) (networkAnswer, error) {
	if _, err := r.snap.Company(ctx, q.actor.Root); err != nil {
		return networkAnswer{}, err
	}
	q.Budget = r.budget
	n, err := networks.Around(ctx, r.snap, q.Query)
	contacts := func(dst []byte) []byte {
		dst = appendBool(dst, `,"completa":`, n.Whole())
		if !q.Contacts {
			return append(dst, `,"contatos":null}`...)
		}
		return append(render.AppendContacts(append(dst, `,"contatos":`...), n.Contacts), '}')
	}
	return networkAnswer{Network: n, note: render.NetworkNote, after: contacts}, err
}

// appendFields appends the fields of "dados" and closes it.
func (r *networkRenderer) appendFields(dst []byte, a *networkAnswer) []byte {
	dst = r.AppendNetwork(append(dst, a.before...), a.Network)
	dst = render.AppendInt(dst, `,"evidencia":{"tabela":"Socios","carga":`, r.snap.LoadOf(registry.Receita))
	dst = render.AppendTextOrNull(dst, `,"competencia":`, r.snap.Load.Period)
	dst = render.AppendText(dst, `},"aviso":`, a.note)
	dst = render.AppendInt(dst, `,"chamadas":`, int64(r.budget.Calls()))
	if a.after != nil {
		return a.after(dst)
	}
	return append(dst, '}')
}

func (a *API) readNaming(c *gin.Context, q *networkRequest) error {
	query, err := parameters(c.Request.URL, "limite", "cursor")
	if err != nil {
		return err
	}
	if q.actor, err = actorOf("id", c.Param("id")); err != nil {
		return err
	}
	q.at.path = "/v2/socios/" + q.actor.ID() + "/empresas"
	if q.at.limit, err = limitOf(query); err != nil {
		return err
	}
	if query.Has("cursor") {
		q.load, q.offset, err = a.cursors.read(query.Get("cursor"), q.at.signed(), q.at.limit)
	}
	return err
}

// naming answers /v2/socios/{id}/empresas.
func (q *networkRequest) naming(ctx context.Context, r *networkRenderer) (networkAnswer, error) {
	n, err := networks.Naming(ctx, r.snap, q.actor, registry.Range{From: q.offset, Limit: q.at.limit}, r.budget)
	if err != nil {
		return networkAnswer{}, err
	}
	if n.Total == 0 || len(n.Ties) == 0 && q.offset == 0 && !n.Cut {
		return networkAnswer{}, networks.Nobody(r.snap)
	}
	page := func(dst []byte) []byte {
		dst = render.AppendInt(dst, `,"total":`, int64(n.Total))
		if n.Next < n.Total {
			return q.at.next(dst, r.cursors, r.snap.LoadOf(registry.Receita), n.Next)
		}
		return append(dst, lastPage...)
	}
	return networkAnswer{Network: n.Network, note: render.NetworkNote, after: page}, nil
}

func (a *API) readGroup(c *gin.Context, q *networkRequest) error {
	query, err := parameters(c.Request.URL, "formato")
	if err != nil {
		return err
	}
	if err := q.company(c); err != nil {
		return err
	}
	q.format, err = formatOf(query)
	return err
}

// group answers /v2/grupos/{raiz}.
func (q *networkRequest) group(ctx context.Context, r *networkRenderer) (networkAnswer, error) {
	n, err := networks.Group(ctx, r.snap, q.actor.Root, mostMembers, r.budget)
	figures := func(dst []byte) []byte {
		dst = appendBool(dst, `,"completa":`, n.Whole())
		dst = render.AppendCycles(append(dst, `,"ciclos":`...), n.Cycles())
		return append(render.AppendGroupFigures(append(dst, `,"registros":`...), networks.Figures(ctx, r.snap, n)), '}')
	}
	return networkAnswer{Network: n, note: render.GroupNote, after: figures}, err
}

func (a *API) readPaths(c *gin.Context, q *networkRequest) error {
	query, err := parameters(c.Request.URL, "de", "para", "passos", "representantes")
	if err != nil {
		return err
	}
	if q.path.From, err = actorOf("de", query.Get("de")); err != nil {
		return err
	}
	if q.path.To, err = actorOf("para", query.Get("para")); err != nil {
		return err
	}
	if q.path.Steps, err = numberOf(query, "passos", longestPath, longestPath); err != nil {
		return err
	}
	q.path.Most = mostPaths
	q.path.Representatives, err = flagOf(query, "representantes", false)
	return err
}

// paths answers /v2/caminho.
func (q *networkRequest) paths(ctx context.Context, r *networkRenderer) (networkAnswer, error) {
	if err := networks.Contains(ctx, r.snap, q.path.From); err != nil {
		return networkAnswer{}, &argumentError{"de", err}
	}
	if err := networks.Contains(ctx, r.snap, q.path.To); err != nil {
		return networkAnswer{}, &argumentError{"para", err}
	}
	q.path.Budget = r.budget
	found, err := networks.Paths(ctx, r.snap, q.path)
	if err != nil {
		return networkAnswer{}, err
	}
	dst := []byte(`"caminhos":[`)
	for i := range found.Paths {
		dst = append(render.AppendComma(dst, i), '[')
		for n, a := range found.Paths[i].Actors {
			dst = render.AppendString(render.AppendComma(dst, n), a.ID())
		}
		dst = append(dst, ']')
	}
	dst = appendBool(dst, `],"completo":`, found.Complete())
	return networkAnswer{Network: found.Network, note: render.NetworkNote, before: append(dst, ',')}, nil
}
