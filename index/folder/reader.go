package folder

import (
	"encoding/binary"
	"io"
)

// Reader decodes the numbers of a side table from memory. The first error sticks in Err, and everything
// read after it is 0, so callers check once for each entry.
type Reader struct {
	Rest []byte // not read yet
	Err  error
}

// Fail keeps the first error and ends the input.
func (r *Reader) Fail(err error) {
	if r.Err == nil {
		r.Err, r.Rest = err, nil
	}
}

// Bytes reads n bytes; nil when there are fewer.
func (r *Reader) Bytes(n int) []byte {
	if n > len(r.Rest) {
		r.Fail(io.ErrUnexpectedEOF)
		return nil
	}
	b := r.Rest[:n]
	r.Rest = r.Rest[n:]
	return b
}

// Uint32 reads four bytes, little endian.
func (r *Reader) Uint32() uint32 {
	if b := r.Bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// Uvarint reads an unsigned varint (LEB128).
func (r *Reader) Uvarint() uint64 {
	n, size := binary.Uvarint(r.Rest)
	return skipped(r, n, size)
}

// Varint reads a signed varint.
func (r *Reader) Varint() int64 {
	n, size := binary.Varint(r.Rest)
	return skipped(r, n, size)
}

// skipped moves past a varint of size bytes and returns its number.
func skipped[T uint64 | int64](r *Reader, n T, size int) T {
	if size <= 0 {
		r.Fail(io.ErrUnexpectedEOF)
		return 0
	}
	r.Rest = r.Rest[size:]
	return n
}
