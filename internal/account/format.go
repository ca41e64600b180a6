package account

import (
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"strings"
)

// A key is "rz_", 34 random characters and their CRC-32, in base 62: rz_ + 34 + 6 characters. Prefix and checksum let secret
// scanners recognise leaked keys, and the checksum refuses typos without a look-up.
const (
	keyPrefix      = "rz_"
	secretLength   = 34 // 202 bits
	checksumLength = 6
	keyLength      = len(keyPrefix) + secretLength + checksumLength

	shownLength = 8 // first characters, by which the owner recognises a key

	base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// newKey returns a new random key.
func newKey() string {
	key := make([]byte, 0, keyLength)
	key = append(key, keyPrefix...)
	for len(key) < len(keyPrefix)+secretLength {
		var random [64]byte
		_, _ = rand.Read(random[:]) // never fails (crypto/rand crashes the program instead)
		for _, b := range random {
			const fair = 256 - 256%len(base62) // rejection sampling: no modulo bias
			if int(b) < fair && len(key) < len(keyPrefix)+secretLength {
				key = append(key, base62[int(b)%len(base62)])
			}
		}
	}
	sum := checksum(string(key[len(keyPrefix):]))
	return string(append(key, sum[:]...))
}

// IsKey reports whether a token has the prefix of API keys and so is no other kind of token. It need not be valid.
func IsKey(token string) bool { return strings.HasPrefix(token, keyPrefix) }

// wellFormed checks length, alphabet and checksum, not whether the key exists.
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

// checksum returns the CRC-32 (IEEE) of a secret in base 62, most significant digit first.
func checksum(secret string) (sum [checksumLength]byte) {
	n := crc32.ChecksumIEEE([]byte(secret))
	for i := checksumLength - 1; i >= 0; i-- {
		sum[i] = base62[n%uint32(len(base62))]
		n /= uint32(len(base62))
	}
	return sum
}

// hashOf returns the SHA-256 that is stored in place of a key or token. Both are random, so they need no salt and no slow hash.
func hashOf(key string) []byte {
	sum := sha256.Sum256([]byte(key))
	return sum[:]
}
