package openapi

// Operation is one operation of a document.
type Operation struct {
	ID, Summary, About string
	Tags               []string
	Security           []Object // nil: as the document says
	Parameters         []Object
	Body               Object // of the request
	Responses          Object // by status
}

// Object returns the operation.
func (op *Operation) Object() Object {
	out := Object{{"operationId", op.ID}, {"summary", op.Summary}}
	if len(op.Tags) > 0 {
		out = append(out, Member{"tags", op.Tags})
	}
	if op.About != "" {
		out = append(out, Member{"description", op.About})
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

// PathParameter is a parameter in the path, which is never left out.
func PathParameter(name, about string, schema Object) Object {
	return Object{{"name", name}, {"in", "path"}, {"required", true}, {"description", about}, {"schema", schema}}
}

// QueryParameter is a parameter of the query.
func QueryParameter(name, about string, schema Object) Object {
	return Object{{"name", name}, {"in", "query"}, {"description", about}, {"schema", schema}}
}

// Header describes a header; required says whether every answer that names it has it.
func Header(about string, required bool, schema Object) Object {
	out := Object{{"description", about}}
	if required {
		out = append(out, Member{"required", true})
	}
	return append(out, Member{"schema", schema})
}

// Response is an answer of an operation.
type Response struct {
	About   string
	Headers []string // components
	Further Object   // headers described in place, before the others
	Content Object   // by type; nil: no body
}

// Object returns the response.
func (r *Response) Object() Object {
	out := Object{{"description", r.About}}
	if headers := append(r.Further, refs("headers", r.Headers)...); len(headers) > 0 {
		out = append(out, Member{"headers", headers})
	}
	if r.Content != nil {
		out = append(out, Member{"content", r.Content})
	}
	return out
}

// JSON is the content of an answer in JSON, with further members such as examples.
func JSON(schema Object, further ...Member) Object {
	return Object{{"application/json", append(Object{{"schema", schema}}, further...)}}
}
