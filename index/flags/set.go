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

// Set is the documents that a load of a source has records of, and what these come to. It never changes; the zero value has none.
type Set struct{ shards []shard }

// shard is the part of a set in one shard of the index.
type shard struct {
	docs   *roaring.Bitmap
	values [measures]values
}

// In returns the documents of a shard by their numbers in it, nil for none. The bitmap must not be changed.
func (s *Set) In(shard int) *roaring.Bitmap {
	if shard >= len(s.shards) {
		return nil
	}
	return s.shards[shard].docs
}

// folderName is the folder of the files in that of the index.
const folderName = "sources"

// Path returns where the flags of a load are in an index folder, with slashes.
func Path(source string, load int64) string { return folderName + "/" + nameOf(source, load) }

// nameOf is a file's name; loadOf reads it.
func nameOf(source string, load int64) string { return fmt.Sprintf("%s-%06d", source, load) }

func loadOf(name string) (load int64, ok bool) {
	load, err := strconv.ParseInt(name[strings.LastIndexByte(name, '-')+1:], 10, 64)
	return load, err == nil
}

// magic begins a file and says how it is written and what its values mean: with the time at which the index was built, the load, the
// number of shards and the measures, a bit for each, eight bytes each, little endian; then for every shard the bitmap, behind its length
// in four bytes, and the values of every measure, document by document; then the SHA-256 of all that. Who gives a source another measure
// changes magic, so that no file of before is taken for one of a source without values.
const (
	magic      = "RZFLAGS2"
	headerSize = len(magic) + 4*8
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

// header returns what a file begins with.
func header(m *folder.Manifest, load, measured int64) []byte {
	out := []byte(magic)
	for _, n := range [...]int64{m.BuiltAt.UnixNano(), load, int64(len(m.Shards)), measured} {
		out = binary.LittleEndian.AppendUint64(out, uint64(n))
	}
	return out
}

// encode returns a file of shards that are encoded.
func encode(m *folder.Manifest, load, measured int64, shards [][]byte) []byte {
	out := append(header(m, load, measured), bytes.Join(shards, nil)...)
	sum := sha256.Sum256(out)
	return append(out, sum[:]...)
}

func decode(body []byte, m *folder.Manifest, load int64) (*Set, error) {
	if len(body) < headerSize+sha256.Size || string(body[:len(magic)]) != magic {
		return nil, errors.New("cut, or not such a file")
	}
	body, sum := body[:len(body)-sha256.Size], body[len(body)-sha256.Size:]
	if want := sha256.Sum256(body); !bytes.Equal(sum, want[:]) {
		return nil, errors.New("its content has changed")
	}
	measured := int64(binary.LittleEndian.Uint64(body[headerSize-8:]))
	if !bytes.Equal(body[:headerSize], header(m, load, measured)) || measured>>measures != 0 {
		return nil, errors.New("of another index or load")
	}
	s := &Set{shards: make([]shard, len(m.Shards))}
	r := &reader{rest: body[headerSize:]}
	for i := range s.shards {
		if s.shards[i] = readShard(r, measured, m.Shards[i].Docs); r.err != nil {
			return nil, r.err
		}
	}
	if len(r.rest) > 0 {
		return nil, errors.New("of other shards")
	}
	return s, nil
}

// readShard reads the part of a shard, which has so many documents: columns are read by their numbers.
func readShard(r *reader, measured, docs int64) shard {
	s := shard{docs: roaring.New()}
	if err := s.docs.UnmarshalBinary(r.bytes(int(r.uint32()))); err != nil {
		r.fail(err)
	} else if !s.docs.IsEmpty() {
		if err := s.docs.Validate(); err != nil {
			r.fail(err)
		} else if int64(s.docs.Maximum()) >= docs {
			r.fail(errors.New("of other documents"))
		}
	}
	for m := range s.values {
		if measured>>m&1 == 1 && r.err == nil {
			s.values[m] = readValues(r, s.docs)
		}
	}
	return s
}
