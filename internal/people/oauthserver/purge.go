package oauthserver

import (
	"context"
	"fmt"
)

// unused is an SQL condition: nobody ever authorized the client c, the operator did not add it, and
// no authorization request of it that a user has opened is pending. Such a request keeps its client
// from being purged before the user decides; bind bounds how many there are.
const unused = `(c.last_used_at IS NULL AND c.origin <> 'operator'
	AND NOT EXISTS (SELECT FROM oauth_consent r WHERE r.client_id = c.id AND NOT r.decided AND r.expires_at > now()))`

// maxUnused bounds the clients that nobody has authorized yet. Beyond it those of the networks with
// the most clients go first, so a registration flood displaces itself and not honest clients.
const maxUnused = 20_000

// Purge deletes expired requests and tokens, codes and grants without tokens, and clients that
// nobody has authorized within a day or used for 90 days. Each statement deletes at most 50,000
// rows and is its own transaction, to keep locks short: call it periodically. Several processes may
// run it at once. It stops at the first error; what was deleted until then stays deleted.
func (s *Server) Purge(ctx context.Context) error {
	// FOR UPDATE SKIP LOCKED skips rows in use and checks the conditions again on the locked
	// version, so a grant or client that has just come into use stays.
	for _, query := range [...]string{
		`DELETE FROM oauth_consent WHERE ctid = ANY (ARRAY(
			SELECT ctid FROM oauth_consent WHERE expires_at <= now() LIMIT 50000))`,
		// What servers of the release before left, or still add during a deploy.
		`DELETE FROM oauth_request WHERE ctid = ANY (ARRAY(
			SELECT ctid FROM oauth_request WHERE created_at < now() - interval '20 minutes' LIMIT 10000))`,
		`DELETE FROM oauth_access_token WHERE ctid = ANY (ARRAY(
			SELECT ctid FROM oauth_access_token WHERE expires_at < now() LIMIT 50000))`,
		`DELETE FROM oauth_refresh_token WHERE ctid = ANY (ARRAY(
			SELECT ctid FROM oauth_refresh_token WHERE expires_at < now() LIMIT 50000))`,
		`DELETE FROM oauth_code WHERE id IN (
			SELECT id FROM oauth_code k WHERE created_at < now() - interval '1 hour'
				AND NOT EXISTS (SELECT FROM oauth_refresh_token t WHERE t.code_id = k.id)
			LIMIT 10000 FOR UPDATE SKIP LOCKED)`,
		`DELETE FROM oauth_grant WHERE id IN (
			SELECT id FROM oauth_grant g WHERE granted_at < now() - interval '1 hour'
				AND NOT EXISTS (SELECT FROM oauth_code k WHERE k.grant_id = g.id)
			LIMIT 10000 FOR UPDATE SKIP LOCKED)`,
		`DELETE FROM oauth_client WHERE id IN (
			SELECT id FROM oauth_client c WHERE last_used_at < now() - interval '90 days' AND origin <> 'operator'
				AND NOT EXISTS (SELECT FROM oauth_grant g WHERE g.client_id = c.id)
			LIMIT 10000 FOR UPDATE SKIP LOCKED)`,
		`DELETE FROM oauth_client WHERE id IN (
			SELECT id FROM oauth_client c WHERE ` + unused + ` AND created_at < now() - interval '1 day'
			LIMIT 50000 FOR UPDATE SKIP LOCKED)`,
	} {
		if _, err := s.pool.Exec(ctx, query); err != nil {
			return fmt.Errorf("purge expired authorizations: %w", err)
		}
	}
	// Round-robin over networks: round n holds the n-th client of each. The first maxUnused in
	// order of rounds are kept, so a network with few clients keeps all of them.
	const crowd = `
		DELETE FROM oauth_client WHERE id IN (
			SELECT id FROM oauth_client c
			WHERE ` + unused + ` AND id IN (
				SELECT id FROM (
					SELECT id, created_at, row_number() OVER (PARTITION BY network ORDER BY created_at, id) AS round
					FROM oauth_client c WHERE ` + unused + `) ranked
				ORDER BY round, created_at, id
				OFFSET $1 LIMIT 50000)
			FOR UPDATE SKIP LOCKED)`
	if _, err := s.pool.Exec(ctx, crowd, maxUnused); err != nil {
		return fmt.Errorf("purge clients that nobody uses: %w", err)
	}
	return nil
}
