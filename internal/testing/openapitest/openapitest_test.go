package openapitest

import (
	"testing"
)

// TestWhatIsNotDescribed sends answers that differ from their description.
func TestWhatIsNotDescribed(t *testing.T) {
	t.Parallel()
	d, err := Parse([]byte(`{"openapi":"3.1.0","paths":{"/a/{b}":{"get":{"responses":{"200":{"$ref":"#/components/responses/A"}}}}},"components":{
		"headers":{"H":{"required":true}},
		"responses":{"A":{"headers":{"X-h":{"$ref":"#/components/headers/H"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/A"}}}}},
		"schemas":{"A":{"type":"object","required":["day"],"properties":{"day":{"type":"string","format":"date"},"more":{"$ref":"#/components/schemas/A"}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if d.Operation("GET", "/a/") != nil || d.Operation("GET", "/a/b/c") != nil || d.Operation("POST", "/a/b") != nil {
		t.Error("an operation that is not described is found")
	}
	response := d.Operation("GET", "/a/x").Responses["200"]
	if !response.Headers["X-H"].Required {
		t.Errorf("headers %v", response.Headers)
	}
	for body, right := range map[string]bool{
		`{"day":"2026-09-30","more":{"day":"2026-02-28"}}`: true,
		`{"day":"2026-09-32"}`:                             false,
		`{"day":"2026-09-30","x":1}`:                       false,
		`{"more":{"day":"2026-09-30"}}`:                    false,
		`{"day":"2026-09-30","more":{"day":1}}`:            false,
		`{"day":"2026-09-30"`:                              false,
	} {
		if err := d.Validate(response.Content["application/json"].Schema, []byte(body)); (err == nil) != right {
			t.Errorf("%s: %v", body, err)
		}
	}
}
