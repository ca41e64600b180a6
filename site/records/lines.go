package records

import (
	"html/template"
	"sync"

	"razao/internal/recent"
	"razao/internal/registry"
)

// linesKept bounds the rows that are kept, about 1.5 KB each. Without counts there are one or two for
// each source.
const linesKept = 500

// lines renders the rows of the table of sources without records. Most companies have no records in
// most sources, so nearly every page has the same rows, which are rendered once and kept. Rendering
// them took two fifths of the time of a page's templates. It is safe for concurrent use.
type lines struct {
	render func(data any) (template.HTML, error)

	mu   sync.Mutex
	kept *recent.Map[line, template.HTML]
}

// line is what the row of a source depends on. The rest of it is declared by the source or published
// with the load, which does not change.
type line struct {
	source string
	load   int64 // 0 without one
	status registry.Status
	stale  bool
	counts string
}

func newLines(render func(data any) (template.HTML, error)) *lines {
	return &lines{render: render, kept: recent.New[line, template.HTML](linesKept)}
}

// of returns the row of a card. load is that of its source, nil without one.
func (l *lines) of(c *Card, load *registry.Load) (template.HTML, error) {
	key := line{source: c.ID, status: c.Status, stale: c.Stale, counts: c.Counts}
	if load != nil {
		key.load = load.ID
	}
	l.mu.Lock()
	row, ok := l.kept.Get(key)
	l.mu.Unlock()
	if ok {
		return row, nil
	}
	row, err := l.render(c)
	if err != nil {
		return "", err
	}
	l.mu.Lock()
	l.kept.Put(key, row)
	l.mu.Unlock()
	return row, nil
}
