package web

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

// The timeouts bound what a slow client can hold open (Slowloris). Bodies and answers have a pace.
const (
	headerTimeout   = 5 * time.Second  // to send the request line and headers
	idleTimeout     = 2 * time.Minute  // between requests on one connection
	shutdownTimeout = 12 * time.Second // for requests in flight when the server stops
	maxHeaderBytes  = 16 << 10
)

// Listen opens addr, host:port, a TCP address. Its errors name the setting that addr comes from, RAZAO_ADDR.
func Listen(ctx context.Context, addr string) (net.Listener, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("address %s is already in use: stop the program that has it or choose another with RAZAO_ADDR", addr)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s, the address in RAZAO_ADDR: %w", addr, err)
	}
	return l, nil
}

// Serve serves on l until ctx is done. It then closes l, waits up to 12 s for requests in flight
// and returns nil, or an error if it had to cut some off. Other errors are those of l.
func Serve(ctx context.Context, l net.Listener, handler http.Handler, log *slog.Logger) error {
	return serve(ctx, pacedListener{l, ofAnswers, log}, pacing(handler, ofBodies), log)
}

func serve(ctx context.Context, l net.Listener, handler http.Handler, log *slog.Logger) error {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       ofBodies.patience, // for a body that no handler reads
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	select {
	case err := <-served:
		return fmt.Errorf("serve on %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	err := server.Shutdown(grace)
	<-served
	if err != nil {
		_ = server.Close()
		return fmt.Errorf("stop serving on %s: requests did not finish in %s: %w", l.Addr(), shutdownTimeout, err)
	}
	return nil
}
