package api

import (
	"embed"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"razao/internal/data/cnpj"
	"razao/internal/data/openapi"
	"razao/internal/people/account"
	"razao/internal/people/webhook"
	"razao/internal/store/journal"
	"razao/internal/store/networks"
	"razao/internal/store/proof"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/web"
)

// description serves an OpenAPI document, encoded and compressed once at start. It needs no key. It panics if the
// document cannot be encoded, a programming error.
func (a *API) description(document openapi.Document) gin.HandlerFunc {
	body, err := openapi.Marshal(document.Object())
	if err != nil {
		panic("api: " + err.Error()) // the document is made of constants
	}
	sent := web.NewDocument(contentType, forCaller, body, nil)
	return func(c *gin.Context) {
		if _, err := parameters(c.Request.URL); err != nil {
			a.fail(c, err)
			return
		}
		sent.Send(c)
	}
}

// versionV1 is that of the document of v1.
const versionV1 = "1.0.1"

// The texts of the documents, for people to edit: those of both, and those of one.
var (
	//go:embed openapi.md
	textsOfBoth string
	//go:embed openapi_v1.md
	textsOfV1 string
	//go:embed openapi_v2.md
	textsOfV2 string
)

// newDocument returns a document with its texts, in which $name is one of values. statuses are the error statuses that its operations may
// refer to; only these are in its components; tags are those of its operations. It panics if a text is missing or left over.
func newDocument(version, texts string, values map[string]any, tags []string, statuses []int, operations []operation, schemas openapi.Object) openapi.Document {
	key := openapi.Object{
		openapi.Field("type", "http"),
		openapi.Field("scheme", "bearer"),
		openapi.Field("description", "Chave criada na área da conta (/conta): `Authorization: Bearer <chave>`."),
	}
	document := openapi.Document{
		Version: version, Security: []openapi.Object{needsKey()},
		Components: openapi.Object{
			openapi.Field("securitySchemes", openapi.Object{openapi.Field("chave", key)}),
			openapi.Field("headers", headers(version == versionV1)),
			openapi.Field("responses", refusals(statuses, version == versionV1)),
			openapi.Field("schemas", schemas),
		},
	}
	if version != versionV1 {
		document.Webhooks = webhookOperations()
		document.Components = append(openapi.Object{openapi.Field("parameters", filterParameters())}, document.Components...)
	}
	for _, tag := range tags {
		document.Tags = append(document.Tags, openapi.Tag(tag))
	}
	for i := range operations {
		document.Operations = append(document.Operations, operations[i].described())
	}
	if err := document.Describe(values, textsOfBoth, texts); err != nil {
		panic("api/openapi*.md: " + err.Error()) // the files are part of the program
	}
	return document
}

// needsKey is the security requirement of operations with a key.
func needsKey() openapi.Object { return openapi.Object{openapi.Field("chave", []string{})} }

// operation is one GET with its responses: 200 with an example, 304, and the error statuses, which
// refer to shared responses in components. Another method has no 304.
type operation struct {
	openapi.Operation
	public  bool           // needs no key
	v1      bool           // says in a header what the load lacks
	schema  string         // of the 200, in components
	example string         // file in examples, without .json
	content openapi.Object // of the 200, instead of schema and example
	exports bool           // has the formats of exports besides
	// refusals are the error statuses.
	refusals []int
}

// described returns the operation with its responses. An empty security requirement overrides that of the document for public operations.
func (op *operation) described() openapi.Operation {
	if op.public {
		op.Security = []openapi.Object{}
	}
	if op.Responses == nil {
		op.Responses = op.responses()
	}
	return op.Operation
}

// changes reports whether the operation is no GET.
func (op *operation) changes() bool { return op.Method != "" }

// responses describes 200, 304 and the error statuses. All carry the same headers; those of the
// rate limit only where a call is counted.
func (op *operation) responses() openapi.Object {
	names := []string{"X-Request-ID", "Cache-Control", "Vary"}
	if !op.changes() {
		names = append(names, "ETag")
	}
	if op.v1 {
		names = append(append(names, partialHeader), retirementHeaders()...)
	}
	if !op.public {
		names = append(names, rateHeaders()...)
	}
	found := openapi.Response{Headers: names, Content: op.content}
	if found.Content == nil {
		found.Content = openapi.JSON(component(op.schema), openapi.Field("example", example(op.example)))
	}
	if op.exports {
		found.Content = append(found.Content,
			openapi.Field(ndjson, openapi.Object{openapi.Field("schema", component("EntidadeFTM"))}),
			openapi.Field(bods, openapi.Object{openapi.Field("schema", component("DeclaracoesBODS"))}))
	}
	responses := openapi.Object{openapi.Field("200", found.Object())}
	if !op.changes() {
		same := openapi.Response{Headers: names}
		responses = append(responses, openapi.Field("304", same.Object()))
	}
	for _, status := range op.refusals {
		responses = append(responses, openapi.Field(strconv.Itoa(status), openapi.Ref("responses", refusalNames[status])))
	}
	return responses
}

// component refers to a schema in components.
func component(name string) openapi.Object { return openapi.Ref("schemas", name) }

//go:embed examples
var examples embed.FS

// example returns a recorded response; tests compare it with what the API sends. It panics if the
// file is missing.
func example(name string) json.RawMessage {
	raw, err := examples.ReadFile("examples/" + name + ".json")
	if err != nil {
		panic("api: " + err.Error()) // the files are part of the program
	}
	return raw
}

// refusals describes error responses, each with the errors that cause it: failureOf supplies code
// and message, so document and behaviour cannot differ.
func refusals(statuses []int, v1 bool) openapi.Object {
	all := []struct {
		status  int
		headers []string
		errs    []error
	}{
		{http.StatusBadRequest, rateHeaders(), []error{
			&argumentError{"documento", cnpj.ErrCheckDigits}, parameterError{name: "limite", problem: outOfBounds}, errCursor, noNumbers, errBody,
		}},
		{http.StatusUnauthorized, []string{"WWW-Authenticate"}, []error{
			account.ErrMissingKey, account.ErrInvalidKey,
		}},
		{http.StatusNotFound, rateHeaders(), []error{&argumentError{"documento", &registry.AbsentError{}}, errNoSource, errNoLoad, &argumentError{"id", networks.ErrNobody}, webhook.ErrNone, errNoRoute}},
		{http.StatusConflict, rateHeaders(), []error{errSnapshotChanged, errAccountLimit, webhook.ErrSameURL, webhook.ErrResting}},
		{http.StatusGone, rateHeaders(), []error{&forgottenError{
			at: collectionAt{path: changesPath, limit: usualChanges}, cursor: []byte("AQAAPlL5eyQkd8hhU9R1b1qW9Q"), err: &journal.TooOldError{},
		}}},
		{http.StatusRequestTimeout, nil, []error{web.ErrSlow}},
		{http.StatusRequestEntityTooLarge, rateHeaders(), []error{errBatchTooLarge}},
		{http.StatusTooManyRequests, append(rateHeaders(), "Retry-After"), []error{
			&account.LimitError{}, &web.TooManyError{},
		}},
		{http.StatusServiceUnavailable, append(rateHeaders(), "Retry-After"), []error{errUnforeseen, &snapshot.IndexError{}, errSourceFailed, proof.ErrNone, &registry.LackError{Files: []string{"Empresas3.zip"}}}},
	}
	var out openapi.Object
	var announced []string
	if v1 {
		announced = retirementHeaders()
	}
	for _, r := range all {
		if slices.Contains(statuses, r.status) {
			schema := "Erro"
			if r.status == http.StatusGone {
				schema = "ErroDePosicao"
			}
			response := openapi.Response{
				Headers: slices.Concat([]string{"X-Request-ID", "Cache-Control", "Vary"}, r.headers, announced),
				Content: openapi.JSON(component(schema), openapi.Field("examples", refused(r.errs, v1))),
			}
			out = append(out, openapi.Field(refusalNames[r.status], response.Object()))
		}
	}
	return out
}

// refusalNames are the names of the error responses in components, which generators make types of.
var refusalNames = map[int]string{
	http.StatusBadRequest: "PedidoInvalido", http.StatusUnauthorized: "SemChave", http.StatusNotFound: "NaoEncontrado", http.StatusRequestTimeout: "EnvioLento",
	http.StatusConflict: "FotografiaAlterada", http.StatusGone: "PosicaoEsquecida", http.StatusRequestEntityTooLarge: "LoteGrandeDemais",
	http.StatusTooManyRequests: "LimiteExcedido", http.StatusServiceUnavailable: "Indisponivel",
}

// refused returns the error bodies as examples, by code.
func refused(errs []error, v1 bool) openapi.Object {
	var cases openapi.Object
	for _, err := range errs {
		parameter := parameterOf(err)
		if v1 {
			parameter = ""
		}
		cases = append(cases, openapi.Field(failureOf(err).code, openapi.Object{openapi.Field("value", json.RawMessage(errorBody(err, parameter, exampleID)))}))
	}
	return cases
}

// exampleID is the request id in examples.
const exampleID = "5f2b8c1e-8f0a-4b6d-9a57-0d9f6c1c2b3a"

// rateHeaders are on every response to a recognised key.
func rateHeaders() []string {
	return []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit", "RateLimit-Policy"}
}

// headers describes all response headers, to be referred to by name. "sometimes" headers are absent
// when no key was recognised; v1 has one for what a load lacks, and those that announce its end.
func headers(v1 bool) openapi.Object {
	const always, sometimes = true, false
	str, integer := openapi.Object{openapi.Field("type", "string")}, openapi.Object{openapi.Field("type", "integer")}
	header := func(name string, required bool, schema openapi.Object) openapi.Member {
		return openapi.Field(name, openapi.Header(required, schema))
	}
	all := openapi.Object{
		header("X-Request-ID", always, requestIDSchema()),
		header("ETag", always, str),
		header("Cache-Control", always, str),
		header("Vary", always, str),
		header("X-RateLimit-Limit", sometimes, integer),
		header("X-RateLimit-Remaining", sometimes, integer),
		header("X-RateLimit-Reset", sometimes, integer),
		header("RateLimit", sometimes, str),
		header("RateLimit-Policy", sometimes, str),
		header("Retry-After", always, integer),
		header("WWW-Authenticate", always, str),
	}
	if v1 {
		all = append(all, header(partialHeader, sometimes, str))
		for _, name := range retirementHeaders() {
			all = append(all, header(name, sometimes, str))
		}
	}
	return all
}

func requestIDSchema() openapi.Object { return openapi.UUID("o mesmo de X-Request-ID") }

// errorSchema is the schema of web.ErrorBody, with further fields. v1 names no parameter. Problem details are described in words: with a
// second media type, generated clients would take every error for either of two types.
func errorSchema(about string, v1 bool, further ...openapi.Member) openapi.Object {
	what := openapi.Record(
		"O que houve.", openapi.Field("codigo", openapi.Choice("código estável do erro", errorCodes()...)),
		openapi.Field("mensagem", openapi.Text("explicação para pessoas")),
	)
	if !v1 {
		what = openapi.Optional(what, openapi.Field("parametro", openapi.Text("o parâmetro do endereço ou o campo do corpo de que o erro trata; ausente: o erro não é de um só")))
	}
	return openapi.Record(about, append([]openapi.Member{openapi.Field("erro", what), openapi.Field("requisicao_id", requestIDSchema())}, further...)...)
}

// errorCodes are the codes of both versions: those of failureOf, and that of what is no HTTP (web.Serve).
func errorCodes() []string {
	return []string{
		"cnpj_invalido", "parametro_invalido", "cursor_invalido", "lote_invalido", "pedido_ilegivel", "lote_grande_demais", "corpo_invalido", "envio_lento", "chave_ausente", "chave_invalida", "cnpj_nao_encontrado", "socio_nao_encontrado",
		"fonte_nao_encontrada", "carga_nao_encontrada", "webhook_nao_encontrado", "rota_nao_encontrada", "metodo_nao_permitido", "fotografia_alterada", "posicao_esquecida", "limite_da_conta", "webhook_repetido", "webhook_em_pausa", "limite_excedido", "protecao_ip",
		"fonte_indisponivel", "indice_indisponivel", "prova_indisponivel", "carga_parcial", "servico_indisponivel",
	}
}
