package company

import (
	"cmp"
	"context"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/territory"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/site/chart"
	"razao/site/page"
)

// Query parameters of the establishment list. Values are the codes that the search filters use too.
const (
	branchUF     = "estabelecimentos_uf"
	branchCity   = "estabelecimentos_municipio"
	branchStatus = "estabelecimentos_situacao"
	branchPage   = "estabelecimentos_pagina"
)

// jumpFrom is the page count from which the list offers a "go to page" form.
const jumpFrom = 4

// citiesListed bounds the values offered for one filter, those with most establishments first. Only
// municipalities exceed it.
const citiesListed = 30

// establishmentFilter narrows the list of establishments by UF, Receita municipality code and
// registration status; "" matches any.
type establishmentFilter struct {
	uf, municipio, situacao string
}

// readEstablishmentFilter parses and validates the filter. An empty value means no filter; an
// unknown one is a *page.InvalidParameter (422).
func (hs *Handlers) readEstablishmentFilter(c *gin.Context, snap *snapshot.Snapshot) (establishmentFilter, error) {
	f := establishmentFilter{c.Query(branchUF), c.Query(branchCity), c.Query(branchStatus)}
	if _, ok := hs.atlas.UF(f.uf); !ok && f.uf != "" {
		return f, page.UnknownValue(branchUF, f.uf, "Deve ser a sigla de um estado, ou EX.")
	}
	if _, ok := hs.atlas.ByRFB(f.municipio); !ok && f.municipio != "" {
		return f, page.UnknownValue(branchCity, f.municipio, "Deve ser o código de um município na Receita Federal.")
	}
	if _, ok := snap.Describe(record.DomainSituacao, f.situacao); !ok && f.situacao != "" {
		return f, page.UnknownValue(branchStatus, f.situacao, "Deve ser o código de uma situação cadastral, com dois dígitos.")
	}
	return f, nil
}

// branchCounts is the result of one pass over a company's establishments. Counts of a facet ignore the
// facet's own filter, so each says what choosing another value would find. byUF ignores the
// municipality too, because choosing a state drops it.
type branchCounts struct {
	active, found      int            // of the company; matching the filter
	page               registry.Range // holds the establishments of the requested page, and others between them
	byStatus           map[string]int
	byUF, byCity, seen map[string]int // seen: by UF without any filter
	activeIn           map[string]int // active establishments of the company by UF
}

// matches reports whether an establishment is in the chosen place, and whether it has the chosen status.
func (f *establishmentFilter) matches(e pack.Facets) (inUF, inCity, inStatus bool) {
	return f.uf == "" || e.UF == f.uf, f.municipio == "" || e.Municipio == f.municipio, f.situacao == "" || e.SituacaoCadastral == f.situacao
}

// count walks all establishments of the company in CNPJ order; no counts or other orders are
// stored. Establishments are packed fifty to a row and read one row at a time, so memory is constant
// and time grows linearly. Most companies have fewer than fifty, which came with the head row and
// cost no read.
func count(ctx context.Context, snap *snapshot.Snapshot, h *pack.Head, f establishmentFilter, in registry.Range) (*branchCounts, error) {
	t := &branchCounts{byStatus: map[string]int{}, byUF: map[string]int{}, byCity: map[string]int{}, seen: map[string]int{}, activeIn: map[string]int{}}
	position := -1
	err := snap.EstablishmentFacets(ctx, h, func(e pack.Facets) {
		position++
		inUF, inCity, inStatus := f.matches(e)
		t.seen[e.UF]++
		if e.SituacaoCadastral == record.SituacaoAtiva {
			t.active++
			t.activeIn[e.UF]++
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
			return
		}
		if t.found == in.From {
			t.page.From = position
		}
		if t.found >= in.From && t.found < in.From+in.Limit {
			t.page.Limit = position + 1 - t.page.From
		}
		t.found++
	})
	return t, err
}

// establishmentTable is one page of a company's establishments with the facets to narrow it.
type establishmentTable struct {
	Rows   []establishmentRow
	Pager  page.Pager // of those that match the filter
	Total  int64      // of the company, unfiltered
	Active int        // of the company, unfiltered
	In     []string   // codes of the states with active establishments, or with any when none is active; most first
	Chosen []choice   // the filters in force; URL removes the filter
	By     []choices  // facets: status, state and, within one state, municipality
	Jump   *jump      // nil below jumpFrom pages
	Search string     // path of the search for the company's root
}

// ActiveText returns the number of active establishments in words.
func (t establishmentTable) ActiveText() string { return ptbr.Counted(t.Active, "ativo", "ativos") }

// Size returns how many establishments are active.
func (t establishmentTable) Size() string {
	switch {
	case t.Total == 1:
		return "1 estabelecimento" + page.Either(t.Active == 1, " ativo", ", não ativo")
	case t.Active == 0:
		return "Nenhum estabelecimento ativo"
	}
	return ptbr.Counted(t.Active, "estabelecimento ativo", "estabelecimentos ativos")
}

// namedStates is how many states Spread names; more are counted.
const namedStates = 3

// Spread returns where the active establishments are, or all if none is active, and of how many they
// are: de 151, em 14 estados. A single establishment is where its address says: "".
func (t establishmentTable) Spread() string {
	if t.Total == 1 {
		return ""
	}
	states := slices.DeleteFunc(slices.Clone(t.In), func(uf string) bool { return uf == territory.Abroad || uf == "" })
	var where []string
	switch {
	case len(states) > namedStates:
		where = append(where, "em "+ptbr.Count(len(states))+" estados")
	case len(states) > 0:
		where = append(where, "em "+ptbr.List(states))
	}
	if slices.Contains(t.In, territory.Abroad) {
		where = append(where, "no exterior")
	}
	return ptbr.Join(", ", page.When(int64(t.Active) != t.Total, "de "+ptbr.Count(t.Total)), strings.Join(where, " e "))
}

// choices is one facet: a filter and the values it offers.
type choices struct {
	Name   string
	Values []choice
	More   int64 // values beyond citiesListed
}

// Few reports whether the values fit on one line. Others are drawn as bars.
func (c *choices) Few() bool { return len(c.Values) <= 5 }

// barsShown is how many values of a facet are drawn as bars at once; the rest is folded away.
const barsShown = 8

// Bars draws the facet. The chosen value is the first, and its link takes the filter away.
func (c *choices) Bars() *chart.Bars {
	var rows []chart.Bar
	for _, v := range c.Values {
		rows = append(rows, chart.Bar{Text: v.Text, URL: v.URL, Current: v.Is, Count: v.Count})
	}
	chart.Scaled(rows)
	b := &chart.Bars{Label: "Estabelecimentos por " + strings.ToLower(c.Name), What: c.Name, Unit: "Estabelecimentos", Rows: rows}
	b.Caption = b.Label + page.When(c.More != 0, ", sem mais "+ptbr.Count(c.More))
	if len(rows) > barsShown+1 {
		b.Rows, b.Rest = rows[:barsShown], rows[barsShown:]
	}
	return b
}

// choice is one value of a facet.
type choice struct {
	Text  string
	URL   string // chooses the value or, when Is, removes it; "" for the value that was not published
	Count int64
	Is    bool // in force
}

// jump is a GET form that leads to a page by its number. Fields are the other parameters of the
// address, sent as hidden fields.
type jump struct {
	Action, Name string
	Fields       []page.Parameter
	Page, Last   int64
}

// establishmentRow is a row of the establishment list.
type establishmentRow struct {
	CNPJ       cnpj.Full
	HeadOffice string
	TradeName  string
	City       string
	Status     wording.Status
}

func (hs *Handlers) establishmentRow(snap *snapshot.Snapshot, e *record.Establishment) establishmentRow {
	return establishmentRow{
		CNPJ:       e.CNPJ,
		HeadOffice: wording.Describe(snap, record.DomainMatrizFilial, e.IdentificadorMatrizFilial),
		TradeName:  ptbr.Company(e.NomeFantasia),
		City:       wording.CityOf(hs.atlas, snap, e),
		Status:     wording.StatusOf(snap, e),
	}
}

// establishments reads one page of the establishments and, for a company with more than one, the
// facets. Municipalities are offered only within one state, chosen or the only one:
// across states the list would be long and names ambiguous.
func (hs *Handlers) establishments(ctx context.Context, snap *snapshot.Snapshot, h *pack.Head, r *request) (establishmentTable, error) {
	f := r.branches
	counted, err := count(ctx, snap, h, f, r.part("estabelecimentos", establishmentsPerPage))
	if err != nil {
		return establishmentTable{}, err
	}
	in := counted.activeIn
	if counted.active == 0 {
		in = counted.seen
	}
	t := establishmentTable{
		Total: int64(h.Establishments), Active: counted.active, In: byCount(in), Search: "/busca?q=" + h.Root.String(),
	}
	err = snap.Establishments(ctx, h, counted.page, func(e *record.Establishment) error {
		inUF, inCity, inStatus := f.matches(pack.Facets{UF: e.UF, Municipio: e.Municipio, SituacaoCadastral: e.SituacaoCadastral})
		if inUF && inCity && inStatus {
			t.Rows = append(t.Rows, hs.establishmentRow(snap, e))
		}
		return nil
	})
	if err != nil {
		return establishmentTable{}, err
	}
	t.Pager = r.pager("Páginas de estabelecimentos", "estabelecimentos", establishmentsPerPage, counted.found)
	if h.Establishments < 2 {
		return t, nil
	}
	status := func(code string) string {
		return cmp.Or(wording.Describe(snap, record.DomainSituacao, code), "Não informada")
	}
	city := func(code string) string { return hs.cityName(snap, code) }
	t.By = []choices{
		r.choices("Situação", branchStatus, f.situacao, counted.byStatus, status),
		r.choices("Estado", branchUF, f.uf, counted.byUF, hs.stateName),
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
	if t.Pager.Pages >= jumpFrom {
		t.Jump = r.jump(t.Pager)
	}
	return t, nil
}

func (hs *Handlers) stateName(uf string) string {
	if state, ok := hs.atlas.UF(uf); ok {
		return state.Name
	}
	return "Não informado"
}

// cityName returns Campinas/SP for a Receita municipality code. A code that the atlas lacks has the
// name in the load's own table, if any.
func (hs *Handlers) cityName(snap *snapshot.Snapshot, code string) string {
	m, ok := hs.atlas.ByRFB(code)
	switch {
	case !ok:
		return cmp.Or(wording.Describe(snap, record.DomainMunicipio, code), "Não informado")
	case m.UF == territory.Abroad:
		return m.Name
	}
	return m.Name + "/" + m.UF
}

// byCount returns codes by descending count.
func byCount(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
}

// choices builds a facet from counts by code: the chosen value first, then by descending count. The
// chosen value is present even with no establishments, because its link removes the filter. The
// empty code, of what was not published, has no link. It adds the chosen code to counts.
func (r *request) choices(name, parameter, chosen string, counts map[string]int, text func(string) string) choices {
	if _, ok := counts[chosen]; !ok && chosen != "" {
		counts[chosen] = 0
	}
	codes := byCount(counts)
	slices.SortStableFunc(codes, func(a, b string) int { return compareBool(a == chosen, b == chosen) })
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

// compareBool orders true before false.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// choosing returns the address of the first page of the list with a filter set to value, "" for
// none. Another state drops the municipality, which belongs to one state.
func (r *request) choosing(parameter, value string) string {
	query := r.address.Query()
	query.Del(branchPage)
	for _, list := range lists { // an explicit page 1 would give the same page a second address
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

// jump returns the "go to page" form of the list.
func (r *request) jump(p page.Pager) *jump {
	j := &jump{Action: r.address.Path + "#estabelecimentos", Name: branchPage, Page: int64(p.Page), Last: int64(p.Pages)}
	query := r.address.Query()
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if name != branchPage && query.Get(name) != "" {
			j.Fields = append(j.Fields, page.Parameter{Name: name, Value: query.Get(name)})
		}
	}
	return j
}
