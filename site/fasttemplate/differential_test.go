package fasttemplate

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"iter"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// node is data with everything that templates access: fields, embedded fields, methods of values and
// pointers, maps, functions, nil.
type node struct {
	Name   string
	Any    any
	Count  int
	Wide   int64
	Small  uint8
	Ratio  float64
	Yes    bool
	Titled title
	Markup template.HTML
	Next   *node
	List   []node
	Names  []string
	Fixed  [3]int
	Keys   map[string]int
	Loose  map[string]any
	Ints   map[int]string
	Mixed  map[any]string
	Words  fmt.Stringer
	Err    error
	Fn     func(int) string
	Bytes  []byte
	When   time.Time
	base
	*late
	hidden string
}

type base struct{ Inherited string }

func (b base) Greeting() string { return "<" + b.Inherited + ">" }

type late struct{ Promoted string }

type title string

type worded struct{ text string }

func (w worded) String() string { return w.text }

type pointed struct{ text string }

func (p *pointed) String() string { return p.text }

type failing struct{ text string }

func (f failing) Error() string { return f.text }

type formatted struct{}

func (formatted) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte("<formatted>")) }

type panicking struct{}

func (panicking) String() string { panic("<no> words") }

type encoded struct{ text string }

func (e encoded) MarshalJSON() ([]byte, error) {
	if e.text == "" {
		return nil, errCause
	}
	return fmt.Appendf(nil, "%q", e.text), nil
}

func (n node) Self() node       { return n }
func (n *node) Pointer() *node  { return n }
func (n *node) IsNil() bool     { return n == nil }
func (n node) Add(a, b int) int { return a + b + n.Count }
func (n node) Join(sep string, all ...string) string {
	return n.Name + sep + strings.Join(all, sep)
}

func (n node) Fails(text string) (string, error) {
	if text == "" {
		return "", errCause
	}
	return text, nil
}
func (n node) Panics() string            { panic(errCause) }
func (n node) PanicsInWords() string     { panic("in words") }
func (n node) Out() (string, int, error) { return "", 0, nil }
func (n node) Odd() (string, int)        { return "", 0 }
func (n node) None()                     {}
func (n node) Value() any                { return n.Any }
func (n node) Seq() iter.Seq[string] {
	return func(yield func(string) bool) { _ = yield("a") && yield("<b>") && yield("c") }
}

func (n node) Pairs() iter.Seq2[string, int] {
	return func(yield func(string, int) bool) { _ = yield("a", 1) && yield("<b>", 2) }
}

func (n node) Chan() chan string {
	c := make(chan string, 3)
	c <- "<1>"
	c <- "2"
	c <- "3"
	close(c)
	return c
}

var errCause = errors.New("the cause <of it>")

var testFunctions = template.FuncMap{
	"upper": strings.ToUpper,
	"wide":  func(n int64) string { return fmt.Sprint(n, "<") },
	"plus":  func(n int) int { return n + 1 },
	"ratio": func(f float64) string { return fmt.Sprint(f) },
	"year":  func(t time.Time) string { return t.Format("2006") },
	"link": func(id string, text ...string) (template.HTML, error) {
		if id == "" {
			return "", errCause
		}
		return template.HTML("<a>" + id + template.HTMLEscapeString(strings.Join(text, ",")) + "</a>"), nil
	},
	"list":    func(all ...any) []any { return all },
	"same":    func(v any) any { return v },
	"html_":   func(s string) template.HTML { return template.HTML(s) },
	"url_":    func(s string) template.URL { return template.URL(s) },
	"js_":     func(s string) template.JS { return template.JS(s) },
	"css_":    func(s string) template.CSS { return template.CSS(s) },
	"attr_":   func(s string) template.HTMLAttr { return template.HTMLAttr(s) },
	"panics":  func(s string) string { panic("panic of " + s) },
	"broken":  func(s string) string { panic(errCause) },
	"fails":   func(s string) (string, error) { return s, errCause },
	"titled":  func(t title) string { return string(t) + "!" },
	"deref":   func(n node) string { return n.Name },
	"ptr":     func(n *node) string { return fmt.Sprint(n == nil) },
	"value":   func(v reflect.Value) reflect.Value { return v },
	"values":  func(all ...reflect.Value) int { return len(all) },
	"nothing": func() any { return nil },
	"runes":   func(r rune, u uint16, f float32) string { return fmt.Sprint(r, u, f) },
}

// constructs are templates over a node. Those that call templates find "inner", "deep" and "text".
var constructs = []string{
	`plain`, `{{/* comment */}}a{{- /* c */ -}} b`, ``,
	`{{.Name}}{{.Count}}{{.Wide}}{{.Small}}{{.Ratio}}{{.Yes}}{{.Titled}}{{.Markup}}{{.Any}}{{.Err}}{{.Words}}{{.Bytes}}{{.Fixed}}{{.Names}}{{.Keys}}`,
	`{{.Inherited}}{{.Greeting}}{{.Next.Greeting}}`, `{{.Promoted}}`, `{{.hidden}}`, `{{.Absent}}`, `{{.Next.Absent}}`, `{{.Name.Absent}}`,
	`{{.Next.Name}}`, `{{.Next.Next.Next.Name}}`, `{{.Next.Next}}`, `{{.Next.IsNil}}{{.Next.Next.IsNil}}{{.Next.Pointer.Name}}`,
	`{{.Self.Name}}`, `{{.Self.Self.Pointer}}`, `{{.Pointer.Name}}`, `{{(.Self).Name}}`, `{{(.Self.Pointer).Name}}`, `{{(index .List 0).Pointer.Name}}`,
	`{{.Add 1 2}}`, `{{.Add 1 .Count}}`, `{{2 | .Add 1}}`, `{{.Add 1}}`, `{{.Add 1 "x"}}`, `{{.Add 1 .Name}}`, `{{.Add 1 nil}}`, `{{.Add 1.5 2}}`,
	`{{.Join "+"}}`, `{{.Join "+" "a" .Name}}`, `{{.Name | .Join "+" "a"}}`, `{{.Join}}`, `{{.Name | .Join}}`, `{{.Join "+" 1}}`,
	`{{.Fails .Name}}`, `{{.Fails ""}}`, `{{.Panics}}`, `{{.PanicsInWords}}`, `{{.Out}}`, `{{.Odd}}`, `{{.None}}`,
	`{{.Value}}{{.Value | same}}{{if .Value}}y{{end}}`, `{{.Name "x"}}`, `{{.Keys.a}}{{.Keys.none}}`, `{{.Keys.a 1}}`, `{{.Ints.a}}`, `{{.Loose.a.b}}`, `{{.Loose.none}}`,
	`{{.Loose.list}}{{range .Loose.list}}{{.}}{{end}}`, `{{.Any.Name}}`, `{{.Any.Self.Name}}`, `{{.Words.String}}`, `{{.Err.Error}}`, `{{.Mixed.a}}`,
	`{{$x := .Name}}{{$x}}{{$x = "new<"}}{{$x}}`, `{{$x := .Next}}{{$x.Name}}`, `{{with $x := .Name}}{{$x}}{{.}}{{else}}{{$x}}none{{end}}`,
	`{{if $x := .Count}}{{$x}}{{else if $x}}no{{else}}{{$x}}{{end}}`, `{{$x := 1}}{{if .Yes}}{{$x := 2}}{{$x}}{{else}}{{$x}}{{end}}{{$x}}`,
	`{{if .Yes}}{{$x := 1}}{{$x}}{{end}}{{$y := 2}}{{$y}}`, `{{$x := 1}}{{range .Names}}{{$x}}{{$x = .}}{{end}}{{$x}}`, `{{$}}{{$.Name}}{{with .Next}}{{$.Name}}{{end}}`,
	`{{if .Name}}a{{end}}`, `{{if .Any}}a{{else}}b{{end}}`, `{{if .Ratio}}a{{else}}b{{end}}`, `{{if .Next}}a{{else if .List}}b{{else}}c{{end}}`,
	`{{if .Fn}}f{{end}}{{if .Self}}s{{end}}{{if .Fixed}}a{{end}}{{if .Small}}u{{end}}{{if .Words}}w{{end}}`,
	`{{with .Next}}{{.Name}}{{else}}none{{end}}`, `{{with .Any}}{{.}}{{end}}`, `{{with .Next}}{{.Name}}{{else with .Name}}{{.}}{{else}}x{{end}}`,
	`{{range .List}}{{.Name}}{{.Pointer.Name}},{{else}}none{{end}}`, `{{range $i, $e := .Names}}{{$i}}={{$e}}{{.}};{{else}}{{$i}}{{$e}}{{end}}`,
	`{{range $e := .Names}}{{$e}}{{else}}none {{$e}}{{end}}`, `{{range .Fixed}}{{.}}{{end}}`, `{{range $k, $v := .Keys}}{{$k}}{{$v}}{{end}}`,
	`{{range .Loose}}{{.}},{{end}}`, `{{range $k, $v := .Ints}}{{$k}}{{$v}}{{end}}`, `{{range $k, $v := .Mixed}}{{$k}}{{$v}}{{end}}`,
	`{{range 3}}{{.}}{{end}}`, `{{range $i := .Count}}{{$i}}{{end}}`, `{{range $i, $j := 3}}{{$i}}{{end}}`, `{{range .Small}}{{.}}{{else}}z{{end}}`,
	`{{range .Chan}}{{.}}{{end}}`, `{{range $i, $c := .Chan}}{{$i}}{{$c}}{{end}}`, `{{range .Seq}}{{.}}{{end}}`, `{{range $i, $s := .Seq}}{{end}}`,
	`{{range .Pairs}}{{.}}{{end}}`, `{{range $a, $b := .Pairs}}{{$a}}{{$b}}{{end}}`, `{{range $a := .Pairs}}{{$a}}{{break}}{{end}}`,
	`{{range .Name}}{{end}}`, `{{range .Ratio}}{{end}}`, `{{range .Next}}{{end}}`, `{{range .Any}}{{.}}{{else}}e{{end}}`, `{{range .Yes}}{{end}}`, `{{range .Fn}}{{end}}`,
	`{{range .Names}}{{if eq . "b"}}{{continue}}{{end}}{{.}}{{end}}`, `{{range .Names}}{{if eq . "b"}}{{break}}{{end}}{{.}}{{else}}e{{end}}!`,
	`{{range .List}}{{range .Names}}{{if .}}{{break}}{{end}}{{end}}{{.Name}}{{end}}`, `{{$i := 0}}{{$e := ""}}{{range $i, $e = .Names}}{{$i}}{{end}}{{$i}}{{$e}}`,
	`{{range .Seq}}{{break}}{{end}}{{range .Seq}}{{.}}{{continue}}x{{end}}`, `{{range nothing}}{{else}}e{{end}}`,
	`{{template "inner" .}}`, `{{template "inner" .Next}}`, `{{template "inner"}}`, `{{template "text" .Name}}`, `{{template "deep" .}}`, `{{template "text" (upper .Name)}}`,
	`{{block "own" .Name}}[{{.}}]{{end}}`, `{{$x := .Name}}{{template "text" $x}}`, `{{with $x := .Name}}{{template "text" $x}}{{end}}`,
	`{{upper .Name}}`, `{{.Name | upper}}`, `{{"a<" | upper}}`, `{{upper "x" | upper}}`, `{{upper .Count}}`, `{{upper .Titled}}`, `{{upper .Any}}`, `{{upper nothing}}`, `{{upper .Loose.none}}`,
	`{{wide .Wide}}`, `{{wide 5}}`, `{{wide .Count}}`, `{{plus .Count | plus}}`, `{{ratio .Ratio}}{{ratio 2}}`, `{{year .When}}`, `{{titled .Titled}}{{titled "x"}}`, `{{titled .Name}}`,
	`{{link "id"}}{{link "id" .Name "b"}}{{.Name | link "id"}}`, `{{link .Name}}`, `{{link ""}}`, `{{link}}`, `{{list 1 2.5 "x" true .Name nil 'a' 0x1F 1e3 .Next}}`,
	`{{panics .Name}}`, `{{broken .Name}}`, `{{fails .Name}}`, `a{{with .Names}}b{{fails "x"}}{{end}}`, `{{upper (fails .Name)}}`, `{{deref .Next}}`, `{{deref .Next.Next}}`, `{{deref .}}`, `{{ptr .}}{{ptr .Next}}{{ptr nil}}`, `{{ptr .Self}}`,
	`{{runes 'x' 7 1.5}}`, `{{runes 1 -1 1.5}}`, `{{nothing}}`, `{{value .Name}}{{value nil}}{{value 1}}{{values .Name nil 1}}{{.Name | value}}{{len (value .Names)}}`, `{{same nil}}`, `{{same .Words}}`, `{{same .Loose.none}}`,
	`{{and .Name .Count}}`, `{{or .Name .Any "none"}}`, `{{and true (fails "x")}}`, `{{or true (fails "x")}}`, `{{and .Yes}}`, `{{or nil .Name}}`, `{{and (gt .Count 1) .Name}}`, `{{not .Name}}{{not .Any}}{{not 0}}`, `{{.Name | or .Any}}`,
	`{{eq .Name "b"}}{{ne .Name "b"}}{{eq .Count 1 2 3}}{{eq .Count .Wide}}{{eq .Small .Count}}{{eq .Yes true}}{{eq .Titled "b"}}`,
	`{{eq .Count "x"}}`, `{{eq .Name 1}}`, `{{eq .Name .Any}}`, `{{eq .Any .Any}}`, `{{eq .Next nil}}`, `{{eq .List .List}}`, `{{eq .Name}}`, `{{eq 1.5 .Ratio}}`, `{{"b" | eq .Name}}`, `{{eq .Any nil}}`, `{{eq .Name "x" 1}}`, `{{ne .Count "x"}}`, `{{eq .Words .Words}}`,
	`{{lt .Count 3}}{{le .Count 3}}{{gt .Count 3}}{{ge .Count 3}}{{lt .Name "b"}}{{le .Name "b"}}{{gt .Name "b"}}{{ge .Name "b"}}`, `{{lt .Ratio 1.0}}{{ge .Ratio 1.0}}`, `{{lt .Count .Small}}`, `{{lt .Count "x"}}`, `{{gt .Any 1}}`, `{{gt .Yes true}}`, `{{le .Next 1}}`,
	`{{len .Names}}{{len .Name}}{{len .Keys}}{{len .Fixed}}`, `{{len .Count}}`, `{{len .Next}}`, `{{len nil}}`, `{{len .Any}}`, `{{.Names | len}}`, `{{len .Next.Next}}`,
	`{{index .Names 0}}`, `{{index .Names 9}}`, `{{index .Names -1}}`, `{{index .Keys "a"}}{{index .Keys "none"}}`, `{{index .List 0}}`, `{{index .Names "x"}}`, `{{index .Any 0}}`, `{{index .Fixed .Count}}`, `{{index .Name 0}}`, `{{index .Loose "a" "b"}}`, `{{index .Names}}`, `{{index nil 1}}`, `{{index .Names nil}}`,
	`{{slice .Name 1}}`, `{{slice .Names 0 1}}`, `{{slice .Name 9}}`, `{{printf "%d-%s<" .Count .Name}}`, `{{printf "%v" .Any}}`, `{{printf .Count}}`, `{{print .Name .Count nil}}`, `{{println .Name}}`, `{{js .Name}}`, `{{.Name | printf "%q"}}`,
	`{{call .Fn 1}}`, `{{html .Name}}`, `{{.Name | html}}`, `{{urlquery .Name}}`, `<a href="/?{{.Name | urlquery}}">`, `{{1i}}`, `{{nil}}`, `{{1 | .Count}}`, `{{"x"}}{{1}}{{true}}{{1.50}}{{'a'}}{{0x10}}`,
	`{{if and .Name ($x := 1)}}{{end}}`, `{{if .Yes}}{{$y := 1}}{{else}}{{$y}}{{end}}`, `{{9999999999999999999}}`, `{{.Count.Foo}}`, `{{("x").Foo}}`, `{{same (list 1 (list 2 .Name))}}`, `{{(list 1 2).Foo}}`,
}

// contextTemplates are templates with one place in each context, for values of any kind.
var contextTemplates = []string{
	`{{.}}`, `<p>{{.}}</p>`, `<b title="{{.}}">`, `<b title='{{.}}'>`, `<b title={{.}}>`, `<title>{{.}}</title>`, `<textarea>{{.}}</textarea>`,
	`<a href="{{.}}">`, `<a href='{{.}}'>`, `<a href={{.}}>`, `<a href="/{{.}}">`, `<a href="/x/{{.}}/y">`, `<a href="/?q={{.}}">`, `<a href="/?q={{.}}&amp;r=1#{{.}}">`, `<a href='/#{{.}}'>`,
	`<img src="{{.}}">`, `<img srcset="{{.}}">`, `<img srcset="a, {{.}} 2x">`, `<form action="{{.}}">`, `<meta http-equiv="refresh" content="0; url={{.}}">`,
	`<script>{{.}}</script>`, `<script>x = {{.}};</script>`, `<script>"{{.}}"</script>`, `<script>'{{.}}'</script>`, "<script>`{{.}}`</script>", `<script>/{{.}}/</script>`,
	`<script type="application/ld+json">{{.}}</script>`, `<script type="text/template">{{.}}</script>`,
	`<a onclick="{{.}}">`, `<a onclick="f({{.}})">`, `<a onclick="f('{{.}}')">`, `<a onclick='f({{.}})'>`,
	`<p style="color: {{.}}">`, `<p style="{{.}}">`, `<p style="background: url('{{.}}')">`, `<p style="background: url({{.}})">`, `<style>p { color: {{.}} }</style>`, `<style>"{{.}}"</style>`,
	`<p {{.}}>`, `<p {{.}}="x">`, `<p data-{{.}}="x">`, `<!-- {{.}} -->`, `<p data-url="{{.}}" value="{{.}}" class="a {{.}} b">`, `<svg><title>{{.}}</title><path d="{{.}}"></svg>`,
	`<p>{{if .}}{{.}}{{else}}-{{end}}</p>`, `<a href="{{if .}}/a{{else}}/b{{end}}/{{.}}">`, `{{range list .}}{{.}}{{end}}`, `{{. | same}}`, `{{with .}}{{.}}{{end}}`,
}

var texts = []string{
	"", "plain", "a b+c=d", `<script>alert("x")</script>`, `"quoted" & 'single' &amp; &lt;`, "nul\x00nul", "bad\xff\xc3\x28utf8", "line\nbreak\r\ttab\v\f", "ção 日本 \u2028\u2029\ufdd0\uffff\U0001F600",
	"javascript:alert(1)", "JAVASCRIPT:x", "http://a/b?c=d&e=f#g", "https://a.b/ç", "HTTPS://x", "mailto:a@b", "tel:1", "/path:with/colon", "a/b:c", ":", "//host/x", "%41%zz%4%z1%1z", "100%", "?q=1&r=(2)!*'~;,@$[]", "\\`{}|^", "<b>bold</b> & <i title='>'>x", "]]>", "*/", "</script", "expression(1)", "-->", "{{.}}",
}

// values are of every kind that is printed.
func values() []any {
	text := "a <b> & \"c\""
	inner := &text
	all := []any{
		nil, 0, -7, int64(math.MinInt64), uint8(200), uint64(math.MaxUint64), 'x', 1.5, math.Copysign(0, -1), 1e21, 1e-9, float32(0.1), math.NaN(), math.Inf(1), true, false, 1 + 2i,
		title("<t>"),
		worded{"<w>+"},
		&worded{"<pw>"},
		pointed{"<x>"},
		&pointed{"<y>"}, (*pointed)(nil), (*worded)(nil),
		failing{"<f>"},
		errCause,
		formatted{},
		panicking{},
		time.Second, time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC),
		[]string{"<a>", "b"},
		[]byte("<bytes>"),
		[2]int{1, 2},
		map[string]any{"<k>": 1, "a": nil},
		struct{ A, B string }{"<1>", "2"},
		inner, &inner,
		(*string)(nil), (*int)(nil), []int(nil), map[string]int(nil),
		encoded{"<json>"},
		encoded{},
		&encoded{"x"}, time.UTC, time.Weekday(1), template.HTMLEscaper, make(chan int, 1), error(nil),
	}
	for _, t := range texts {
		all = append(all, t, template.HTML(t), template.URL(t), template.JS(t), template.JSStr(t), template.CSS(t), template.HTMLAttr(t), template.Srcset(t))
	}
	html := template.HTML("<i>&amp;</i>")
	return append(all, &html, new(template.URL("x:y")))
}

func nodes() []any {
	full := &node{
		Name: "b", Any: "any<", Count: 3, Wide: 1 << 40, Small: 3, Ratio: 0.5, Yes: true, Titled: "b", Markup: "<i>m</i>",
		Next: &node{Name: "next&", Any: 5, base: base{"inherited"}, late: &late{"p"}, List: []node{{Name: "n"}}}, List: []node{{Name: "<1>"}, {Name: "2", Names: []string{"x"}}}, Names: []string{"a", "b", "<c>"},
		Fixed: [3]int{1, 2, 3}, Keys: map[string]int{"z": 26, "a": 1, "<m>": 13}, Loose: map[string]any{"a": map[string]any{"b": "<deep>"}, "list": []any{1, "<two>", nil}},
		Ints: map[int]string{10: "ten", -1: "<minus>", 2: "two"}, Mixed: map[any]string{"a": "1", 2: "2", 1.5: "3", true: "4"}, Words: worded{"<words>"}, Err: failing{"<err>"},
		Fn: func(i int) string { return fmt.Sprint("<", i) }, Bytes: []byte("by"), When: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), base: base{"<base>"}, late: &late{"late"}, hidden: "h",
	}
	odd := &node{Name: "", Any: &node{Name: "held"}, Count: -1, Ratio: math.Copysign(0, -1), Loose: map[string]any{"a": nil}, Names: []string{}, Words: (*pointed)(nil)}
	return []any{full, *full, odd, &node{}, (*node)(nil), nil, map[string]any{"Name": "<m>", "Count": 2, "Names": []any{"b", 1}}, "text", 5, []any{1}, map[string]string{"Name": "<s>"}, any(&full)}
}

// outcome is what an execution gives: the output so far, and the error.
type outcome struct {
	output string
	err    error
}

func by(execute func(*bytes.Buffer) error) (o outcome, panicked any) {
	var b bytes.Buffer
	defer func() { panicked = recover(); o.output = b.String() }()
	o.err = execute(&b)
	return o, nil
}

const inners = `{{define "inner"}}<p class="{{.Count}}">{{.Name}}</p>{{end}}{{define "text"}}({{.}}){{$}}{{end}}{{define "deep"}}{{.Name}}{{with .Next}}{{template "deep" .}}{{end}}{{end}}`

// parsed returns the set for a template text; without one html/template would refuse, too.
func parsed(t testing.TB, text string) *template.Template {
	t.Helper()
	set, err := template.New("entry").Funcs(testFunctions).Parse(inners + text)
	if err != nil {
		t.Skip(err)
	}
	return set
}

// engines returns both engines for a template text. fast is nil if Compile refuses.
func engines(t testing.TB, text string) (fast *Template, reference *template.Template) {
	t.Helper()
	reference = parsed(t, text)
	compiled, err := Compile(parsed(t, text), "entry", testFunctions)
	if err == nil {
		return compiled, reference
	}
	if refusal := new(template.Error); !errors.Is(err, ErrUnsupported) && !errors.As(err, &refusal) {
		t.Fatalf("%s: compile: %v", text, err)
	}
	return nil, reference
}

// compare executes both engines with data and fails if they differ in output, error or panic.
func compareEngines(t *testing.T, text string, fast *Template, reference *template.Template, data any, exact bool) {
	t.Helper()
	if t.Failed() {
		return
	}
	want, wantPanic := by(func(b *bytes.Buffer) error { return reference.Execute(b, data) })
	for range 2 { // with empty and with filled caches
		got, gotPanic := by(func(b *bytes.Buffer) error { return fast.Execute(b, data) })
		if fmt.Sprint(gotPanic) != fmt.Sprint(wantPanic) {
			t.Errorf("%s with %T: panic %v, want %v", text, data, gotPanic, wantPanic)
		}
		if got.output != want.output {
			t.Errorf("%s with %T:\n got %q\nwant %q", text, data, got.output, want.output)
		}
		if (exact && fmt.Sprint(got.err) != fmt.Sprint(want.err)) || reason(got.err) != reason(want.err) {
			t.Errorf("%s with %T:\nerror %v\n want %v", text, data, got.err, want.err)
		}
		if errors.Is(got.err, errCause) != errors.Is(want.err, errCause) {
			t.Errorf("%s with %T: error %v wraps its cause: %t", text, data, got.err, errors.Is(got.err, errCause))
		}
	}
}

// reason is what an error says after its place.
func reason(err error) string {
	text := fmt.Sprint(err)
	_, after, found := strings.Cut(text, ">: ")
	if !found {
		return text
	}
	return after
}

// elsewhere are constructs whose errors name another part of the action than html/template does.
var elsewhere = []string{`{{("x").Foo}}`, `{{(list 1 2).Foo}}`}

// refused are the constructs and contexts that Compile leaves to html/template. Everything else in the
// tables is compiled and compared.
var refused = []string{
	`{{2 | .Add 1}}`, `{{.Name | .Join "+" "a"}}`, `{{.Name | .Join}}`, `{{1 | .Count}}`, // pipes into fields and methods
	`{{.Name | or .Any}}`, `{{call .Fn 1}}`, `{{html .Name}}`, `{{.Name | html}}`, `{{urlquery .Name}}`, `<a href="/?{{.Name | urlquery}}">`,
	`{{link}}`, `{{runes 1 -1 1.5}}`, `{{nil}}`, // wrong arguments
	`{{1i}}`, `{{9999999999999999999}}`, `{{if and .Name ($x := 1)}}{{end}}`, `{{if .Yes}}{{$y := 1}}{{else}}{{$y}}{{end}}`,
	"<script>`{{.}}`</script>", `<script>/{{.}}/</script>`, `<style>"{{.}}"</style>`, `<!-- {{.}} -->`,
}

func TestConstructs(t *testing.T) { compareAll(t, constructs, nodes(), true) }

func TestContexts(t *testing.T) { compareAll(t, contextTemplates, values(), false) }

// compareAll compares the engines on each of texts with each of data; exact is for the texts of errors.
func compareAll(t *testing.T, texts []string, data []any, exact bool) {
	t.Parallel()
	for _, text := range texts {
		t.Run("", func(t *testing.T) {
			fast, reference := engines(t, text)
			if (fast == nil) != slices.Contains(refused, text) {
				t.Errorf("%s: compiled: %t", text, fast != nil)
			}
			if fast == nil {
				return
			}
			for _, d := range data {
				compareEngines(t, text, fast, reference, d, exact && !slices.Contains(elsewhere, text))
			}
		})
	}
}
