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

// companion is what only the text edition of the Cadastro de Empregadores says. It repeats the
// rows, padded with blanks and separated by tabs, below a title such as "Atualização periódica de 6
// de abril de 2026. Cadastro atualizado em 04/09/2026." and above footnotes such as "(*1) Incluído
// no Cadastro em cumprimento à sentença …".
type companion struct {
	updated string            // day of the last update, AAAA-MM-DD or ""
	edition string            // day of the half-yearly edition, AAAA-MM-DD or ""
	notes   map[string]string // by mark, "(*1)"
}

// maxCompanion bounds what is read into memory.
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

// decode decodes published bytes by the rule of package rows: a byte order mark or a majority of
// valid sequences means UTF-8, anything else Windows-1252.
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

// parseCompanion searches for the dates and the footnotes. One footnote may belong to several
// marks: "(*2), (*3) …".
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
			c.notes[mark] = m[2]
		}
	}
	return c
}

// period returns the day of the last update, else that of the edition, else "".
func (c *companion) period() string {
	if c.updated != "" {
		return c.updated
	}
	return c.edition
}

// isoDay turns DD/MM/AAAA into AAAA-MM-DD; "" when it is no calendar day.
func isoDay(s string) string {
	day, err := time.Parse("02/01/2006", s)
	if err != nil {
		return ""
	}
	return day.Format(time.DateOnly)
}

// editionDay returns a day whose month is written out, AAAA-MM-DD; "" when there is no such day.
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

// unmark cuts footnote marks off the end of a name and returns the texts of the notes, joined by
// blanks in the order of the marks. note is "" when the companion has none of them.
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
