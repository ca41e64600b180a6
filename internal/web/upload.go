package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"time"

	"github.com/gin-gonic/gin"
)

// Upload is a form with a file (multipart/form-data, RFC 7578).
type Upload struct {
	Values url.Values
	File   []byte // nil without one
}

const (
	mostParts  = 100
	uploadTime = time.Minute // to send an upload, which takes longer than other requests
)

// ReadUpload reads a form with at most one file, up to most bytes in all, which count against
// Options.Bodies until the request is over. The errors are ErrFormTooLarge, ErrForm and ErrOverload.
func ReadUpload(c *gin.Context, most int64) (*Upload, error) {
	if err := EventOf(c.Request.Context()).Hold(int(most)); err != nil {
		return nil, err
	}
	// It fails only where the connection has no deadlines, as in tests.
	_ = http.NewResponseController(c.Writer).SetReadDeadline(time.Now().Add(uploadTime))
	media, parameters, err := mime.ParseMediaType(c.GetHeader("Content-Type"))
	if err != nil || media != "multipart/form-data" {
		return nil, fmt.Errorf("%w: content type %q", ErrForm, media)
	}
	u := &Upload{Values: url.Values{}}
	parts := multipart.NewReader(http.MaxBytesReader(c.Writer, c.Request.Body, most), parameters["boundary"])
	for range mostParts {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return u, nil
		}
		if err == nil {
			err = u.add(part)
		}
		if err != nil {
			return nil, uploadError(err)
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
	case u.File == nil && len(content) > 0:
		u.File = content
	}
	return nil
}

// uploadError maps an error of reading an upload.
func uploadError(err error) error {
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return ErrFormTooLarge
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrForm, err)
}
