package months

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
)

// change is a row of MUDANCAS.csv: root, order, kind, before, after.
type change [5]string

func (c change) String() string { return strings.Join(c[:], ";") }

// plant takes the rows of MUDANCAS.csv over, with dates as the records have them: one that is zero is none.
func (m *month) plant(t *testing.T, rows [][]string) {
	t.Helper()
	known := map[cnpj.Root]bool{}
	for _, row := range rows {
		c := change(row)
		for i := range c {
			columns := strings.Split(c[i], "|")
			for k := range columns {
				if columns[k] == "00000000" {
					columns[k] = ""
				}
			}
			c[i] = strings.Join(columns, "|")
		}
		root, err := cnpj.ParseRoot(c[0])
		if err != nil {
			t.Fatal(err)
		}
		known[root] = true
		m.planted = append(m.planted, c.String())
	}
	slices.Sort(m.planted)
	m.roots = slices.Sorted(maps.Keys(known))
}

// check compares what the program says about the first n months with the changes planted in them:
// for every company since when its records are as they are, and for those of the last month how
// they changed. The n-th month is in service.
func (y *years) check(n int) {
	y.t.Helper()
	m := y.months[n-1]
	ctx := y.t.Context()
	live := snapshot.Open(ctx, y.store, filepath.Join(y.p.Data, "index"), y.atlas, slog.New(slog.DiscardHandler))
	defer live.Close()
	snap, err := live.Acquire()
	if err != nil {
		y.t.Fatal(err)
	}
	defer snap.Release()
	if snap.Load.ID != m.load {
		y.t.Fatalf("load %d is served, want %d", snap.Load.ID, m.load)
	}
	view := y.view()
	origin := y.origins(n)
	y.checkOrigins(view, origin)
	f := &finder{y: y, ctx: ctx, snap: snap, month: n, origin: origin}
	err = view.Scan(ctx, func(h *pack.Head, _ []record.Partner, _ *pack.EstablishmentCursor) error { return f.company(h.Root) })
	if err != nil {
		y.t.Fatal(err)
	}
	want := m.planted
	if n < len(y.months) {
		want = nil // the month before it is not kept any more: see finder.known
	}
	slices.Sort(f.found)
	if diff := gocmp.Diff(want, f.found); diff != "" {
		y.t.Errorf("%s: planted - found +: %.5000s", m.name, diff)
	}
	y.checkPages(f)
}

// view opens the snapshot in service.
func (y *years) view() *registry.View {
	y.t.Helper()
	id, err := y.store.CurrentID(y.t.Context())
	if err != nil {
		y.t.Fatal(err)
	}
	current, err := y.store.Snapshot(y.t.Context(), id)
	if err != nil {
		y.t.Fatal(err)
	}
	view, err := y.store.View(y.t.Context(), current)
	if err != nil {
		y.t.Fatal(err)
	}
	return view
}

// origins returns, for every company that changed in the first n months, the load of its last
// change.
func (y *years) origins(n int) map[cnpj.Root]int64 {
	origin := map[cnpj.Root]int64{}
	for _, m := range y.months[:n] {
		for _, root := range m.roots {
			origin[root] = m.load
		}
	}
	return origin
}

// checkOrigins compares the list of changes that the load keeps with want.
func (y *years) checkOrigins(view *registry.View, want map[cnpj.Root]int64) {
	y.t.Helper()
	got := map[cnpj.Root]int64{}
	err := view.EachChange(y.t.Context(), func(root cnpj.Root, load int64) error {
		got[root] = load
		return nil
	})
	if err != nil {
		y.t.Fatal(err)
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		y.t.Errorf("loads that brought the records, want - got +: %.3000s", diff)
	}
}

// finder collects the changes of one month as the program reports them.
type finder struct {
	y      *years
	ctx    context.Context
	snap   *snapshot.Snapshot
	month  int // from 1 on
	origin map[cnpj.Root]int64

	found     []string
	unchanged []cnpj.Root // some companies that did not change
	companies int
}

// company collects the changes of one company.
func (f *finder) company(root cnpj.Root) error {
	h, err := f.snap.Company(f.ctx, root)
	if registry.IsAbsent(err) {
		return nil // rows that the release has of no company
	}
	if err != nil {
		return err
	}
	c, err := f.snap.Changes(f.ctx, &h, 0) // no establishment is here: all are others
	if err != nil {
		return err
	}
	f.companies++
	if !f.known(root, &c) {
		return nil
	}
	if !c.Now && f.companies%499 == 0 && len(f.unchanged) < 20 {
		f.unchanged = append(f.unchanged, root)
	}
	if !c.Now || c.Gone {
		return nil
	}
	return f.differences(root, &h, &c)
}

// known checks since when a company is said to be unchanged. It returns false for the first month,
// which has nothing to compare with. After a rollback the load before the served one is gone.
func (f *finder) known(root cnpj.Root, c *snapshot.Changes) bool {
	t, months := f.y.t, f.y.months[:f.month]
	m := months[f.month-1]
	if f.month == 1 {
		if c.Former != "" || c.Now {
			t.Errorf("%s: %s is said to have changed since %q", m.name, root.Masked(), c.Former)
		}
		return false
	}
	load, changed := f.origin[root]
	since := registry.Change{Load: cmp.Or(load, months[0].load), Exact: changed}
	for _, other := range months {
		if other.load == since.Load {
			since.Period = other.name
		}
	}
	now := load == m.load
	gone := now && f.month < len(f.y.months)
	if c.Former != months[f.month-2].name || c.Since != since || c.Now != now || c.Gone != gone {
		t.Errorf("%s: %s: former %s since %+v now %t gone %t; want since %+v now %t gone %t", m.name, root.Masked(), c.Former, c.Since,
			c.Now, c.Gone, since, now, gone)
	}
	return true
}

// differences converts the changes of a company into rows of MUDANCAS.csv.
func (f *finder) differences(root cnpj.Root, h *pack.Head, c *snapshot.Changes) error {
	add := func(order, kind, before, after string) {
		f.found = append(f.found, change{root.String(), order, kind, before, after}.String())
	}
	if c.New {
		order := f.headOffice(root).Order()
		e, err := f.snap.Establishment(f.ctx, h, order)
		add(order.String(), "abertura", "", compact(e.DataInicioAtividade))
		return err
	}
	before := len(f.found)
	differ("", &c.Heads[0], &c.Heads[1], headGroups, add)
	for _, p := range c.Others {
		if p.Before == nil || p.After == nil {
			add("", "establishment came or went", "", "")
			continue
		}
		differ(p.After.CNPJ.Order().String(), p.Before, p.After, establishmentGroups, add)
	}
	differentPartners(c.Partners[0], c.Partners[1], add)
	if len(f.found) == before {
		add("", "nothing", "", "")
	}
	return nil
}

// group is the columns of a row that a change is made of.
type group[T any] struct {
	kind    func(before, after *T) string
	columns func(*T) string
}

// differ adds a row for each group of columns that changed.
func differ[T any](order string, before, after *T, groups []group[T], add func(order, kind, before, after string)) {
	for _, g := range groups {
		if b, a := g.columns(before), g.columns(after); b != a {
			add(order, g.kind(before, after), b, a)
		}
	}
}

func always[T any](kind string) func(_, _ *T) string { return func(_, _ *T) string { return kind } }

var headGroups = []group[pack.Head]{
	{always[pack.Head]("razao_social"), func(h *pack.Head) string { return h.Company.RazaoSocial }},
	{always[pack.Head]("capital_social"), func(h *pack.Head) string { return published(h.Company.CapitalSocial) }},
	{always[pack.Head]("simples"), func(h *pack.Head) string {
		s := &h.Simples
		return joined(option(h, s.OpcaoPeloSimples), compact(s.DataOpcaoPeloSimples), compact(s.DataExclusaoSimples))
	}},
	{always[pack.Head]("mei"), func(h *pack.Head) string {
		s := &h.Simples
		return joined(option(h, s.OpcaoPeloMEI), compact(s.DataOpcaoPeloMEI), compact(s.DataExclusaoMEI))
	}},
	{always[pack.Head]("other columns of the company"), func(h *pack.Head) string {
		c := h.Company
		c.RazaoSocial, c.CapitalSocial = "", 0
		return fmt.Sprint(c)
	}},
}

var establishmentGroups = []group[record.Establishment]{
	{always[record.Establishment]("situacao_cadastral"), func(e *record.Establishment) string {
		return joined(e.SituacaoCadastral, compact(e.DataSituacaoCadastral), e.MotivoSituacaoCadastral)
	}},
	{moved, func(e *record.Establishment) string {
		return joined(e.TipoLogradouro, e.Logradouro, e.Numero, e.Complemento, e.Bairro, e.CEP, e.UF, e.Municipio)
	}},
	{always[record.Establishment]("other columns of the establishment"), func(e *record.Establishment) string {
		rest := *e
		rest.SituacaoCadastral, rest.DataSituacaoCadastral, rest.MotivoSituacaoCadastral = "", 0, ""
		rest.TipoLogradouro, rest.Logradouro, rest.Numero, rest.Complemento = "", "", "", ""
		rest.Bairro, rest.CEP, rest.UF, rest.Municipio = "", "", "", ""
		return fmt.Sprint(rest)
	}},
}

func moved(before, after *record.Establishment) string {
	if before.Municipio != after.Municipio {
		return "municipio"
	}
	return "endereco"
}

// differentPartners pairs partners by the columns that never change.
func differentPartners(before, after []record.Partner, add func(order, kind, before, after string)) {
	text := func(p *record.Partner) string {
		return joined(p.IdentificadorSocio, p.NomeSocio, p.CNPJCPFSocio, p.QualificacaoSocio, compact(p.DataEntradaSociedade))
	}
	after = slices.Clone(after)
	for _, b := range before {
		i := slices.IndexFunc(after, func(a record.Partner) bool { a.QualificacaoSocio = b.QualificacaoSocio; return a == b })
		if i < 0 {
			add("", "socio_saiu", text(&b), "")
			continue
		}
		add("", "socio_qualificacao", text(&b), text(&after[i]))
		after = slices.Delete(after, i, i+1)
	}
	for i := range after {
		add("", "socio_entrou", "", text(&after[i]))
	}
}

func joined(columns ...string) string { return strings.Join(columns, "|") }

// compact writes a date as it is published, "" for none.
func compact(d record.Date) string { return strings.ReplaceAll(d.String(), "-", "") }

func published(c record.Cents) string {
	if c == record.NoCents {
		return ""
	}
	return fmt.Sprintf("%d,%02d", c/100, c%100)
}

// option writes an option as it is published; a company without a row in Simples has none.
func option(h *pack.Head, f record.Flag) string {
	switch {
	case !h.HasSimples:
		return "no row"
	case f == record.Yes:
		return "S"
	case f == record.No:
		return "N"
	}
	return ""
}

// pagesOfAKind is how many companies with a change of one kind a month looks up on the website.
const pagesOfAKind = 8

// onPages is what the page of a company says of a change; of natural persons it may withhold the value but not the change.
var onPages = map[string][]string{
	"abertura":           {"A empresa não estava na carga anterior, de "},
	"situacao_cadastral": {`<th scope="row">Situação</th>`},
	"endereco":           {`<th scope="row">Endereço</th>`, "não mostra o que havia antes em: "},
	"municipio":          {`<th scope="row">Endereço</th>`, `<th scope="row">Município</th>`},
	"razao_social":       {`<th scope="row">Nome empresarial</th>`, "Nome empresarial"},
	"capital_social":     {`<th scope="row">Capital social</th>`},
	"socio_entrou":       {`<th scope="row">Sócio`},
	"socio_saiu":         {`<th scope="row">Sócio`},
	"socio_qualificacao": {`<th scope="row">Sócio: `},
	"simples":            {`<th scope="row">Simples Nacional</th>`},
	"mei":                {`<th scope="row">MEI</th>`},
}

// checkPages asks the server for some of the companies.
func (y *years) checkPages(f *finder) {
	y.t.Helper()
	m := y.months[f.month-1]
	asked := map[string]int{}
	for _, row := range m.planted {
		c := strings.SplitN(row, ";", 4)
		kind := c[2]
		if asked[kind]++; asked[kind] > pagesOfAKind {
			continue
		}
		says := onPages[kind]
		if f.month < len(y.months) {
			says = []string{"A anterior já não está guardada"}
		}
		y.checkPage(f.numberOf(c[0], c[1]), kind, says)
	}
	nothing := []string{"Nada: os dados cadastrais da empresa são os mesmos desde"}
	for _, root := range f.unchanged {
		y.checkPage(f.headOffice(root), "no change", nothing)
	}
	if f.month > 1 && len(f.unchanged) == 0 {
		y.t.Errorf("%s: no page without a change was looked at", m.name)
	}
}

// numberOf returns the establishment that a change is about: that of the order, else the head office.
func (f *finder) numberOf(root, order string) cnpj.Full {
	f.y.t.Helper()
	r, err := cnpj.ParseRoot(root)
	if err != nil {
		f.y.t.Fatal(err)
	}
	if order == "" {
		return f.headOffice(r)
	}
	o, err := cnpj.ParseOrder(order)
	if err != nil {
		f.y.t.Fatal(err)
	}
	return cnpj.Join(r, o)
}

func (f *finder) headOffice(root cnpj.Root) cnpj.Full {
	f.y.t.Helper()
	office, exists, err := f.snap.HeadOffice(f.ctx, root)
	if err != nil || !exists {
		f.y.t.Fatalf("head office of %s: %t, %v", root.Masked(), exists, err)
	}
	return office
}

// checkPage looks for one of some texts in what a page says has changed.
func (y *years) checkPage(number cnpj.Full, kind string, says []string) {
	y.t.Helper()
	status, body := y.p.Get("/"+number.String(), "")
	_, section, found := strings.Cut(body, `<h2 id="mudancas">`)
	section, _, _ = strings.Cut(section, "</section>")
	if status != 200 || !found || !slices.ContainsFunc(says, func(text string) bool { return strings.Contains(section, text) }) {
		y.t.Errorf("the page of a company with %s: %d, none of %q in\n%.2000s", kind, status, says, section)
	}
}
