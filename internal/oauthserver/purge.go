package oauthserver

import (
	"context"
	"fmt"
)

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
		// Never authorized: kept for a day, and only the newest 20,000, so that mass registration cannot fill the disk.
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
