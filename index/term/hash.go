package term

import "encoding/hex"

// Hash identifies a sequence of words (64-bit FNV-1a). Terms keep 16 bits of it to bound the term
// dictionary at 65,536 terms per kind. Two sequences collide with a probability of 1/65,536, so a
// query that uses a hash must require the words themselves as well.
type Hash uint64

// NoWords is the hash of the empty sequence: the FNV-1a offset basis.
const NoWords Hash = 14695981039346656037

// With returns the hash of the sequence with word appended. The last multiplication hashes a zero
// byte, the separator that keeps "ab c" and "a bc" apart.
func (h Hash) With(word string) Hash {
	const prime = 1099511628211
	for i := range len(word) {
		h = (h ^ Hash(word[i])) * prime
	}
	return h * prime
}

// AppendTerm appends the filter term of the hash: the kind and four hexadecimal digits. The upper
// 32 bits are folded into the lower ones before the low 16 are taken.
func (h Hash) AppendTerm(dst []byte, kind byte) []byte {
	h ^= h >> 32
	return hex.AppendEncode(append(dst, kind), []byte{byte(h >> 8), byte(h)})
}

// HashKinds is the number of hashed kinds, PartnerWord to WholeName.
const HashKinds = 3

// HashSlot maps the key of a hashed term (field letter included) to a number below HashKinds << 16,
// so that the builder counts these terms in an array instead of a map. It returns false for any
// other key. The hexadecimal digits of the key are trusted.
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

// Term returns the filter term of the hash: see AppendTerm.
func (h Hash) Term(kind byte) string { return string(h.AppendTerm(nil, kind)) }

// PairInOrder returns the hash of two adjacent words, for NamePair.
func PairInOrder(first, second string) Hash { return NoWords.With(first).With(second) }

// PartnerSlots is the number of partners of a document that are told apart; partner PartnerSlots
// shares slot 0. A query looks up every slot for each of its words, and few companies have more
// partners.
const PartnerSlots = 8

// PartnerHash returns the hash of a word in the name of a partner, or of a reading of it, for
// PartnerWord. Partners are
// numbered from 0 in the order of their names. A person's name matches when one slot has all words
// of the query: this keeps "maria" and "souza" of two partners from matching "maria souza".
func PartnerHash(partner int, word string) Hash {
	return NoWords.With(string(rune('a' + partner%PartnerSlots))).With(word)
}
