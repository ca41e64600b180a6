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
	"razao/internal/registry"
)

// Publisher brings the indexes of a folder into a store, and takes from it what nothing needs any more. The caller sees to it that it
// is the only one: see registry.Store.Lock.
type Publisher struct {
	Store  Writable
	Dir    string // holds one folder for each index
	Log    *slog.Logger
	Verify bool          // read again what the store has already, and send again what is damaged there
	Grace  time.Duration // how long what nothing needs stays, for nodes that are fetching it
}

// DefaultGrace is a Grace that is far longer than any fetch takes.
const DefaultGrace = 24 * time.Hour

// Sent says what it took to bring an index into the store.
type Sent struct {
	Index     string
	Files     int // of the index, with its flags
	Bytes     int64
	SentFiles int // the others were there already
	SentBytes int64
}

// ErrOther is the error of an index under whose name the store has another one.
var ErrOther = errors.New("the store has another index of this name: is it the store of another database?")

// Send brings an index with all its flags into the store. What is there already is not sent again, so that one that was interrupted
// goes on.
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
	// A listing that is damaged is replaced. One that cannot be read may be of another index.
	before, err := readListing(ctx, p.Store, index)
	switch {
	case errors.Is(err, ErrListing):
		p.Log.Warn("replacing a listing", "index", index, "error", err)
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return Sent{}, err
	case before.manifest().SHA256 != now.manifest().SHA256:
		return Sent{}, ErrOther
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

// describe returns the listing of an index folder.
func (p *Publisher) describe(ctx context.Context, dir, index string) (*listing, error) {
	l := &listing{Version: listingVersion, Index: index}
	beside, err := flags.List(dir)
	if err != nil {
		return nil, err
	}
	for _, path := range append([]string{folder.ManifestName}, beside...) {
		f, err := describe(ctx, filepath.Join(dir, filepath.FromSlash(path)), path)
		if err != nil {
			return nil, err
		}
		l.Files = append(l.Files, f)
	}
	return l, nil
}

func (p *Publisher) sendFiles(ctx context.Context, dir string, files []folder.File) (Sent, error) {
	out := Sent{Files: len(files)}
	there, err := p.stored(ctx)
	if err != nil {
		return out, err
	}
	var sentFiles, sentBytes atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(filesAtOnce)
	claimed := map[string]bool{} // files of the same content are one
	for _, f := range files {
		out.Bytes += f.Bytes
		if claimed[f.SHA256] || f.Bytes == 0 { // nobody asks for nothing, and some servers do not take it
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

// stored returns what is below files/ in the store.
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

// isWhole reads a file of the store.
func (p *Publisher) isWhole(ctx context.Context, f folder.File) bool {
	ctx, begin, end, stop := watch(ctx, silence)
	defer stop()
	r, err := p.Store.Open(ctx, contentName(f.SHA256), 0)
	if err == nil {
		got := newDigest()
		if err = receive(&watched{r, begin, end}, got, got, f); err == nil {
			err = got.verdict(f)
		}
		_ = r.Close()
	}
	if err != nil {
		p.Log.Warn("a file in the store is sent again", "file", f.Path, "name", contentName(f.SHA256), "error", caused(ctx, err))
	}
	return err == nil
}

func (p *Publisher) sendFile(ctx context.Context, dir string, f folder.File) error {
	file, err := os.Open(filepath.Join(dir, filepath.FromSlash(f.Path)))
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	ctx, begin, _, stop := watch(ctx, stuck)
	defer stop()
	err = p.Store.Put(ctx, contentName(f.SHA256), f.Bytes, &checked{file, f, newDigest(), begin})
	return caused(ctx, err)
}

// BeforeSwitch is Send for who must not be kept from publishing records: what fails is in the log.
func (p *Publisher) BeforeSwitch(ctx context.Context, index string) {
	if _, err := p.Send(ctx, index); err != nil && ctx.Err() == nil {
		p.Log.Error("other servers cannot have the index yet; `razao publish` tries again", "index", index, "error", err)
	}
}

// All brings every index that a snapshot of records needs into the store and takes from it what none needs, while nobody changes loads
// (registry.ErrBusy), and says what was sent. An index that is only in the store stays there.
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
