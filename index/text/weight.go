package text

// IsWeightless says whether a folded word tells nothing about a company: legal suffixes and the little words between
// names. They are searched only when a query has nothing else.
func IsWeightless(word []byte) bool {
	switch string(word) {
	case "ltda", "limitada", "me", "mei", "epp", "eireli", "sa", "ss", "anonima", "unipessoal",
		"de", "da", "do", "das", "dos", "em", "no", "na", "nos", "nas", "e":
		return true
	}
	return false
}

// Significant returns the numbers of the words that have weight, or of all when none has, in order.
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

// AppendWords appends the words, parted by blanks, up to limit bytes.
func (t *Tokenizer) AppendWords(dst []byte, limit int) []byte {
	for i := range t.spans {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, t.Word(i)...)
	}
	return dst[:min(len(dst), limit)]
}
