package loads

import (
	"context"
	"fmt"

	"razao/index"
	"razao/internal/data/cnpj"
	"razao/internal/store/proof"
	"razao/internal/store/snapshot"
)

// Prove returns the place of a company in the tree of the load of the company registry, with its rows and the
// proof. If any of its contacts is hidden on request, rows and nonce are nil: packed rows cannot be shown
// in part. The errors are an *registry.AbsentError if the company is not in the load, and proof.ErrNone and
// proof.ErrDamaged if there is no proof.
func Prove(ctx context.Context, s *snapshot.Snapshot, root cnpj.Root) (proof.Leaf, error) {
	h, err := s.Company(ctx, root)
	if err != nil {
		return proof.Leaf{}, err
	}
	within := s.Internals()
	ix, err := within.Index(&index.Query{})
	if err != nil {
		return proof.Leaf{}, fmt.Errorf("%w (%w)", proof.ErrNone, err)
	}
	tree, err := proof.Open(ix.Folder(), s.Load.Tree)
	if err != nil {
		return proof.Leaf{}, err
	}
	defer tree.Close()
	l, err := tree.Prove(ctx, root, within.Records().EachRowIn)
	if err != nil {
		return proof.Leaf{}, fmt.Errorf("prove a company: %w", err)
	}
	if h.AnyContactHidden() || within.Withholds(&h) {
		l.Nonce, l.Rows = nil, nil
	}
	return l, nil
}
