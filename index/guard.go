package index

import (
	"errors"
	"fmt"
	"os"
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

// Check looks whether a file was written to since it was opened, without reading any. Deleted or replaced ones do no harm: the
// index goes on with what they were. The error is ErrDamaged, and then Damage too.
func (ix *Index) Check() (err error) {
	defer ix.guard(&err)()
	for path, now := range ix.manifest.Stat(ix.dir) {
		was := ix.opened[path]
		if was != nil && os.SameFile(was, now) && (was.Size() != now.Size() || !was.ModTime().Equal(now.ModTime())) {
			return fmt.Errorf("%w (%s was changed while it was served)", folder.ErrDamaged, path)
		}
	}
	return nil
}

// Damage returns the first error of a question or of Check that wraps folder.ErrDamaged, nil when there was none. Then the files, or what is
// left of them in memory, are not what was verified, or the program has an error: open the folder again to know.
func (ix *Index) Damage() error {
	if found := ix.damage.Load(); found != nil {
		return *found
	}
	return nil
}
