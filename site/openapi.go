package site

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/data/openapi"
	"razao/internal/web"
	"razao/site/page"
)

// openAPI answers /openapi.json, the description of the website. The API has documents of its own.
// The body is built once, at start-up.
func (s *Site) openAPI() gin.HandlerFunc {
	return web.NewDocument("application/json; charset=utf-8", web.Caching{For: web.Everyone}, openAPIDocument(), nil).Send
}

// The tags of the operations.
const (
	tagReading  = "Páginas"
	tagAccount  = "Conta"
	tagPrivacy  = "Privacidade"
	tagDocs     = "Documentação"
	tagExports  = "Exportações"
	tagMachines = "Serviço"
)

//go:embed openapi.md
var openAPITexts string

// openAPIDocument builds the document. TestOpenAPINamesEveryRoute compares it with the routes.
func openAPIDocument() []byte {
	document := openapi.Document{
		Version: "0.1.0",
		Components: openapi.Object{
			openapi.Field("parameters", sharedParameters()),
			openapi.Field("headers", sharedHeaders()),
			openapi.Field("responses", sharedAnswers()),
			openapi.Field("schemas", sharedSchemas()),
		},
	}
	for _, op := range slices.Concat(
		textOperations(), machineOperations(), listOperations(), changeOperations(), networkOperations(), accountOperations(), companyOperations(),
	) {
		document.Operations = append(document.Operations, op.Operation)
	}
	for _, tag := range []string{tagReading, tagAccount, tagPrivacy, tagDocs, tagExports, tagMachines} {
		document.Tags = append(document.Tags, openapi.Tag(tag))
	}
	if err := document.Describe(nil, openAPITexts); err != nil {
		panic("site/openapi.md: " + err.Error()) // the file is part of the program
	}
	body, err := openapi.Marshal(document.Object())
	if err != nil {
		panic("site: " + err.Error()) // the document is made of constants
	}
	return body
}

// operation is an OpenAPI operation that is built step by step.
type operation struct{ openapi.Operation }

// Names of shared responses that are not named after their status.
const (
	shown    = "Pagina"     // 200
	mistake  = "Formulario" // 422: the form again, with its errors
	followed = "Destino"    // 200 of an operation that only redirects
)

// reads describes a GET operation. answers are names of shared responses; 429 and 503 are added.
func reads(tag, path, id string, answers ...string) operation {
	op := operation{openapi.Operation{Path: path, ID: id, Tags: []string{tag}}}
	for _, name := range append(answers, "429", "503") {
		status := name
		switch name {
		case shown:
			status = "200"
		case mistake:
			status = "422"
		}
		op = op.answering(status, openapi.Ref("responses", name))
	}
	if op.Responses[0].Key >= "3" { // generators want a success
		op = op.answering("200", openapi.Ref("responses", followed))
	}
	return op
}

// sends describes a POST operation. form is the schema of the body, nil if the form has no fields.
func sends(tag, path, id string, form openapi.Object, answers ...string) operation {
	op := reads(tag, path, id, append(answers, "303", "400", "403", "413")...)
	op.Method = "post"
	if form != nil {
		content := openapi.Object{openapi.Field("application/x-www-form-urlencoded", openapi.Object{openapi.Field("schema", form)})}
		op.Body = openapi.Object{openapi.Field("required", true), openapi.Field("content", content)}
	}
	return op
}

// answering adds or replaces the response for a status; responses stay sorted by status.
func (op operation) answering(status string, answer openapi.Object) operation {
	at, found := slices.BinarySearchFunc(op.Responses, status, func(m openapi.Member, status string) int { return cmp.Compare(m.Key, status) })
	if found {
		op.Responses = slices.Delete(op.Responses, at, at+1)
	}
	op.Responses = slices.Insert(op.Responses, at, openapi.Field(status, answer))
	return op
}

// sending sets the 200 response.
func (op operation) sending(content openapi.Object, further ...openapi.Member) operation {
	return op.answering("200", answer(content, further...))
}

// table adds the formats of a table to download, and sets the 200 response.
func (op operation) table() operation {
	return op.with(tableFormat()).sending(tableContent())
}

// tableContent has the media types of tables.
func tableContent() (content openapi.Object) {
	for _, format := range page.Formats() {
		kind, _, _ := strings.Cut(page.Format(format).MediaType(), ";")
		if format != string(page.Excel) {
			content = append(content, in(kind)...)
		}
	}
	return content
}

// uploading sets a form with a file as the body.
func (op operation) uploading(form openapi.Object) operation {
	content := openapi.Object{openapi.Field("multipart/form-data", openapi.Object{openapi.Field("schema", form)})}
	op.Body = openapi.Object{openapi.Field("required", true), openapi.Field("content", content)}
	return op
}

// forAccounts adds the response to those who are not signed in.
func (op operation) forAccounts() operation {
	signIn := openapi.Response{Headers: []string{"Location", "X-Request-ID"}}
	return op.answering("303", signIn.Object())
}

func (op operation) with(parameters ...openapi.Object) operation {
	op.Parameters = append(op.Parameters, parameters...)
	return op
}

// answer describes a response with the headers that every response has, and further ones.
func answer(content openapi.Object, further ...openapi.Member) openapi.Object {
	r := openapi.Response{Headers: []string{"X-Request-ID", "Cache-Control"}, Further: further, Content: content}
	return r.Object()
}

// in is the content of a response whose body is text of a media type.
func in(kind string) openapi.Object {
	return openapi.Object{openapi.Field(kind, openapi.Object{openapi.Field("schema", ofType("string"))})}
}

// ofType is a schema without a description, for values that their parameter or header describes.
func ofType(kind string, further ...openapi.Member) openapi.Object {
	return append(openapi.Object{openapi.Field("type", kind)}, further...)
}

// oneOf is the schema of an enum; "" is valid and means absent.
func oneOf(values ...string) openapi.Object {
	return ofType("string", openapi.Field("enum", append([]string{""}, values...)))
}

// optional is the schema of a string with a default.
func optional(fallback string) openapi.Object {
	return ofType("string", openapi.Field("default", fallback))
}

// pageNumber is the schema of a page number.
func pageNumber() openapi.Object {
	return ofType("integer", openapi.Field("minimum", 1), openapi.Field("default", 1))
}

// members is the schema of an object; required names the members that are always present.
func members(required []string, fields ...openapi.Member) openapi.Object {
	if len(required) == 0 {
		return ofType("object", openapi.Field("properties", openapi.Object(fields)))
	}
	return ofType("object", openapi.Field("required", required), openapi.Field("properties", openapi.Object(fields)))
}
