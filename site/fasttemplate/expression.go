package fasttemplate

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"text/template/parse"
)

// expr evaluates a part of a pipeline. The result is invalid for nil and for a missing key.
type expr func(s *state, dot reflect.Value) reflect.Value

// pipeline compiles a pipeline that is not printed, with its declarations or assignments.
func (c *scope) pipeline(p *parse.PipeNode) expr {
	value := c.commands(p.Cmds)
	var slots []int
	for _, v := range p.Decl {
		if p.IsAssign {
			slots = append(slots, c.slot(v, v.Ident[0]))
		} else {
			slots = append(slots, c.declare(v.Ident[0]))
		}
	}
	if len(slots) == 0 {
		return value
	}
	return func(s *state, dot reflect.Value) reflect.Value {
		v := value(s, dot)
		for _, slot := range slots {
			s.vars[slot] = v
		}
		return v
	}
}

// commands compiles cmd | cmd | cmd. Each value is the last argument of the next command.
func (c *scope) commands(cmds []*parse.CommandNode) expr {
	var value expr
	for _, cmd := range cmds {
		value = opened(c.command(cmd, value))
	}
	return value
}

// opened takes values out of variables of type any, as text/template does after each command.
func opened(e expr) expr {
	return func(s *state, dot reflect.Value) reflect.Value {
		v := e(s, dot)
		if v.Kind() == reflect.Interface && v.NumMethod() == 0 {
			return v.Elem()
		}
		return v
	}
}

// command compiles a command. piped is the value of the one before it, or nil.
func (c *scope) command(cmd *parse.CommandNode, piped expr) expr {
	args := cmd.Args[1:]
	switch n := cmd.Args[0].(type) {
	case *parse.IdentifierNode:
		return c.function(cmd, n.Ident, args, piped)
	case *parse.FieldNode, *parse.ChainNode, *parse.VariableNode:
		if piped == nil {
			return c.chain(n, args)
		}
	}
	if len(args) > 0 || piped != nil {
		c.refuse(cmd, "arguments for a constant, or piped into something that is no function")
		return nil
	}
	return c.operand(cmd.Args[0])
}

// chain compiles fields and methods, and what they are of. The last may have arguments.
func (c *scope) chain(n parse.Node, args []parse.Node) expr {
	switch n := n.(type) {
	case *parse.FieldNode:
		return c.fields(n, nil, n.Ident, args)
	case *parse.ChainNode:
		return c.fields(n, c.operand(n.Node), n.Field, args)
	case *parse.VariableNode:
		slot := c.slot(n, n.Ident[0])
		variable := func(s *state, _ reflect.Value) reflect.Value { return s.vars[slot] }
		if len(n.Ident) > 1 {
			return c.fields(n, variable, n.Ident[1:], args)
		}
		if len(args) == 0 {
			return variable
		}
	}
	c.refuse(n, "arguments for a variable")
	return nil
}

// operand compiles what may also be an argument. Constants have the types they have where none is
// required.
func (c *scope) operand(n parse.Node) expr {
	switch n := n.(type) {
	case *parse.DotNode:
		return func(_ *state, dot reflect.Value) reflect.Value { return dot }
	case *parse.FieldNode, *parse.ChainNode, *parse.VariableNode:
		return c.chain(n, nil)
	case *parse.PipeNode:
		if len(n.Decl) > 0 {
			c.refuse(n, "declaration in parentheses")
		}
		return c.pipeline(n)
	case *parse.IdentifierNode:
		return c.function(n, n.Ident, nil, nil)
	}
	if v, ok := constant(n); ok {
		return func(*state, reflect.Value) reflect.Value { return v }
	}
	c.refuse(n, "unknown operand")
	return nil
}

// constant returns the value of a literal where no type is required of it: the syntax of a number
// tells its type.
func constant(n parse.Node) (v reflect.Value, ok bool) {
	switch n := n.(type) {
	case *parse.BoolNode:
		return reflect.ValueOf(n.True), true
	case *parse.StringNode:
		return reflect.ValueOf(n.Text), true
	case *parse.NumberNode:
		hex := len(n.Text) > 2 && n.Text[0] == '0' && (n.Text[1] == 'x' || n.Text[1] == 'X') && !strings.ContainsAny(n.Text, "pP")
		switch {
		case n.IsComplex:
			return v, false
		case n.IsFloat && !hex && n.Text[0] != '\'' && strings.ContainsAny(n.Text, ".eEpP"):
			return reflect.ValueOf(n.Float64), true
		case n.IsInt && int64(int(n.Int64)) == n.Int64:
			return reflect.ValueOf(int(n.Int64)), true
		}
	}
	return v, false
}

// constantAs returns the value of a literal as an argument of type t, if it is of t's kind.
func constantAs(n parse.Node, t reflect.Type) (v reflect.Value, ok bool) {
	v = reflect.New(t).Elem()
	number, _ := n.(*parse.NumberNode)
	text, _ := n.(*parse.StringNode)
	boolean, _ := n.(*parse.BoolNode)
	switch {
	case t.Kind() == reflect.Interface && t.NumMethod() == 0, t == valueType:
		return constant(n)
	case t.Kind() == reflect.Bool && boolean != nil:
		v.SetBool(boolean.True)
	case t.Kind() == reflect.String && text != nil:
		v.SetString(text.Text)
	case number == nil:
		return v, false
	case v.CanInt() && number.IsInt:
		v.SetInt(number.Int64)
	case v.CanUint() && number.IsUint:
		v.SetUint(number.Uint64)
	case v.CanFloat() && number.IsFloat:
		v.SetFloat(number.Float64)
	default:
		return v, false
	}
	return v, true
}

// arg is an argument before the type of its parameter is known: that of a method is only known when
// it is called.
type arg struct {
	node  parse.Node
	value expr // nil for constants
}

func (c *scope) arguments(nodes []parse.Node) []arg {
	args := make([]arg, 0, len(nodes))
	for _, n := range nodes {
		a := arg{node: n}
		switch n.(type) {
		case *parse.NilNode, *parse.BoolNode, *parse.NumberNode, *parse.StringNode:
		default:
			a.value = c.operand(n)
		}
		args = append(args, a)
	}
	return args
}

// as returns the argument as a value for a parameter of type t. at is the call.
func (a arg) as(t reflect.Type, at *place) (expr, error) {
	if a.value != nil {
		return typed(a.value, t, &place{template: at.template, tree: at.tree, node: a.node}), nil
	}
	var v reflect.Value
	if a.node.Type() == parse.NodeNil {
		if !nillable(t) {
			return nil, &argumentError{a.node, fmt.Sprintf("cannot assign nil to %s", t)}
		}
		if t != valueType {
			v = reflect.Zero(t)
		}
	} else {
		var ok bool
		if v, ok = constantAs(a.node, t); !ok {
			return nil, &argumentError{a.node, expected(t, a.node)}
		}
	}
	return func(*state, reflect.Value) reflect.Value { return v }, nil
}

// argumentError is a literal that is no argument for its parameter.
type argumentError struct {
	node parse.Node
	text string
}

func (e *argumentError) Error() string { return e.text }

// expected says what t needs instead of the literal n.
func expected(t reflect.Type, n parse.Node) string {
	v, kind := reflect.Zero(t), ""
	switch {
	case t.Kind() == reflect.Bool:
		kind = "bool"
	case t.Kind() == reflect.String:
		kind = "string"
	case v.CanInt():
		kind = "integer"
	case v.CanUint():
		kind = "unsigned integer"
	case v.CanFloat():
		kind = "float"
	default:
		return fmt.Sprintf("can't handle %s for arg of type %s", n, t)
	}
	return fmt.Sprintf("expected %s; found %s", kind, n)
}

// typed returns e as a value for a parameter of type t, as text/template converts it. A parameter
// that is a reflect.Value gets any value as it is.
func typed(e expr, t reflect.Type, at *place) expr {
	if t == valueType {
		return e
	}
	return func(s *state, dot reflect.Value) reflect.Value {
		v := e(s, dot)
		if v.IsValid() && v.Type() == t {
			return v
		}
		return at.convert(v, t)
	}
}

func (p *place) convert(v reflect.Value, t reflect.Type) reflect.Value {
	if !v.IsValid() {
		if !nillable(t) {
			p.fail("invalid value; expected %s", t)
		}
		return reflect.Zero(t)
	}
	if v.Type().AssignableTo(t) {
		return v
	}
	if v.Kind() == reflect.Interface && !v.IsNil() {
		if v = v.Elem(); v.Type().AssignableTo(t) {
			return v
		}
	}
	switch {
	case v.Kind() == reflect.Pointer && v.Type().Elem().AssignableTo(t):
		if v.IsNil() {
			p.fail("dereference of nil pointer of type %s", t)
		}
		return v.Elem()
	case v.CanAddr() && reflect.PointerTo(v.Type()).AssignableTo(t):
		return v.Addr()
	}
	p.fail("wrong type for value; expected %s; got %s", t, v.Type())
	return v
}

var (
	valueType = reflect.TypeFor[reflect.Value]()
	errorType = reflect.TypeFor[error]()
)

// nillable reports whether nil is a value of type t.
func nillable(t reflect.Type) bool {
	return t == valueType || slices.Contains([]reflect.Kind{
		reflect.Chan, reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer, reflect.Slice,
	}, t.Kind())
}

// indirect follows pointers and interfaces. If it meets nil, the result is a nil pointer or interface.
func indirect(v reflect.Value) reflect.Value {
	for (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && !v.IsNil() {
		v = v.Elem()
	}
	return v
}

// truth is the condition of if, and, or and not.
func truth(v reflect.Value) bool {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Invalid:
		return false
	case reflect.String, reflect.Slice, reflect.Array, reflect.Map:
		return v.Len() > 0
	case reflect.Struct:
		return true
	default:
		return !v.IsZero()
	}
}
