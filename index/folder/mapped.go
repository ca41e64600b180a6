package folder

import (
	"fmt"
	"os"
	"path/filepath"

	mmap "github.com/blevesearch/mmap-go"
	"golang.org/x/sys/unix"
)

// Mapped is a file mapped read-only into memory. The zero value is an empty file.
type Mapped struct{ data mmap.MMap }

// Bytes returns the content, nil for an empty file. It must not be written to, nor touched after
// Close: that faults.
func (m *Mapped) Bytes() []byte { return m.data }

// AnySize tells Map not to check the size, for files whose content says how long they must be.
const AnySize = -1

// Map maps the file name of dir, which must have exactly size bytes or any with AnySize. A missing
// file or another size is ErrDamaged.
func Map(dir, name string, size int64) (Mapped, error) {
	file, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return Mapped{}, fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return Mapped{}, err
	}
	if size != AnySize && info.Size() != size {
		return Mapped{}, fmt.Errorf("%w (%s has %d bytes instead of %d)", ErrDamaged, name, info.Size(), size)
	}
	if info.Size() == 0 {
		return Mapped{}, nil
	}
	data, err := mmap.Map(file, mmap.RDONLY, 0)
	return Mapped{data}, err
}

// Close unmaps the file. Nobody may be reading Bytes. Closing the zero value does nothing.
func (m *Mapped) Close() error {
	if m.data == nil {
		return nil
	}
	return m.data.Unmap()
}

// ReleasePages gives the memory of a mapped file back, which the system would otherwise keep for the
// process until it is short of memory. data must be a whole read-only mapping. Failure costs memory
// only, so there is no error.
func ReleasePages(data []byte) { _ = unix.Madvise(data, unix.MADV_DONTNEED) }
