package page

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"maps"
	"strings"

	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/site/glossary"
)

//go:embed *.html
var templateFiles embed.FS

// functions are available in all templates. Most format values with package ptbr.
var functions = template.FuncMap{
	"atSign":   atSign,
	"capital":  ptbr.Capital,
	"cep":      ptbr.CEP,
	"cnae":     ptbr.CNAE,
	"count":    ptbr.Count[int64],
	"date":     func(d record.Date) string { return ptbr.Date(d.Time()) },
	"day":      ptbr.Day,
	"document": ptbr.Document,
	"leftOut":  ptbr.LeftOut,
	"money":    ptbr.Money[record.Cents],
	"moment":   ptbr.Moment,
	"month":    ptbr.Month,
	"note":     ptbr.Note,
	"natureza": ptbr.Natureza,
	"period":   ptbr.Period,
	"position": func(i int) int { return i + 1 },
	"rate":     ptbr.Rate,
	"rounded":  ptbr.Rounded,
	"sum":      ptbr.Sum,
	"term":     term,
	"terms":    terms,
}

// term returns a link to a glossary entry: {{term "porte"}}. text replaces the label of the entry.
// An unknown id is an error, which fails the page. It is HTML, not the argument of a partial template,
// because a company's page has a dozen.
func term(id string, text ...string) (template.HTML, error) {
	entry, ok := glossary.Find(id)
	if !ok {
		return "", fmt.Errorf("term %s: %w", id, fs.ErrNotExist)
	}
	label := entry.Label()
	if len(text) > 0 {
		label = text[0]
	}
	return template.HTML(`<a class="term" href="/glossario#` + entry.ID + `">` + template.HTMLEscapeString(label) + `</a>`), nil
}

// terms returns the argument of the template "glossary terms", a list of links to glossary entries.
// An unknown id is an error.
func terms(ids ...string) ([]glossary.Entry, error) {
	var entries []glossary.Entry
	for _, id := range ids {
		entry, ok := glossary.Find(id)
		if !ok {
			return nil, fmt.Errorf("term %s: %w", id, fs.ErrNotExist)
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

// atSign splits an e-mail address before its last @, where the template allows a line break.
func atSign(email string) [2]string {
	at := max(0, strings.LastIndexByte(email, '@'))
	return [2]string{email[:at], email[at:]}
}

// partFiles matches the files of partial templates.
const partFiles = "*_part.html"

// parseShared parses the layout and the partials that every page may use.
func parseShared(a assets) (*template.Template, error) {
	all := maps.Clone(functions)
	all["asset"] = a.url
	shared, err := template.New("").Funcs(all).ParseFS(templateFiles, "layout.html", partFiles)
	if err != nil {
		return nil, fmt.Errorf("parse templates: %w", err)
	}
	return shared, nil
}

// Parse adds the pages with the given names. Each is the file name.html in files, which defines the
// template "content". It is parsed together with the layout, the shared partials and the partials
// in files and parts. Call Parse only during start-up: it is not safe for concurrent use with
// Render.
func (s *Server) Parse(names []string, files fs.FS, parts ...fs.FS) error {
	room, err := s.withParts(append(parts, files)...)
	if err != nil {
		return err
	}
	for _, name := range names {
		one, err := room.Clone()
		if err == nil {
			_, err = fs.Stat(files, name+".html")
		}
		if err == nil {
			one, err = one.ParseFS(files, name+".html")
		}
		if err == nil && one.Lookup("content") == nil {
			err = fmt.Errorf("it does not define its content: %w", fs.ErrNotExist)
		}
		if err != nil {
			return fmt.Errorf("parse template %s: %w", name, err)
		}
		s.pages[name] = one
	}
	return nil
}

// Part returns a function that renders a partial in files on its own, for what is rendered once and
// then shown on many pages.
func (s *Server) Part(files fs.FS, name string) (func(data any) (template.HTML, error), error) {
	room, err := s.withParts(files)
	if err != nil {
		return nil, err
	}
	part := room.Lookup(name)
	if part == nil {
		return nil, fmt.Errorf("part %s: %w", name, fs.ErrNotExist)
	}
	return func(data any) (template.HTML, error) {
		var b strings.Builder
		err := part.Execute(&b, data)
		return template.HTML(b.String()), err
	}, nil
}

// withParts returns the layout and the shared partials, together with the partials in folders.
func (s *Server) withParts(folders ...fs.FS) (*template.Template, error) {
	room, err := s.shared.Clone()
	if err != nil {
		return nil, fmt.Errorf("parse templates: %w", err)
	}
	for _, folder := range folders {
		found, err := fs.Glob(folder, partFiles)
		if err == nil && len(found) > 0 {
			_, err = room.ParseFS(folder, found...)
		}
		if err != nil {
			return nil, fmt.Errorf("parse parts: %w", err)
		}
	}
	return room, nil
}

// Render executes the template of p, with the layout. If it fails, w may have part of the page.
func (s *Server) Render(w io.Writer, p Page) error {
	parsed, ok := s.pages[p.Template()]
	if !ok {
		return fmt.Errorf("template %s: %w", p.Template(), fs.ErrNotExist)
	}
	return parsed.ExecuteTemplate(w, "layout.html", p)
}
