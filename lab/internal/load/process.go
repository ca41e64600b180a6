package load

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"
)

const (
	startTime = time.Minute // for a server to verify its index and become healthy
	maxStderr = 16 << 10    // bytes of what a server writes to stderr that are kept
)

// process is a server in a process of its own.
type process struct {
	cmd    *exec.Cmd
	stderr beginning
	ended  chan struct{} // closed when err is known
	err    error
}

// start starts a server and waits until it answers 200 at an address. If it ends instead, the error has what it wrote to stderr.
func start(ctx context.Context, cmd *exec.Cmd, address string) (*process, error) {
	p := &process{cmd: cmd, ended: make(chan struct{})}
	cmd.Stderr = &p.stderr
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", cmd.Path, err)
	}
	go func() { p.err = cmd.Wait(); close(p.ended) }()
	if err := p.healthy(ctx, address); err != nil {
		err = errors.Join(err, p.stop())
		return nil, fmt.Errorf("start %s: %w\n%s", strings.Join(cmd.Args, " "), err, p.stderr)
	}
	return p, nil
}

// healthy polls an address until it answers 200.
func (p *process) healthy(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return err
		}
		if answer, err := http.DefaultClient.Do(request); err == nil {
			_ = answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-p.ended:
			return fmt.Errorf("it has ended: %w", p.err)
		case <-ctx.Done():
			return fmt.Errorf("%s: %w", address, ctx.Err())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// stop interrupts the server and waits for it, whatever its exit status.
func (p *process) stop() error {
	_ = p.cmd.Process.Signal(os.Interrupt) // it may have ended already
	<-p.ended
	var exit *exec.ExitError
	if p.err != nil && !errors.As(p.err, &exit) {
		return fmt.Errorf("server: %w", p.err)
	}
	return nil
}

// beginning keeps the first bytes that are written to it: later a server logs every request.
type beginning []byte

func (b *beginning) Write(p []byte) (int, error) {
	*b = append(*b, p[:min(len(p), maxStderr-len(*b))]...)
	return len(p), nil
}
