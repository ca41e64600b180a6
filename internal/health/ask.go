package health

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// askTime is how long a server gets to answer Ask.
const askTime = 5 * time.Second

// Ask prints what the server of this machine that listens on an address says about itself at a path. An error means that it says no, or
// nothing.
func Ask(ctx context.Context, out io.Writer, addr, path string) error {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+reachable(addr)+path, nil)
	if err != nil {
		return fmt.Errorf("RAZAO_ADDR: %w", err)
	}
	direct := &http.Client{Transport: &http.Transport{}} // no proxy
	resp, err := direct.Do(req)
	if err != nil {
		return fmt.Errorf("the server does not answer: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("the server does not answer: %w", err)
	}
	fmt.Fprintf(out, "%s\n", body)
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s is %s", path, resp.Status)
	}
	return nil
}

// reachable returns a listen address as one to connect to: that of all interfaces is the own machine.
func reachable(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); err == nil && (host == "" || ip != nil && ip.IsUnspecified()) {
		return net.JoinHostPort("localhost", port)
	}
	return addr
}
