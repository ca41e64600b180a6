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

// ErrUnusable is the error of flags that are missing, damaged, of another version, or of another
// index. Its text tells the operator how to write them.
var ErrUnusable = errors.New("flags of a source missing or damaged: write them with `razao loads activate LOAD` or `razao index build`")

// Set has the documents that one load of a source has records of, and their values. It is immutable
// and safe for concurrent use; the zero value has no documents.
type Set struct{ shards []shard }

// shard is the part of a set in one shard of the index: what there is about the documents themselves,
// and about their companies where that is more. ofCompanies are the documents of either.
type shard struct {
	establishments, companies section
	ofCompanies               *roaring.Bitmap
}

type section struct {
	docs   *roaring.Bitmap
	values [measures]values
}

// In returns the flagged documents of a shard, numbered within the shard; nil when it has none. The
// bitmap is shared and must not be changed.
func (s *Set) In(shard int) *roaring.Bitmap {
	if shard >= len(s.shards) {
		return nil
	}
	return s.shards[shard].establishments.docs
}

// InOfCompanies is In with the documents of companies any of whose establishments is flagged.
func (s *Set) InOfCompanies(shard int) *roaring.Bitmap {
	if shard >= len(s.shards) {
		return nil
	}
	return s.shards[shard].ofCompanies
}

// folderName is the subfolder of an index that holds the files.
const folderName = "sources"

// Path returns the path of a load's flags relative to the index folder, with slashes.
func Path(source string, load int64) string { return folderName + "/" + nameOf(source, load) }

// nameOf returns the name of a load's file; loadOf is its inverse.
func nameOf(source string, load int64) string { return fmt.Sprintf("%s-%06d", source, load) }

func loadOf(name string) (load int64, ok bool) {
	load, err := strconv.ParseInt(name[strings.LastIndexByte(name, '-')+1:], 10, 64)
	return load, err == nil
}

// magic begins a file and is the version of its format. All of a file, integers little endian:
//
//	magic, then 8 bytes each: build time of the index (ns), load, shards, measures (mask)
//	for each shard, of its documents, then of their companies: length of a bitmap (4 bytes), bitmap, values of each measure
//	SHA-256 of everything before
//
// The mask tells only which measures have values, so a source that gains a measure needs a new
// magic: otherwise older files would pass for a source without values.
const (
	magic      = "RZFLAGS3"
	headerSize = len(magic) + 4*8
)

// Open reads the flags of a source's load from the folder of the index with manifest m. Every error
// wraps ErrUnusable.
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

// header returns the beginning of a file, up to and including the mask of measures.
func header(m *folder.Manifest, load, measured int64) []byte {
	out := []byte(magic)
	for _, n := range [...]int64{m.BuiltAt.UnixNano(), load, int64(len(m.Shards)), measured} {
		out = binary.LittleEndian.AppendUint64(out, uint64(n))
	}
	return out
}

// encode returns a whole file from its encoded shards.
func encode(m *folder.Manifest, load, measured int64, shards [][]byte) []byte {
	out := append(header(m, load, measured), bytes.Join(shards, nil)...)
	sum := sha256.Sum256(out)
	return append(out, sum[:]...)
}

// decode verifies the checksum before it parses anything, then that the file belongs to this build
// of the index and this load.
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
	r := &folder.Reader{Rest: body[headerSize:]}
	for i := range s.shards {
		if s.shards[i] = readShard(r, measured, m.Shards[i].Docs); r.Err != nil {
			return nil, r.Err
		}
	}
	if len(r.Rest) > 0 {
		return nil, errors.New("of other shards")
	}
	return s, nil
}

// readShard reads one shard of docs documents.
func readShard(r *folder.Reader, measured, docs int64) shard {
	s := shard{establishments: readSection(r, measured, docs), companies: readSection(r, measured, docs)}
	if s.ofCompanies = s.establishments.docs; !s.companies.docs.IsEmpty() {
		s.ofCompanies = roaring.Or(s.ofCompanies, s.companies.docs)
	}
	return s
}

// readSection reads a part of a shard of docs documents. Higher document numbers are rejected, because
// columns are indexed by them.
func readSection(r *folder.Reader, measured, docs int64) section {
	s := section{docs: roaring.New()}
	if err := s.docs.UnmarshalBinary(r.Bytes(int(r.Uint32()))); err != nil {
		r.Fail(err)
	} else if !s.docs.IsEmpty() {
		if err := s.docs.Validate(); err != nil {
			r.Fail(err)
		} else if int64(s.docs.Maximum()) >= docs {
			r.Fail(errors.New("of other documents"))
		}
	}
	for m := range s.values {
		if measured>>m&1 == 1 && r.Err == nil {
			s.values[m] = readValues(r, s.docs)
		}
	}
	return s
}
