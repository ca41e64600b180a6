package bndes

import (
	"crypto/sha256"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"razao/internal/data/cnpj"
)

const (
	clientColumns = 55 // characters at which BNDES cuts a name
	shortColumns  = 45 // characters of the name when the root follows in brackets
)

// nameSum is the first half of the SHA-256 of a folded name; the linker compares sums instead of
// names to bound its memory. Among a hundred million names the odds of a collision are below 1 in
// 10^22, and nobody can construct one by choosing names.
type nameSum [16]byte

// sumName folds and hashes a name. It returns false when folding leaves nothing: such a name must
// match nobody.
func sumName(name string) (nameSum, bool) {
	var buf [128]byte
	folded := appendFolded(buf[:0], name)
	sum := sha256.Sum256(folded)
	return nameSum(sum[:16]), len(folded) > 0
}

// splitClient splits a client of the form "NAME, padded to 45 characters(12345678)" into name and
// root. ok is false, and name the whole client, for every other form.
func splitClient(client string) (name string, root cnpj.Root, ok bool) {
	const tail = len("(12345678)")
	at := len(client) - tail
	if at < 0 || client[at] != '(' || client[len(client)-1] != ')' || utf8.RuneCountInString(client[:at]) != shortColumns {
		return client, 0, false
	}
	root, err := cnpj.ParseRoot(client[at+1 : len(client)-1])
	if err != nil {
		return client, 0, false
	}
	return client[:at], root, true
}

// companyName folds a company's name on demand, cut as BNDES cuts it with and without a root in
// brackets. Most companies are never compared, so neither form is computed in advance.
type companyName struct {
	published string
	whole     cutName // cut at clientColumns
	short     cutName // cut at shortColumns
}

// cutName is the sum of a cut name once done is set.
type cutName struct {
	sum  nameSum
	done bool
}

// is reports whether the company has the name that a query asks for.
func (c *companyName) is(q *query) bool {
	cut, columns := &c.whole, clientColumns
	if q.bracketed {
		cut, columns = &c.short, shortColumns
	}
	if !cut.done {
		cut.sum, _ = sumName(firstRunes(c.published, columns)) // clues.usable excludes empty names
		cut.done = true
	}
	return cut.sum == q.name
}

// firstRunes returns the first n characters of s.
func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// appendFolded appends a name in the form in which names are compared: upper case, without accents,
// with each run of blanks and of . , / - ' " as one blank, none at the ends. Legal forms such as
// LTDA and ME stay: a company that changed its form is lost, but no other is taken for it.
func appendFolded(dst []byte, name string) []byte {
	start, gap := len(dst), false
	if !isASCII(name) {
		name = norm.NFD.String(name)
	}
	for _, r := range name {
		switch {
		case unicode.Is(unicode.Mn, r): // an accent that NFD split off
		case unicode.IsSpace(r) || strings.ContainsRune(`.,/-'"`, r):
			gap = len(dst) > start
		default:
			if gap {
				dst, gap = append(dst, ' '), false
			}
			dst = utf8.AppendRune(dst, unicode.ToUpper(r))
		}
	}
	return dst
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
