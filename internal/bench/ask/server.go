package ask

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"razao/internal/bench/load"
	"razao/internal/testing/freeport"
)

const (
	// publicAddress is RAZAO_BASE_URL of the measured servers. https makes cookies carry the
	// __Host- prefix.
	publicAddress = "https://razao.exemplo"

	startTime = time.Minute // for a server to become healthy: it may have to verify its index
)

// server is a running build, or another server.
type server struct {
	address string    // host and port
	private string    // host and port of its profiles; "": it has none
	cmd     *exec.Cmd // nil: somebody else started it
	pids    []int     // its processes then
}

// processes are those whose CPU time is that of the server.
func (s *server) processes() []int {
	if s.cmd == nil {
		return s.pids
	}
	return []int{s.cmd.Process.Pid}
}

// withoutSettings returns the environment without settings of whoever measures, and without those of
// the measurement, such as RAZAO_BENCH_PEER, which the program would refuse.
func withoutSettings() []string {
	return slices.DeleteFunc(os.Environ(), func(entry string) bool { return strings.HasPrefix(entry, "RAZAO_") })
}

// startServer runs `serve` on the folder and its database, without rate limits by address, and
// waits until it is healthy. Cancelling ctx interrupts the server.
func startServer(ctx context.Context, program string, f *load.Folder, db *load.Database) (*server, error) {
	address, err := freeport.Address()
	if err != nil {
		return nil, err
	}
	private, err := freeport.Address()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, "serve")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // as service managers start it
	cmd.Env = append(withoutSettings(), "RAZAO_DATA="+f.Dir, "RAZAO_DATABASE_URL="+db.DSN, "RAZAO_ADDR="+address, "RAZAO_BASE_URL="+publicAddress,
		"RAZAO_PRIVATE_ADDR="+private, "RAZAO_IP_REQUESTS=0", "RAZAO_IP_FAILURES=0", "RAZAO_IP_CLIENTS=0", "RAZAO_IP_CALLS=0")
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	s := &server{address: address, private: private, cmd: cmd}
	if err := s.ready(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("start the server %s: %w", program, err), s.close())
	}
	return s, nil
}

// ready polls /health until it answers 200.
func (s *server) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.address+"/health", nil)
		if err != nil {
			return err
		}
		answer, err := http.DefaultClient.Do(request)
		if err == nil {
			_, _ = io.Copy(io.Discard, answer.Body)
			_ = answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// profile writes a CPU profile of the server to a file, for `go tool pprof`. It takes length in whole
// seconds, at least one.
func (s *server) profile(ctx context.Context, length time.Duration, file string) (err error) {
	seconds := max(1, int(length.Seconds()))
	address := fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", s.private, seconds)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("profile of the server: %w", err)
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("profile of the server: %s", answer.Status)
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, answer.Body)
	return errors.Join(err, out.Close())
}

// close interrupts the server and waits for it. Its exit status is ignored: it may have been
// interrupted before.
func (s *server) close() error {
	_ = s.cmd.Process.Signal(os.Interrupt) // it may have ended already
	var ended *exec.ExitError
	if err := s.cmd.Wait(); err != nil && !errors.As(err, &ended) {
		return fmt.Errorf("server: %w", err)
	}
	return nil
}
