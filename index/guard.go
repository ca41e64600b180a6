package index

import (
	"errors"
	"fmt"
	"runtime/debug"

	"razao/index/folder"
	"razao/internal/recovery"
)

// guard is for everything that reads the mapped files: defer ix.guard(&err)(). Files are verified before they are parsed,
// but they can change later: one that is truncated faults where its pages were (SIGBUS), and what stands in them is trusted by
// decoders, ours and Bleve's, which then panic. Both become an error that wraps folder.ErrDamaged and *recovery.Error. The
// index remembers the first such error: see Damage.
func (ix *Index) guard(err *error) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		if cause := recover(); cause != nil {
			*err = fmt.Errorf("%w (%w)", folder.ErrDamaged, recovery.Of(cause))
		}
		debug.SetPanicOnFault(before)
		if found := *err; errors.Is(found, folder.ErrDamaged) {
			ix.damage.CompareAndSwap(nil, &found)
		}
	}
}

// Damage returns the first error of a question that wraps folder.ErrDamaged, nil when there was none. Then the files, or what is
// left of them in memory, are not what was verified, or the program has an error: open the folder again to know.
func (ix *Index) Damage() error {
	if found := ix.damage.Load(); found != nil {
		return *found
	}
	return nil
}
