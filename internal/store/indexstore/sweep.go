package indexstore

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"time"

	"razao/index/folder"
	"razao/internal/store/registry"
)

// Needed returns the indexes that may still be served, newest first, and the ids of all loads of
// the snapshots. Of each load of companies only the index published last counts. The snapshots are
// those of registry.Store.Snapshots, which keeps only loads that still exist.
func Needed(snapshots []registry.Snapshot) (indexes []string, loads map[int64]bool) {
	loads = map[int64]bool{}
	seen := map[int64]bool{}
	for _, s := range snapshots {
		for _, id := range s.Loads {
			loads[id] = true
		}
		of := s.Loads[registry.Receita]
		if s.IndexName != "" && !seen[of] && !slices.Contains(indexes, s.IndexName) {
			indexes = append(indexes, s.IndexName)
		}
		seen[of] = true
	}
	return indexes, loads
}

// Sweep is the garbage collector of the store: it removes listings that have been unneeded for the
// grace period, then files that no remaining listing reaches and that are older than it. A younger
// file may belong to an index that is being sent. It returns the number of removed files, listings
// included.
func (p *Publisher) Sweep(ctx context.Context, needed []string, now time.Time) (removed int, err error) {
	named, removed, err := p.sweepListings(ctx, needed, now)
	if err != nil {
		return removed, fmt.Errorf("clear up %s: %w", p.Store, err)
	}
	all, err := p.stored(ctx)
	for name, o := range all {
		if err == nil && !named[name] && now.Sub(o.Written) >= p.Grace {
			if err = p.remove(ctx, name); err == nil {
				removed++
			}
		}
	}
	if err != nil {
		return removed, fmt.Errorf("clear up %s: %w", p.Store, err)
	}
	return removed, nil
}

// remove deletes one file within smallTimeout.
func (p *Publisher) remove(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, smallTimeout)
	defer cancel()
	return p.Store.Remove(ctx, name)
}

// sweepListings marks and removes listings and returns the files that the others reach. If one
// cannot be read, what it reaches is unknown, so nothing may be removed: that is an error.
func (p *Publisher) sweepListings(ctx context.Context, needed []string, now time.Time) (named map[string]bool, removed int, err error) {
	indexes, err := p.listed(ctx)
	if err != nil {
		return nil, 0, err
	}
	named = map[string]bool{}
	for _, index := range indexes {
		l, err := readListing(ctx, p.Store, index)
		if err != nil {
			return nil, removed, err
		}
		gone, err := p.updateMark(ctx, l, slices.Contains(needed, index), now)
		if err != nil {
			return nil, removed, err
		}
		if gone {
			removed++
			continue
		}
		m, _, err := readManifest(ctx, p.Store, l)
		if err != nil && (!errors.Is(err, folder.ErrFormat) || len(m.Files) == 0) {
			return nil, removed, err
		}
		for _, f := range append(l.Files, m.Files...) {
			named[contentName(f.SHA256)] = true
		}
	}
	return named, removed, nil
}

// listed returns the names of the indexes that have a listing.
func (p *Publisher) listed(ctx context.Context) (indexes []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, smallTimeout)
	defer cancel()
	for o, err := range p.Store.List(ctx, listingsPrefix) {
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", listingsPrefix, err)
		}
		indexes = append(indexes, path.Base(o.Name))
	}
	return indexes, nil
}

// updateMark updates a listing's mark: since when it is unneeded, or that it is needed again. It
// removes the listing and returns true once the grace period is over.
func (p *Publisher) updateMark(ctx context.Context, l *listing, needed bool, now time.Time) (gone bool, err error) {
	since := now.UTC().Round(0)
	if l.Unneeded != nil {
		since = *l.Unneeded
	}
	switch {
	case needed && l.Unneeded == nil:
		return false, nil
	case needed:
		l.Unneeded = nil
	case now.Sub(since) >= p.Grace:
		return true, p.remove(ctx, listingsPrefix+l.Index)
	case l.Unneeded != nil:
		return false, nil
	default:
		p.Log.Info("no load needs an index of the store any more", "index", l.Index, "removed_after", since.Add(p.Grace))
		l.Unneeded = &since
	}
	body, err := l.encode()
	if err != nil {
		return false, err
	}
	return false, putSmall(ctx, p.Store, listingsPrefix+l.Index, body)
}
