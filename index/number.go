package index

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"unicode"

	"github.com/blevesearch/vellum"

	"razao/internal/cnpj"
)

// numberRange is the part of the CNPJs that a query text stands for. The zero value stands for none.
type numberRange struct {
	first, last cnpj.Full
	prefix      string // what was typed, without mask; "" when it is not a number
	digits      bool   // it has no letter
}

const (
	numberPositions = 12 // without check digits
	minNumberPrefix = 3
)

// parseNumber understands 14 positions, a root, or the first three and more positions, masked or not, in any case, also
// behind the word CNPJ, and 14 digits however they are parted. Texts that could be names (no digit, or letters with
// blanks between) are not numbers, except roots without a digit.
func parseNumber(text string) numberRange {
	var none numberRange
	text = strings.TrimSpace(text)
	if len(text) > maxNumberText {
		return none
	}
	text = strings.TrimSpace(withoutLabel(text))
	s := cnpj.Unmask(text)
	if digits, ok := onlyDigits(text); ok && len(digits) == numberPositions+2 {
		s = digits
	}
	if len(s) < minNumberPrefix || len(s) > numberPositions+2 {
		return none
	}
	letters := 0
	for i := range len(s) {
		switch {
		case s[i] >= 'A' && s[i] <= 'Z':
			letters++
		case s[i] < '0' || s[i] > '9':
			return none
		}
	}
	if letters == len(s) && letters != 8 || letters > 0 && strings.ContainsAny(text, " \t") {
		return none
	}
	r := rangeOf(s)
	r.digits = letters == 0
	return r
}

// maxNumberText is how long a text with a number may be, masks and label included.
const maxNumberText = 40

// withoutLabel takes off what people write before a CNPJ.
func withoutLabel(text string) string {
	rest, labelled := text, false
	for _, label := range [...]string{"cnpj", "/mf", "nº", "n°", "no", "n."} {
		rest = strings.TrimLeft(rest, " .:-")
		if len(rest) >= len(label) && strings.EqualFold(rest[:len(label)], label) && (labelled || label == "cnpj") {
			rest, labelled = rest[len(label):], true
		}
	}
	if !labelled {
		return text
	}
	return strings.TrimLeft(rest, " .:-")
}

// onlyDigits returns the digits of a text that has no letters.
func onlyDigits(text string) (string, bool) {
	var digits []byte
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9':
			digits = append(digits, byte(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			return "", false
		}
	}
	return string(digits), true
}

// rangeOf returns the numbers that begin with s.
func rangeOf(s string) numberRange {
	twelve := s[:min(len(s), numberPositions)]
	fill := numberPositions - len(twelve)
	first, ok := parseTwelve(twelve + strings.Repeat("0", fill))
	last, ok2 := parseTwelve(twelve + strings.Repeat("Z", fill))
	if !ok || !ok2 || len(s) > numberPositions && !strings.HasPrefix(first.String(), s) {
		return numberRange{}
	}
	return numberRange{first: first, last: last, prefix: s}
}

func parseTwelve(s string) (cnpj.Full, bool) {
	root, err := cnpj.ParseRoot(s[:8])
	if err != nil {
		return 0, false
	}
	order, err := cnpj.ParseOrder(s[8:])
	return cnpj.Join(root, order), err == nil
}

// byNumber adds the establishments of the number range, in the order of the numbers. When tiers follow it sees to it
// that they do not find them again.
func (s *search) byNumber(ctx context.Context, tiersFollow bool) error {
	if err := ctx.Err(); err != nil || s.number.prefix == "" {
		return err
	}
	filter := s.read(words{})
	cursors, err := s.cursors()
	if err != nil {
		return err
	}
	for found := 0; len(cursors) > 0 && !s.done(); found++ {
		if found&0x3ff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		least := 0
		for i := range cursors {
			if cursors[i].key < cursors[least].key {
				least = i
			}
		}
		if err := s.addNumber(cursors[least].shard, cursors[least].key, filter, tiersFollow); err != nil {
			return err
		}
		more, err := cursors[least].read(cursors[least].it.Next())
		if err != nil {
			return err
		}
		if !more {
			cursors[least] = cursors[len(cursors)-1]
			cursors = cursors[:len(cursors)-1]
		}
	}
	return nil
}

// addNumber adds one establishment that is among those of filter.
func (s *search) addNumber(i int, number cnpj.Full, filter *reading, tiersFollow bool) error {
	if len(filter.clauses) == 0 && s.query.Order == ByRank && !tiersFollow {
		if first, last := s.page.take(1); first < last {
			s.page.hits = append(s.page.hits, Hit{number, WhyCNPJ})
		}
		return nil
	}
	v, err := s.reading(i, filter)
	if err != nil {
		return err
	}
	found, err := v.postings(fieldID, binary.BigEndian.AppendUint64(nil, uint64(number)))
	if err != nil {
		return err
	}
	if found = v.narrow([]docSet{found}, v.conditions); len(found) == 0 {
		return nil
	}
	v.seen = s.work.or(v.seen, found)
	return s.add(i, found, WhyCNPJ)
}

// cursor walks the keys of one shard.
type cursor struct {
	shard int
	it    *vellum.FSTIterator
	key   cnpj.Full
}

// cursors returns one for every shard that has a number of the range, at the first.
func (s *search) cursors() ([]cursor, error) {
	from := binary.BigEndian.AppendUint64(nil, uint64(s.number.first))
	to := binary.BigEndian.AppendUint64(nil, uint64(s.number.last)+1)
	var out []cursor
	for i := range s.index.shards {
		keys := s.shard(i).dict(fieldID)
		if keys == nil {
			continue
		}
		it, err := keys.Iterator(from, to)
		c := cursor{shard: i, it: it}
		more, err := c.read(err)
		if err != nil {
			return nil, err
		}
		if more {
			out = append(out, c)
		}
	}
	return out, nil
}

// read takes the key at which the iterator stands after a step that returned err, and says whether there is one.
func (c *cursor) read(err error) (bool, error) {
	if errors.Is(err, vellum.ErrIteratorDone) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	key, _ := c.it.Current()
	if len(key) != 8 {
		return false, ErrDamaged
	}
	c.key = cnpj.Full(binary.BigEndian.Uint64(key))
	return true, nil
}
