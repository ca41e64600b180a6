package fasttemplate

import (
	"fmt"
	"html/template"
	"reflect"
	"slices"
	"strings"
	"text/template/parse"
)

// compiler compiles the templates of a set that an entry template calls.
type compiler struct {
	set       *template.Template
	functions template.FuncMap
	bodies    map[string]*body
	refused   []error
}

// body is a template. run is set once all of it is compiled: templates may call themselves.
type body struct {
	run   block
	slots int
}

// block executes statements. dot is the current value.
type block func(s *state, dot reflect.Value) flow

// flow is how a block ended.
type flow int

const (
	next      flow = iota
	breaks         // out of the innermost range
	continues      // with its next iteration
)

// scope compiles one template. Variables get slots by position: where one is visible is known
// without executing anything.
type scope struct {
	*compiler
	name string
	tree *parse.Tree
	vars []string
	body *body
}

func (c *compiler) body(name string) *body {
	if b, ok := c.bodies[name]; ok {
		return b
	}
	b := &body{slots: 1}
	c.bodies[name] = b
	found := c.set.Lookup(name)
	sc := &scope{compiler: c, name: name, vars: []string{"$"}, body: b}
	if found == nil || found.Tree == nil { // html/template keeps those that it derives for other contexts than text to itself
		c.refused = append(c.refused, fmt.Errorf("template %s: called outside of text: %w", name, ErrUnsupported))
		return b
	}
	sc.tree = found.Tree
	b.run = sc.list(found.Tree.Root)
	return b
}

func (c *scope) at(n parse.Node) *place { return &place{template: c.name, tree: c.tree, node: n} }

// refuse records that n cannot be compiled. Compilation goes on, to find all reasons.
func (c *scope) refuse(n parse.Node, reason string) {
	location, context := c.tree.ErrorContext(n)
	c.refused = append(c.refused, fmt.Errorf("%s: %s: %s: %w", location, context, reason, ErrUnsupported))
}

// declare returns the slot of a new variable.
func (c *scope) declare(name string) int {
	c.vars = append(c.vars, name)
	c.body.slots = max(c.body.slots, len(c.vars))
	return len(c.vars) - 1
}

// slot returns the slot of a visible variable. The parser accepts variables that are declared in
// one branch and used in the other; they have none.
func (c *scope) slot(n parse.Node, name string) int {
	for i, declared := range slices.Backward(c.vars) {
		if declared == name {
			return i
		}
	}
	c.refuse(n, "undefined variable")
	return 0
}

// inner compiles a list whose variables end with it.
func (c *scope) inner(list *parse.ListNode) block {
	visible := len(c.vars)
	defer func() { c.vars = c.vars[:visible] }()
	return c.list(list)
}

func (c *scope) list(list *parse.ListNode) block {
	var steps []block
	var text strings.Builder
	flush := func() {
		if static := text.String(); static != "" {
			steps = append(steps, func(s *state, _ reflect.Value) flow { s.out = append(s.out, static...); return next })
			text.Reset()
		}
	}
	if list != nil {
		for _, n := range list.Nodes {
			switch n := n.(type) {
			case *parse.TextNode:
				text.Write(n.Text)
			case *parse.CommentNode:
			default:
				flush()
				steps = append(steps, c.statement(n))
			}
		}
	}
	flush()
	if len(steps) == 1 {
		return steps[0]
	}
	return func(s *state, dot reflect.Value) flow {
		for _, step := range steps {
			if f := step(s, dot); f != next {
				return f
			}
		}
		return next
	}
}

func (c *scope) statement(n parse.Node) block {
	switch n := n.(type) {
	case *parse.ActionNode:
		return c.action(n)
	case *parse.IfNode:
		return c.branch(&n.BranchNode, false)
	case *parse.WithNode:
		return c.branch(&n.BranchNode, true)
	case *parse.RangeNode:
		return c.ranged(n)
	case *parse.TemplateNode:
		return c.call(n)
	case *parse.BreakNode:
		return func(*state, reflect.Value) flow { return breaks }
	case *parse.ContinueNode:
		return func(*state, reflect.Value) flow { return continues }
	}
	c.refuse(n, "unknown statement")
	return nil
}

// action compiles {{pipeline}}: a declaration, or a value and the escapers that html/template
// appended.
func (c *scope) action(n *parse.ActionNode) block {
	if len(n.Pipe.Decl) > 0 {
		value := c.pipeline(n.Pipe)
		return func(s *state, dot reflect.Value) flow { value(s, dot); return next }
	}
	cmds, escapers := cutEscapers(n.Pipe.Cmds)
	to, err := escaperFor(escapers)
	if err != nil || len(cmds) == 0 {
		c.refuse(n, fmt.Sprintf("escapers %q: %v", escapers, err))
		return nil
	}
	value, at := c.commands(cmds), c.at(n)
	return func(s *state, dot reflect.Value) flow { to.write(s, at, value(s, dot)); return next }
}

// branch compiles if and with.
func (c *scope) branch(n *parse.BranchNode, with bool) block {
	visible := len(c.vars)
	defer func() { c.vars = c.vars[:visible] }()
	cond := c.pipeline(n.Pipe)
	then, otherwise := c.inner(n.List), c.inner(n.ElseList)
	return func(s *state, dot reflect.Value) flow {
		v := cond(s, dot)
		switch {
		case !truth(v):
			return otherwise(s, dot)
		case with:
			return then(s, v)
		default:
			return then(s, dot)
		}
	}
}

// call compiles {{template "name" pipeline}}.
func (c *scope) call(n *parse.TemplateNode) block {
	called, at := c.compiler.body(n.Name), c.at(n)
	arg := func(*state, reflect.Value) reflect.Value { return reflect.Value{} }
	if n.Pipe != nil {
		arg = c.pipeline(n.Pipe)
	}
	return func(s *state, dot reflect.Value) flow {
		if s.depth > maxDepth {
			at.fail("exceeded maximum template depth (%v)", maxDepth)
		}
		s.run(called, arg(s, dot))
		return next
	}
}
