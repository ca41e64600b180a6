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

// sealLifetime is how long a sealed text can be opened.
const sealLifetime = 5 * time.Minute

// ErrSeal means that a sealed text is not of this browser's session, was changed or is too old.
var ErrSeal = errors.New("invalid sealed text")

// Seal encrypts a text that is kept with the session until the next page of the same browser, as AES-256-GCM under a key derived
// from the session's token (HKDF, RFC 5869). The database has only the token's hash, so it holds nothing that can be read.
func (s *Sessions) Seal(c *gin.Context, text string) (string, error) {
	aead, err := s.sealer(c)
	if err != nil {
		return "", err
	}
	plain := binary.BigEndian.AppendUint64(nil, uint64(s.now().Unix()))
	return string(aead.Seal(nil, nil, append(plain, text...), nil)), nil
}

// Open decrypts what Seal returned to the same browser at most 5 minutes ago. ErrSeal: it is something else.
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
