package report

import (
	"fmt"
	"slices"
	"time"
)

// Latencies are the durations of a series of requests, sorted.
type Latencies []time.Duration

// NewLatencies sorts took, which it keeps.
func NewLatencies(took []time.Duration) Latencies {
	slices.Sort(took)
	return took
}

// Percentile returns the smallest duration that p percent of the requests did not exceed, 0 when there were none.
func (l Latencies) Percentile(p int) time.Duration {
	if len(l) == 0 {
		return 0
	}
	rank := (len(l)*p + 99) / 100
	return l[max(rank, 1)-1]
}

// Max returns the longest.
func (l Latencies) Max() time.Duration { return l.Percentile(100) }

// Both writes p50 / p99 in milliseconds.
func (l Latencies) Both() string {
	return fmt.Sprintf("%.3f / %.3f", ms(l.Percentile(50)), ms(l.Percentile(99)))
}
