package fasttemplate

import (
	"io"
	"reflect"
	texttemplate "text/template"
	"text/template/parse"
)

// ranged compiles range. Its variables are set like those of text/template: to the element if there
// is one, to index and element if there are two. In the else list they have the value of the
// pipeline.
func (c *scope) ranged(n *parse.RangeNode) block {
	visible := len(c.vars)
	defer func() { c.vars = c.vars[:visible] }()
	l := &loop{over: c.pipeline(n.Pipe), at: c.at(n.Pipe.Cmds[len(n.Pipe.Cmds)-1].Args[0])}
	for _, v := range n.Pipe.Decl {
		l.slots = append(l.slots, c.slot(v, v.Ident[0]))
	}
	l.body, l.otherwise = c.inner(n.List), c.inner(n.ElseList)
	return l.run
}

type loop struct {
	over            expr
	at              *place
	slots           []int // of no, one or two variables
	body, otherwise block
}

func (l *loop) run(s *state, dot reflect.Value) flow {
	ran := false
	l.each(indirect(l.over(s, dot)), func(index, elem reflect.Value) bool {
		ran = true
		switch len(l.slots) {
		case 1:
			s.vars[l.slots[0]] = elem
		case 2:
			s.vars[l.slots[0]], s.vars[l.slots[1]] = index, elem
		}
		return l.body(s, elem) != breaks
	})
	if !ran {
		return l.otherwise(s, dot)
	}
	return next
}

// each calls yield for all elements of v, or until it returns false.
func (l *loop) each(v reflect.Value, yield func(index, elem reflect.Value) bool) {
	switch v.Kind() {
	case reflect.Invalid:
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			var index reflect.Value
			if len(l.slots) == 2 {
				index = reflect.ValueOf(i)
			}
			if !yield(index, v.Index(i)) {
				return
			}
		}
	case reflect.Map:
		for _, entry := range sorted(v) {
			if !yield(entry[0], entry[1]) {
				return
			}
		}
	case reflect.Chan:
		l.receive(v, yield)
	case reflect.Pointer, reflect.Interface: // nil
		l.at.fail("range can't iterate over %v", v)
	default:
		l.sequence(v, yield)
	}
}

func (l *loop) receive(v reflect.Value, yield func(index, elem reflect.Value) bool) {
	if v.IsNil() {
		return
	}
	if v.Type().ChanDir() == reflect.SendDir {
		l.at.fail("range over send-only channel %v", v)
	}
	for i := 0; ; i++ {
		elem, ok := v.Recv()
		if !ok || !yield(reflect.ValueOf(i), elem) {
			return
		}
	}
}

// sequence ranges over integers and iterators. Iterators of pairs give their first value to a loop
// with one variable.
func (l *loop) sequence(v reflect.Value, yield func(index, elem reflect.Value) bool) {
	switch t := v.Type(); {
	case t.Kind() != reflect.String && t.CanSeq():
		if len(l.slots) > 1 {
			word := "to iterate"
			if t.Kind() == reflect.Func {
				word = "iterate"
			}
			l.at.fail("can't use %v %s over more than one variable", v, word)
		}
		v.Seq()(func(elem reflect.Value) bool { return yield(reflect.Value{}, elem) })
	case t.Kind() == reflect.Func && t.CanSeq2():
		v.Seq2()(func(first, second reflect.Value) bool {
			if len(l.slots) > 1 {
				return yield(first, second)
			}
			return yield(reflect.Value{}, first)
		})
	default:
		l.at.fail("range can't iterate over %v", v)
	}
}

// entries lets text/template put the entries of a map into its order of keys.
type entries struct {
	Map  any
	List [][2]reflect.Value
}

// Add keeps an entry.
func (e *entries) Add(key, value reflect.Value) string {
	e.List = append(e.List, [2]reflect.Value{key, value})
	return ""
}

var inOrder = texttemplate.Must(texttemplate.New("entries").Parse(`{{range $key, $value := .Map}}{{$.Add $key $value}}{{end}}`))

// sorted returns the entries of a map in text/template's order.
func sorted(m reflect.Value) [][2]reflect.Value {
	e := entries{Map: m.Interface()}
	if err := inOrder.Execute(io.Discard, &e); err != nil {
		panic(failed{err})
	}
	return e.List
}
