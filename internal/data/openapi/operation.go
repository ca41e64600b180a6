package openapi

// Operation is an OpenAPI operation. Empty optional fields are left out of the document.
type Operation struct {
	ID, Summary, About string // ID is unique in the document
	Tags               []string
	Security           []Object // nil: the document's default
	Parameters         []Object
	Body               Object // request body; nil: none
	Responses          Object // by status
}

// Object returns the operation as JSON.
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

// Tag describes a tag of operations.
func Tag(name, about string) Object { return Object{{"name", name}, {"description", about}} }

// PathParameter describes a path parameter, which is always required.
func PathParameter(name, about string, schema Object) Object {
	return Object{{"name", name}, {"in", "path"}, {"required", true}, {"description", about}, {"schema", schema}}
}

// QueryParameter describes an optional query parameter.
func QueryParameter(name, about string, schema Object) Object {
	return Object{{"name", name}, {"in", "query"}, {"description", about}, {"schema", schema}}
}

// Header describes a response header. required means that every response that lists it has it.
func Header(about string, required bool, schema Object) Object {
	out := Object{{"description", about}}
	if required {
		out = append(out, Member{"required", true})
	}
	return append(out, Member{"schema", schema})
}

// Response describes a response.
type Response struct {
	About   string
	Headers []string // names of header components
	Further Object   // inline headers, listed before Headers
	Content Object   // by media type; nil: no body
}

// Object returns the response as JSON.
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

// JSON returns content of type application/json. further members, such as an example, go beside the
// schema.
func JSON(schema Object, further ...Member) Object {
	return Object{{"application/json", append(Object{{"schema", schema}}, further...)}}
}
