package openapi

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// The sections of a file of texts that are not an operation's.
const (
	aboutDocument = "Documento"    // titulo and sobre
	aboutTags     = "Assuntos"     // by tag
	aboutStatuses = "Códigos HTTP" // responses whose operation has no text of its own
	excerpts      = "Trechos"      // what several texts say, as $name
)

// aboutComponents are the sections of components; a parameter or header of an operation that has no text of its own is one of these too.
var aboutComponents = map[string]string{"parameters": "Parâmetros", "headers": "Cabeçalhos", "responses": "Respostas"}

// textKey is where a text stands: under a heading, as a paragraph or as a list item.
type textKey struct{ section, item string }

// The items that are paragraphs, in their order.
var paragraphItems = []string{"summary", "description"}

// texts are those of one document.
type texts struct {
	all      map[textKey]string
	values   map[string]any
	used     map[textKey]bool
	problems []error
}

// Describe fills in every description that is empty from Markdown files, which need no Go to be edited. Below a heading such as
// "## GET /busca" stand the summary, the description in one paragraph, which may be absent, and the parameters and statuses as a list
// ("- q: o que se procura"). In a text, $name is one of values or an item of the section Trechos. A text that is missing or that nothing
// uses is an error: files and document change together.
func (d *Document) Describe(values map[string]any, files ...string) error {
	t := &texts{all: map[textKey]string{}, values: values, used: map[textKey]bool{}}
	for _, file := range files {
		t.parse(file)
	}
	d.Title, d.About = t.find("titulo", aboutDocument), t.find("sobre", aboutDocument)
	for i, tag := range d.Tags {
		d.Tags[i] = t.describe(tag, tag[0].Value.(string), aboutTags)
	}
	for _, operations := range [][]Operation{d.Operations, d.Webhooks} {
		for i := range operations {
			t.operation(&operations[i])
		}
	}
	for _, kind := range d.Components {
		if section := aboutComponents[kind.Key]; section != "" {
			t.each(kind.Value.(Object), section)
		}
	}
	for key := range t.all {
		if !t.used[key] {
			t.problems = append(t.problems, fmt.Errorf("nothing uses %q of %q", key.item, key.section))
		}
	}
	return errors.Join(t.problems...)
}

// parse adds the texts of a file. What stands before the first heading is for editors.
func (t *texts) parse(file string) {
	for _, section := range strings.Split("\n"+file, "\n## ")[1:] {
		heading, body, _ := strings.Cut(section, "\n")
		paragraphs := paragraphItems
		for block := range strings.SplitSeq(body, "\n\n") {
			block = strings.TrimSpace(block)
			items, isList := strings.CutPrefix(block, "- ")
			switch {
			case isList:
				for item := range strings.SplitSeq(items, "\n- ") {
					name, text, _ := strings.Cut(item, ": ")
					t.add(textKey{heading, name}, text)
				}
			case block != "" && len(paragraphs) > 0:
				t.add(textKey{heading, paragraphs[0]}, block)
				paragraphs = paragraphs[1:]
			case block != "":
				t.problems = append(t.problems, fmt.Errorf("too many paragraphs in %q", heading))
			}
		}
	}
}

func (t *texts) add(key textKey, text string) {
	if _, twice := t.all[key]; twice {
		t.problems = append(t.problems, fmt.Errorf("%q of %q is there twice", key.item, key.section))
	}
	t.all[key] = strings.Join(strings.Fields(text), " ") // lines may be broken anywhere
}

// find returns the text of an item in the first section that has one.
func (t *texts) find(item string, sections ...string) string {
	for _, section := range sections {
		key := textKey{section, item}
		if text := t.all[key]; text != "" {
			t.used[key] = true
			return os.Expand(text, t.expansion)
		}
	}
	t.problems = append(t.problems, fmt.Errorf("no text %q of %q", item, sections[0]))
	return ""
}

// expansion is what $name stands for: an excerpt, which may have values in it, or a value.
func (t *texts) expansion(name string) string {
	key := textKey{excerpts, name}
	if text := t.all[key]; text != "" {
		t.used[key] = true
		return os.Expand(text, t.value)
	}
	return t.value(name)
}

func (t *texts) value(name string) string {
	value, ok := t.values[name]
	if !ok {
		t.problems = append(t.problems, fmt.Errorf("nothing is called $%s", name))
	}
	return fmt.Sprint(value)
}

// describe returns an object with its description, which may already be there; a $ref has none.
func (t *texts) describe(o Object, item string, sections ...string) Object {
	at := slices.IndexFunc(o, func(m Member) bool { return m.Key == "description" && m.Value == "" })
	if at < 0 {
		return o
	}
	o = slices.Clone(o) // operations share parameters
	o[at].Value = t.find(item, sections...)
	return o
}

// each describes the members of an object, by their names.
func (t *texts) each(o Object, sections ...string) {
	for i, m := range o {
		o[i].Value = t.describe(m.Value.(Object), m.Key, sections...)
	}
}

func (t *texts) operation(op *Operation) {
	heading := strings.ToUpper(op.method()) + " " + op.Path
	op.summary = t.find("summary", heading)
	if _, ok := t.all[textKey{heading, "description"}]; ok {
		op.about = t.find("description", heading)
	}
	for i, p := range op.Parameters {
		if p[0].Key == "name" {
			op.Parameters[i] = t.describe(p, p[0].Value.(string), heading, aboutComponents["parameters"])
		}
	}
	t.each(op.Responses, heading, aboutStatuses)
	for _, r := range op.Responses {
		for _, m := range r.Value.(Object) {
			if m.Key == "headers" {
				t.each(m.Value.(Object), aboutComponents["headers"])
			}
		}
	}
}
