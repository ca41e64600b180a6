package metrics

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"
)

// DefaultAddr is the private address of who has named none. It is also Prometheus's own.
const DefaultAddr = "127.0.0.1:9090"

// listen opens the address of Open.
func listen(ctx context.Context, addr string, log *slog.Logger) (net.Listener, error) {
	if addr == "" {
		return nil, nil
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", addr)
	switch {
	case err == nil:
		return l, nil
	case errors.Is(err, syscall.EADDRINUSE) && addr == DefaultAddr:
		log.Warn("no metrics: another process has the address; name another in RAZAO_PRIVATE_ADDR", "address", addr)
		return nil, nil
	default:
		return nil, fmt.Errorf("cannot listen on %s, the address in RAZAO_PRIVATE_ADDR: %w", addr, err)
	}
}

// refusing refuses with 421 who names the server by a name that is none of its own, before next sees the request.
func (m *Metrics) refusing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if m.misdirected(r.Host) {
			http.Error(w, "the private address has another name: see RAZAO_PRIVATE_ADDR", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// misdirected reports whether a Host header has a name that a web page could have chosen (DNS rebinding): nobody asks who reads the
// private address, and a page of evil.example whose name resolves to 127.0.0.1 must not read it through an operator's browser. IP
// addresses, names without a dot, as containers have them, and the name in RAZAO_PRIVATE_ADDR cannot be chosen so.
func (m *Metrics) misdirected(host string) bool {
	name := strings.TrimSuffix(strings.ToLower(nameOf(host)), ".")
	if !strings.Contains(name, ".") || net.ParseIP(name) != nil || strings.HasSuffix(name, ".localhost") {
		return false
	}
	return m.addr == "" || name != strings.ToLower(nameOf(m.addr))
}

// nameOf returns a host and port without the port, if there is one.
func nameOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.Trim(host, "[]")
}

const (
	headerTimeout  = 5 * time.Second
	profileTimeout = 5 * time.Minute // for a profile or a trace of execution
)

// Serve answers operators until ctx ends, and then drops what is in progress: a profile must not keep the program from ending.
func (m *Metrics) Serve(ctx context.Context) error {
	if m == nil {
		return nil
	}
	server := &http.Server{
		Handler: m.Handler(), ReadHeaderTimeout: headerTimeout, ReadTimeout: headerTimeout, WriteTimeout: profileTimeout,
		ErrorLog: slog.NewLogLogger(m.log.Handler(), slog.LevelWarn),
	}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.Serve(m.private); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve on %s, the address in RAZAO_PRIVATE_ADDR: %w", m.private.Addr(), err)
	}
	return nil
}
