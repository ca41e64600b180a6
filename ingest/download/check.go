package download

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"

	"razao/internal/web/fetch"
)

// check inspects a part that has arrived in full. A good one is marked whole in the manifest, a bad
// one deleted; a local error leaves it for the next run.
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

// inspect returns why a part cannot be the file that its name promises: empty, an HTML page, or a
// damaged zip.
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
