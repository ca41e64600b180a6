package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"sync"

	"github.com/gin-gonic/gin"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/render"
	"razao/internal/store/snapshot"
	"razao/internal/web"
)

// batchPath is the path of the one operation that is no GET: a thousand numbers do not fit an address.
const batchPath = "/v2/lote"

// Bounds of a batch.
const (
	mostInBatch    = 1000     // numbers
	numbersPerCall = 20       // that count as one call
	maxBatch       = 64 << 10 // bytes of the body
)

// batchRequest is the body of a batch.
type batchRequest struct {
	CNPJs  []string `json:"cnpjs"`
	Fields []string `json:"campos"` // nil: all of the basic mode
}

// batchError is a body that is no batch, a 400. As of a parameterError, Error is a constant, for the log, and message repeats what was
// typed to the client.
type batchError struct {
	parameter string // of the form, or member of the JSON; "": the body as a whole
	message   string
}

func (e *batchError) Error() string { return "batch refused" }

// noNumbers is the refusal of a batch with no number, or with too many.
var noNumbers = &batchError{"cnpjs", fmt.Sprintf("Envie de 1 a %d números em cnpjs.", mostInBatch)}

var errBatchTooLarge = errors.New("the body of a batch is too large")

// batch answers many numbers, each by itself, in the order of the request. What one of them gets is what the
// basic mode answers for it: its "dados", or its "erro".
func (a *API) batch(c *gin.Context, b *body) error {
	if _, err := parameters(c.Request.URL); err != nil {
		return err
	}
	q, err := readBatch(c)
	if err != nil {
		return err
	}
	if err := a.admitFurther(c, (len(q.CNPJs)-1)/numbersPerCall); err != nil {
		return err
	}
	s, err := a.config.Live.Acquire()
	if err != nil {
		return fmt.Errorf("current snapshot: %w", err)
	}
	defer s.Release()
	ctx := c.Request.Context()
	r := batchRenderer{Renderer: render.Of(s), snap: s, cursors: a.cursors, batchRequest: q}
	if err := r.read(ctx); err != nil {
		return err
	}
	b.bytes = append(b.bytes, `{"dados":{"itens":[`...)
	for i, number := range q.CNPJs {
		if b.bytes, err = r.item(ctx, render.AppendComma(b.bytes, i), number); err != nil {
			return err
		}
	}
	b.bytes = append(b.bytes, `]}`...)
	b.bytes = appendRelease(b.bytes, "lote")
	b.bytes = append(appendSnapshot(b.bytes, s, web.EventOf(ctx).RequestID, false, s.Load.Lacking()), '}')
	return nil
}

// readBatch reads the body. The errors are *batchError, errBatchTooLarge and those of the connection.
func readBatch(c *gin.Context) (q batchRequest, err error) {
	err = readJSON(c, &q)
	switch {
	case errors.Is(err, errBody) && c.ContentType() != "application/json" && c.ContentType() != "":
		return q, &batchError{"", "Envie o lote com Content-Type: application/json."}
	case errors.Is(err, errBody):
		return q, &batchError{parameterOf(err), `O corpo não é o de um lote: {"cnpjs": ["…", "…"]}, em JSON, e se quiser "campos": ["…"].`}
	case err != nil:
		return q, err
	case len(q.CNPJs) == 0 || len(q.CNPJs) > mostInBatch:
		return q, noNumbers
	}
	for i, name := range q.Fields {
		if slices.Contains(q.Fields[:i], name) {
			return q, &batchError{"campos", "Campo repetido em campos: " + repeated(name) + "."}
		}
		if _, known := batchFields()[name]; !known {
			return q, &batchError{"campos", "Campo desconhecido em campos: " + repeated(name) + ". Os nomes são os de Empresa, Estabelecimento e Simples em /v2/openapi.json."}
		}
	}
	return q, nil
}

// readJSON decodes the body of a request, whose members must all be known, as the parameters of a query. The errors are errBody, with the
// member that is wrong if it is one, errBatchTooLarge and those of the connection.
func readJSON(c *gin.Context, into any) error {
	raw, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, maxBatch))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return errBatchTooLarge
	}
	if err != nil {
		return fmt.Errorf("read a body: %w", err)
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || c.ContentType() != "application/json" && c.ContentType() != "" {
		return errBody
	}
	known := membersOf(into)
	for name := range members { // in their letters: encoding/json takes any
		if !slices.Contains(known, name) {
			return &argumentError{repeated(name), errBody}
		}
	}
	var wrong *json.UnmarshalTypeError
	switch err := json.Unmarshal(raw, into); {
	case errors.As(err, &wrong):
		return &argumentError{wrong.Field, errBody}
	case err != nil:
		return errBody
	}
	return nil
}

// membersOf returns the names that a struct has in JSON.
func membersOf(pointer any) (names []string) {
	of := reflect.TypeOf(pointer).Elem()
	for i := range of.NumField() {
		names = append(names, of.Field(i).Tag.Get("json"))
	}
	return names
}

// batchTables have the fields that one may choose.
func batchTables() []record.Table {
	return []record.Table{record.CompanyTable(), record.EstablishmentTable(), record.SimplesTable()}
}

// batchFields are these fields by name.
var batchFields = sync.OnceValue(func() map[string]record.Field {
	fields := map[string]record.Field{}
	for _, t := range batchTables() {
		for _, f := range t.Fields {
			fields[f.Name] = f
		}
	}
	return fields
})

// batchRenderer makes the answer to a batch. Companies are read with one statement.
type batchRenderer struct {
	*render.Renderer
	batchRequest
	snap      *snapshot.Snapshot
	cursors   cursorSigner
	companies map[cnpj.Root]*pack.Head
}

func (r *batchRenderer) read(ctx context.Context) (err error) {
	roots := map[cnpj.Root]bool{}
	for _, number := range r.CNPJs {
		if document, err := registry.ParseDocument(number); err == nil {
			roots[document.Root] = true
		}
	}
	r.companies, err = r.snap.Companies(ctx, slices.Collect(maps.Keys(roots)))
	return err
}

// item appends the answer to one number.
func (r *batchRenderer) item(ctx context.Context, dst []byte, number string) ([]byte, error) {
	dst = render.AppendText(dst, `{"cnpj":`, number)
	one, err := r.find(ctx, number)
	switch {
	case errors.Is(err, cnpj.ErrInvalid), registry.IsAbsent(err), errors.As(err, new(*registry.LackError)):
		f := failureOf(err)
		dst = render.AppendText(dst, `,"erro":{"codigo":`, f.code)
		return append(render.AppendText(dst, `,"mensagem":`, f.message), "}}"...), nil
	case err != nil:
		return dst, err
	}
	dst = append(dst, `,"dados":`...)
	if r.Fields == nil {
		return append(one.basic(dst), '}'), nil
	}
	dst, err = r.chosen(ctx, dst, one)
	return append(dst, '}'), err
}

// find reads what the basic mode shows of a number. The errors are those of the basic mode.
func (r *batchRenderer) find(ctx context.Context, number string) (*v2Renderer, error) {
	of := companyResource
	if len(number) != of.positions {
		of = establishmentResource
	}
	shown := route{resource: of, reads: sections{partners: r.Fields == nil, establishments: r.Fields == nil && of == companyResource}}
	v := &v2Renderer{Renderer: r.Renderer, v2Request: v2Request{route: shown, limit: defaultLimit}, snap: r.snap, cursors: r.cursors}
	if err := v.parseDocument(number); err != nil {
		return nil, err
	}
	head := r.companies[v.document.Root]
	if head == nil || !head.Exists() {
		return nil, r.snap.Load.Absent(registry.Document{Root: v.document.Root})
	}
	v.head = *head
	if err := v.readEstablishment(ctx); err != nil {
		return nil, err
	}
	return v, v.readSections(ctx, registry.Range{Limit: v.limit})
}

// chosen appends an object of the chosen fields and, under "descricoes", the meanings of their codes. null is
// what there is not: a head office, or Simples.
func (r *batchRenderer) chosen(ctx context.Context, dst []byte, one *v2Renderer) ([]byte, error) {
	values, meanings, err := r.values(ctx, one)
	if err != nil {
		return dst, err
	}
	dst = append(dst, '{')
	for _, name := range r.Fields {
		dst = append(appendMember(dst, name, values[name]), ',')
	}
	dst = append(dst, `"`+meaningsName+`":{`...)
	for i, name := range slices.DeleteFunc(slices.Clone(r.Fields), func(name string) bool { return meanings[name] == nil }) {
		dst = appendMember(render.AppendComma(dst, i), name, meanings[name])
	}
	return append(dst, "}}"...), nil
}

// values returns the fields of batchTables and the meanings of codes, as records have them. Of a company, the fields of
// an establishment are those of its head office.
func (r *batchRenderer) values(ctx context.Context, one *v2Renderer) (values, meanings map[string]json.RawMessage, err error) {
	parts := [][]byte{append(one.AppendCompany(nil, one.head.Root, &one.head.Company), '}')}
	office := &one.only
	if one.document.Order == nil {
		if office, err = r.snap.HeadOffice(ctx, &one.head); err != nil {
			return nil, nil, err
		}
	}
	if office != nil {
		parts = append(parts, one.AppendEstablishment(nil, office))
	}
	if one.head.HasSimples {
		parts = append(parts, render.AppendSimples(nil, &one.head.Simples))
	}
	values, meanings = map[string]json.RawMessage{}, map[string]json.RawMessage{}
	for _, part := range parts {
		if err := json.Unmarshal(part, &values); err != nil { // the last part that has a name: they agree
			return nil, nil, fmt.Errorf("choose fields: %w", err)
		}
		if texts, ok := values[meaningsName]; ok {
			if err := json.Unmarshal(texts, &meanings); err != nil {
				return nil, nil, fmt.Errorf("choose fields: %w", err)
			}
		}
	}
	return values, meanings, nil
}

// meaningsName is the member of a record with the meanings of its codes.
const meaningsName = "descricoes"

// appendMember appends a member of an object; no value is null.
func appendMember(dst []byte, name string, value json.RawMessage) []byte {
	dst = append(append(append(dst, '"'), name...), `":`...)
	if value == nil {
		return append(dst, "null"...)
	}
	return append(dst, value...)
}
