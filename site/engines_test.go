package site

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"testing"

	"razao/internal/testing/fixture"
)

// sameByReference is called with everything that the tests of this package render. It panics, which
// makes a page a 503, if html/template renders anything else.
func sameByReference(output []byte, _, reference func(*bytes.Buffer) error) {
	var want bytes.Buffer
	if err := reference(&want); err != nil {
		panic(fmt.Errorf("html/template fails: %w", err))
	}
	if !bytes.Equal(output, want.Bytes()) {
		panic(fmt.Errorf("html/template renders another page: %s\ninstead of %s", want.Bytes(), output))
	}
}

// TestEveryTemplateCompiles: what package fasttemplate refuses is executed by html/template, which
// takes several times as long and is otherwise not noticed.
func TestEveryTemplateCompiles(t *testing.T) {
	t.Parallel()
	_, s := released.open(t)
	if err := s.pages.Compile(); err != nil {
		t.Error(err)
	}
}

// BenchmarkTemplates executes the templates of pages as they are served, and by html/template.
func BenchmarkTemplates(b *testing.B) {
	h, s := newHandler(b, recorded.Load(b))
	var fast, reference func(*bytes.Buffer) error
	s.pages.Check = func(_ []byte, f, r func(*bytes.Buffer) error) { fast, reference = f, r }
	for _, page := range []struct{ name, target string }{
		{"company", "/" + full(b, fixture.Bakery)}, {"search", "/busca?q=estrela"}, {"home", "/"},
	} {
		if w := get(b, h, page.target, "Accept", browser); w.Code != http.StatusOK {
			b.Fatalf("%s: status %d", page.target, w.Code)
		}
		b.Run(page.name+"/compiled", func(b *testing.B) { benchmarkTemplate(b, fast) })
		b.Run(page.name+"/html", func(b *testing.B) { benchmarkTemplate(b, reference) })
	}
}

func benchmarkTemplate(b *testing.B, execute func(*bytes.Buffer) error) {
	b.ReportAllocs()
	var body bytes.Buffer
	for b.Loop() {
		body.Reset()
		if err := execute(&body); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStart parses and compiles all templates; most are compiled when they are first executed.
func BenchmarkStart(b *testing.B) {
	load := fixture.Shared(b)
	for _, compile := range []bool{false, true} {
		b.Run(fmt.Sprintf("compile=%t", compile), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s, err := New(Config{Live: load.Live, Ping: func(context.Context) error { return nil }, BaseURL: "https://razao.exemplo"})
				if err != nil {
					b.Fatal(err)
				}
				if compile {
					if err := s.pages.Compile(); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
