package network

import (
	"bytes"
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/network"
	"razao/internal/store/networks"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/web"
	"razao/site/page"
)

const (
	networkPath = "/rede"
	groupPath   = "/grupo"
	pathsPath   = "/caminho"

	usualDepth      = 2
	farthest        = 6 // ties to a member, through companies
	farthestPersons = 4 // through persons
	mostMembers     = 200

	depthName           = "profundidade"
	representativesName = "representantes"
	contactsName        = "contatos"
	kindName            = "tipo"
	stateName           = "uf"
)

// kinds are the values of the filter by kind.
var kinds = []struct {
	Value, Text string
	Kind        network.Kind
}{{"empresa", "Empresas", network.Company}, {"pessoa", "Pessoas", network.Person}, {"estrangeiro", "No exterior", network.Foreigner}}

// request is the parsed address of a network.
type request struct {
	root            cnpj.Root
	depth           int
	persons         bool
	representatives bool
	contacts        bool
	kind, state     string
}

// read parses the query. The error is a *page.InvalidParameter.
func (hs *Handlers) read(c *gin.Context, root cnpj.Root, persons bool) (*request, error) {
	q := &request{root: root, depth: usualDepth, persons: persons, kind: c.Query(kindName), state: c.Query(stateName)}
	most := farthest
	if persons {
		most = farthestPersons
	}
	if text, ok := c.GetQuery(depthName); ok {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > most {
			return nil, page.UnknownValue(depthName, text, "Deve ser um número de 1 a "+strconv.Itoa(most)+".")
		}
		q.depth = n
	}
	for name, chosen := range map[string]*bool{representativesName: &q.representatives, contactsName: &q.contacts} {
		text, ok := c.GetQuery(name)
		if ok && text != "sim" {
			return nil, page.UnknownValue(name, text, `Deve ser "sim", ou faltar.`)
		}
		*chosen = ok
	}
	if q.kind != "" && q.filter() < 0 {
		return nil, page.UnknownValue(kindName, q.kind, "Deve ser empresa, pessoa ou estrangeiro.")
	}
	if q.state != "" {
		uf, ok := hs.atlas.UF(q.state)
		if !ok {
			return nil, page.UnknownValue(stateName, q.state, "Deve ser a sigla de um estado.")
		}
		q.state = uf.Code
	}
	return q, nil
}

// filter returns the number of the kind that is filtered by, -1 for none.
func (q *request) filter() int {
	for i := range kinds {
		if kinds[i].Value == q.kind {
			return i
		}
	}
	return -1
}

// path returns the address with changes, as name, value pairs; suffix is that of another form.
func (q *request) path(suffix string, changes ...string) string {
	v := url.Values{}
	if q.depth != usualDepth {
		v.Set(depthName, strconv.Itoa(q.depth))
	}
	if q.persons {
		v.Set(personsName, "sim")
	}
	if q.representatives {
		v.Set(representativesName, "sim")
	}
	if q.contacts {
		v.Set(contactsName, "sim")
	}
	if q.kind != "" {
		v.Set(kindName, q.kind)
	}
	if q.state != "" {
		v.Set(stateName, q.state)
	}
	page.Change(v, changes...)
	return page.WithParameters("/"+q.root.String()+networkPath+suffix, v)
}

// networkPage is the view model of /{raiz}/rede.
type networkPage struct {
	page.Frame
	view
	Company  member
	Period   string
	Load     string // page of the load that the rows are from
	Depths   []page.Crumb
	Kinds    []page.Crumb // of what is shown, the chosen one without an address
	States   []page.Crumb
	Through  page.Crumb   // the same through persons, or back
	Weaker   []page.Crumb // with legal representatives and common contacts, or without
	Contacts bool         // those who have the same contact are among the rows
	Alone    bool         // the contacts that are asked for are nobody else's
	Filtered bool         // what is shown is a part that was chosen
	CSV, SVG string
	Group    string
	Persons  bool
}

// network answers /{raiz}/rede.
func (hs *Handlers) network(c *gin.Context, snap *snapshot.Snapshot, persons bool) (page.Reply, error) {
	root, moved, err := hs.company(c, snap, networkPath)
	if err != nil || moved.Status != 0 {
		return moved, err
	}
	q, err := hs.read(c, root, persons)
	if err != nil {
		return page.Reply{}, err
	}
	n, err := hs.around(c, snap, q)
	if err != nil {
		return page.Reply{}, err
	}
	p := &networkPage{
		Company: hs.memberOf(snap, &n.Members[0]), Period: ptbr.Period(snap.Load.Period), Persons: persons,
		Load: "/fontes/receita/cargas/" + strconv.FormatInt(snap.LoadOf(registry.Receita), 10),
		CSV:  q.path(".csv", personsName, ""), SVG: q.path(".svg", personsName, ""), Group: "/" + root.String() + groupPath,
	}
	p.view = hs.viewOf(snap, q.filtered(n), "Quem está em volta de "+p.Company.Name, network.CompanyOf(root))
	p.links(hs, q, n)
	p.Contacts, p.Alone, p.Filtered = q.contacts, q.contacts && len(n.Contacts) == 0 && !n.Cut, q.kind+q.state != ""
	p.Title = p.Company.Name + ": rede de sócios e empresas"
	p.Description = "Sócios de " + p.Company.Name + ", e as empresas acima e abaixo dela, como publicados pela Receita Federal."
	p.Canonical = q.path("")
	// About natural persons, or one of many forms of the same.
	p.NoIndex = p.hasPersons() || p.Company.Head.Individual() || q.kind+q.state != "" || q.depth != usualDepth || q.representatives || q.contacts
	p.Crumbs, p.Script = page.Trail(p.Company.Name, "/"+root.String(), "Rede"), scripts()
	return page.Reply{Page: p}, nil
}

// nobody says why the network has no rows.
func (p *networkPage) nobody() string {
	switch {
	case p.Filtered:
		return "Nenhum vínculo entre os membros que você escolheu mostrar."
	case p.More:
		return "Nenhum vínculo foi lido até onde a procura foi."
	}
	return "Nenhum sócio publicado, e nenhuma empresa que tenha esta como sócia."
}

// around returns the network that is asked for. The error of a company that the load does not have is
// a *page.UnknownCNPJ.
func (hs *Handlers) around(c *gin.Context, snap *snapshot.Snapshot, q *request) (*networks.Network, error) {
	ctx := c.Request.Context()
	if _, err := snap.Company(ctx, q.root); err != nil {
		return nil, page.Missing(q.root.String(), err)
	}
	return networks.Around(ctx, snap, networks.Query{
		From: []network.Actor{network.CompanyOf(q.root)}, Steps: q.depth, Up: true, Down: true, Persons: q.persons,
		Representatives: q.representatives, Contacts: q.contacts, Most: mostMembers,
	})
}

// filtered returns the network with the members that pass the filters, and those asked for.
func (q *request) filtered(n *networks.Network) *networks.Network {
	if q.kind+q.state == "" {
		return n
	}
	kind := q.filter()
	stays := map[network.Actor]bool{}
	out := networks.Network{Cut: n.Cut, Gap: n.Gap}
	for i := range n.Members {
		m := &n.Members[i]
		if i > 0 && (kind >= 0 && m.Kind != kinds[kind].Kind || q.state != "" && (m.Office == nil || m.Office.UF != q.state)) {
			continue
		}
		stays[m.Actor] = true
		out.Members = append(out.Members, *m)
	}
	for i := range n.Ties {
		if t := &n.Ties[i]; stays[t.Holder] && stays[network.CompanyOf(t.Company)] {
			out.Ties = append(out.Ties, *t)
		}
	}
	for _, c := range n.Contacts {
		c.Others = slices.DeleteFunc(slices.Clone(c.Others), func(other cnpj.Full) bool { return !stays[network.CompanyOf(other.Root())] })
		out.Contacts = append(out.Contacts, c)
	}
	for _, o := range n.Omitted {
		if stays[o.At] {
			out.Omitted = append(out.Omitted, o)
		}
	}
	return &out
}

// links fills in the links to other forms of the network.
func (p *networkPage) links(hs *Handlers, q *request, n *networks.Network) {
	most := farthest
	if q.persons {
		most = farthestPersons
	}
	for depth := 1; depth <= most; depth++ {
		text := strconv.Itoa(depth)
		link := page.Crumb{Text: text, URL: q.path("", depthName, text)}
		switch depth {
		case q.depth:
			link.URL = ""
		case usualDepth:
			link.URL = q.path("", depthName, "")
		}
		p.Depths = append(p.Depths, link)
	}
	states := map[string]int{}
	has := map[network.Kind]bool{}
	for i := range n.Members {
		has[n.Members[i].Kind] = true
		if e := n.Members[i].Office; e != nil {
			states[e.UF]++
		}
	}
	chosen := func(links []page.Crumb, text, name, value, now string) []page.Crumb {
		link := page.Crumb{Text: text, URL: q.path("", name, value)}
		if value == now {
			link.URL = ""
		}
		return append(links, link)
	}
	if len(has) > 1 {
		p.Kinds = chosen(nil, "Todos", kindName, "", q.kind)
		for _, k := range kinds {
			if has[k.Kind] {
				p.Kinds = chosen(p.Kinds, k.Text, kindName, k.Value, q.kind)
			}
		}
	}
	if len(states) > 1 || q.state != "" {
		p.States = chosen(nil, "Todos os estados", stateName, "", q.state)
		for _, uf := range hs.atlas.UFs() {
			if states[uf.Code] > 0 {
				p.States = chosen(p.States, uf.Code, stateName, uf.Code, q.state)
			}
		}
	}
	weaker := func(included bool, name, with, without string) {
		link := page.Crumb{Text: with, URL: q.path("", name, "sim")}
		if included {
			link = page.Crumb{Text: without, URL: q.path("", name, "")}
		}
		p.Weaker = append(p.Weaker, link)
	}
	weaker(q.representatives, representativesName, "Incluir representantes legais", "Tirar os representantes legais")
	weaker(q.contacts, contactsName, "Incluir quem tem o mesmo contato", "Tirar os contatos em comum")
	p.Through = page.Crumb{Text: "Seguir através das pessoas", URL: q.path("", personsName, "sim", depthName, "")}
	if q.persons {
		p.Through = page.Crumb{Text: "Parar nas pessoas", URL: q.path("", personsName, "")}
	}
}

// public reads a network for a file, which is for everybody: it ends at natural persons.
func (hs *Handlers) public(c *gin.Context, snap *snapshot.Snapshot) (view, cnpj.Root, error) {
	root, _, err := page.NumberOf(c.Request.Context(), snap, c.Param("cnpj"))
	if err != nil {
		return view{}, 0, err
	}
	q, err := hs.read(c, root, false)
	if err != nil {
		return view{}, 0, err
	}
	n, err := hs.around(c, snap, q)
	if err != nil {
		return view{}, 0, err
	}
	return hs.viewOf(snap, q.filtered(n), "Rede de "+root.String()+", "+snap.Load.Period, network.CompanyOf(root)), root, nil
}

// networkSVG answers /{raiz}/rede.svg.
func (hs *Handlers) networkSVG(c *gin.Context, snap *snapshot.Snapshot) error {
	v, _, err := hs.public(c, snap)
	if err != nil {
		return err
	}
	if v.Drawing == nil {
		return page.ErrUnknownPath
	}
	for i := range v.Drawing.Nodes { // a file has no site to lead to
		v.Drawing.Nodes[i].URL = ""
	}
	var b bytes.Buffer
	if err := v.Drawing.Drawing().Render(c.Request.Context(), &b); err != nil {
		return err
	}
	c.Header("X-Robots-Tag", "noindex")
	hs.pages.Sender.Send(c, web.Reply{
		Status: http.StatusOK, ContentType: "image/svg+xml; charset=utf-8", ETag: web.ETag(b.Bytes()), Caching: page.ForEveryone(snap, 0), Body: b.Bytes(),
	})
	return nil
}

// columns declares the CSV of a network.
func columns() page.Columns[row] {
	text := func(name, about string, of func(row) string) page.Column[row] {
		return page.NewColumn(name, record.Text, about, of)
	}
	personal := func(name, about string, of func(row) string) page.Column[row] {
		c := text(name, about, of)
		c.Personal = true
		return c
	}
	return page.Columns[row]{
		personal("de", "id de quem é nomeado", func(r row) string { return r.Holder.ID() }),
		personal("de_nome", "nome como publicado", func(r row) string { return cmp.Or(r.Holder.Member.Name, r.Holder.Called) }),
		personal("de_documento", "CNPJ, CPF mascarado ou país", func(r row) string { return r.Holder.Document }),
		text("para", "as 8 posições da empresa que nomeia", func(r row) string { return r.Company.Root.String() }),
		text("para_nome", "razão social", func(r row) string { return r.Company.Member.Name }),
		text("como", "qualificação e data de entrada", func(r row) string { return ptbr.Join("; ", r.Roles...) }),
		text("linhas", "posições entre os sócios publicados da empresa, a partir de 1; vazio: só um contato em comum", func(r row) string { return r.Rows }),
		text("municipio", "município da matriz da empresa", func(r row) string { return r.Company.City }),
		text("situacao", "situação cadastral da matriz da empresa", func(r row) string { return r.Company.Status.Text }),
	}
}

// Exported describes the columns of /{raiz}/rede.csv for the data dictionary.
func Exported() record.Table {
	all := columns()
	return record.Table{Name: "rede.csv", Title: "Rede de sócios", About: "Em /{raiz}/rede.csv: um vínculo por linha. Nome e seis dígitos do CPF não identificam uma pessoa: há homônimos.", Fields: all.Fields()}
}

// networkCSV answers /{raiz}/rede.csv.
func (hs *Handlers) networkCSV(c *gin.Context, snap *snapshot.Snapshot) (page.Table, error) {
	v, root, err := hs.public(c, snap)
	if err != nil {
		return page.Table{}, err
	}
	t := page.TableOf(Exported(), columns(), v.Rows, fileName("rede", root, snap), "/"+root.String()+networkPath)
	t.More = v.More
	return t, nil
}

func fileName(name string, root cnpj.Root, snap *snapshot.Snapshot) string {
	return ptbr.Join("-", name, root.String(), snap.Load.Period)
}
