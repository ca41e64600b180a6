package download

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"razao/internal/web/fetch"
)

// Bounds of transfers.
const (
	maxBytes   = 16 << 30  // of a file, unless set otherwise
	maxDamaged = 3         // times that a file may arrive complete but damaged
	chunk      = 256 << 10 // bytes between writes and reports of progress
)

// ErrChanged says that a file was published again after it was listed.
var ErrChanged = errors.New("the file was published again during the download")

// ErrBroken says that what is published under the name of a zip is none that can be read.
var ErrBroken = errors.New("the published file is broken")

// File is a file to download and its origins, the best first. An optional file may be missing.
type File struct {
	Origins  []Origin
	Optional bool
}

// Origin is an address, and the name under which the loader knows the file. Bytes and ETag are those
// of a listing, both zero without one: no other version of a listed file is accepted, and one that
// the folder holds costs no request.
type Origin struct {
	Address, Name string
	Bytes         int64
	ETag          string // as sent, with quotes
}

// listed reports whether a listing says which version of the file to expect.
func (o *Origin) listed() bool { return o.ETag != "" }

// Fetch downloads files, gives them their names once all are complete and checked, and returns
// these names. Files that the folder holds unchanged are not sent again. The first error stops all;
// what has arrived is kept. A listed file of another version is [ErrChanged].
func (f *Folder) Fetch(ctx context.Context, files []File) ([]string, error) {
	names := make([]string, len(files))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(f.Streams)
	for i, file := range files {
		if ctx.Err() != nil {
			break
		}
		g.Go(func() (err error) {
			names[i], err = f.bring(ctx, file)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var brought []string
	for _, name := range names {
		if name != "" {
			brought = append(brought, name)
		}
	}
	return brought, f.publish(brought)
}

// bring downloads one file from the first origin that delivers it and returns its name, "" for a
// missing optional one, which is only logged. Local errors, which no other origin can cure, end it at
// once.
func (f *Folder) bring(ctx context.Context, file File) (string, error) {
	var errs []error
	for _, o := range file.Origins {
		err := f.download(ctx, o)
		if err == nil {
			return o.Name, nil
		}
		errs = append(errs, fmt.Errorf("%s: %w", o.Name, err))
		if !errors.As(err, new(*fetch.Trouble)) {
			return "", errs[len(errs)-1] // local: the next origin would not help
		}
		if len(errs) < len(file.Origins) {
			f.Log.Warn("trying another address", "file", o.Name, "address", o.Address, "error", err)
		}
	}
	err := errors.Join(errs...)
	if file.Optional && isMissing(err) {
		f.Log.Warn("a file that accompanies the others is not published", "error", err)
		return "", nil
	}
	return "", err
}

// download brings the file of an origin into the folder, as a part that waits for publish or as the
// unchanged file. An attempt that adds bytes resets the count of failures, so a server that breaks
// off often still delivers, unless all attempts together are slower than [fetch.Pace] allows; damaged
// arrivals are counted apart.
func (f *Folder) download(ctx context.Context, o Origin) error {
	best, damaged := f.held(o), 0
	pace := fetch.Pace{Silence: f.Stall}
	before, ended := best, f.Now()
	return f.Retry.Do(ctx, o.Name, func() (bool, error) {
		waited, err := f.attempt(ctx, o)
		if errors.Is(err, errDamaged) {
			if damaged++; damaged == maxDamaged {
				return false, &fetch.Trouble{Err: fmt.Errorf("%w: it arrived so %d times: %w", err, damaged, ErrBroken)}
			}
			best = 0
		}
		if f.streams.note(err) {
			f.Log.Warn("the server cannot keep up, one stream is left")
		}
		held := f.held(o)
		slow := pace.Slow(held-before, f.Now().Sub(ended)-waited) // with the pause before the attempt
		further := held > best && !slow
		best, before, ended = max(best, held), held, f.Now()
		return further, err
	})
}

// attempt makes one request for the missing bytes of a file and checks it once it is complete. Only
// the transfer occupies a stream, for which it has waited.
func (f *Folder) attempt(ctx context.Context, o Origin) (waited time.Duration, err error) {
	if part, _ := f.partOf(o); f.Holds(o) || o.listed() && part.Whole && f.held(o) == o.Bytes {
		f.report(f.Progress, o.Name, o.Bytes, o.Bytes)
		return 0, nil
	}
	if !f.arrived(o) {
		begun := f.Now()
		leave, err := f.streams.enter(ctx)
		if err != nil {
			return 0, err
		}
		waited = f.Now().Sub(begun)
		unchanged, err := f.transfer(ctx, o)
		leave()
		if err != nil || unchanged {
			return waited, err
		}
	}
	if err := f.check(ctx, o); err != nil {
		return waited, err
	}
	f.Log.Info("file complete", "file", o.Name, "bytes", f.held(o))
	return waited, nil
}

// transfer makes one request for the missing bytes of a file. unchanged means that the folder has
// the published version already.
func (f *Folder) transfer(ctx context.Context, o Origin) (unchanged bool, err error) {
	header, held := f.conditions(o)
	a, err := f.get(ctx, o.Address, header)
	if err != nil {
		return false, err
	}
	defer a.Close()
	from := int64(0)
	switch a.StatusCode {
	case http.StatusNotModified:
		if header.Get("If-None-Match") == "" && header.Get("If-Modified-Since") == "" {
			return false, f.refusal(a)
		}
		f.Log.Info("the file has not changed", "file", o.Name)
		return true, f.unchanged(o)
	case http.StatusOK:
	case http.StatusPartialContent:
		from = held
	case http.StatusRequestedRangeNotSatisfiable:
		return false, errors.Join(fetch.Passing("the server does not know the bytes from %d on", held), f.drop(o.Name))
	default:
		return false, f.refusal(a)
	}
	if a.IsPage() {
		return false, PageError(o.Address)
	}
	if err := f.fits(o, a, held); err != nil {
		return false, err
	}
	f.answered(a)
	return false, f.receive(o, a, from)
}

// fits returns nil if the body of an answer is what was asked for: of the listed version, and a 206
// the continuation of the part: from the offset asked for, with the same total and the same ETag.
// An answer without an ETag passes: sizes and checksums decide then.
func (f *Folder) fits(o Origin, a *fetch.Answer, held int64) error {
	sent := a.Header.Get("ETag")
	if o.listed() && !sameETag(sent, o.ETag) {
		return fmt.Errorf("%w (ETag %s, listed %s): try again later", ErrChanged, sent, o.ETag)
	}
	if a.StatusCode != http.StatusPartialContent {
		if o.listed() && a.ContentLength >= 0 && a.ContentLength != o.Bytes {
			return fetch.Passing("the server wants to send %d bytes where %d are listed", a.ContentLength, o.Bytes)
		}
		return nil
	}
	part, known := f.partOf(o)
	var from, last, total int64
	_, err := fmt.Sscanf(a.Header.Get("Content-Range"), "bytes %d-%d/%d", &from, &last, &total)
	switch {
	case !known || err != nil || from != held || part.Bytes > 0 && total != part.Bytes:
		err = fetch.Passing("the server sent %q when asked for the bytes from %d on", a.Header.Get("Content-Range"), held)
	case !sameETag(sent, part.ETag):
		err = fetch.Passing("the server went on with another version of the file")
	default:
		part.Bytes = total
		return f.setPart(o.Name, part)
	}
	return errors.Join(err, f.drop(o.Name))
}

// sameETag compares the tag of an answer with a known one, ignoring weakness.
func sameETag(sent, known string) bool {
	bare := func(s string) string { return strings.Trim(strings.TrimPrefix(s, "W/"), `"`) }
	return sent == "" || bare(sent) == bare(known)
}

// receive appends the body of an answer to the part, at offset from, and syncs it. from 0 starts a
// new part.
func (f *Folder) receive(o Origin, a *fetch.Answer, from int64) error {
	if from == 0 {
		if err := f.start(o, a); err != nil {
			return err
		}
	}
	part, _ := f.partOf(o)
	if err := f.checkSize(part.Bytes - from); err != nil {
		return err
	}
	w, err := os.OpenFile(f.part(o.Name), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	err = f.copyBody(w, a, o.Name, from, part.Bytes)
	err = errors.Join(err, w.Sync(), w.Close())
	if errors.Is(err, errTooLong) {
		err = errors.Join(err, f.drop(o.Name))
	}
	return err
}

// checkSize refuses a file that is larger than maxBytes or than the free disk.
func (f *Folder) checkSize(missing int64) error {
	if missing > f.MaxBytes {
		return f.tooLarge()
	}
	free, err := f.free(f.dir)
	if err == nil && missing > free {
		err = fmt.Errorf("the download needs %d bytes more, but %s has only %d free: free space and start again", missing, f.dir, free)
	}
	return err
}

func (f *Folder) tooLarge() error {
	return &fetch.Trouble{Err: fmt.Errorf("the file has more than %d bytes", f.MaxBytes)}
}

var errTooLong = errors.New("the server sent more than it announced")

// copyBody appends a body to a part that holds from bytes. total is 0 if the server did not state
// it; a body that ends early or late is a failure that may be retried.
func (f *Folder) copyBody(part *os.File, a *fetch.Answer, name string, from, total int64) error {
	buf := make([]byte, chunk)
	for done := from; ; {
		n, err := a.Read(buf)
		switch {
		case done+int64(n) > f.MaxBytes:
			return f.tooLarge()
		case total > 0 && done+int64(n) > total:
			return fetch.Passing("%w: %d bytes", errTooLong, total)
		}
		if _, err := part.Write(buf[:n]); err != nil {
			return fmt.Errorf("%w: free space and start again, what has arrived is kept", err)
		}
		done += int64(n)
		f.report(f.Progress, name, done, total)
		switch {
		case err == io.EOF && total > 0 && done != total:
			return fetch.Passing("the server ended after %d of %d bytes", done, total)
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// check inspects a part that has arrived in full. A good one is marked whole in the manifest, with
// its digest, a bad one deleted; a local error leaves it for the next run.
func (f *Folder) check(ctx context.Context, o Origin) error {
	sum, err := f.inspect(ctx, o)
	if err != nil {
		if errors.As(err, new(*fetch.Trouble)) {
			return errors.Join(err, f.drop(o.Name))
		}
		return err
	}
	part, _ := f.partOf(o)
	part.Whole, part.Bytes, part.SHA256, part.Arrived = true, f.held(o), sum, f.Now().UTC()
	return f.setPart(o.Name, part)
}

// inspect returns the SHA-256 of a part, or why it cannot be the file that its name promises: empty,
// an HTML page, or a damaged zip.
func (f *Folder) inspect(ctx context.Context, o Origin) (string, error) {
	r, err := os.Open(f.part(o.Name))
	if err != nil {
		return "", err
	}
	defer func() { _ = r.Close() }()
	head := make([]byte, 512)
	n, err := io.ReadFull(r, head)
	switch {
	case err == io.EOF:
		return "", fetch.Passing("the server sent an empty file")
	case err != nil && err != io.ErrUnexpectedEOF:
		return "", err
	case strings.HasPrefix(http.DetectContentType(head[:n]), "text/html"):
		return "", PageError(o.Address)
	}
	h := sha256.New()
	_, _ = h.Write(head[:n]) // a hash takes all
	if _, err := io.Copy(h, fetch.Reader(ctx, r)); err != nil {
		return "", err
	}
	if strings.HasSuffix(o.Name, ".zip") {
		progress := func(done, total int64) { f.report(f.Checking, o.Name, done, total) }
		if err := checkZip(ctx, r, f.held(o), progress); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
