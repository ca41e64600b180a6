package segment

import (
	"cmp"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
	bleveindex "github.com/blevesearch/bleve_index_api"
	segmentapi "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"

	"razao/index/folder"
	"razao/index/term"
)

// View reads a shard for one query at a time, because Bleve's dictionaries and iterators keep
// state. Not safe for concurrent use. Views are pooled, so dictionaries stay open from query to
// query.
type View struct {
	shard        *Shard
	dictionaries [term.NumFields]*zap.Dictionary // by letter - term.FieldID, opened on first use
	postings     segmentapi.PostingsIterator     // reused from term to term
}

// View returns a view for exclusive use until Release. A view that is not released is left to the
// garbage collector.
func (s *Shard) View() *View {
	if v, ok := s.views.Get().(*View); ok {
		return v
	}
	return &View{shard: s}
}

// Release returns the view to the pool of its shard. Neither the view nor a cursor of it may be
// used afterwards.
func (v *View) Release() { v.shard.views.Put(v) }

// Docs returns the number of documents in the shard.
func (v *View) Docs() uint32 { return v.shard.docs }

// dictionary returns the term dictionary of a field.
func (v *View) dictionary(field byte) (*zap.Dictionary, error) {
	d := &v.dictionaries[field-term.FieldID]
	if *d == nil {
		opened, err := v.shard.zap.Dictionary(term.NameOfField(field))
		if err != nil {
			return nil, fmt.Errorf("%w (dictionary of field %c: %w)", folder.ErrDamaged, field, err)
		}
		*d = opened.(*zap.Dictionary) // zap has no other
	}
	return *d, nil
}

// Postings returns the documents that have a term, nil when none has. The bitmap may lie in the
// mapped file: it must not be changed, nor used after the shard is closed.
func (v *View) Postings(field byte, key []byte) (*roaring.Bitmap, error) {
	d, err := v.dictionary(field)
	if err != nil {
		return nil, err
	}
	list, err := d.PostingsList(key, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("%w (postings in field %c: %w)", folder.ErrDamaged, field, err)
	}
	v.postings = list.Iterator(false, false, false, v.postings)
	bitmap, ok := v.postings.(segmentapi.OptimizablePostingsIterator)
	if !ok {
		return nil, fmt.Errorf("postings are a %T", v.postings)
	}
	if doc, ok := bitmap.DocNum1Hit(); ok {
		return v.within(field, roaring.BitmapOf(uint32(doc)))
	}
	return v.within(field, bitmap.ActualBitmap())
}

// within returns docs, or folder.ErrDamaged when one is beyond the shard: callers index arrays by
// document.
func (v *View) within(field byte, docs *roaring.Bitmap) (*roaring.Bitmap, error) {
	if docs != nil && !docs.IsEmpty() && docs.Maximum() >= v.shard.docs {
		return nil, fmt.Errorf("%w (field %c has document %d of %d)", folder.ErrDamaged, field, docs.Maximum(), v.shard.docs)
	}
	return docs, nil
}

// Terms calls visit for the terms of a field that begin with prefix and that the automaton accepts
// (nil accepts all), in byte order, until visit returns false. The automaton is intersected with
// the FST, which skips most of the dictionary.
func (v *View) Terms(field byte, prefix []byte, accepts segmentapi.Automaton, visit func(term string) (more bool)) error {
	d, err := v.dictionary(field)
	if err != nil {
		return err
	}
	terms := d.AutomatonIteratorOmitCount(accepts, prefix, after(prefix)) // without counts it reads no postings
	for {
		var entry *bleveindex.DictEntry
		if entry, err = terms.Next(); err != nil {
			return fmt.Errorf("%w (terms of field %c: %w)", folder.ErrDamaged, field, err)
		}
		if entry == nil || !visit(entry.Term) {
			return nil
		}
	}
}

// after returns the lowest key above all that begin with prefix, nil when there is none (an empty
// prefix, or all 0xff).
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

// maxSimilar bounds the words that Similar looks at in one shard.
const maxSimilar = 64

// Similar adds to counts, for each word of a field that begins with first and that the automaton
// accepts, the number of its documents; except is left out. It stops after maxSimilar words.
func (v *View) Similar(field byte, except, first string, accepts segmentapi.Automaton, counts map[string]int64) error {
	looked := 0
	var bad error
	err := v.Terms(field, []byte(first), accepts, func(similar string) bool {
		looked++
		if similar != except {
			var docs *roaring.Bitmap
			docs, bad = v.Postings(field, []byte(similar))
			if docs != nil {
				counts[similar] += int64(docs.GetCardinality())
			}
		}
		return looked < maxSimilar && bad == nil
	})
	return cmp.Or(err, bad)
}
