package signin

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/gin-gonic/gin"
)

// sealLifetime is how long a sealed text can be opened: the time between two pages, with a slow
// network between them.
const sealLifetime = 5 * time.Minute

// ErrSeal means that a text was not sealed in this browser's session, was changed, or is older than
// 5 minutes.
var ErrSeal = errors.New("invalid sealed text")

// Seal encrypts a text, such as a new API key, that the session keeps until the next page of the
// same browser shows it. It uses AES-256-GCM with a random nonce, under a key derived from the
// session's token by HKDF (RFC 5869). The database has only the token's SHA-256, so whoever reads
// the database cannot read the text. The time of sealing is sealed with it. Seal returns
// ErrSignedOut for a request without a session cookie.
func (s *Sessions) Seal(c *gin.Context, text string) (string, error) {
	aead, err := s.sealer(c)
	if err != nil {
		return "", err
	}
	plain := binary.BigEndian.AppendUint64(nil, uint64(s.now().Unix()))
	return string(aead.Seal(nil, nil, append(plain, text...), nil)), nil
}

// Open decrypts what Seal returned to the same session at most 5 minutes ago. It returns ErrSeal
// for anything else, and ErrSignedOut for a request without a session cookie.
func (s *Sessions) Open(c *gin.Context, sealed string) (string, error) {
	aead, err := s.sealer(c)
	if err != nil {
		return "", err
	}
	plain, err := aead.Open(nil, nil, []byte(sealed), nil)
	if err != nil || len(plain) < 8 {
		return "", ErrSeal
	}
	at := time.Unix(int64(binary.BigEndian.Uint64(plain)), 0)
	if s.now().Sub(at) > sealLifetime {
		return "", ErrSeal
	}
	return string(plain[8:]), nil
}

// sealer returns the cipher of the session of a request. It derives the key from the cookie and
// does not look the session up: a token that is unknown opens nothing.
func (s *Sessions) sealer(c *gin.Context) (cipher.AEAD, error) {
	token := s.token(c.Request)
	if token == "" {
		return nil, ErrSignedOut
	}
	key, err := hkdf.Key(sha256.New, []byte(token), nil, "razao sealed text", sha256.Size)
	if err != nil {
		return nil, fmt.Errorf("derive the key of a session: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("derive the key of a session: %w", err)
	}
	return cipher.NewGCMWithRandomNonce(block)
}
