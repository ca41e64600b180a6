package page

import (
	"testing"
)

func TestPrefersHTML(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]bool{
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": true,
		"text/html": true,
		"TEXT/HTML; q=0.9, application/json;q=0.5": true,
		"":                                  false,
		"*/*":                               false,
		"application/json":                  false,
		"application/json, text/html;q=0.5": false,
		"text/html;q=0":                     false,
		"image/png":                         false,
	} {
		if got := prefersHTML(accept); got != want {
			t.Errorf("prefersHTML(%q) = %t", accept, got)
		}
	}
}
