package column

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"

	"github.com/RoaringBitmap/roaring/v2"

	"razao/index/folder"
)

const (
	companiesFile = "companies"
	memberSize    = 8
)

// Member says that Doc belongs to the company of Principal. Both are numbers in the whole index, and
// they differ.
type Member struct{ Doc, Principal uint32 }

// Companies groups the establishments of an index by company, so that results can be collapsed to
// one hit per company without reading any record: it maps every document to the principal one of its
// company, which is the most important head office or, in a company without one, the most important
// establishment. The file lists the documents that are not principal, ascending. Most
// establishments are their company's only one and take no room.
//
// Look-ups gallop (exponential search): one costs O(log n), and those of a sorted set get cheaper the
// closer its documents are. For each shard there is also a bitmap of the documents that are not
// principal: the fast path of collapsing is a difference of sets, and only what is left needs the
// table. Safe for concurrent use.
type Companies struct {
	file   folder.Mapped
	others []*roaring.Bitmap // by shard, numbered within it: documents that are not principal
	late   *roaring.Bitmap   // principal documents with another of their company before them
}

// OpenCompanies maps the table of an index folder that has these shards, and checks every entry. The
// error is folder.ErrDamaged when the file is missing, out of order, or names documents that do not
// exist.
func OpenCompanies(dir string, shards []folder.Shard) (*Companies, error) {
	t := &Companies{}
	var err error
	if t.file, err = folder.Map(dir, companiesFile, folder.AnySize); err != nil {
		return nil, err
	}
	if err := t.read(shards); err != nil {
		return nil, errors.Join(fmt.Errorf("%w (%s: %w)", folder.ErrDamaged, companiesFile, err), t.Close())
	}
	return t, nil
}

// read validates the entries and builds the bitmaps, in one pass.
func (t *Companies) read(shards []folder.Shard) error {
	if len(t.file.Bytes())%memberSize > 0 {
		return errors.New("cut in the middle of an entry")
	}
	at, first := 0, int64(0)
	total := int64(0)
	for _, s := range shards {
		total += s.Docs
	}
	before := int64(-1)
	t.late = roaring.New()
	for _, s := range shards {
		others := roaring.New()
		for ; at < t.len() && int64(t.member(at).Doc) < first+s.Docs; at++ {
			e := t.member(at)
			if int64(e.Doc) <= before || int64(e.Principal) >= total || e.Principal == e.Doc {
				return fmt.Errorf("entry %d cannot be", at)
			}
			before = int64(e.Doc)
			others.Add(uint32(int64(e.Doc) - first))
			if e.Doc < e.Principal {
				t.late.Add(e.Principal)
			}
		}
		t.others = append(t.others, others)
		first += s.Docs
	}
	if at < t.len() {
		return fmt.Errorf("entry %d is about no document", at)
	}
	return nil
}

// Close unmaps the file; the table must not be used afterwards.
func (t *Companies) Close() error { return t.file.Close() }

func (t *Companies) len() int { return len(t.file.Bytes()) / memberSize }

func (t *Companies) member(i int) Member {
	b := t.file.Bytes()[memberSize*i:]
	return Member{binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])}
}

// Others returns the documents of a shard that are not principal, numbered within the shard.
// Callers must not change it.
func (t *Companies) Others(shard int) *roaring.Bitmap { return t.others[shard] }

// IsLate reports whether a principal document has another one of its company before it in rank
// order. This is rare: an active branch ranks before a closed head office.
func (t *Companies) IsLate(doc uint32) bool { return t.late.Contains(doc) }

// Principal returns the principal document of the company that doc belongs to, in most cases doc
// itself. The look-up is O(log n).
func (t *Companies) Principal(doc uint32) uint32 {
	if at := t.search(doc, 0); at < t.len() {
		if e := t.member(at); e.Doc == doc {
			return e.Principal
		}
	}
	return doc
}

// search returns the first entry, at or after from, whose document is not below doc. It gallops:
// steps double until they overshoot, then the last one is searched. Cost is logarithmic in the
// distance, so ascending look-ups are cheap.
func (t *Companies) search(doc uint32, from int) int {
	step := 1
	for from+step < t.len() && t.member(from+step).Doc < doc {
		from, step = from+step, 2*step
	}
	to := min(from+step, t.len())
	return from + sort.Search(to-from, func(i int) bool { return t.member(from+i).Doc >= doc })
}

// Walk calls visit for each of docs with its principal document, as a galloping join with the
// table. docs and doc are relative to base; principal is a number in the whole index. Documents
// that are principal themselves are skipped. It ends when visit returns false.
func (t *Companies) Walk(docs *roaring.Bitmap, base uint32, visit func(doc, principal uint32) (more bool)) {
	at := 0
	for it := docs.Iterator(); it.HasNext(); {
		doc := it.Next()
		at = t.search(base+doc, at)
		if at < t.len() && t.member(at).Doc == base+doc && !visit(doc, t.member(at).Principal) {
			return
		}
	}
}

// WriteCompanies creates the table in an index folder, which must not have one. It sorts entries in place.
// The file is not synced: folder.Publish does that for all files.
func WriteCompanies(dir string, entries []Member) (err error) {
	slices.SortFunc(entries, func(a, b Member) int { return cmp.Compare(a.Doc, b.Doc) })
	file, err := os.OpenFile(filepath.Join(dir, companiesFile), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := bufio.NewWriterSize(file, 256<<10)
	for _, e := range entries {
		out.Write(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(out.AvailableBuffer(), e.Doc), e.Principal))
	}
	return out.Flush()
}
