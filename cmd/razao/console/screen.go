// Package console writes what the commands of razao show to people: log lines, progress, tables,
// loads and their differences, and the JSON variants of these.
//
// Log and progress share stderr. On a terminal the last line is a progress bar that is redrawn in
// place; log lines appear above it, because both go through one [screen] whose lock covers erasing
// the bar, writing the line and drawing the bar again. Elsewhere the log is JSON, and progress is a
// log line every few seconds. Data goes to the writers that the callers pass, normally stdout.
package console

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"os"
	"sync"

	"github.com/mattn/go-isatty"
)

// stderr is the one terminal of the process, shared by log and progress.
var stderr = &screen{out: os.Stderr}

func isTerminal() bool { return isatty.IsTerminal(os.Stderr.Fd()) }

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

// NewLog returns a logger to stderr: lines for people on a terminal, JSON elsewhere.
func NewLog() *slog.Logger {
	if isTerminal() {
		return slog.New(newLineHandler(stderr))
	}
	return slog.New(slog.NewJSONHandler(os.Stderr, nil))
}

// lineHandler formats records as "15:04:05 WARN message key=value"; the level INFO is not shown.
type lineHandler struct {
	attrs slog.Handler // writes key=value into lines.buf
	lines *lines
}

// lines is shared by a handler and those derived from it by WithAttrs and WithGroup.
type lines struct {
	mu  sync.Mutex
	out io.Writer
	buf bytes.Buffer
}

func newLineHandler(out io.Writer) slog.Handler {
	l := &lines{out: out}
	dropBuiltIn := func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey || a.Key == slog.MessageKey) {
			return slog.Attr{}
		}
		return a
	}
	return &lineHandler{slog.NewTextHandler(&l.buf, &slog.HandlerOptions{ReplaceAttr: dropBuiltIn}), l}
}

func (h *lineHandler) Enabled(ctx context.Context, l slog.Level) bool { return h.attrs.Enabled(ctx, l) }

func (h *lineHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &lineHandler{h.attrs.WithAttrs(attrs), h.lines}
}

func (h *lineHandler) WithGroup(name string) slog.Handler {
	return &lineHandler{h.attrs.WithGroup(name), h.lines}
}

func (h *lineHandler) Handle(ctx context.Context, r slog.Record) error {
	h.lines.mu.Lock()
	defer h.lines.mu.Unlock()
	h.lines.buf.Reset()
	h.lines.buf.WriteString(r.Time.Format("15:04:05 "))
	if r.Level != slog.LevelInfo {
		h.lines.buf.WriteString(r.Level.String() + " ")
	}
	h.lines.buf.WriteString(r.Message + " ")
	if err := h.attrs.Handle(ctx, r); err != nil {
		return err
	}
	_, err := h.lines.out.Write(h.lines.buf.Bytes())
	return err
}
