// Package openapi holds the OpenAPI documents of the program to the specification, with validators
// that the product does not depend on.
package openapi

import (
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestDocumentsAreValid validates the documents, and every example in them against its schema, formats included. Examples may not have
// members that are not described.
func TestDocumentsAreValid(t *testing.T) {
	t.Parallel()
	documents := served(t)
	for path, least := range map[string]int{"/openapi.json": 0, "/v1/openapi.json": 1, "/v2/openapi.json": 9} {
		doc, err := openapi3.NewLoader().LoadFromData(documents[path])
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		// kin-openapi reads a schema without a type as OpenAPI 3.0 did, where null needs a word of its own.
		if err := doc.Validate(t.Context(), openapi3.DisableExamplesValidation()); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if checked := checkExamples(t, path, string(documents[path]), doc); checked < least {
			t.Errorf("%s has %d examples of successful answers", path, checked)
		}
	}
}

// checkExamples validates every example of an answer against the schema beside it and returns how many
// are of successful answers.
func checkExamples(t *testing.T, document, raw string, doc *openapi3.T) (checked int) {
	t.Helper()
	tree, err := jsonschema.UnmarshalJSON(strings.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	closeObjects(tree)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("document", tree); err != nil {
		t.Fatal(err)
	}
	for path, item := range doc.Paths.Map() {
		path = strings.NewReplacer("/", "~1", "{", "%7B", "}", "%7D").Replace(path)
		for method, op := range item.Operations() {
			for status, response := range op.Responses.Map() {
				place := "#/paths/" + path + "/" + strings.ToLower(method) + "/responses/" + status
				if response.Ref != "" {
					place = response.Ref
				}
				for _, example := range examplesOf(response.Value) {
					schema, err := compiler.Compile("document" + place + "/content/application~1json/schema")
					if err == nil {
						err = schema.Validate(example)
					}
					if err != nil {
						t.Errorf("%s: example of %s: %v", document, place, err)
					}
					if status == "200" {
						checked++
					}
				}
			}
		}
	}
	return checked
}

// examplesOf returns the examples of a response.
func examplesOf(response *openapi3.Response) (all []any) {
	media := response.Content["application/json"]
	if media == nil {
		return nil
	}
	if media.Example != nil {
		all = append(all, media.Example)
	}
	for _, e := range media.Examples {
		all = append(all, e.Value.Value)
	}
	return all
}

// closeObjects forbids members that are not described.
func closeObjects(tree any) {
	switch node := tree.(type) {
	case map[string]any:
		if _, ok := node["properties"].(map[string]any); ok && node["additionalProperties"] == nil {
			node["additionalProperties"] = false
		}
		for key, child := range node {
			if key != "example" && key != "examples" {
				closeObjects(child)
			}
		}
	case []any:
		for _, child := range node {
			closeObjects(child)
		}
	}
}
