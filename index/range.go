package index

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"razao/index/bitmap"
	"razao/index/column"
	"razao/index/filter"
	"razao/index/folder"
	"razao/index/term"
	"razao/internal/cnpj"
)

// fewDocs is the share of the documents of a shard up to which each is looked up in a column; for more, the column is read through.
const fewDocs = 1.0 / 16

// inRange returns the documents of a range: from a column, or from what a source knows.
func (v *shardSearch) inRange(q *filter.Range, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	key := fmt.Sprintf("range %d %d %d", q.Measure, q.From, q.To)
	docs, known := v.known("", key)
	if !known {
		said, ofSource, err := v.search.index.sources.Range(v.number, q)
		switch {
		case ofSource:
			docs = said
		case within != nil && float64(bitmap.Size(within)) < fewDocs*float64(v.Docs()):
			return v.pickRange(v.search.columnRange(q), within), nil
		default:
			docs = v.markRange(v.search.columnRange(q))
		}
		if err != nil {
			return nil, err
		}
		v.spend(docs)
		v.read = append(v.read, postings{"", key, docs})
	}
	if within == nil {
		return docs, nil
	}
	return v.and(docs, within), nil
}

// markRange reads a column through.
func (v *shardSearch) markRange(r column.Range) *roaring.Bitmap {
	marks := make([]uint64, (v.Docs()+63)/64)
	r.Mark(v.base, v.Docs(), marks)
	return roaring.FromDense(marks, true)
}

// pickRange looks up each document of a set.
func (v *shardSearch) pickRange(r column.Range, docs *roaring.Bitmap) *roaring.Bitmap {
	out := roaring.New()
	var kept []uint32
	v.search.work.Containers(docs, func(first uint32, lows []uint16) {
		kept = kept[:0]
		for _, low := range lows {
			if doc := first | uint32(low); r.Has(v.base + doc) {
				kept = append(kept, doc)
			}
		}
		out.AddMany(kept)
	})
	return out
}

// columnRange returns the documents of a range of the index's own columns. One search asks every shard for it.
func (s *search) columnRange(q *filter.Range) column.Range {
	key := rangeKey{q.Measure, q.From, q.To}
	if r := s.ranges[key]; r != nil {
		return r
	}
	if s.ranges == nil {
		s.ranges = map[rangeKey]column.Range{}
	}
	s.ranges[key] = s.index.columns.Range(q)
	return s.ranges[key]
}

type rangeKey struct {
	measure  filter.Measure
	from, to int64
}

// shown returns the postings of a term without the documents whose contact is hidden, when it tells of that.
func (v *shardSearch) shown(field byte, text string, docs *roaring.Bitmap) *roaring.Bitmap {
	if field != term.FieldFilter || !term.IsContact(text) {
		return docs
	}
	if hidden := v.search.index.hidden.Load(); hidden != nil {
		return bitmap.Without(docs, hidden.docs[v.number])
	}
	return docs
}

// hiddenContacts are the documents that no filter by a contact finds.
type hiddenContacts struct {
	numbers []cnpj.Full
	docs    []*roaring.Bitmap // by shard
}

// Hide tells which establishments no filter by place within a municipality, telephone or e-mail may find, from the next question on.
func (ix *Index) Hide(numbers []cnpj.Full) (err error) {
	defer ix.remember(&err)
	defer folder.Guard(&err)()
	if now := ix.hidden.Load(); now != nil && slices.Equal(now.numbers, numbers) || now == nil && len(numbers) == 0 {
		return nil
	}
	hidden := &hiddenContacts{numbers: slices.Clone(numbers)}
	for _, s := range ix.shards {
		docs := roaring.New()
		v := s.View()
		for _, number := range numbers {
			doc, err := v.Postings(term.FieldID, binary.BigEndian.AppendUint64(nil, uint64(number)))
			if err != nil {
				v.Release()
				return fmt.Errorf("hidden contacts: %w", err)
			}
			if doc != nil {
				docs.Or(doc)
			}
		}
		v.Release()
		hidden.docs = append(hidden.docs, docs)
	}
	ix.hidden.Store(hidden)
	return nil
}
