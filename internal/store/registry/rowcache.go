package registry

import (
	"errors"
	"fmt"
	"hash/crc32"

	"razao/internal/data/cnpj"
)

// The row cache of a load: its rows in one file beside the search index, sorted by key, so that a
// look-up is one read of the page cache instead of a round trip to PostgreSQL, and goes on while
// PostgreSQL is down. It holds nothing that PostgreSQL does not have: a row that cannot be read is asked
// of PostgreSQL, and the file may be deleted.
//
//	file    magic "razao rows 1\n"; blocks; index; trailer
//	block   CRC-32C of the rest, 4 bytes; rows
//	row     root, less that of the row before in the block; seq, zigzag; length of doc; doc
//	index   for each block the key of its first row and the offset of its end, 8 bytes each
//	trailer number of blocks, 8 bytes; CRC-32C of index and number, 4 bytes
//
// Numbers in rows are varints, all others little-endian. A block is closed by the row that fills
// blockBytes, so one with a larger row is larger. The index, 16 bytes for some 8 KB, is in memory
// (SSTable without levels: the file is written once, in order, and never changed).
//
// Reading uses pread and not a mapping: a file that is cut or unlinked under a reader is an error
// and not a fault, and a reader that comes after Close gets an error, too. Every block is checked
// before it is parsed.

// RowCacheName is the name of the file in an index folder.
const RowCacheName = "records"

// blockBytes is the size of rows from which a block is closed. Smaller blocks are cheaper to read
// and check, larger ones need less memory for their index.
const blockBytes = 8 << 10

const (
	cacheMagic   = "razao rows 1\n"
	sumBytes     = 4
	entryBytes   = 16
	trailerBytes = 8 + sumBytes
)

// errCacheDamaged means that the file is cut or altered.
var errCacheDamaged = errors.New("row cache damaged")

func cacheDamaged(format string, args ...any) error {
	return fmt.Errorf("%w (%s)", errCacheDamaged, fmt.Sprintf(format, args...))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// rowKey orders rows: by root, then by seq. Seq must be within ±seqBias.
type rowKey uint64

const (
	seqBits = 22
	seqBias = 1 << (seqBits - 1)
)

func rowKeyOf(root cnpj.Root, seq int32) rowKey {
	return rowKey(root)<<seqBits | rowKey(int64(seq)+seqBias)
}

func (k rowKey) root() cnpj.Root { return cnpj.Root(k >> seqBits) }
func (k rowKey) seq() int32      { return int32(k&(1<<seqBits-1)) - seqBias }

// fitsRowKey reports whether rowKeyOf is defined. All rows of companies do: roots are below 36^8, and the seq
// of a chunk is below the number of orders, 36^4.
func fitsRowKey(root cnpj.Root, seq int32) bool {
	return root >= 0 && root < 1<<(64-seqBits) && seq >= -seqBias && seq < seqBias
}
