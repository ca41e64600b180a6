package console

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"razao/ingest"
	"razao/internal/store/registry"
)

// clockwork returns a Progress whose clock, CPU time and memory the test controls. Each second of
// wall time passes with 2 s of CPU.
func clockwork(width int) (p *Progress, out *bytes.Buffer, pass func(time.Duration)) {
	out = new(bytes.Buffer)
	start := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	now := start
	p = &Progress{
		log: slog.New(slog.NewTextHandler(out, nil)), screen: &screen{out: out},
		width: func() int { return width }, peak: func() int64 { return 300 << 20 },
	}
	p.Watch = &ingest.Stopwatch{
		Show: p.show, Now: func() time.Time { return now }, CPU: func() time.Duration { return 2 * now.Sub(start) },
	}
	p.Watch.Begin([]registry.Stage{{Name: "read", Seconds: 40}, {Name: "merge", Seconds: 60}})
	return p, out, func(d time.Duration) { now = now.Add(d) }
}

// work reports a load of two stages, with one report that comes late.
func work(p *Progress, pass func(time.Duration)) {
	p.Watch.Report("read", 0, 100e6)
	pass(10 * time.Second)
	p.Watch.Report("read", 50e6, 100e6)
	pass(10 * time.Millisecond)
	p.Watch.Report("read", 51e6, 100e6) // too soon after the last one
	pass(10 * time.Second)
	p.Watch.Report("read", 100e6, 100e6)
	p.Watch.Report("merge", 0, 1000)
	p.Watch.Report("read", 99e6, 100e6)
	pass(15 * time.Second)
	p.Watch.Report("merge", 500, 1000)
	_, _ = p.screen.Write([]byte("12:00:35 WARN in between\n"))
	pass(15 * time.Second)
	p.Watch.Report("merge", 1000, 1000)
	p.Stop()
	p.Stop()
}

const onTerminal = `
^read               ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░   0 %       0.0 MB/s
^read               ████████████████████░░░░░░░░░░░░░░░░░░░░  50 %       5.0 MB/s · all  20 %, 0:40 left
^read               ████████████████████████████████████████ 100 %       5.0 MB/s · all  40 %, 0:30 left
^read                   20.0 s

^merge              ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░   0 %            0/s · all  40 %, 0:30 left
^merge              ████████████████████░░░░░░░░░░░░░░░░░░░░  50 %           33/s · all  70 %, 0:15 left
^12:00:35 WARN in between
merge              ████████████████████░░░░░░░░░░░░░░░░░░░░  50 %           33/s · all  70 %, 0:15 left
^merge              ████████████████████████████████████████ 100 %           33/s
^merge                  30.0 s

Stage                          seconds     CPU s         rows   per second
read                              20.0      40.0     100.0 MB       5.0 MB
merge                             30.0      60.0         1000           33
total                             50.0     100.0
peak memory 300 MB
`

func TestProgressOnATerminal(t *testing.T) {
	t.Parallel()
	p, out, pass := clockwork(120)
	work(p, pass)
	if got := strings.ReplaceAll(out.String(), clearLine, "\n^"); got != onTerminal {
		t.Errorf("got\n%s\nwant\n%s", got, onTerminal)
	}
}

func TestProgressOnANarrowTerminal(t *testing.T) {
	t.Parallel()
	for _, width := range []int{1, 20, 40, 60, 80} {
		p, out, pass := clockwork(width)
		work(p, pass)
		for line := range strings.FieldsFuncSeq(out.String(), func(r rune) bool { return r == '\n' || r == '\r' }) {
			line = strings.TrimPrefix(line, "\x1b[K")
			if n := len([]rune(line)); n > width && !strings.Contains(line, "in between") && !strings.HasPrefix(line, "peak") {
				t.Errorf("width %d: a line of %d: %s", width, n, line)
			}
		}
		if width >= 40 && !strings.Contains(out.String(), "50 %") {
			t.Errorf("width %d: the share is missing:\n%s", width, out)
		}
	}
}

func TestProgressInALog(t *testing.T) {
	t.Parallel()
	p, out, pass := clockwork(80)
	p.screen = nil
	p.Watch.Report("read", 0, 100e6)
	pass(10 * time.Second)
	p.Watch.Report("read", 50e6, 100e6)
	pass(10 * time.Second)
	p.Watch.Report("merge", 0, 1000)
	p.Stop()
	for _, want := range []string{
		"msg=progress stage=read done=50000000 total=100000000 per_second=5000000 seconds=10 memory_mb=300 left_seconds=40",
		`msg="stage done" stage=read`, `msg="stage done" stage=merge`, `msg="all stages done" seconds=20 cpu_seconds=40 peak_memory_mb=300`,
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the log lacks %q:\n%s", want, out)
		}
	}
	if strings.ContainsAny(out.String(), "\r█░") {
		t.Errorf("the log holds a bar:\n%s", out)
	}
}
