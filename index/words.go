package index

import (
	"encoding/hex"
	"hash/fnv"
)

// isWeightless says whether a folded word tells nothing about a company: legal suffixes and the little words between
// names. They are searched only when a query has nothing else.
func isWeightless(word []byte) bool {
	switch string(word) {
	case "ltda", "limitada", "me", "mei", "epp", "eireli", "sa", "ss",
		"de", "da", "do", "das", "dos", "e":
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

// appendNameKey appends the key of a whole name: four hexadecimal digits from its significant words in order. Legal
// and trade name share the field of words, so all words of a query being there does not make it one of the two names;
// the key, together with the words, does (a stranger agrees once in 65,536).
func (t *tokenizer) appendNameKey(dst []byte, significant []int) []byte {
	h := fnv.New64a()
	for _, i := range significant {
		h.Write(t.word(i))
		h.Write([]byte{0})
	}
	sum := h.Sum64()
	sum ^= sum >> 32
	return hex.AppendEncode(dst, []byte{byte(sum >> 8), byte(sum)})
}
