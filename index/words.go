package index

import "encoding/hex"

// isWeightless says whether a folded word tells nothing about a company: legal suffixes and the little words between
// names. They are searched only when a query has nothing else.
func isWeightless(word []byte) bool {
	switch string(word) {
	case "ltda", "limitada", "me", "mei", "epp", "eireli", "sa", "ss", "anonima", "unipessoal",
		"de", "da", "do", "das", "dos", "em", "no", "na", "nos", "nas", "e":
		return true
	}
	return false
}

// significant returns the numbers of the words that have weight, or of all when none has, in order.
func (t *tokenizer) significant(dst []int) []int {
	dst = dst[:0]
	for i := range t.spans {
		if !isWeightless(t.word(i)) {
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

// appendWords appends the words, parted by blanks, up to limit bytes.
func (t *tokenizer) appendWords(dst []byte, limit int) []byte {
	for i := range t.spans {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, t.word(i)...)
	}
	return dst[:min(len(dst), limit)]
}

// wordHash identifies a sequence of words by 16 bits: strangers agree once in 65,536. Words must be looked for beside it.
type wordHash uint64

const noWords wordHash = 14695981039346656037

// with returns the hash of the words so far and one more (FNV-1a).
func (h wordHash) with(word string) wordHash {
	const prime = 1099511628211
	for i := range len(word) {
		h = (h ^ wordHash(word[i])) * prime
	}
	return h * prime
}

// appendTerm appends the filter term of a kind: four hexadecimal digits. The kinds are
//
//	x the significant words of a whole name, in order: legal and trade name share the field of words, so all words of a
//	  query being there does not make it one of the two names
//	w two significant words of a name that follow each other
//	v two significant words of one partner's name, the lesser first
func (h wordHash) appendTerm(dst []byte, kind byte) []byte {
	h ^= h >> 32
	return hex.AppendEncode(append(dst, kind), []byte{byte(h >> 8), byte(h)})
}

// hashKinds is how many kinds of such terms there are.
const hashKinds = 3

// hashSlot returns a number below hashKinds << 16 for the key of such a term, false for other keys.
func hashSlot(key []byte) (int, bool) {
	if len(key) != 6 || key[0] != fieldFilter || key[1] < 'v' || key[1] > 'x' {
		return 0, false
	}
	slot := int(key[1] - 'v')
	for _, digit := range key[2:] {
		if digit >= 'a' {
			digit -= 'a' - '9' - 1
		}
		slot = slot<<4 | int(digit-'0')
	}
	return slot, true
}

func (h wordHash) term(kind byte) string { return string(h.appendTerm(nil, kind)) }

// pairInOrder returns the hash of two words that follow each other.
func pairInOrder(first, second string) wordHash { return noWords.with(first).with(second) }

// pairAnyhow returns the hash of two words whose order does not matter.
func pairAnyhow(a, b string) wordHash {
	if a > b {
		a, b = b, a
	}
	return pairInOrder(a, b)
}
