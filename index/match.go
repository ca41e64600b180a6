package index

import (
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"
)

// name returns the documents that have word i in a name.
func (v *shardReading) name(i int) (*roaring.Bitmap, error) {
	if v.names[i] == nil {
		bm, err := v.postings(fieldName, []byte(v.words.all[i]))
		if err != nil {
			return nil, err
		}
		v.names[i] = bm
	}
	return v.names[i], nil
}

// allOf returns the documents that have the first n words and all phrases in their names and are in all of more.
func (v *shardReading) allOf(n int, more ...*roaring.Bitmap) (*roaring.Bitmap, error) {
	lists := more
	for _, pair := range v.words.pairs {
		bm, err := v.postings(fieldFilter, []byte(pair))
		if err != nil || bm.IsEmpty() {
			return nil, err
		}
		lists = append(lists, bm)
	}
	for i := range n {
		bm, err := v.name(i)
		if err != nil {
			return nil, err
		}
		if bm.IsEmpty() {
			return nil, nil
		}
		lists = append(lists, bm)
	}
	return v.narrow(lists), nil
}

// narrow returns the documents of all lists that meet the conditions of the reading.
func (v *shardReading) narrow(lists []*roaring.Bitmap) *roaring.Bitmap {
	return narrow(lists, v.conditions, v.shard.segment.Count())
}

// listed returns all documents that meet the conditions.
func (v *shardReading) listed() (*roaring.Bitmap, error) { return v.narrow(nil), nil }

func (v *shardReading) exactName() (*roaring.Bitmap, error) {
	key, err := v.postings(fieldFilter, []byte(v.words.nameKey))
	if err != nil || key.IsEmpty() {
		return nil, err
	}
	return v.allOf(len(v.words.all), key)
}

func (v *shardReading) allWords() (*roaring.Bitmap, error) { return v.allOf(len(v.words.all)) }

// lastAsPrefix takes the last word as a beginning, unless it has no weight.
func (v *shardReading) lastAsPrefix() (*roaring.Bitmap, error) {
	if !v.words.isLast {
		return nil, nil
	}
	begins, err := v.beginning(v.words.last)
	if err != nil || begins.IsEmpty() {
		return nil, err
	}
	return v.allOf(len(v.words.all)-1, begins)
}

// beginning returns the documents with a name's word that begins so: of up to five letters the active ones only.
func (v *shardReading) beginning(word string) (*roaring.Bitmap, error) {
	if utf8.RuneCountInString(word) <= maxPrefixRunes {
		return v.postings(fieldPrefix, []byte(word))
	}
	return v.withPrefix(fieldName, []byte(word))
}

// minRarePrefix is how long a beginning must be to be looked for among all words: shorter ones begin too many.
const minRarePrefix = 3

// rarePrefix takes a short last word as a beginning of words that only inactive establishments have.
func (v *shardReading) rarePrefix() (*roaring.Bitmap, error) {
	if runes := utf8.RuneCountInString(v.words.last); !v.words.isLast || runes < minRarePrefix || runes > maxPrefixRunes {
		return nil, nil
	}
	begins, err := v.withPrefix(fieldName, []byte(v.words.last))
	if err != nil || begins.IsEmpty() {
		return nil, err
	}
	return v.allOf(len(v.words.all)-1, begins)
}

// partner returns the documents of which one partner has all the words.
func (v *shardReading) partner() (*roaring.Bitmap, error) {
	var lists []*roaring.Bitmap
	for i, word := range v.words.typed {
		bm, err := v.postings(fieldPartner, []byte(word))
		if err != nil || bm.IsEmpty() {
			return nil, err
		}
		lists = append(lists, bm)
		if i == 0 {
			continue
		}
		pair := pairAnyhow(v.words.typed[0], word).term('v')
		if bm, err = v.postings(fieldFilter, []byte(pair)); err != nil || bm.IsEmpty() {
			return nil, err
		}
		lists = append(lists, bm)
	}
	return v.narrow(lists), nil
}

// typing takes the last word as a beginning even when it has no weight: "do" may become "dois".
func (v *shardReading) typing() (*roaring.Bitmap, error) {
	begins, err := v.beginning(v.words.last)
	if err != nil || begins.IsEmpty() {
		return nil, err
	}
	n := len(v.words.all)
	if v.words.isLast {
		n--
	}
	return v.allOf(n, begins)
}

// typed ignores a last word without weight: "padaria do" waits for the next word.
func (v *shardReading) typed() (*roaring.Bitmap, error) {
	if v.words.isLast {
		return nil, nil
	}
	return v.allWords()
}
