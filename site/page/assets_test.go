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
	if _, err := a.url("absent.css"); err == nil {
		t.Error("an absent asset has an address")
	}
}

func TestScriptsAreSmall(t *testing.T) {
	t.Parallel()
	a, err := loadAssets()
	if err != nil {
		t.Fatal(err)
	}
	const limit = 5 << 10
	if size := len(a.files[a.hashed["combobox.js"]]); size == 0 || size > limit {
		t.Errorf("combobox.js has %d bytes, more than %d", size, limit)
	}
}
