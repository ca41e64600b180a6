package main

import (
	"log/slog"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/schollz/progressbar/v3"
)

// logEvery is how often progress is told where no bar can be drawn.
const logEvery = 5 * time.Second

// progress shows how far long work has come: a bar on a terminal, a log line every few seconds elsewhere.
type progress struct {
	log      *slog.Logger
	terminal bool

	mu    sync.Mutex
	stage string
	since time.Time // of the stage
	told  time.Time
	bar   *progressbar.ProgressBar
	done  int64
	total int64
}

func newProgress(log *slog.Logger) *progress {
	return &progress{log: log, terminal: isatty.IsTerminal(os.Stderr.Fd())}
}

// report tells that done of total units of a stage are behind us. Stages that end in "download" or "read" count
// bytes, the others rows.
func (p *progress) report(stage string, done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if stage != p.stage {
		p.finish()
		p.stage, p.since, p.told, p.done = stage, now, now, 0
		if bytes := strings.HasSuffix(stage, "read") || strings.HasSuffix(stage, "download"); p.terminal {
			p.bar = progressbar.NewOptions64(total,
				progressbar.OptionSetWriter(os.Stderr),
				progressbar.OptionSetDescription(stage),
				progressbar.OptionShowBytes(bytes),
				progressbar.OptionShowCount(),
				progressbar.OptionSetItsString("rows"),
				progressbar.OptionThrottle(100*time.Millisecond),
				progressbar.OptionFullWidth())
			if !bytes {
				progressbar.OptionShowIts()(p.bar)
			}
		}
	}
	p.done, p.total = max(done, p.done), total // calls from several goroutines overtake each other
	if p.bar != nil {
		p.bar.ChangeMax64(p.total) // of downloads it grows with every file that begins
		_ = p.bar.Set64(p.done)
		return
	}
	if now.Sub(p.told) >= logEvery {
		p.told = now
		p.log.Info("progress", p.figures(now)...)
	}
}

// figures describes the stage for the log.
func (p *progress) figures(now time.Time) []any {
	elapsed := now.Sub(p.since).Seconds()
	rate := float64(p.done) / max(elapsed, 1e-3)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	out := []any{
		"stage", p.stage, "done", p.done, "total", p.total, "per_second", int64(rate),
		"seconds", int64(elapsed), "memory_mb", m.Sys >> 20,
	}
	if rate > 0 && p.total > p.done {
		out = append(out, "left_seconds", int64(float64(p.total-p.done)/rate))
	}
	return out
}

// finish ends the stage that is being shown.
func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
		_, _ = os.Stderr.WriteString("\n")
		p.bar = nil
		return
	}
	if p.stage != "" && p.done > 0 {
		p.log.Info("stage done", p.figures(time.Now())...)
	}
}

func (p *progress) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.finish()
	p.stage = ""
}
