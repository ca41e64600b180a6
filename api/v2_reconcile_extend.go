package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gin-gonic/gin"

	"razao/internal/data/cnpj"
	"razao/internal/data/openapi"
	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/render"
)

// The data extension of the Reconciliation Service API: columns for rows that have been matched. They are the fields of
// a batch; of codes, a column has the meanings unless it asks for the codes.

// extension is a question for columns.
type extension struct {
	IDs        []string `json:"ids"`
	Properties []struct {
		ID       string            `json:"id"`
		Settings map[string]string `json:"settings"`
	} `json:"properties"`
}

const (
	settingName = "valor"
	inWords     = "palavras"
	asCode      = "codigo"
)

// extensionSettings are the settings of a column.
var extensionSettings = []openapi.Object{{
	openapi.Field("name", settingName), openapi.Field("label", "Valor"), openapi.Field("type", "select"), openapi.Field("default", inWords),
	openapi.Field("help_text", "De campos com um código, como o município ou a situação cadastral"),
	openapi.Field("choices", []openapi.Object{
		{openapi.Field("value", inWords), openapi.Field("name", "em palavras")}, {openapi.Field("value", asCode), openapi.Field("name", "o código publicado")},
	}),
}}

// column is a column of an extension.
type column struct {
	id     string
	field  record.Field
	asCode bool
}

// extensionOf reads a question for columns. The error is a *batchError.
func extensionOf(raw string) (ids []string, columns []column, err error) {
	var asked extension
	if err := json.Unmarshal([]byte(raw), &asked); err != nil {
		return nil, nil, &batchError{"extend", `extend não é um pedido de campos: {"ids": ["…"], "properties": [{"id": "uf"}]}, em JSON.`}
	}
	if len(asked.IDs) == 0 || len(asked.IDs) > mostInBatch {
		return nil, nil, &batchError{"extend", fmt.Sprintf("Envie de 1 a %d números em ids.", mostInBatch)}
	}
	for _, p := range asked.Properties {
		field, known := batchFields()[p.ID]
		if !known {
			return nil, nil, &batchError{"extend", "Campo desconhecido em properties: " + repeated(p.ID) + ". Os nomes são os de " + reconcileProposePath + "."}
		}
		if slices.ContainsFunc(columns, func(c column) bool { return c.id == p.ID }) {
			return nil, nil, &batchError{"extend", "Campo repetido em properties: " + repeated(p.ID) + "."}
		}
		as := p.Settings[settingName]
		if as != "" && as != inWords && as != asCode {
			return nil, nil, &batchError{"extend", "O " + settingName + " de " + p.ID + " é " + inWords + " ou " + asCode + ", e não " + repeated(as) + "."}
		}
		columns = append(columns, column{p.ID, field, as == asCode})
	}
	return asked.IDs, columns, nil
}

// extended is the answer: the columns, and by identifier and column the values.
type extended struct {
	Meta []entityType                 `json:"meta"`
	Rows map[string]map[string][]cell `json:"rows"`
}

// cell is a value under the name of its type: str, float or date.
type cell map[string]any

// extend answers a question for columns. A number that is not there, or is none, has no values.
func (a *API) extend(c *gin.Context, b *body, asked string) error {
	ids, columns, err := extensionOf(asked)
	if err != nil {
		return err
	}
	if err := a.admitFurther(c, (len(ids)-1)/numbersPerCall); err != nil {
		return err
	}
	s, err := a.config.Live.Acquire()
	if err != nil {
		return fmt.Errorf("current snapshot: %w", err)
	}
	defer s.Release()
	out := extended{[]entityType{}, map[string]map[string][]cell{}}
	fields := []string{}
	for _, column := range columns {
		out.Meta = append(out.Meta, entityType{column.id, column.id})
		fields = append(fields, column.field.Name)
	}
	ctx := c.Request.Context()
	r := batchRenderer{Renderer: render.Of(s), snap: s, cursors: a.cursors, batchRequest: batchRequest{CNPJs: identifiers(ids), Fields: fields}}
	if err := r.read(ctx); err != nil {
		return err
	}
	for i, id := range ids {
		var values, meanings map[string]json.RawMessage
		switch one, err := r.find(ctx, r.CNPJs[i]); {
		case errors.Is(err, cnpj.ErrInvalid), registry.IsAbsent(err), errors.As(err, new(*registry.LackError)):
		case err != nil:
			return err
		default:
			if values, meanings, err = r.values(ctx, one); err != nil {
				return err
			}
		}
		out.Rows[id] = map[string][]cell{}
		for _, column := range columns {
			if out.Rows[id][column.id], err = column.cells(values[column.field.Name], meanings[column.field.Name]); err != nil {
				return err
			}
		}
	}
	return b.encode(out)
}

// identifiers is [identifier] for several.
func identifiers(ids []string) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = identifier(id)
	}
	return out
}

// cells returns the value of a field, or the values of a list. meanings is the text of a code, or an object with those of a list. What
// is absent, null or "", has no cell.
func (col *column) cells(value, meanings json.RawMessage) ([]cell, error) {
	cells := []cell{}
	if value == nil {
		return cells, nil
	}
	var v, words any
	err := json.Unmarshal(value, &v)
	if err == nil && meanings != nil && !col.asCode {
		err = json.Unmarshal(meanings, &words)
	}
	if err != nil {
		return nil, fmt.Errorf("column %s: %w", col.id, err)
	}
	list, isList := v.([]any)
	if !isList {
		list = []any{v}
	}
	byCode, _ := words.(map[string]any)
	for _, v := range list {
		switch v := v.(type) {
		case float64:
			cells = append(cells, cell{"float": v})
		case bool:
			cells = append(cells, cell{"str": map[bool]string{true: "sim", false: "não"}[v]})
		case string:
			if text, ok := words.(string); ok {
				v = text
			} else if text, ok := byCode[v].(string); ok {
				v = text
			}
			switch {
			case v == "":
			case col.field.Kind == record.Day:
				cells = append(cells, cell{"date": v + "T00:00:00Z"})
			default:
				cells = append(cells, cell{"str": v})
			}
		}
	}
	return cells, nil
}

// proposal is what columns there may be.
type proposal struct {
	Properties []proposed `json:"properties"`
}

type proposed struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
}

// proposeProperties lists the columns. The type is ignored: there is one.
func (a *API) proposeProperties(c *gin.Context, b *body) error {
	query, err := parameters(c.Request.URL, "type", "limit")
	if err != nil {
		return err
	}
	out := proposal{[]proposed{}}
	for _, t := range batchTables() {
		for _, f := range t.Fields {
			if !slices.ContainsFunc(out.Properties, func(p proposed) bool { return p.ID == f.Name }) {
				out.Properties = append(out.Properties, proposed{f.Name, f.Name, f.About})
			}
		}
	}
	if query.Has("limit") {
		most, ok := within(query.Get("limit"), math.MaxInt32)
		if !ok {
			return wrong("limit", query.Get("limit"), "Envie quantos campos, no máximo.")
		}
		out.Properties = out.Properties[:min(most, len(out.Properties))]
	}
	return b.encode(out)
}
