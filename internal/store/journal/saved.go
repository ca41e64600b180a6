package journal

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"razao/index"
	"razao/index/filter"
	"razao/internal/store/snapshot"
)

// ErrNothingAsked refuses a search with neither words nor filters: it would be the whole country.
var ErrNothingAsked = errors.New("a search with neither words nor filters")

// wordsName is the parameter of a saved search that has its words.
const wordsName = "q"

// ReadSearch reads a saved search, which is the query string of a search: filters, and words in q. It
// returns the filters as they were given, too. The errors are ErrNothingAsked, *filter.ReadError and that of an
// invalid encoding.
func ReadSearch(filters *filter.Reader, snap *snapshot.Snapshot, saved string) ([]filter.Given, Query, error) {
	values, err := url.ParseQuery(saved)
	if err != nil {
		return nil, Query{}, fmt.Errorf("saved search: %w", err)
	}
	given, set, err := filters.Read(snap, values)
	q := Query{Text: strings.TrimSpace(values.Get(wordsName)), Filters: set}
	if err == nil && q.everything() {
		err = ErrNothingAsked
	}
	if err != nil {
		return nil, Query{}, err
	}
	return given, q, nil
}

// Saved returns the query string that ReadSearch reads as q, the same for equal searches.
func (q *Query) Saved() string {
	parameters := q.Filters.Parameters()
	if q.Text != "" {
		parameters.Set(wordsName, q.Text)
	}
	return parameters.Encode()
}

// CheckWidth returns ErrTooWide if the words of a query find too much to be walked, or the errors of
// [snapshot.Snapshot.Find].
func CheckWidth(ctx context.Context, snap *snapshot.Snapshot, q *Query) error {
	if q.Text == "" {
		return nil
	}
	found, err := snap.Find(ctx, index.Query{Text: q.Text, Filters: q.Filters, Limit: 1})
	if err == nil && found.TotalIsFloor {
		err = ErrTooWide
	}
	return err
}
