package fasttemplate

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	texttemplate "text/template"
	"text/template/parse"
)

// builtin is a function of text/template. fast answers for common arguments, or not at all: then
// text/template does.
type builtin struct {
	fast func(args []reflect.Value) (result reflect.Value, ok bool)
	kind reflect.Type // of a function with the same parameters
}

var (
	anyOf    = reflect.TypeFor[func(reflect.Value, ...reflect.Value) reflect.Value]()
	two      = reflect.TypeFor[func(reflect.Value, reflect.Value) reflect.Value]()
	printing = reflect.TypeFor[func(...any) string]()
)

// builtins lacks and and or, which do not evaluate all arguments; call; and html and urlquery, which
// html/template replaces by escapers.
var builtins = map[string]builtin{
	"eq":      {fastEqual, anyOf},
	"ne":      {negated(fastEqual), two},
	"lt":      {ordered(func(order int) bool { return order < 0 }), two},
	"le":      {ordered(func(order int) bool { return order <= 0 }), two},
	"gt":      {ordered(func(order int) bool { return order > 0 }), two},
	"ge":      {ordered(func(order int) bool { return order >= 0 }), two},
	"not":     {fastNot, reflect.TypeFor[func(reflect.Value) reflect.Value]()},
	"len":     {fastLen, reflect.TypeFor[func(reflect.Value) reflect.Value]()},
	"index":   {fastIndex, anyOf},
	"slice":   {never, anyOf},
	"print":   {never, printing},
	"println": {never, printing},
	"js":      {never, printing},
	"printf":  {never, reflect.TypeFor[func(string, ...any) string]()},
}

func (c *scope) builtin(n parse.Node, at *place, args []arg, piped expr) expr {
	if at.called == "and" || at.called == "or" {
		return c.logical(n, at, args, piped)
	}
	b, ok := builtins[at.called]
	if !ok {
		c.refuse(n, "unknown function")
		return nil
	}
	called, err := at.bind(at.called, b.kind, args, piped)
	if err != nil {
		c.refuse(n, err.Error())
		return nil
	}
	slow := probeFor(at.called, len(called.in))
	return func(s *state, dot reflect.Value) reflect.Value {
		base := len(s.args)
		called.push(s, dot)
		result, ok := b.fast(s.args[base:])
		if !ok {
			result = slow.call(at, s.args[base:])
		}
		s.args = s.args[:base]
		return result
	}
}

// logical compiles and and or, which stop at the first argument that decides.
func (c *scope) logical(n parse.Node, at *place, args []arg, piped expr) expr {
	if len(args) == 0 || piped != nil {
		c.refuse(n, "without arguments, or in a pipe")
		return nil
	}
	var values []expr
	for _, a := range args {
		value, err := a.as(valueType, at)
		if err != nil {
			c.refuse(n, err.Error())
		}
		values = append(values, value)
	}
	until := at.called == "or"
	return func(s *state, dot reflect.Value) (v reflect.Value) {
		for _, value := range values {
			if v = value(s, dot); truth(v) == until {
				break
			}
		}
		return v
	}
}

func never([]reflect.Value) (reflect.Value, bool) { return reflect.Value{}, false }

// Truth values are boxed once.
var yes, no = reflect.ValueOf(true), reflect.ValueOf(false)

func boolean(b bool) reflect.Value {
	if b {
		return yes
	}
	return no
}

func opening(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Interface {
		return v.Elem()
	}
	return v
}

// compare returns the order of two texts or two integers with sign; ok is false for anything else.
func compare(a, b reflect.Value) (order int, ok bool) {
	a, b = opening(a), opening(b)
	switch {
	case a.Kind() == reflect.String && b.Kind() == reflect.String:
		return cmp.Compare(a.String(), b.String()), true
	case a.CanInt() && b.CanInt():
		return cmp.Compare(a.Int(), b.Int()), true
	}
	return 0, false
}

func fastEqual(args []reflect.Value) (reflect.Value, bool) {
	for _, arg := range args[1:] {
		order, ok := compare(args[0], arg)
		if !ok || order == 0 {
			return yes, ok
		}
	}
	return no, len(args) > 1
}

func negated(fast func([]reflect.Value) (reflect.Value, bool)) func([]reflect.Value) (reflect.Value, bool) {
	return func(args []reflect.Value) (reflect.Value, bool) {
		v, ok := fast(args)
		return boolean(!v.Bool()), ok
	}
}

func ordered(holds func(order int) bool) func([]reflect.Value) (reflect.Value, bool) {
	return func(args []reflect.Value) (reflect.Value, bool) {
		order, ok := compare(args[0], args[1])
		return boolean(holds(order)), ok
	}
}

func fastNot(args []reflect.Value) (reflect.Value, bool) { return boolean(!truth(args[0])), true }

func fastLen(args []reflect.Value) (reflect.Value, bool) {
	switch v := indirect(args[0]); v.Kind() {
	case reflect.String, reflect.Slice, reflect.Array, reflect.Map:
		return reflect.ValueOf(v.Len()), true
	}
	return reflect.Value{}, false
}

func fastIndex(args []reflect.Value) (reflect.Value, bool) {
	if len(args) != 2 {
		return reflect.Value{}, false
	}
	v, i := indirect(args[0]), opening(args[1])
	if (v.Kind() == reflect.Slice || v.Kind() == reflect.Array) && i.CanInt() && i.Int() >= 0 && i.Int() < int64(v.Len()) {
		return v.Index(int(i.Int())), true
	}
	return reflect.Value{}, false
}

// probe is a template of one action that calls a built-in function.
type probe struct{ action *texttemplate.Template }

// probeFor returns the probe for a function with so many arguments.
func probeFor(name string, args int) probe {
	var text strings.Builder
	for i := range args {
		if i == 0 {
			text.WriteString(" .First") // text/template takes what is in parentheses out of an interface
		} else {
			fmt.Fprintf(&text, " (.Arg %d)", i)
		}
	}
	return probe{texttemplate.Must(texttemplate.New(name).Parse("{{.Keep (" + name + text.String() + ")}}"))}
}

// probed is the data of a probe.
type probed struct {
	args   []reflect.Value
	result reflect.Value
}

// First returns the first argument.
func (p *probed) First() reflect.Value { return p.args[0] }

// Arg returns any other argument.
func (p *probed) Arg(i int) reflect.Value { return p.args[i] }

// Keep takes the result.
func (p *probed) Keep(v reflect.Value) string {
	p.result = v
	return ""
}

func (p probe) call(at *place, args []reflect.Value) reflect.Value {
	data := probed{args: args}
	if err := p.action.Execute(io.Discard, &data); err != nil {
		at.fail("error calling %s: %w", at.called, cause(err))
	}
	return data.result
}

// cause returns why the one function that a probe calls failed. text/template wraps it twice.
func cause(err error) error {
	var failed texttemplate.ExecError
	if errors.As(err, &failed) {
		if inner := errors.Unwrap(failed.Err); inner != nil {
			return inner
		}
	}
	return err
}
