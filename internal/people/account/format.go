package account

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math/bits"
	chacha "math/rand/v2" // its ChaCha8 is cryptographically strong
	"strings"

	"razao/internal/people/seal"
)

// A key is a prefix and 40 characters in base 62:
//
//	rz_ | 24 random | 10 of the MAC over these | 6 of the CRC-32 over the 34 before
//
// Prefix and checksum let secret scanners recognise leaked keys. The checksum refuses typos and the
// MAC forgeries, both without a query. Keys without a MAC have 34 random characters; they are valid
// if the database has them.
const (
	keyPrefix      = "rz_"
	randomLength   = 24 // 142 bits
	macLength      = 10 // 59 bits
	secretLength   = randomLength + macLength
	checksumLength = 6
	keyLength      = len(keyPrefix) + secretLength + checksumLength

	shownLength = 8 // first characters, by which the owner recognises a key

	base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// newKey returns a new random key.
func newKey(s *seal.Sealer) string { return keyFrom(s, rand.Reader) }

// keyOfForm returns the key that a form creates for an account under a name: the same each time, on every server with this secret,
// so that a form sent twice is answered twice with one key although only its hash is stored. Without the secret nobody can
// compute it.
func keyOfForm(s *seal.Sealer, account ID, form, name string) string {
	return keyFrom(s, chacha.NewChaCha8(s.MAC("key of a form", fmt.Sprintf("%d %q %q", account, form, name))))
}

// keyFrom returns the key whose random part is drawn from source, which never fails.
func keyFrom(s *seal.Sealer, source io.Reader) string {
	key := make([]byte, 0, keyLength)
	key = append(key, keyPrefix...)
	for len(key) < len(keyPrefix)+randomLength {
		var random [64]byte
		_, _ = source.Read(random[:])
		for _, b := range random {
			const fair = 256 - 256%len(base62) // rejection sampling: no modulo bias
			if int(b) < fair && len(key) < len(keyPrefix)+randomLength {
				key = append(key, base62[int(b)%len(base62)])
			}
		}
	}
	mac := macOf(s, string(key[len(keyPrefix):]))
	key = append(key, mac[:]...)
	sum := checksum(string(key[len(keyPrefix):]))
	return string(append(key, sum[:]...))
}

// macOf returns the MAC of a key's random part, 59 bits in base 62, least significant digit first.
func macOf(s *seal.Sealer, random string) (text [macLength]byte) {
	const values = 62 * 62 * 62 * 62 * 62 * 62 * 62 * 62 * 62 * 62 // of ten characters
	sum := s.MAC("key", random)
	n := bits.Rem64(binary.BigEndian.Uint64(sum[:]), binary.BigEndian.Uint64(sum[8:]), values) // 128 bits modulo 2^59.5: negligible bias
	for i := range text {
		text[i] = base62[n%uint64(len(base62))]
		n /= uint64(len(base62))
	}
	return text
}

// sealed reports whether a well-formed key has the right MAC, in constant time (timing attack).
func sealed(s *seal.Sealer, key string) bool {
	secret := key[len(keyPrefix) : len(keyPrefix)+secretLength]
	mac := macOf(s, secret[:randomLength])
	return subtle.ConstantTimeCompare(mac[:], []byte(secret[randomLength:])) == 1
}

// IsKey reports whether a token has the prefix of API keys, and so is no other kind of token. It
// need not be valid.
func IsKey(token string) bool { return strings.HasPrefix(token, keyPrefix) }

// wellFormed checks length, alphabet and checksum, not whether the key exists.
func wellFormed(s string) bool {
	if len(s) != keyLength || !strings.HasPrefix(s, keyPrefix) {
		return false
	}
	body := s[len(keyPrefix):]
	for i := range len(body) {
		if !isBase62(body[i]) {
			return false
		}
	}
	sum := checksum(body[:secretLength])
	return string(sum[:]) == body[secretLength:]
}

func isBase62(c byte) bool {
	return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
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
