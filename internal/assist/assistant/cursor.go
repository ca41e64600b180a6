package assistant

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
)

// A cursor is base64url of: the position of the next item (uvarint), a digest of the state in which
// the position is valid (load or index), and a digest of the query. The digests detect
// accidental misuse: a cursor of another query is refused, one of an earlier load is refused as
// Changed. They are not a MAC, because a forged cursor only reaches positions that could be read
// anyway. The page size is not part of it and may change.
const (
	digestLength  = 6  // bytes; 48 bits suffice against accidental collisions
	longestCursor = 40 // characters; longer input is not decoded
)

// walk is a list that is read page by page.
type walk struct {
	query string // identifies the query, without cursor and limit
	state string // identifies the load or index in which positions are valid
}

// digest returns a truncated SHA-256.
func digest(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:digestLength]
}

// cursor encodes a position.
func (w walk) cursor(from int) *string {
	raw := binary.AppendUvarint(nil, uint64(from))
	raw = append(raw, digest(w.state)...)
	raw = append(raw, digest(w.query)...)
	text := base64.RawURLEncoding.EncodeToString(raw)
	return &text
}

// from decodes a cursor; "" is position 0. The error is a *Refusal: Changed if the state differs,
// Malformed otherwise.
func (w walk) from(cursor string) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	if len(cursor) > longestCursor {
		return 0, foreignCursor()
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return 0, foreignCursor()
	}
	from, n := binary.Uvarint(raw)
	if n <= 0 || from > 1<<31 || len(raw) != n+2*digestLength || string(raw[n+digestLength:]) != string(digest(w.query)) {
		return 0, foreignCursor()
	}
	if string(raw[n:n+digestLength]) != string(digest(w.state)) {
		return 0, refuse(Changed, "fotografia_alterada: os dados foram atualizados desde a página anterior. Recomece sem cursor e "+
			"descarte as páginas já lidas.")
	}
	return int(from), nil
}

func foreignCursor() error {
	return refuse(Malformed, "cursor_invalido: este cursor não é desta consulta. Repita exatamente os argumentos da consulta que o "+
		"devolveu (só limite pode mudar), ou recomece sem cursor.")
}
