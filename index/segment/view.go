package segment

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/blevesearch/vellum"
	zap "github.com/blevesearch/zapx/v17"

	"razao/index/docset"
	"razao/index/folder"
	"razao/index/term"
)

// View reads a shard for one query at a time, because readers of an FST keep state. Not safe for concurrent use.
type View struct {
	shard   *Shard
	work    *docset.Workspace // of the query
	readers [term.NumFields]*vellum.Reader
}

// View returns a view that nobody else uses until it is released, with the workspace in which its sets are made. One that is
// never released is garbage.
func (s *Shard) View(w *docset.Workspace) *View {
	v, ok := s.views.Get().(*View)
	if !ok {
		v = &View{shard: s}
	}
	v.work = w
	return v
}

// Release gives the view back, for the next query.
func (v *View) Release() {
	v.work = nil
	v.shard.views.Put(v)
}

// Docs returns how many documents the shard has.
func (v *View) Docs() uint32 { return v.shard.docs }

// dict returns the dictionary of a field, nil when no document has the field.
func (v *View) dict(field byte) *vellum.FST { return v.shard.dictionaries[field-term.FieldID] }

// Postings returns the documents that have a term in a field, none when there is no such term or field.
func (v *View) Postings(field byte, key []byte) (docset.Set, error) {
	d := v.dict(field)
	if d == nil {
		return nil, nil
	}
	r := &v.readers[field-term.FieldID]
	if *r == nil {
		var err error
		if *r, err = d.Reader(); err != nil {
			return nil, err
		}
	}
	value, ok, err := (*r).Get(key)
	if err != nil || !ok {
		return nil, err
	}
	return v.postingsAt(value)
}

// maxPrefixTerms bounds how many words of a shard one long prefix may stand for; six letters rarely begin a thousand.
const maxPrefixTerms = 4096

// WithPrefix returns the documents that have a term of the field that begins so; of more than 4,096 such terms the first
// count.
func (v *View) WithPrefix(field byte, prefix []byte) (docset.Set, error) {
	var lists []docset.Set
	err := v.Terms(field, prefix, nil, func(_ []byte, docs docset.Set) bool {
		lists = append(lists, docs)
		return len(lists) < maxPrefixTerms
	})
	return v.work.Union(lists), err
}

// Terms visits, in order, the terms of a field that begin with prefix and that an automaton accepts (nil accepts all), each
// with its documents, until visit returns false. The key is valid until visit returns.
func (v *View) Terms(field byte, prefix []byte, accepts vellum.Automaton, visit func(term []byte, docs docset.Set) (more bool)) error {
	d := v.dict(field)
	if d == nil {
		return nil
	}
	it, err := d.Search(accepts, prefix, after(prefix))
	for err == nil {
		term, value := it.Current()
		docs, bad := v.postingsAt(value)
		if bad != nil || !visit(term, docs) {
			return bad
		}
		err = it.Next()
	}
	if errors.Is(err, vellum.ErrIteratorDone) {
		return nil
	}
	return err
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

// postingsAt returns the documents for a term's value in the FST: its only document (zap's "1-hit" encoding), or the offset
// of a postings list: where its frequencies and locations are, both 0 here, then the length of a Roaring bitmap and the bitmap.
func (v *View) postingsAt(value uint64) (docset.Set, error) {
	if value&zap.FSTValEncodingMask == zap.FSTValEncoding1Hit {
		doc, _ := zap.FSTValDecode1Hit(value)
		return v.work.Single(uint32(doc)), nil
	}
	if value < uint64(len(v.shard.data)) {
		data := v.shard.data[value:]
		for range 2 {
			_, width := binary.Uvarint(data)
			data = data[max(width, 0):]
		}
		n, width := binary.Uvarint(data)
		if width > 0 && n <= uint64(len(data)-width) {
			if set, ok := v.work.Roaring(data[width : width+int(n)]); ok {
				return set, nil
			}
		}
	}
	return nil, fmt.Errorf("%w (no postings at %d)", folder.ErrDamaged, value)
}
