package folder

import (
	"fmt"
	"os"
	"path/filepath"

	mmap "github.com/blevesearch/mmap-go"
)

// Mapped is a read-only file, mapped into memory. The zero value is an empty one.
type Mapped struct{ data mmap.MMap }

// Bytes returns the content; reading it after Close crashes the process.
func (m *Mapped) Bytes() []byte { return m.data }

// AnySize is the size of a file whose content tells how long it has to be.
const AnySize = -1

// Map maps a file of dir that must have so many bytes; the error of one that is missing or has another size is ErrDamaged.
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

// Close unmaps the file.
func (m *Mapped) Close() error {
	if m.data == nil {
		return nil
	}
	return m.data.Unmap()
}
