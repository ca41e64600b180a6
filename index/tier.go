package index

import (
	"cmp"
	"context"
	"slices"
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"
)

const (
	maxQueryBytes = 512 // no name is that long
	maxQueryWords = 32  // further different words are ignored
)

// search is one query on its way through the tiers and, within a tier, through the shards in rank order.
type search struct {
	index  *Index
	page   *page
	words  words
	number numberRange
	shards []*shardSearch // opened when the search reaches the shard
}

// shardSearch is what a search knows of one shard.
type shardSearch struct {
	*view
	seen  *roaring.Bitmap   // found by former tiers; nil is empty
	names []*roaring.Bitmap // postings of the words in names, nil until read
}

// words of a query.
type words struct {
	all     [][]byte // different words that have weight, in order; all of them when none has
	last    []byte   // the last word, weight or not; nil when there is none
	isLast  bool     // whether last is also the last of all
	nameKey []byte   // see tokenizer.appendNameKey
}

// parseWords understands a query text.
func parseWords(text string) words {
	var w words
	if len(text) > maxQueryBytes {
		return w
	}
	var t tokenizer
	t.scan(text)
	if len(t.spans) == 0 {
		return w
	}
	significant := t.significant(nil)
	for _, i := range significant {
		word := t.word(i)
		if len(w.all) < maxQueryWords && !slices.ContainsFunc(w.all, func(b []byte) bool { return string(b) == string(word) }) {
			w.all = append(w.all, word)
		}
	}
	w.last = t.word(len(t.spans) - 1)
	w.isLast = string(w.all[len(w.all)-1]) == string(w.last)
	w.nameKey = t.appendNameKey([]byte{'x'}, significant)
	return w
}

func (ix *Index) begin(text string, p *page) *search {
	return &search{
		index: ix, page: p,
		words: parseWords(text), number: parseNumber(text),
		shards: make([]*shardSearch, len(ix.shards)),
	}
}

// shard returns the search in shard i.
func (s *search) shard(i int) *shardSearch {
	if s.shards[i] == nil {
		s.shards[i] = &shardSearch{view: s.index.shards[i].view(), names: make([]*roaring.Bitmap, len(s.words.all))}
	}
	return s.shards[i]
}

// tier is one way of matching the words of a query. The result must not be changed; nil means nothing.
type tier struct {
	why   Why
	match func(*shardSearch, *words) (*roaring.Bitmap, error)
}

// run fills the page: first by number, then tier by tier.
func (s *search) run(ctx context.Context, tiers ...tier) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.byNumber(ctx); err != nil {
		return err
	}
	if len(s.words.all) == 0 {
		return nil
	}
	for t, tier := range tiers {
		for i := range s.index.shards {
			if s.page.done() {
				return nil
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := s.runTier(tier, i, t == len(tiers)-1); err != nil {
				return err
			}
		}
	}
	return nil
}

// runTier adds to the page what a tier finds in a shard and no tier before has found.
func (s *search) runTier(t tier, i int, last bool) error {
	v := s.shard(i)
	found, err := t.match(v, &s.words)
	if err != nil || found == nil || found.IsEmpty() {
		return err
	}
	if v.seen != nil {
		found = roaring.AndNot(found, v.seen)
	}
	if err := s.add(i, found, t.why); err != nil || last {
		return err
	}
	if v.seen == nil {
		v.seen = found
	} else {
		v.seen = roaring.Or(v.seen, found)
	}
	return nil
}

// add adds documents of a shard to the page.
func (s *search) add(i int, docs *roaring.Bitmap, why Why) error {
	first, last := s.page.take(int(docs.GetCardinality()))
	if first >= last {
		return nil
	}
	it := docs.Iterator()
	if first > 0 {
		doc, err := docs.Select(uint32(first))
		if err != nil {
			return err
		}
		it.AdvanceIfNeeded(doc)
	}
	for range last - first {
		number, err := s.index.shards[i].cnpj(it.Next())
		if err != nil {
			return err
		}
		s.page.hits = append(s.page.hits, Hit{number, why})
	}
	return nil
}

// name returns the documents that have word i in a name.
func (v *shardSearch) name(w *words, i int) (*roaring.Bitmap, error) {
	if v.names[i] == nil {
		bm, err := v.postings(fieldName, w.all[i])
		if err != nil {
			return nil, err
		}
		v.names[i] = bm
	}
	return v.names[i], nil
}

// allOf returns the documents that have the first n words in their names and are in all of more.
func (v *shardSearch) allOf(w *words, n int, more ...*roaring.Bitmap) (*roaring.Bitmap, error) {
	lists := more
	for i := range n {
		bm, err := v.name(w, i)
		if err != nil {
			return nil, err
		}
		if bm.IsEmpty() {
			return nil, nil
		}
		lists = append(lists, bm)
	}
	return and(lists), nil
}

func (v *shardSearch) exactName(w *words) (*roaring.Bitmap, error) {
	key, err := v.postings(fieldFilter, w.nameKey)
	if err != nil || key.IsEmpty() {
		return nil, err
	}
	return v.allOf(w, len(w.all), key)
}

func (v *shardSearch) allWords(w *words) (*roaring.Bitmap, error) { return v.allOf(w, len(w.all)) }

// lastAsPrefix takes the last word as a beginning, unless it has no weight.
func (v *shardSearch) lastAsPrefix(w *words) (*roaring.Bitmap, error) {
	if !w.isLast {
		return nil, nil
	}
	begins, err := v.beginning(w.last)
	if err != nil || begins.IsEmpty() {
		return nil, err
	}
	return v.allOf(w, len(w.all)-1, begins)
}

// beginning returns the documents with a name's word that begins so: of up to five letters the active ones only.
func (v *shardSearch) beginning(word []byte) (*roaring.Bitmap, error) {
	if utf8.RuneCount(word) <= maxPrefixRunes {
		return v.postings(fieldPrefix, word)
	}
	return v.withPrefix(fieldName, word)
}

func (v *shardSearch) partner(w *words) (*roaring.Bitmap, error) {
	var lists []*roaring.Bitmap
	for _, word := range w.all {
		bm, err := v.postings(fieldPartner, word)
		if err != nil || bm.IsEmpty() {
			return nil, err
		}
		lists = append(lists, bm)
	}
	return and(lists), nil
}

// typing takes the last word as a beginning even when it has no weight: "do" may become "dois".
func (v *shardSearch) typing(w *words) (*roaring.Bitmap, error) {
	begins, err := v.beginning(w.last)
	if err != nil || begins.IsEmpty() {
		return nil, err
	}
	n := len(w.all)
	if w.isLast {
		n--
	}
	return v.allOf(w, n, begins)
}

// typed ignores a last word without weight: "padaria do" waits for the next word.
func (v *shardSearch) typed(w *words) (*roaring.Bitmap, error) {
	if w.isLast {
		return nil, nil
	}
	return v.allWords(w)
}

// and intersects lists, rarest first. It may return one of them.
func and(lists []*roaring.Bitmap) *roaring.Bitmap {
	if len(lists) == 0 {
		return nil
	}
	slices.SortFunc(lists, func(a, b *roaring.Bitmap) int { return cmp.Compare(a.GetCardinality(), b.GetCardinality()) })
	result := lists[0]
	for _, list := range lists[1:] {
		if result.IsEmpty() {
			return nil
		}
		result = roaring.And(result, list)
	}
	return result
}
