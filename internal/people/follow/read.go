package follow

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/journal"
	"razao/internal/store/snapshot"
)

// maxValue bounds a value, in bytes.
const maxValue = 2000

// ErrInvalid means that something cannot be followed: no kind, or no value of it.
var ErrInvalid = errors.New("nothing that can be followed")

// Read returns what somebody asks to follow in the form in which it is stored: a company by its root or the
// number of an establishment, with or without punctuation, a partner and a search as [Kind] says. The errors are
// ErrInvalid, journal.ErrTooWide, and those of [snapshot.Live.Acquire] and [snapshot.Snapshot.Find].
func Read(ctx context.Context, live *snapshot.Live, kind Kind, value string) (Follow, error) {
	f := Follow{Kind: kind}
	switch kind {
	case Company:
		number := cnpj.Unmask(value)
		root, err := cnpj.ParseRoot(number)
		if full, wrong := cnpj.ParseFull(number); wrong == nil {
			root, err = full.Root(), nil
		}
		if err != nil {
			return f, ErrInvalid
		}
		f.Value = root.String()
	case Partner:
		digits, name, _ := strings.Cut(strings.Replace(value, "-", "/", 1), "/") // as in addresses of pages, or as an id of the API
		slug := ptbr.Slug(name)
		if !record.ValidDigits(digits) || slug == "" {
			return f, ErrInvalid
		}
		f.Value = digits + "/" + slug
	case Search:
		q, err := readSearch(ctx, live, value)
		if err != nil {
			return f, err
		}
		f.Value = q.Saved()
	default:
		return f, ErrInvalid
	}
	if len(f.Value) > maxValue {
		return f, ErrInvalid
	}
	return f, nil
}

// readSearch reads a search that is not too wide.
func readSearch(ctx context.Context, live *snapshot.Live, value string) (q journal.Query, err error) {
	filters, err := live.Filters()
	if err != nil {
		return q, err
	}
	snap, err := live.Acquire()
	if err != nil {
		return q, err
	}
	defer snap.Release()
	if q, err = journal.ReadAddress(filters, snap, value); err != nil {
		return q, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return q, journal.CheckWidth(ctx, snap, &q)
}
