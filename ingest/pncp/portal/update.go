package portal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// Update brings a folder up to yesterday in Brasília: the contracts published since the newest day that it holds (from
// Options.From on when it holds none), and then those amended since the oldest of its files was fetched. Which day that was
// is the time of change of the file: who copies the folder keeps it. Options.To is not looked at.
func Update(ctx context.Context, o Options) error {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.To = inBrasilia(o.Now()).AddDate(0, 0, -1)
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
	if o.From, o.ByUpdate = fetched, true; fetched.IsZero() || o.From.After(o.To) {
		return nil // what has just been fetched is as it is now
	}
	return Fetch(ctx, o)
}

// publications returns the newest day whose contracts the folder holds by publication, and the day on which the oldest of
// these files was fetched; zero when there is none.
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

// inBrasilia returns the day that a moment belongs to in Brasília.
func inBrasilia(t time.Time) time.Time {
	return dayOf(t.In(time.FixedZone("Brasília", -3*60*60)))
}
