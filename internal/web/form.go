package web

import (
	"crypto/rand"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"
)

var (
	// ErrCrossOrigin means that an unsafe request comes from another origin, or does not say from which (CSRF).
	ErrCrossOrigin = errors.New("cross-origin request")
	// ErrFormTooLarge means that a form exceeds its limit.
	ErrFormTooLarge = errors.New("form too large")
	// ErrForm means that a body is not application/x-www-form-urlencoded, or is malformed.
	ErrForm = errors.New("malformed form")
)

const maxForm = 16 << 10 // bytes

// SameOrigin protects against CSRF: it lets fail respond, with ErrCrossOrigin, to unsafe requests whose Sec-Fetch-Site or
// Origin is not this site's. net/http passes requests with neither header, since they come from programs; here such a request
// needs a Referer of this site, which text browsers send. baseURL is the public address, for proxies that rewrite Host; the
// error is that it is not a URL.
func SameOrigin(baseURL string, fail func(c *gin.Context, err error)) (gin.HandlerFunc, error) {
	u, err := url.Parse(baseURL)
	if err != nil {
		return nil, fmt.Errorf("public address: %w", err)
	}
	protection := http.NewCrossOriginProtection()
	if err := protection.AddTrustedOrigin(u.Scheme + "://" + u.Host); err != nil {
		return nil, fmt.Errorf("public address: %w", err)
	}
	return func(c *gin.Context) {
		err := protection.Check(c.Request)
		if err == nil && isSilent(c.Request) && !isReferred(c.Request, u.Host) {
			err = errors.New("no Sec-Fetch-Site, Origin or Referer")
		}
		if err != nil {
			c.Abort()
			fail(c, fmt.Errorf("%w: %w", ErrCrossOrigin, err))
		}
	}, nil
}

// isSilent reports whether r is an unsafe request without Sec-Fetch-Site and Origin, which http.CrossOriginProtection passes.
func isSilent(r *http.Request) bool {
	safe := r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions
	return !safe && r.Header.Get("Sec-Fetch-Site") == "" && r.Header.Get("Origin") == ""
}

// isReferred reports whether the Referer of r is a page of this site.
func isReferred(r *http.Request, host string) bool {
	from, err := url.Parse(r.Referer())
	return err == nil && from.Host != "" && (from.Host == host || from.Host == r.Host)
}

// FormID is the name of the field with the id of a form (NewForm).
const FormID = "formulario"

// NewForm returns the id of a form that creates something, new each time the form is shown. What the form creates is derived from
// the id or stored with it, so a form that is sent twice, as by a double click, creates it once.
func NewForm() string { return rand.Text() }

// Form parses the form of a request, up to 16 KB, for c.PostForm, and lets fail respond, with
// ErrFormTooLarge or ErrForm, if it cannot.
func Form(fail func(c *gin.Context, err error)) gin.HandlerFunc {
	return func(c *gin.Context) {
		c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, maxForm)
		if err := readForm(c.Request); err != nil {
			c.Abort()
			fail(c, err)
		}
	}
}

// readForm parses r.PostForm. The errors are ErrFormTooLarge and ErrForm.
func readForm(r *http.Request) error {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if r.ContentLength != 0 && (err != nil || media != "application/x-www-form-urlencoded") {
		return fmt.Errorf("%w: content type %q", ErrForm, media)
	}
	err = r.ParseForm()
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return ErrFormTooLarge
	case err != nil:
		return fmt.Errorf("%w: %w", ErrForm, err)
	}
	return nil
}
