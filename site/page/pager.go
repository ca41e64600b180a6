package page

import (
	"net/url"
	"strconv"
)

// Pager leads through the pages of a list.
type Pager struct {
	Label    string // what is paged, for the navigation's name
	Page     int
	Pages    int
	From, To int64 // positions of the first and the last item shown, from 1
	Total    int64
	Floor    bool   // the list has more than Total items, which cannot be reached
	Beyond   bool   // the list has no such page
	First    string // address of the first page
	Previous string // "" on the first page
	Next     string // "" on the last page
	Last     string // address of the last page
	Ends     bool   // offer the first and the last page, too
}

// NewPager returns the pager of a list of total items, whose page number stands in the parameter name of the address.
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

// PagerOf returns the pager of a list of total items, whose pages have the addresses that link returns.
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
