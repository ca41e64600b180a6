package console

import (
	"fmt"
	"log/slog"
	"os"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"

	"razao/ingest"
	"razao/internal/store/registry"
)

const (
	logEvery  = 5 * time.Second        // between log lines of progress, without a terminal
	drawEvery = 100 * time.Millisecond // between redrawings of the bar

	worthALine = 0.5 // seconds; shorter stages appear only in the closing table
)

// Progress shows the progress of long work. On a terminal it prints a line for each finished stage
// and draws a bar for the current one; elsewhere it logs a line every few seconds. The work reports
// to Watch, which measures and is safe for concurrent use.
type Progress struct {
	log    *slog.Logger
	screen *screen // nil: not a terminal
	width  func() int
	peak   func() int64      // returns the peak memory of this process in bytes
	Watch  *ingest.Stopwatch // takes the reports of the work

	begun, ended int       // how many stages have been shown as begun and as ended
	shown        time.Time // when the current stage was last shown
}

// NewProgress returns the progress of this process, shown on its terminal or in log. The caller
// must call Stop.
func NewProgress(log *slog.Logger) *Progress {
	p := &Progress{log: log, peak: ownPeak, width: terminalWidth}
	if isTerminal() {
		p.screen = stderr
	}
	p.Watch = &ingest.Stopwatch{Show: p.show}
	return p
}

// terminalWidth returns the width of stderr in columns, 80 if it is not known.
func terminalWidth() int {
	width, _, err := term.GetSize(int(os.Stderr.Fd()))
	if err != nil || width <= 0 {
		return 80
	}
	return width
}

// ownPeak returns the peak resident set size of this process in bytes. ru_maxrss is in KiB on
// Linux.
func ownPeak() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return int64(u.Maxrss) << 10
}

// show is called by Watch with each report. It shows the beginning and end of a stage at once,
// anything else at intervals.
func (p *Progress) show(m *ingest.Moment) {
	p.finish(m.Stages[:len(m.Stages)-1])
	if p.begun < len(m.Stages) {
		p.begun, p.shown = len(m.Stages), m.At
		if p.screen != nil {
			p.shown = time.Time{} // draws the first bar at once
		}
	}
	s := &m.Stages[len(m.Stages)-1]
	switch since := m.At.Sub(p.shown); {
	case p.screen != nil && since >= drawEvery:
		p.shown = m.At
		p.screen.show(p.line(s, m))
	case p.screen == nil && since >= logEvery:
		p.shown = m.At
		figures := p.figures(s)
		if m.Left > 0 {
			figures = append(figures, "left_seconds", int64(m.Left.Seconds()))
		}
		p.log.Info("progress", figures...)
	}
}

// figures returns a stage as attributes of a log line.
func (p *Progress) figures(s *registry.Stage) []any {
	return []any{
		"stage", s.Name, "done", s.Done, "total", s.Total, "per_second", int64(rate(s)), "seconds", int64(s.Seconds), "memory_mb", p.peak() >> 20,
	}
}

func rate(s *registry.Stage) float64 { return float64(s.Done) / max(s.Seconds, 1e-3) }

// finish shows the stages that have ended since the last call.
func (p *Progress) finish(ended []registry.Stage) {
	for i := p.ended; i < len(ended); i++ {
		s := &ended[i]
		if p.screen == nil {
			p.log.Info("stage done", p.figures(s)...)
		} else if p.screen.show(""); s.Seconds >= worthALine {
			fmt.Fprintln(p.screen, clip(fmt.Sprintf("%-18s %8.1f s", s.Name, s.Seconds), p.width()))
		}
	}
	p.ended = max(p.ended, len(ended))
}

// Stop ends the last stage and prints a summary of all. Further calls do nothing.
func (p *Progress) Stop() {
	stages := p.Watch.Stop()
	p.finish(stages)
	if stages = byName(stages); len(stages) > 1 {
		p.summarize(stages)
	}
	p.begun, p.ended = 0, 0
}

// byName adds up stages with the same name, such as the small ones that every source has.
func byName(stages []registry.Stage) (sums []registry.Stage) {
	at := map[string]int{}
	for _, s := range stages {
		i, met := at[s.Name]
		if !met {
			at[s.Name] = len(sums)
			sums = append(sums, s)
			continue
		}
		sums[i].Seconds, sums[i].CPUSeconds, sums[i].Done = sums[i].Seconds+s.Seconds, sums[i].CPUSeconds+s.CPUSeconds, sums[i].Done+s.Done
	}
	return sums
}

// line formats the current stage and the overall progress to fit the width of the terminal.
func (p *Progress) line(s *registry.Stage, m *ingest.Moment) string {
	whole := ""
	if m.Left > 0 {
		whole = fmt.Sprintf(" · all %3.0f %%, %s left", 100*m.Share, clock(m.Left))
	}
	head := fmt.Sprintf("%-18s ", s.Name)
	tail := fmt.Sprintf(" %3.0f %% %12s/s%s", 100*s.Fraction(), amount(s.Name, int64(rate(s))), whole)
	width := p.width() - 1 // a full line would wrap
	bar := min(40, width-len([]rune(head))-len([]rune(tail)))
	if bar < 4 { // too narrow for one
		return clip(head+strings.TrimSpace(tail), width)
	}
	full := int(s.Fraction() * float64(bar))
	return head + strings.Repeat("█", full) + strings.Repeat("░", bar-full) + tail
}

// clock formats a duration as 1:05 or 1:00:05.
func clock(d time.Duration) string {
	s := int(d.Round(time.Second).Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// amount formats a number in the unit of a stage: MB for stages that read or download, otherwise
// rows.
func amount(stage string, n int64) string {
	if strings.HasSuffix(stage, "read") || strings.HasSuffix(stage, "download") {
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprint(n)
}

// clip truncates a line to a width in characters.
func clip(line string, width int) string {
	if runes := []rune(line); len(runes) > max(width, 0) {
		return string(runes[:max(width, 0)])
	}
	return line
}

// summarize prints what each stage took and the peak memory, or without a terminal only the sums.
func (p *Progress) summarize(stages []registry.Stage) {
	var all registry.Stage
	for _, s := range stages {
		all.Seconds, all.CPUSeconds = all.Seconds+s.Seconds, all.CPUSeconds+s.CPUSeconds
	}
	if p.screen == nil {
		p.log.Info("all stages done", "seconds", int64(all.Seconds), "cpu_seconds", int64(all.CPUSeconds), "peak_memory_mb", p.peak()>>20)
		return
	}
	var b strings.Builder
	row := func(name, seconds, cpu, amount, rate string) {
		b.WriteString(clip(strings.TrimRight(fmt.Sprintf("%-28s %9s %9s %12s %12s", name, seconds, cpu, amount, rate), " "), p.width()-1) + "\n")
	}
	b.WriteByte('\n')
	row("Stage", "seconds", "CPU s", "rows", "per second")
	for i := range stages {
		s := &stages[i]
		row(s.Name, seconds(s.Seconds), seconds(s.CPUSeconds), amount(s.Name, s.Done), amount(s.Name, int64(rate(s))))
	}
	row("total", seconds(all.Seconds), seconds(all.CPUSeconds), "", "")
	fmt.Fprintf(&b, "peak memory %d MB\n", p.peak()>>20)
	_, _ = p.screen.Write([]byte(b.String()))
}

func seconds(s float64) string { return fmt.Sprintf("%.1f", s) }
