package page

import (
	"net/url"
	"strconv"
)

// Pager is the pagination of a list.
type Pager struct {
	Label    string // accessible name of the navigation
	Page     int    // from 1
	Pages    int    // 0 for an empty list
	From, To int64  // positions of the first and last item on the page, from 1
	Total    int64
	Floor    bool   // Total is a lower bound; items beyond it are not reachable
	Beyond   bool   // Page is past the last page
	First    string // URL of the first page
	Previous string // "" on the first page
	Next     string // "" on the last page
	Last     string // URL of the last page
	Ends     bool   // also show links to the first and last page
}

// NewPager returns the pager of a list whose page number is the query parameter name of address.
// The first page has no such parameter, so it has only one URL. anchor becomes the fragment of the
// links.
func NewPager(label string, address *url.URL, name, anchor string, page, perPage int, total int64) Pager {
	return PagerOf(label, page, perPage, total, func(number int) string {
		query := address.Query()
		query.Set(name, strconv.Itoa(number))
		if number == 1 {
			query.Del(name)
		}
		return (&url.URL{Path: address.Path, RawQuery: query.Encode(), Fragment: anchor}).String()
	})
}

// PagerOf returns the pager of a list of total items; link returns the URL of a page.
func PagerOf(label string, page, perPage int, total int64, link func(number int) string) Pager {
	p := Pager{Label: label, Page: page, Total: total, Pages: int((total + int64(perPage) - 1) / int64(perPage))}
	p.From = int64(page-1)*int64(perPage) + 1
	p.To = min(int64(page)*int64(perPage), total)
	p.Beyond = page > 1 && page > p.Pages
	p.First, p.Last = link(1), link(max(p.Pages, 1))
	if page > 1 && !p.Beyond {
		p.Previous = link(page - 1)
	}
	if page < p.Pages {
		p.Next = link(page + 1)
	}
	return p
}
