package download

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"razao/internal/web/fetch"
)

// Bounds of transfers.
const (
	maxBytes   = 16 << 30  // of a file, ten times the largest
	maxDamaged = 3         // times that a file may arrive complete but damaged
	chunk      = 256 << 10 // bytes between writes and reports of progress
)

// download brings the file at a place into the folder, as a part that waits for publish or as the
// unchanged file. An attempt that adds bytes resets the count of failures, so a server that breaks
// off often still delivers; damaged arrivals are counted apart.
func (r *run) download(ctx context.Context, f *folder, p place) error {
	best, damaged := f.held(p), 0
	return r.retry.Do(ctx, p.name, func() (bool, error) {
		err := r.attempt(ctx, f, p)
		if errors.Is(err, fetch.ErrDamaged) {
			if damaged++; damaged == maxDamaged {
				return false, &fetch.Trouble{Err: fmt.Errorf("%w: it arrived so %d times: the published file is broken", err, damaged)}
			}
			best = 0
		}
		held := f.held(p)
		further := held > best
		best = max(best, held)
		return further, err
	})
}

// attempt makes one request for the missing bytes of a file and checks it once it is complete.
func (r *run) attempt(ctx context.Context, f *folder, p place) error {
	// A former run ended between the last byte and the check.
	if part := f.partOf(p); part != nil && !part.Whole && part.Bytes == f.held(p) {
		if err := f.check(ctx, p); err != nil {
			return err
		}
	}
	header, held := f.conditions(p)
	a, err := r.get(ctx, p.address, header)
	if err != nil {
		return err
	}
	defer a.Close()
	var from int64
	switch a.StatusCode {
	case http.StatusNotModified:
		if header.Get("If-None-Match") == "" && header.Get("If-Modified-Since") == "" {
			return r.refusal(a)
		}
		r.Log.Info("the file has not changed", "file", p.name)
		return f.unchanged(p)
	case http.StatusOK:
	case http.StatusPartialContent:
		if err := f.continues(a, p, held); err != nil {
			return errors.Join(err, f.drop(p.name))
		}
		from = held
	case http.StatusRequestedRangeNotSatisfiable:
		err := &fetch.Trouble{Err: fmt.Errorf("the server does not know the bytes from %d on", held), Again: true}
		return errors.Join(err, f.drop(p.name))
	default:
		return r.refusal(a)
	}
	if a.IsPage() {
		return pageError(p.address)
	}
	return r.receive(ctx, f, p, a, from)
}

// continues returns nil if a 206 continues the part: the offset asked for, the same total, the same
// ETag.
func (f *folder) continues(a *fetch.Answer, p place, held int64) error {
	part := f.partOf(p)
	var from, last, total int64
	_, err := fmt.Sscanf(a.Header.Get("Content-Range"), "bytes %d-%d/%d", &from, &last, &total)
	sent := a.Header.Get("ETag")
	switch {
	case part == nil || err != nil || from != held || part.Bytes > 0 && total != part.Bytes:
		err = fmt.Errorf("the server sent %q when asked for the bytes from %d on", a.Header.Get("Content-Range"), held)
	case sent != "" && sent != part.ETag:
		err = errors.New("the server went on with another version of the file")
	default:
		part.Bytes = total
		return nil
	}
	return &fetch.Trouble{Err: err, Again: true}
}

// receive appends the body of an answer to the part, at offset from, syncs and checks it. from 0
// starts a new part.
func (r *run) receive(ctx context.Context, f *folder, p place, a *fetch.Answer, from int64) error {
	if from == 0 {
		if err := f.start(p, a); err != nil {
			return err
		}
	}
	total := f.Parts[p.name].Bytes
	if err := r.roomFor(f.dir, total-from); err != nil {
		return err
	}
	part, err := os.OpenFile(f.part(p.name), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	err = r.copyBody(part, a, p.name, from, total)
	if err := errors.Join(err, part.Sync(), part.Close()); err != nil {
		return err
	}
	if err := f.check(ctx, p); err != nil {
		return err
	}
	r.Log.Info("file complete", "file", p.name, "bytes", f.held(p))
	return nil
}

// roomFor refuses a file that is larger than maxBytes or than the free disk.
func (r *run) roomFor(dir string, missing int64) error {
	if missing > maxBytes {
		return tooLarge()
	}
	if free, known := r.free(dir); known && missing > free {
		return fmt.Errorf("the download needs %d bytes more, but %s has only %d free: free space and start again", missing, dir, free)
	}
	return nil
}

func tooLarge() error {
	return &fetch.Trouble{Err: fmt.Errorf("the file has more than %d bytes", int64(maxBytes))}
}

// copyBody appends a body to a part that holds from bytes. total is 0 if the server did not state
// it; a body that ends early is a failure that may be retried.
func (r *run) copyBody(part *os.File, a *fetch.Answer, name string, from, total int64) error {
	buf := make([]byte, chunk)
	for done := from; ; {
		n, err := a.Read(buf)
		if done+int64(n) > maxBytes {
			return tooLarge()
		}
		if _, err := part.Write(buf[:n]); err != nil {
			return fmt.Errorf("%w: free space and start again, what has arrived is kept", err)
		}
		done += int64(n)
		r.Progress(name, done, total)
		switch {
		case err == io.EOF && total > 0 && done != total:
			return &fetch.Trouble{Err: fmt.Errorf("the server ended after %d of %d bytes", done, total), Again: true}
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// version identifies one state of a published file by the validators of HTTP.
type version struct {
	Address  string `json:"address"`
	ETag     string `json:"etag,omitempty"`
	Modified string `json:"modified,omitempty"` // Last-Modified as sent
	Bytes    int64  `json:"bytes,omitempty"`    // 0: unknown
	Whole    bool   `json:"whole"`              // complete and checked
}

// versionOf returns the version that an answer carries.
func versionOf(a *fetch.Answer, address string) *version {
	return &version{
		Address: address, ETag: a.Header.Get("ETag"), Modified: a.Header.Get("Last-Modified"), Bytes: max(a.ContentLength, 0),
	}
}

// ifRange returns a strong validator for If-Range: the strong ETag, else Last-Modified. "" if there
// is neither; the part is then not resumed.
func (v *version) ifRange() string {
	if strings.HasPrefix(v.ETag, `"`) {
		return v.ETag
	}
	return v.Modified
}

// conditional returns the header of a conditional request, which answers 304 if the file is still
// this version.
func (v *version) conditional() http.Header {
	h := http.Header{}
	if v.ETag != "" {
		h.Set("If-None-Match", v.ETag)
	} else if v.Modified != "" {
		h.Set("If-Modified-Since", v.Modified)
	}
	return h
}
