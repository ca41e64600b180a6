package download

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"

	"razao/ingest/fetch"
)

// check reads a part that has arrived and notes that it is whole, or throws it away.
func (f *folder) check(ctx context.Context, p place) error {
	if err := f.inspect(ctx, p); err != nil {
		if errors.As(err, new(*fetch.Trouble)) {
			return errors.Join(err, f.drop(p.name))
		}
		return err
	}
	part := f.Parts[p.name]
	part.Whole, part.Bytes = true, f.held(p)
	return f.save()
}

// inspect refuses what is no file of the kind that its name says.
func (f *folder) inspect(ctx context.Context, p place) error {
	r, err := os.Open(f.part(p.name))
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	head := make([]byte, 512)
	n, err := io.ReadFull(r, head)
	switch {
	case err == io.EOF:
		return &fetch.Trouble{Err: errors.New("the server sent an empty file"), Again: true}
	case err != nil && err != io.ErrUnexpectedEOF:
		return err
	case strings.HasPrefix(http.DetectContentType(head[:n]), "text/html"):
		return pageError(p.address)
	case !strings.HasSuffix(p.name, ".zip"):
		return nil
	}
	return fetch.CheckZip(ctx, r, f.held(p))
}
