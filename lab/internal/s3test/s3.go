// Package s3test is an in-memory S3 server on loopback for tests of index stores.
package s3test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// Start starts a server with one bucket and returns the address of a store below a prefix in it. The
// server stops with the test. Handlers in around wrap it, the last one outermost, to inject faults.
func Start(t testing.TB, around ...func(http.Handler) http.Handler) string {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("razao"); err != nil {
		t.Fatal(err)
	}
	handler := gofakes3.New(backend).Server()
	for _, wrap := range around {
		handler = wrap(handler)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return "s3://razao/country/one?region=us-east-1&endpoint=" + server.URL
}
