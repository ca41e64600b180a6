package extsort_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"razao/index/extsort"
)

// Any number of writers add records in any order. Run returns them bucket by bucket in key order;
// records with the same Hi are in one bucket, so a company is processed together.
func Example() {
	dir, err := os.MkdirTemp("", "extsort")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	sorter, err := extsort.New(filepath.Join(dir, "buckets"), extsort.Options{Boundaries: []uint64{20, 30}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sorter.Remove()

	w := sorter.Writer()
	for _, r := range []struct {
		company, row uint64
		text         string
	}{{25, 2, "partner"}, {11, 1, "company"}, {25, 1, "company"}, {11, 2, "partner"}} {
		if err := w.Add(r.company, r.row, []byte(r.text)); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}

	merge := func(b *extsort.Bucket) (lines []string, err error) { // by several goroutines
		for i := range b.Len() {
			company, row, text := b.At(i)
			lines = append(lines, fmt.Sprintf("%d/%d %s", company, row, text))
		}
		return lines, nil
	}
	write := func(lines []string) error { // by one, in order
		for _, line := range lines {
			fmt.Println(line)
		}
		return nil
	}
	if err := extsort.Run(context.Background(), sorter, 2, merge, write); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 11/1 company
	// 11/2 partner
	// 25/1 company
	// 25/2 partner
}
