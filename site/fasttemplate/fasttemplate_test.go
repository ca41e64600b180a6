package fasttemplate

import (
	"bytes"
	"errors"
	"html/template"
	"strings"
	"sync"
	"testing"
)

func TestRefusals(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{{html .}}":               `escapers ""`,
		"<!-- {{.}} --><p {{.}}":   "",
		"<script>/{{.}}/</script>": `escapers "jsregexpescaper"`,
		"{{call .}}":               "unknown function",
		"{{upper}}":                "wrong number of args for upper: want 1 got 0",
		"{{upper 1}}":              "expected string; found 1",
		"{{1 | .Name}}":            "piped into something that is no function",
		"{{if ($x := 1)}}{{end}}":  "declaration in parentheses",
		"{{if .}}{{$y := 1}}{{else}}{{$y}}{{end}}": "undefined variable",
		`<p title="{{template "text" .}}">`:        "called outside of text",
		"{{call .}}{{html .}}":                     "unknown function",
	} {
		_, err := Compile(parsed(t, text), "entry", testFunctions)
		if want == "" {
			var refused *template.Error
			if errors.Is(err, ErrUnsupported) || !errors.As(err, &refused) {
				t.Errorf("%s: error %v is not html/template's", text, err)
			}
		} else if !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v does not say %q", text, err, want)
		}
	}
	_, err := Compile(parsed(t, "{{call .}}{{upper}}"), "entry", testFunctions)
	if err == nil || strings.Count(err.Error(), "\n") != 1 || !strings.Contains(err.Error(), "entry:1:") {
		t.Errorf("two reasons, each with its line: %v", err)
	}
	if _, err := Compile(parsed(t, "x"), "absent", nil); err == nil || errors.Is(err, ErrUnsupported) {
		t.Errorf("an absent template: %v", err)
	}
}

// TestCompileCallsNothing: compiling escapes, and executes nothing of, the set.
func TestCompileCallsNothing(t *testing.T) {
	t.Parallel()
	calls := 0
	functions := template.FuncMap{"count": func() int { calls++; return calls }}
	compiled, err := Compile(template.Must(template.New("entry").Funcs(functions).Parse(`{{count}}`)), "entry", functions)
	if err != nil || calls != 0 {
		t.Fatalf("%d calls, %v", calls, err)
	}
	var b bytes.Buffer
	b.WriteString("before ")
	if err := compiled.Execute(&b, nil); err != nil || b.String() != "before 1" {
		t.Errorf("output %q, %v", &b, err)
	}
}

// TestConcurrentExecutions fills the same inline caches from many goroutines, with more types than
// they keep. The race detector watches.
func TestConcurrentExecutions(t *testing.T) {
	t.Parallel()
	const text = `{{.Name}}{{with .Next}}{{.Name}}{{end}}{{range .List}}{{.Name}}{{len .Names}}{{end}}{{printf "%v" .Name}}`
	fast, reference := engines(t, text)
	type (
		a struct{ Name, Next, List any }
		b struct{ List, Next, Name any }
		c struct{ Next, List, Name any }
	)
	data := nodes()[:4]
	for i := range 2 * maxTypes {
		data = append(data, []any{a{Name: i}, &a{Name: i}, b{Name: i}, &b{Name: "<"}, c{Name: i}, &c{Name: 1.5}, map[string]any{"Name": i}, map[any]any{"Name": "&"}}[i%8])
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				for _, d := range data {
					compareEngines(t, text, fast, reference, d, true)
				}
			}
		})
	}
	wg.Wait()
}

func TestTemplatesThatCallThemselves(t *testing.T) {
	t.Parallel()
	const text = `{{define "countdown"}}{{.Count}}{{with .Next}}{{$x := .Count}}{{template "countdown" .}}{{$x}}{{end}}{{end}}{{template "countdown" .}}`
	fast, reference := engines(t, text)
	chain := &node{}
	for i := range 500 {
		chain = &node{Count: i, Next: chain}
	}
	compareEngines(t, text, fast, reference, chain, true)

	endless, _ := engines(t, `{{define "endless"}}{{template "endless" .}}{{end}}{{template "endless" .}}`)
	if err := endless.Execute(new(bytes.Buffer), nil); err == nil || !strings.Contains(err.Error(), "exceeded maximum template depth (100000)") {
		t.Errorf("endless recursion: %v", err)
	}
}

// FuzzText compares the engines on arbitrary text in every context.
func FuzzText(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	type pair struct {
		text      string
		fast      *Template
		reference *template.Template
	}
	var pairs []pair
	for _, text := range contextTemplates {
		if fast, reference := engines(f, text); fast != nil {
			pairs = append(pairs, pair{text, fast, reference})
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range pairs {
			for _, data := range []any{text, title(text), template.HTML(text), template.URL(text), worded{text}, []string{text}} {
				compareEngines(t, p.text, p.fast, p.reference, data, false)
			}
		}
	})
}

// FuzzTemplates compares the engines on arbitrary templates that html/template accepts.
func FuzzTemplates(f *testing.F) {
	for _, text := range constructs {
		f.Add(text, "<text>")
	}
	for _, text := range contextTemplates {
		f.Add(text, `"text`)
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		if strings.Contains(text, "range") && strings.ContainsAny(text, "0123456789") {
			t.Skip("may take long")
		}
		reference, err := template.New("entry").Funcs(testFunctions).Parse(inners + text)
		if err != nil {
			t.Skip()
		}
		fast, _ := Compile(parsed(t, text), "entry", testFunctions)
		if fast == nil {
			t.Skip()
		}
		compareEngines(t, text, fast, reference, &node{Name: name, Names: []string{name, "b"}, Any: name, Next: &node{Name: name}}, false)
	})
}
