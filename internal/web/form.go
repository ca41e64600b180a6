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
	// ErrCrossOrigin means that a form was sent by a page of another site.
	ErrCrossOrigin = errors.New("request from another site")
	// ErrFormTooLarge means that a form is larger than any of ours.
	ErrFormTooLarge = errors.New("form too large")
	// ErrForm means that the body of a request is not a form.
	ErrForm = errors.New("not a form")
)

const maxForm = 16 << 10 // bytes

// SameOrigin lets fail answer, with ErrCrossOrigin, requests that change something and that a browser says were sent by a page
// of another site. baseURL is the public address, for a proxy that does not pass on the name it was called by.
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
		if err := protection.Check(c.Request); err != nil {
			c.Abort()
			fail(c, fmt.Errorf("%w: %w", ErrCrossOrigin, err))
		}
	}, nil
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
