package load

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"razao/ingest/stages"
	"razao/internal/bench/machine"
)

const (
	sampleEvery     = 100 * time.Millisecond
	stageVerify     = "verify and publish"
	stageRead       = "read"
	stageMerge      = "merge"
	stageKey        = "key"
	stageIndexOrder = "index: invert"
	stageIndexMerge = "index: merge"
)

// stage is what one stage of a load used. client is this process, server is PostgreSQL.
type stage struct {
	name           string
	wall           time.Duration
	client, server time.Duration // of CPU
	peak           int64         // bytes of memory of both at the same moment
	disk           int64         // bytes of temporary files, the index that is being built among them, at most
}

// meter turns the progress reports of a load into stages. A stage ends when it has done all of its work; what happens
// from then on belongs to the stage that reports next, so that the first bucket of a stage is not counted as the end of
// the one before.
type meter struct {
	postgres  machine.Family
	temporary func() int64       // bytes of temporary files
	between   func(ended string) // called between two stages; its time is not counted
	stop      chan struct{}
	sampling  sync.WaitGroup
	own       atomic.Int64 // CPU time of the sampling itself, in nanoseconds

	mu       sync.Mutex // guards all that follows
	stages   []stage
	current  stage
	ended    map[string]bool
	start    time.Time
	clientAt time.Duration
	serverAt time.Duration
}

// startMeter begins the first stage.
func startMeter(postgres machine.Family, temporary func() int64, between func(ended string)) *meter {
	m := &meter{postgres: postgres, temporary: temporary, between: between, stop: make(chan struct{}), ended: map[string]bool{}}
	m.serverAt = m.serverCPU()
	m.begin("")
	m.sampling.Go(m.sample)
	return m
}

// show is told of a load's progress.
func (m *meter) show(at *stages.Moment) {
	s := &at.Stages[len(at.Stages)-1]
	m.report(s.Name, s.Done, s.Total)
}

func (m *meter) report(name string, done, total int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ended[name] {
		return // a worker that was late to report
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

// finish ends the last stage and returns all of them.
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

func (m *meter) end() {
	server := m.serverCPU()
	m.current.wall = time.Since(m.start)
	m.current.client = m.clientCPU() - m.clientAt
	m.current.server = server - m.serverAt
	m.serverAt = server // PostgreSQL goes on between stages
	m.stages = append(m.stages, m.current)
	m.ended[m.current.name] = true
	m.between(m.current.name)
}

func (m *meter) clientCPU() time.Duration { return machine.OwnCPU() - time.Duration(m.own.Load()) }

func (m *meter) serverCPU() time.Duration {
	used, err := m.postgres.CPU()
	if err != nil {
		return m.serverAt // it is gone, and the load will say so
	}
	return used
}

// sample keeps the peaks of memory and temporary files. It has a thread of its own, so that its CPU time can be told apart.
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
