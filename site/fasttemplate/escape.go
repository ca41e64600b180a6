package fasttemplate

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"io"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"text/template/parse"
)

// escaper is a chain of escapers as html/template appends it to a pipeline.
type escaper struct {
	name string // of its first function, the one that may fail

	// fast appends an escaped text, or leaves it to html/template. It is nil for chains that only
	// html/template knows, and changes no decimal number.
	fast func(to []byte, text string) (out []byte, ok bool)

	markup bool // template.HTML passes

	// probe is a template with one action, which html/template escapes with this chain.
	probe          *template.Template
	before, behind string // what the probe has around its action
}

// contexts has for each chain that is known a context in which html/template uses it, and a fast
// implementation.
var contexts = map[string]struct {
	probe string
	fast  func(to []byte, text string) ([]byte, bool)
}{
	"htmlescaper":                            {`{{.}}`, appendText},
	"rcdataescaper":                          {`<title>{{.}}</title>`, appendText},
	"attrescaper":                            {`<a title="{{.}}">`, appendText},
	"nospaceescaper":                         {`<a title={{.}}>`, nil},
	"urlfilter urlnormalizer attrescaper":    {`<a href="{{.}}">`, appendURL},
	"urlnormalizer attrescaper":              {`<a href="/{{.}}">`, appendPath},
	"urlescaper attrescaper":                 {`<a href="/?q={{.}}">`, appendQuery},
	"urlfilter urlnormalizer nospaceescaper": {`<a href={{.}}>`, nil},
	"urlfilter attrescaper":                  {`<meta http-equiv="refresh" content="0; url={{.}}">`, nil},
	"srcsetescaper attrescaper":              {`<img srcset="{{.}}">`, nil},
	"htmlnamefilter":                         {`<a {{.}}>`, nil},
	"jsvalescaper":                           {`<script>{{.}}</script>`, nil},
	"jsvalescaper attrescaper":               {`<a onclick="{{.}}">`, nil},
	"jsstrescaper":                           {`<script>"{{.}}"</script>`, nil},
	"jsstrescaper attrescaper":               {`<a onclick="'{{.}}'">`, nil},
	"cssvaluefilter":                         {`<style>p{color:{{.}}}</style>`, nil},
	"cssvaluefilter attrescaper":             {`<p style="color:{{.}}">`, nil},
}

// prefix is in the names of escapers.
const prefix = "_html_template_"

// cutEscapers divides a pipeline into what the template's author wrote and the chain of escapers.
func cutEscapers(cmds []*parse.CommandNode) (written []*parse.CommandNode, chain string) {
	var names []string
	for len(cmds) > 0 {
		last := cmds[len(cmds)-1].Args
		identifier, ok := last[0].(*parse.IdentifierNode)
		if !ok || len(last) > 1 || !strings.HasPrefix(identifier.Ident, prefix) {
			break
		}
		names = append([]string{strings.TrimPrefix(identifier.Ident, prefix)}, names...)
		cmds = cmds[:len(cmds)-1]
	}
	return cmds, strings.Join(names, " ")
}

var escapers sync.Map // of *escaper, by chain

// escaperFor returns the escaper for a chain.
func escaperFor(chain string) (*escaper, error) {
	if known, ok := escapers.Load(chain); ok {
		return known.(*escaper), nil
	}
	in, ok := contexts[chain]
	if !ok {
		return nil, errors.New("unknown")
	}
	e := &escaper{fast: in.fast, markup: chain == "htmlescaper"}
	first, _, _ := strings.Cut(chain, " ")
	e.name = prefix + first
	e.before, e.behind, _ = strings.Cut(in.probe, "{{.}}")
	e.probe = template.Must(template.New(chain).Parse(in.probe))
	if err := e.probe.Execute(io.Discard, ""); err != nil {
		return nil, err
	}
	// Another version of html/template may escape this context differently.
	for _, n := range e.probe.Tree.Root.Nodes {
		if action, ok := n.(*parse.ActionNode); ok {
			if _, used := cutEscapers(action.Pipe.Cmds); used != chain {
				return nil, fmt.Errorf("html/template uses %q", used)
			}
		}
	}
	escapers.Store(chain, e)
	return e, nil
}

// write appends v to the output.
func (e *escaper) write(s *state, at *place, v reflect.Value) {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if e.fast == nil || !v.IsValid() {
		e.slow(s, at, v)
		return
	}
	written := false
	switch classOf(v.Type()) {
	case asText:
		s.out, written = e.fast(s.out, v.String())
	case asInteger:
		s.out, written = strconv.AppendInt(s.out, v.Int(), 10), true
	case asMarkup:
		if e.markup {
			s.out, written = append(s.out, v.String()...), true
		}
	case asPrinted:
		s.out, written = e.fast(s.out, fmt.Sprint(v.Interface()))
	}
	if !written {
		e.slow(s, at, v)
	}
}

// slow lets html/template escape v.
func (e *escaper) slow(s *state, at *place, v reflect.Value) {
	var data any
	if v.IsValid() {
		data = v.Interface()
	}
	var b bytes.Buffer
	if err := e.probe.Execute(&b, data); err != nil {
		at.fail("error calling %s: %w", e.name, cause(err))
	}
	s.out = append(s.out, b.Bytes()[len(e.before):b.Len()-len(e.behind)]...)
}

// class is how a type is printed and escaped.
type class int

const (
	asSpecial class = iota // as only html/template knows
	asText                 // is the text
	asInteger              // in decimal
	asMarkup               // template.HTML
	asPrinted              // by fmt.Sprint
)

var classes sync.Map // of class, by reflect.Type

func classOf(t reflect.Type) class {
	if t == stringType {
		return asText
	}
	if known, ok := classes.Load(t); ok {
		return known.(class)
	}
	c := classify(t)
	classes.Store(t, c)
	return c
}

var (
	stringType = reflect.TypeFor[string]()
	ownWords   = []reflect.Type{reflect.TypeFor[fmt.Stringer](), errorType, reflect.TypeFor[fmt.Formatter]()}
	trusted    = []reflect.Type{
		reflect.TypeFor[template.CSS](), reflect.TypeFor[template.HTMLAttr](), reflect.TypeFor[template.JS](),
		reflect.TypeFor[template.JSStr](), reflect.TypeFor[template.URL](), reflect.TypeFor[template.Srcset](),
	}
)

func classify(t reflect.Type) class {
	if t == reflect.TypeFor[template.HTML]() {
		return asMarkup
	}
	for _, content := range trusted {
		if t == content {
			return asSpecial
		}
	}
	for _, interfaces := range ownWords {
		if t.Implements(interfaces) && t.Kind() != reflect.Pointer {
			return asPrinted
		}
	}
	switch t.Kind() {
	case reflect.String:
		return asText
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return asInteger
	case reflect.Pointer, reflect.Interface:
		return asSpecial
	}
	return asPrinted
}

// entities are the bytes that are escaped in text, attributes in quotes, and RCDATA. Bytes that are
// not UTF-8 pass.
var entities = [256]string{0: "\uFFFD", '"': "&#34;", '&': "&amp;", '\'': "&#39;", '+': "&#43;", '<': "&lt;", '>': "&gt;"}

func appendText(to []byte, text string) ([]byte, bool) {
	done := 0
	for i := range len(text) {
		if entity := entities[text[i]]; entity != "" {
			to = append(to, text[done:i]...)
			to = append(to, entity...)
			done = i + 1
		}
	}
	return append(to, text[done:]...), true
}

// appendURL appends a whole URL, as the value of an attribute, unless its scheme may be a dangerous
// one: html/template decides about all but the plainest.
func appendURL(to []byte, url string) ([]byte, bool) {
	if strings.HasPrefix(url, "/") || strings.HasPrefix(url, "https://") || !strings.Contains(url, ":") {
		return appendPath(to, url)
	}
	return to, false
}

// appendPath appends a part of a URL, as the value of an attribute.
func appendPath(to []byte, url string) ([]byte, bool) { return appendEncoded(to, url, &reserved), true }

// appendQuery appends a part of a URL that has no structure of its own.
func appendQuery(to []byte, text string) ([]byte, bool) {
	return appendEncoded(to, text, &unreserved), true
}

// unreserved are the bytes that a URL has anywhere; reserved are those that also structure it.
// html/template adds the quote and parentheses to neither, though RFC 3986 does.
var (
	unreserved = setOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
	reserved   = setOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!#$&*+,/:;=?@[]%")
)

func setOf(chars string) (set [256]bool) {
	for i := range len(chars) {
		set[chars[i]] = true
	}
	return set
}

// appendEncoded percent-encodes the bytes that are not in pass. If a percent sign is, it stays only
// as part of an escape. What passes is escaped for an attribute.
func appendEncoded(to []byte, text string, pass *[256]bool) []byte {
	const hex = "0123456789abcdef"
	for i := range len(text) {
		c := text[i]
		switch {
		case c == '%' && pass[c] && i+2 < len(text) && isHex(text[i+1]) && isHex(text[i+2]):
			to = append(to, c)
		case c == '%' || !pass[c]:
			to = append(to, '%', hex[c>>4], hex[c&15])
		case entities[c] != "":
			to = append(to, entities[c]...)
		default:
			to = append(to, c)
		}
	}
	return to
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
