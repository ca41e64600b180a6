package page

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"text/template"
	"unicode"

	"github.com/gin-gonic/gin"

	"razao/internal/data/ptbr"
	"razao/internal/store/snapshot"
	"razao/internal/web"
)

// ParseMarkdown parses the template name.md in files, a page in CommonMark with tables. There is no
// automatic escaping: templates must pass published text through the functions text, code, link or fact.
func (s *Server) ParseMarkdown(name string, files fs.FS) (*template.Template, error) {
	all := template.FuncMap{
		"absolute": func(path string) string { return s.BaseURL + path },
		"capital":  ptbr.Capital,
		"cep":      ptbr.CEP,
		"code":     codeSpan,
		"count":    ptbr.Count[int64],
		"date":     Date,
		"day":      ptbr.Day,
		"fact":     fact,
		"join":     ptbr.Join,
		"link":     s.link,
		"list":     func(separator string, texts []string) string { return strings.Join(texts, separator) },
		"note":     ptbr.Note,
		"text":     PlainText,
	}
	name += ".md"
	parsed, err := template.New(name).Funcs(all).ParseFS(files, name)
	if err != nil {
		return nil, fmt.Errorf("parse template %s: %w", name, err)
	}
	return parsed, nil
}

// SendMarkdown answers with p, written by a template of ParseMarkdown. The HTML page, whose path is canonical,
// is named in a Link header (RFC 8288).
func (s *Server) SendMarkdown(c *gin.Context, snap *snapshot.Snapshot, t *template.Template, p any, canonical string, noIndex bool) error {
	var body bytes.Buffer
	if gap := snap.Load.Gap(); gap != "" {
		body.WriteString("> **Estes dados estão incompletos.** " + PlainText(ptbr.Lacking(snap.Load.Period, gap)) + "\n\n")
	}
	if err := t.Execute(&body, p); err != nil {
		return fmt.Errorf("write Markdown: %w", err)
	}
	c.Header("Link", "<"+s.BaseURL+canonical+`>; rel="canonical"`)
	if noIndex || snap.Load.Invented {
		c.Header("X-Robots-Tag", "noindex") // text has no meta element to say it
	}
	s.Sender.Send(c, web.Reply{
		Status: http.StatusOK, ContentType: "text/markdown; charset=utf-8", ETag: web.ETag(body.Bytes()), Caching: ForEveryone(snap, 0),
		Body: body.Bytes(),
	})
	return nil
}

// fact returns a list item with a label and a published text, "" if the text is empty.
func fact(label, text string) string {
	if text == "" {
		return ""
	}
	return "- **" + label + ":** " + PlainText(text) + "\n"
}

// link links a published text to a path of this site or to an absolute URL. Fragments are dropped,
// because Markdown has no anchors to lead to.
func (s *Server) link(text, address string) string {
	switch {
	case strings.HasPrefix(address, "#"):
		address = ""
	case strings.HasPrefix(address, "/"):
		address = s.BaseURL + address
	}
	return linkText(text, address)
}

// PlainText escapes a published text for Markdown. The result is a single line that renders as the
// text itself: no markup, no HTML, no autolinks (GFM), no invisible characters.
func PlainText(published string) string {
	var b strings.Builder
	line := oneLine(published)
	for i, r := range line {
		if strings.ContainsRune("\\`*_[]<>|~&#", r) || r == ':' && strings.HasPrefix(line[i:], "://") ||
			r == '.' && i >= 3 && strings.EqualFold(line[i-3:i], "www") {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// codeSpan returns a published text as a code span (CommonMark §6.1), in which backslashes escape nothing: backticks in the text make
// the fence longer. A text with a bar is no code span but plain text, because a bar is escaped in the cells of tables, even in code
// spans, and nowhere else.
func codeSpan(published string) string {
	line := oneLine(published)
	if line == "" || strings.Contains(line, "|") {
		return PlainText(line)
	}
	fence := "`"
	for strings.Contains(line, fence) {
		fence += "`"
	}
	if strings.HasPrefix(line, "`") || strings.HasSuffix(line, "`") {
		line = " " + line + " " // renderers strip one space on either side
	}
	return fence + line + fence
}

// oneLine drops invisible characters and collapses whitespace.
func oneLine(published string) string {
	return strings.Join(strings.FieldsFunc(strings.Map(visible, published), blank), " ")
}

// visible drops unprintable characters; it is a mapping for strings.Map.
func visible(r rune) rune {
	if unicode.IsPrint(r) || unicode.IsSpace(r) {
		return r
	}
	return -1
}

// blank reports whether r separates words. The no-break space between currency and amount does not.
func blank(r rune) bool { return unicode.IsSpace(r) && string(r) != ptbr.NBSP }

// linkText returns a Markdown link, or the escaped text alone if address is "".
func linkText(text, address string) string {
	if address == "" {
		return PlainText(text)
	}
	return "[" + PlainText(text) + "](" + addressEscapes.Replace(address) + ")"
}

// addressEscapes percent-encodes or drops what would end a link destination or a table cell.
var addressEscapes = strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E", "|", "%7C", "\\", "%5C", "\n", "", "\r", "", "\t", "")
