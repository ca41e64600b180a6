package sample

import (
	"slices"
	"strconv"
	"strings"

	"razao/internal/sample/country"
)

// changes is the group of MUDANCAS.csv.
const changes = "Mudancas"

// changesFile returns MUDANCAS.csv, which lists everything that differs between the release of c and
// that of the earlier month since. It is UTF-8 with the columns raiz, ordem, tipo, antes and depois;
// a company opened since has one row, "abertura". A month that is no earlier release of c is an
// error.
//
// The file is the expected answer for tests of change detection: it is derived from the same rows
// as the releases.
func changesFile(c *country.Country, folder, since string) (file, error) {
	before, err := c.Earlier(since)
	if err != nil {
		return file{}, err
	}
	p := pair{before: &release{before}, now: &release{c}}
	return file{
		folder: folder, name: "MUDANCAS.csv", group: changes, header: "raiz;ordem;tipo;antes;depois\n",
		dialect: dialect{quoting: asNeeded, end: "\n"}, to: c.Companies, rows: p.changes,
	}, nil
}

// pair is the registry at two releases.
type pair struct{ before, now *release }

// changes appends the rows about company i. Companies without an event since the earlier month are
// skipped without deriving their rows.
func (p *pair) changes(r *rowBuffer, i int) {
	now := p.now.Company(i)
	root := now.Root.String()
	if i >= p.before.Companies {
		r.add(root, p.now.Establishment(&now, 0).Full.Order().String(), "abertura", "", p.now.Compact(now.Start))
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
			r.add(root, "", "socio_saiu", f.text, "")
		}
	}
	for _, f := range facts {
		k := slices.IndexFunc(former, f.same)
		switch {
		case k < 0:
			r.add(root, "", "socio_entrou", "", f.text)
		case former[k].text != f.text:
			r.add(root, f.order, f.kindSince(&former[k]), former[k].text, f.text)
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
// if it leads to another municipality, whose code is its last column.
func (f *fact) kindSince(former *fact) string {
	city := func(address string) string { return address[strings.LastIndexByte(address, '|')+1:] }
	if f.kind == "endereco" && city(f.text) != city(former.text) {
		return "municipio"
	}
	return f.kind
}

// facts returns the facts of a company, cut out of its rows.
func (g *release) facts(c *company) []fact {
	row := g.company(c)
	facts := []fact{{kind: "razao_social", text: row[1]}, {kind: "capital_social", text: row[4]}}
	for k := range c.Branches + 1 {
		row := g.establishment(nil, c, k)
		facts = append(facts, fact{order: row[1], kind: "situacao_cadastral", text: strings.Join(row[5:8], "|")},
			fact{order: row[1], kind: "endereco", text: strings.Join(row[13:21], "|")})
	}
	for k := range g.partnerNumbers(c) {
		row := g.partner(c, k)
		facts = append(facts, fact{kind: "socio_qualificacao", partner: strconv.Itoa(k), text: strings.Join(row[1:6], "|")})
	}
	if g.inSimples(c) {
		row := g.simples(c)
		facts = append(facts, fact{kind: "simples", text: strings.Join(row[1:4], "|")}, fact{kind: "mei", text: strings.Join(row[4:7], "|")})
	}
	return facts
}
