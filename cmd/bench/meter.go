package main

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

const (
	sampleEvery      = 50 * time.Millisecond // memory of this process
	samplesPerServer = 5                     // memory of PostgreSQL, which is slower to read, every so many times
	stageVerify      = "verify and publish"
	stageRead        = "read"
	stageMerge       = "merge"
	stageKey         = "key"
	stageIndexOrder  = "index: invert"
	stageIndexMerge  = "index: merge"
)

// stage is what one stage of a load used. client is this process, server is PostgreSQL.
type stage struct {
	name           string
	wall           time.Duration
	client, server time.Duration // of CPU
	clientPeak     int64         // bytes
	serverPeak     int64         // bytes
	bothPeak       int64         // bytes, at the same moment
}

// meter turns the progress reports of a load into stages. A stage ends when it has done all of its work; what happens
// from then on belongs to the stage that reports next, so that the first bucket of a stage is not counted as the end of
// the one before.
type meter struct {
	postgres family
	between  func(ended string) // called between two stages; its time is not counted
	stop     chan struct{}
	sampling sync.WaitGroup
	own      atomic.Int64 // CPU time of the sampling itself, in nanoseconds

	mu       sync.Mutex // guards all that follows
	stages   []stage
	current  stage
	ended    map[string]bool
	start    time.Time
	clientAt time.Duration
	serverAt time.Duration
}

// startMeter begins the first stage.
func startMeter(postgres family, between func(ended string)) *meter {
	m := &meter{postgres: postgres, between: between, stop: make(chan struct{}), ended: map[string]bool{}}
	m.serverAt = m.serverCPU()
	m.begin("")
	m.sampling.Go(m.sample)
	return m
}

// report is the Progress of a load.
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
	m.current = stage{name: name, clientPeak: ownMemory()}
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

func (m *meter) clientCPU() time.Duration { return ownCPU() - time.Duration(m.own.Load()) }

func (m *meter) serverCPU() time.Duration {
	used, err := m.postgres.cpu()
	if err != nil {
		return m.serverAt // it is gone, and the load will say so
	}
	return used
}

// sample keeps the peaks of memory. It has a thread of its own, so that its CPU time can be told apart.
func (m *meter) sample() {
	runtime.LockOSThread()
	before := threadCPU()
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	for i := 0; ; i++ {
		client, server := ownMemory(), int64(0)
		if i%samplesPerServer == 0 {
			server = m.postgres.memory()
		}
		m.peak(client, server)
		m.own.Store(int64(threadCPU() - before))
		select {
		case <-m.stop:
			return
		case <-tick.C:
		}
	}
}

func (m *meter) peak(client, server int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := &m.current
	c.clientPeak = max(c.clientPeak, client)
	if server > 0 {
		c.serverPeak = max(c.serverPeak, server)
		c.bothPeak = max(c.bothPeak, client+server)
	}
}
