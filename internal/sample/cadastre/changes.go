package cadastre

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

// Changes is the group of MUDANCAS.csv.
const Changes = "Mudancas"

const changesTitles = "raiz;ordem;tipo;antes;depois\n"

// ChangesFile returns MUDANCAS.csv, which lists everything that differs between the release of w
// and that of the earlier month since. It is UTF-8 with the columns raiz, ordem, tipo, antes and
// depois; a company opened since has one row, "abertura". A month that is no earlier release of w
// is an error.
//
// The file is the expected answer for tests of change detection: it is derived from the same rows
// as the releases.
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

// pair is the registry at two releases.
type pair struct{ before, now *registry }

// changes appends the rows about company i. Companies without an event since the earlier month are
// skipped without deriving their rows.
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

// fact is one thing about a company that a change may replace: columns of a row, joined by bars.
type fact struct {
	order, kind string
	partner     string // number of the partner that the fact is about, else ""
	text        string
}

// same reports whether two facts are about the same thing, whatever they say.
func (f *fact) same(other fact) bool {
	return f.order == other.order && f.kind == other.kind && f.partner == other.partner
}

// kindSince returns the name of the change from a former fact. A change of address is "municipio"
// if it leads to another municipality.
func (f *fact) kindSince(former *fact) string {
	if f.kind == "endereco" && cityOf(f.text) != cityOf(former.text) {
		return "municipio"
	}
	return f.kind
}

// cityOf returns the municipality's code, the last column of an address.
func cityOf(address string) string { return address[strings.LastIndexByte(address, '|')+1:] }

// facts returns the facts of a company, cut out of its rows.
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

// rowOf returns the fields of the row that write makes.
func rowOf(write func(*table.Rows)) []string {
	r := table.Rows{Dialect: table.Dialect{Quoting: table.Always, End: "\n"}}
	write(&r)
	reader := csv.NewReader(strings.NewReader(string(r.Bytes)))
	reader.Comma = ';'
	row, err := reader.Read()
	if err != nil {
		panic(err) // a row in which every field is quoted always parses
	}
	return row
}
