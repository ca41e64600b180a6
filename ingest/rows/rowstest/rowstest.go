// Package rowstest runs a loader over files, without a store, and keeps everything that it made of
// them. It is for the tests of loaders.
package rowstest

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"testing"

	"razao/ingest/rows"
	"razao/internal/data/cnpj"
	"razao/internal/store/registry"
)

// Loaded is everything that a loader made of its files.
type Loaded struct {
	Records map[string][]rows.Record // by source, in the order of files and lines
	Facts   rows.Facts
	Figures *rows.Figures
	Rejects []registry.Reject

	mu sync.Mutex
}

// Load runs a loader over a folder or file. It returns the loader's error together with the result
// until then; files that cannot be opened fail the test.
func Load(t testing.TB, l rows.Loader, from string, o rows.FindOptions) (*Loaded, error) {
	t.Helper()
	in, err := rows.Find(t.Context(), from, t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	return Run(t, l, in)
}

// Run is [Load] for an input that is open already.
func Run(t testing.TB, l rows.Loader, in *rows.Input) (*Loaded, error) {
	t.Helper()
	loaded := &Loaded{Records: map[string][]rows.Record{}}
	out := rows.NewOutput(func(source string) rows.Sink { return sink{loaded, source} }, nil)
	var err error
	loaded.Facts, err = l.Read(t.Context(), in, out)
	loaded.Figures, loaded.Rejects = out.Figures(), out.Rejects()
	for _, records := range loaded.Records {
		slices.SortStableFunc(records, func(a, b rows.Record) int {
			return cmp.Or(cmp.Compare(a.Where.File, b.Where.File), cmp.Compare(a.Where.Line, b.Where.Line), cmp.Compare(a.Identity, b.Identity))
		})
	}
	return loaded, err
}

// All returns the records of a loader with one source, in the order of files and lines; nil if
// there are none. Records of several sources fail the test.
func (l *Loaded) All(t testing.TB) []rows.Record {
	t.Helper()
	if len(l.Records) > 1 {
		t.Fatalf("records of %d sources", len(l.Records))
	}
	for _, records := range l.Records {
		return records
	}
	return nil
}

// Served returns the records of All in the order in which they are served: by root, then by Order.
func (l *Loaded) Served(t testing.TB) []rows.Record {
	t.Helper()
	return slices.SortedStableFunc(slices.Values(l.All(t)), func(a, b rows.Record) int {
		return cmp.Or(cmp.Compare(a.Owner.Root, b.Owner.Root), cmp.Compare(a.Order, b.Order))
	})
}

// Rejected returns the column of every rejected row, in the order of files and lines.
func (l *Loaded) Rejected() (columns []string) {
	for _, r := range l.Rejects {
		columns = append(columns, r.Column)
	}
	return columns
}

// sink keeps deep copies of the records of one source, because a loader reuses what it hands on. It
// is safe for concurrent use.
type sink struct {
	to     *Loaded
	source string
}

func (s sink) Add(r *rows.Record) error {
	kept := *r
	kept.Order = strings.Clone(r.Order)
	kept.Identity, kept.Version = strings.Clone(r.Identity), strings.Clone(r.Version)
	kept.Owner.Published = strings.Clone(r.Owner.Published)
	kept.Values = nil
	for _, value := range r.Values {
		kept.Values = append(kept.Values, strings.Clone(value))
	}
	s.to.mu.Lock()
	defer s.to.mu.Unlock()
	s.to.Records[s.source] = append(s.to.Records[s.source], kept)
	return nil
}

func (s sink) Close() error { return nil }

// Owner returns the owner for a CNPJ, with or without punctuation: an establishment for 14
// positions, the company for 8. Anything else fails the test.
func Owner(t testing.TB, number string) rows.Owner {
	t.Helper()
	number = cnpj.Unmask(number)
	if root, err := cnpj.ParseRoot(number); err == nil {
		return rows.Owner{Root: root}
	}
	full, err := cnpj.ParseFull(number)
	if err != nil {
		t.Fatalf("%s: %v", number, err)
	}
	return rows.Owner{Root: full.Root(), Order: full.Order()}
}
