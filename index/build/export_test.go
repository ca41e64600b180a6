package build

import (
	"cmp"
	"path/filepath"
	"testing"

	"razao/index/column"
	"razao/index/extsort"
	"razao/index/segment"
)

// EncodedTerms returns the terms of a document as they are sorted and inverted: each its length, then its key.
func EncodedTerms(d *Doc) []byte {
	var e encoder
	payload := e.encode(d)
	return payload[column.EncodedLen(payload):]
}

// InvertTo writes one run of all documents and returns what makes it the segment and the orders of a folder.
func InvertTo(t *testing.T, docs []Doc, path string) (merge func(dir string) error) {
	t.Helper()
	sorter, err := extsort.New(filepath.Join(t.TempDir(), "sort"), extsort.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := Writer{sorted: sorter.Writer()}
	for i := range docs {
		if err := w.Add(&docs[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var parts []runPart
	err = extsort.Run(t.Context(), sorter, 1, func(b *extsort.Bucket) (run, error) {
		return newInverter().run(b, path)
	}, func(r run) error {
		r.users.Add(1) // the file stays: only writeOrders gives it up
		parts = cut([]run{r}, 0, r.docs)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return func(dir string) error {
		err := segment.Write(filepath.Join(dir, "segment"), uint64(len(docs)), func(w *segment.Writer) error {
			return mergeRuns(t.Context(), parts, w)
		})
		return cmp.Or(err, writeOrders(t.Context(), dir, parts))
	}
}
