package fasttemplate

import (
	"errors"
	"reflect"
	"sync/atomic"
	"text/template/parse"
)

// fields compiles a chain of fields, methods and keys of maps. The last may be a method with
// arguments. from is nil if the chain begins at dot.
func (c *scope) fields(n parse.Node, from expr, names []string, args []parse.Node) expr {
	for i, name := range names {
		a := &access{name: name, key: reflect.ValueOf(name), at: c.at(n), from: from}
		a.at.called = name
		if i == len(names)-1 {
			a.args = c.arguments(args)
		}
		from = a.get
	}
	return from
}

// access is the place of one name of a chain: the field, method or key of that name.
type access struct {
	name  string
	key   reflect.Value // name
	at    *place
	from  expr // nil: dot
	args  []arg
	found atomic.Pointer[found]
}

// found is what a name is in values of one type. It is immutable: entries of an inline cache are
// only added in front.
type found struct {
	of          reflect.Type
	addressable bool // methods of the pointer count, too
	as          kind
	index       int   // of a field or method
	path        []int // to a promoted field
	call        *call // of a method
	others      *found
	length      int // of others
}

type kind int

const (
	isAbsent   kind = iota
	isField         // of the struct itself
	isPromoted      // field of an embedded struct
	isMethod
	isKey
	isUnexported
)

// maxTypes bounds an inline cache. Names are looked up anew in values of further types.
const maxTypes = 8

func (a *access) get(s *state, dot reflect.Value) reflect.Value {
	v := dot
	if a.from != nil {
		v = a.from(s, dot)
	}
	if !v.IsValid() {
		return v
	}
	in := indirect(v)
	if in.Kind() == reflect.Pointer || in.Kind() == reflect.Interface {
		return a.ofNil(s, dot, v, in)
	}
	f := a.lookup(in)
	switch f.as {
	case isField:
		return in.Field(f.index)
	case isMethod:
		if f.addressable {
			in = in.Addr()
		}
		return f.call.invoke(s, dot, in.Method(f.index))
	case isKey:
		return in.MapIndex(a.key)
	case isPromoted:
		promoted, err := in.FieldByIndexErr(f.path)
		if err != nil {
			a.at.fail("%v", err)
		}
		return promoted
	case isUnexported:
		a.at.fail("%s is an unexported field of struct type %s", a.name, v.Type())
	}
	a.at.fail("can't evaluate field %s in type %s", a.name, v.Type())
	return v
}

// ofNil looks a name up in a nil pointer, which may have methods, or a nil interface. v is where the
// chain of pointers to it began.
func (a *access) ofNil(s *state, dot, v, null reflect.Value) reflect.Value {
	if null.Kind() == reflect.Pointer {
		if m, ok := null.Type().MethodByName(a.name); ok {
			return a.method(null.Method(m.Index).Type()).invoke(s, dot, null.Method(m.Index))
		}
		if elem := null.Type().Elem(); elem.Kind() == reflect.Struct {
			if _, ok := elem.FieldByName(a.name); !ok {
				a.at.fail("can't evaluate field %s in type %s", a.name, v.Type())
			}
		}
	}
	a.at.fail("nil pointer evaluating %s.%s", v.Type(), a.name)
	return v
}

func (a *access) lookup(v reflect.Value) *found {
	t, addressable := v.Type(), v.CanAddr()
	known := a.found.Load()
	for f := known; f != nil; f = f.others {
		if f.of == t && f.addressable == addressable {
			return f
		}
	}
	f := a.find(v)
	f.of, f.addressable, f.others = t, addressable, known
	if known != nil {
		f.length = known.length + 1
	}
	if f.length < maxTypes {
		a.found.CompareAndSwap(known, f) // another goroutine may have been faster, which loses an entry
	}
	return f
}

// find looks the name up by reflection: methods come before fields.
func (a *access) find(v reflect.Value) *found {
	receiver := v
	if v.CanAddr() {
		receiver = v.Addr()
	}
	if m, ok := receiver.Type().MethodByName(a.name); ok {
		return &found{as: isMethod, index: m.Index, call: a.method(receiver.Method(m.Index).Type())}
	}
	switch v.Kind() {
	case reflect.Struct:
		f, ok := v.Type().FieldByName(a.name)
		switch {
		case !ok:
			return &found{as: isAbsent}
		case !f.IsExported():
			return &found{as: isUnexported}
		case len(a.args) > 0:
			a.at.fail("%s has arguments but cannot be invoked as function", a.name)
		case len(f.Index) == 1:
			return &found{as: isField, index: f.Index[0]}
		}
		return &found{as: isPromoted, path: f.Index}
	case reflect.Map:
		if a.key.Type().AssignableTo(v.Type().Key()) {
			if len(a.args) > 0 {
				a.at.fail("%s is not a method but has arguments", a.name)
			}
			return &found{as: isKey}
		}
	}
	return &found{as: isAbsent}
}

// method returns the call of a method of the given type, without its receiver.
func (a *access) method(t reflect.Type) *call {
	called, err := a.at.bind(a.name, t, a.args, nil)
	var bad *argumentError
	if errors.As(err, &bad) {
		(&place{template: a.at.template, tree: a.at.tree, node: bad.node}).fail("%w", err)
	}
	if err != nil {
		a.at.fail("%w", err)
	}
	return called
}
