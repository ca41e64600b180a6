package account

import (
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"strings"
)

// A key is keyPrefix, secretLength random characters and their CRC-32 in base 62. The checksum lets a typo be refused
// without a look-up and lets scanners tell a leaked key from other text.
const (
	keyPrefix      = "rz_"
	secretLength   = 34 // 202 bits
	checksumLength = 6
	keyLength      = len(keyPrefix) + secretLength + checksumLength

	shownLength = 8 // characters by which an owner recognises a key

	base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// newKey returns a new random key.
func newKey() string {
	key := make([]byte, 0, keyLength)
	key = append(key, keyPrefix...)
	for len(key) < len(keyPrefix)+secretLength {
		var random [64]byte
		_, _ = rand.Read(random[:]) // never fails: the program ends when the system has no randomness
		for _, b := range random {
			const fair = 256 - 256%len(base62) // above it some characters would come more often than others
			if int(b) < fair && len(key) < len(keyPrefix)+secretLength {
				key = append(key, base62[int(b)%len(base62)])
			}
		}
	}
	sum := checksum(string(key[len(keyPrefix):]))
	return string(append(key, sum[:]...))
}

// IsKey reports whether a token was meant as an API key, so that it is no token of any other kind: all keys begin alike. It
// may be mistyped or revoked.
func IsKey(token string) bool { return strings.HasPrefix(token, keyPrefix) }

// wellFormed reports whether s can be a key: its form and its checksum, not whether the key exists.
func wellFormed(s string) bool {
	if len(s) != keyLength || !strings.HasPrefix(s, keyPrefix) {
		return false
	}
	body := s[len(keyPrefix):]
	for i := range len(body) {
		if strings.IndexByte(base62, body[i]) < 0 {
			return false
		}
	}
	sum := checksum(body[:secretLength])
	return string(sum[:]) == body[secretLength:]
}

func checksum(secret string) (sum [checksumLength]byte) {
	n := crc32.ChecksumIEEE([]byte(secret))
	for i := checksumLength - 1; i >= 0; i-- {
		sum[i] = base62[n%uint32(len(base62))]
		n /= uint32(len(base62))
	}
	return sum
}

// hashOf returns what is stored of a key. The key is random, so that one round of a fast hash is enough.
func hashOf(key string) []byte {
	sum := sha256.Sum256([]byte(key))
	return sum[:]
}
