package mcp

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"razao/internal/assistant"
)

// inputSchema describes the arguments of a tool from the fields of a question: beside the usual tags, enum lists the values of
// a field, minimum and maximum bound it. The schema informs the client; it is the assistant that refuses.
func inputSchema[In any]() *jsonschema.Schema {
	schema := schemaFor[In]()
	t := reflect.TypeFor[In]()
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		property := schema.Properties[name]
		for value := range strings.SplitSeq(field.Tag.Get("enum"), ",") {
			if value != "" {
				property.Enum = append(property.Enum, value)
			}
		}
		property.Minimum, property.Maximum = bound(field, "minimum"), bound(field, "maximum")
	}
	if schema.Properties == nil {
		schema.Properties = map[string]*jsonschema.Schema{} // some clients insist
	}
	return schema
}

func bound(field reflect.StructField, tag string) *float64 {
	n, err := strconv.ParseFloat(field.Tag.Get(tag), 64)
	if err != nil { // it has none
		return nil
	}
	return &n
}

// outputSchema describes an answer.
func outputSchema[Out any]() *jsonschema.Schema { return schemaFor[Out]() }

// schemaFor describes a type. Lists are never null, and amounts are numbers though they are kept as text.
func schemaFor[T any]() *jsonschema.Schema {
	schema, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.Number]():    {Type: "number"},
		reflect.TypeFor[assistant.Item](): {Type: "object"},
	}})
	if err != nil {
		panic(err) // a type of ours that cannot be described
	}
	neverNull(schema)
	return schema
}

func neverNull(schema *jsonschema.Schema) {
	if schema == nil {
		return
	}
	if len(schema.Types) == 2 && schema.Types[1] == "array" {
		schema.Type, schema.Types = "array", nil
	}
	neverNull(schema.Items)
	neverNull(schema.AdditionalProperties)
	for _, property := range schema.Properties {
		neverNull(property)
	}
}
