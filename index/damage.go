package index

import (
	"errors"
	"fmt"
	"os"

	"razao/index/folder"
)

// noteDamage keeps the first error that wraps folder.ErrDamaged: see Damage. Defer it before
// folder.Guard, which turns panics into such errors.
func (ix *Index) noteDamage(err *error) {
	if found := *err; errors.Is(found, folder.ErrDamaged) {
		ix.damage.CompareAndSwap(nil, &found)
	}
}

// Check compares size and modification time of every file with those when the index was opened. It
// reads no content. Files that were deleted or replaced do no harm: the old ones stay mapped. The
// error is folder.ErrDamaged, and then [Index.Damage] returns it too.
func (ix *Index) Check() (err error) {
	defer ix.noteDamage(&err)
	defer folder.Guard(&err)()
	for path, now := range ix.manifest.Stat(ix.dir) {
		was := ix.opened[path]
		if was != nil && os.SameFile(was, now) && (was.Size() != now.Size() || !was.ModTime().Equal(now.ModTime())) {
			return fmt.Errorf("%w (%s was changed while it was served)", folder.ErrDamaged, path)
		}
	}
	return nil
}

// Damage returns the first error of any query or of Check that wraps folder.ErrDamaged, or nil.
// It means that a file, or its pages in memory, is not what was verified, or that the program has a
// defect. Open the folder again to find out: that verifies it.
func (ix *Index) Damage() error {
	if found := ix.damage.Load(); found != nil {
		return *found
	}
	return nil
}
