package network

import (
	"errors"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/store/network"
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
	From, To string // as typed
	Asked    bool
	Chains   [][]step
	Complete bool
	Persons  bool
	Through  string // the same through persons
	Period   string
}

// step is a member of a chain, and how it is joined with the next.
type step struct {
	member
	Then string // "" at the end
}

// paths answers /caminho.
func (hs *Handlers) paths(c *gin.Context, snap *snapshot.Snapshot, persons bool) (page.Reply, error) {
	p := &pathsPage{From: strings.TrimSpace(c.Query(fromName)), To: strings.TrimSpace(c.Query(toName)), Persons: persons, Period: ptbr.Period(snap.Load.Period)}
	p.Title = "Caminho entre duas empresas ou sócios"
	p.Description = "A cadeia mais curta de sócios e empresas entre duas empresas ou sócios, como publicados pela Receita Federal."
	p.Crumbs, p.Canonical, p.Script = page.Trail("Caminho"), pathsPath, scripts()
	p.Asked = p.From != "" || p.To != ""
	p.NoIndex = p.Asked
	if !p.Asked {
		return page.Reply{Page: p}, nil
	}
	var ends [2]network.Actor
	for i, field := range []struct{ name, typed string }{{fromName, p.From}, {toName, p.To}} {
		var err error
		if ends[i], err = hs.end(c, snap, field.name, field.typed); err != nil {
			return page.Reply{}, err
		}
	}
	paths, all, complete, err := snap.Paths(c.Request.Context(), snapshot.PathQuery{From: ends[0], To: ends[1], Steps: longestPath, Most: mostPaths, Companies: !persons})
	if err != nil {
		return page.Reply{}, err
	}
	p.Complete = complete
	p.view = hs.viewOf(snap, all, "Os caminhos, desenhados", ends[0], ends[1])
	p.Through = page.WithParameters(pathsPath, url.Values{fromName: {p.From}, toName: {p.To}, personsName: {"sim"}})
	at := map[network.Actor]member{}
	for _, m := range p.Members {
		at[m.Actor] = m
	}
	for _, found := range paths {
		var chain []step
		for i, a := range found.Actors {
			s := step{member: at[a]}
			if i < len(found.Ties) {
				t := &found.Ties[i]
				r := rowOf(snap, t, at[t.Holder], at[network.CompanyOf(t.Company)])
				s.Then = ptbr.Join("; ", r.Roles...)
				if t.Holder == a {
					s.Then += " em"
				} else {
					s.Then = "tem como " + s.Then
				}
			}
			chain = append(chain, s)
		}
		p.Chains = append(p.Chains, chain)
	}
	return page.Reply{Page: p}, nil
}

// end reads one end of a path: a CNPJ, or digits and name of a partner in any spelling. The error says
// what is wrong with the field.
func (hs *Handlers) end(c *gin.Context, snap *snapshot.Snapshot, name, typed string) (network.Actor, error) {
	a, ok := readActor(typed)
	if !ok {
		return a, page.UnknownValue(name, typed, "Deve ser um CNPJ, ou os seis dígitos visíveis do CPF e o nome inteiro de um sócio, como 456789 Maria Fictícia.")
	}
	err := snap.Contains(c.Request.Context(), a)
	if errors.Is(err, snapshot.ErrNobody) {
		err = page.UnknownValue(name, typed, "Nenhuma empresa da carga em uso nomeia este sócio: confira os dígitos e o nome inteiro.")
	}
	return a, page.Missing(typed, err)
}

// readActor reads a CNPJ, masked or not, an id of the API, or six digits and a name, the digits with or
// without asterisks.
func readActor(typed string) (network.Actor, bool) {
	if number, ok := cnpj.Read(typed); ok && number.Digits > 0 {
		return network.ParseID(number.Text)
	}
	if a, ok := network.ParseID(strings.ToLower(typed)); ok {
		return a, true
	}
	digits, name, _ := strings.Cut(strings.TrimSpace(strings.NewReplacer("*", "", "/", " ", ",", " ").Replace(typed)), " ")
	return network.PersonOf(digits, name)
}
