package records

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/data/source"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
	"razao/site/page"
	"razao/site/page/pagetest"
)

// newHandlers returns the handlers over what is loaded, and the snapshot in service.
func newHandlers(t testing.TB, live *snapshot.Live) (*Handlers, *snapshot.Snapshot) {
	t.Helper()
	pages, snap := pagetest.Server(t, live)
	return New(pages, time.Now), snap.ForVisitors()
}

// TestNoIndex calls the rule itself: with invented data, every served page is noindex anyway.
func TestNoIndex(t *testing.T) {
	t.Parallel()
	hs, snap := newHandlers(t, fixture.Load(t).Live)
	for path, want := range map[string]bool{
		"/12345678000195/ibama/autos/1": false, "/12345678000195/ibama/autos/2": true, "/12345678/ibama/autos/1": false,
		"/" + fixture.Full(t, fixture.MEI).String() + "/ibama/autos/1": true,
	} {
		c, _ := gin.CreateTestContext(httptest.NewRecorder())
		c.Request = httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		parts := strings.Split(path, "/")
		c.Params = gin.Params{{Key: "cnpj", Value: parts[1]}, {Key: "fonte", Value: parts[3]}, {Key: "numero_pagina", Value: parts[4]}}
		answer, err := hs.ibama(c, snap)
		if err != nil {
			t.Fatal(err)
		}
		if got := answer.Page.Common().NoIndex; got != want {
			t.Errorf("%s: noindex %t, want %t", path, got, want)
		}
	}
}

func TestThemesHaveTitles(t *testing.T) {
	t.Parallel()
	for _, theme := range source.Themes() {
		if themeTitles[theme] == "" {
			t.Errorf("theme %s has no title", theme)
		}
	}
}

func TestPagesHoldHostileText(t *testing.T) {
	t.Parallel()
	pagetest.Hostile[page.Page](t, page.Render, &ibamaPage{})
}
