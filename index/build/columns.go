package build

import (
	"context"
	"errors"

	"github.com/RoaringBitmap/roaring/v2"

	"razao/index/column"
	"razao/index/figures"
)

// columnWriters takes the attributes of documents in rank order: it writes facets and number columns,
// adds up the figures of places, and remembers the head offices for the table of companies.
type columnWriters struct {
	facets  *column.FacetsWriter
	numbers [column.CountOfNumbers]*column.NumberWriter
	sums    *figures.Totals
	heads   *roaring.Bitmap
	docs    uint32 // so far
}

// createColumnWriters creates the files in dir. The figures are those of a month.
func createColumnWriters(dir, month string) (s *columnWriters, err error) {
	s = &columnWriters{sums: figures.NewTotals(month), heads: roaring.New()}
	if s.facets, err = column.CreateFacets(dir); err != nil {
		return nil, err
	}
	for n := range column.CountOfNumbers {
		if s.numbers[n], err = column.CreateNumber(dir, n); err != nil {
			return nil, errors.Join(err, s.close())
		}
	}
	return s, nil
}

// close closes the files; those that were not created are skipped.
func (s *columnWriters) close() error {
	err := s.facets.Close()
	for _, n := range s.numbers {
		if n != nil {
			err = errors.Join(err, n.Close())
		}
	}
	return err
}

// add takes the encoded attributes of the next documents in rank order.
func (s *columnWriters) add(attributes []byte) {
	for ; len(attributes) > 0; attributes = attributes[column.EncodedLen(attributes):] {
		a := column.Decode(attributes)
		s.facets.Add(a.Facets)
		for n, w := range s.numbers {
			w.Add(a.Numbers[n])
		}
		s.sums.Add(&a)
		if a.Facets.HeadOffice() {
			s.heads.Add(s.docs)
		}
		s.docs++
	}
}

// writeOrders merges the orders of all runs into the order files, one key after the other, and then
// releases the runs. All runs are open at once: runBuffers bounds the memory.
func writeOrders(ctx context.Context, dir string, parts []runPart) error {
	for by := range column.Keys {
		begin := func(p runPart) int64 { return p.orders[by] }
		err := readRuns(parts, begin, func(readers []*runReader) error {
			return column.WriteOrder(dir, by, func(w *column.OrderWriter) error { return mergeTerms(ctx, readers, w.Add) })
		})
		if err != nil {
			return err
		}
	}
	return release(parts)
}
