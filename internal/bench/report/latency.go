package report

import (
	"slices"
	"time"
)

// Latencies are the durations of a series of requests in ascending order.
type Latencies []time.Duration

// NewLatencies sorts took in place and returns it. The caller must not use took afterwards.
func NewLatencies(took []time.Duration) Latencies {
	slices.Sort(took)
	return took
}

// Percentile returns the smallest duration that at least p percent of the requests did not exceed
// (the nearest-rank method, without interpolation), or 0 if there were no requests. p is from 0 to
// 100.
func (l Latencies) Percentile(p int) time.Duration {
	if len(l) == 0 {
		return 0
	}
	rank := (len(l)*p + 99) / 100
	return l[max(rank, 1)-1]
}

// Max returns the longest duration, or 0 if there were no requests.
func (l Latencies) Max() time.Duration { return l.Percentile(100) }
