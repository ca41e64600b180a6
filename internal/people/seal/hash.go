package seal

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// RandomTokenLength is the length of what RandomToken returns, in characters.
const RandomTokenLength = 43

// RandomToken returns 256 random bits in base64url: the secret of a session, a sign-in
// or a browser, which is looked up and carries no MAC.
func RandomToken() string {
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(random[:])
}

// HashOf returns the SHA-256 that is stored in place of a key or token, so that a leaked database opens
// nothing. Secrets have over 128 random bits, so they need neither salt nor a slow hash: there is no
// dictionary to try. A look-up by hash also defeats timing attacks on the comparison.
func HashOf(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}
