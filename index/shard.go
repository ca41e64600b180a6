package index

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/keyword"
	"github.com/blevesearch/bleve/v2/index/scorch"
	bleveindex "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"

	"razao/internal/cnpj"
)

// storeName is the folder in a Bleve index that holds its segments.
const storeName = "store"

// writeShard makes the Bleve index of consecutive parts of runs in dir and deletes runs that are used up. The files around the segment come
// from Bleve, by building an index of one empty document; then that document's segment is replaced by the real one.
func writeShard(ctx context.Context, dir, tmp string, parts []runPart) error {
	mapping := bleve.NewIndexMapping()
	mapping.DefaultAnalyzer = keyword.Name
	shell, err := bleve.NewBuilder(dir, mapping, map[string]any{
		"buildPathPrefix":     tmp,
		"forceSegmentType":    zap.Type,
		"forceSegmentVersion": int(zap.Version),
	})
	if err != nil {
		return fmt.Errorf("bleve: %w", err)
	}
	if err := errors.Join(shell.Index("0", struct{}{}), shell.Close()); err != nil {
		return fmt.Errorf("bleve: %w", err)
	}
	segments, err := filepath.Glob(filepath.Join(dir, storeName, "*.zap"))
	if err != nil || len(segments) != 1 {
		return fmt.Errorf("bleve made %d segments instead of one (%w)", len(segments), err)
	}
	if err := mergeRuns(ctx, parts, segments[0]); err != nil {
		return err
	}
	return release(parts)
}

// shard is one open Bleve index: a single segment whose document numbers are the rank. Safe for concurrent use.
type shard struct {
	bleve   bleve.Index
	reader  bleveindex.IndexReader
	segment segment.Segment
	views   sync.Pool // of *view
}

func openShard(dir string, docs int64) (*shard, error) {
	idx, err := bleve.OpenUsing(dir, map[string]any{"read_only": true})
	if err != nil {
		return nil, fmt.Errorf("%w (%s: %w)", ErrDamaged, filepath.Base(dir), err)
	}
	s := &shard{bleve: idx}
	if err := s.attach(docs); err != nil {
		return nil, errors.Join(fmt.Errorf("%w (%s: %w)", ErrDamaged, filepath.Base(dir), err), s.close())
	}
	return s, nil
}

// attach takes hold of the one segment.
func (s *shard) attach(docs int64) error {
	advanced, err := s.bleve.Advanced()
	if err != nil {
		return err
	}
	if s.reader, err = advanced.Reader(); err != nil {
		return err
	}
	snapshot, ok := s.reader.(*scorch.IndexSnapshot)
	if !ok || len(snapshot.Segments()) != 1 {
		return errors.New("it is not one segment")
	}
	s.segment = snapshot.Segments()[0].Segment()
	if got := int64(s.segment.Count()); got != docs {
		return fmt.Errorf("%d documents instead of %d", got, docs)
	}
	return nil
}

func (s *shard) close() error {
	var err error
	if s.reader != nil {
		err = s.reader.Close()
	}
	return errors.Join(err, s.bleve.Close())
}

// cnpj returns the number of a document.
func (s *shard) cnpj(doc uint32) (cnpj.Full, error) {
	id, err := s.segment.DocID(uint64(doc))
	if err != nil {
		return 0, err
	}
	if len(id) != 8 {
		return 0, fmt.Errorf("%w (document %d has no key)", ErrDamaged, doc)
	}
	return cnpj.Full(binary.BigEndian.Uint64(id)), nil
}

// view reads a shard for one query at a time: dictionaries of the library keep state.
type view struct {
	shard *shard
	dicts ['z' - fieldID]segment.TermDictionary // by field, nil until opened
}

// view returns a view that nobody else uses until it is given back; one that is not is forgotten.
func (s *shard) view() *view {
	if v, ok := s.views.Get().(*view); ok {
		return v
	}
	return &view{shard: s}
}

func (v *view) giveBack() { v.shard.views.Put(v) }

func (v *view) dict(field byte) (segment.TermDictionary, error) {
	d := &v.dicts[field-fieldID]
	if *d != nil {
		return *d, nil
	}
	opened, err := v.shard.segment.Dictionary(nameOfField(field))
	if err != nil {
		return nil, err
	}
	*d = opened
	return opened, nil
}

// postings returns the documents that have a term. They may lie in the file: never change them.
func (v *view) postings(field byte, term []byte) (*roaring.Bitmap, error) {
	d, err := v.dict(field)
	if err != nil {
		return nil, err
	}
	list, err := d.PostingsList(term, nil, nil)
	if err != nil {
		return nil, err
	}
	it, ok := list.Iterator(false, false, false, nil).(segment.OptimizablePostingsIterator)
	if !ok {
		return nil, errors.New("the segment's postings are not bitmaps")
	}
	if doc, single := it.DocNum1Hit(); single {
		return roaring.BitmapOf(uint32(doc)), nil
	}
	if bm := it.ActualBitmap(); bm != nil {
		return bm, nil
	}
	return roaring.New(), nil
}

// maxPrefixTerms bounds how many words of a shard one long prefix may stand for; six letters rarely begin a thousand.
const maxPrefixTerms = 4096

// withPrefix returns the documents that have a word of field that begins so.
func (v *view) withPrefix(field byte, prefix []byte) (*roaring.Bitmap, error) {
	var lists []*roaring.Bitmap
	err := v.terms(field, prefix, func(_ string, docs *roaring.Bitmap) bool {
		lists = append(lists, docs)
		return len(lists) < maxPrefixTerms
	})
	if err != nil {
		return nil, err
	}
	return roaring.FastOr(lists...), nil
}

// terms hands on, in order, the terms of a field that begin with prefix, until visit returns false. The postings are
// looked up one by one: the counts of the library's own iterator stay at one after the first term of one document.
func (v *view) terms(field byte, prefix []byte, visit func(term string, docs *roaring.Bitmap) bool) error {
	d, err := v.dict(field)
	if err != nil {
		return err
	}
	it := d.AutomatonIterator(nil, prefix, after(prefix))
	for {
		entry, err := it.Next()
		if err != nil || entry == nil {
			return err
		}
		docs, err := v.postings(field, []byte(entry.Term))
		if err != nil {
			return err
		}
		if !visit(entry.Term, docs) {
			return nil
		}
	}
}

// after returns the first term behind all that begin with prefix, nil when there is none.
func after(prefix []byte) []byte {
	end := append([]byte(nil), prefix...)
	for i := len(end) - 1; i >= 0; i-- {
		if end[i] < 0xff {
			end[i]++
			return end[:i+1]
		}
	}
	return nil
}
