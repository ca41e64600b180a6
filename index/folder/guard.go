package folder

import (
	"fmt"
	"runtime/debug"

	"razao/internal/recovery"
)

// Guard protects a function that reads mapped files:
//
//	defer folder.Guard(&err)()
//
// Files are verified before they are parsed but can change afterwards. A truncated file faults when
// its pages are touched (SIGBUS), and altered content may panic decoders that trust it, ours and
// Bleve's. Guard recovers from both in the calling goroutine and sets *err to an error that wraps
// ErrDamaged and a *recovery.Error. Goroutines started inside need a Guard of their own.
func Guard(err *error) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		if cause := recover(); cause != nil {
			*err = fmt.Errorf("%w (%w)", ErrDamaged, recovery.Of(cause))
		}
		debug.SetPanicOnFault(before)
	}
}
