package company

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
	fileName  = "companies"
	entrySize = 8
)

// Entry is an establishment that is not the principal one of its company, and that one; both by their numbers in the whole index.
type Entry struct{ Doc, Principal uint32 }

// Table knows the principal establishment of every document. Safe for concurrent use.
type Table struct {
	file   folder.Mapped
	others []*roaring.Bitmap // by shard: all but the principal ones, by their numbers in it
	late   *roaring.Bitmap   // principal ones that others of their companies come before
}

// Open maps the table of an index folder of these shards. The error of a file that is missing, out of order or about documents that do
// not exist is folder.ErrDamaged.
func Open(dir string, shards []folder.Shard) (*Table, error) {
	t := &Table{}
	var err error
	if t.file, err = folder.Map(dir, fileName, folder.AnySize); err != nil {
		return nil, err
	}
	if err := t.read(shards); err != nil {
		return nil, errors.Join(fmt.Errorf("%w (%s: %w)", folder.ErrDamaged, fileName, err), t.Close())
	}
	return t, nil
}

// read checks the entries and sorts them by shard.
func (t *Table) read(shards []folder.Shard) error {
	if len(t.file.Bytes())%entrySize > 0 {
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
		for ; at < t.len() && int64(t.entry(at).Doc) < first+s.Docs; at++ {
			e := t.entry(at)
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

// Close unmaps the file.
func (t *Table) Close() error { return t.file.Close() }

func (t *Table) len() int { return len(t.file.Bytes()) / entrySize }

func (t *Table) entry(i int) Entry {
	b := t.file.Bytes()[entrySize*i:]
	return Entry{binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])}
}

// Others returns the documents of a shard that are not the principal ones of their companies. The bitmap must not be changed.
func (t *Table) Others(shard int) *roaring.Bitmap { return t.others[shard] }

// IsLate says whether a document is the principal one of its company and another one comes before it.
func (t *Table) IsLate(doc uint32) bool { return t.late.Contains(doc) }

// Principal returns the principal document of the company of a document, which is mostly that document itself.
func (t *Table) Principal(doc uint32) uint32 {
	if at := t.search(doc, 0); at < t.len() {
		if e := t.entry(at); e.Doc == doc {
			return e.Principal
		}
	}
	return doc
}

// search returns the first entry from one on that is not before a document, found in steps that double (galloping).
func (t *Table) search(doc uint32, from int) int {
	step := 1
	for from+step < t.len() && t.entry(from+step).Doc < doc {
		from, step = from+step, 2*step
	}
	to := min(from+step, t.len())
	return from + sort.Search(to-from, func(i int) bool { return t.entry(from+i).Doc >= doc })
}

// Walk visits documents, rising and from a base on, that are not the principal ones of their companies, with those, as long as more are
// wanted.
func (t *Table) Walk(docs *roaring.Bitmap, base uint32, visit func(doc, principal uint32) (more bool)) {
	at := 0
	for it := docs.Iterator(); it.HasNext(); {
		doc := it.Next()
		at = t.search(base+doc, at)
		if at < t.len() && t.entry(at).Doc == base+doc && !visit(doc, t.entry(at).Principal) {
			return
		}
	}
}

// Write writes the table into an index folder. It sorts the entries by document.
func Write(dir string, entries []Entry) (err error) {
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Doc, b.Doc) })
	file, err := os.OpenFile(filepath.Join(dir, fileName), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
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
