package page

import (
	"errors"
	"io"
	"io/fs"
	"testing"
	"testing/fstest"
)

// named is a page for tests, by the name of its template.
type named struct {
	Frame
	name string
}

func (p *named) Template() string { return p.name }

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
	if err := s.Render(io.Discard, &named{name: "absent"}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a page without a template is rendered with %v", err)
	}
}
