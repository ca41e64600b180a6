package pncp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// Update brings a folder up to yesterday in Brasília. It first fetches the contracts published
// since the newest day that the folder holds, or since o.From when it holds none. Then it fetches
// the contracts amended since the oldest publication file was fetched, because those files may hold
// former versions of them; files of them are named pncp_atualizacoes_…. The day of a fetch is the
// modification time of its file, so copies of the folder must preserve it. o.To is ignored.
//
// Both steps fetch only what is missing; errors are those of [Fetch].
func Update(ctx context.Context, o Options) error {
	if o.now == nil {
		o.now = time.Now
	}
	o.To = inBrasilia(o.now()).AddDate(0, 0, -1)
	newest, fetched, err := publications(o.Dir)
	if err != nil {
		return err
	}
	if !newest.IsZero() {
		o.From = newest.AddDate(0, 0, 1)
	}
	if !o.From.After(o.To) {
		if err := Fetch(ctx, o); err != nil {
			return err
		}
	}
	if o.From = fetched; fetched.IsZero() || o.From.After(o.To) {
		return nil // everything has just been fetched: nothing can be out of date
	}
	return download(ctx, o, updatePrefix)
}

// publications returns the newest day that the folder holds by publication, and the day on which
// the oldest of its publication files was fetched; both are zero when there are none or no folder.
func publications(dir string) (newest, fetched time.Time, err error) {
	f := &fetcher{Options: Options{Dir: dir}, prefix: publicationPrefix}
	held, err := f.held()
	if errors.Is(err, fs.ErrNotExist) {
		return newest, fetched, nil
	}
	if err != nil {
		return newest, fetched, err
	}
	for _, w := range held {
		info, err := os.Stat(w.file)
		if err != nil {
			return newest, fetched, fmt.Errorf("folder for contracts: %w", err)
		}
		if day := inBrasilia(info.ModTime()); fetched.IsZero() || day.Before(fetched) {
			fetched = day
		}
		if w.last.After(newest) {
			newest = w.last
		}
	}
	return newest, fetched, nil
}

// inBrasilia returns the day of a moment in Brasília (UTC-3, without daylight saving time since
// 2019).
func inBrasilia(t time.Time) time.Time {
	return dayOf(t.In(time.FixedZone("Brasília", -3*60*60)))
}
