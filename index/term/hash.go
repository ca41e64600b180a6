package term

import "encoding/hex"

// Hash identifies a sequence of words. Terms keep 16 bits of it, so that the term dictionary stays small; two sequences
// collide once in 65,536, and a query looks for the words themselves as well.
type Hash uint64

// NoWords is the hash of no word, to which words are added.
const NoWords Hash = 14695981039346656037

// With returns the hash of the words so far and one more (FNV-1a).
func (h Hash) With(word string) Hash {
	const prime = 1099511628211
	for i := range len(word) {
		h = (h ^ Hash(word[i])) * prime
	}
	return h * prime
}

// AppendTerm appends the filter term of a kind: four hexadecimal digits.
func (h Hash) AppendTerm(dst []byte, kind byte) []byte {
	h ^= h >> 32
	return hex.AppendEncode(append(dst, kind), []byte{byte(h >> 8), byte(h)})
}

// HashKinds is how many kinds of hashes there are.
const HashKinds = 3

// HashSlot returns a number below HashKinds << 16 for the key of such a term, false for other keys.
func HashSlot(key []byte) (int, bool) {
	if len(key) != 6 || key[0] != FieldFilter || key[1] < PartnerWord || key[1] > WholeName {
		return 0, false
	}
	slot := int(key[1] - PartnerWord)
	for _, digit := range key[2:] {
		if digit >= 'a' {
			digit -= 'a' - '9' - 1
		}
		slot = slot<<4 | int(digit-'0')
	}
	return slot, true
}

// Term returns what AppendTerm appends.
func (h Hash) Term(kind byte) string { return string(h.AppendTerm(nil, kind)) }

// PairInOrder returns the hash of two words that follow each other.
func PairInOrder(first, second string) Hash { return NoWords.With(first).With(second) }

// PartnerSlots is how many partners of a document are told apart; the next ones share the slots of the first. Each is looked up for each
// word of a query, and few companies have more partners.
const PartnerSlots = 8

// PartnerHash returns the hash of a word in the name of a partner, who are counted from 0 by their names. Words of one name share a slot: that all
// words of a query have it is what makes them one person's.
func PartnerHash(partner int, word string) Hash {
	return NoWords.With(string(rune('a' + partner%PartnerSlots))).With(word)
}
