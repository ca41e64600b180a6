package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"

	"razao/internal/store/registry/history"
)

// errCursor means that a cursor is malformed, forged, or was issued for another address or limit.
var errCursor = errors.New("cursor refused")

// errPosition is the errCursor of the history, whose cursors know no limit.
var errPosition = fmt.Errorf("position: %w", errCursor)

// cursorSigner makes and verifies cursors, which are stateless:
//
//	base64url( uvarint(number)… HMAC-SHA256[:16] )
//
// The numbers of a collection are its load and a position; in a search the load is a hash of all
// loads involved (stateOf). Those of the history are a history.Position, which no load ends. The MAC
// also covers path and limit, so a cursor is valid only at the address that issued it and with its
// limit. Clients can neither choose a position nor move a cursor to another document. Nothing is
// stored and nothing expires by time: a cursor ends with the load that it names, which the caller of
// read checks, or with the key.
type cursorSigner struct {
	key []byte
}

const (
	signatureLength = 16 // bytes of the HMAC
	longestCursor   = 76 // characters; bounds decoding, genuine ones have at most 75
)

// append appends the cursor for position from of a load. path is the address of the collection and
// limit, from 1 to 100, its page size.
func (s cursorSigner) append(dst []byte, path string, limit int, load int64, from int) []byte {
	return s.seal(dst, path, limit, uint64(load), uint64(from))
}

// read verifies a cursor and returns its load and position, or errCursor.
func (s cursorSigner) read(cursor, path string, limit int) (load int64, from int, err error) {
	var numbers [2]uint64
	if err := s.open(cursor, path, limit, numbers[:]); err != nil {
		return 0, 0, errCursor
	}
	return int64(numbers[0]), int(numbers[1]), nil
}

// anyLimit stands for the limit in cursors with which the page size may change.
const anyLimit = 0

// appendPosition appends the cursor for a position of the history. address is path and query.
func (s cursorSigner) appendPosition(dst []byte, address string, p history.Position) []byte {
	numbers := []uint64{uint64(p.Seq), p.Hash, uint64(p.Event)}
	if p.AsOf != 0 {
		numbers = append(numbers, uint64(p.AsOf))
	}
	return s.seal(dst, address, anyLimit, numbers...)
}

// readPosition verifies a cursor of appendPosition; the error is errPosition.
func (s cursorSigner) readPosition(cursor, address string) (history.Position, error) {
	var numbers [4]uint64
	if s.open(cursor, address, anyLimit, numbers[:]) != nil || numbers[3] == 0 {
		numbers[3] = 0
		if s.open(cursor, address, anyLimit, numbers[:3]) != nil {
			return history.Position{}, errPosition
		}
	}
	return history.Position{Seq: int64(numbers[0]), Hash: numbers[1], Event: int(numbers[2]), AsOf: int64(numbers[3])}, nil
}

// seal appends the cursor of some numbers, at most four. Varints and the single byte of limit are
// self-delimiting, so different inputs never give the MAC the same bytes.
func (s cursorSigner) seal(dst []byte, address string, limit int, numbers ...uint64) []byte {
	var space [4*binary.MaxVarintLen64 + sha256.Size]byte
	cursor := space[:0]
	for _, n := range numbers {
		cursor = binary.AppendUvarint(cursor, n)
	}
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte("cursor\x00")) // domain separation
	mac.Write(cursor)
	mac.Write([]byte{byte(limit)})
	mac.Write([]byte(address))
	cursor = mac.Sum(cursor)[:len(cursor)+signatureLength]
	return base64.RawURLEncoding.AppendEncode(dst, cursor)
}

// open verifies a cursor and sets numbers to those in it, or returns errCursor. It issues the cursor
// again and compares the texts in constant time, which also refuses non-canonical encodings.
func (s cursorSigner) open(cursor, address string, limit int, numbers []uint64) error {
	if len(cursor) > longestCursor {
		return errCursor
	}
	rest, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return errCursor
	}
	for i := range numbers {
		n, length := binary.Uvarint(rest)
		if length <= 0 {
			return errCursor
		}
		numbers[i], rest = n, rest[length:]
	}
	if !hmac.Equal([]byte(cursor), s.seal(nil, address, limit, numbers...)) {
		return errCursor
	}
	return nil
}
