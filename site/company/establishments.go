package company

import (
	"cmp"
	"context"
	"maps"
	"net/url"
	"slices"

	"github.com/gin-gonic/gin"

	"razao/internal/cnpj"
	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/registry"
	"razao/internal/registry/pack"
	"razao/internal/snapshot"
	"razao/internal/territory"
	"razao/site/page"
	"razao/site/places"
	"razao/site/wording"
)

// Parameters that choose among the establishments of a company, with the codes that the search has for the same.
const (
	branchUF     = "estabelecimentos_uf"
	branchCity   = "estabelecimentos_municipio"
	branchStatus = "estabelecimentos_situacao"
	branchPage   = "estabelecimentos_pagina"
)

// jumpFrom is from how many pages on a list asks for the number of one.
const jumpFrom = 4

// citiesListed is how many municipalities, those with most establishments, the page lists to choose from.
const citiesListed = 30

// establishmentFilter chooses among the establishments of a company; "" stands for any.
type establishmentFilter struct {
	uf, municipio, situacao string
}

// readEstablishmentFilter reads what the address chooses. An error is an InvalidParameter; an empty value is none.
func (rm *Room) readEstablishmentFilter(c *gin.Context, snap *snapshot.Snapshot) (establishmentFilter, error) {
	f := establishmentFilter{c.Query(branchUF), c.Query(branchCity), c.Query(branchStatus)}
	if _, ok := rm.atlas.UF(f.uf); !ok && f.uf != "" {
		return f, page.UnknownValue(branchUF, f.uf, "Deve ser a sigla de um estado, ou EX.")
	}
	if _, ok := rm.atlas.ByRFB(f.municipio); !ok && f.municipio != "" {
		return f, page.UnknownValue(branchCity, f.municipio, "Deve ser o código de um município na Receita Federal.")
	}
	if _, ok := snap.Describe(record.DomainSituacao, f.situacao); !ok && f.situacao != "" {
		return f, page.UnknownValue(branchStatus, f.situacao, "Deve ser o código de uma situação cadastral, com dois dígitos.")
	}
	return f, nil
}

// tally is what one walk over the establishments of a company finds: the rows of a page, and how many there are. The counts
// of a filter are those of the other filters alone, so that they say what another choice would find.
type tally struct {
	rows               []establishmentRow
	active, found      int
	byStatus           map[string]int
	byUF, byCity, seen map[string]int // seen: of the company, without filters, by UF
}

// count walks over all establishments of a company, because no other order or count of them is stored. They are packed fifty
// to a row, one row in memory at a time: about 20 ms for 5,000 of them, and in proportion for the largest companies (20,000). Most
// companies have fewer than fifty, which came with the head.
func (rm *Room) count(ctx context.Context, snap *snapshot.Snapshot, h *pack.Head, f establishmentFilter, in registry.Range) (*tally, error) {
	t := &tally{byStatus: map[string]int{}, byUF: map[string]int{}, byCity: map[string]int{}, seen: map[string]int{}}
	err := snap.Establishments(ctx, h, registry.Range{Limit: h.Establishments}, func(e *record.Establishment) error {
		inUF := f.uf == "" || e.UF == f.uf
		inCity := f.municipio == "" || e.Municipio == f.municipio
		inStatus := f.situacao == "" || e.SituacaoCadastral == f.situacao
		t.seen[e.UF]++
		if e.Active() {
			t.active++
		}
		if inUF && inCity {
			t.byStatus[e.SituacaoCadastral]++
		}
		if inStatus {
			t.byUF[e.UF]++
			if inUF {
				t.byCity[e.Municipio]++
			}
		}
		if !inUF || !inCity || !inStatus {
			return nil
		}
		if t.found >= in.From && len(t.rows) < in.Limit {
			t.rows = append(t.rows, rm.establishmentRow(snap, e))
		}
		t.found++
		return nil
	})
	return t, err
}

// establishmentTable is one page of a company's establishments, and what there is to choose among them.
type establishmentTable struct {
	Rows   []establishmentRow
	Pager  page.Pager // of those chosen
	Total  int64      // of the company
	Active int        // of the company
	Chosen []choice   // the filters in force, each with the address without it
	By     []choices
	Map    *places.StateMap // nil: all are in one state
	Jump   *jump            // nil: there are few pages
	Search string           // address of the search for all of them
}

// ActiveText says how many of the establishments are active.
func (t establishmentTable) ActiveText() string { return ptbr.Counted(t.Active, "ativo", "ativos") }

// choices are the values of a filter.
type choices struct {
	Name   string
	Values []choice
	More   int64 // values that are left out
}

// choice is a value of a filter, with the address that chooses it.
type choice struct {
	Text  string
	URL   string
	Count int64
	Is    bool // it is chosen
}

// jump is a form that leads to a page by its number.
type jump struct {
	Action, Name string
	Kept         []page.Parameter
	Page, Last   int64
}

// establishmentRow is an establishment in the list of its company.
type establishmentRow struct {
	CNPJ       cnpj.Full
	HeadOffice string
	TradeName  string
	City       string
	Status     wording.Status
}

func (rm *Room) establishmentRow(snap *snapshot.Snapshot, e *record.Establishment) establishmentRow {
	return establishmentRow{
		CNPJ:       e.CNPJ,
		HeadOffice: wording.Describe(snap, record.DomainMatrizFilial, e.IdentificadorMatrizFilial),
		TradeName:  ptbr.Company(e.NomeFantasia),
		City:       wording.AddressOf(rm.atlas, snap, e).City(),
		Status:     wording.StatusOf(snap, e),
	}
}

// establishments returns one page of the establishments of a company.
func (rm *Room) establishments(ctx context.Context, snap *snapshot.Snapshot, h *pack.Head, r *request) (establishmentTable, error) {
	f := r.branches
	counted, err := rm.count(ctx, snap, h, f, r.part("estabelecimentos", establishmentsPerPage))
	if err != nil {
		return establishmentTable{}, err
	}
	t := establishmentTable{Rows: counted.rows, Total: int64(h.Establishments), Active: counted.active, Search: "/busca?q=" + h.Root.String()}
	t.Pager = r.pager("Páginas de estabelecimentos", "estabelecimentos", establishmentsPerPage, counted.found)
	if h.Establishments < 2 {
		return t, nil
	}
	status := func(code string) string {
		return cmp.Or(wording.Describe(snap, record.DomainSituacao, code), "Não informada")
	}
	city := func(code string) string { return rm.cityName(snap, code) }
	t.By = []choices{
		r.choices("Situação", branchStatus, f.situacao, counted.byStatus, status),
		r.choices("Estado", branchUF, f.uf, counted.byUF, rm.stateName),
	}
	if f.uf != "" || len(counted.seen) == 1 || f.municipio != "" {
		t.By = append(t.By, r.choices("Município", branchCity, f.municipio, counted.byCity, city))
	}
	for _, by := range t.By {
		for _, value := range by.Values {
			if value.Is {
				t.Chosen = append(t.Chosen, value)
			}
		}
	}
	if len(counted.seen) > 1 {
		t.Map = rm.places.CountMap("Estabelecimentos por estado", counted.byUF)
	}
	if t.Pager.Pages >= jumpFrom {
		t.Jump = r.jump(t.Pager)
	}
	return t, nil
}

func (rm *Room) stateName(uf string) string {
	if state, ok := rm.atlas.UF(uf); ok {
		return state.Name
	}
	return "Não informado"
}

func (rm *Room) cityName(snap *snapshot.Snapshot, code string) string {
	m, ok := rm.atlas.ByRFB(code)
	switch {
	case !ok:
		return cmp.Or(wording.Describe(snap, record.DomainMunicipio, code), "Não informado")
	case m.UF == territory.Abroad:
		return m.Name
	}
	return m.Name + "/" + m.UF
}

// choices returns the values of a filter, those with most establishments first. The chosen one is always among them and leads
// back; what was not published cannot be chosen.
func (r *request) choices(name, parameter, chosen string, counts map[string]int, text func(string) string) choices {
	if _, ok := counts[chosen]; !ok && chosen != "" {
		counts[chosen] = 0
	}
	codes := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(compareBool(a == chosen, b == chosen), cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	all := choices{Name: name, More: int64(max(0, len(codes)-citiesListed))}
	for _, code := range codes[:len(codes)-int(all.More)] {
		c := choice{Text: text(code), Count: int64(counts[code]), Is: code == chosen && code != ""}
		switch {
		case c.Is:
			c.URL = r.choosing(parameter, "")
		case code != "":
			c.URL = r.choosing(parameter, code)
		}
		all.Values = append(all.Values, c)
	}
	return all
}

// compareBool puts what holds first.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// choosing returns the address with another value of a filter, "" for none, on the first page. A municipality goes with its
// state.
func (r *request) choosing(parameter, value string) string {
	query := r.address.Query()
	query.Del(branchPage)
	for _, list := range lists { // one address for one page
		if r.pages[list] == 1 {
			query.Del(list + "_pagina")
		}
	}
	if parameter == branchUF {
		query.Del(branchCity)
	}
	query.Set(parameter, value)
	if value == "" {
		query.Del(parameter)
	}
	return (&url.URL{Path: r.address.Path, RawQuery: query.Encode(), Fragment: "estabelecimentos"}).String()
}

func (r *request) jump(p page.Pager) *jump {
	j := &jump{Action: r.address.Path + "#estabelecimentos", Name: branchPage, Page: int64(p.Page), Last: int64(p.Pages)}
	query := r.address.Query()
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if name != branchPage && query.Get(name) != "" {
			j.Kept = append(j.Kept, page.Parameter{Name: name, Value: query.Get(name)})
		}
	}
	return j
}
