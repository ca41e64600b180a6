package indexstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"razao/index/flags"
	"razao/index/folder"
	"razao/internal/store/registry"
)

// Publisher sends indexes from a folder to a store and removes what nothing needs any longer. The
// caller ensures that it is the only one at work: see registry.Store.Lock.
type Publisher struct {
	Store  Writable
	Dir    string // one folder for each index
	Log    *slog.Logger
	Verify bool          // read back what the store already has, and send damaged files again
	Grace  time.Duration // how long unneeded files stay, for nodes that are fetching them
}

// DefaultGrace is a Grace far longer than any fetch.
const DefaultGrace = 24 * time.Hour

// Sent reports what it took to bring an index into the store.
type Sent struct {
	Index     string
	Files     int // of the index and its flags
	Bytes     int64
	SentFiles int // the other files were already there
	SentBytes int64
}

// errOther is the error of an index whose name the store has for another index: most likely the
// store belongs to another database.
var errOther = errors.New("the store has another index of this name: is it the store of another database?")

// Send brings an index and all its flags into the store, files first, then the listing. Files that
// the store has are not sent again, so an interrupted Send resumes. The result is valid with an
// error, too.
func (p *Publisher) Send(ctx context.Context, index string) (Sent, error) {
	sent, err := p.send(ctx, index)
	if err != nil {
		return sent, fmt.Errorf("send index %s to %s: %w", index, p.Store, err)
	}
	p.Log.Info("index in the store", "index", index, "store", p.Store.String(), "files", sent.Files, "bytes", sent.Bytes,
		"sent", sent.SentFiles, "sent_bytes", sent.SentBytes)
	return sent, nil
}

func (p *Publisher) send(ctx context.Context, index string) (Sent, error) {
	dir := filepath.Join(p.Dir, index)
	m, err := folder.Read(dir)
	if err != nil {
		return Sent{}, err
	}
	now, err := p.describe(ctx, dir, index)
	if err != nil {
		return Sent{}, err
	}
	// A damaged listing is replaced. One that cannot be read may be that of another index.
	before, err := readListing(ctx, p.Store, index)
	switch {
	case errors.Is(err, errListing):
		p.Log.Warn("replacing a listing", "index", index, "error", err)
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return Sent{}, err
	case before.manifest().SHA256 != now.manifest().SHA256:
		return Sent{}, errOther
	}
	sent, err := p.sendFiles(ctx, dir, append(now.Files, m.Files...))
	sent.Index = index
	if err != nil {
		return sent, err
	}
	body, err := now.encode()
	if err == nil && before != nil {
		var was string
		if was, err = before.encode(); was == body {
			return sent, err
		}
	}
	if err != nil {
		return sent, err
	}
	return sent, putSmall(ctx, p.Store, listingsPrefix+index, body)
}

// describe returns the listing of a local index.
func (p *Publisher) describe(ctx context.Context, dir, index string) (*listing, error) {
	l := &listing{Version: listingVersion, Index: index}
	flagPaths, err := flags.List(dir)
	if err != nil {
		return nil, err
	}
	for _, path := range append([]string{folder.ManifestName}, flagPaths...) {
		f, err := describe(ctx, filepath.Join(dir, filepath.FromSlash(path)), path)
		if err != nil {
			return nil, err
		}
		l.Files = append(l.Files, f)
	}
	return l, nil
}

// sendFiles sends the files that the store lacks, several in parallel.
func (p *Publisher) sendFiles(ctx context.Context, dir string, files []folder.File) (Sent, error) {
	out := Sent{Files: len(files)}
	there, err := p.stored(ctx)
	if err != nil {
		return out, err
	}
	var sentFiles, sentBytes atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(filesAtOnce)
	claimed := map[string]bool{} // files of equal content are one file
	for _, f := range files {
		out.Bytes += f.Bytes
		// Empty files are never fetched, and some servers refuse them.
		if claimed[f.SHA256] || f.Bytes == 0 {
			continue
		}
		claimed[f.SHA256] = true
		g.Go(func() error {
			o, ok := there[contentName(f.SHA256)]
			if ok && o.Bytes == f.Bytes && (!p.Verify || p.isWhole(ctx, f)) {
				return nil
			}
			if err := p.sendFile(ctx, dir, f); err != nil {
				return fmt.Errorf("%s: %w", f.Path, err)
			}
			sentFiles.Add(1)
			sentBytes.Add(f.Bytes)
			return nil
		})
	}
	err = g.Wait()
	out.SentFiles, out.SentBytes = int(sentFiles.Load()), sentBytes.Load()
	return out, err
}

// stored returns the objects below files/ by name.
func (p *Publisher) stored(ctx context.Context) (map[string]Object, error) {
	ctx, cancel := context.WithTimeout(ctx, smallTimeout)
	defer cancel()
	all := map[string]Object{}
	for o, err := range p.Store.List(ctx, filesPrefix) {
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", filesPrefix, err)
		}
		all[o.Name] = o
	}
	return all, nil
}

// isWhole reads a file of the store and reports whether it matches its checksum.
func (p *Publisher) isWhole(ctx context.Context, f folder.File) bool {
	ctx, begin, end, stop := watchdog(ctx, silence)
	defer stop()
	r, err := p.Store.Open(ctx, contentName(f.SHA256), 0)
	if err == nil {
		got := newDigest()
		if err = receive(newWatched(r, begin, end), got, got, f); err == nil {
			err = got.verdict(f)
		}
		_ = r.Close()
	}
	if err != nil {
		p.Log.Warn("a file in the store is sent again", "file", f.Path, "name", contentName(f.SHA256), "error", caused(ctx, err))
	}
	return err == nil
}

// sendFile sends one file and verifies it on the way: see checked.
func (p *Publisher) sendFile(ctx context.Context, dir string, f folder.File) error {
	file, err := os.Open(filepath.Join(dir, filepath.FromSlash(f.Path)))
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	ctx, begin, _, stop := watchdog(ctx, sendStall)
	defer stop()
	err = p.Store.Put(ctx, contentName(f.SHA256), f.Bytes, &verifyingReader{file, f, newDigest(), begin})
	return caused(ctx, err)
}

// BeforeSwitch is Send for the publication of a snapshot, which must not fail for the sake of other
// servers: it logs the error instead.
func (p *Publisher) BeforeSwitch(ctx context.Context, index string) {
	if _, err := p.Send(ctx, index); err != nil && ctx.Err() == nil {
		p.Log.Error("other servers cannot have the index yet; `razao publish` tries again", "index", index, "error", err)
	}
}

// All sends every index that a kept snapshot needs, then sweeps the store, and writes a line for
// each to out. It holds the lock of loads (registry.ErrBusy) and checks before the sweep that it
// still does. An index that exists only in the store stays there. Failures of single indexes are
// joined; the others are sent.
func (p *Publisher) All(ctx context.Context, records *registry.Store, out io.Writer) error {
	lock, err := records.Lock(ctx)
	if err != nil {
		return err
	}
	defer lock.Release()
	snapshots, err := records.Snapshots(ctx)
	if err != nil {
		return err
	}
	needed, _ := Needed(snapshots)
	var failed []error
	for _, index := range needed {
		if _, err := os.Stat(filepath.Join(p.Dir, index)); errors.Is(err, fs.ErrNotExist) {
			if _, err := readListing(ctx, p.Store, index); err != nil {
				failed = append(failed, fmt.Errorf("index %s is not on this machine, and in %s: %w", index, p.Store, err))
			}
			continue
		}
		s, err := p.Send(ctx, index)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		fmt.Fprintf(out, "%s: %d files, %d bytes; sent %d files, %d bytes; the others were there\n", index, s.Files, s.Bytes, s.SentFiles, s.SentBytes)
	}
	if err := lock.Held(ctx); err != nil {
		return errors.Join(append(failed, err)...)
	}
	removed, err := p.Sweep(ctx, needed, time.Now())
	if removed > 0 {
		fmt.Fprintf(out, "removed %d files that no load needs\n", removed)
	}
	return errors.Join(append(failed, err)...)
}
