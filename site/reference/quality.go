package reference

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/data/profile"
	"razao/internal/data/ptbr"
	"razao/internal/data/source"
	"razao/internal/store/loads"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/site/chart"
	"razao/site/page"
)

// loadParameter is the query parameter that names a load.
const loadParameter = "carga"

// qualityPath returns the path of the page of a source.
func qualityPath(id string) string { return "/fontes/" + id + "/qualidade" }

// qualityPage shows what was measured of each column of a load, beside the load before it.
type qualityPage struct {
	page.Frame
	Source source.Source
	*loads.Quality
	Tables []qualityTable
	Most   []*qualityColumn // those that moved most, the furthest first
	served int64            // load in service
}

// checkTexts say what a check looks at.
var checkTexts = map[registry.Check]string{
	registry.ByRejects: "linhas que não puderam ser lidas", registry.ByFigures: "contagens de linhas e registros", registry.ByRules: "linhas deixadas de fora por regra",
	registry.ByColumns: "formas das colunas", registry.ByCodes: "significado dos códigos", registry.ByChanges: "mudanças desde a carga anterior",
}

// Checked says which checks the load was published in spite of.
func (p *qualityPage) Checked() string {
	var texts []string
	for _, check := range p.Load.OverruledChecks() {
		texts = append(texts, checkTexts[check])
	}
	return ptbr.List(texts)
}

// InService reports whether the load is the one in service.
func (p *qualityPage) InService() bool { return p.Load.ID == p.served }

// State says whether a load is in service, after a comma.
func (p *qualityPage) State(l *registry.Load) string {
	switch {
	case l.State == registry.LoadRefused:
		return ", recusada"
	case l.ID == p.served && len(l.Overruled) > 0:
		return ", em uso apesar de verificações"
	case l.ID == p.served:
		return ", em uso"
	case len(l.Overruled) > 0:
		return ", publicada apesar de verificações, já fora de uso"
	}
	return ", fora de uso"
}

// APIURL returns the address of the same for programs.
func (p *qualityPage) APIURL() string {
	url := "/v2" + qualityPath(p.Source.ID)
	if !p.InService() {
		url += "?" + loadParameter + "=" + strconv.FormatInt(p.Load.ID, 10)
	}
	return url
}

// URLOf returns the address of the page of one of the loads.
func (p *qualityPage) URLOf(l *registry.Load) string {
	return qualityPath(p.Source.ID) + "?" + loadParameter + "=" + strconv.FormatInt(l.ID, 10)
}

// Beyond returns how many columns moved further than real editions do.
func (p *qualityPage) Beyond() (n int) {
	for i := range p.Columns {
		if p.Columns[i].Beyond {
			n++
		}
	}
	return n
}

type qualityTable struct {
	ID, Title        string
	Read             int64 // rows that were read
	Rows, FormerRows int64 // that were measured
	Columns          []qualityColumn
}

// qualityColumn is a row of the page.
type qualityColumn struct {
	*loads.ColumnQuality
	ID      string // anchor on the page
	Entry   string // anchor of the field in the dictionary; "": it has none
	Spark   *chart.Columns
	Classes []qualityClasses
	Move    string // what moved furthest, in words; "" for nothing that can be seen
}

// FilledNow returns which part of the rows has a value.
func (c *qualityColumn) FilledNow() string { return part(c.Now.Filled, c.Rows) }

// FilledBefore returns the same of the former load, "" if it is the same or unknown.
func (c *qualityColumn) FilledBefore() string {
	if c.Former == nil || part(c.Former.Filled, c.FormerRows) == c.FilledNow() {
		return ""
	}
	return part(c.Former.Filled, c.FormerRows)
}

// DistinctBefore returns the number of distinct values in the former load, "" if it is the same or unknown.
func (c *qualityColumn) DistinctBefore() string {
	if c.Former == nil || c.Former.Distinct == c.Now.Distinct {
		return ""
	}
	return ptbr.Count(c.Former.Distinct)
}

// qualityClasses are the lengths, shapes or values of a column in words.
type qualityClasses struct{ Title, Text string }

func part(n, of int64) string { return ptbr.Percent(float64(n) / float64(max(of, 1))) }

// quality answers /fontes/{fonte}/qualidade.
func (hs *Handlers) quality(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	i := slices.IndexFunc(all(), func(s source.Source) bool { return s.ID == c.Param("fonte") })
	if i < 0 {
		return page.Reply{}, page.ErrUnknownPath
	}
	src := all()[i]
	var load int64
	text, given := c.GetQuery(loadParameter)
	if given {
		var err error
		if load, err = strconv.ParseInt(text, 10, 64); err != nil || load < 1 {
			return page.Reply{}, page.UnknownValue(loadParameter, text, "Deve ser o número de uma carga desta fonte.")
		}
	}
	q, err := loads.QualityOf(c.Request.Context(), snap, src.ID, load)
	if errors.Is(err, registry.ErrNoLoad) {
		err = page.UnknownValue(loadParameter, text, "Deve ser o número de uma das últimas cinquenta cargas desta fonte, que estão no fim da página.")
	}
	if err != nil {
		return page.Reply{}, err
	}
	p := &qualityPage{Source: src, Quality: q, served: snap.LoadOf(src.ID)}
	p.tables(snap)
	p.Crumbs = page.Trail("Fontes", "/fontes", src.Title, "/fontes/"+src.ID, "Qualidade")
	p.Title = src.Title + ": qualidade de cada coluna"
	p.Description = "Quanto de cada coluna publicada está preenchido, em que formatos e com que valores, mês a mês, e o que mudou desde a carga anterior: " + src.Title + "."
	p.Canonical = qualityPath(src.ID)
	p.NoIndex = given // one page a source is enough
	return page.Reply{Page: p}, nil
}

// registryTables are the published names of the four tables of the company registry in the order of the dictionary.
var registryTables = []string{"Empresas", "Estabelecimentos", "Socios", "Simples"}

// codeTables are the titles of the tables of codes.
var codeTables = map[string]string{
	"Cnaes": "CNAE", "Motivos": "Motivos da situação", "Municipios": "Municípios", "Naturezas": "Naturezas jurídicas", "Paises": "Países", "Qualificacoes": "Qualificações",
}

// tables sets the rows of the page. The tables of codes come last.
func (p *qualityPage) tables(snap *snapshot.Snapshot) {
	at := func(table string) int {
		if i := slices.Index(registryTables, table); i >= 0 {
			return i
		}
		return len(registryTables)
	}
	slices.SortStableFunc(p.Columns, func(a, b loads.ColumnQuality) int { return cmp.Compare(at(a.Table), at(b.Table)) })
	described := map[string]dictionaryTable{}
	for i, t := range tablesOf(&p.Source) {
		name := t.ID
		if p.Source.ID == registry.Receita {
			name = registryTables[i]
		}
		described[name] = t
	}
	for i := range p.Columns {
		c := &p.Columns[i]
		entry := described[c.Table]
		if n := len(p.Tables); n == 0 || p.Tables[n-1].ID != c.Table {
			p.Tables = append(p.Tables, qualityTable{ID: c.Table, Title: cmp.Or(entry.Title, codeTables[c.Table], c.Table), Read: c.Read, Rows: c.Rows, FormerRows: c.FormerRows})
		}
		column := qualityColumn{ColumnQuality: c, ID: c.Table + "." + c.Name, Spark: p.spark(c)}
		if f := slices.IndexFunc(entry.Fields, func(f dictionaryField) bool { return f.Name == c.Name }); f >= 0 {
			column.Entry = entry.Fields[f].ID()
		}
		if c.Moved != nil {
			column.Move = moved(c, snap)
		}
		column.describe(snap)
		if column.Spark != nil {
			var all []string
			for _, point := range column.Spark.Points {
				all = append(all, point.Text+": "+ptbr.Percent(float64(point.Values[0])/1000))
			}
			column.Classes = append(column.Classes, qualityClasses{"Preenchida, carga a carga", strings.Join(all, "; ")})
		}
		t := &p.Tables[len(p.Tables)-1]
		t.Columns = append(t.Columns, column)
	}
	p.most()
}

// most sets the columns that moved most.
func (p *qualityPage) most() {
	const shown, least = 5, 0.0005
	for i := range p.Tables {
		for j := range p.Tables[i].Columns {
			if c := &p.Tables[i].Columns[j]; c.Move != "" && (c.Beyond || distance(c) >= least) {
				p.Most = append(p.Most, c)
			}
		}
	}
	slices.SortStableFunc(p.Most, func(a, b *qualityColumn) int {
		switch {
		case a.Beyond != b.Beyond && a.Beyond, a.Beyond == b.Beyond && distance(a) > distance(b):
			return -1
		case a.Beyond != b.Beyond, distance(a) < distance(b):
			return 1
		}
		return 0
	})
	p.Most = p.Most[:min(len(p.Most), shown)]
}

// distance is how far a column moved, as a share of all rows.
func distance(c *qualityColumn) float64 {
	d := math.Abs(c.Moved.After - c.Moved.Before)
	if c.Moved.Figure != profile.Filled {
		d *= float64(c.Now.Filled) / float64(max(c.Rows, 1))
	}
	return d
}

// spark draws which part of the rows had a value in the last loads; nil for fewer than two.
func (p *qualityPage) spark(c *loads.ColumnQuality) *chart.Columns {
	s := &chart.Columns{Series: []chart.Series{{Name: "Preenchidas"}}, Small: true, Shares: true, Most: [2]int64{1000}}
	for i, f := range c.Filled {
		if f.Rows > 0 {
			s.Points = append(s.Points, chart.Point{Text: p.name(i), Values: [2]int64{int64(math.Round(1000 * float64(f.Filled) / float64(f.Rows)))}})
		}
	}
	if len(s.Points) < 2 {
		return nil
	}
	s.Title = c.Name + ", parte preenchida de " + s.Points[0].Text + " a " + s.Points[len(s.Points)-1].Text
	return s
}

// name names one of the recent loads: by its period or, if several are of that, by its number too.
func (p *qualityPage) name(i int) string {
	l := &p.Recent[i]
	name := ptbr.Period(l.Period)
	if slices.ContainsFunc(p.Recent, func(o registry.Load) bool { return o.Period == l.Period && o.ID != l.ID }) {
		name += " (carga " + strconv.FormatInt(l.ID, 10) + ")"
	}
	return name
}

// moved says what moved furthest.
func moved(c *loads.ColumnQuality, snap *snapshot.Snapshot) string {
	m := c.Moved
	if c.Owner && (m.Figure == profile.Lengths || m.Figure == profile.Shapes) {
		return "" // those of words for it
	}
	before, after := ptbr.Percent(m.Before), ptbr.Percent(m.After)
	if before == after {
		return ""
	}
	what := map[profile.Figure]string{
		profile.Filled: "preenchidas", profile.Lengths: "com " + m.Class + page.Either(m.Class == "1", " byte", " bytes"), profile.Shapes: "no formato " + m.Class, profile.Largest: "com o valor mais comum",
		profile.Unknown: "com código que a tabela não tem", profile.Values: valueMoved(&c.Declaration, m.Class, snap),
	}[m.Figure]
	if m.Figure == profile.Values && m.Class == "" {
		what = "um valor que não se mostra"
	}
	return what + ": " + before + " → " + after
}

// valueMoved names the rows of a class of values.
func valueMoved(d *profile.Declaration, class string, snap *snapshot.Snapshot) string {
	if d.Kind == profile.Number && class != "?" {
		return "com " + page.Either(class == "0", "valor menor que 1", valueText(d, class, snap))
	}
	if (d.Kind == profile.Day || d.Kind == profile.Year) && class != "?" {
		return "do ano " + class
	}
	return "com o valor " + valueText(d, class, snap)
}

// valueText returns a class of values in words.
func valueText(d *profile.Declaration, class string, snap *snapshot.Snapshot) string {
	switch d.Kind {
	case profile.Number:
		if class == "0" {
			return "menor que 1"
		}
		if n, err := strconv.Atoi(class); err == nil {
			return ptbr.Counted(n, "algarismo", "algarismos")
		}
	case profile.Code:
		if d.Owner {
			return ownerTexts[class]
		}
		if text, known := snap.Describe(d.Domain, class); known {
			return class + " " + text
		}
	}
	if class == "?" {
		return "que não se lê"
	}
	return class
}

// ownerTexts say what is known of the number of an owner.
var ownerTexts = map[string]string{"cnpj": "um CNPJ inteiro", "raiz": "as oito primeiras posições", "inválido": "inválido"}

// describe sets the classes of a column in words, the commonest first.
func (c *qualityColumn) describe(snap *snapshot.Snapshot) {
	add := func(title string, now, before []profile.Class, say func(string) string) {
		if len(now) == 0 {
			return
		}
		const shown = 10
		was := map[string]int64{}
		for _, v := range before {
			was[v.Name] = v.Rows
		}
		var all []string
		for _, v := range now[:min(len(now), shown)] {
			text := say(v.Name) + ": " + part(v.Rows, c.Now.Filled)
			if n, known := was[v.Name]; known && c.Former.Filled > 0 && part(n, c.Former.Filled) != part(v.Rows, c.Now.Filled) {
				text += " (antes " + part(n, c.Former.Filled) + ")"
			}
			all = append(all, text)
		}
		if more := len(now) - shown; more > 0 {
			all = append(all, "e mais "+strconv.Itoa(more))
		}
		c.Classes = append(c.Classes, qualityClasses{title, strings.Join(all, "; ")})
	}
	former := c.Former
	if former == nil {
		former = &profile.Column{}
	}
	if c.Owner {
		add("O número do dono é", c.Now.Shown(&c.Declaration), former.Shown(&c.Declaration), func(class string) string { return valueText(&c.Declaration, class, snap) })
		return
	}
	same := func(name string) string { return name }
	title := map[profile.Kind]string{profile.Day: "Anos", profile.Year: "Anos", profile.Number: "Algarismos antes da vírgula"}[c.Kind]
	if title == "" {
		title = "Valores"
	}
	add(title, c.Now.Shown(&c.Declaration), former.Shown(&c.Declaration), func(class string) string { return valueText(&c.Declaration, class, snap) })
	if c.Now.Largest > 0 && c.Kind == profile.Text {
		c.Classes = append(c.Classes, qualityClasses{"Linhas com o mesmo valor, o mais comum", ptbr.Count(c.Now.Largest) + " (" + part(c.Now.Largest, c.Now.Filled) + ")"})
	}
	add("Formatos", profile.Classes(c.Now.Shapes), profile.Classes(former.Shapes), same)
	add("Comprimento em bytes", profile.Classes(c.Now.Lengths), profile.Classes(former.Lengths), same)
	if q := c.Now.Quantile; len(q) > 0 {
		say, about := same, "Quanto têm"
		switch c.Kind {
		case profile.Day:
			say = ptbr.Month
		case profile.Number:
			say, about = ptbr.Number, "Quanto têm, com erro de até 5 %"
		}
		c.Classes = append(c.Classes, qualityClasses{about, "metade das linhas, até " + say(q[2]) + "; uma em cada quatro, até " + say(q[1]) + "; três em cada quatro, até " + say(q[3]) + "; uma em cem, até " + say(q[0]) + "; 99 em cem, até " + say(q[4])})
	}
	if c.Domain != "" {
		c.Classes = append(c.Classes, qualityClasses{"Códigos que a tabela não tem", part(c.Now.Unknown, c.Now.Filled)})
	}
}
