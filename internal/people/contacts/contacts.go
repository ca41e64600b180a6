// Package contacts stores which establishments have their contact (street, telephones, e-mail)
// hidden on request, and the requests themselves (tables hidden_contact and hiding_request). The
// operator decides: Request adds a request, Hide answers it, Dismiss deletes it.
//
// Hiding does not change records. Package registry leaves the contact out when it reads them, of
// every load, before and after. Servers follow the table (snapshot.HidingTakes). Nothing else has a
// copy: what followers are notified of is written when it leaves (package follow).
package contacts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/data/cnpj"
)

// Errors of Store, wrapped; compare with [errors.Is].
var (
	// ErrNotHidden means that Show was called for a contact that is not hidden.
	ErrNotHidden = errors.New("this contact is not hidden")
	// ErrNoRequest means that Dismiss was called with an id that no request has.
	ErrNoRequest = errors.New("no such request")
)

// Store reads and writes hidden contacts and requests. It is safe for concurrent use.
type Store struct {
	pool *pgxpool.Pool
}

// NewStore returns the Store of a migrated database.
func NewStore(pool *pgxpool.Pool) *Store { return &Store{pool: pool} }

// Hidden is an establishment whose contact is hidden.
type Hidden struct {
	CNPJ     cnpj.Full
	Reason   string // in the operator's words; may be ""
	HiddenAt time.Time
}

// Request is a request to hide the contact of an establishment.
type Request struct {
	ID        int64 // set by the database; ignored by Store.Request
	CNPJ      cnpj.Full
	Email     string    // address of the requester, for the operator's answer
	Reason    string    // one line; may be ""
	CreatedAt time.Time // set by the database
}

// Hide hides the contact of an establishment, which no load needs to have. In the same transaction
// it deletes the requests for that establishment and returns them, for the operator to answer.
// Hiding again only changes the reason. Caches in front of the servers may still hold the contact:
// see package edge.
func (c *Store) Hide(ctx context.Context, number cnpj.Full, reason string) ([]Request, error) {
	var answered []Request
	err := pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		const hide = `
			INSERT INTO hidden_contact (root, establishment, reason) VALUES ($1, $2, $3)
			ON CONFLICT (root, establishment) DO UPDATE SET reason = excluded.reason`
		if _, err := tx.Exec(ctx, hide, int64(number.Root()), int32(number.Order()), reason); err != nil {
			return err
		}
		const answer = `
			DELETE FROM hiding_request WHERE root = $1 AND establishment = $2
			RETURNING id, root, establishment, email, reason, created_at`
		rows, err := tx.Query(ctx, answer, int64(number.Root()), int32(number.Order()))
		if err != nil {
			return err
		}
		answered, err = pgx.CollectRows(rows, requestOf)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("hide the contact of %s: %w", number, err)
	}
	return answered, nil
}

// Show makes a hidden contact visible again. It returns ErrNotHidden if it is not hidden.
func (c *Store) Show(ctx context.Context, number cnpj.Full) error {
	const query = `DELETE FROM hidden_contact WHERE root = $1 AND establishment = $2`
	done, err := c.pool.Exec(ctx, query, int64(number.Root()), int32(number.Order()))
	if err == nil && done.RowsAffected() == 0 {
		err = ErrNotHidden
	}
	if err != nil {
		return fmt.Errorf("show the contact of %s: %w", number, err)
	}
	return nil
}

// Hidden returns the establishments whose contact is hidden, in order of CNPJ.
func (c *Store) Hidden(ctx context.Context) ([]Hidden, error) {
	const query = `SELECT root, establishment, reason, hidden_at FROM hidden_contact ORDER BY root, establishment`
	rows, err := c.pool.Query(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("hidden contacts: %w", err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (h Hidden, err error) {
		var root cnpj.Root
		var order cnpj.Order
		err = row.Scan(&root, &order, &h.Reason, &h.HiddenAt)
		h.CNPJ = cnpj.Join(root, order)
		return h, err
	})
	if err != nil {
		return nil, fmt.Errorf("hidden contacts: %w", err)
	}
	return all, nil
}

// Request stores a request for the operator. A second request of the same address (regardless of
// case) for the same establishment only changes the reason.
func (c *Store) Request(ctx context.Context, r Request) error {
	const query = `
		INSERT INTO hiding_request (root, establishment, email, reason) VALUES ($1, $2, $3, $4)
		ON CONFLICT (root, establishment, lower(email)) DO UPDATE SET reason = excluded.reason`
	if _, err := c.pool.Exec(ctx, query, int64(r.CNPJ.Root()), int32(r.CNPJ.Order()), r.Email, r.Reason); err != nil {
		return fmt.Errorf("keep a request to hide a contact: %w", err)
	}
	return nil
}

// Requested reports whether a request is stored as it is.
func (c *Store) Requested(ctx context.Context, r Request) (stored bool, err error) {
	const query = `
		SELECT EXISTS (SELECT FROM hiding_request WHERE root = $1 AND establishment = $2 AND lower(email) = lower($3) AND reason = $4)`
	err = c.pool.QueryRow(ctx, query, int64(r.CNPJ.Root()), int32(r.CNPJ.Order()), r.Email, r.Reason).Scan(&stored)
	if err != nil {
		return false, fmt.Errorf("look up a request to hide a contact: %w", err)
	}
	return stored, nil
}

// Requests returns the open requests, oldest first.
func (c *Store) Requests(ctx context.Context) ([]Request, error) {
	const query = `SELECT id, root, establishment, email, reason, created_at FROM hiding_request ORDER BY id`
	rows, err := c.pool.Query(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("requests to hide a contact: %w", err)
	}
	all, err := pgx.CollectRows(rows, requestOf)
	if err != nil {
		return nil, fmt.Errorf("requests to hide a contact: %w", err)
	}
	return all, nil
}

// requestOf scans a row of hiding_request.
func requestOf(row pgx.CollectableRow) (r Request, err error) {
	var root cnpj.Root
	var order cnpj.Order
	err = row.Scan(&r.ID, &root, &order, &r.Email, &r.Reason, &r.CreatedAt)
	r.CNPJ = cnpj.Join(root, order)
	return r, err
}

// Dismiss deletes a request without hiding anything. It returns ErrNoRequest if there is none with
// this id.
func (c *Store) Dismiss(ctx context.Context, id int64) error {
	done, err := c.pool.Exec(ctx, `DELETE FROM hiding_request WHERE id = $1`, id)
	if err == nil && done.RowsAffected() == 0 {
		err = ErrNoRequest
	}
	if err != nil {
		return fmt.Errorf("dismiss request %d: %w", id, err)
	}
	return nil
}
