package web

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"
)

// Upload is a form with a file (multipart/form-data, RFC 7578).
type Upload struct {
	Values url.Values
	File   []byte // nil without one that has something
	Chosen bool   // a file was chosen, though it may be empty
}

const mostParts = 100

// Receive returns middleware that reads the body of a request, up to most bytes, before it takes a slot:
// who sends slowly holds none. What arrives counts against Options.Bodies. A longer body is for the handler
// to refuse. fail gets ErrSlow, ErrForm for a body that was cut short, and the errors of [Event.Hold].
func Receive(most int64, fail func(c *gin.Context, err error)) gin.HandlerFunc {
	return func(c *gin.Context) {
		if c.Request.ContentLength == 0 {
			return
		}
		rest := c.Request.Body
		body, err := io.ReadAll(io.LimitReader(holding(c, rest), most+1))
		if err != nil {
			c.Abort()
			fail(c, receiveError(err))
			return
		}
		c.Request.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(body), rest), rest}
	}
}

// heldBody counts what arrives of a body against Options.Bodies, so that slow ones hold no more than that.
type heldBody struct {
	io.Reader
	event *Event
	read  int
}

func holding(c *gin.Context, body io.Reader) *heldBody {
	return &heldBody{Reader: body, event: EventOf(c.Request.Context())}
}

// Read implements io.Reader. It reserves heldSize bytes at a time.
func (b *heldBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	b.read += n
	if b.read < heldSize {
		return n, err
	}
	return n, cmp.Or(b.event.Hold((b.read/heldSize+1)*heldSize), err)
}

// ReadUpload reads a form with at most one file, up to most bytes in all. What arrives counts against
// Options.Bodies until the request is over. The errors are ErrFormTooLarge, ErrForm, ErrSlow and those of [Event.Hold].
func ReadUpload(c *gin.Context, most int64) (*Upload, error) {
	media, parameters, err := mime.ParseMediaType(c.GetHeader("Content-Type"))
	if err != nil || media != "multipart/form-data" {
		return nil, fmt.Errorf("%w: content type %q", ErrForm, media)
	}
	u := &Upload{Values: url.Values{}}
	parts := multipart.NewReader(http.MaxBytesReader(c.Writer, io.NopCloser(holding(c, c.Request.Body)), most), parameters["boundary"])
	for range mostParts {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return u, nil
		}
		if err == nil {
			err = u.add(part)
		}
		if err != nil {
			return nil, receiveError(err)
		}
	}
	return nil, fmt.Errorf("%w: more than %d parts", ErrForm, mostParts)
}

// add reads a part: a field, or the first file that is not empty.
func (u *Upload) add(part *multipart.Part) error {
	content, err := io.ReadAll(part)
	switch {
	case err != nil:
		return err
	case part.FileName() == "":
		u.Values.Add(part.FormName(), string(content))
		return nil
	case u.File == nil && len(content) > 0:
		u.File = content
	}
	u.Chosen = true
	return nil
}

// receiveError maps an error of reading a body.
func receiveError(err error) error {
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return ErrFormTooLarge
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, ErrSlow) || errors.Is(err, ErrOverload) || errors.As(err, new(*TooManyError)) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrForm, err)
}
