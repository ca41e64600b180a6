// Package seal makes API keys and OAuth tokens that prove in memory that this service gave them out: each carries a MAC over its
// random part, so that a forged one costs no query. What a sealed one is worth is for the database alone to say.
//
// Sealer makes and checks the MACs. Gate decides which secrets may be looked up, those of before there was a seal, or of another
// RAZAO_SECRET, included.
package seal

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"hash"
	"sync"
)

const (
	randomBytes = 20 // of a token: 160 bits
	macBytes    = 12 // of a token: 96 bits

	fingerprintBytes = 8
)

// tokenText is strict, so that a token has one spelling.
var tokenText = base64.RawURLEncoding.Strict()

// Sealer makes and checks MACs with one secret. It is safe for concurrent use.
type Sealer struct {
	secret      []byte
	macs        sync.Pool // of hash.Hash, keyed: to key one costs as much as to use it
	fingerprint []byte
}

// New returns the sealer of a secret. Servers that share it recognise each other's keys and tokens.
func New(secret string) *Sealer {
	s := &Sealer{secret: []byte(secret)}
	key := s.Key("seal")
	s.macs.New = func() any { return hmac.New(sha256.New, key) }
	mac := s.MAC("fingerprint", "")
	s.fingerprint = mac[:fingerprintBytes]
	return s
}

// Key derives a key for one purpose from the secret, so that what signs one thing does not sign another.
func (s *Sealer) Key(purpose string) []byte {
	mac := hmac.New(sha256.New, s.secret)
	_, _ = mac.Write([]byte(purpose)) // never fails
	return mac.Sum(nil)
}

// Fingerprint tells secrets apart and gives none away. It is stored with what was sealed.
func (s *Sealer) Fingerprint() []byte { return s.fingerprint }

// MAC returns the HMAC-SHA256 of a text for one purpose, which has no NUL: what is sealed for another is not valid.
func (s *Sealer) MAC(purpose, text string) (sum [sha256.Size]byte) {
	mac, _ := s.macs.Get().(hash.Hash)
	mac.Reset()
	_, _ = mac.Write([]byte(purpose + "\x00" + text)) // never fails
	mac.Sum(sum[:0])
	s.macs.Put(mac)
	return sum
}

// Token returns a new token for one purpose: 160 random bits and 96 bits of MAC in base64url, 43 characters.
func (s *Sealer) Token(purpose string) string {
	var token [randomBytes + macBytes]byte
	_, _ = rand.Read(token[:randomBytes]) // never fails (crypto/rand crashes the program instead)
	mac := s.MAC(purpose, string(token[:randomBytes]))
	copy(token[randomBytes:], mac[:])
	return tokenText.EncodeToString(token[:])
}

// Sealed reports whether Token made this token for this purpose with this key.
func (s *Sealer) Sealed(purpose, token string) bool {
	var decoded [randomBytes + macBytes]byte
	if len(token) != tokenText.EncodedLen(len(decoded)) {
		return false
	}
	if _, err := tokenText.Decode(decoded[:], []byte(token)); err != nil {
		return false
	}
	mac := s.MAC(purpose, string(decoded[:randomBytes]))
	return subtle.ConstantTimeCompare(mac[:macBytes], decoded[randomBytes:]) == 1
}
