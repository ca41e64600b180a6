package indexstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"razao/internal/web/fetch"
)

// Store is what files are read from, by names with slashes. String describes it for people and
// has no secrets. Implementations are safe for concurrent use.
type Store interface {
	fmt.Stringer
	// Open reads a file from the byte offset from on. The error of a missing file wraps
	// fs.ErrNotExist; one that another attempt may cure is a *fetch.Trouble. Reading fails when ctx
	// ends. The caller closes the reader.
	Open(ctx context.Context, name string, from int64) (io.ReadCloser, error)
}

// Writable is a Store that can also be written to.
type Writable interface {
	Store
	// Put stores a file of exactly size bytes, replacing one of that name atomically: when reading
	// content fails, nothing is stored. It may read content again from its beginning.
	Put(ctx context.Context, name string, size int64, content io.ReadSeeker) error
	// List yields the files whose names begin with prefix, in no particular order. It stops after
	// an error.
	List(ctx context.Context, prefix string) iter.Seq2[Object, error]
	// Remove deletes a file. A missing file is no error.
	Remove(ctx context.Context, name string) error
}

// Object describes a file in a store.
type Object struct {
	Name    string
	Bytes   int64
	Written time.Time // by the clock of the store
}

// Open returns the store at an address: a folder (/path or file:///path), http(s)://host/path (read
// only), or s3://bucket/prefix?endpoint=https://host:port&region=name with credentials from the
// environment. It makes no request. The Store is nil for an empty address. Errors do not repeat
// passwords.
func Open(address string) (Store, error) {
	if address == "" || filepath.IsAbs(address) {
		return openFolder(address), nil
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("it is no address") // url.Parse's error repeats the address with its password
	}
	switch u.Scheme {
	case "file":
		if u.Host == "" && filepath.IsAbs(u.Path) {
			return openFolder(u.Path), nil
		}
	case "http", "https":
		if u.Host != "" && u.RawQuery == "" {
			return openWeb(u), nil
		}
	case "s3":
		return openBucket(u)
	}
	return nil, fmt.Errorf("%q is none of /folder, file:///folder, http(s)://host/path, s3://bucket/prefix?endpoint=https://host", u.Redacted())
}

// Prefixes of the names in a store.
const (
	filesPrefix    = "files/"
	listingsPrefix = "indexes/"
)

// contentName returns the name of the file with a checksum.
func contentName(sha256 string) string { return filesPrefix + sha256 }

// Timeouts. Transfers have none as a whole: see watchdog.
const (
	dialTimeout   = 10 * time.Second // TCP connection, and again for TLS
	answerTimeout = 30 * time.Second // until the headers of a response
	silence       = 30 * time.Second // between bytes that we receive
	sendStall     = 5 * time.Minute  // between reads of what we send: a part of 16 MB has to pass meanwhile
	smallTimeout  = 2 * time.Minute  // whole request for small files and lists
	filesAtOnce   = 4                // transfers in parallel
)

// errSilent is the cause of a transfer cancelled by a watchdog.
var errSilent = errors.New("nothing came for too long")

// watchdog guards a transfer against a stall: it returns a context that is cancelled when a step
// takes longer than limit. begin starts a step, end pauses the timer between steps, stop releases
// the context and must be called. The first step has begun.
func watchdog(ctx context.Context, limit time.Duration) (_ context.Context, begin, end func(), stop context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(limit, func() { cancel(fmt.Errorf("%w (%s)", errSilent, limit)) })
	return ctx, func() { timer.Reset(limit) }, func() { timer.Stop() }, func() { timer.Stop(); cancel(nil) }
}

// caused returns the error of a transfer under a watchdog: silence as a passing trouble, where the
// error itself only says that the context was cancelled.
func caused(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); err != nil && errors.Is(cause, errSilent) {
		return fetch.Passing("%w", cause)
	}
	return err
}

// readSmall reads a whole file into memory. One of more than limit bytes is an error.
func readSmall(ctx context.Context, s Store, name string, limit int64) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, smallTimeout)
	defer cancel()
	r, err := s.Open(ctx, name, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	body, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(body)) > limit {
		err = fmt.Errorf("it has more than %d bytes", limit)
	}
	if err != nil {
		return nil, fmt.Errorf("%s in %s: %w", name, s, err)
	}
	return body, nil
}

// putSmall stores a file from memory.
func putSmall(ctx context.Context, s Writable, name, content string) error {
	ctx, cancel := context.WithTimeout(ctx, smallTimeout)
	defer cancel()
	return s.Put(ctx, name, int64(len(content)), strings.NewReader(content))
}
