package pncp

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"razao/ingest/frame"
	"razao/internal/registry"
)

// collected is what a load gave.
type collected struct {
	mu      sync.Mutex
	records map[string][]frame.Record // by source
	facts   frame.Facts
	figures *frame.Figures
	rejects []registry.Reject
}

// sink collects the records of one source.
type sink struct {
	to     *collected
	source string
}

func (s sink) Add(r *frame.Record) error {
	kept := *r
	kept.Values = slices.Clone(r.Values)
	s.to.mu.Lock()
	defer s.to.mu.Unlock()
	s.to.records[s.source] = append(s.to.records[s.source], kept)
	return nil
}

func (s sink) Close() error { return nil }

// load reads files, given by name and content, of which those named *.gz are packed.
func load(t *testing.T, workers int, files map[string]string) (*collected, error) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		write(t, filepath.Join(dir, name), content)
	}
	return loadFrom(t, dir, workers)
}

func loadFrom(t *testing.T, dir string, workers int) (*collected, error) {
	t.Helper()
	in, err := frame.Find(t.Context(), dir, t.TempDir(), frame.FindOptions{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	c := &collected{records: map[string][]frame.Record{}}
	out := frame.NewOutput(func(source string) frame.Sink { return sink{c, source} }, nil)
	c.facts, err = Contratos().Read(context.Background(), in, out)
	c.figures, c.rejects = out.Figures(), out.Rejects()
	for _, records := range c.records {
		slices.SortFunc(records, func(a, b frame.Record) int {
			return strings.Compare(fmt.Sprintf("%03d %09d %s", a.Where.File, a.Where.Line, a.Identity), fmt.Sprintf("%03d %09d %s", b.Where.File, b.Where.Line, b.Identity))
		})
	}
	return c, err
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if !strings.HasSuffix(path, ".gz") {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := gzip.NewWriter(f)
	_, err = w.Write([]byte(content))
	if err := errors.Join(err, w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
}
