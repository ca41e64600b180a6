package network

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/store/network"
	"razao/internal/store/networks"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/site/page"
)

const (
	longestPath = 6
	mostPaths   = 5
	fromName    = "de"
	toName      = "para"
)

// pathsPage is the view model of /caminho.
type pathsPage struct {
	page.Frame
	view
	Ends     [2]end
	Asked    bool // both ends are known
	Chains   [][]step
	Complete bool // there are no shorter ones, and no others but as Others says
	Others   bool // there are others, as short
	Persons  bool
	Through  string // the same through persons
	Period   string
}

// end is a field of the form.
type end struct {
	Name, Label string
	Typed       string
	Problem     string // what is wrong with it; "" for nothing
}

// Wrong returns the fields that are wrong.
func (p *pathsPage) Wrong() (wrong []end) {
	for _, e := range p.Ends {
		if e.Problem != "" {
			wrong = append(wrong, e)
		}
	}
	return wrong
}

// step is a member of a chain, and how it is joined with the next.
type step struct {
	member
	Then string // "" at the end
}

// paths answers /caminho.
func (hs *Handlers) paths(c *gin.Context, snap *snapshot.Snapshot, persons bool) (page.Reply, error) {
	p := &pathsPage{Ends: [2]end{{Name: fromName, Label: "De"}, {Name: toName, Label: "Para"}}, Persons: persons, Period: ptbr.Period(snap.Load.Period)}
	p.Title = "Caminho entre duas empresas ou sócios"
	p.Description = "A cadeia mais curta de sócios e empresas entre duas empresas ou sócios, como publicados pela Receita Federal."
	p.Crumbs, p.Canonical, p.Script = page.Trail("Caminho"), pathsPath, scripts()
	for i := range p.Ends {
		p.Ends[i].Typed = strings.TrimSpace(c.Query(p.Ends[i].Name))
		p.NoIndex = p.NoIndex || p.Ends[i].Typed != ""
	}
	if !p.NoIndex {
		return page.Reply{Page: p}, nil
	}
	ends, status, err := p.read(c.Request.Context(), snap)
	if err != nil || status != http.StatusOK {
		return page.Reply{Page: p, Status: status}, err
	}
	p.Asked = true
	all, err := networks.Paths(c.Request.Context(), snap, networks.PathQuery{From: ends[0], To: ends[1], Steps: longestPath, Most: mostPaths, Companies: !persons})
	if err != nil {
		return page.Reply{}, err
	}
	p.Complete, p.Others = all.Searched, all.More
	p.view = hs.viewOf(snap, all.Network, "Os caminhos, desenhados", ends[0], ends[1])
	p.Through = page.WithParameters(pathsPath, url.Values{fromName: {p.Ends[0].Typed}, toName: {p.Ends[1].Typed}, personsName: {"sim"}})
	at := map[network.Actor]member{}
	for _, m := range p.Members {
		at[m.Actor] = m
	}
	for _, found := range all.Paths {
		var chain []step
		for i, a := range found.Actors {
			s := step{member: at[a]}
			if i < len(found.Ties) {
				s.Then = then(snap, a, found.Ties[i])
			}
			chain = append(chain, s)
		}
		p.Chains = append(p.Chains, chain)
	}
	return page.Reply{Page: p}, nil
}

// then says how a member is joined with the next: as a partner comes last, before its name.
func then(snap *snapshot.Snapshot, a network.Actor, ties []networks.Tie) string {
	var is, has string
	for i := range ties {
		if roles := ptbr.Join("; ", rolesOf(snap, &ties[i])...); ties[i].Holder == a {
			is = roles + " em"
		} else {
			has = "tem como " + roles
		}
	}
	return ptbr.Join(", e é ", has, is)
}

// read reads both ends of a path: a CNPJ, or digits and name of a partner in any spelling. What is wrong stays beside the field; status is
// that of the answer then.
func (p *pathsPage) read(ctx context.Context, snap *snapshot.Snapshot) (ends [2]network.Actor, status int, err error) {
	status = http.StatusOK
	for i := range p.Ends {
		e, known := &p.Ends[i], false
		if ends[i], known, err = readActor(ctx, snap, e.Typed); err != nil {
			return ends, status, err
		}
		if !known {
			e.Problem = "Deve ser um CNPJ, ou os seis dígitos visíveis do CPF e o nome inteiro de um sócio, como 456789 Maria Fictícia."
			status = http.StatusUnprocessableEntity
			continue
		}
		switch err := networks.Contains(ctx, snap, ends[i]); {
		case errors.Is(err, networks.ErrNobody):
			e.Problem = "Nenhuma empresa da carga em uso nomeia este sócio: confira os dígitos e o nome inteiro."
			status = http.StatusUnprocessableEntity
		case registry.IsAbsent(err):
			e.Problem = "Nenhuma empresa da carga em uso tem este CNPJ."
			if status == http.StatusOK {
				status = http.StatusNotFound
			}
		case err != nil:
			return ends, status, err
		}
	}
	return ends, status, nil
}

// readActor reads a CNPJ, masked or not, an id of the API, or six digits and a name, the digits with or
// without asterisks. The error is one of the records.
func readActor(ctx context.Context, snap *snapshot.Snapshot, typed string) (a network.Actor, known bool, err error) {
	if number, ok := cnpj.Read(typed); ok {
		if _, _, err := page.NumberOf(ctx, snap, typed); errors.Is(err, page.ErrUnknownPath) { // a word of eight letters
			return a, false, nil
		} else if err != nil && !errors.As(err, new(*page.UnknownCNPJ)) {
			return a, false, err
		}
		a, known = network.ParseID(number.Text)
		return a, known, nil
	}
	if a, known = network.ParseID(strings.ToLower(typed)); known {
		return a, true, nil
	}
	digits, name, _ := strings.Cut(strings.TrimSpace(strings.NewReplacer("*", "", "/", " ", ",", " ").Replace(typed)), " ")
	a, known = network.PersonOf(digits, name)
	return a, known, nil
}
