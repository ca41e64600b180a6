package main

import (
	"slices"
	"time"
)

// latencies are the durations of a series of requests, sorted.
type latencies []time.Duration

// newLatencies sorts took.
func newLatencies(took []time.Duration) latencies {
	slices.Sort(took)
	return took
}

// percentile returns the smallest duration that p percent of the requests did not exceed, 0 when there were none.
func (l latencies) percentile(p int) time.Duration {
	if len(l) == 0 {
		return 0
	}
	rank := (len(l)*p + 99) / 100
	return l[max(rank, 1)-1]
}

func (l latencies) max() time.Duration { return l.percentile(100) }

func (l latencies) sum() time.Duration {
	var sum time.Duration
	for _, took := range l {
		sum += took
	}
	return sum
}
