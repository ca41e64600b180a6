package web

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"
)

var (
	// ErrCrossOrigin means that a form was sent by a page of another site, or that nothing says by whose.
	ErrCrossOrigin = errors.New("request from another site")
	// ErrFormTooLarge means that a form is larger than any of ours.
	ErrFormTooLarge = errors.New("form too large")
	// ErrForm means that the body of a request is not a form.
	ErrForm = errors.New("not a form")
)

const maxForm = 16 << 10 // bytes

// SameOrigin lets fail answer, with ErrCrossOrigin, requests that change something unless a browser says that a page of this
// site sent them, or nobody's. Every browser of this decade says one or the other; a text browser names the page itself. baseURL
// is the public address, for a proxy that does not pass on the name it was called by.
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
			err = errors.New("it does not say where it comes from")
		}
		if err != nil {
			c.Abort()
			fail(c, fmt.Errorf("%w: %w", ErrCrossOrigin, err))
		}
	}, nil
}

// isSilent reports whether r changes something and says nothing of the page that sent it, which the protection of the standard
// library lets pass.
func isSilent(r *http.Request) bool {
	safe := r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions
	return !safe && r.Header.Get("Sec-Fetch-Site") == "" && r.Header.Get("Origin") == ""
}

// isReferred reports whether r names a page of this site as the one that it comes from.
func isReferred(r *http.Request, host string) bool {
	from, err := url.Parse(r.Referer())
	return err == nil && from.Host != "" && (from.Host == host || from.Host == r.Host)
}

// Form reads the form of a request, so that c.PostForm finds it, and lets fail answer, with ErrFormTooLarge or ErrForm, one that
// cannot be read.
func Form(fail func(c *gin.Context, err error)) gin.HandlerFunc {
	return func(c *gin.Context) {
		c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, maxForm)
		if err := readForm(c.Request); err != nil {
			c.Abort()
			fail(c, err)
		}
	}
}

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
