package web

import (
	"log/slog"
	"sync/atomic"
	"time"
)

// shedLogEvery is the interval of the log line that stands for all requests shed meanwhile.
const shedLogEvery = time.Second

// shedLog counts shed requests until they are logged. Its fields are atomic: the hot path under
// overload takes no lock.
type shedLog struct {
	log   *slog.Logger
	began time.Time
	count atomic.Int64
	next  atomic.Int64 // nanoseconds after began when the next line is due
}

// add counts a shed request. The first since the last line sets when the next is due.
func (r *shedLog) add() {
	if r.count.Add(1) == 1 {
		r.next.Store(int64(time.Since(r.began) + shedLogEvery))
	}
}

// flush logs the count if a line is due. Every request calls it, so the last count is logged by the
// next request after overload.
func (r *shedLog) flush() {
	if r.count.Load() == 0 || time.Since(r.began) < time.Duration(r.next.Load()) {
		return
	}
	if n := r.count.Swap(0); n > 0 {
		r.log.Error("requests refused", "count", n, "error", ErrOverload)
	}
}
