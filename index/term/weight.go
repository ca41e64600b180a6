package term

// IsWeightless reports whether a folded word is a stop word: a legal suffix, or an article or
// preposition between names. Queries use them only when they have nothing else.
func IsWeightless(word []byte) bool {
	switch string(word) {
	case "ltda", "limitada", "me", "mei", "epp", "eireli", "sa", "ss", "anonima", "unipessoal",
		"de", "da", "do", "das", "dos", "em", "no", "na", "nos", "nas", "e":
		return true
	}
	return false
}

// Significant returns the indices of the words that are not stop words, or of all words when every
// one is. It overwrites and returns dst.
func (t *Tokenizer) Significant(dst []int) []int {
	dst = dst[:0]
	for i := range t.spans {
		if !IsWeightless(t.Word(i)) {
			dst = append(dst, i)
		}
	}
	if len(dst) == 0 {
		for i := range t.spans {
			dst = append(dst, i)
		}
	}
	return dst
}

// AppendWords appends the words, separated by blanks and cut off after limit bytes, to dst.
func (t *Tokenizer) AppendWords(dst []byte, limit int) []byte {
	before := len(dst)
	for i := range t.spans {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, t.Word(i)...)
	}
	return dst[:min(len(dst), before+limit)]
}
