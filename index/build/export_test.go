package build

import (
	"context"
	"path/filepath"
	"testing"

	"razao/index/column"
	"razao/index/segment"
	"razao/internal/extsort"
)

// EncodedTerms returns the terms of a document as they are sorted and inverted: each its length, then its key.
func EncodedTerms(d *Doc) []byte {
	var e encoder
	payload := e.encode(d)
	return payload[column.EncodedLen(payload):]
}

// MergeRun writes the segment of one run.
func MergeRun(ctx context.Context, path string, docs int64, to string) error {
	return segment.Write(to, uint64(docs), func(w *segment.Writer) error {
		return mergeRuns(ctx, []runPart{{run{path: path, docs: docs}, 0, docs}}, w)
	})
}

// InvertTo writes one run of all documents.
func InvertTo(t *testing.T, docs []Doc, path string) {
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
	err = extsort.Run(t.Context(), sorter, 1, func(b *extsort.Bucket) (int, error) {
		return b.Len(), newInverter().run(b, path)
	}, func(int) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
}
