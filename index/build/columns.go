package build

import (
	"context"
	"errors"
	"fmt"
	"os"

	"razao/index/column"
	"razao/index/figures"
)

// columns writes what stands beside the shards from the attributes of all documents: the columns and the figures of places.
func (b *Builder) columns(ctx context.Context, runs []run) (err error) {
	w, err := column.NewWriter(b.path("index"), b.tmp, b.options.BucketBytes)
	if err != nil {
		return fmt.Errorf("columns: %w", err)
	}
	defer func() { err = errors.Join(err, w.Remove()) }()
	sums := figures.NewTotals(b.options.Month)
	for _, r := range runs {
		if err := errors.Join(ctx.Err(), addAttributes(r.path+attributesSuffix, w, sums)); err != nil {
			return fmt.Errorf("attributes: %w", err)
		}
	}
	if err := sums.Write(b.path("index")); err != nil {
		return fmt.Errorf("figures: %w", err)
	}
	return w.Finish(ctx, b.options.Workers)
}

// addAttributes hands on the attributes of a run's documents, in their order, and deletes the file.
func addAttributes(path string, w *column.Writer, sums *figures.Totals) error {
	body, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for ; len(body) > 0; body = body[column.EncodedLen(body):] {
		a := column.Decode(body)
		sums.Add(&a)
		if err := w.Add(&a); err != nil {
			return err
		}
	}
	return os.Remove(path)
}
