package index

import (
	"context"
	"math"

	"razao/index/folder"
	"razao/index/term"
)

// Rarity returns for each folded word how much a name says by having it: its inverse document frequency in names, between
// 0 for a word that all have and 1 for one that none or one has. The errors are folder.ErrDamaged and that of ctx.
func (ix *Index) Rarity(ctx context.Context, words []string) (rarity []float64, err error) {
	leave, err := ix.limiter.enter(ctx, searchWeight)
	if err != nil {
		return nil, err
	}
	defer leave()
	defer ix.noteDamage(&err)
	defer folder.Guard(&err)()
	s := ix.begin(&Query{}, &page{}, boundless())
	defer s.end()
	rarity = make([]float64, len(words))
	for i, word := range words {
		docs, err := s.documents(term.FieldName, term.Canonical([]byte(word)))
		if err != nil {
			return nil, err
		}
		rarity[i] = 1
		if docs > 1 {
			rarity[i] = 1 - math.Log(float64(docs))/math.Log(float64(ix.columns.Docs))
		}
	}
	return rarity, nil
}
