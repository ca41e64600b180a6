package mcp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// registryRules is the part of the published schema of server.json for a server without packages,
// closed to further properties.
const registryRules = `{
	"type": "object",
	"required": ["$schema", "name", "description", "version", "remotes"],
	"additionalProperties": false,
	"properties": {
		"$schema": {"const": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"},
		"name": {"type": "string", "minLength": 3, "maxLength": 200, "pattern": "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$"},
		"title": {"type": "string", "minLength": 1, "maxLength": 100},
		"description": {"type": "string", "minLength": 1, "maxLength": 100},
		"version": {"type": "string", "maxLength": 255, "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+$"},
		"remotes": {"type": "array", "minItems": 1, "items": {
			"type": "object",
			"required": ["type", "url"],
			"additionalProperties": false,
			"properties": {
				"type": {"enum": ["streamable-http"]},
				"url": {"type": "string", "pattern": "^https://[^\\s]+/mcp$"},
				"variables": {"type": "object", "additionalProperties": {
					"type": "object",
					"additionalProperties": false,
					"properties": {
						"description": {"type": "string"},
						"isRequired": {"type": "boolean"},
						"placeholder": {"type": "string"}
					}
				}}
			}
		}}
	}
}`

func TestRegistryDocument(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join("..", "..", "..", "server.json"))
	if err != nil {
		t.Fatal(err)
	}
	var rules jsonschema.Schema
	if err := json.Unmarshal([]byte(registryRules), &rules); err != nil {
		t.Fatal(err)
	}
	resolved, err := rules.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal(raw, &document); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(document); err != nil {
		t.Error(err)
	}
	for _, remote := range document["remotes"].([]any) {
		r := remote.(map[string]any)
		for name := range r["variables"].(map[string]any) {
			if !strings.Contains(r["url"].(string), "{"+name+"}") {
				t.Errorf("the variable %s is not in %v", name, r["url"])
			}
		}
	}
}
