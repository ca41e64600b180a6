package folder

import (
	"fmt"
	"runtime/debug"

	"razao/internal/recovery"
)

// Guard is for everything that reads mapped files: defer folder.Guard(&err)(). Files are verified before they are parsed, but
// they can change later: one that is truncated faults where its pages were (SIGBUS), and what stands in them is trusted by
// decoders, ours and Bleve's, which then panic. Both become an error that wraps ErrDamaged and *recovery.Error.
func Guard(err *error) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		if cause := recover(); cause != nil {
			*err = fmt.Errorf("%w (%w)", ErrDamaged, recovery.Of(cause))
		}
		debug.SetPanicOnFault(before)
	}
}
