package page

// Page is what a template is executed with: a struct that embeds Frame.
type Page interface {
	Template() string // file name without extension
	Common() *Frame
}

// Frame is what every page has around its content.
type Frame struct {
	Title           string // of the window; the product's name is added
	Description     string
	Canonical       string // path, made absolute when the page is sent; "" for pages without an address of their own
	NoIndex         bool
	Query           string      // stands in the search box
	Kept            []Parameter // sent along with it
	SearchInContent bool        // the search box is not in the header

	Month     string // AAAA-MM of the companies; "" when nothing is served
	Synthetic bool   // the companies are invented
	Entrance  string // where people sign in, or see their account when they have; "" when nobody can, or nobody could look
}

// Common returns the frame itself: it makes a page of what embeds a Frame.
func (f *Frame) Common() *Frame { return f }

// Parameter is a hidden field of a form.
type Parameter struct{ Name, Value string }

// Crumb is a step of the way to a page.
type Crumb struct {
	Text string
	URL  string // "" for the page itself
}

// Trail returns the way from the first page to a page: the names and addresses of the pages between, in turn, and the name
// of the page itself.
func Trail(steps ...string) []Crumb {
	way := []Crumb{{"Início", "/"}}
	for i := 0; i+1 < len(steps); i += 2 {
		way = append(way, Crumb{steps[i], steps[i+1]})
	}
	return append(way, Crumb{Text: steps[len(steps)-1]})
}
