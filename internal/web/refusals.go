package web

import (
	"log/slog"
	"sync/atomic"
	"time"
)

// refusalsEvery is how often requests that were shed are logged, all in one line: when there is too much to do, a line for each
// would be more of it.
const refusalsEvery = time.Second

// refusals counts requests that were shed, until they are logged.
type refusals struct {
	log   *slog.Logger
	began time.Time
	count atomic.Int64
	next  atomic.Int64 // when the next line is due, since began
}

// add counts a request.
func (r *refusals) add() {
	if r.count.Add(1) == 1 {
		r.next.Store(int64(time.Since(r.began) + refusalsEvery))
	}
}

// flush logs what was counted, if it is due. Every request calls it, so that the last ones are not kept back for long.
func (r *refusals) flush() {
	if r.count.Load() == 0 || time.Since(r.began) < time.Duration(r.next.Load()) {
		return
	}
	if n := r.count.Swap(0); n > 0 {
		r.log.Error("requests refused", "count", n, "error", ErrOverload)
	}
}
