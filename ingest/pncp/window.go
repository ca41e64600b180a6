package pncp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	extension   = ".jsonl"      // one contract per line
	incomplete  = ".incomplete" // suffix of a file until its window is whole
	maxAttempts = 5             // of one window, if it keeps changing
)

// errChanged reports that the pages of one attempt do not belong together.
var errChanged = errors.New("the window changed while it was being fetched")

// window is a run of days, both included.
type window struct {
	first, last time.Time
	file        string // path of a complete window; "" of a missing one
}

// String returns the first and the last day, for errors and logs.
func (w window) String() string { return date(w.first) + " to " + date(w.last) }

// path returns the path of a window's finished file.
func (f *fetcher) path(w window) string {
	return filepath.Join(f.Dir, f.prefix+date(w.first)+"_"+date(w.last)+extension)
}

// openFolder creates the folder and deletes unfinished files: their pages may have changed since.
func (f *fetcher) openFolder() error {
	if err := os.MkdirAll(f.Dir, 0o700); err != nil {
		return fmt.Errorf("folder for contracts: %w", err)
	}
	entries, err := os.ReadDir(f.Dir)
	if err != nil {
		return fmt.Errorf("folder for contracts: %w", err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), f.prefix) && strings.HasSuffix(e.Name(), extension+incomplete) {
			if err := os.Remove(filepath.Join(f.Dir, e.Name())); err != nil {
				return fmt.Errorf("folder for contracts: %w", err)
			}
		}
	}
	return nil
}

// missing returns the windows of the days that no complete file covers. A window ends before the
// next covered day, so files never overlap.
func (f *fetcher) missing() ([]window, error) {
	held, err := f.held()
	if err != nil {
		return nil, err
	}
	var missing []window
	for day := f.From; !day.After(f.To); {
		covers := func(h window) bool { return !h.first.After(day) && !h.last.Before(day) }
		if i := slices.IndexFunc(held, covers); i >= 0 {
			f.Log.Info("window is there already", "window", held[i].String())
			day = held[i].last.AddDate(0, 0, 1)
			continue
		}
		w := window{first: day, last: day.AddDate(0, 0, f.days-1)}
		if w.last.After(f.To) {
			w.last = f.To
		}
		for _, h := range held {
			if h.first.After(day) && !h.first.After(w.last) {
				w.last = h.first.AddDate(0, 0, -1)
			}
		}
		missing = append(missing, w)
		day = w.last.AddDate(0, 0, 1)
	}
	return missing, nil
}

// held returns the complete windows of the folder by their files' names, packed ones included.
func (f *fetcher) held() ([]window, error) {
	entries, err := os.ReadDir(f.Dir)
	if err != nil {
		return nil, fmt.Errorf("folder for contracts: %w", err)
	}
	var held []window
	for _, e := range entries {
		days, ok := strings.CutPrefix(e.Name(), f.prefix)
		days, named := strings.CutSuffix(strings.TrimSuffix(days, ".gz"), extension)
		first, last, parted := strings.Cut(days, "_")
		if !ok || !named || !parted {
			continue
		}
		w := window{file: filepath.Join(f.Dir, e.Name())}
		var firstErr, lastErr error
		w.first, firstErr = time.Parse(time.DateOnly, first)
		w.last, lastErr = time.Parse(time.DateOnly, last)
		if firstErr == nil && lastErr == nil {
			held = append(held, w)
		}
	}
	return held, nil
}

// fetch downloads one window, with further attempts while it changes.
func (f *fetcher) fetch(ctx context.Context, w window) error {
	for range maxAttempts {
		contracts, err := f.attempt(ctx, w)
		if err == nil {
			f.Log.Info("window complete", "window", w.String(), "contracts", contracts)
			return nil
		}
		if !errors.Is(err, errChanged) {
			return err
		}
		f.Log.Warn("fetching the window again", "window", w.String(), "error", err)
	}
	return fmt.Errorf("%w, %d times: try again later", errChanged, maxAttempts)
}

// attempt downloads all pages of a window once. The file is flushed and synced before it is
// renamed, so that a crash cannot leave a truncated file under a final name.
func (f *fetcher) attempt(ctx context.Context, w window) (contracts int64, err error) {
	path := f.path(w) + incomplete
	file, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = file.Close() }()
	out := bufio.NewWriterSize(file, 1<<20)
	contracts, err = f.pages(ctx, w, out)
	if err != nil {
		return 0, err
	}
	if err := errors.Join(out.Flush(), file.Sync(), file.Close()); err != nil {
		return 0, err
	}
	return contracts, os.Rename(path, f.path(w))
}

// pages writes the contracts of all pages, one per line, and returns their number, or an errChanged
// when the totals of a page differ from the first page's or do not match what arrived.
func (f *fetcher) pages(ctx context.Context, w window, out *bufio.Writer) (contracts int64, err error) {
	var first totals
	for number := 1; ; number++ {
		p, err := f.page(ctx, w, number)
		if err != nil {
			return 0, err
		}
		if number == 1 {
			first = p.totals
		}
		if p.totals != first {
			return 0, fmt.Errorf("%w: page 1 spoke of %d contracts on %d pages, page %d of %d on %d",
				errChanged, first.Contracts, first.Pages, number, p.Contracts, p.Pages)
		}
		if len(p.Data) == 0 && number < first.Pages {
			return 0, fmt.Errorf("%w: page %d of %d is empty", errChanged, number, first.Pages)
		}
		for _, c := range p.Data {
			_, _ = out.Write(c) // bufio.Writer keeps its first error for Flush
			_ = out.WriteByte('\n')
		}
		contracts += int64(len(p.Data))
		f.report()
		if number >= first.Pages {
			break
		}
	}
	if contracts != first.Contracts {
		return 0, fmt.Errorf("%w: its pages hold %d contracts where %d were announced", errChanged, contracts, first.Contracts)
	}
	return contracts, nil
}
