package api

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/data/cnpj"
	"razao/internal/store/network"
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

	farthest     = 4 // ties between the company and any member of its network
	longestPath  = 6 // ties
	mostPaths    = 10
	usualMembers = 100
	mostMembers  = 500
)

// question answers one question about the network.
type question struct {
	recurso string
	path    string // as in OpenAPI
	parse   func(c *gin.Context, q *networkRequest) error
	// dados appends the value of "dados".
	dados func(q *networkRequest, ctx context.Context, r *networkRenderer, dst []byte) ([]byte, error)
}

// networkRequest is a parsed request about the network.
type networkRequest struct {
	snapshot.NetworkQuery
	path   snapshot.PathQuery
	actor  network.Actor // whom the address names
	at     collectionAt
	load   int64 // of the cursor; 0: there is none
	offset int
}

// networkRenderer renders the answer from one snapshot.
type networkRenderer struct {
	*render.Renderer
	snap    *snapshot.Snapshot
	cursors cursorSigner
}

// questions are the routes on the network.
func (a *API) questions() []question {
	return []question{
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
	for _, q := range a.questions() {
		web.Get(routes, ginPath.Replace(q.path), a.protect, a.shed, a.keyed(a.asks(q)))
	}
}

// asks returns the handler of a question.
func (a *API) asks(of question) handler {
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
		if b.bytes, err = of.dados(q, ctx, &networkRenderer{render.Of(s), s, a.cursors}, append(b.bytes, `{"dados":{`...)); err != nil {
			return err
		}
		b.etag = web.ETag(b.bytes)
		b.bytes = appendRelease(b.bytes, of.recurso)
		b.bytes = appendSnapshot(b.bytes, s, web.EventOf(ctx).RequestID, false)
		b.bytes = append(b.bytes, '}')
		return nil
	}
}

// company reads the company of the address, 8 positions.
func (q *networkRequest) company(c *gin.Context) error {
	root, err := cnpj.ParseRoot(c.Param("documento"))
	if err != nil {
		return cnpj.ErrInvalid
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
	query, err := parameters(c.Request.URL, "profundidade", "sentido", "pessoas", "representantes", "limite")
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
	q.Representatives, err = flagOf(query, "representantes", false)
	return err
}

// surroundings answers /v2/empresas/{raiz}/rede.
func (q *networkRequest) surroundings(ctx context.Context, r *networkRenderer, dst []byte) ([]byte, error) {
	if _, err := r.snap.Company(ctx, q.actor.Root); err != nil {
		return nil, err
	}
	n, err := r.snap.Network(ctx, q.NetworkQuery)
	if err != nil {
		return nil, err
	}
	return append(r.evidence(r.AppendNetwork(dst, n), render.NetworkNote), '}'), nil
}

// evidence appends what the rows of ties are from, and a note.
func (r *networkRenderer) evidence(dst []byte, note string) []byte {
	dst = render.AppendInt(dst, `,"evidencia":{"tabela":"Socios","carga":`, r.snap.LoadOf(registry.Receita))
	dst = render.AppendTextOrNull(dst, `,"competencia":`, r.snap.Load.Period)
	return render.AppendText(dst, `},"aviso":`, note)
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
func (q *networkRequest) naming(ctx context.Context, r *networkRenderer, dst []byte) ([]byte, error) {
	n, total, err := r.snap.Naming(ctx, q.actor, registry.Range{From: q.offset, Limit: q.at.limit})
	if err != nil {
		return nil, err
	}
	if len(n.Ties) == 0 && q.offset == 0 {
		return nil, snapshot.ErrNobody
	}
	dst = r.evidence(r.AppendNetwork(dst, n), render.NetworkNote)
	dst = render.AppendInt(dst, `,"total":`, int64(total))
	if next := q.offset + q.at.limit; next < total {
		return q.at.next(dst, r.cursors, r.snap.LoadOf(registry.Receita), next), nil
	}
	return append(dst, lastPage...), nil
}

func (a *API) readGroup(c *gin.Context, q *networkRequest) error {
	if _, err := parameters(c.Request.URL); err != nil {
		return err
	}
	return q.company(c)
}

// group answers /v2/grupos/{raiz}.
func (q *networkRequest) group(ctx context.Context, r *networkRenderer, dst []byte) ([]byte, error) {
	n, err := r.snap.Group(ctx, q.actor.Root, mostMembers)
	if err != nil {
		return nil, err
	}
	dst = r.evidence(r.AppendNetwork(dst, n), render.GroupNote)
	return append(render.AppendGroupFigures(append(dst, `,"registros":`...), r.snap.Figures(ctx, n)), '}'), nil
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
func (q *networkRequest) paths(ctx context.Context, r *networkRenderer, dst []byte) ([]byte, error) {
	for _, a := range []network.Actor{q.path.From, q.path.To} {
		if err := r.snap.Contains(ctx, a); err != nil {
			return nil, err
		}
	}
	paths, all, complete, err := r.snap.Paths(ctx, q.path)
	if err != nil {
		return nil, err
	}
	dst = append(dst, `"caminhos":[`...)
	for i := range paths {
		dst = append(render.AppendComma(dst, i), '[')
		for n, a := range paths[i].Actors {
			dst = render.AppendString(render.AppendComma(dst, n), a.ID())
		}
		dst = append(dst, ']')
	}
	dst = appendBool(dst, `],"completo":`, complete)
	return append(r.evidence(r.AppendNetwork(append(dst, ','), all), render.NetworkNote), '}'), nil
}
