// Package rowfile keeps the packed rows of a load in one file, sorted by key, so that a look-up is
// one read of the page cache instead of a round trip to PostgreSQL, and goes on while PostgreSQL is
// down. It knows keys and bytes; package pack knows what is in a row.
//
//	file    magic "razao rows 1\n"; blocks; index; trailer
//	block   CRC-32C of the rest, 4 bytes; rows
//	row     root, less that of the row before in the block; seq, zigzag; length of doc; doc
//	index   for each block the key of its first row and the offset of its end, 8 bytes each
//	trailer number of blocks, 8 bytes; CRC-32C of index and number, 4 bytes
//
// Numbers in rows are varints, all others little-endian. A block is closed by the row that fills
// BlockBytes, so one with a larger row is larger. The index, 16 bytes for some 8 KB, is in memory
// (SSTable without levels: the file is written once, in order, and never changed).
//
// Reading uses pread and not a mapping: a file that is cut or unlinked under a reader is an error
// and not a fault, and a reader that comes after Close gets an error, too. Every block is checked
// before it is parsed.
package rowfile

import (
	"errors"
	"fmt"
	"hash/crc32"

	"razao/internal/data/cnpj"
)

// Name is the name of the file in an index folder.
const Name = "records"

// BlockBytes is the size of rows from which a block is closed. Smaller blocks are cheaper to read
// and check, larger ones need less memory for their index.
const BlockBytes = 8 << 10

const (
	magic        = "razao rows 1\n"
	sumBytes     = 4
	entryBytes   = 16
	trailerBytes = 8 + sumBytes
)

// ErrDamaged means that the file is cut or altered.
var ErrDamaged = errors.New("file of records damaged")

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w (%s)", ErrDamaged, fmt.Sprintf(format, args...))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// key orders rows: by root, then by seq. Seq must be within ±seqBias.
type key uint64

const (
	seqBits = 22
	seqBias = 1 << (seqBits - 1)
)

func keyOf(root cnpj.Root, seq int32) key { return key(root)<<seqBits | key(int64(seq)+seqBias) }

// fits reports whether keyOf is defined. All rows of companies do: roots are below 36^8, and the seq
// of a chunk is below the number of orders, 36^4.
func fits(root cnpj.Root, seq int32) bool {
	return root >= 0 && root < 1<<(64-seqBits) && seq >= -seqBias && seq < seqBias
}
