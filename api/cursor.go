package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
)

// errCursor means that a cursor was not issued here for the collection, the document and the limit that it came with.
var errCursor = errors.New("cursor refused")

// cursorSigner makes and reads cursors. A cursor is a load and the position of the next item in it, with a truncated HMAC-SHA256
// that also covers the path of the collection and the limit: it is good for the address it came in and for no other.
type cursorSigner struct {
	key []byte
}

const (
	signatureLength = 16 // bytes: 128 bits of the HMAC
	longestCursor   = 64 // characters; ours are shorter
)

// append appends the cursor of position from in a load of the collection at path, walked by limit items.
func (s cursorSigner) append(dst []byte, path string, limit int, load int64, from int) []byte {
	var space [2*binary.MaxVarintLen64 + sha256.Size]byte
	cursor := binary.AppendUvarint(space[:0], uint64(load))
	cursor = binary.AppendUvarint(cursor, uint64(from))
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte("cursor\x00"))
	mac.Write(cursor)
	mac.Write([]byte{byte(limit)})
	mac.Write([]byte(path))
	cursor = mac.Sum(cursor)[:len(cursor)+signatureLength]
	return base64.RawURLEncoding.AppendEncode(dst, cursor)
}

// read returns what append was given. The error is errCursor.
func (s cursorSigner) read(cursor, path string, limit int) (load int64, from int, err error) {
	if len(cursor) > longestCursor {
		return 0, 0, errCursor
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return 0, 0, errCursor
	}
	first, n := binary.Uvarint(raw)
	second, m := binary.Uvarint(raw[max(n, 0):])
	if n <= 0 || m <= 0 {
		return 0, 0, errCursor
	}
	load, from = int64(first), int(second)
	if !hmac.Equal([]byte(cursor), s.append(nil, path, limit, load, from)) {
		return 0, 0, errCursor
	}
	return load, from, nil
}
