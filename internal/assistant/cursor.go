package assistant

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
)

// A cursor is the position of the next item, which load or index it is a position in, and which question it continues. The
// latter two are digests: they keep a cursor from being used where it means nothing, and need not be secret, since a position
// that somebody makes up is one that could be asked for as well. The limit of a page is free to change on the way.
const (
	digestLength  = 6  // bytes; two that are meant to differ do
	longestCursor = 40 // characters
)

// walk is a sequence that is read page by page.
type walk struct {
	question string // what is asked, apart from the page
	state    string // what the positions belong to
}

func digest(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:digestLength]
}

// cursor returns the cursor of a position.
func (w walk) cursor(from int) *string {
	raw := binary.AppendUvarint(nil, uint64(from))
	raw = append(raw, digest(w.state)...)
	raw = append(raw, digest(w.question)...)
	text := base64.RawURLEncoding.EncodeToString(raw)
	return &text
}

// from returns the position of a cursor, 0 for "". The error is a *Refusal.
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
	if n <= 0 || from > 1<<31 || len(raw) != n+2*digestLength || string(raw[n+digestLength:]) != string(digest(w.question)) {
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
