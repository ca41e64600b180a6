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

	"razao/index/extsort"
	"razao/ingest/rows"
	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
)

// recordSort brings the records of one source into the order in which they are stored: by root,
// then by the order of the source, then by position in the files. It is an external sort on disk
// (package extsort), so memory depends on the bucket and not on the source.
//
// Records with an identity take a detour. They are first sorted by the hash of the identity, so
// that all versions of a record meet in one bucket; newest passes the latest of each on to the sort
// by root. Sinks fill both sorters, then newest and merge are called once each, in this order.
type recordSort struct {
	source     source.Source
	dir        string
	dictionary pack.Dictionary // texts that many records share; filled while packing
	sorter     *extsort.Sorter // by root and position; payload: order key, packed item

	mu       sync.Mutex      // guards versions while it is created
	versions *extsort.Sorter // by hash and position; nil: no record has an identity
	seed     maphash.Seed    // of the hash; it is valid in this process only, as the files are
}

// newRecordSort returns an empty sort below dir.
func newRecordSort(src source.Source, dir string) (*recordSort, error) {
	sorter, err := extsort.New(filepath.Join(dir, src.ID), extsort.Options{Boundaries: rootGrid()})
	if err != nil {
		return nil, err
	}
	return &recordSort{source: src, dir: dir, sorter: sorter, seed: maphash.MakeSeed()}, nil
}

// rootGrid returns boundaries that cut the numeric roots into 64 equal ranges. How many records
// fall into each is unknown beforehand; the sorter splits a bucket that turns out too large.
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

// versioned returns the sorter by identity, which most sources never need. Hashes are uniform, so
// equal ranges make equal buckets.
func (r *recordSort) versioned() (*extsort.Sorter, error) {
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

// recordSink packs the records of one goroutine. It implements rows.Sink.
type recordSink struct {
	to       *recordSort
	plain    *extsort.Writer
	versions *extsort.Writer // nil before the first record with an identity
	buf      []byte
}

// sink returns a sink for one goroutine.
func (r *recordSort) sink() *recordSink { return &recordSink{to: r, plain: r.sorter.Writer()} }

// Add packs a record and hands it to the sorter. It keeps nothing of r.
func (s *recordSink) Add(r *rows.Record) error {
	position := uint64(r.Where.File)<<40 | uint64(r.Where.Line) // order of the files
	if r.Identity == "" {
		s.buf = s.pack(s.buf[:0], r)
		return s.plain.Add(uint64(r.Owner.Root), position, s.buf)
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
	if r.Values != nil { // else it is a tombstone, which only voids older versions
		s.buf = s.pack(s.buf, r)
	}
	return s.versions.Add(maphash.String(s.to.seed, r.Identity), position, s.buf)
}

// pack appends the payload of a record: the order key and the packed item.
func (s *recordSink) pack(dst []byte, r *rows.Record) []byte {
	dst = appendBytes(dst, r.Order)
	owner := pack.ItemOwner{
		Order: r.Owner.Order, HasOrder: r.Owner.Order != 0 && r.Owner.Published == "", Published: r.Owner.Published,
	}
	return pack.AppendItem(dst, s.to.source.Fields, &s.to.dictionary, owner, r.Values)
}

// Close hands buffered records over. It must be called before newest.
func (s *recordSink) Close() error {
	err := s.plain.Close()
	if s.versions != nil {
		err = errors.Join(err, s.versions.Close())
	}
	return err
}

// appendBytes appends a text after its length as a varint.
func appendBytes(dst []byte, s string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

// cutBytes splits a text written by appendBytes off the front of b. It does not check lengths: b
// was written by this process.
func cutBytes(b []byte) (text, rest []byte) {
	n, w := binary.Uvarint(b)
	return b[w : w+int(n)], b[w+int(n):]
}

// newest passes the newest version of each identity on to the sort by root and returns how many
// older ones it left out. Without identities it does nothing.
func (r *recordSort) newest(ctx context.Context, workers int) (superseded int64, err error) {
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

// version is one version of the records with the same identity.
type version struct {
	identity, version []byte
	position          uint64
	root              uint64
	packed            []byte // empty: a tombstone
}

// passNewest writes the newest versions in a bucket to w. It groups by hash and compares
// identities, so a collision of hashes is harmless.
func passNewest(b *extsort.Bucket, w *extsort.Writer) (superseded int64, err error) {
	var group []version
	for i := 0; i < b.Len(); {
		group = group[:0]
		hi := b.Hi(i)
		for ; i < b.Len() && b.Hi(i) == hi; i++ {
			group = append(group, versionAt(b, i))
		}
		slices.SortFunc(group, func(a, b version) int {
			return cmp.Or(bytes.Compare(a.identity, b.identity), bytes.Compare(a.version, b.version), cmp.Compare(a.position, b.position))
		})
		for j, v := range group {
			if len(v.packed) == 0 {
				continue // a tombstone has voided the older versions by sorting last
			}
			if j+1 < len(group) && bytes.Equal(group[j+1].identity, v.identity) {
				superseded++
				continue
			}
			if err := w.Add(v.root, v.position, v.packed); err != nil {
				return superseded, err
			}
		}
	}
	return superseded, nil
}

// versionAt decodes entry i of a bucket of versions.
func versionAt(b *extsort.Bucket, i int) version {
	_, position, payload := b.At(i)
	v := version{position: position}
	v.identity, payload = cutBytes(payload)
	v.version, payload = cutBytes(payload)
	root, n := binary.Uvarint(payload)
	v.root, v.packed = root, payload[n:]
	return v
}

// mergedRecords is the result of one bucket of roots.
type mergedRecords struct {
	rows     []byte   // for the record store, in binary COPY format
	owners   []uint64 // presence keys, rising
	records  int64    // in rows
	repeated int64    // left out as identical
}

// merge writes the records in stored order to store and their owners to owners. dropIdentical
// leaves out records of a company whose packed items are equal; repeated counts these. It removes
// the sorted files.
func (r *recordSort) merge(ctx context.Context, workers int, dropIdentical bool, store *registry.LoadWriter, owners *registry.PackedOwners,
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

// orderedItem is a packed record with its position among those of its company.
type orderedItem struct {
	key      []byte // rows.Record.Order, compared as bytes
	position uint64 // file and line; decides between equal keys
	item     []byte
}

// mergeRecords sorts the records of each root in a bucket and packs them into rows.
func mergeRecords(b *extsort.Bucket, dropIdentical bool) mergedRecords {
	var out mergedRecords
	var group []orderedItem
	for i := 0; i < b.Len(); {
		group = group[:0]
		hi := b.Hi(i)
		for ; i < b.Len() && b.Hi(i) == hi; i++ {
			_, position, payload := b.At(i)
			key, item := cutBytes(payload)
			group = append(group, orderedItem{key, position, item})
		}
		slices.SortFunc(group, func(a, b orderedItem) int {
			return cmp.Or(bytes.Compare(a.key, b.key), cmp.Compare(a.position, b.position), bytes.Compare(a.item, b.item))
		})
		items := itemsOf(group, dropIdentical)
		out.repeated += int64(len(group) - len(items))
		out.records += int64(len(items))
		out.rows = pack.AppendItemRows(out.rows, cnpj.Root(hi), items)
		out.owners = registry.AppendOwners(out.owners, cnpj.Root(hi), items)
	}
	return out
}

// itemsOf returns the items of a group in order, of identical ones only the first if dropIdentical.
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
