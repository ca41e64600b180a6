package page

import (
	"bytes"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"razao/site/fasttemplate"
)

// named is a page for tests, by the name of its template.
type named struct {
	Frame
	name string
}

func (p *named) Template() string { return p.name }

// TestTemplatesThatAreNotCompiled: html/template executes what package fasttemplate refuses, and
// Compile names it.
func TestTemplatesThatAreNotCompiled(t *testing.T) {
	t.Parallel()
	s, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Compile(); err != nil {
		t.Errorf("the error page: %v", err)
	}
	files := fstest.MapFS{"odd.html": {Data: []byte(`{{define "content"}}{{html "<odd>"}}{{end}}`)}, "open.html": {Data: []byte(`{{define "content"}}<p title="{{end}}`)}}
	if err := s.Parse([]string{"odd"}, files); err != nil {
		t.Fatal(err)
	}
	if err := s.Compile(); !errors.Is(err, fasttemplate.ErrUnsupported) || !strings.Contains(err.Error(), "odd.html:1:") {
		t.Errorf("compiled with %v", err)
	}
	var b bytes.Buffer
	if err := s.Render(&b, &named{name: "odd"}); err != nil || !strings.Contains(b.String(), "&lt;odd&gt;") {
		t.Errorf("error %v, page %s", err, &b)
	}
	if err := s.Parse([]string{"open"}, files); err != nil {
		t.Fatal(err)
	}
	if err := s.Render(&b, &named{name: "open"}); err == nil {
		t.Error("a page that cannot be escaped is rendered")
	}
}

func TestTemplatesThatAreMissing(t *testing.T) {
	t.Parallel()
	s, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{"empty.html": {Data: []byte("nothing is defined here")}, "broken.html": {Data: []byte(`{{define "content"}}{{.`)}}
	for _, name := range []string{"absent", "empty"} {
		if err := s.Parse([]string{name}, files); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the page %s is parsed with %v", name, err)
		}
	}
	if err := s.Parse([]string{"broken"}, files); err == nil {
		t.Error("a broken template is parsed")
	}
	if err := s.Render(new(bytes.Buffer), &named{name: "absent"}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a page without a template is rendered with %v", err)
	}
}
