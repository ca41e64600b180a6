package load

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"razao/ingest"
	"razao/internal/bench/machine"
)

// The stages of a load by the names that its progress reports use, but for stageVerify, which
// reports nothing.
const (
	sampleEvery     = 100 * time.Millisecond // of memory and temporary files
	stageVerify     = "verify and publish"
	stageRead       = "read"
	stageMerge      = "merge"
	stageKey        = "key"
	stageIndexOrder = "index: invert"
	stageIndexMerge = "index: merge"
)

// stage is what one stage of a load used. client is this process, server is PostgreSQL with all of
// its processes.
type stage struct {
	name           string
	wall           time.Duration
	client, server time.Duration // of CPU
	peak           int64         // bytes: the largest sum of both processes' memory in one sample
	disk           int64         // bytes: the most temporary files in one sample, the unfinished index included
}

// meter turns the progress reports of a load into measured stages. A stage ends when it reports
// that all of its work is done. What happens from then on is attributed to the stage that reports
// next: otherwise the time between the end of one stage and the first report of the next would be
// counted as part of the former.
//
// A goroutine samples memory and disk meanwhile. Its own CPU time is subtracted from the client's.
type meter struct {
	postgres  machine.Family
	temporary func() int64       // returns the bytes of temporary files
	between   func(ended string) // called at the end of each stage, outside the measurement
	stop      chan struct{}
	sampling  sync.WaitGroup
	own       atomic.Int64 // CPU time of the sampling goroutine, in nanoseconds

	mu       sync.Mutex // guards the fields below
	stages   []stage
	current  stage
	ended    map[string]bool
	start    time.Time
	clientAt time.Duration
	serverAt time.Duration
}

// startMeter begins the first stage, whose name is that of the first report, and starts sampling.
// The caller must call finish.
func startMeter(postgres machine.Family, temporary func() int64, between func(ended string)) *meter {
	m := &meter{postgres: postgres, temporary: temporary, between: between, stop: make(chan struct{}), ended: map[string]bool{}}
	m.serverAt = m.serverCPU()
	m.begin("")
	m.sampling.Go(m.sample)
	return m
}

// show takes a progress report from the loader.
func (m *meter) show(at *ingest.Moment) {
	s := &at.Stages[len(at.Stages)-1]
	m.report(s.Name, s.Done, s.Total)
}

// report attributes a progress report. Reports for a stage that has ended are late ones by a slow
// worker and are dropped.
func (m *meter) report(name string, done, total int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ended[name] {
		return // a late report
	}
	if m.current.name == "" {
		m.current.name = name
	} else if m.current.name != name {
		m.end()
		m.begin(name)
	}
	if total > 0 && done >= total {
		m.end()
		m.begin("")
	}
}

// finish stops sampling, ends the last stage and returns all stages in order.
func (m *meter) finish() []stage {
	close(m.stop)
	m.sampling.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.current.name == "" {
		m.current.name = stageVerify
	}
	m.end()
	return m.stages
}

func (m *meter) begin(name string) {
	m.current = stage{name: name}
	m.clientAt, m.start = m.clientCPU(), time.Now()
}

// end closes the current stage. PostgreSQL works on between stages (WAL writer, checkpointer,
// autovacuum), so its CPU time is measured from end to end without gaps, unlike the client's.
func (m *meter) end() {
	server := m.serverCPU()
	m.current.wall = time.Since(m.start)
	m.current.client = m.clientCPU() - m.clientAt
	m.current.server = server - m.serverAt
	m.serverAt = server
	m.stages = append(m.stages, m.current)
	m.ended[m.current.name] = true
	m.between(m.current.name)
}

// clientCPU is the CPU time of this process without that of the sampling.
func (m *meter) clientCPU() time.Duration { return machine.OwnCPU() - time.Duration(m.own.Load()) }

func (m *meter) serverCPU() time.Duration {
	used, err := m.postgres.CPU()
	if err != nil {
		return m.serverAt // PostgreSQL is gone: the load fails by itself with a better error
	}
	return used
}

// sample records peaks of memory and temporary files until finish is called. It keeps an OS thread
// of its own, whose CPU clock tells what the sampling costs.
func (m *meter) sample() {
	runtime.LockOSThread()
	before := machine.ThreadCPU()
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	for {
		both, disk := machine.OwnMemory()+m.postgres.Memory(), m.temporary()
		m.mu.Lock()
		m.current.peak, m.current.disk = max(m.current.peak, both), max(m.current.disk, disk)
		m.mu.Unlock()
		m.own.Store(int64(machine.ThreadCPU() - before))
		select {
		case <-m.stop:
			return
		case <-tick.C:
		}
	}
}
