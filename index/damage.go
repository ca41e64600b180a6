package index

import (
	"errors"
	"fmt"
	"os"

	"razao/index/folder"
)

// noteDamage keeps the first error of damage: see Damage. It goes around folder.Guard.
func (ix *Index) noteDamage(err *error) {
	if found := *err; errors.Is(found, folder.ErrDamaged) {
		ix.damage.CompareAndSwap(nil, &found)
	}
}

// Check looks whether a file was written to since it was opened, without reading any. Deleted or replaced ones do no harm: the
// index goes on with what they were. The error is ErrDamaged, and then Damage too.
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

// Damage returns the first error of a question or of Check that wraps folder.ErrDamaged, nil when there was none. Then the files, or what is
// left of them in memory, are not what was verified, or the program has an error: open the folder again to know.
func (ix *Index) Damage() error {
	if found := ix.damage.Load(); found != nil {
		return *found
	}
	return nil
}
