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

// DefaultAddr is the private address unless the operator sets another. It is also the default port
// of Prometheus itself.
const DefaultAddr = "127.0.0.1:9090"

// listen listens on the address of Open. It returns nil, nil where Open does.
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

// checkHost responds 421 (Misdirected Request) to requests with a foreign Host header (foreignHost),
// before next sees them.
func (m *Metrics) checkHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if m.foreignHost(r.Host) {
			http.Error(w, "the private address has another name: see RAZAO_PRIVATE_ADDR", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// foreignHost reports whether a Host header has a name that a web page could have chosen. It
// defeats DNS rebinding: the private address has no authentication, and a page of evil.example
// could have its name resolve to 127.0.0.1 and read metrics and profiles through an operator's
// browser. An attacker cannot own IP addresses, names without a dot (containers), .localhost (RFC
// 6761 §6.3) or the name in RAZAO_PRIVATE_ADDR. Ports and a final dot do not matter.
func (m *Metrics) foreignHost(host string) bool {
	name := strings.TrimSuffix(strings.ToLower(nameOf(host)), ".")
	if !strings.Contains(name, ".") || net.ParseIP(name) != nil || strings.HasSuffix(name, ".localhost") {
		return false
	}
	return m.addr == "" || name != strings.ToLower(nameOf(m.addr))
}

// nameOf returns the host of host:port, without the brackets of an IPv6 address.
func nameOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.Trim(host, "[]")
}

// Timeouts of the private address.
const (
	headerTimeout  = 5 * time.Second
	profileTimeout = 5 * time.Minute // to write a response: the longest profile or execution trace
)

// Serve serves Handler on the address of Open until ctx ends, and then closes all connections: a
// profile in progress must not keep the program from ending. It returns nil after ctx has ended and
// for a nil Metrics. It must not be called on the Metrics of New.
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
