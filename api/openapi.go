package api

import (
	"bytes"
	"embed"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"razao/internal/account"
	"razao/internal/cnpj"
	"razao/internal/registry"
	"razao/internal/web"
)

// object is a JSON object whose members keep their order, which readers of a description see.
type object []member

type member struct {
	key   string
	value any
}

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, m := range o {
		out = appendComma(out, i)
		out = appendString(out, m.key)
		out = append(out, ':')
		value, err := marshalPlain(m.value)
		if err != nil {
			return nil, err
		}
		out = append(out, value...)
	}
	return append(out, '}'), nil
}

// marshalPlain is json.Marshal with &, < and > as they are.
func marshalPlain(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// description answers with the OpenAPI document of a version. It needs no key.
func (a *API) description(document object) gin.HandlerFunc {
	body, err := marshalPlain(document)
	if err != nil {
		panic("api: " + err.Error()) // the document is made of constants
	}
	etag := web.ETag(body)
	return func(c *gin.Context) {
		if _, err := parameters(c.Request.URL); err != nil {
			a.fail(c, err)
			return
		}
		c.Header("Cache-Control", "private, no-cache")
		a.sender.Send(c, web.Reply{Status: http.StatusOK, ContentType: contentType, ETag: etag, Body: body})
	}
}

// openAPI returns a document, whose operations refuse with some statuses. Components come last, as readers need them last.
func openAPI(title, version, text string, statuses []int, paths, schemas object) object {
	return object{
		{"openapi", "3.1.0"},
		{"info", object{
			{"title", title},
			{"version", version},
			{"description", text},
			{"license", object{{"name", "Apache 2.0"}, {"identifier", "Apache-2.0"}}},
		}},
		{"servers", []object{{{"url", "/"}, {"description", "este servidor"}}}},
		{"security", []object{{{"chave", []string{}}}}},
		{"paths", paths},
		{"components", object{
			{"securitySchemes", object{{"chave", object{
				{"type", "http"},
				{"scheme", "bearer"},
				{"description", "Chave criada na área da conta (/conta): `Authorization: Bearer <chave>`."},
			}}}},
			{"headers", headers()},
			{"responses", refusals(statuses)},
			{"schemas", schemas},
		}},
	}
}

// operation is one GET of a document.
type operation struct {
	id, summary, text string
	parameters        []object
	public            bool // needs no key
	schema            object
	example           string // file in examples; "" for none
	// refusals are the statuses other than 200 and 304.
	refusals []int
}

// path returns the path item of an operation.
func (op *operation) path() object {
	get := object{{"operationId", op.id}, {"summary", op.summary}, {"description", op.text}}
	if op.public {
		get = append(get, member{"security", []object{}})
	}
	if len(op.parameters) > 0 {
		get = append(get, member{"parameters", op.parameters})
	}
	return object{{"get", append(get, member{"responses", op.responses()})}}
}

func (op *operation) responses() object {
	names := []string{"X-Request-ID", "ETag", "Cache-Control", "Vary"}
	if !op.public {
		names = append(names, rateHeaders()...)
	}
	content := object{{"schema", op.schema}}
	if op.example != "" {
		content = append(content, member{"example", example(op.example)})
	}
	responses := object{
		{"200", object{
			{"description", "A resposta pedida."},
			{"headers", headerRefs(names...)},
			{"content", object{{"application/json", content}}},
		}},
		{"304", object{
			{"description", "O conteúdo ainda é o do ETag enviado em If-None-Match. A chamada conta."},
			{"headers", headerRefs(names...)},
		}},
	}
	for _, status := range op.refusals {
		code := strconv.Itoa(status)
		responses = append(responses, member{code, ref("responses", code)})
	}
	return responses
}

func ref(kind, name string) object { return object{{"$ref", "#/components/" + kind + "/" + name}} }

func schemaRef(name string) object { return ref("schemas", name) }

//go:embed examples
var examples embed.FS

// example returns an answer that was really given; the tests see to that.
func example(name string) json.RawMessage {
	raw, err := examples.ReadFile("examples/" + name + ".json")
	if err != nil {
		panic("api: " + err.Error()) // the files are part of the program
	}
	return raw
}

// refusal is a status with the errors that lead to it.
type refusal struct {
	status  int
	text    string
	headers []string
	errs    []error
}

func refusals(statuses []int) object {
	all := []refusal{
		{http.StatusBadRequest, "CNPJ, parâmetro ou cursor inválido.", rateHeaders(), []error{
			cnpj.ErrInvalid, parameterError{"limite", outOfBounds}, errCursor,
		}},
		{http.StatusUnauthorized, "Chave ausente, inválida ou revogada.", []string{"WWW-Authenticate"}, []error{
			account.ErrMissingKey, account.ErrInvalidKey,
		}},
		{http.StatusNotFound, "Positivamente fora da carga disponível.", rateHeaders(), []error{&registry.AbsentError{}, errNoSource, errNoRoute}},
		{http.StatusConflict, "A carga percorrida pelo cursor não está mais em serviço.", rateHeaders(), []error{errSnapshotChanged}},
		{http.StatusTooManyRequests, "Limite da conta ou proteção por IP.", append(rateHeaders(), "Retry-After"), []error{
			&account.LimitError{}, &web.TooManyError{},
		}},
		{http.StatusServiceUnavailable, "Serviço temporariamente indisponível.", append(rateHeaders(), "Retry-After"), []error{errUnforeseen}},
	}
	var out object
	for _, r := range all {
		if !slices.Contains(statuses, r.status) {
			continue
		}
		out = append(out, member{strconv.Itoa(r.status), r.response()})
	}
	return out
}

func (r *refusal) response() object {
	var cases object
	for _, err := range r.errs {
		f := failureOf(err)
		body := web.ErrorBody{RequestID: exampleID}
		body.Error.Code, body.Error.Message = f.code, f.message
		cases = append(cases, member{f.code, object{{"value", body}}})
	}
	return object{
		{"description", r.text},
		{"headers", headerRefs(append([]string{"X-Request-ID", "Cache-Control", "Vary"}, r.headers...)...)},
		{"content", object{{"application/json", object{{"schema", schemaRef("Erro")}, {"examples", cases}}}}},
	}
}

// exampleID is the request of the examples.
const exampleID = "5f2b8c1e-8f0a-4b6d-9a57-0d9f6c1c2b3a"

func rateHeaders() []string {
	return []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"}
}

func headerRefs(names ...string) object {
	var out object
	for _, name := range names {
		out = append(out, member{name, ref("headers", name)})
	}
	return out
}

func headers() object {
	header := func(name, text string, required bool, schema object) member {
		h := object{{"description", text}}
		if required {
			h = append(h, member{"required", true})
		}
		return member{name, append(h, member{"schema", schema})}
	}
	str, integer := object{{"type", "string"}}, object{{"type", "integer"}}
	return object{
		header("X-Request-ID", "UUID da requisição: o que veio na chamada, se for válido, ou um novo.", true, requestIDSchema()),
		header("ETag", "Identifica o conteúdo; meta não faz parte dele. Envie em If-None-Match.", true, str),
		header("Cache-Control", "private, no-cache nas respostas; no-store nos erros.", true, str),
		header("Vary", "Accept-Encoding: a resposta pode vir comprimida com gzip.", true, str),
		header("X-RateLimit-Limit", "Chamadas por minuto da conta.", false, integer),
		header("X-RateLimit-Remaining", "Chamadas que restam no minuto corrente.", false, integer),
		header("X-RateLimit-Reset", "Quando começa o próximo minuto (segundos desde 1970, UTC).", false, integer),
		header("Retry-After", "Segundos a esperar antes de tentar de novo.", true, integer),
		header("WWW-Authenticate", "Bearer", true, str),
	}
}
