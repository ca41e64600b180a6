package sample

import (
	"fmt"

	"razao/internal/sample/country"
)

// Groups of the release's files, under which their rows are counted.
const (
	empresas         = "Empresas"
	estabelecimentos = "Estabelecimentos"
	socios           = "Socios"
	simples          = "Simples"
	codes            = "codes" // the six tables of codes
)

// Topics of the random choices behind the rows of the release and of the sources.
const (
	ofSize country.Topic = country.Topics + iota
	ofAddress
	ofPartner
	ofAge
	ofSimples
	ofRaise
	ofDebt
	ofDebtor
	ofSanction
	ofImpediment
	ofAgreement
	ofEmployer
	ofImporter
	ofNotice
	ofEmbargo
	ofCarrier
	ofContract
	ofFinancing
	ofCorrection
	ofLife                 // of records, a topic for each living table
	ofRenewal = ofLife + 8 // of what an event has changed; the topics of events follow it
)

// Topics of the lives of the records of further sources, behind all others.
const (
	lifeOfImpediment country.Topic = 1000 + iota
	lifeOfAgreement
	lifeOfEmployer
	lifeOfAdjustment
	lifeOfImporter
	lifeOfCarrier
	lifeOfNotice
	lifeOfEmbargo
	lifeOfAutomatic
	lifeOfDirect
	ofEdit // what a record is after a change
)

// Short names of what nearly all rows are made from.
type (
	company = country.Company
	dice    = country.Dice
)

// release makes the rows of the tax authority's monthly release in the format of Dados Abertos CNPJ:
// headerless, ISO-8859-1, every field in double quotes; dates AAAAMMDD, capital with a decimal comma.
// As in the real files, part 0 of each table is by far the largest, Empresas and Simples ascend in
// runs, and the companies of the other tables are unordered.
//
// A row draws what is not about its company from a sequence of its own. When an event changes one
// column, the columns after it must stay as they were: code that draws a former value and discards
// it keeps the sequence in step.
type release struct{ *country.Country }

// releaseFiles returns the 37 files of the release in folder, those of the largest tables first.
func releaseFiles(c *country.Country, folder string) []file {
	g := &release{c}
	suffix := "D" + c.Compact(c.Release)[3:] // last digit of the year, month, day
	placed, owned, runs := c.Shuffled(c.Companies, 1, 1), c.Shuffled(c.Companies, 1, 2), c.Shuffled(c.Companies, 1000, 3)
	var files []file
	for _, table := range [...]struct {
		name, member string
		rows         func(r *rowBuffer, x int)
	}{
		{estabelecimentos, "ESTABELE", func(r *rowBuffer, x int) { c := g.Company(placed.At(x)); g.establishments(r, &c) }},
		{empresas, "EMPRECSV", func(r *rowBuffer, x int) {
			if c := g.Company(runs.At(x)); c.When[country.Removal] == 0 {
				r.add(g.company(&c)...)
			}
		}},
		{socios, "SOCIOCSV", func(r *rowBuffer, x int) { c := g.Company(owned.At(x)); g.partners(r, &c) }},
	} {
		for part := range parts {
			files = append(files, file{
				name: fmt.Sprintf("%s%d.zip", table.name, part), member: fmt.Sprintf("K3241.K03200Y%d.%s.%s", part, suffix, table.member),
				group: table.name, from: g.bound(part), to: g.bound(part + 1), rows: table.rows,
			})
		}
	}
	files = append(files, file{
		name: "Simples.zip", member: "F.K03200$W.SIMPLES.CSV." + suffix, group: simples, to: c.Companies,
		rows: func(r *rowBuffer, x int) {
			if c := g.Company(runs.At(x)); g.inSimples(&c) {
				r.add(g.simples(&c)...)
			}
		},
	})
	for _, of := range [...]struct{ zip, member string }{
		{"Cnaes", "CNAECSV"},
		{"Motivos", "MOTICSV"},
		{"Municipios", "MUNICCSV"},
		{"Naturezas", "NATJUCSV"},
		{"Paises", "PAISCSV"},
		{"Qualificacoes", "QUALSCSV"},
	} {
		pairs := c.Codes(of.member)
		files = append(files, file{
			name: of.zip + ".zip", member: "F.K03200$Z." + suffix + "." + of.member, group: codes, to: len(pairs),
			rows: func(r *rowBuffer, x int) { r.add(pairs[x][0], pairs[x][1]) },
		})
	}
	for i := range files {
		files[i].folder, files[i].dialect = folder, dialect{quoting: always, end: "\n", windows: true}
	}
	return files
}

// parts is the number of files of Empresas, Estabelecimentos and Socios each.
const parts = 10

// bound returns the first position of a part. The first part has two fifths of the positions, the
// others equal shares.
func (g *release) bound(part int) int {
	n := g.Companies
	switch part {
	case 0:
		return 0
	case parts:
		return n
	}
	return n*2/5 + n*3/5*(part-1)/(parts-1)
}

// company returns the row of Empresas.
func (g *release) company(c *company) []string {
	d := g.Dice(ofSize, uint64(c.Index))
	size, body := sizeOf(c, &d), ""
	if city := &g.Cities[c.City]; c.Kind.Code == country.Federal {
		body = "UNIAO"
	} else if c.Kind.Style == country.Public {
		body = city.RFBName + " - " + city.UF
	}
	capital, nature := g.capital(c, size, &d), c.Nature()
	return []string{c.Root.String(), g.Name(c), nature.Code, nature.Responsible, capital, resized(c, size), body}
}

// resized returns porte_empresa after as many Resize events as the company has seen.
func resized(c *company, size string) string {
	another, firm := map[string]string{"00": "01", "01": "03", "03": "05", "05": "03"}[size], c.Business() && c.Kind.Style != country.Stock
	return either(firm && c.Times(country.Resize)%2 > 0, another, size)
}

// sizeOf draws porte_empresa: 01 micro, 03 small, 05 other, 00 not informed.
func sizeOf(c *company, d *dice) string {
	u := d.N(1000)
	switch {
	case c.Kind.Style == country.Personal:
		return country.Ladder(u, []int{960, 20, 20}, "01", "03", "05")
	case c.Firm() && c.Kind.Style != country.Stock:
		return country.Ladder(u, []int{700, 135, 145, 20}, "01", "03", "05", "00")
	}
	return "05"
}

// wealth describes a log-normal distribution of declared capital. Both figures count steps, ten of
// which are a power of ten reais: the median, and how far each of four draws may lead away from it.
// The sum of the draws is about normal, and it is an exponent.
type wealth struct{ median, spread int }

// wealthOf returns the wealth of companies of a style and a size (porte_empresa). Medians are about
// 2,000 reais for an entrepreneur, 20,000 for a micro-enterprise, 250,000 for a company that is not
// small, a million for a corporation.
func wealthOf(style country.Style, size string) wealth {
	switch style {
	case country.Personal:
		return wealth{33, 3}
	case country.Stock:
		return wealth{60, 8}
	case country.Commercial, country.Professional:
		switch size {
		case "03":
			return wealth{50, 4}
		case "05":
			return wealth{54, 6}
		}
		return wealth{43, 4}
	}
	return wealth{45, 5}
}

// usual holds the amounts within a power of ten that people declare, in tenths.
var usual = [...]int{10, 12, 15, 20, 25, 30, 40, 50, 60, 80}

// sum draws an amount in cents.
func (w wealth) sum(d *dice) int {
	step := w.median
	for range 4 {
		step += d.N(2*w.spread+1) - w.spread
	}
	cents := usual[step%len(usual)] * 10
	for range step / len(usual) {
		cents *= 10
	}
	return cents
}

// capital returns capital_social: mostly round amounts, 0,00 for some, billions for the giants, and
// after a Raise at least double the former amount.
func (g *release) capital(c *company, size string, d *dice) string {
	w, sum := wealthOf(c.Kind.Style, size), 0
	switch {
	case g.GiantOf(c.Index) != nil:
		sum = (3000 + d.N(1000)) * 1_000_000 * 100
	case d.Permille(c.Kind.Capital):
		sum = w.sum(d)
	}
	if sum > 0 && d.Permille(60) {
		sum += d.N(sum)
	}
	if times := c.Times(country.Raise); times > 0 {
		raise := g.Dice(ofRaise, uint64(c.Index))
		sum += times * max(sum, w.sum(&raise))
	}
	return cents(sum, ",")
}

// inSimples reports whether the company has a row in Simples.
func (g *release) inSimples(c *company) bool {
	d := g.Dice(ofSimples, ^uint64(c.Index))
	return c.When[country.Removal] == 0 && (d.Permille(c.Kind.Simples) || c.Demonstration)
}

// simples returns the row of Simples.
func (g *release) simples(c *company) []string {
	general, micro := g.options(c)
	r := []string{c.Root.String()}
	for _, o := range []option{general, micro} {
		r = append(r, o.flag, g.zeros(o.from), g.zeros(o.to))
	}
	return r
}

// zeros returns a date, "00000000" for NoDay.
func (g *release) zeros(d country.Day) string {
	if d == country.NoDay {
		return "00000000"
	}
	return g.Compact(d)
}

// option is one tax regime of a company: S or N, with the days of entry and exit.
type option struct {
	flag     string
	from, to country.Day
}

// end ends an option that the company has.
func (o *option) end(day country.Day) {
	if o.flag == "S" {
		o.flag, o.to = "N", max(day, o.from)
	}
}

// correct moves the entry of an option that the company has back by up to a month, but not before
// the earliest day.
func (o *option) correct(d *dice, earliest country.Day) {
	if days := country.Day(1 + d.N(30)); o.flag == "S" {
		o.from = min(o.from, max(earliest, o.from-days))
	}
}

// options returns the options for Simples and MEI: those that the company became known with,
// changed by its events in order.
func (g *release) options(c *company) (general, micro option) {
	first := c.AsKnown()
	general, micro = g.optionsAsKnown(&first)
	for event := range c.Past() {
		day := g.EventDay(c, event)
		switch {
		case event == country.SimplesEntry && day >= country.SimplesFrom && (general.flag == "N" || c.Times(country.SimplesExit) > 1):
			general = option{"S", day, country.NoDay} // one that has left more than once had left before it entered
		case event == country.MEIEntry && micro.flag == "N" && c.Kind.Style == country.Personal && day >= country.MEIFrom:
			if micro = (option{"S", day, country.NoDay}); general.flag == "N" {
				general = micro
			}
		case event == country.Correction:
			d := g.Dice(ofCorrection, uint64(c.Index))
			general.correct(&d, max(c.Start, country.SimplesFrom))
			micro.correct(&d, max(c.Start, country.MEIFrom))
		case event == country.SimplesExit || event == country.Closure:
			general.end(day)
			micro.end(day)
		case event == country.MEIExit:
			micro.end(day)
		}
	}
	return general, micro
}

// optionsAsKnown returns the options that a company became known with.
func (g *release) optionsAsKnown(c *company) (general, micro option) {
	d := g.Dice(ofSimples, uint64(c.Index))
	general = option{"N", country.NoDay, country.NoDay}
	micro = general
	individual := c.Kind.Style == country.Personal
	mei := individual && d.Permille(870)
	switch {
	case c.Status == country.Closed && c.Changed < country.SimplesFrom, c.Known < country.MEIFrom:
		return general, micro
	case c.Demonstration:
		general = option{"S", c.Start, country.NoDay}
		return general, micro
	case mei:
		general = option{"S", max(c.Start, country.MEIFrom), country.NoDay}
		micro = general
	case individual || d.Permille(600):
		general = option{"S", max(c.Start, country.SimplesFrom), country.NoDay}
	}
	if c.Status == country.Closed {
		general.end(c.Changed)
		micro.end(c.Changed)
	} else if general.flag == "S" && d.Permille(250) {
		left := country.Since(&d, general.from, c.Known)
		general.end(left)
		micro.end(left)
	}
	return general, micro
}
