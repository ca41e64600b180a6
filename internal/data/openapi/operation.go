package openapi

import "cmp"

// Operation is an OpenAPI operation. Empty optional fields are left out of the document.
type Operation struct {
	Method, Path string // Method is in lower case; "" is get
	ID           string // unique in the document
	Tags         []string
	Deprecated   bool
	Security     []Object // nil: the document's default
	Parameters   []Object
	Body         Object // request body; nil: none
	Responses    Object // by status

	summary, about string // see Document.Describe
}

func (op *Operation) method() string { return cmp.Or(op.Method, "get") }

func (op *Operation) object() Object {
	out := Object{{"operationId", op.ID}, {"summary", op.summary}}
	if len(op.Tags) > 0 {
		out = append(out, Member{"tags", op.Tags})
	}
	if op.about != "" {
		out = append(out, Member{"description", op.about})
	}
	if op.Deprecated {
		out = append(out, Member{"deprecated", true})
	}
	if op.Security != nil {
		out = append(out, Member{"security", op.Security})
	}
	if len(op.Parameters) > 0 {
		out = append(out, Member{"parameters", op.Parameters})
	}
	if op.Body != nil {
		out = append(out, Member{"requestBody", op.Body})
	}
	return append(out, Member{"responses", op.Responses})
}

// paths groups operations by path. Operations of one path must be adjacent.
func paths(operations []Operation) Object {
	var paths Object
	for i := range operations {
		op := &operations[i]
		method := Field(op.method(), op.object())
		if last := len(paths) - 1; last >= 0 && paths[last].Key == op.Path {
			paths[last].Value = append(paths[last].Value.(Object), method)
			continue
		}
		paths = append(paths, Field(op.Path, Object{method}))
	}
	return paths
}

// The descriptions of what follows are empty, for [Document.Describe], unless [Described] gives one.

// Tag is a tag of operations.
func Tag(name string) Object { return Object{{"name", name}, {"description", ""}} }

// PathParameter is a path parameter, which is always required.
func PathParameter(name string, schema Object) Object {
	return Object{{"name", name}, {"in", "path"}, {"required", true}, {"description", ""}, {"schema", schema}}
}

// QueryParameter is an optional query parameter.
func QueryParameter(name string, schema Object) Object {
	return Object{{"name", name}, {"in", "query"}, {"description", ""}, {"schema", schema}}
}

// HeaderParameter is a header that every request has.
func HeaderParameter(name string, schema Object) Object {
	return Object{{"name", name}, {"in", "header"}, {"required", true}, {"description", ""}, {"schema", schema}}
}

// Described sets a description that the program makes.
func Described(o Object, about string) Object {
	for i := range o {
		if o[i].Key == "description" {
			o[i].Value = about
		}
	}
	return o
}

// Header is a response header. required means that every response that lists it has it.
func Header(required bool, schema Object) Object {
	out := Object{{"description", ""}}
	if required {
		out = append(out, Member{"required", true})
	}
	return append(out, Member{"schema", schema})
}

// Response is a response.
type Response struct {
	Headers []string // names of header components
	Further Object   // inline headers, listed before Headers
	Content Object   // by media type; nil: no body
}

// Object returns the response as JSON.
func (r *Response) Object() Object {
	out := Object{{"description", ""}}
	if headers := append(r.Further, refs("headers", r.Headers)...); len(headers) > 0 {
		out = append(out, Member{"headers", headers})
	}
	if r.Content != nil {
		out = append(out, Member{"content", r.Content})
	}
	return out
}

// JSON returns content of type application/json. further members, such as an example, go beside the
// schema.
func JSON(schema Object, further ...Member) Object {
	return Object{{"application/json", append(Object{{"schema", schema}}, further...)}}
}
