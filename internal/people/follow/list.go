package follow

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"razao/internal/data/cnpj"
	"razao/internal/people/account"
)

const (
	// LongestName is how long the name of a list may be, in characters.
	LongestName = 60
	// MostLists is how many lists an account may have.
	MostLists = 20
)

// ErrTooManyLists means that an account has MostLists lists.
var ErrTooManyLists = errors.New("the account has the maximum of lists")

// NameOfList returns the name of a list as it is stored: on one line, without blanks around it and without what nobody sees (controls, and
// formatting such as that of another direction); ok is false if it is too long.
func NameOfList(typed string) (name string, ok bool) {
	seen := func(r rune) rune {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}
	name = strings.Join(strings.Fields(strings.Map(seen, strings.ToValidUTF8(typed, ""))), " ")
	return name, utf8.RuneCountInString(name) <= LongestName
}

// AddToList puts companies into a list, which begins with the first, and lets the account follow them. Names that differ in case are of one list.
// The errors are those of Add and ErrTooManyLists, after which nothing was added.
func (s *Store) AddToList(ctx context.Context, id account.ID, name string, roots ...string) error {
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := add(ctx, tx, id, Company, roots); err != nil {
			return err
		}
		const query = `
			INSERT INTO follow_list (account_id, name, value)
			SELECT $1, coalesce((SELECT name FROM follow_list WHERE account_id = $1 AND lower(name) = lower($2) LIMIT 1), $2), unnest($3::text[])
			ON CONFLICT DO NOTHING`
		if _, err := tx.Exec(ctx, query, id, name, roots); err != nil {
			return err
		}
		var n int
		err := tx.QueryRow(ctx, `SELECT count(DISTINCT name) FROM follow_list WHERE account_id = $1`, id).Scan(&n)
		if err == nil && n > MostLists {
			err = ErrTooManyLists
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("add to a list of account %d: %w", id, err)
	}
	return nil
}

// RemoveFromList takes companies out of a list, which ends with the last. They are followed as before.
func (s *Store) RemoveFromList(ctx context.Context, id account.ID, name string, roots ...string) error {
	const query = `DELETE FROM follow_list WHERE account_id = $1 AND lower(name) = lower($2) AND value = ANY ($3)`
	if _, err := s.pool.Exec(ctx, query, id, name, roots); err != nil {
		return fmt.Errorf("remove from a list of account %d: %w", id, err)
	}
	return nil
}

// CompanyList is a list of companies of an account.
type CompanyList struct {
	Name  string
	Roots []cnpj.Root // by number
}

// Lists returns the lists of an account, by name.
func (s *Store) Lists(ctx context.Context, id account.ID) ([]CompanyList, error) {
	rows, err := s.pool.Query(ctx, `SELECT name, value FROM follow_list WHERE account_id = $1 ORDER BY name, value`, id)
	if err != nil {
		return nil, fmt.Errorf("lists of account %d: %w", id, err)
	}
	var lists []CompanyList
	var name, value string
	_, err = pgx.ForEachRow(rows, []any{&name, &value}, func() error {
		root, err := cnpj.ParseRoot(value)
		if n := len(lists); n == 0 || lists[n-1].Name != name {
			lists = append(lists, CompanyList{Name: name})
		}
		last := &lists[len(lists)-1]
		last.Roots = append(last.Roots, root)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("lists of account %d: %w", id, err)
	}
	return lists, nil
}
