package fasttemplate

import (
	"fmt"
	"html/template"
	"reflect"
	"text/template/parse"
	"time"
)

// function compiles the call of a function of the site or a built-in one.
func (c *scope) function(n parse.Node, name string, nodes []parse.Node, piped expr) expr {
	at := c.at(n)
	at.called = name
	args := c.arguments(nodes)
	fn, ok := c.functions[name]
	if !ok {
		return c.builtin(n, at, args, piped)
	}
	v := reflect.ValueOf(fn)
	called, err := at.bind(name, v.Type(), args, piped)
	if err != nil {
		c.refuse(n, err.Error())
		return nil
	}
	if direct := called.direct(fn); direct != nil {
		return direct
	}
	return func(s *state, dot reflect.Value) reflect.Value { return called.invoke(s, dot, v) }
}

// call is the call of a function of one type, with expressions for its arguments.
type call struct {
	at    *place
	args  []expr
	piped expr // the last argument, if it comes from a pipe; it is evaluated first
	wraps bool // some parameter is a reflect.Value
	in    []reflect.Type
}

// bind checks the number of arguments and converts them to the parameters of t.
func (p *place) bind(name string, t reflect.Type, args []arg, piped expr) (*call, error) {
	given, fixed := len(args), t.NumIn()
	if piped != nil {
		given++
	}
	if t.IsVariadic() {
		fixed--
	}
	switch {
	case t.IsVariadic() && given < fixed:
		return nil, fmt.Errorf("wrong number of args for %s: want at least %d got %d", name, fixed, len(args))
	case !t.IsVariadic() && given != fixed:
		return nil, fmt.Errorf("wrong number of args for %s: want %d got %d", name, fixed, given)
	case t.NumOut() == 2 && t.Out(1) != errorType:
		return nil, fmt.Errorf("invalid function signature for %s: second return value should be error; is %s", name, t.Out(1))
	case t.NumOut() != 1 && t.NumOut() != 2:
		return nil, fmt.Errorf("function %s has %d return values; should be 1 or 2", name, t.NumOut())
	}
	c := &call{at: p}
	for i := range given {
		in := t.In(min(i, t.NumIn()-1))
		if i >= fixed {
			in = in.Elem()
		}
		c.wraps = c.wraps || in == valueType
		c.in = append(c.in, in)
		if i == len(args) {
			c.piped = typed(piped, in, p)
			break
		}
		e, err := args[i].as(in, p)
		if err != nil {
			return nil, err
		}
		c.args = append(c.args, e)
	}
	return c, nil
}

// push evaluates the arguments onto the stack of the execution.
func (c *call) push(s *state, dot reflect.Value) {
	var last reflect.Value
	if c.piped != nil {
		last = c.piped(s, dot)
	}
	for _, arg := range c.args {
		v := arg(s, dot)
		s.args = append(s.args, v)
	}
	if c.piped != nil {
		s.args = append(s.args, last)
	}
}

// invoke calls fn by reflection.
func (c *call) invoke(s *state, dot, fn reflect.Value) reflect.Value {
	base := len(s.args)
	c.push(s, dot)
	args := s.args[base:]
	if c.wraps {
		for i, v := range args {
			if c.in[i] == valueType {
				args[i] = reflect.ValueOf(v)
			}
		}
	}
	s.calling = c.at
	results := fn.Call(args)
	s.calling = nil
	s.args = s.args[:base]
	if len(results) == 2 && !results[1].IsNil() {
		err, _ := results[1].Interface().(error)
		c.at.fail("error calling %s: %w", c.at.called, err)
	}
	if results[0].Type() == valueType {
		v, _ := results[0].Interface().(reflect.Value)
		return v
	}
	return results[0]
}

// direct returns the call of fn without reflection, or nil if it is not of a common type. Arguments
// have the types of the parameters.
func (c *call) direct(fn any) expr {
	args := c.args
	if c.piped != nil {
		args = append(args, c.piped)
		if len(args) > 1 {
			return nil
		}
	}
	if len(args) == 0 {
		return nil
	}
	arg := args[0]
	switch fn := fn.(type) {
	case func(string) string:
		return called(c.at, arg, func(v reflect.Value) string { return fn(v.String()) })
	case func(int64) string:
		return called(c.at, arg, func(v reflect.Value) string { return fn(v.Int()) })
	case func(int) int:
		return called(c.at, arg, func(v reflect.Value) int { return fn(int(v.Int())) })
	case func(float64) string:
		return called(c.at, arg, func(v reflect.Value) string { return fn(v.Float()) })
	case func(time.Time) string:
		return called(c.at, arg, func(v reflect.Value) string { return fn(v.Interface().(time.Time)) })
	case func(string, ...string) (template.HTML, error):
		return func(s *state, dot reflect.Value) reflect.Value {
			texts := make([]string, len(args))
			for i, arg := range args {
				texts[i] = arg(s, dot).String()
			}
			s.calling = c.at
			result, err := fn(texts[0], texts[1:]...)
			s.calling = nil
			if err != nil {
				c.at.fail("error calling %s: %w", c.at.called, err)
			}
			return reflect.ValueOf(result)
		}
	}
	return nil
}

// called compiles the call of a function of one argument that returns no error.
func called[R any](at *place, arg expr, fn func(reflect.Value) R) expr {
	return func(s *state, dot reflect.Value) reflect.Value {
		v := arg(s, dot)
		s.calling = at
		result := fn(v)
		s.calling = nil
		return reflect.ValueOf(result)
	}
}
