package indexstore_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"razao/internal/store/indexstore"
	"razao/internal/store/indexstore/storetest"
)

// TestFolder checks the store in a folder, which is also read by HTTP, with and without byte ranges.
// The store in S3 has the same test in the laboratory, which has a server for it.
func TestFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	byHTTP := func(files http.Handler) indexstore.Store {
		server := httptest.NewServer(files)
		t.Cleanup(server.Close)
		return open(t, server.URL)
	}
	files := http.FileServer(http.Dir(dir))
	storetest.Check(t, open(t, "file://"+dir).(indexstore.Writable), map[string]indexstore.Store{
		"by HTTP": byHTTP(files),
		"by HTTP without ranges": byHTTP(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Header.Del("Range")
			files.ServeHTTP(w, r)
		})),
	})
}

func open(t *testing.T, address string) indexstore.Store {
	t.Helper()
	s, err := indexstore.Open(address)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
