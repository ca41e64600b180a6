package index

import (
	"unicode/utf8"

	"razao/index/docset"
	"razao/index/term"
)

// name returns the documents that have word i in a name.
func (v *shardReading) name(i int) (docset.Set, error) {
	if v.names[i] == nil {
		docs, err := v.Postings(term.FieldName, []byte(v.words.All[i]))
		if err != nil {
			return nil, err
		}
		v.names[i] = docs
	}
	return v.names[i], nil
}

// allOf returns the documents that have the first n words and all phrases in their names and are in all of more.
func (v *shardReading) allOf(n int, more ...docset.Set) (docset.Set, error) {
	lists := more
	for _, pair := range v.words.Pairs {
		docs, err := v.Postings(term.FieldFilter, []byte(pair))
		if err != nil || len(docs) == 0 {
			return nil, err
		}
		lists = append(lists, docs)
	}
	for i := range n {
		docs, err := v.name(i)
		if err != nil {
			return nil, err
		}
		if len(docs) == 0 {
			return nil, nil
		}
		lists = append(lists, docs)
	}
	return v.narrow(lists, v.conditions), nil
}

// listed returns all documents that meet the conditions.
func (v *shardReading) listed() (docset.Set, error) { return v.narrow(nil, v.conditions), nil }

func (v *shardReading) exactName() (docset.Set, error) {
	key, err := v.Postings(term.FieldFilter, []byte(v.words.NameKey))
	if err != nil || len(key) == 0 {
		return nil, err
	}
	return v.allOf(len(v.words.All), key)
}

func (v *shardReading) allWords() (docset.Set, error) { return v.allOf(len(v.words.All)) }

// lastAsPrefix takes the last word as a beginning, unless it has no weight.
func (v *shardReading) lastAsPrefix() (docset.Set, error) {
	if !v.words.IsLast {
		return nil, nil
	}
	begins, err := v.beginning(v.words.Last)
	if err != nil || len(begins) == 0 {
		return nil, err
	}
	return v.allOf(len(v.words.All)-1, begins)
}

// beginning returns the documents with a name's word that begins so: of up to five letters the active ones only.
func (v *shardReading) beginning(word string) (docset.Set, error) {
	if utf8.RuneCountInString(word) <= term.MaxPrefixRunes {
		return v.Postings(term.FieldPrefix, []byte(word))
	}
	return v.WithPrefix(term.FieldName, []byte(word))
}

// minRarePrefix is how long a beginning must be to be looked for among all words: shorter ones begin too many.
const minRarePrefix = 3

// rarePrefix takes a short last word as a beginning of words that only inactive establishments have.
func (v *shardReading) rarePrefix() (docset.Set, error) {
	if runes := utf8.RuneCountInString(v.words.Last); !v.words.IsLast || runes < minRarePrefix || runes > term.MaxPrefixRunes {
		return nil, nil
	}
	begins, err := v.WithPrefix(term.FieldName, []byte(v.words.Last))
	if err != nil || len(begins) == 0 {
		return nil, err
	}
	return v.allOf(len(v.words.All)-1, begins)
}

// partner returns the documents of which one partner has all the words.
func (v *shardReading) partner() (docset.Set, error) {
	var lists []docset.Set
	for i, word := range v.words.Typed {
		docs, err := v.Postings(term.FieldPartner, []byte(word))
		if err != nil || len(docs) == 0 {
			return nil, err
		}
		lists = append(lists, docs)
		if i == 0 {
			continue
		}
		pair := term.PairAnyhow(v.words.Typed[0], word).Term(term.PartnerPair)
		if docs, err = v.Postings(term.FieldFilter, []byte(pair)); err != nil || len(docs) == 0 {
			return nil, err
		}
		lists = append(lists, docs)
	}
	return v.narrow(lists, v.conditions), nil
}

// typing takes the last word as a beginning even when it has no weight: "do" may become "dois".
func (v *shardReading) typing() (docset.Set, error) {
	begins, err := v.beginning(v.words.Last)
	if err != nil || len(begins) == 0 {
		return nil, err
	}
	n := len(v.words.All)
	if v.words.IsLast {
		n--
	}
	return v.allOf(n, begins)
}

// typed ignores a last word without weight: "padaria do" waits for the next word.
func (v *shardReading) typed() (docset.Set, error) {
	if v.words.IsLast {
		return nil, nil
	}
	return v.allWords()
}
