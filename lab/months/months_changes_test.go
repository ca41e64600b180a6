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

// change is a row of MUDANCAS.csv: root, order, event, day, before, after.
type change [6]string

func (c change) String() string { return strings.Join(c[:], ";") }

// removed is the event of a company that a release no longer has.
const removed = "empresa.removida"

// plant takes the rows of MUDANCAS.csv over that are about companies, with dates as the records have them: one that is
// zero is none.
func (m *month) plant(t *testing.T, rows [][]string) {
	t.Helper()
	known := map[cnpj.Root]bool{}
	for _, row := range rows {
		c := change(row)
		if strings.HasPrefix(c[2], "fonte.") {
			continue
		}
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
		if c[2] == removed {
			m.removed = append(m.removed, root)
			continue
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
	err = view.Scan(ctx, func(h *pack.Head, partners []record.Partner, establishments *pack.EstablishmentCursor) error {
		return f.company(h.Root, partners, establishments)
	})
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
		for _, root := range m.removed {
			delete(origin, root)
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
func (f *finder) company(root cnpj.Root, partners []record.Partner, establishments *pack.EstablishmentCursor) error {
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
	switch {
	case !c.Now || c.Gone:
		return nil
	case c.New:
		return f.opened(root, partners, establishments)
	}
	f.differences(root, &c)
	return nil
}

// add adds a row of MUDANCAS.csv.
func (f *finder) add(root cnpj.Root, order, event, day, before, after string) {
	f.found = append(f.found, change{root.String(), order, event, day, before, after}.String())
}

// opened adds what there is of a company that the load before did not have.
func (f *finder) opened(root cnpj.Root, partners []record.Partner, establishments *pack.EstablishmentCursor) error {
	for establishments.Next() {
		e := &establishments.Establishment
		began := compact(e.DataInicioAtividade)
		f.add(root, e.CNPJ.Order().String(), "estabelecimento.aberto", began, "", began)
	}
	for i := range partners {
		f.add(root, "", "socio.entrou", compact(partners[i].DataEntradaSociedade), "", partnerText(&partners[i]))
	}
	return establishments.Err()
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
func (f *finder) differences(root cnpj.Root, c *snapshot.Changes) {
	before := len(f.found)
	differ(&c.Heads[0], &c.Heads[1], headGroups, func(event, day, before, after string) { f.add(root, "", event, day, before, after) })
	for _, p := range c.Others {
		switch {
		case p.After == nil:
			f.add(root, p.Before.CNPJ.Order().String(), "estabelecimento.removido", "", "", "")
		case p.Before == nil:
			began := compact(p.After.DataInicioAtividade)
			f.add(root, p.After.CNPJ.Order().String(), "estabelecimento.aberto", began, "", began)
		default:
			differ(p.Before, p.After, establishmentGroups, func(event, day, before, after string) {
				f.add(root, p.After.CNPJ.Order().String(), event, day, before, after)
			})
		}
	}
	f.differentPartners(root, c.Partners[0], c.Partners[1])
	if len(f.found) == before {
		f.add(root, "", "nothing", "", "", "")
	}
}

// group is the columns of a row that an event is about. event returns its code and its day.
type group[T any] struct {
	event   func(before, after *T) (code, day string)
	columns func(*T) string
}

// differ adds an event for each group of columns that changed.
func differ[T any](before, after *T, groups []group[T], add func(event, day, before, after string)) {
	for _, g := range groups {
		if b, a := g.columns(before), g.columns(after); b != a {
			event, day := g.event(before, after)
			add(event, day, b, a)
		}
	}
}

// always is the event of a group that has only one, without a day.
func always[T any](event string) func(_, _ *T) (string, string) {
	return func(_, _ *T) (string, string) { return event, "" }
}

type head = pack.Head

var headGroups = []group[head]{
	{always[head]("empresa.nome"), func(h *head) string { return h.Company.RazaoSocial }},
	{always[head]("empresa.natureza"), func(h *head) string { return h.Company.NaturezaJuridica }},
	{always[head]("empresa.responsavel"), func(h *head) string { return h.Company.QualificacaoResponsavel }},
	{always[head]("empresa.capital"), func(h *head) string { return published(h.Company.CapitalSocial) }},
	{always[head]("empresa.porte"), func(h *head) string { return h.Company.PorteEmpresa }},
	{always[head]("empresa.ente"), func(h *head) string { return h.Company.EnteFederativoResponsavel }},
	option("simples", func(s *record.Simples) (record.Flag, record.Date, record.Date) {
		return s.OpcaoPeloSimples, s.DataOpcaoPeloSimples, s.DataExclusaoSimples
	}),
	option("mei", func(s *record.Simples) (record.Flag, record.Date, record.Date) {
		return s.OpcaoPeloMEI, s.DataOpcaoPeloMEI, s.DataExclusaoMEI
	}),
}

// option is the group of one of the two options.
func option(regime string, of func(*record.Simples) (flag record.Flag, entry, exit record.Date)) group[head] {
	return group[head]{
		func(before, after *head) (string, string) {
			was, _, _ := of(&before.Simples)
			is, entry, exit := of(&after.Simples)
			switch {
			case was == is:
				return regime + ".alterado", ""
			case is == record.Yes:
				return regime + ".optou", compact(entry)
			}
			return regime + ".saiu", compact(exit)
		},
		func(h *head) string {
			flag, entry, exit := of(&h.Simples)
			return joined(optionText(h, flag), compact(entry), compact(exit))
		},
	}
}

type establishment = record.Establishment

var establishmentGroups = []group[establishment]{
	{always[establishment]("estabelecimento.matriz_filial"), func(e *establishment) string { return e.IdentificadorMatrizFilial }},
	{always[establishment]("estabelecimento.nome_fantasia"), func(e *establishment) string { return e.NomeFantasia }},
	{situation, func(e *establishment) string {
		return joined(e.SituacaoCadastral, compact(e.DataSituacaoCadastral), e.MotivoSituacaoCadastral)
	}},
	{always[establishment]("estabelecimento.atividade"), func(e *establishment) string { return e.CNAEFiscalPrincipal }},
	{always[establishment]("estabelecimento.atividades_secundarias"), func(e *establishment) string { return e.CNAEFiscalSecundaria }},
	{moved, func(e *establishment) string {
		return joined(e.TipoLogradouro, e.Logradouro, e.Numero, e.Complemento, e.Bairro, e.CEP, e.UF, e.Municipio)
	}},
	{always[establishment]("estabelecimento.contato"), func(e *establishment) string {
		return joined(e.DDD1, e.Telefone1, e.DDD2, e.Telefone2, e.DDDFax, e.Fax, e.CorreioEletronico)
	}},
	{
		func(_, after *establishment) (string, string) {
			return "estabelecimento.situacao_especial", compact(after.DataSituacaoEspecial)
		},
		func(e *establishment) string { return joined(e.SituacaoEspecial, compact(e.DataSituacaoEspecial)) },
	},
	{always[establishment]("other columns of the establishment"), func(e *establishment) string {
		return joined(e.NomeCidadeExterior, e.Pais, compact(e.DataInicioAtividade))
	}},
}

func situation(before, after *establishment) (event, day string) {
	event = "estabelecimento.situacao"
	if before.SituacaoCadastral != after.SituacaoCadastral {
		switch after.SituacaoCadastral {
		case "08":
			event = "estabelecimento.baixado"
		case "02":
			event = "estabelecimento.reativado"
		}
	}
	return event, compact(after.DataSituacaoCadastral)
}

func moved(before, after *establishment) (event, day string) {
	if before.Municipio != after.Municipio {
		return "estabelecimento.municipio", ""
	}
	return "estabelecimento.endereco", ""
}

// differentPartners pairs partners by kind, name and number.
func (f *finder) differentPartners(root cnpj.Root, before, after []record.Partner) {
	after = slices.Clone(after)
	for _, b := range before {
		i := slices.IndexFunc(after, func(a record.Partner) bool {
			return a.IdentificadorSocio == b.IdentificadorSocio && a.NomeSocio == b.NomeSocio && a.CNPJCPFSocio == b.CNPJCPFSocio
		})
		if i < 0 {
			f.add(root, "", "socio.saiu", "", partnerText(&b), "")
			continue
		}
		f.add(root, "", "socio.alterado", "", partnerText(&b), partnerText(&after[i]))
		after = slices.Delete(after, i, i+1)
	}
	for i := range after {
		f.add(root, "", "socio.entrou", compact(after[i].DataEntradaSociedade), "", partnerText(&after[i]))
	}
}

func partnerText(p *record.Partner) string {
	return joined(p.IdentificadorSocio, p.NomeSocio, p.CNPJCPFSocio, p.QualificacaoSocio, compact(p.DataEntradaSociedade), p.Pais,
		p.RepresentanteLegal, p.NomeRepresentante, p.QualificacaoRepresentanteLegal, p.FaixaEtaria)
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

// optionText writes an option as it is published; a company without a row in Simples has none.
func optionText(h *pack.Head, f record.Flag) string {
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
	"estabelecimento.aberto":                 {"A empresa não estava na carga anterior, de ", "Este estabelecimento não estava na carga anterior"},
	"estabelecimento.baixado":                {`<th scope="row">Situação</th>`},
	"estabelecimento.reativado":              {`<th scope="row">Situação</th>`},
	"estabelecimento.situacao":               {`<th scope="row">Situação</th>`},
	"estabelecimento.endereco":               {`<th scope="row">Endereço</th>`, "não mostra o que havia antes em: "},
	"estabelecimento.municipio":              {`<th scope="row">Endereço</th>`, `<th scope="row">Município</th>`},
	"estabelecimento.atividade":              {`<th scope="row">Atividade principal</th>`},
	"estabelecimento.atividades_secundarias": {`<th scope="row">Atividades secundárias</th>`},
	"estabelecimento.contato":                {`<th scope="row">Telefone</th>`, "não mostra o que havia antes em: "},
	"estabelecimento.nome_fantasia":          {`<th scope="row">Nome fantasia</th>`, "Nome fantasia"},
	"estabelecimento.matriz_filial":          {`<th scope="row">Matriz ou filial</th>`},
	"estabelecimento.situacao_especial":      {`<th scope="row">Situação especial</th>`},
	"empresa.nome":                           {`<th scope="row">Nome empresarial</th>`, "Nome empresarial"},
	"empresa.natureza":                       {`<th scope="row">Natureza jurídica</th>`},
	"empresa.responsavel":                    {`<th scope="row">Qualificação do responsável</th>`},
	"empresa.capital":                        {`<th scope="row">Capital social</th>`},
	"empresa.porte":                          {`<th scope="row">Porte</th>`},
	"socio.entrou":                           {`<th scope="row">Sócio`, "A empresa não estava na carga anterior, de "},
	"socio.saiu":                             {`<th scope="row">Sócio`},
	"socio.alterado":                         {`<th scope="row">Sócio: `},
	"simples.optou":                          {`<th scope="row">Simples Nacional</th>`},
	"simples.saiu":                           {`<th scope="row">Simples Nacional</th>`},
	"simples.alterado":                       {`<th scope="row">Simples Nacional</th>`},
	"mei.optou":                              {`<th scope="row">MEI</th>`},
	"mei.saiu":                               {`<th scope="row">MEI</th>`},
	"mei.alterado":                           {`<th scope="row">MEI</th>`},
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
