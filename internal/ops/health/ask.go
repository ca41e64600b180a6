package health

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// askTime bounds a request of Ask.
const askTime = 5 * time.Second

// Ask requests a path of the server that listens on addr, on this machine, and prints the response
// to out. It returns an error if the status is not 200 or the server does not respond. The body is
// printed in either case if there is one.
func Ask(ctx context.Context, out io.Writer, addr, path string) error {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+reachable(addr)+path, nil)
	if err != nil {
		return fmt.Errorf("RAZAO_ADDR: %w", err)
	}
	direct := &http.Client{Transport: &http.Transport{}} // without the proxy of the environment
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

// reachable turns a listen address into one to connect to: a wildcard address becomes localhost.
func reachable(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); err == nil && (host == "" || ip != nil && ip.IsUnspecified()) {
		return net.JoinHostPort("localhost", port)
	}
	return addr
}
