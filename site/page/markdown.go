package page

import (
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"text/template"
	"unicode"

	"razao/internal/ptbr"
)

// ParseMarkdown parses the file of a page in Markdown (CommonMark with tables). Nothing is escaped in it on its own: published
// texts go through the functions text, link and fact. It is for the start only.
func (s *Server) ParseMarkdown(name string, files fs.FS) (*template.Template, error) {
	all := maps.Clone(functions)
	maps.Copy(all, template.FuncMap{
		"absolute": func(path string) string { return s.BaseURL + path },
		"fact":     fact,
		"join":     ptbr.Join,
		"link":     s.link,
		"list":     func(separator string, texts []string) string { return strings.Join(texts, separator) },
		"text":     PlainText,
	})
	name += ".md"
	parsed, err := template.New(name).Funcs(all).ParseFS(files, name)
	if err != nil {
		return nil, fmt.Errorf("parse template %s: %w", name, err)
	}
	return parsed, nil
}

// fact returns an item of a list with a name and a published text, "" when that is empty.
func fact(label, text string) string {
	if text == "" {
		return ""
	}
	return "- **" + label + ":** " + PlainText(text) + "\n"
}

// link links a published text to an address of the site or of another one. A place on the page itself is none in a text.
func (s *Server) link(text, address string) string {
	switch {
	case strings.HasPrefix(address, "#"):
		address = ""
	case strings.HasPrefix(address, "/"):
		address = s.BaseURL + address
	}
	return linkText(text, address)
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

// linkText returns a link with a published text to an address, or the text alone when there is no address.
func linkText(text, address string) string {
	if address == "" {
		return PlainText(text)
	}
	return "[" + PlainText(text) + "](" + addressEscapes.Replace(address) + ")"
}

// addressEscapes are of the characters that would end the address of a link.
var addressEscapes = strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E", "|", "%7C", "\\", "%5C", "\n", "", "\r", "", "\t", "")
