package snapshot

import (
	"context"
	"fmt"

	"razao/internal/data/cnpj"
	"razao/internal/store/proof"
)

// Prove returns the place of a company in the tree of the load of the cadastre, with its rows and the
// proof. If any of its contacts is hidden on request, rows and nonce are nil: packed rows cannot be shown
// in part. The errors are an *registry.AbsentError if the company is not in the load, and proof.ErrNone and
// proof.ErrDamaged if there is no proof.
func (s *Snapshot) Prove(ctx context.Context, root cnpj.Root) (proof.Leaf, error) {
	h, err := s.Company(ctx, root)
	if err != nil {
		return proof.Leaf{}, err
	}
	ix, err := s.index()
	if err != nil {
		return proof.Leaf{}, fmt.Errorf("%w (%w)", proof.ErrNone, err)
	}
	tree, err := proof.Open(ix.Folder(), s.Load.Tree)
	if err != nil {
		return proof.Leaf{}, err
	}
	defer tree.Close()
	l, err := tree.Prove(ctx, root, s.view.EachRowIn)
	if err != nil {
		return proof.Leaf{}, fmt.Errorf("prove a company: %w", err)
	}
	if h.AnyContactHidden() || s.visitor && h.Individual() {
		l.Nonce, l.Rows = nil, nil
	}
	return l, nil
}
