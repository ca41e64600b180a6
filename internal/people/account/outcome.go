package account

import (
	"context"
	"errors"
	"sync/atomic"
)

// Outcomes are counters of how calls of Admit and AdmitAccount ended since OpenMeter, in this
// process.
type Outcomes struct {
	Admitted int64
	Limited  int64 // over the account's limit
	Missing  int64 // without a key
	Invalid  int64 // with anything but an active key, or of an account that was deleted
	Left     int64 // the client closed its connection before the answer
	Failed   int64 // the database failed
}

// Outcomes returns the counters of this moment.
func (m *Meter) Outcomes() Outcomes {
	o := &m.outcomes
	return Outcomes{
		Admitted: o.admitted.Load(), Limited: o.limited.Load(), Missing: o.missing.Load(),
		Invalid: o.invalid.Load(), Left: o.left.Load(), Failed: o.failed.Load(),
	}
}

// outcomes are the counters behind Outcomes.
type outcomes struct{ admitted, limited, missing, invalid, left, failed atomic.Int64 }

// add counts the error of one admission.
func (o *outcomes) add(err error) {
	var limit *LimitError
	switch {
	case err == nil:
		o.admitted.Add(1)
	case errors.As(err, &limit):
		o.limited.Add(1)
	case errors.Is(err, ErrMissingKey):
		o.missing.Add(1)
	case errors.Is(err, ErrInvalidKey), errors.Is(err, ErrNoAccount):
		o.invalid.Add(1)
	case errors.Is(err, context.Canceled):
		o.left.Add(1)
	default:
		o.failed.Add(1)
	}
}
