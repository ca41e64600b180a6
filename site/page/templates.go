package page

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"strings"
	"sync"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/site/fasttemplate"
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
func parseShared(functions template.FuncMap) (*template.Template, error) {
	shared, err := template.New("").Funcs(functions).ParseFS(templateFiles, "layout.html", partFiles)
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
		s.pages[name] = s.executed(one, "layout.html")
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
	if room.Lookup(name) == nil {
		return nil, fmt.Errorf("part %s: %w", name, fs.ErrNotExist)
	}
	rendered := s.executed(room, name)
	return func(data any) (template.HTML, error) {
		var b bytes.Buffer
		err := rendered.execute(&b, data)
		return template.HTML(b.String()), err
	}, nil
}

// executed is a template of a set that nothing else is parsed into. It is compiled when it is first
// executed, like html/template escapes.
type executed struct {
	server *Server
	set    *template.Template
	name   string
	fast   func() (*fasttemplate.Template, error)
}

func (s *Server) executed(set *template.Template, name string) *executed {
	e := &executed{server: s, set: set, name: name, fast: sync.OnceValues(func() (*fasttemplate.Template, error) {
		return fasttemplate.Compile(set, name, s.functions)
	})}
	s.templates = append(s.templates, e)
	return e
}

// Compile compiles all templates that have not been executed yet. The error lists those that
// cannot be escaped, and those that html/template has to execute.
func (s *Server) Compile() error {
	var errs []error
	for _, e := range s.templates {
		_, err := e.fast()
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// execute appends the output to b. What package fasttemplate does not know is left to html/template.
func (e *executed) execute(b *bytes.Buffer, data any) error {
	compiled, err := e.fast()
	if errors.Is(err, fasttemplate.ErrUnsupported) {
		return e.set.ExecuteTemplate(b, e.name, data)
	}
	if err != nil {
		return err
	}
	begin := b.Len()
	if err := compiled.Execute(b, data); err != nil {
		return err
	}
	if e.server.Check != nil {
		e.server.Check(b.Bytes()[begin:],
			func(b *bytes.Buffer) error { return compiled.Execute(b, data) },
			func(b *bytes.Buffer) error { return e.set.ExecuteTemplate(b, e.name, data) })
	}
	return nil
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

// Render appends the page p, with the layout, to b. If it fails, b may have part of the page.
func (s *Server) Render(b *bytes.Buffer, p Page) error {
	parsed, ok := s.pages[p.Template()]
	if !ok {
		return fmt.Errorf("template %s: %w", p.Template(), fs.ErrNotExist)
	}
	return parsed.execute(b, p)
}
