// Package seal makes API keys and OAuth tokens recognisable without the database: each carries a
// MAC (HMAC-SHA256, RFC 2104) over its random part. A flood of forged credentials is refused in
// memory and costs no query. A valid MAC proves only that this service issued the credential;
// whether it is still valid is for the database to say.
//
//   - [Sealer] makes and checks MACs, keyed by RAZAO_SECRET. Every use has its own purpose (domain
//     separation), so a token of one kind does not pass as another.
//     [Sealer.Encrypt] is for what the client carries for us and nobody else is to read.
//   - [Filter] decides which credentials may be looked up: sealed ones, except those that the
//     database refused within the last minute, and, while the database holds credentials without a
//     MAC or under another secret, unsealed ones too. That makes changing the secret possible
//     without ending every key at once.
//
// Memory is bounded: a Filter remembers a bounded number of credentials of either kind, as SHA-256.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"hash"
	"sync"
)

// Sizes of a token in bytes. 160 random bits cannot be guessed. The MAC is an HMAC truncated to 96
// bits: who forged one would gain a query and no access.
const (
	randomBytes = 20
	macBytes    = 12

	fingerprintBytes = 8
)

// tokenText is strict: without it the unused bits of the last character would give a token several
// spellings, each with its own SHA-256.
var tokenText = base64.RawURLEncoding.Strict()

// Sealer makes and checks MACs with one secret. Make one with New. It is safe for concurrent use.
type Sealer struct {
	secret      []byte
	macs        sync.Pool // of keyed hash.Hash, so that not every MAC derives its key again
	fingerprint []byte
}

// New returns the Sealer of a secret. Servers with the same secret recognise each other's keys and
// tokens.
func New(secret string) *Sealer {
	s := &Sealer{secret: []byte(secret)}
	key := s.Key("seal")
	s.macs.New = func() any { return hmac.New(sha256.New, key) }
	mac := s.MAC("fingerprint", "")
	s.fingerprint = mac[:fingerprintBytes]
	return s
}

// Key derives a 256-bit key for one purpose from the secret, so that a MAC made for one purpose is
// not valid for another.
func (s *Sealer) Key(purpose string) []byte {
	mac := hmac.New(sha256.New, s.secret)
	_, _ = mac.Write([]byte(purpose)) // never fails
	return mac.Sum(nil)
}

// Fingerprint returns 8 bytes that differ between secrets and reveal nothing of them. They are
// stored beside each sealed credential, to find those of another secret. Callers must not change
// them.
func (s *Sealer) Fingerprint() []byte { return s.fingerprint }

// MAC returns the HMAC-SHA256 of a text for one purpose. purpose must not contain NUL, which
// separates it from the text: otherwise two pairs could have one MAC.
func (s *Sealer) MAC(purpose, text string) (sum [sha256.Size]byte) {
	mac, _ := s.macs.Get().(hash.Hash)
	mac.Reset()
	_, _ = mac.Write([]byte(purpose + "\x00" + text)) // never fails
	mac.Sum(sum[:0])
	s.macs.Put(mac)
	return sum
}

// Token returns a new token for one purpose: 160 random bits and their 96-bit MAC, 43 characters of
// base64url.
func (s *Sealer) Token(purpose string) string {
	var random [randomBytes]byte
	_, _ = rand.Read(random[:]) // never fails (crypto/rand crashes the program instead)
	return s.sealedText(purpose, random[:])
}

// DerivedToken returns a token as Token does, except that its random part is an HMAC of a text: who
// knows text and secret can compute it again, and nobody else can guess it. The text must have at
// least the entropy of a token.
func (s *Sealer) DerivedToken(purpose, from string) string {
	sum := s.MAC("derived "+purpose, from)
	return s.sealedText(purpose, sum[:randomBytes])
}

// sealedText returns the text of a token with this random part.
func (s *Sealer) sealedText(purpose string, random []byte) string {
	var token [randomBytes + macBytes]byte
	copy(token[:], random)
	mac := s.MAC(purpose, string(random))
	copy(token[randomBytes:], mac[:])
	return tokenText.EncodeToString(token[:])
}

// Encrypt seals a text for one purpose with AES-256-GCM and a random nonce, as base64url. Nobody
// without the secret can read, change or make what it returns.
func (s *Sealer) Encrypt(purpose, text string) string {
	return tokenText.EncodeToString(s.aead(purpose).Seal(nil, nil, []byte(text), nil))
}

// Decrypt returns the text that Encrypt sealed for this purpose with the same secret, and whether it
// did. Each sealed text has one spelling only.
func (s *Sealer) Decrypt(purpose, sealed string) (text string, ok bool) {
	decoded, err := tokenText.DecodeString(sealed)
	if err != nil || tokenText.EncodedLen(len(decoded)) != len(sealed) { // Decode skips line breaks
		return "", false
	}
	plain, err := s.aead(purpose).Open(nil, nil, decoded, nil)
	return string(plain), err == nil
}

// aead returns the cipher of a purpose.
func (s *Sealer) aead(purpose string) cipher.AEAD {
	block, err := aes.NewCipher(s.Key("encrypt " + purpose))
	if err != nil {
		panic(err) // never: a key has 32 bytes
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err) // never: AES has blocks of 16 bytes
	}
	return aead
}

// Sealed reports whether Token made this token for this purpose with the same secret. It costs one
// HMAC and no query. The comparison takes constant time, so timing tells a forger nothing about the
// MAC.
func (s *Sealer) Sealed(purpose, token string) bool {
	var decoded [randomBytes + macBytes]byte
	if len(token) != tokenText.EncodedLen(len(decoded)) {
		return false
	}
	// Decode skips line breaks: a token that ends in one would pass for its last byte being zero.
	if n, err := tokenText.Decode(decoded[:], []byte(token)); err != nil || n != len(decoded) {
		return false
	}
	mac := s.MAC(purpose, string(decoded[:randomBytes]))
	return subtle.ConstantTimeCompare(mac[:macBytes], decoded[randomBytes:]) == 1
}
