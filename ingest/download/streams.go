package download

import (
	"context"
	"errors"
	"sync"
	"syscall"

	"golang.org/x/sync/semaphore"

	"razao/internal/web/fetch"
)

// maxStrain is the number of stalls, slow transfers or refused connections after which one stream is left.
const maxStrain = 3

// streams bounds how many transfers run at once: all of them or, after the server showed strain, a
// single one. It is a weighted semaphore: in the second state a transfer acquires all of it.
type streams struct {
	all  int64
	free *semaphore.Weighted

	mu     sync.Mutex
	strain int // stalls, slow transfers and refused connections since the last complete file
}

func newStreams(n int) *streams {
	return &streams{all: int64(n), free: semaphore.NewWeighted(int64(n))}
}

// enter waits for a stream; leave returns it.
func (s *streams) enter(ctx context.Context) (leave func(), err error) {
	s.mu.Lock()
	weight := int64(1)
	if s.strain >= maxStrain {
		weight = s.all
	}
	s.mu.Unlock()
	if err := s.free.Acquire(ctx, weight); err != nil {
		return nil, err
	}
	return func() { s.free.Release(weight) }, nil
}

// note learns from the outcome of an attempt: a complete file forgives occasional failures, but a
// single stream stays single. It returns true once: when this failure leaves a single stream.
func (s *streams) note(err error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err == nil && s.strain < maxStrain:
		s.strain = 0
	case errors.Is(err, fetch.ErrSilent), errors.Is(err, fetch.ErrSlow), errors.Is(err, syscall.ECONNREFUSED):
		s.strain++
		return s.strain == maxStrain && s.all > 1
	}
	return false
}
