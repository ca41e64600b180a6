package main

import (
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/term"
)

const (
	logEvery  = 5 * time.Second // between lines of progress where no bar can be drawn
	drawEvery = 100 * time.Millisecond

	worthALine = 500 * time.Millisecond // shorter stages are only in the closing table
)

// progress shows how far long work has come: on a terminal a line for each finished stage and a bar for the current one, a log
// line every few seconds elsewhere.
type progress struct {
	log    *slog.Logger
	screen *screen // nil: not a terminal
	width  func() int
	now    func() time.Time
	used   func() (cpu time.Duration, peak int64) // by this process; peak in bytes
	plan   map[string]float64                     // stages to be expected, with their weights

	mu      sync.Mutex
	stages  []*stage
	current *stage
	told    time.Time
}

// stage is one kind of work.
type stage struct {
	name        string
	began       time.Time
	cpuAt       time.Duration
	took, cpu   time.Duration
	done, total int64
}

func newProgress(log *slog.Logger) *progress {
	p := &progress{log: log, now: time.Now, used: ownUsage, width: terminalWidth, plan: usualPlan}
	if isTerminal() {
		p.screen = stderr
	}
	return p
}

func terminalWidth() int {
	width, _, err := term.GetSize(int(os.Stderr.Fd()))
	if err != nil || width <= 0 {
		return 80
	}
	return width
}

func ownUsage() (cpu time.Duration, peak int64) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), int64(u.Maxrss) << 10
}

// report tells that done of total units of a stage are behind us. Stages that end in "download" or "read" count
// bytes, the others rows.
func (p *progress) report(name string, done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if p.current == nil || p.current.name != name {
		if p.late(name, done, total) {
			return
		}
		p.finish(now)
		cpu, _ := p.used()
		p.current = &stage{name: name, began: now, cpuAt: cpu}
		p.told = now
		if p.screen != nil {
			p.told = time.Time{} // a bar is drawn at once
		}
	}
	p.current.done, p.current.total = max(done, p.current.done), total // calls from several goroutines overtake each other
	switch since := now.Sub(p.told); {
	case p.screen != nil && since >= drawEvery:
		p.told = now
		p.screen.show(p.line(now))
	case p.screen == nil && since >= logEvery:
		p.told = now
		p.log.Info("progress", p.figures(now)...)
	}
}

// late reports whether a worker tells of a stage that is over: it is near the end, where a new run of the stage would be near the
// beginning.
func (p *progress) late(name string, done, total int64) bool {
	for _, s := range p.stages {
		if s.name == name && s.total == total && done > total/2 {
			return true
		}
	}
	return false
}

// figures describes the stage for the log.
func (p *progress) figures(now time.Time) []any {
	s := p.current
	_, peak := p.used()
	out := []any{
		"stage", s.name, "done", s.done, "total", s.total, "per_second", int64(rate(s.done, now.Sub(s.began))),
		"seconds", int64(now.Sub(s.began).Seconds()), "memory_mb", peak >> 20,
	}
	if left, ok := p.left(now); ok {
		out = append(out, "left_seconds", int64(left.Seconds()))
	}
	return out
}

func rate(done int64, took time.Duration) float64 { return float64(done) / max(took.Seconds(), 1e-3) }

// finish ends the stage that is being shown.
func (p *progress) finish(now time.Time) {
	s := p.current
	if s == nil {
		return
	}
	cpu, _ := p.used()
	s.took, s.cpu = now.Sub(s.began), cpu-s.cpuAt
	if p.screen == nil {
		p.log.Info("stage done", p.figures(now)...)
	} else if p.screen.show(""); s.took >= worthALine {
		fmt.Fprintln(p.screen, clip(fmt.Sprintf("%-18s %8.1f s", s.name, s.took.Seconds()), p.width()))
	}
	p.current = nil
	for _, former := range p.stages {
		if former.name == s.name { // each source has the same small stages
			former.took, former.cpu, former.done, former.total = former.took+s.took, former.cpu+s.cpu, former.done+s.done, s.total
			return
		}
	}
	p.stages = append(p.stages, s)
}

// stop ends the last stage and sums up. Stopping again does nothing.
func (p *progress) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.finish(p.now())
	if len(p.stages) > 1 {
		p.summarize()
	}
	p.stages = nil
}

// share returns which part of all work is done, as far as the plan knows; the current stage counts by its units.
func (p *progress) share() float64 {
	var done, all float64
	over := map[string]bool{}
	for _, s := range p.stages {
		over[s.name] = true
	}
	for name, weight := range p.plan {
		all += weight
		switch {
		case p.current != nil && p.current.name == name:
			done += weight * fraction(p.current)
		case over[name]:
			done += weight
		}
	}
	if all == 0 {
		return 0
	}
	return done / all
}

func fraction(s *stage) float64 {
	if s.total <= 0 {
		return 0
	}
	return min(1, float64(s.done)/float64(s.total))
}

// left estimates the time to the end of all stages, from the time that the planned ones have taken for their share.
func (p *progress) left(now time.Time) (time.Duration, bool) {
	share := p.share()
	if share < 0.01 || share >= 1 {
		return 0, false // too early to tell, or beyond the plan
	}
	var took time.Duration
	for _, s := range append([]*stage{p.current}, p.stages...) {
		if _, planned := p.plan[s.name]; planned {
			took += s.took
			if s == p.current {
				took += now.Sub(s.began)
			}
		}
	}
	return time.Duration(float64(took) * (1 - share) / share), true
}

// line draws the current stage and the whole, in the width of the terminal.
func (p *progress) line(now time.Time) string {
	s := p.current
	whole := ""
	if left, ok := p.left(now); ok {
		whole = fmt.Sprintf(" · all %3.0f %%, %s left", 100*p.share(), clock(left))
	}
	head := fmt.Sprintf("%-18s ", s.name)
	tail := fmt.Sprintf(" %3.0f %% %12s/s%s", 100*fraction(s), amount(s.name, int64(rate(s.done, now.Sub(s.began)))), whole)
	width := p.width() - 1 // a full line would wrap
	room := min(40, width-len([]rune(head))-len([]rune(tail)))
	if room < 4 { // no bar, and what fits of the rest
		return clip(head+strings.TrimSpace(tail), width)
	}
	full := int(fraction(s) * float64(room))
	return head + strings.Repeat("█", full) + strings.Repeat("░", room-full) + tail
}

func clock(d time.Duration) string {
	s := int(d.Round(time.Second).Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// amount writes a number in the units of a stage.
func amount(stage string, n int64) string {
	if strings.HasSuffix(stage, "read") || strings.HasSuffix(stage, "download") {
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprint(n)
}

// clip cuts a line off at a width in characters.
func clip(line string, width int) string {
	if runes := []rune(line); len(runes) > max(width, 0) {
		return string(runes[:max(width, 0)])
	}
	return line
}

// summarize says once what each stage took.
func (p *progress) summarize() {
	_, peak := p.used()
	var took, cpu time.Duration
	for _, s := range p.stages {
		took, cpu = took+s.took, cpu+s.cpu
	}
	if p.screen == nil {
		p.log.Info("all stages done", "seconds", int64(took.Seconds()), "cpu_seconds", int64(cpu.Seconds()), "peak_memory_mb", peak>>20)
		return
	}
	var b strings.Builder
	row := func(name, seconds, cpu, amount, rate string) {
		b.WriteString(clip(strings.TrimRight(fmt.Sprintf("%-28s %9s %9s %12s %12s", name, seconds, cpu, amount, rate), " "), p.width()-1) + "\n")
	}
	b.WriteByte('\n')
	row("Stage", "seconds", "CPU s", "rows", "per second")
	for _, s := range p.stages {
		row(s.name, seconds(s.took), seconds(s.cpu), amount(s.name, s.done), amount(s.name, int64(rate(s.done, s.took))))
	}
	row("total", seconds(took), seconds(cpu), "", "")
	fmt.Fprintf(&b, "peak memory %d MB\n", peak>>20)
	_, _ = p.screen.Write([]byte(b.String()))
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f", d.Seconds()) }

// usualPlan is the share of each stage of a load of companies, in percent of a load of a million roots.
var usualPlan = map[string]float64{
	"read": 30, "merge": 35, "key": 3, "index: invert": 17, "index: merge": 15,
}
