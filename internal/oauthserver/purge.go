package oauthserver

import (
	"context"
	"fmt"
)

// unused is true for a client c that registered itself and nobody authorized or is asked to authorize. A request of it that
// waits keeps it; storeRequest bounds those.
const unused = `(c.last_used_at IS NULL AND c.origin <> 'operator'
	AND NOT EXISTS (SELECT FROM oauth_request r WHERE r.client_id = c.id AND ` + requestAlive + `))`

// maxUnused is how many clients are kept that nobody authorized yet. Those of the networks with the most go first: a flood
// costs others nothing.
const maxUnused = 20_000

// Purge deletes expired requests and tokens, grants without tokens and unused clients. A run deletes at most 50,000 rows of a
// table, to keep its locks short; several processes may run it at once.
func (s *Server) Purge(ctx context.Context) error {
	// FOR UPDATE SKIP LOCKED rechecks the conditions on the locked row: a grant or client that has just come into use stays.
	for _, query := range [...]string{
		`DELETE FROM oauth_request WHERE ctid = ANY (ARRAY(
			SELECT ctid FROM oauth_request r WHERE NOT ` + requestAlive + ` LIMIT 10000))`,
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
	// What is over maxUnused: the last of each network's clients, in the order in which they came, round by round.
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
