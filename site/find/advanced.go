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
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/snapshot"
	"razao/site/page"
)

const (
	advancedPath = "/busca/avancada"
	sent         = "buscar" // parameter that marks a submitted form
	severalBy    = ";"      // separates the values of one text field
)

// advancedPage is the form with every filter, filled in from the address.
type advancedPage struct {
	page.Frame
	Text        string
	TextOptions []formField // how to search: scope, grouping, order
	Groups      []formGroup
	Lists       []valueList
	Problems    []fieldProblem
}

// formGroup is a group of related filters. It is open when it has a value or a problem, and if it
// is one of the first two.
type formGroup struct {
	Name   string
	Open   bool
	Fields []formField
}

// formField is the input of one filter, or of both ends of a range.
type formField struct {
	Name, Label, Hint string
	Value             string
	Upper, UpperValue string // parameter of the upper end; "" unless it is a range
	Type, Mode        string // type and inputmode attributes
	List              string // id of the datalist; "" for none
	Options           []formOption
	One               bool   // radio buttons rather than checkboxes
	Problem           string // what is wrong with the value, a sentence; "" when it is valid
}

// formOption is a radio button or checkbox.
type formOption struct {
	filter.Option
	Chosen bool
}

// valueList is the datalist of one table of codes.
type valueList struct {
	ID     string
	Values []filter.Option
}

// fieldProblem is an invalid value, for the summary above the form.
type fieldProblem struct{ Name, Label, Text string }

// advanced answers /busca/avancada. The form submits to itself: valid input redirects to /busca
// (303); invalid input gives the form again with status 422 and a message beside each field.
func (hs *Handlers) advanced(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	values := c.Request.URL.Query()
	p := &advancedPage{Text: values.Get("q")}
	p.Crumbs, p.Script = page.Trail("Busca", "/busca", "Busca avançada"), page.Script(fieldsScript)
	p.Title, p.Description = "Busca avançada", "Empresas por atividade, lugar, situação, capital, sócios, contato e registros públicos, com todos os filtros em uma página."
	p.Canonical, p.NoIndex = advancedPath, true
	reply := page.Reply{Page: p}
	if values.Has(sent) {
		q, problems, err := hs.sentQuery(c, snap, several(values))
		switch {
		case err != nil:
			return page.Reply{}, err
		case len(problems) == 0:
			return page.SeeOther(q.with()), nil
		}
		p.Problems, reply.Status = problems, http.StatusUnprocessableEntity
	}
	hs.fillForm(p, snap, values)
	return reply, nil
}

// several splits the text fields that take several values, drops empty values, and drops the submit
// marker.
func several(values url.Values) url.Values {
	out := url.Values{}
	for name, given := range values {
		for _, text := range given {
			if filter.KindOf(name) == filter.Codes && filter.Named(name) != nil {
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

// add appends a value unless it is blank.
func add(v url.Values, name, value string) {
	if value = strings.TrimSpace(value); value != "" {
		v.Add(name, value)
	}
}

// sentQuery parses a submitted form and collects everything wrong with it. Parsing stops at the
// first invalid parameter, so it is repeated without that parameter until it succeeds. An error
// other than an invalid parameter of the form is returned.
func (hs *Handlers) sentQuery(c *gin.Context, snap *snapshot.Snapshot, values url.Values) (*query, []fieldProblem, error) {
	var problems []fieldProblem
	for {
		search := &gin.Context{Request: c.Request.Clone(c.Request.Context())}
		search.Request.URL.RawQuery = values.Encode()
		q, err := hs.readQuery(search, snap, searchLayout())
		var wrong *page.InvalidParameter
		if !errors.As(err, &wrong) {
			return q, problems, err
		}
		name := wrong.Loc[1]
		problem := fieldProblem{Name: name, Label: name, Text: wrong.Msg}
		if f := filter.Named(name); f != nil {
			problem.Label = f.Label
		}
		if !values.Has(name) {
			return nil, problems, err
		}
		problems = append(problems, problem)
		values.Del(name)
	}
}

// fillForm builds the groups of fields with the values of the address, and their datalists.
func (hs *Handlers) fillForm(p *advancedPage, snap *snapshot.Snapshot, values url.Values) {
	p.TextOptions = textOptionFields(values)
	all := filter.All()
	lists := map[string][]filter.Option{}
	for i := 0; i < len(all); i++ {
		f := hs.field(snap, all[i], values)
		if lower, upper, ranged := filter.Bounds(all[i].Name); ranged && lower == all[i].Name {
			f.Upper, f.UpperValue = upper, values.Get(upper)
			i++
		}
		for _, problem := range p.Problems {
			if problem.Name == f.Name || problem.Name == f.Upper {
				f.Problem = problem.Text
				f.Type = "text" // a date input would hide an invalid date
			}
		}
		if f.List != "" {
			lists[f.List] = hs.offered(snap, all[i])
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

// isGiven reports whether the address sets the field to something other than its default.
func (f *formField) isGiven() bool {
	return f.Value+f.UpperValue != "" || slices.ContainsFunc(f.Options, func(o formOption) bool { return o.Chosen && o.Value != "" })
}

// field builds the field of one filter.
func (hs *Handlers) field(snap *snapshot.Snapshot, c *filter.Filter, values url.Values) formField {
	f := formField{Name: c.Name, Label: c.Label, Hint: hint(c), Type: "text", One: filter.KindOf(c.Name) == filter.Choice}
	switch c.Form {
	case filter.OneOf:
		f.Hint = ""
		if f.One {
			f.Options = append(f.Options, formOption{filter.Option{Text: "tanto faz"}, values.Get(c.Name) == ""})
		}
		for _, o := range optionsOf(snap, c) {
			f.Options = append(f.Options, formOption{o, slices.Contains(values[c.Name], o.Value)})
		}
		return f
	case filter.Date:
		f.Hint, f.Type = "", "date"
	case filter.Year, filter.Number:
		f.Hint, f.Mode = "", "numeric"
	case filter.Amount:
		f.Mode = "decimal"
	case filter.Tel:
		f.Mode = "tel"
	case filter.Mail:
		f.Mode = "email"
	case filter.Coded:
		f.List = listID(c)
	}
	f.Value = hs.written(snap, c, values[c.Name])
	return f
}

// hint returns a sentence on what may be typed into the field of a filter.
func hint(c *filter.Filter) string {
	switch {
	case c.Form == filter.Amount:
		return "Em reais: 1500, 1500,50, 100 mil ou 1,5 milhão. Milhares sem ponto."
	case c.Domain == record.DomainCNAE:
		return "Uma palavra, como padaria, ou um código da CNAE de qualquer nível."
	case c.Domain == record.DomainMunicipio:
		return "Um nome, como Campinas/SP, ou um código da Receita Federal ou do IBGE."
	case c.Completes():
		return "Escreva e escolha na lista, ou dê um código."
	}
	first, size := utf8.DecodeRuneInString(c.About)
	return ptbr.Join(" ", string(unicode.ToUpper(first))+c.About[size:]+".", c.Note())
}

// listID returns the id of a filter's datalist, "" when its values cannot be listed.
func listID(c *filter.Filter) string {
	if !c.Completes() {
		return ""
	}
	return "lista-" + string(c.Domain)
}

// offered returns the options of a datalist for browsers without scripts; the script replaces them
// as the visitor types. Municipalities and activities are too many to embed: there a name is
// understood, and a word for an activity is answered with the matching codes.
func (hs *Handlers) offered(snap *snapshot.Snapshot, c *filter.Filter) []filter.Option {
	if c.Domain == record.DomainMunicipio || c.Domain == record.DomainCNAE {
		return nil
	}
	return hs.filters.Values(snap.Domains, c)
}

// written joins the values of a text field with severalBy, municipalities by name and excluded
// values behind "-".
func (hs *Handlers) written(snap *snapshot.Snapshot, c *filter.Filter, given []string) string {
	texts := make([]string, 0, len(given))
	for _, value := range given {
		plain, excluded := strings.CutPrefix(value, "-")
		if g, ok := hs.filters.Value(snap, c.Name, plain); ok && c.Domain == record.DomainMunicipio {
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

// optionsOf returns the options of a filter with few values: those declared, or those in the load's
// table that the index accepts.
func optionsOf(snap *snapshot.Snapshot, c *filter.Filter) []filter.Option {
	if c.Options != nil {
		return c.Options
	}
	var options []filter.Option
	for _, code := range slices.Sorted(maps.Keys(snap.Domains[c.Domain])) {
		if text, ok := ptbr.Meaning(snap, c.Domain, code); ok && filter.Valid(c.Name, code) {
			options = append(options, filter.Option{Value: code, Text: text})
		}
	}
	return options
}

// textOptionFields returns the fields on how to search: scope, grouping and order. The default of each
// is an empty value.
func textOptionFields(values url.Values) []formField {
	choice := func(name, label string, options ...filter.Option) formField {
		f := formField{Name: name, Label: label, One: true}
		for _, o := range options {
			f.Options = append(f.Options, formOption{o, values.Get(name) == o.Value})
		}
		return f
	}
	var orders []filter.Option
	for i, o := range searchLayout().orders {
		if i == 0 {
			o.Name = ""
		}
		orders = append(orders, filter.Option{Value: o.Name, Text: o.Text})
	}
	return []formField{
		choice(scopeName, "Procurar as palavras em", filter.Option{Text: "tudo"}, filter.Option{Value: inNames, Text: "nomes"},
			filter.Option{Value: inPartners, Text: "sócios"}),
		choice(groupName, "Um resultado por", filter.Option{Text: "empresa"}, filter.Option{Value: notGrouped, Text: "estabelecimento"}),
		choice("ordem", "Ordem", orders...),
	}
}
