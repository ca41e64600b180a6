package recovery

import (
	"log/slog"
	"sync"
	"time"
)

// Outage logs when work that is repeated begins to fail, and when it works again. An error that stays
// the same is logged once: work that polls would log one a second while its database is down. It is
// safe for concurrent use.
type Outage struct {
	log  *slog.Logger
	what string

	mu    sync.Mutex
	since time.Time // the first failure in a row
	last  string    // the error that was last logged; "": the last outcome was none
}

// NewOutage returns an Outage of the work that what describes in the log.
func NewOutage(log *slog.Logger, what string) *Outage { return &Outage{log: log, what: what} }

// Note records each outcome, nil for a success.
func (o *Outage) Note(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case err == nil && o.last != "":
		o.log.Info("over: "+o.what, "after", time.Since(o.since).Round(time.Second).String())
		o.last = ""
	case err != nil && err.Error() != o.last:
		if o.last == "" {
			o.since = time.Now()
		}
		o.log.Error(o.what, Attrs(err)...)
		o.last = err.Error()
	}
}
