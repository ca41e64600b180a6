package page

import (
	"strings"
	"unicode"

	"razao/internal/ptbr"
)

// Markdown is a document in Markdown (CommonMark with tables) that is being written.
type Markdown struct{ strings.Builder }

// Heading writes a heading of a level from 1 to 6. The text is published, not Markdown.
func (m *Markdown) Heading(level int, text string) {
	m.WriteString(strings.Repeat("#", level) + " " + PlainText(text) + "\n\n")
}

// Paragraph writes a text that is Markdown.
func (m *Markdown) Paragraph(text string) {
	if text != "" {
		m.WriteString(text + "\n\n")
	}
}

// Item writes an item of a list, whose text is Markdown; nothing when it is empty. A list ends with end.
func (m *Markdown) Item(text string) {
	if text != "" {
		m.WriteString("- " + text + "\n")
	}
}

// Fact writes an item with a name and a published text; nothing when that is empty.
func (m *Markdown) Fact(label, text string) {
	if text != "" {
		m.Item("**" + label + ":** " + PlainText(text))
	}
}

// End ends a list.
func (m *Markdown) End() { m.WriteByte('\n') }

// Table writes a table whose cells are Markdown; nothing when it has no rows.
func (m *Markdown) Table(header []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	m.row(header)
	m.WriteString(strings.Repeat("|---", len(header)) + "|\n")
	for _, row := range rows {
		m.row(row)
	}
	m.End()
}

func (m *Markdown) row(cells []string) {
	for _, cell := range cells {
		m.WriteString("| " + cell + " ")
	}
	m.WriteString("|\n")
}

// PlainText returns a published text as Markdown that shows it in one line and does nothing else: no markup, no HTML and no
// links that it may contain work.
func PlainText(published string) string {
	var b strings.Builder
	line := strings.Join(strings.FieldsFunc(strings.Map(visible, published), blank), " ")
	for i, r := range line {
		if strings.ContainsRune("\\`*_[]<>|~&#", r) || r == ':' && strings.HasPrefix(line[i:], "://") ||
			r == '.' && i >= 3 && strings.EqualFold(line[i-3:i], "www") {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// visible drops the characters that show nothing.
func visible(r rune) rune {
	if unicode.IsPrint(r) || unicode.IsSpace(r) {
		return r
	}
	return -1
}

// blank is true of what separates words; not of the space that keeps an amount and its currency together.
func blank(r rune) bool { return unicode.IsSpace(r) && string(r) != ptbr.NBSP }

// LinkText returns a link with a published text to an address, or the text alone when there is no address.
func LinkText(text, address string) string {
	if address == "" {
		return PlainText(text)
	}
	return "[" + PlainText(text) + "](" + addressEscapes.Replace(address) + ")"
}

// addressEscapes are of the characters that would end the address of a link.
var addressEscapes = strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E", "|", "%7C", "\\", "%5C", "\n", "", "\r", "", "\t", "")
