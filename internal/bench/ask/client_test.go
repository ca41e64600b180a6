package ask

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestClient(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("x", 200<<10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/large":
			w.Header().Set("Content-Length", fmt.Sprint(len(body)))
			fmt.Fprint(w, body)
		case "/small":
			fmt.Fprint(w, "ok")
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	c, err := dial(t.Context(), server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.conn.Close() })
	for path, want := range map[string]int{"/large": len(body), "/small": 2} {
		if got, err := c.send([]byte(path), nil, nil); err != nil || got != want {
			t.Errorf("%s: %d bytes, %v; want %d", path, got, err, want)
		}
	}
	if _, err := c.send([]byte("/missing"), []byte("X-More: 1\r\n"), nil); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("/missing: error %v, want one that names the status", err)
	}
}

func TestClientCallsTools(t *testing.T) {
	t.Parallel()
	const piece = 100 << 10
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" || r.Header.Get("X-More") != "1" {
			http.Error(w, fmt.Sprint(err, r.Method, r.Header), http.StatusBadRequest)
			return
		}
		fmt.Fprintf(w, `{"result":%s,"filler":"%s"}`, body, strings.Repeat("x", piece)) // too long for a Content-Length
	}))
	t.Cleanup(server.Close)
	c, err := dial(t.Context(), server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.conn.Close() })
	path, header := []byte("/mcp"), []byte("X-More: 1\r\n")
	want := piece + len(`{"result":{},"filler":""}`)
	for range 2 { // the first answer is read to its end
		if got, err := c.send(path, header, []byte(`{}`)); err != nil || got != want {
			t.Fatalf("%d bytes, %v; want %d", got, err, want)
		}
	}
	if _, err := c.send(path, header, []byte(`{"isError":true}`)); err == nil || !strings.Contains(err.Error(), "the tool failed") {
		t.Errorf("a tool that failed: %v", err)
	}
}
