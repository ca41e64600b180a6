package metrics

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"syscall"
	"time"
)

// Listen opens the private address, host:port. Without one it returns nil. When the address is taken by another process and the
// operator has not named it, so that it is the default, that is a warning and nil. Other errors name the setting, RAZAO_PRIVATE_ADDR.
func Listen(ctx context.Context, addr string, named bool, log *slog.Logger) (net.Listener, error) {
	if addr == "" {
		return nil, nil
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", addr)
	switch {
	case err == nil:
		return l, nil
	case errors.Is(err, syscall.EADDRINUSE) && !named:
		log.Warn("no metrics: another process has the address; name another in RAZAO_PRIVATE_ADDR", "address", addr)
		return nil, nil
	default:
		return nil, fmt.Errorf("cannot listen on %s, the address in RAZAO_PRIVATE_ADDR: %w", addr, err)
	}
}

const (
	headerTimeout  = 5 * time.Second
	profileTimeout = 5 * time.Minute // for a profile or a trace of execution
)

// Serve answers on l until ctx ends, and then drops what is in progress: a profile must not keep the program from ending.
func (m *Metrics) Serve(ctx context.Context, l net.Listener, log *slog.Logger) error {
	server := &http.Server{
		Handler: m.Handler(), ReadHeaderTimeout: headerTimeout, ReadTimeout: headerTimeout, WriteTimeout: profileTimeout,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve on %s, the address in RAZAO_PRIVATE_ADDR: %w", l.Addr(), err)
	}
	return nil
}
