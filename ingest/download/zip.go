package download

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/zip"
)

// Bounds of a zip, far above real ones.
const (
	mostMembers   = 10_000
	mostDirectory = 16 << 20  // bytes of the names and notes of all members, which a reader keeps in memory
	mostRatio     = 50        // unpacked bytes for each byte of the archive,
	freely        = 256 << 20 // beyond these, which unpack in a second
	mostUnpacked  = 128 << 30 // bytes, whatever the archive's size
)

// ErrBomb is wrapped by the error for an archive that would take far more time or memory to unpack
// than real ones (zip bomb).
var ErrBomb = errors.New("refused as an archive that nobody publishes")

// MostUnpacked returns how many bytes may come of an archive of this size.
func MostUnpacked(size int64) int64 { return freely + mostRatio*min(size, mostUnpacked/mostRatio) }

// Unpacked returns a reader of what is unpacked from an archive of this size, which fails with [ErrBomb]
// beyond [MostUnpacked].
func Unpacked(r io.Reader, size int64) io.Reader { return &cappedReader{r, MostUnpacked(size)} }

type cappedReader struct {
	r    io.Reader
	left int64
}

// Read implements io.Reader.
func (u *cappedReader) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	if u.left -= int64(n); u.left < 0 {
		return 0, fmt.Errorf("%w: it unpacks to far more than its size", ErrBomb)
	}
	return n, err
}

// OpenZip reads the directory of a zip. An archive with more members, or more bytes in them, than any
// that is published, or with members that share data (overlapping files), is [ErrBomb], before a byte
// is unpacked. What members unpack to is bounded then, because their reader stops at the size in the
// directory.
func OpenZip(r io.ReaderAt, size int64) (*zip.Reader, error) {
	members, kept := 0, 0
	archive, err := zip.NewReaderWithOptions(r, size, zip.ReaderOptions{NameDecoder: func(h *zip.FileHeader) error {
		// It is called while the directory is being read: the reader keeps all of it.
		members, kept = members+1, kept+len(h.Name)+len(h.Extra)+len(h.Comment)
		switch {
		case members > mostMembers:
			return fmt.Errorf("%w: it has more than %d members", ErrBomb, mostMembers)
		case kept > mostDirectory:
			return fmt.Errorf("%w: its directory has more than %d bytes", ErrBomb, mostDirectory)
		}
		return nil
	}})
	if err != nil {
		return nil, err
	}
	var unpacked uint64
	for _, m := range archive.File {
		if unpacked += min(m.UncompressedSize64, mostUnpacked); unpacked > uint64(MostUnpacked(size)) {
			return nil, fmt.Errorf("%w: its %d bytes unpack to more than %d", ErrBomb, size, MostUnpacked(size))
		}
	}
	return archive, disjoint(archive.File)
}

// disjoint returns an ErrBomb if two members share data.
func disjoint(members []*zip.File) error {
	type span struct{ from, to uint64 }
	spans := make([]span, len(members))
	for i, m := range members {
		from, err := m.DataOffset()
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		spans[i] = span{uint64(from), uint64(from) + min(m.CompressedSize64, maxBytes)}
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	for i := 1; i < len(spans); i++ {
		if spans[i].from < spans[i-1].to {
			return fmt.Errorf("%w: its members share data", ErrBomb)
		}
	}
	return nil
}
