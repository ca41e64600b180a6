package bndes

import (
	"crypto/sha256"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"razao/internal/cnpj"
)

const (
	clientColumns = 55 // at which BNDES cuts names
	shortColumns  = 45 // of the name when the root follows in brackets
)

// nameSum stands for a folded name: half of its SHA-256. That two names of the country have the same one is out of
// reach: with a hundred million names the odds are below 1 in 10^22, and nobody can make such a pair by choosing names.
type nameSum [16]byte

// sumName folds a name. It returns false for a name of which nothing remains.
func sumName(name string) (nameSum, bool) {
	var room [128]byte
	folded := appendFolded(room[:0], name)
	sum := sha256.Sum256(folded)
	return nameSum(sum[:16]), len(folded) > 0
}

// splitClient takes the root off a client's name that has one in brackets behind 45 columns.
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

// companyName is the name of a company in the forms in which clients have it, each made when it is first asked for.
type companyName struct {
	published string
	whole     cutName // up to 55 columns
	short     cutName // up to 45
}

type cutName struct {
	sum  nameSum
	done bool
}

// is says whether the company has the name of a question.
func (c *companyName) is(q *question) bool {
	cut, columns := &c.whole, clientColumns
	if q.short {
		cut, columns = &c.short, shortColumns
	}
	if !cut.done {
		cut.sum, _ = sumName(firstRunes(c.published, columns)) // nobody asks for an empty name
		cut.done = true
	}
	return cut.sum == q.name
}

// firstRunes cuts s behind n runes.
func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// appendFolded appends a name as names are compared: upper case, without accents, with single blanks where there were
// blanks or one of . , / - ' ". Words such as LTDA stay.
func appendFolded(dst []byte, name string) []byte {
	start, gap := len(dst), false
	if !isASCII(name) {
		name = norm.NFD.String(name)
	}
	for _, r := range name {
		switch {
		case unicode.Is(unicode.Mn, r): // what NFD made of an accent
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
