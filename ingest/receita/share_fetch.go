package receita

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"razao/ingest/download"
	"razao/internal/data/record"
	"razao/internal/web/fetch"
)

// Limits of a Fetch.
const (
	maxListings = 6 // listings of a month, each after the release was seen to change
	// maxFailures is the number of failures in a row without progress after which a file is given
	// up. The share has had days on which every second request failed; such a day stops fewer than
	// one download of a release in 200.
	maxFailures = 13
)

// Fetch downloads the zips of a month into dir. It returns them when all are complete, verified and
// the same as the share lists at the end: files verified one by one need not be of one publication.
// An incomplete month is an [*IncompleteError], unless accept says that it may be, and touches nothing.
//
// dir, created if missing, belongs to one month. After an error or cancellation a later Fetch resumes
// there. Files that the share lists and the manifest does not know, or knows under another ETag, are
// replaced; others in dir, such as those of an earlier division, are no part of the release.
func (s *Share) Fetch(ctx context.Context, month, dir string, accept Accept) (Release, error) {
	for listing := 1; listing <= maxListings; listing++ {
		listed, err := s.List(ctx, month, accept)
		if err != nil {
			return Release{}, err
		}
		f, err := s.files.Open(dir, source(month))
		if err != nil {
			return Release{}, err
		}
		wanted := s.origins(month, listed.Files)
		if f.Holds(wanted...) {
			return listed.release(month, dir), nil
		}
		err = fetchAll(ctx, f, wanted)
		if errors.Is(err, download.ErrChanged) {
			s.files.Log.Warn("the release changed during its download, listing it again", "month", month, "error", err)
			err = s.files.Sleep(ctx, fetch.Backoff(s.files.Retry.First, listing))
		}
		if ctx.Err() != nil {
			return Release{}, fmt.Errorf("download of %s into %s was stopped, start it again to go on from there: %w", month, dir, ctx.Err())
		}
		if err != nil {
			return Release{}, explain(fmt.Errorf("download of %s into %s: %w", month, dir, err))
		}
	}
	return Release{}, fmt.Errorf("download of %s into %s: %w and again: it is being published right now, try again later", month, dir, download.ErrChanged)
}

// release returns the release of the listed files in the folder that they were downloaded into.
func (l *Listing) release(month, dir string) Release {
	r := Release{Month: month, Missing: l.Missing, Unread: l.Unread}
	for _, f := range l.Files {
		p, _ := partOf(f.Name)
		r.Files = append(r.Files, File{Name: f.Name, Path: filepath.Join(dir, f.Name), Table: p.table})
	}
	return r
}

// source is the name of a month in the manifest of its folder.
func source(month string) string { return "receita " + month }

// origins returns where the files of a month lie, the largest first.
func (s *Share) origins(month string, files []ListedFile) []download.Origin {
	var origins []download.Origin
	for _, file := range files {
		origins = append(origins, download.Origin{
			Address: s.base.JoinPath(month, file.Name).String(), Name: file.Name, Bytes: file.Bytes, ETag: file.ETag,
		})
	}
	slices.SortStableFunc(origins, func(a, b download.Origin) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return origins
}

func fetchAll(ctx context.Context, f *download.Folder, origins []download.Origin) error {
	var files []download.File
	for _, o := range origins {
		files = append(files, download.File{Origins: []download.Origin{o}})
	}
	_, err := f.Fetch(ctx, files)
	return err
}

// AreLoaded reports whether the files that the share lists for a month are those of a load, so that it
// need not be downloaded. It compares names and sizes, and ETags and checksums if the manifest in
// dir, the month's download folder, still exists. The zips may be gone. An unreadable manifest is
// an error.
func AreLoaded(listed []ListedFile, loaded []record.SourceFile, dir, month string) (bool, error) {
	if len(listed) != len(loaded) {
		return false, nil
	}
	m, err := download.ReadManifest(dir, source(month))
	if err != nil {
		return false, err
	}
	for _, file := range listed {
		known, isKnown := m.Files[file.Name]
		i := slices.IndexFunc(loaded, func(l record.SourceFile) bool { return l.Nome == file.Name && l.Bytes == file.Bytes })
		if i < 0 || isKnown && (known.ETag != file.ETag || known.Bytes != file.Bytes || known.SHA256 != loaded[i].SHA256) {
			return false, nil
		}
	}
	return true, nil
}
