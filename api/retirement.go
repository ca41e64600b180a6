package api

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
)

// Retirement says from when a version of the API is deprecated (RFC 9745) and when it ends (RFC 8594). The zero value says nothing;
// without an end, none is decided.
type Retirement struct{ Deprecated, Sunset time.Time }

// ParseRetirement reads days (UTC): "" for none, 2027-01-31, or 2027-01-31/2028-01-31 with an end, which comes after it.
func ParseRetirement(text string) (r Retirement, err error) {
	if text == "" {
		return r, nil
	}
	from, to, ends := strings.Cut(text, "/")
	if r.Deprecated, err = time.Parse(time.DateOnly, from); err == nil && ends {
		r.Sunset, err = time.Parse(time.DateOnly, to)
	}
	if err != nil || ends && !r.Sunset.After(r.Deprecated) {
		return Retirement{}, fmt.Errorf("%q is neither a day, such as 2027-01-31, nor two, such as 2027-01-31/2028-01-31", text)
	}
	return r, nil
}

// announced reports whether there is something to say.
func (r Retirement) announced() bool { return !r.Deprecated.IsZero() }

// announce tells it to clients, with what the documentation says of it (RFC 9745 §3).
func (r Retirement) announce(c *gin.Context) {
	if !r.announced() {
		return
	}
	c.Header("Deprecation", fmt.Sprintf("@%d", r.Deprecated.Unix()))
	if !r.Sunset.IsZero() {
		c.Header("Sunset", r.Sunset.UTC().Format(http.TimeFormat))
	}
	c.Header("Link", `</api/v1>; rel="deprecation"; type="text/html"`)
}

// retirementHeaders are those of announce.
func retirementHeaders() []string { return []string{"Deprecation", "Sunset", "Link"} }
