package site

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"maps"
)

//go:embed templates
var templateFiles embed.FS

// templates holds, for each page, its file together with the layout and the shared parts.
type templates map[string]*template.Template

// pageFiles names the pages; a missing file stops the start.
var pageFiles = [...]string{
	"home", "search", "listing", "ranking", "company", "partner", "ibama", "methodology", "privacy", "hiding", "terms",
	"api", "apiv1", "reference", "assistant", "assistant_whatsapp", "assistant_telegram",
	"login", "callback", "account", "consent", "components", "error",
}

func parseTemplates(a assets) (templates, error) {
	functions := maps.Clone(formats)
	functions["asset"] = a.url
	shared, err := template.New("").Funcs(functions).ParseFS(templateFiles, "templates/layout.html", "templates/*_part.html")
	if err != nil {
		return nil, fmt.Errorf("parse templates: %w", err)
	}
	all := templates{}
	for _, name := range pageFiles {
		clone, err := shared.Clone()
		if err != nil {
			return nil, fmt.Errorf("parse template %s: %w", name, err)
		}
		if all[name], err = clone.ParseFS(templateFiles, "templates/"+name+".html"); err != nil {
			return nil, fmt.Errorf("parse template %s: %w", name, err)
		}
		if all[name].Lookup("content") == nil {
			return nil, fmt.Errorf("parse template %s: it does not define its content: %w", name, fs.ErrNotExist)
		}
	}
	return all, nil
}

func (t templates) render(w io.Writer, p page) error {
	set, ok := t[p.template()]
	if !ok {
		return fmt.Errorf("template %s: %w", p.template(), fs.ErrNotExist)
	}
	return set.ExecuteTemplate(w, "layout.html", p)
}
