package flags

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"razao/index/folder"
)

// ErrUnusable is the error of flags that are missing, damaged or of another index.
var ErrUnusable = errors.New("flags of a source missing or damaged: write them with `razao loads activate LOAD` or `razao index build`")

// Set is the documents that a load of a source has records of. It never changes; the zero value has none.
type Set struct{ shards []*roaring.Bitmap }

// In returns the documents of a shard by their numbers in it, nil for none. The bitmap must not be changed.
func (s *Set) In(shard int) *roaring.Bitmap {
	if shard >= len(s.shards) {
		return nil
	}
	return s.shards[shard]
}

// folderName is the folder of the files in that of the index.
const folderName = "sources"

// nameOf is a file's name; loadOf reads it.
func nameOf(source string, load int64) string { return fmt.Sprintf("%s-%06d", source, load) }

func loadOf(name string) (load int64, ok bool) {
	load, err := strconv.ParseInt(name[strings.LastIndexByte(name, '-')+1:], 10, 64)
	return load, err == nil
}

// magic begins a file and says how it is written: with the time at which the index was built, the load and the number of
// shards, eight bytes each, little endian; then the bitmaps, each behind its length in four bytes; then the SHA-256 of all
// that.
const (
	magic      = "RZFLAGS1"
	headerSize = len(magic) + 3*8
)

// Open reads the flags that a load of a source has in an index folder. The error is ErrUnusable.
func Open(dir string, m *folder.Manifest, source string, load int64) (*Set, error) {
	name := nameOf(source, load)
	body, err := os.ReadFile(filepath.Join(dir, folderName, name))
	if err == nil {
		var s *Set
		if s, err = decode(body, m, load); err == nil {
			return s, nil
		}
	}
	return nil, fmt.Errorf("%w (%s: %w)", ErrUnusable, name, err)
}

func encode(m *folder.Manifest, load int64, shards []*roaring.Bitmap) ([]byte, error) {
	out := []byte(magic)
	for _, n := range [...]int64{m.BuiltAt.UnixNano(), load, int64(len(shards))} {
		out = binary.LittleEndian.AppendUint64(out, uint64(n))
	}
	for _, docs := range shards {
		bitmap, err := docs.ToBytes()
		if err != nil {
			return nil, err
		}
		out = append(binary.LittleEndian.AppendUint32(out, uint32(len(bitmap))), bitmap...)
	}
	sum := sha256.Sum256(out)
	return append(out, sum[:]...), nil
}

func decode(body []byte, m *folder.Manifest, load int64) (*Set, error) {
	if len(body) < headerSize+sha256.Size || string(body[:len(magic)]) != magic {
		return nil, errors.New("cut, or not such a file")
	}
	body, sum := body[:len(body)-sha256.Size], body[len(body)-sha256.Size:]
	if want := sha256.Sum256(body); !bytes.Equal(sum, want[:]) {
		return nil, errors.New("its content has changed")
	}
	for i, want := range [...]int64{m.BuiltAt.UnixNano(), load, int64(len(m.Shards))} {
		if int64(binary.LittleEndian.Uint64(body[len(magic)+8*i:])) != want {
			return nil, errors.New("of another index or load")
		}
	}
	s := &Set{}
	for body = body[headerSize:]; len(body) >= 4; {
		size := int(binary.LittleEndian.Uint32(body))
		docs := roaring.New()
		if err := docs.UnmarshalBinary(body[4:min(4+size, len(body))]); err != nil {
			return nil, err
		}
		s.shards, body = append(s.shards, docs), body[min(4+size, len(body)):]
	}
	return s, s.check(m)
}

// check compares the documents with the shards of an index: columns are read by their numbers.
func (s *Set) check(m *folder.Manifest) error {
	if len(s.shards) != len(m.Shards) {
		return errors.New("of other shards")
	}
	for i, docs := range s.shards {
		if !docs.IsEmpty() && int64(docs.Maximum()) >= m.Shards[i].Docs {
			return errors.New("of other documents")
		}
	}
	return nil
}
