package page

import (
	"strings"
	"testing"
)

func TestEveryAssetHasAType(t *testing.T) {
	t.Parallel()
	a, err := loadAssets()
	if err != nil {
		t.Fatal(err)
	}
	for name := range a.hashed {
		if contentTypes[name[strings.LastIndex(name, "."):]] == "" {
			t.Errorf("%s has no content type", name)
		}
	}
	if _, err := Asset("absent.css"); err == nil {
		t.Error("an absent asset has an address")
	}
}

func TestScriptsAreSmall(t *testing.T) {
	t.Parallel()
	for name, limit := range map[string]int{"combobox.js": 5 << 10, "history.js": 3 << 10, "fields.js": 1536} {
		file, err := staticFiles.ReadFile("static/" + name)
		if size := len(file); err != nil || size == 0 || size > limit {
			t.Errorf("%s has %d bytes, more than %d", name, size, limit)
		}
	}
}
