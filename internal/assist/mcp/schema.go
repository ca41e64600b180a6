package mcp

import (
	"encoding/json"
	"maps"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"razao/index/filter"
	"razao/internal/assist/assistant"
	"razao/internal/data/openapi"
	"razao/internal/data/record"
)

// inputSchema returns the JSON Schema of a tool's arguments, derived from the fields of the
// query type In and their tags: json, jsonschema (description), enum (comma-separated), minimum
// and maximum. The schema informs clients; the assistant validates the arguments itself.
func inputSchema[In any]() *jsonschema.Schema {
	schema := schemaFor[In]()
	t := reflect.TypeFor[In]()
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Type == reflect.TypeFor[assistant.Filters]() {
			addFilters(schema)
			continue
		}
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
		schema.Properties = map[string]*jsonschema.Schema{} // some clients require "properties"
	}
	return schema
}

// bound returns the number in a struct tag, nil if there is no such tag.
func bound(field reflect.StructField, tag string) *float64 {
	n, err := strconv.ParseFloat(field.Tag.Get(tag), 64)
	if err != nil { // no such tag
		return nil
	}
	return &n
}

// encoded returns the JSON of a schema, so that the SDK copies it into every list of tools rather
// than encode it each time.
func encoded(schema *jsonschema.Schema) json.RawMessage {
	body, err := json.Marshal(schema)
	if err != nil {
		panic(err) // a schema made from our own types
	}
	return body
}

// schemaFor returns the JSON Schema of T.
func schemaFor[T any]() *jsonschema.Schema {
	schema := declared(schemaOf[T](parts()), publication())
	if one, all := schema.Properties["estabelecimento"], schema.Properties["estabelecimentos"]; one != nil && all != nil {
		all.Properties["itens"].Items = &jsonschema.Schema{Type: "object", Description: "com os campos de estabelecimento"}
	}
	return schema
}

// publication returns what fields that describe a publication mean.
var publication = sync.OnceValue(func() *jsonschema.Schema { return rowSchema(record.SourcePageTable()) })

// parts returns the schemas of types with their own JSON encoding: rows of the company registry have those of
// their tables, amounts are number or null.
var parts = sync.OnceValue(func() map[reflect.Type]*jsonschema.Schema {
	parts := map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.Number]():             {Type: "number"},
		reflect.TypeFor[assistant.Amount]():        {Types: []string{"null", "number"}},
		reflect.TypeFor[assistant.Date]():          {Types: []string{"null", "string"}},
		reflect.TypeFor[assistant.Item]():          {Type: "object"},
		reflect.TypeFor[assistant.Establishment](): rowSchema(record.EstablishmentTable()),
		reflect.TypeFor[assistant.Partner]():       rowSchema(record.PartnerTable()),
		reflect.TypeFor[assistant.Simples]():       rowSchema(record.SimplesTable()),
		reflect.TypeFor[assistant.Change]():        changeSchema(),
		reflect.TypeFor[assistant.Coverage]():      coverageSchema(),
		reflect.TypeFor[assistant.WithdrawnLoad](): unlisted(rowSchema(record.WithdrawnTable())),
	}
	parts[reflect.TypeFor[assistant.SourceSummary]()] = declared(schemaOf[assistant.SourceSummary](parts), publication())
	parts[reflect.TypeFor[assistant.SourceEntry]()] = declared(schemaOf[assistant.SourceEntry](parts), rowSchema(record.SourceEntryTable()))
	parts[reflect.TypeFor[assistant.Provenance]()] = declared(schemaOf[assistant.Provenance](parts), rowSchema(record.ProvenanceTable()))
	found := []*jsonschema.Schema{rowSchema(record.EstablishmentTable()), rowSchema(record.CompanyTable()), rowSchema(record.PartnerTable())}
	parts[reflect.TypeFor[assistant.Result]()] = declared(schemaOf[assistant.Result](parts), found...)
	parts[reflect.TypeFor[assistant.Partnership]()] = declared(schemaOf[assistant.Partnership](parts), found...)
	parts[reflect.TypeFor[assistant.Records]()] = schemaOf[assistant.ByTheme](parts)
	company, lists := rowSchema(record.CompanyTable()), schemaOf[assistant.CompanyLists](parts)
	maps.Copy(company.Properties, lists.Properties)
	company.Required = append(company.Required, lists.Required...)
	company.PropertyOrder = append(company.PropertyOrder, lists.PropertyOrder...)
	parts[reflect.TypeFor[assistant.CompanyRecord]()] = company
	return parts
})

// addFilters adds a property for each search filter. Each has a single type, because clients differ
// in their support of unions; the assistant accepts a string, a number or a list of them for any
// filter.
func addFilters(schema *jsonschema.Schema) {
	for _, c := range filter.All() {
		property := &jsonschema.Schema{Type: "string", Description: c.Label + ": " + c.About}
		if c.Kind == filter.Bound { // what it bounds is at the end
			property.Description = c.About
		}
		if c.Kind == filter.Bound && c.Form == filter.Amount { // its type is number
			_, bounded, _ := strings.Cut(c.About, ": ")
			property.Description = bounded + ", em reais"
		}
		switch kind := filter.KindOf(c.Name); {
		case kind == filter.Codes, kind == filter.Every:
			property.Type, property.Items = "array", &jsonschema.Schema{Type: "string"}
		case kind == filter.Choice:
			for _, o := range c.Options {
				property.Enum = append(property.Enum, o.Value)
			}
		case c.Form != filter.Date:
			property.Type = "number"
		}
		schema.Properties[c.Name] = property
		schema.PropertyOrder = append(schema.PropertyOrder, c.Name)
	}
}

// declared replaces properties that have no description by those of the same name in row schemas, and
// returns schema.
func declared(schema *jsonschema.Schema, rows ...*jsonschema.Schema) *jsonschema.Schema {
	for _, row := range rows {
		declare(schema, row)
	}
	return schema
}

// declare is declared for one row schema; nested objects are merged recursively.
func declare(schema, row *jsonschema.Schema) {
	for name, property := range schema.Properties {
		field := row.Properties[name]
		switch {
		case field == nil || property.Description != "":
		case property.Properties != nil:
			declare(property, field)
		default:
			schema.Properties[name] = field.CloneSchemas()
		}
	}
}

// schemaOf returns the JSON Schema of T, using parts for the types in it. Arrays are not nullable,
// since lists are never nil. It panics if T has no schema, which shows at start-up.
func schemaOf[T any](parts map[reflect.Type]*jsonschema.Schema) *jsonschema.Schema {
	schema, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: parts})
	if err != nil {
		panic(err) // programming error
	}
	neverNull(schema)
	return schema
}

// rowSchema returns the JSON Schema of a table's rows, without additional properties.
func rowSchema(t record.Table) *jsonschema.Schema {
	raw, err := json.Marshal(openapi.WholeTable(t))
	var schema jsonschema.Schema
	if err == nil {
		err = json.Unmarshal(raw, &schema)
	}
	if err != nil {
		panic(err) // programming error
	}
	closeObjects(&schema)
	if texts := schema.Properties["descricoes"]; texts != nil { // one sentence for all: models read the schemas with every question
		texts.Description = "Textos dos códigos; null: desconhecido."
		for _, text := range texts.Properties {
			text.Description = ""
		}
	}
	for _, f := range t.Fields {
		schema.PropertyOrder = append(schema.PropertyOrder, f.Name)
	}
	return &schema
}

// changeSchema returns the JSON Schema of an event, without the list of its codes and the fields of
// all kinds: models read the schemas with every question.
func changeSchema() *jsonschema.Schema {
	schema := unlisted(rowSchema(record.ChangeTable()))
	values := &jsonschema.Schema{Types: []string{"null", "object"}}
	schema.Properties["antes"], schema.Properties["depois"] = values, values
	schema.Description += " antes e depois têm os campos do evento, com os nomes e valores da API; null: nada havia, ou nada há."
	schema.Properties["ocultos"] = &jsonschema.Schema{
		Type: "array", Items: &jsonschema.Schema{Type: "string"}, Description: "campos que mudaram e estão ocultos",
	}
	further := []string{"antes", "depois", "ocultos"}
	schema.Required, schema.PropertyOrder = append(schema.Required, further...), append(schema.PropertyOrder, further...)
	return schema
}

// coverageSchema returns the JSON Schema of a coverage, which describes a load once.
func coverageSchema() *jsonschema.Schema {
	schema := unlisted(rowSchema(record.CoverageTable()))
	schema.Properties["ate"] = &jsonschema.Schema{Types: []string{"null", "object"}, Description: "a última carga da história, como desde"}
	return schema
}

// unlisted removes the list of sources from a schema; fontes_disponiveis has it.
func unlisted(schema *jsonschema.Schema) *jsonschema.Schema {
	schema.Properties["fonte"].Enum = nil
	return schema
}

// closeObjects sets additionalProperties to false ({"not": {}}) in schema and all nested objects.
func closeObjects(schema *jsonschema.Schema) {
	for _, property := range schema.Properties {
		closeObjects(property)
	}
	if schema.Properties != nil {
		schema.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
	}
}

// neverNull replaces the type ["null", "array"] by "array" in schema and everything below it.
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
