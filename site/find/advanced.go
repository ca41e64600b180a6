package find

import (
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"razao/index/filter"
	"razao/internal/criteria"
	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/snapshot"
	"razao/site/page"
)

const (
	advancedPath = "/busca/avancada"
	sent         = "buscar" // parameter of a form that was sent
	severalBy    = ";"      // parts several values of one text field
)

// advancedPage is the form with every filter.
type advancedPage struct {
	page.Frame
	Crumbs   []page.Crumb
	Text     string
	Manner   []formField // how to search, rather than what for
	Groups   []formGroup
	Lists    []valueList
	Problems []fieldProblem
}

func (*advancedPage) Template() string { return "advanced" }

// formGroup is the filters about one thing.
type formGroup struct {
	Name   string
	Open   bool
	Fields []formField
}

// formField asks for one filter, or for both ends of a range.
type formField struct {
	Name, Label, Hint string
	Value             string
	Upper, UpperValue string // the parameter of the upper end, "" when it is no range
	Type, Mode        string // of the input, and its keyboard
	List              string // id of the values to choose from
	Options           []formOption
	One               bool // of the options only one
	Problem           string
}

type formOption struct {
	criteria.Option
	Chosen bool
}

// valueList is what a browser suggests for a field.
type valueList struct {
	ID     string
	Values []criteria.Option
}

// fieldProblem says what is wrong with a field.
type fieldProblem struct{ Name, Label, Text string }

// advanced answers /busca/avancada: the form, filled in with the query of the address, or the way to what was sent.
func (rm *Room) advanced(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	values := c.Request.URL.Query()
	p := &advancedPage{Crumbs: page.Trail("Busca", "/busca", "Busca avançada"), Text: values.Get("q")}
	p.Title, p.Description = "Busca avançada", "Empresas por atividade, lugar, situação, capital, sócios, contato e registros públicos, com todos os filtros em uma página."
	p.Canonical, p.NoIndex = advancedPath, true
	reply := page.Reply{Page: p}
	if values.Has(sent) {
		q, problems, err := rm.sentQuery(c, snap, several(values))
		switch {
		case err != nil:
			return page.Reply{}, err
		case len(problems) == 0:
			return page.SeeOther(q.with()), nil
		}
		p.Problems, reply.Status = problems, http.StatusUnprocessableEntity
	}
	rm.fill(p, snap, values)
	return reply, nil
}

// several cuts the text fields that take several values into these, and leaves out what says nothing.
func several(values url.Values) url.Values {
	out := url.Values{}
	for name, given := range values {
		for _, text := range given {
			if filter.KindOf(name) == filter.Codes && criteria.Named(name) != nil {
				for value := range strings.SplitSeq(text, severalBy) {
					add(out, name, value)
				}
			} else if name != sent {
				add(out, name, text)
			}
		}
	}
	return out
}

func add(v url.Values, name, value string) {
	if value = strings.TrimSpace(value); value != "" {
		v.Add(name, value)
	}
}

// sentQuery reads a form, and all that is wrong with it.
func (rm *Room) sentQuery(c *gin.Context, snap *snapshot.Snapshot, values url.Values) (*query, []fieldProblem, error) {
	var problems []fieldProblem
	for {
		asked := &gin.Context{Request: c.Request.Clone(c.Request.Context())}
		asked.Request.URL.RawQuery = values.Encode()
		q, err := rm.readQuery(asked, snap, searchLayout())
		var wrong *page.InvalidParameter
		if !errors.As(err, &wrong) {
			return q, problems, err
		}
		name := wrong.Loc[1]
		problem := fieldProblem{Name: name, Label: name, Text: wrong.Msg}
		if criterion := criteria.Named(name); criterion != nil {
			problem.Label = criterion.Label
		}
		if !values.Has(name) {
			return nil, problems, err
		}
		problems = append(problems, problem)
		values.Del(name)
	}
}

// fill makes the fields, with what the address says.
func (rm *Room) fill(p *advancedPage, snap *snapshot.Snapshot, values url.Values) {
	p.Manner = mannerFields(values)
	all := criteria.All()
	lists := map[string][]criteria.Option{}
	for i := 0; i < len(all); i++ {
		f := rm.field(snap, all[i], values)
		if lower, upper, ranged := filter.Bounds(all[i].Name); ranged && lower == all[i].Name {
			f.Upper, f.UpperValue = upper, values.Get(upper)
			i++
		}
		for _, problem := range p.Problems {
			if problem.Name == f.Name || problem.Name == f.Upper {
				f.Problem = problem.Text
				f.Type = "text" // a field for dates does not show what is none
			}
		}
		if f.List != "" {
			lists[f.List] = rm.offered(snap, all[i])
		}
		if n := len(p.Groups); n == 0 || p.Groups[n-1].Name != all[i].Group {
			p.Groups = append(p.Groups, formGroup{Name: all[i].Group, Open: n < 2})
		}
		g := &p.Groups[len(p.Groups)-1]
		g.Open = g.Open || f.isGiven() || f.Problem != ""
		g.Fields = append(g.Fields, f)
	}
	for _, id := range slices.Sorted(maps.Keys(lists)) {
		p.Lists = append(p.Lists, valueList{id, lists[id]})
	}
}

func (f *formField) isGiven() bool {
	return f.Value+f.UpperValue != "" || slices.ContainsFunc(f.Options, func(o formOption) bool { return o.Chosen && o.Value != "" })
}

// field makes the field of one filter.
func (rm *Room) field(snap *snapshot.Snapshot, c *criteria.Criterion, values url.Values) formField {
	f := formField{Name: c.Name, Label: c.Label, Hint: hint(c), Type: "text", One: filter.KindOf(c.Name) == filter.Choice}
	switch c.Form {
	case criteria.OneOf:
		f.Hint = ""
		if f.One {
			f.Options = append(f.Options, formOption{criteria.Option{Text: "tanto faz"}, values.Get(c.Name) == ""})
		}
		for _, o := range optionsOf(snap, c) {
			f.Options = append(f.Options, formOption{o, slices.Contains(values[c.Name], o.Value)})
		}
		return f
	case criteria.Date:
		f.Hint, f.Type = "", "date"
	case criteria.Year, criteria.Number:
		f.Hint, f.Mode = "", "numeric"
	case criteria.Amount:
		f.Mode = "decimal"
	case criteria.Coded:
		f.List = listID(c)
	}
	f.Value = rm.written(snap, c, values[c.Name])
	return f
}

// hint says what a value may be, a sentence.
func hint(c *criteria.Criterion) string {
	switch {
	case c.Form == criteria.Amount:
		return "Em reais: 100000, 100 mil ou 1,5 milhão."
	case c.Domain == record.DomainCNAE:
		return "Uma palavra, como padaria, ou um código da CNAE de qualquer nível."
	case c.Domain == record.DomainMunicipio:
		return "Um nome, como Campinas/SP, ou um código da Receita Federal ou do IBGE."
	case c.Completes():
		return "Escreva e escolha na lista, ou dê um código."
	}
	first, size := utf8.DecodeRuneInString(c.About)
	return string(unicode.ToUpper(first)) + c.About[size:] + "."
}

// listID names the list of values of a filter, "" when nobody knows them.
func listID(c *criteria.Criterion) string {
	if !c.Completes() {
		return ""
	}
	return "lista-" + string(c.Domain)
}

// offered returns the values that a browser offers without a script, which fills every list with what fits. Of municipalities and activities
// there are too many: a name is understood, and words of an activity are answered with the codes.
func (rm *Room) offered(snap *snapshot.Snapshot, c *criteria.Criterion) []criteria.Option {
	if c.Domain == record.DomainMunicipio || c.Domain == record.DomainCNAE {
		return nil
	}
	return rm.criteria.Values(snap.Domains, c)
}

// written joins the values of a text field as people write them.
func (rm *Room) written(snap *snapshot.Snapshot, c *criteria.Criterion, given []string) string {
	texts := make([]string, 0, len(given))
	for _, value := range given {
		plain, excluded := strings.CutPrefix(value, "-")
		if g, ok := rm.criteria.Value(snap, c.Name, plain); ok && c.Domain == record.DomainMunicipio {
			plain = g.Text
		}
		if excluded {
			plain = "-" + plain
		}
		if plain != "" {
			texts = append(texts, plain)
		}
	}
	return strings.Join(texts, severalBy+" ")
}

// optionsOf returns the values of a filter by one of few.
func optionsOf(snap *snapshot.Snapshot, c *criteria.Criterion) []criteria.Option {
	if c.Options != nil {
		return c.Options
	}
	var options []criteria.Option
	for _, code := range slices.Sorted(maps.Keys(snap.Domains[c.Domain])) {
		if text, ok := ptbr.Meaning(snap, c.Domain, code); ok && filter.Of(c.Name, code).Validate() == nil {
			options = append(options, criteria.Option{Value: code, Text: text})
		}
	}
	return options
}

// mannerFields ask where to look, what is a result, and in which order.
func mannerFields(values url.Values) []formField {
	choice := func(name, label string, options ...criteria.Option) formField {
		f := formField{Name: name, Label: label, One: true}
		for _, o := range options {
			f.Options = append(f.Options, formOption{o, values.Get(name) == o.Value})
		}
		return f
	}
	var orders []criteria.Option
	for i, o := range searchLayout().orders {
		if i == 0 {
			o.Name = ""
		}
		orders = append(orders, criteria.Option{Value: o.Name, Text: o.Text})
	}
	return []formField{
		choice(scopeName, "Procurar as palavras em", criteria.Option{Text: "tudo"}, criteria.Option{Value: inNames, Text: "nomes"},
			criteria.Option{Value: inPartners, Text: "sócios"}),
		choice(groupName, "Um resultado por", criteria.Option{Text: "empresa"}, criteria.Option{Value: notGrouped, Text: "estabelecimento"}),
		choice("ordem", "Ordem", orders...),
	}
}
