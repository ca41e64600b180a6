package page

import (
	"net/url"
	"testing"
)

func TestPager(t *testing.T) {
	t.Parallel()
	address := &url.URL{Path: "/x", RawQuery: "a=1&p=2"}
	cases := []struct {
		name                  string
		page                  int
		total                 int64
		from, to              int64
		previous, next, first string
		beyond                bool
	}{
		{"nothing", 1, 0, 1, 0, "", "", "/x?a=1#l", false},
		{"one page", 1, 10, 1, 10, "", "", "/x?a=1#l", false},
		{"first of two", 1, 11, 1, 10, "", "/x?a=1&p=2#l", "/x?a=1#l", false},
		{"last of two", 2, 11, 11, 11, "/x?a=1#l", "", "/x?a=1#l", false},
		{"middle", 2, 30, 11, 20, "/x?a=1#l", "/x?a=1&p=3#l", "/x?a=1#l", false},
		{"beyond", 4, 30, 31, 30, "", "", "/x?a=1#l", true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := NewPager("L", address, "p", "l", c.page, 10, c.total)
			if p.From != c.from || p.To != c.to || p.Previous != c.previous || p.Next != c.next || p.First != c.first || p.Beyond != c.beyond {
				t.Errorf("got %+v", p)
			}
		})
	}
}
