package web

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
)

func TestPortInUse(t *testing.T) {
	t.Parallel()
	first, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = first.Close() }()
	addr := first.Addr().String()
	want := "address " + addr + " is already in use: stop the program that has it or choose another with RAZAO_ADDR"
	if _, err := Listen(t.Context(), addr); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if _, err := Listen(t.Context(), "127.0.0.1:no-port"); err == nil || !strings.Contains(err.Error(), "RAZAO_ADDR") {
		t.Errorf("a malformed address: %v", err)
	}
}

func TestServeLetsRequestsFinish(t *testing.T) {
	t.Parallel()
	entered, finish := make(chan struct{}), make(chan struct{})
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(entered)
		<-finish
		if err := r.Context().Err(); err != nil {
			t.Errorf("stopping the server ended the request: %v", err)
		}
		_, _ = io.WriteString(w, "inteiro")
	})
	l, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, l, handler, slog.New(slog.DiscardHandler)) }()
	body := make(chan string, 1)
	go func() {
		resp, err := http.Get("http://" + l.Addr().String())
		if err != nil {
			body <- err.Error()
			return
		}
		defer func() { _ = resp.Body.Close() }()
		b, _ := io.ReadAll(resp.Body)
		body <- string(b)
	}()
	<-entered
	stop()
	for { // until the server has stopped taking connections
		again, err := Listen(t.Context(), l.Addr().String())
		if err == nil {
			_ = again.Close()
			break
		}
	}
	close(finish)
	if got := <-body; got != "inteiro" {
		t.Errorf("the request in flight got %q", got)
	}
	if err := <-served; err != nil {
		t.Errorf("Serve = %v", err)
	}
}

func TestServeReportsALostListener(t *testing.T) {
	t.Parallel()
	l, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	if err := Serve(t.Context(), l, http.NotFoundHandler(), slog.New(slog.DiscardHandler)); err == nil {
		t.Error("Serve ended without an error")
	}
}
