package download

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strings"

	"github.com/klauspost/compress/zip"

	"razao/ingest/fetch"
)

// errDamaged says that a file has arrived, but not as it should be.
var errDamaged = errors.New("it is not a whole zip file")

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
	if err := readZip(ctx, r, f.held(p)); err != nil {
		var local *fs.PathError
		if ctx.Err() != nil || errors.As(err, &local) {
			return err
		}
		return &fetch.Trouble{Err: fmt.Errorf("%w (%w)", errDamaged, err), Again: true}
	}
	return nil
}

// readZip reads all members of a zip to their ends, so that their checksums are compared.
func readZip(ctx context.Context, r io.ReaderAt, size int64) error {
	archive, err := zip.NewReader(r, size)
	if err != nil {
		return err
	}
	if len(archive.File) == 0 {
		return errors.New("it has no members")
	}
	for _, member := range archive.File {
		if err := readMember(ctx, member); err != nil {
			return fmt.Errorf("%s: %w", member.Name, err)
		}
	}
	return nil
}

func readMember(ctx context.Context, member *zip.File) error {
	m, err := member.Open()
	if err != nil {
		return err
	}
	defer func() { _ = m.Close() }()
	_, err = io.Copy(io.Discard, fetch.Reader(ctx, m))
	return err
}
