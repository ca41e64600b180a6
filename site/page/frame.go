package page

import "github.com/a-h/templ"

// Page is a page without the layout. A page struct embeds [Frame] and has a template, its method
// Content in the .templ file beside it.
type Page interface {
	Content() templ.Component // within <main>
	Head() templ.Component    // links in <head>; Frame has none
	Common() *Frame           // implemented by Frame
}

// Frame holds what the layout needs: head, header and footer. Handlers set the fields up to
// SearchInContent; the server sets the others when it sends the page.
type Frame struct {
	Title           string          // <title>; the layout appends the product name
	Description     string          // meta description
	Canonical       string          // path; made absolute on sending; "" for pages without a canonical URL
	NoIndex         bool            // also forced for invented data and for statuses other than 200
	Crumbs          []Crumb         // the way here from the home page; nil: the page has none, or draws its own
	Script          templ.Component // a [Script] that only some pages need; nil for none
	Query           string          // value of the search box
	FormFields      []Parameter     // hidden fields of the search form
	SearchInContent bool            // the search box is in the content, not in the header
	Wide            bool            // a list stands beside its filters: the page is wider

	Month     string // AAAA-MM of the Receita load; "" without a snapshot
	Synthetic bool   // the companies are invented
	Gap       string // files that the load lacks, whose companies may be missing anywhere; "" for none
	Entrance  string // /login or /conta; "" if nobody can sign in or the session could not be read
}

// Common implements [Page] for structs that embed a Frame.
func (f *Frame) Common() *Frame { return f }

// Head implements [Page] for pages that add nothing to the head.
func (f *Frame) Head() templ.Component { return templ.NopComponent }

// Parameter is a hidden form field.
type Parameter struct{ Name, Value string }

// Crumb is an item of the breadcrumb navigation.
type Crumb struct {
	Text string
	URL  string // "" for the current page
}

// Trail returns breadcrumbs from the home page to the current page. steps are name and URL of each
// page in between, then the name of the current page: Trail("API", "/api", "v1").
func Trail(steps ...string) []Crumb {
	way := []Crumb{{"Início", "/"}}
	for i := 0; i+1 < len(steps); i += 2 {
		way = append(way, Crumb{steps[i], steps[i+1]})
	}
	return append(way, Crumb{Text: steps[len(steps)-1]})
}
