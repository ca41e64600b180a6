package snapshot

import "context"

// WalkAllChanges is WalkChanges without the index selecting companies, except for filters that nothing
// passes.
func (s *Snapshot) WalkAllChanges(ctx context.Context, q ChangeQuery) (ChangePage, error) {
	return s.walkChanges(ctx, s.view, q, 0, 0)
}
