package journal

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

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

// ReadAddress reads what somebody asks to save: the address of a search, or what follows its ?. Unlike ReadSearch,
// which reads what was saved by former versions, too, it refuses all that a saved search has not, since without it the search
// would be another one; the order and the page of an address change nothing.
func ReadAddress(filters *filter.Reader, snap *snapshot.Snapshot, address string) (Query, error) {
	if _, after, ok := strings.Cut(address, "?"); ok {
		address = after
	}
	values, err := url.ParseQuery(address)
	if err != nil {
		return Query{}, fmt.Errorf("saved search: %w", err)
	}
	for name, given := range values {
		switch {
		case name == "ordem" || name == "pagina":
		case name == wordsName && len(given) == 1 && utf8.ValidString(given[0]) && utf8.RuneCountInString(given[0]) <= index.LongestText:
		case filter.Named(name) == nil:
			return Query{}, &NotSavedError{name}
		}
	}
	_, q, err := ReadSearch(filters, snap, address)
	return q, err
}

// NotSavedError means that a search has a parameter that a saved search cannot have.
type NotSavedError struct{ Name string }

func (*NotSavedError) Error() string { return "a search with a parameter that cannot be saved" }

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
	found, err := snap.Find(ctx, index.Query{Text: q.Text, Filters: q.Filters, CompanyRecords: true, Limit: 1})
	if err == nil && found.TotalIsFloor {
		err = ErrTooWide
	}
	return err
}
