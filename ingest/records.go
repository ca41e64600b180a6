package ingest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"hash/maphash"
	"path/filepath"
	"slices"
	"sync"

	"razao/ingest/rows"
	"razao/internal/cnpj"
	"razao/internal/extsort"
	"razao/internal/registry"
	"razao/internal/registry/pack"
	"razao/internal/registry/presence"
	"razao/internal/source"
)

// records orders the records of one source by company. Those with an identity are first ordered by it, so that only the
// newest version of each goes on.
type records struct {
	source     source.Source
	dir        string
	dictionary pack.Dictionary
	sorter     *extsort.Sorter

	mu       sync.Mutex // guards versions while it is created
	versions *extsort.Sorter
	seed     maphash.Seed
}

func newRecords(src source.Source, dir string) (*records, error) {
	sorter, err := extsort.New(filepath.Join(dir, src.ID), extsort.Options{Boundaries: rootGrid()})
	if err != nil {
		return nil, err
	}
	return &records{source: src, dir: dir, sorter: sorter, seed: maphash.MakeSeed()}, nil
}

// rootGrid cuts the numeric roots into equal ranges. Ranges that turn out too large are parted again by the sorter.
func rootGrid() []uint64 {
	const ranges = 64
	var cuts []uint64
	for i := 1; i < ranges; i++ {
		digits := []byte("00000000")
		for n, at := i*100_000_000/ranges, 7; n > 0; n, at = n/10, at-1 {
			digits[at] = byte('0' + n%10)
		}
		root, err := cnpj.ParseRoot(string(digits))
		if err != nil {
			panic(err) // eight digits are a root
		}
		cuts = append(cuts, uint64(root))
	}
	return cuts
}

// versioned returns the sorter by identity, which most sources never need.
func (r *records) versioned() (*extsort.Sorter, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.versions != nil {
		return r.versions, nil
	}
	const ranges = 64
	var cuts []uint64
	for i := uint64(1); i < ranges; i++ {
		cuts = append(cuts, i<<58)
	}
	var err error
	r.versions, err = extsort.New(filepath.Join(r.dir, r.source.ID+"-versions"), extsort.Options{Boundaries: cuts})
	return r.versions, err
}

// recordSink takes the records of one goroutine.
type recordSink struct {
	to       *records
	plain    *extsort.Writer
	versions *extsort.Writer // nil until needed
	buf      []byte
}

func (r *records) sink() *recordSink { return &recordSink{to: r, plain: r.sorter.Writer()} }

// Add packs a record and gives it to the sorter.
func (s *recordSink) Add(r *rows.Record) error {
	place := uint64(r.Where.File)<<40 | uint64(r.Where.Line)
	if r.Identity == "" {
		s.buf = s.pack(s.buf[:0], r)
		return s.plain.Add(uint64(r.Owner.Root), place, s.buf)
	}
	if s.versions == nil {
		sorter, err := s.to.versioned()
		if err != nil {
			return err
		}
		s.versions = sorter.Writer()
	}
	s.buf = appendBytes(s.buf[:0], r.Identity)
	s.buf = appendBytes(s.buf, r.Version)
	s.buf = binary.AppendUvarint(s.buf, uint64(r.Owner.Root))
	if r.Values != nil { // else it only says that older versions are void
		s.buf = s.pack(s.buf, r)
	}
	return s.versions.Add(maphash.String(s.to.seed, r.Identity), place, s.buf)
}

// pack appends the key of the order and the packed item.
func (s *recordSink) pack(dst []byte, r *rows.Record) []byte {
	dst = appendBytes(dst, r.Order)
	owner := pack.ItemOwner{
		Order: r.Owner.Order, HasOrder: r.Owner.Order != 0 && r.Owner.Published == "", Published: r.Owner.Published,
	}
	return pack.AppendItem(dst, s.to.source.Fields, &s.to.dictionary, owner, r.Values)
}

// Close hands over what is pending.
func (s *recordSink) Close() error {
	err := s.plain.Close()
	if s.versions != nil {
		err = errors.Join(err, s.versions.Close())
	}
	return err
}

func appendBytes(dst []byte, s string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

// cutBytes takes a text written by appendBytes from the front of b. What is cut here was written by this process.
func cutBytes(b []byte) (text, rest []byte) {
	n, w := binary.Uvarint(b)
	return b[w : w+int(n)], b[w+int(n):]
}

// newest passes the newest version of every identity on and returns how many older ones were left out.
func (r *records) newest(ctx context.Context, workers int) (superseded int64, err error) {
	if r.versions == nil {
		return 0, nil
	}
	writers := make(chan *extsort.Writer, workers)
	for range workers {
		writers <- r.sorter.Writer()
	}
	err = extsort.Run(ctx, r.versions, workers, func(b *extsort.Bucket) (int64, error) {
		w := <-writers
		defer func() { writers <- w }()
		return passNewest(b, w)
	}, func(n int64) error {
		superseded += n
		return nil
	})
	for range workers {
		err = errors.Join(err, (<-writers).Close())
	}
	return superseded, errors.Join(err, r.versions.Remove())
}

// version is a record among those with its identity.
type version struct {
	identity, version []byte
	place             uint64
	root              uint64
	packed            []byte // empty: nothing is kept
}

func passNewest(b *extsort.Bucket, w *extsort.Writer) (superseded int64, err error) {
	var group []version
	for i := 0; i < b.Len(); {
		group = group[:0]
		hi := b.Hi(i)
		for ; i < b.Len() && b.Hi(i) == hi; i++ {
			group = append(group, versionAt(b, i))
		}
		slices.SortFunc(group, func(a, b version) int {
			return cmp.Or(bytes.Compare(a.identity, b.identity), bytes.Compare(a.version, b.version), cmp.Compare(a.place, b.place))
		})
		for j, v := range group {
			if len(v.packed) == 0 {
				continue // it has done its work by coming after the others
			}
			if j+1 < len(group) && bytes.Equal(group[j+1].identity, v.identity) {
				superseded++
				continue
			}
			if err := w.Add(v.root, v.place, v.packed); err != nil {
				return superseded, err
			}
		}
	}
	return superseded, nil
}

func versionAt(b *extsort.Bucket, i int) version {
	_, place, payload := b.At(i)
	v := version{place: place}
	v.identity, payload = cutBytes(payload)
	v.version, payload = cutBytes(payload)
	root, n := binary.Uvarint(payload)
	v.root, v.packed = root, payload[n:]
	return v
}

// mergedRecords is what a range of roots became.
type mergedRecords struct {
	rows     []byte   // of the record store, in COPY format
	owners   []uint64 // whom the records are about
	records  int64
	repeated int64
}

// merge writes the ordered records to store and notes whom they are about. repeated counts the records left out because
// they were published twice.
func (r *records) merge(ctx context.Context, workers int, dropIdentical bool, store *registry.Writer, owners *presence.Builder,
	progress func(done, total int64),
) (counts registry.Counts, repeated int64, err error) {
	total := r.sorter.Records()
	err = extsort.Run(ctx, r.sorter, workers, func(b *extsort.Bucket) (mergedRecords, error) {
		return mergeRecords(b, dropIdentical), nil
	}, func(part mergedRecords) error {
		owners.Add(part.owners)
		counts.Owners += int64(len(part.owners))
		counts.Records += part.records
		repeated += part.repeated
		progress(counts.Records+repeated, total)
		return store.WriteRows(part.rows)
	})
	return counts, repeated, errors.Join(err, r.sorter.Remove())
}

// orderedItem is a packed item and its place among those of its company.
type orderedItem struct {
	key   []byte
	place uint64
	item  []byte
}

func mergeRecords(b *extsort.Bucket, dropIdentical bool) mergedRecords {
	var out mergedRecords
	var group []orderedItem
	for i := 0; i < b.Len(); {
		group = group[:0]
		hi := b.Hi(i)
		for ; i < b.Len() && b.Hi(i) == hi; i++ {
			_, place, payload := b.At(i)
			key, item := cutBytes(payload)
			group = append(group, orderedItem{key, place, item})
		}
		slices.SortFunc(group, func(a, b orderedItem) int {
			return cmp.Or(bytes.Compare(a.key, b.key), cmp.Compare(a.place, b.place), bytes.Compare(a.item, b.item))
		})
		items := itemsOf(group, dropIdentical)
		out.repeated += int64(len(group) - len(items))
		out.records += int64(len(items))
		out.rows = pack.AppendItemRows(out.rows, cnpj.Root(hi), items)
		out.owners = presence.AppendKeys(out.owners, cnpj.Root(hi), items)
	}
	return out
}

func itemsOf(group []orderedItem, dropIdentical bool) [][]byte {
	items := make([][]byte, 0, len(group))
	seen := map[string]bool{}
	for _, o := range group {
		if dropIdentical {
			if seen[string(o.item)] {
				continue
			}
			seen[string(o.item)] = true
		}
		items = append(items, o.item)
	}
	return items
}
