package journal

import (
	"context"

	"razao/internal/store/snapshot"
)

// WalkAll is Walk without the index selecting companies, except for filters that nothing
// passes.
func WalkAll(ctx context.Context, s *snapshot.Snapshot, q Query) (Page, error) {
	return walkFrom(ctx, s, s.Internals().Records(), q, 0, 0)
}
