// Package console writes what the commands of razao show to people: log lines, progress, tables,
// loads and their differences, and the JSON variants of these.
//
// Log and progress share stderr. On a terminal the last line is a progress bar that is redrawn in
// place; log lines appear above it, because both go through one [screen] whose lock covers erasing
// the bar, writing the line and drawing the bar again. Elsewhere the log is JSON, and progress is a
// log line every few seconds. Data goes to the writers that the callers pass, normally stdout.
package console

import (
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/lmittmann/tint"
	"golang.org/x/term"
)

// stderr is the one terminal of the process, shared by log and progress.
var stderr = &screen{out: os.Stderr}

func isTerminal() bool { return term.IsTerminal(int(os.Stderr.Fd())) }

// screen is a terminal whose last line is redrawn in place. Output of Write appears above that
// line.
type screen struct {
	mu   sync.Mutex
	out  io.Writer
	live string
}

// clearLine returns to the first column and erases the line (ECMA-48 EL).
const clearLine = "\r\x1b[K"

// show redraws the last line; "" removes it.
func (s *screen) show(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if line != "" || s.live != "" {
		_, _ = io.WriteString(s.out, clearLine+line)
	}
	s.live = line
}

// Write writes p, which must be whole lines, above the last line.
func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live == "" {
		return s.out.Write(p)
	}
	if _, err := io.WriteString(s.out, clearLine+string(p)+s.live); err != nil {
		return 0, err
	}
	return len(p), nil
}

// NewLog returns a logger to stderr: coloured lines for people on a terminal, JSON elsewhere.
func NewLog() *slog.Logger {
	if isTerminal() {
		return slog.New(tint.NewTextHandler(stderr, &tint.Options{TimeFormat: time.TimeOnly}))
	}
	return slog.New(slog.NewJSONHandler(os.Stderr, nil))
}
