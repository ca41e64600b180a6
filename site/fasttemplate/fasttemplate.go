// Package fasttemplate executes html/template sets without most of their reflection.
//
// [Compile] lets html/template escape a set, and turns the escaped parse trees into closures, once.
// The analysis of contexts is therefore html/template's own: what is compiled are the pipelines
// that it rewrote, with the escapers that it put at their ends. Output and errors are those of
// html/template, byte for byte.
//
// Where the time goes in text/template is looked up once per place in a template and type: fields
// and methods are found by inline caches, common functions are called without reflection, and text
// is escaped straight into the output. Values that are not strings or numbers are left to
// html/template (escapers) and text/template (functions such as printf): each runs as a template
// of one action, so that their semantics are not written twice.
//
// Compile refuses a set with anything that it does not know; html/template then has to execute it.
// It assumes the default of the option missingkey.
package fasttemplate

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"io"
	"reflect"
	"sync"
	texttemplate "text/template"
	"text/template/parse"
)

// ErrUnsupported is wrapped by errors of Compile about sets that only html/template can execute.
var ErrUnsupported = errors.New("not supported by fasttemplate")

// Template is a compiled template with all that it calls. It is safe for concurrent use.
type Template struct {
	entry  *body
	states sync.Pool // of *state
}

// Compile compiles the template of set with the given name. functions are all that the set was
// parsed with. Compile escapes the set, which can be neither cloned, parsed into nor compiled
// afterwards; html/template can execute it.
//
// The error is one of html/template's if the set cannot be escaped; it wraps ErrUnsupported, and
// lists every reason, if the set has what this package does not implement.
func Compile(set *template.Template, name string, functions template.FuncMap) (*Template, error) {
	if err := escape(set, name); err != nil {
		return nil, err
	}
	c := &compiler{set: set, functions: functions, bodies: map[string]*body{}}
	entry := c.body(name)
	if err := errors.Join(c.refused...); err != nil {
		return nil, fmt.Errorf("compile template %s: %w", name, err)
	}
	t := &Template{entry: entry}
	t.states.New = func() any { return new(state) }
	return t, nil
}

// escape makes html/template escape the named template and what it calls. A template is escaped
// before it is first executed, whichever branches are then taken; this one takes none, so no
// function of the set is called.
func escape(set *template.Template, name string) error {
	if set.Lookup(name) == nil {
		return fmt.Errorf("template %s is not defined", name)
	}
	caller, err := set.New("fasttemplate " + name).Parse(fmt.Sprintf("{{if .}}{{template %q .}}{{end}}", name))
	if err != nil {
		return err
	}
	return caller.Execute(io.Discard, nil)
}

// Execute appends the output for data to b. If it fails, b has the output up to the failing action,
// and the error is a text/template.ExecError, as html/template's are.
func (t *Template) Execute(b *bytes.Buffer, data any) (err error) {
	s, _ := t.states.Get().(*state)
	s.out = b.AvailableBuffer()
	defer func() {
		if r := recover(); r != nil {
			err = s.failure(r)
		}
		_, _ = b.Write(s.out) // a buffer has no write errors
		s.reset()
		t.states.Put(s)
	}()
	s.run(t.entry, reflect.ValueOf(data))
	return nil
}

// state is one execution.
type state struct {
	out     []byte
	vars    []reflect.Value // variables of the template in progress, by slot; $ is the first
	free    []reflect.Value // room for those of the templates that it calls
	args    []reflect.Value // stack of the arguments of calls by reflection
	depth   int
	calling *place // set while a function of the site runs: its panics become errors
}

// reset keeps the room of s, but nothing that it refers to.
func (s *state) reset() {
	*s = state{free: s.free[:0], args: s.args[:0]}
	if cap(s.free) > maxKept {
		s.free = nil
	}
	clear(s.free[:cap(s.free)])
	clear(s.args[:cap(s.args)])
}

// maxDepth is text/template's limit for templates that call one another.
const maxDepth = 100_000

// maxKept bounds the variables that a pooled state has room for.
const maxKept = 1024

// run executes b with variables of its own.
func (s *state) run(b *body, dot reflect.Value) {
	vars, used := s.vars, len(s.free)
	if used+b.slots > cap(s.free) { // callers keep what they have
		s.free, used = make([]reflect.Value, 0, max(64, 2*cap(s.free), b.slots)), 0
	}
	s.free = s.free[:used+b.slots]
	s.vars = s.free[used:]
	s.vars[0] = dot
	s.depth++
	b.run(s, dot)
	s.depth--
	s.vars, s.free = vars, s.free[:used]
}

// place is where an action is, for errors.
type place struct {
	template string
	tree     *parse.Tree
	node     parse.Node
	called   string // the function, if the action calls one
}

// failed is what a failing action panics with.
type failed struct{ err error }

// fail ends the execution with an error of text/template's form.
func (p *place) fail(format string, args ...any) {
	panic(failed{p.error(fmt.Errorf(format, args...))})
}

func (p *place) error(err error) error {
	location, context := p.tree.ErrorContext(p.node)
	return texttemplate.ExecError{
		Name: p.template,
		Err:  fmt.Errorf("template: %s: executing %q at <%s>: %w", location, p.template, context, err),
	}
}

// failure returns the error for a recovered panic. It panics again unless a failing action or a
// called function is the cause.
func (s *state) failure(r any) error {
	if f, ok := r.(failed); ok {
		return f.err
	}
	if s.calling == nil {
		panic(r)
	}
	cause, ok := r.(error)
	if !ok {
		cause = fmt.Errorf("%v", r)
	}
	return s.calling.error(fmt.Errorf("error calling %s: %w", s.calling.called, cause))
}
