package cadastre

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

// Changes is the group of the file that lists what a release has that the one before it has not.
const Changes = "Mudancas"

const changesTitles = "raiz;ordem;tipo;antes;depois\n"

// ChangesFile returns MUDANCAS.csv, in UTF-8: a row for everything that the release of w has otherwise than the earlier one
// of the month since. Of a company that was opened since it has one row.
func ChangesFile(w *world.World, folder, since string) (table.File, error) {
	before, err := w.Earlier(since)
	if err != nil {
		return table.File{}, err
	}
	p := pair{before: &registry{before}, now: &registry{w}}
	return table.File{
		Folder: folder, Name: "MUDANCAS.csv", Group: Changes, Header: changesTitles,
		Dialect: table.Dialect{Quoting: table.AsNeeded, End: "\n"}, To: w.Companies, Each: p.changes,
	}, nil
}

// pair is two releases of one registry.
type pair struct{ before, now *registry }

// changes appends the rows about a company.
func (p *pair) changes(r *table.Rows, i int) {
	now := p.now.Company(i)
	if i >= p.before.Companies {
		if now.InBoth() {
			e := p.now.Establishment(&now, 0)
			r.Add(now.Root.String(), e.Full.Order().String(), "abertura", "", p.now.Compact(now.Start))
		}
		return
	}
	since := uint16(p.before.Months)
	if !slices.ContainsFunc(now.When[:], func(month uint16) bool { return month > since }) {
		return
	}
	was := p.before.Company(i)
	facts, former := p.now.facts(&now), p.before.facts(&was)
	for _, f := range former {
		if f.partner != "" && !slices.ContainsFunc(facts, f.same) {
			r.Add(now.Root.String(), "", "socio_saiu", f.text, "")
		}
	}
	for _, f := range facts {
		k := slices.IndexFunc(former, f.same)
		switch {
		case k < 0:
			r.Add(now.Root.String(), "", "socio_entrou", "", f.text)
		case former[k].text != f.text:
			r.Add(now.Root.String(), f.order, f.kindSince(&former[k]), former[k].text, f.text)
		}
	}
}

// fact is what a change may replace: columns of a row, parted by bars.
type fact struct {
	order, kind string
	partner     string // his number among the partners, "" for what a company or establishment always has
	text        string
}

func (f *fact) same(other fact) bool {
	return f.order == other.order && f.kind == other.kind && f.partner == other.partner
}

// kindSince returns what the change from a former fact is called: an address in another municipality is a change of
// municipality.
func (f *fact) kindSince(former *fact) string {
	if f.kind == "endereco" && cityOf(f.text) != cityOf(former.text) {
		return "municipio"
	}
	return f.kind
}

// cityOf returns the code of the municipality, which an address ends with.
func cityOf(address string) string { return address[strings.LastIndexByte(address, '|')+1:] }

// facts returns those of a company, as the rows about it have them.
func (g *registry) facts(c *world.Company) []fact {
	row := rowOf(func(r *table.Rows) { g.companyRow(r, c) })
	facts := []fact{{kind: "razao_social", text: row[1]}, {kind: "capital_social", text: row[4]}}
	for k := range c.Branches + 1 {
		row := rowOf(func(r *table.Rows) { g.establishmentRow(r, c, k) })
		facts = append(facts, fact{order: row[1], kind: "situacao_cadastral", text: joined(row[5:8])})
		facts = append(facts, fact{order: row[1], kind: "endereco", text: joined(row[13:21])})
	}
	for k := range g.partnerNumbers(c) {
		row := rowOf(func(r *table.Rows) { g.partnerRow(r, c, k) })
		facts = append(facts, fact{kind: "socio_qualificacao", partner: fmt.Sprint(k), text: joined(row[1:6])})
	}
	if g.inSimples(c) {
		row := rowOf(func(r *table.Rows) { g.simplesRow(r, c) })
		facts = append(facts, fact{kind: "simples", text: joined(row[1:4])}, fact{kind: "mei", text: joined(row[4:7])})
	}
	return facts
}

func joined(columns []string) string { return strings.Join(columns, "|") }

// rowOf returns the fields of a row.
func rowOf(write func(*table.Rows)) []string {
	r := table.Rows{Dialect: table.Dialect{Quoting: table.Always, End: "\n"}}
	write(&r)
	reader := csv.NewReader(strings.NewReader(string(r.Bytes)))
	reader.Comma = ';'
	row, err := reader.Read()
	if err != nil {
		panic(err) // rows quote whatever they hold
	}
	return row
}
