package index

import "unicode/utf8"

// name returns the documents that have word i in a name.
func (v *shardReading) name(i int) (docSet, error) {
	if v.names[i] == nil {
		docs, err := v.postings(fieldName, []byte(v.words.all[i]))
		if err != nil {
			return nil, err
		}
		v.names[i] = docs
	}
	return v.names[i], nil
}

// allOf returns the documents that have the first n words and all phrases in their names and are in all of more.
func (v *shardReading) allOf(n int, more ...docSet) (docSet, error) {
	lists := more
	for _, pair := range v.words.pairs {
		docs, err := v.postings(fieldFilter, []byte(pair))
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
func (v *shardReading) listed() (docSet, error) { return v.narrow(nil, v.conditions), nil }

func (v *shardReading) exactName() (docSet, error) {
	key, err := v.postings(fieldFilter, []byte(v.words.nameKey))
	if err != nil || len(key) == 0 {
		return nil, err
	}
	return v.allOf(len(v.words.all), key)
}

func (v *shardReading) allWords() (docSet, error) { return v.allOf(len(v.words.all)) }

// lastAsPrefix takes the last word as a beginning, unless it has no weight.
func (v *shardReading) lastAsPrefix() (docSet, error) {
	if !v.words.isLast {
		return nil, nil
	}
	begins, err := v.beginning(v.words.last)
	if err != nil || len(begins) == 0 {
		return nil, err
	}
	return v.allOf(len(v.words.all)-1, begins)
}

// beginning returns the documents with a name's word that begins so: of up to five letters the active ones only.
func (v *shardReading) beginning(word string) (docSet, error) {
	if utf8.RuneCountInString(word) <= maxPrefixRunes {
		return v.postings(fieldPrefix, []byte(word))
	}
	return v.withPrefix(fieldName, []byte(word))
}

// minRarePrefix is how long a beginning must be to be looked for among all words: shorter ones begin too many.
const minRarePrefix = 3

// rarePrefix takes a short last word as a beginning of words that only inactive establishments have.
func (v *shardReading) rarePrefix() (docSet, error) {
	if runes := utf8.RuneCountInString(v.words.last); !v.words.isLast || runes < minRarePrefix || runes > maxPrefixRunes {
		return nil, nil
	}
	begins, err := v.withPrefix(fieldName, []byte(v.words.last))
	if err != nil || len(begins) == 0 {
		return nil, err
	}
	return v.allOf(len(v.words.all)-1, begins)
}

// partner returns the documents of which one partner has all the words.
func (v *shardReading) partner() (docSet, error) {
	var lists []docSet
	for i, word := range v.words.typed {
		docs, err := v.postings(fieldPartner, []byte(word))
		if err != nil || len(docs) == 0 {
			return nil, err
		}
		lists = append(lists, docs)
		if i == 0 {
			continue
		}
		pair := pairAnyhow(v.words.typed[0], word).term('v')
		if docs, err = v.postings(fieldFilter, []byte(pair)); err != nil || len(docs) == 0 {
			return nil, err
		}
		lists = append(lists, docs)
	}
	return v.narrow(lists, v.conditions), nil
}

// typing takes the last word as a beginning even when it has no weight: "do" may become "dois".
func (v *shardReading) typing() (docSet, error) {
	begins, err := v.beginning(v.words.last)
	if err != nil || len(begins) == 0 {
		return nil, err
	}
	n := len(v.words.all)
	if v.words.isLast {
		n--
	}
	return v.allOf(n, begins)
}

// typed ignores a last word without weight: "padaria do" waits for the next word.
func (v *shardReading) typed() (docSet, error) {
	if v.words.isLast {
		return nil, nil
	}
	return v.allWords()
}
