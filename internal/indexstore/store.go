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

	"razao/ingest/fetch"
)

// Store is where files are read from, by names with slashes. Its String is for people and has no secrets.
type Store interface {
	fmt.Stringer
	// Open reads a file from a byte on. The error of one that is not there wraps fs.ErrNotExist; one that another attempt may cure is a
	// *fetch.Trouble. What is read ends with ctx.
	Open(ctx context.Context, name string, from int64) (io.ReadCloser, error)
}

// Writable is a Store that can be written to.
type Writable interface {
	Store
	// Put stores a file, in place of one of that name. It is complete or not there, also when reading content fails.
	Put(ctx context.Context, name string, size int64, content io.ReadSeeker) error
	// List returns the files whose names begin with a prefix.
	List(ctx context.Context, prefix string) iter.Seq2[Object, error]
	// Remove deletes a file; one that is not there is no error.
	Remove(ctx context.Context, name string) error
}

// Object is a file in a store.
type Object struct {
	Name    string
	Bytes   int64
	Written time.Time
}

// Open returns the store at an address: a folder (/path or file:///path), http(s)://host/path, to read only, or
// s3://bucket/prefix?endpoint=https://host:port&region=name. Nothing is asked yet. Without an address the store is nil.
func Open(address string) (Store, error) {
	if address == "" || filepath.IsAbs(address) {
		return openFolder(address), nil
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("it is no address") // url.Parse would repeat it, with its password
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

// The names in a store.
const (
	filesPrefix    = "files/"
	listingsPrefix = "indexes/"
)

func contentName(sha256 string) string { return filesPrefix + sha256 }

// The bounds of what is asked. Files have none as a whole: a large one takes as long as it takes.
const (
	dialTimeout   = 10 * time.Second // to connect, and for TLS
	answerTimeout = 30 * time.Second // until an answer begins
	silence       = 30 * time.Second // of a server that sends
	stuck         = 5 * time.Minute  // of one that takes: a part of 16 MB has to pass meanwhile
	smallTimeout  = 2 * time.Minute  // for what is small or only listed
	filesAtOnce   = 4
)

// errSilent is why a transfer ended whose other side did nothing for too long.
var errSilent = errors.New("nothing came for too long")

// watch returns a context that ends when a transfer stands still for so long, and what to call before and after each step of it.
func watch(ctx context.Context, limit time.Duration) (_ context.Context, begin, end func(), stop context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(limit, func() { cancel(fmt.Errorf("%w (%s)", errSilent, limit)) })
	return ctx, func() { timer.Reset(limit) }, func() { timer.Stop() }, func() { timer.Stop(); cancel(nil) }
}

// caused returns why a transfer under watch failed: silence rather than the end of its context.
func caused(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); err != nil && errors.Is(cause, errSilent) {
		return fetch.Passing("%w", cause)
	}
	return err
}

// readSmall returns a file of at most limit bytes.
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

func putSmall(ctx context.Context, s Writable, name, content string) error {
	ctx, cancel := context.WithTimeout(ctx, smallTimeout)
	defer cancel()
	return s.Put(ctx, name, int64(len(content)), strings.NewReader(content))
}
