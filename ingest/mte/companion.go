package mte

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/encoding/charmap"

	"razao/ingest/rows"
)

// companion is what only the text version of the Cadastro de Empregadores says: the edition and the footnotes.
type companion struct {
	updated string // AAAA-MM-DD, the day that the list describes; ""
	edition string // AAAA-MM-DD, of the half-yearly edition behind it; ""
	notes   map[string]string
}

// maxCompanion is far more than the 330 kB of a real one.
const maxCompanion = 16 << 20

func readCompanion(f *rows.File) (*companion, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	raw, err := io.ReadAll(io.LimitReader(r, maxCompanion))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	text, err := decode(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	return parseCompanion(text), nil
}

// decode turns published bytes into UTF-8 by the rule of package rows.
func decode(raw []byte) (string, error) {
	if marked, ok := bytes.CutPrefix(raw, []byte("\ufeff")); ok {
		return string(marked), nil
	}
	if valid, stray, _ := rows.Characters(raw); valid > stray {
		return strings.ToValidUTF8(string(raw), "\ufffd"), nil
	}
	text, err := charmap.Windows1252.NewDecoder().Bytes(raw)
	return string(text), err
}

var (
	updatedOn = regexp.MustCompile(`Cadastro\s+atualizado\s+em\s+(\d\d/\d\d/\d{4})`)
	editionOf = regexp.MustCompile(`Atualização\s+periódica\s+de\s+(\d{1,2})[º°]?\s+de\s+(\p{L}+)\s+de\s+(\d{4})`)
	footnote  = regexp.MustCompile(`^((?:\(\*\d+\)[\s,;e]*)+)(.*)$`)
	noteMark  = regexp.MustCompile(`\(\*\d+\)`)
)

func parseCompanion(text string) *companion {
	c := &companion{notes: map[string]string{}}
	if m := updatedOn.FindStringSubmatch(text); m != nil {
		c.updated = isoDay(m[1])
	}
	if m := editionOf.FindStringSubmatch(text); m != nil {
		c.edition = editionDay(m[1], m[2], m[3])
	}
	for line := range strings.Lines(text) {
		m := footnote.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		for _, mark := range noteMark.FindAllString(m[1], -1) {
			c.notes[mark] = rows.MaskCPFs(m[2])
		}
	}
	return c
}

// period returns the day of the list, of the edition when no update is stated, or "".
func (c *companion) period() string {
	if c.updated != "" {
		return c.updated
	}
	return c.edition
}

// isoDay turns DD/MM/AAAA into AAAA-MM-DD, "" when it is no day of the calendar.
func isoDay(s string) string {
	day, err := time.Parse("02/01/2006", s)
	if err != nil {
		return ""
	}
	return day.Format(time.DateOnly)
}

func editionDay(day, month, year string) string {
	months := []string{
		"janeiro", "fevereiro", "março", "abril", "maio", "junho",
		"julho", "agosto", "setembro", "outubro", "novembro", "dezembro",
	}
	d, err := strconv.Atoi(day)
	if err != nil {
		return ""
	}
	return isoDay(fmt.Sprintf("%02d/%02d/%s", d, slices.Index(months, strings.ToLower(month))+1, year))
}

// unmark takes the footnote marks off the end of a name and returns the text of their notes, "" when the companion has
// none.
func (c *companion) unmark(name string) (unmarked, note string) {
	var texts []string
	for {
		at := noteMark.FindAllStringIndex(name, -1)
		if len(at) == 0 || at[len(at)-1][1] != len(name) {
			return name, strings.Join(texts, " ")
		}
		mark := name[at[len(at)-1][0]:]
		if text := c.notes[mark]; text != "" {
			texts = slices.Insert(texts, 0, text)
		}
		name = strings.TrimRight(strings.TrimSuffix(name, mark), " ,")
	}
}
