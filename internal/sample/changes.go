package sample

import (
	"cmp"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"razao/internal/data/cnpj"
	"razao/internal/sample/country"
)

// changes is the group of MUDANCAS.csv.
const changes, changesName = "Mudancas", "MUDANCAS.csv"

// changesFile returns MUDANCAS.csv, which lists everything that differs between the release of c and
// that of the earlier month since, one event a row, with the stable codes of the history of changes.
// A month that is no earlier release of c is an error. The file is UTF-8, with the columns
//
//	raiz, ordem    the establishment, or with ordem empty the company
//	evento         such as estabelecimento.endereco
//	data           day of the event as published, AAAAMMDD, if it is
//	antes, depois  the columns that the event is about as published, joined by bars
//
// The events of a public record, such as fonte.pgfn.entrou, are those of the company's records in it, for PGFN, CEIS and CNEP;
// before and after are their number and, if the source has amounts, their total.
//
// A company that was opened since has an estabelecimento.aberto for each establishment and a
// socio.entrou for each partner; one that the release no longer has is an empresa.removida alone.
//
// The file is the expected answer for tests of change detection: it is derived from the same rows
// as the releases.
func changesFile(c *country.Country, s *sources, folder, since string) (file, error) {
	before, err := c.Earlier(since)
	if err != nil {
		return file{}, err
	}
	p := pair{before: &release{before}, now: &release{c}}
	return file{
		folder: folder, name: changesName, group: changes, header: "raiz;ordem;evento;data;antes;depois\n",
		dialect: dialect{quoting: asNeeded, end: "\n"}, to: c.Companies + 1, rows: func(r *rowBuffer, x int) {
			switch {
			case x < c.Companies:
				p.changes(r, x)
			case s != nil:
				s.changes(r, before.Months, c.Months)
			}
		},
	}, nil
}

// Events reads what MUDANCAS.csv of the release in folder dir says of a company, as people read it.
func Events(dir string, root cnpj.Root) (events []string, err error) {
	f, err := os.Open(filepath.Join(dir, changesName))
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	reader := csv.NewReader(f)
	reader.Comma = ';'
	for {
		row, err := reader.Read()
		switch {
		case errors.Is(err, io.EOF):
			return events, nil
		case err != nil:
			return nil, err
		case row[0] == root.String():
			about := strings.TrimSpace(row[1] + " " + row[2])
			events = append(events, about+": "+cmp.Or(row[4], "-")+" > "+cmp.Or(row[5], "-"))
		}
	}
}

// pair is the registry at two releases.
type pair struct{ before, now *release }

// changes appends the rows about company i. Companies without an event since the earlier month are
// skipped without deriving their rows.
func (p *pair) changes(r *rowBuffer, i int) {
	now := p.now.Company(i)
	isNew, since := i >= p.before.Companies, uint16(p.before.Months)
	if !isNew && !slices.ContainsFunc(now.When[:], func(month uint16) bool { return month > since }) {
		return
	}
	var was tables
	if !isNew {
		c := p.before.Company(i)
		was = p.before.tables(&c)
	}
	is, root := p.now.tables(&now), now.Root.String()
	add := func(order, event, date, before, after string) { r.add(root, order, event, date, before, after) }
	if was.company != nil && is.company == nil {
		add("", "empresa.removida", "", "", "")
		return
	}
	differ("", companyAspects, was.company, is.company, add)
	for k, row := range is.establishments {
		if k < len(was.establishments) {
			differ(row[1], establishmentAspects, was.establishments[k], row, add)
			continue
		}
		add(row[1], "estabelecimento.aberto", row[10], "", row[10])
	}
	differentPartners(was.partners, is.partners, add)
	differ("", optionAspects, was.simples, is.simples, add)
}

// tables holds the rows of one company; nil for a table that has none.
type tables struct {
	company, simples         []string
	establishments, partners [][]string
}

// tables returns the rows of a company, none of one that was removed.
func (g *release) tables(c *company) (t tables) {
	if c.When[country.Removal] > 0 {
		return t
	}
	t.company = g.company(c)
	for k := range c.Branches + 1 {
		t.establishments = append(t.establishments, g.establishment(nil, c, k))
	}
	for k := range g.partnerNumbers(c) {
		row := g.partner(c, k)
		if !slices.ContainsFunc(t.partners, func(other []string) bool { return slices.Equal(row, other) }) {
			t.partners = append(t.partners, row) // rows that are alike in all columns are one partner
		}
	}
	if g.inSimples(c) {
		t.simples = g.simples(c)
	}
	return t
}

// aspect is neighbouring columns of a row, from one to before another, whose change is one event.
// event returns its code and the column of its day, 0 for none.
type aspect struct {
	from, to int
	event    func(was, is []string) (code string, day int)
}

// onlyAs is the event of an aspect that has only one, without a day.
func onlyAs(code string) func(_, _ []string) (string, int) {
	return func(_, _ []string) (string, int) { return code, 0 }
}

var companyAspects = []aspect{
	{1, 2, onlyAs("empresa.nome")},
	{2, 3, onlyAs("empresa.natureza")},
	{3, 4, onlyAs("empresa.responsavel")},
	{4, 5, onlyAs("empresa.capital")},
	{5, 6, onlyAs("empresa.porte")},
	{6, 7, onlyAs("empresa.ente")},
}

var establishmentAspects = []aspect{
	{3, 4, onlyAs("estabelecimento.matriz_filial")},
	{4, 5, onlyAs("estabelecimento.nome_fantasia")},
	{5, 8, func(was, is []string) (string, int) {
		switch {
		case was[5] != is[5] && is[5] == country.Closed:
			return "estabelecimento.baixado", 6
		case was[5] != is[5] && is[5] == country.Active:
			return "estabelecimento.reativado", 6
		}
		return "estabelecimento.situacao", 6
	}},
	{11, 12, onlyAs("estabelecimento.atividade")},
	{12, 13, onlyAs("estabelecimento.atividades_secundarias")},
	{13, 21, func(was, is []string) (string, int) {
		if was[20] != is[20] {
			return "estabelecimento.municipio", 0
		}
		return "estabelecimento.endereco", 0
	}},
	{21, 28, onlyAs("estabelecimento.contato")},
	{28, 30, func(_, _ []string) (string, int) { return "estabelecimento.situacao_especial", 29 }},
}

var optionAspects = []aspect{optionAspect(1, "simples"), optionAspect(4, "mei")}

// optionAspect is the option whose flag and days of entry and exit begin in column from.
func optionAspect(from int, regime string) aspect {
	return aspect{from, from + 3, func(was, is []string) (string, int) {
		switch {
		case was[from] == is[from]:
			return regime + ".alterado", 0
		case is[from] == "S":
			return regime + ".optou", from + 1
		}
		return regime + ".saiu", from + 2
	}}
}

// differ adds a row for each aspect in which two rows differ, none if one of them is missing.
func differ(order string, aspects []aspect, was, is []string, add func(order, event, date, before, after string)) {
	if was == nil || is == nil {
		return
	}
	for _, a := range aspects {
		if slices.Equal(was[a.from:a.to], is[a.from:a.to]) {
			continue
		}
		event, day := a.event(was, is)
		date := ""
		if day > 0 {
			date = is[day]
		}
		add(order, event, date, strings.Join(was[a.from:a.to], "|"), strings.Join(is[a.from:a.to], "|"))
	}
}

// differentPartners pairs partners by kind, name and number, those that are alike in all columns
// first, and adds a row for each that has no counterpart or is another than it.
func differentPartners(was, is [][]string, add func(order, event, date, before, after string)) {
	text := func(row []string) string { return strings.Join(row[1:], "|") }
	left := slices.DeleteFunc(slices.Clone(is), func(row []string) bool {
		i := slices.IndexFunc(was, func(former []string) bool { return slices.Equal(former, row) })
		if i >= 0 {
			was = slices.Delete(slices.Clone(was), i, i+1)
		}
		return i >= 0
	})
	for _, former := range was {
		i := slices.IndexFunc(left, func(row []string) bool { return slices.Equal(former[1:4], row[1:4]) })
		if i < 0 {
			add("", "socio.saiu", "", text(former), "")
			continue
		}
		add("", "socio.alterado", "", text(former), text(left[i]))
		left = slices.Delete(left, i, i+1)
	}
	for _, row := range left {
		add("", "socio.entrou", row[5], "", text(row))
	}
}
