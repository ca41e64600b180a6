package mcp

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"razao/internal/assistant"
)

// inputSchema returns the JSON Schema of a tool's arguments, from the fields of a question and their tags json, jsonschema
// (description), enum (values, with commas), minimum and maximum. It only informs clients: the assistant validates.
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
		schema.Properties = map[string]*jsonschema.Schema{} // some clients require the member
	}
	return schema
}

func bound(field reflect.StructField, tag string) *float64 {
	n, err := strconv.ParseFloat(field.Tag.Get(tag), 64)
	if err != nil { // no such tag
		return nil
	}
	return &n
}

// outputSchema returns the JSON Schema of a tool's structured answer.
func outputSchema[Out any]() *jsonschema.Schema { return schemaFor[Out]() }

// schemaFor returns the JSON Schema of a type. Arrays are not nullable; json.Number is a number.
func schemaFor[T any]() *jsonschema.Schema {
	schema, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.Number]():    {Type: "number"},
		reflect.TypeFor[assistant.Item](): {Type: "object"},
	}})
	if err != nil {
		panic(err) // a type of this program, found at the start
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
