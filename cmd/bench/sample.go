package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"razao/internal/sample"
	"razao/internal/source"
)

const (
	roleSample = "sample"
	month      = "2026-08" // of the release: the first with letters in roots
)

// sampled is what making the release took.
type sampled struct {
	sample.Summary
	wall, cpu time.Duration
	rss       int64
}

// sample makes the release in a process of its own, whose memory does not count for what follows.
func (o *options) sample(ctx context.Context, f *folder) (*sampled, error) {
	say("inventing %s companies", count(int64(o.roots)))
	for _, name := range append(source.IDs(), "receita") {
		if err := os.RemoveAll(f.path(name)); err != nil { // of a run that got no further
			return nil, fmt.Errorf("former release: %w", err)
		}
	}
	args := []string{"-data", f.dir, "-roots", strconv.Itoa(o.roots), "-debts", strconv.Itoa(o.debts)}
	if o.needsSources() {
		args = append(args, "-only", partSources)
	}
	cmd, err := o.child(ctx, roleSample, args...)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("make the release: %w", err)
	}
	s := &sampled{wall: time.Since(start), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if used, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		s.rss = used.Maxrss << 10
	}
	if err := json.Unmarshal(out, &s.Summary); err != nil {
		return nil, fmt.Errorf("make the release: %w", err)
	}
	return s, nil
}

// sampleRole writes the release, with the sources if they are to be measured, into the folder and its summary to stdout.
func (o *options) sampleRole(ctx context.Context) error {
	s, err := sample.Write(ctx, o.data, sample.Options{
		Roots: o.roots, Seed: 1, Month: month, Workers: o.workers, OnlyReceita: !o.needsSources(), Debts: o.debts,
	})
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(s)
}

// child prepares another process of this program. It is asked to stop when ctx ends.
func (o *options) child(ctx context.Context, role string, args ...string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("start a process: %w", err)
	}
	cmd := exec.CommandContext(ctx, self, append([]string{"-role", role, "-workers", strconv.Itoa(o.workers)}, args...)...)
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	return cmd, nil
}
