package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
)

// TestUnreadableRequests sends what net/http refuses by itself: it is answered as other errors are.
func TestUnreadableRequests(t *testing.T) {
	t.Parallel()
	plain := strings.Repeat("HTTP/1.1 400 Bad Request"+ownHeaders+"400 Bad Request", 3) // a body that looks like such an answer
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Connection", "close")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, plain)
	})
	l, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var lines bytes.Buffer
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, l, handler, slog.New(slog.NewJSONHandler(&lines, nil))) }()
	var ids []string
	for text, want := range map[string]struct {
		status int
		says   string
	}{
		"GET /v2/grupos/% HTTP/1.1\r\nHost: x\r\n\r\n":                                          {400, "%25"},
		"GET / HTTP/1.1\r\n\r\n":                                                                {400, "malformados"},
		"GET / HTTP/3.7\r\nHost: x\r\n\r\n":                                                     {505, "versão"},
		"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: x\r\n\r\n":                            {501, "Transfer-Encoding"},
		"GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("a", 2*maxHeaderBytes) + "\r\n\r\n": {431, "16 KB"},
	} {
		resp, body := exchange(t, l.Addr().String(), text)
		var b ErrorBody
		if err := json.Unmarshal(body, &b); err != nil || b.Error.Code != "pedido_ilegivel" || !strings.Contains(b.Error.Message, want.says) || b.RequestID == "" {
			t.Errorf("%.40q: %v: %s", text, err, body)
		}
		if resp.StatusCode != want.status || resp.Header.Get("X-Request-ID") != b.RequestID || resp.Header.Get("Cache-Control") != "no-store" || !resp.Close {
			t.Errorf("%.40q: %d, want %d, %v", text, resp.StatusCode, want.status, resp.Header)
		}
		ids = append(ids, b.RequestID)
	}
	if resp, body := exchange(t, l.Addr().String(), "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); resp.StatusCode != 400 || string(body) != plain {
		t.Errorf("the answer of a handler: %d %s", resp.StatusCode, body)
	}
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
	for _, id := range ids {
		if strings.Count(lines.String(), id) != 1 {
			t.Errorf("%s is not in the log: %s", id, lines.String())
		}
	}
}

// exchange sends text on a connection of its own and reads the answer.
func exchange(t *testing.T, addr, text string) (*http.Response, []byte) {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, body
}
