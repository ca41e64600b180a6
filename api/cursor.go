package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
)

// errCursor means that a cursor is malformed, forged, or was issued for another address or limit.
var errCursor = errors.New("cursor refused")

// cursorSigner makes and verifies cursors, which are stateless:
//
//	base64url( uvarint(load) uvarint(position) HMAC-SHA256[:16] )
//
// The MAC also covers path and limit, so a cursor is valid only at the address that issued it and
// with its limit. Clients can neither choose a position nor move a cursor to another document.
// Nothing is stored and nothing expires by time: a cursor ends with the load that it names, which
// the caller of read checks, or with the key. In a search the load is a hash of all loads involved
// (stateOf).
type cursorSigner struct {
	key []byte
}

const (
	signatureLength = 16 // bytes of the HMAC
	longestCursor   = 64 // characters; bounds decoding, genuine ones have at most 46
)

// append appends the cursor for position from of a load. path is the address of the collection and
// limit, at most 100, its page size. Varints and the single byte of limit are self-delimiting, so
// different inputs never give the MAC the same bytes.
func (s cursorSigner) append(dst []byte, path string, limit int, load int64, from int) []byte {
	var space [2*binary.MaxVarintLen64 + sha256.Size]byte
	cursor := binary.AppendUvarint(space[:0], uint64(load))
	cursor = binary.AppendUvarint(cursor, uint64(from))
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte("cursor\x00")) // domain separation
	mac.Write(cursor)
	mac.Write([]byte{byte(limit)})
	mac.Write([]byte(path))
	cursor = mac.Sum(cursor)[:len(cursor)+signatureLength]
	return base64.RawURLEncoding.AppendEncode(dst, cursor)
}

// read verifies a cursor and returns its load and position, or errCursor. It issues the cursor
// again and compares the texts in constant time, which also refuses non-canonical encodings.
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
