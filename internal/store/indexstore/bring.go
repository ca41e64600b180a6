package indexstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"razao/index/flags"
	"razao/index/folder"
	"razao/internal/store/registry"
	"razao/internal/web/fetch"
)

// fetchedName marks an index folder that came from a store. Only such folders are deleted when
// nothing needs them; indexes built here belong to the loads.
const fetchedName = ".fetched"

// unfinished is in the name of a folder that is being filled, between the name of the index and a
// prefix of its manifest's checksum. Loads and `razao index verify` ignore such folders.
const unfinished = ".fetch-"

// bring makes the index of a snapshot and the flags of its loads available. A lock on the folder
// keeps other processes of this machine from fetching at the same time (*fetch.BusyError).
func (n *Node) bring(ctx context.Context, s registry.Snapshot) error {
	release, err := fetch.Lock(n.dir)
	if err != nil {
		return err
	}
	defer release()
	if err := n.tidy(ctx, s.IndexName); err != nil {
		n.log.Warn("indexes that came from the store and are not needed any more are still here", "error", err)
	}
	l, err := readListing(ctx, n.store, s.IndexName)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s does not have index %s: `razao publish` sends it", n.store, s.IndexName)
	}
	if err != nil {
		return fmt.Errorf("listing of index %s in %s: %w", s.IndexName, n.store, err)
	}
	wanted, missing := flagsOf(l, s)
	whole, err := n.isWhole(ctx, l)
	if err == nil && whole {
		err = n.bringFlags(ctx, l, wanted)
	} else if err == nil {
		err = n.bringIndex(ctx, l, wanted)
	}
	if err == nil && len(missing) > 0 {
		err = fmt.Errorf("%s does not have these flags of index %s: %s", n.store, l.Index, strings.Join(missing, ", "))
	}
	return err
}

// flagsOf returns the flags that the loads of a snapshot need, and the paths of those that the
// store lacks.
func flagsOf(l *listing, s registry.Snapshot) (wanted []folder.File, missing []string) {
	for _, source := range slices.Sorted(maps.Keys(s.Loads)) {
		path := flags.Path(source, s.Loads[source])
		if f, ok := l.flags(path); ok {
			wanted = append(wanted, f)
		} else if source != registry.Receita { // an index may be older than these
			missing = append(missing, path)
		}
	}
	return wanted, missing
}

// isWhole reports whether the index of a listing is here and intact. Another index under its name
// is an error, unless it was fetched: only then may it be replaced.
func (n *Node) isWhole(ctx context.Context, l *listing) (bool, error) {
	dir := filepath.Join(n.dir, l.Index)
	m, err := folder.Read(dir)
	if err == nil {
		err = m.VerifyOnce(ctx, dir)
	}
	switch {
	case errors.Is(err, folder.ErrDamaged):
		return false, nil
	case err != nil:
		return false, err
	case isContent(ctx, filepath.Join(dir, folder.ManifestName), l.manifest()):
		return true, nil
	case isFetched(dir):
		return false, nil
	}
	return false, fmt.Errorf("index %s of this server is another one than that in %s: delete its folder to have that", l.Index, n.store)
}

// bringIndex fetches an index into a working folder and renames it into place when it is complete
// and durable. Files that other local indexes have, or the damaged index that it replaces, are
// linked instead.
func (n *Node) bringIndex(ctx context.Context, l *listing, wanted []folder.File) error {
	m, body, err := readManifest(ctx, n.store, l)
	if err != nil {
		return fmt.Errorf("manifest of index %s in %s: %w", l.Index, n.store, err)
	}
	target := filepath.Join(n.dir, l.Index)
	d := &download{node: n, index: l.Index, dir: n.workOf(l), local: n.localCopies(m.Files)}
	// Flags have no version in their names: a file of an older listing may have the same size.
	for _, f := range wanted {
		if err := os.Remove(d.path(f)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	files := append(m.Files, wanted...)
	missing := d.missingBytes(files)
	if free, err := n.free(); err == nil && free < missing {
		return fmt.Errorf("index %s needs %d MB more on the disk of %s, which has %d MB left", l.Index, missing>>20, n.dir, free>>20)
	}
	began := time.Now()
	n.log.Info("fetching an index", "index", l.Index, "from", n.store.String(), "files", len(files), "bytes", m.Bytes(), "to_come", missing)
	err = d.fetchAll(ctx, files)
	for name, content := range map[string][]byte{folder.ManifestName: body, fetchedName: nil} {
		if err == nil {
			err = folder.Put(filepath.Join(d.dir, name), content)
		}
	}
	if err == nil {
		err = n.install(d.dir, target)
	}
	// A full disk hurts the whole server: give back what has arrived.
	if errors.Is(err, syscall.ENOSPC) {
		return errors.Join(err, os.RemoveAll(d.dir))
	}
	if err != nil {
		return err
	}
	n.log.Info("fetched an index", "index", l.Index, "bytes", m.Bytes(), "linked_bytes", d.linked.Load(), "seconds", time.Since(began).Seconds())
	return nil
}

// workOf returns the working folder for an index. The checksum in its name keeps files of another
// manifest under the same index name apart.
func (n *Node) workOf(l *listing) string {
	return filepath.Join(n.dir, l.Index+unfinished+l.manifest().SHA256[:8]+folder.TemporarySuffix)
}

// install renames a complete index into place, and a damaged one there out of the way first. A
// crash between the renames leaves no index in place, but all files in the working folder for the
// next attempt.
func (n *Node) install(from, target string) error {
	aside := target + unfinished + "damaged" + folder.TemporarySuffix
	if err := os.RemoveAll(aside); err != nil {
		return err
	}
	if err := os.Rename(target, aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := folder.Publish(from, target); err != nil {
		return err
	}
	return os.RemoveAll(aside)
}

// bringFlags fetches flags into an index in place, each with an atomic rename.
func (n *Node) bringFlags(ctx context.Context, l *listing, wanted []folder.File) error {
	target := filepath.Join(n.dir, l.Index)
	d := &download{node: n, index: l.Index, dir: n.workOf(l)}
	if err := os.RemoveAll(d.dir); err != nil {
		return err
	}
	wanted = slices.DeleteFunc(wanted, func(f folder.File) bool {
		return isContent(ctx, filepath.Join(target, filepath.FromSlash(f.Path)), f)
	})
	if err := d.fetchAll(ctx, wanted); err != nil {
		return err
	}
	for _, f := range wanted {
		body, err := os.ReadFile(d.path(f))
		if err == nil {
			err = folder.Put(filepath.Join(target, filepath.FromSlash(f.Path)), body)
		}
		if err != nil {
			return fmt.Errorf("file %s of index %s: %w", f.Path, l.Index, err)
		}
	}
	return os.RemoveAll(d.dir)
}

// localCopies returns local files, by checksum, that manifests of other indexes claim to be the wanted
// ones. They are verified when they are linked.
func (n *Node) localCopies(files []folder.File) map[string][]string {
	wanted := map[string]bool{}
	for _, f := range files {
		wanted[f.SHA256] = true
	}
	found := map[string][]string{}
	entries, _ := os.ReadDir(n.dir) // best effort: without them everything is fetched
	for _, e := range entries {
		dir := filepath.Join(n.dir, e.Name())
		if strings.Contains(e.Name(), folder.TemporarySuffix) {
			continue
		}
		m, _ := folder.Read(dir) // a damaged index may still have good files
		for _, f := range m.Files {
			if wanted[f.SHA256] {
				found[f.SHA256] = append(found[f.SHA256], filepath.Join(dir, filepath.FromSlash(f.Path)))
			}
		}
	}
	return found
}

// isFetched reports whether an index folder came from a store.
func isFetched(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, fetchedName))
	return err == nil
}

// tidy deletes fetched indexes that no snapshot needs and that are neither in service nor wanted,
// flags of loads that are gone, and working folders of other indexes.
func (n *Node) tidy(ctx context.Context, wanted string) error {
	ctx, cancel := context.WithTimeout(ctx, smallTimeout)
	defer cancel()
	snapshots, err := n.snapshots(ctx)
	if err != nil {
		return err
	}
	needed, loads := Needed(snapshots)
	n.mu.Lock()
	needed = append(needed, wanted, n.inService)
	n.mu.Unlock()
	entries, err := os.ReadDir(n.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		dir := filepath.Join(n.dir, e.Name())
		index, _, partial := strings.Cut(e.Name(), unfinished)
		switch {
		case !e.IsDir(), partial && index == wanted, !partial && !isFetched(dir):
		case partial, !slices.Contains(needed, index):
			n.log.Info("deleting what nothing uses", "kind", "index", "name", e.Name())
			err = errors.Join(err, os.RemoveAll(dir))
		default:
			err = errors.Join(err, flags.SweepIndex(dir, func(load int64) bool { return loads[load] }))
		}
	}
	return err
}
