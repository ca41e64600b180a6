package oauthserver

import (
	"context"
	"fmt"
)

// Purge deletes what has expired, and clients that nobody let in. Several processes may call it at once; each call deletes at
// most some ten thousands of rows.
func (s *Server) Purge(ctx context.Context) error {
	// Rows that others hold are passed over, and a condition on a time is checked again on the row that was locked: a grant
	// or client that comes into use meanwhile stays.
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
		// Of those that nobody has let in the newest are kept, so that however many come they take little room.
		`DELETE FROM oauth_client WHERE id IN (
			SELECT id FROM oauth_client WHERE last_used_at IS NULL AND origin <> 'operator'
				AND created_at < greatest(now() - interval '1 day', (
					SELECT created_at FROM oauth_client WHERE last_used_at IS NULL AND origin <> 'operator'
					ORDER BY created_at DESC OFFSET 20000 LIMIT 1))
			LIMIT 50000 FOR UPDATE SKIP LOCKED)`,
	} {
		if _, err := s.pool.Exec(ctx, query); err != nil {
			return fmt.Errorf("purge expired authorizations: %w", err)
		}
	}
	return nil
}
