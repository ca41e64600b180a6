package page

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/a-h/templ"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
)

// Render appends the page p, with the layout, to b. If it fails, b may have part of the page.
//
// Templates do not depend on the request, so they get a context without one: a page that has been
// read is rendered even if its deadline passes meanwhile.
func Render(b *bytes.Buffer, p Page) error {
	return layout(p.Common(), p).Render(context.Background(), b)
}

// Fragment is a component that was rendered before, for what many pages repeat. The zero value
// renders nothing.
type Fragment struct{ html string }

// Once renders a component to be repeated. Everything in it has been escaped by its template.
func Once(c templ.Component) (Fragment, error) {
	var b bytes.Buffer
	if err := c.Render(context.Background(), &b); err != nil {
		return Fragment{}, fmt.Errorf("render part: %w", err)
	}
	return Fragment{b.String()}, nil
}

// Render implements [templ.Component].
func (r Fragment) Render(_ context.Context, w io.Writer) error {
	_, err := io.WriteString(w, r.html)
	return err
}

// Empty reports whether nothing was rendered.
func (r Fragment) Empty() bool { return r.html == "" }

// When returns text if is holds, "" otherwise. In a sentence it stands for an if statement of templ,
// which would put a space before the text.
func When(is bool, text string) string {
	if is {
		return text
	}
	return ""
}

// Either returns one of two texts, the first if is holds.
func Either(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

// Date formats a date as people write it, "" for none.
func Date(d record.Date) string { return ptbr.Date(d.Time()) }

// Day formats the day of a moment, "" for none.
func Day(at *time.Time) string {
	if at == nil {
		return ""
	}
	return ptbr.Day(*at)
}

// Moment formats a moment, "" for none.
func Moment(at *time.Time) string {
	if at == nil {
		return ""
	}
	return ptbr.Moment(*at)
}
