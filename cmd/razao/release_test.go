package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"razao/api"
)

// TestOneRelease compares the version of the API with those of the program, of the changelog's newest section and of the MCP registry's
// manifest.
func TestOneRelease(t *testing.T) {
	if !strings.Contains(version, api.Release) {
		t.Errorf("the program is %s, the API %s", version, api.Release)
	}
	changelog, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	_, newest, _ := strings.Cut(string(changelog), "\n## ")
	if got, _, _ := strings.Cut(newest, " "); got != api.Release {
		t.Errorf("the newest section of CHANGELOG.md is %s, the API %s", got, api.Release)
	}
	body, err := os.ReadFile("../../server.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct{ Version string }
	if err := json.Unmarshal(body, &manifest); err != nil || manifest.Version != api.Release {
		t.Errorf("server.json has %s, %v; the API %s", manifest.Version, err, api.Release)
	}
}
