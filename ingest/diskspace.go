package ingest

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"razao/internal/store/memory"
	"razao/internal/store/registry"
	"razao/internal/web/fetch"
)

// Disk that a load of companies takes, in percent of the bytes of its CSV, with a margin of 10 %.
const (
	workPercent  = 43
	storePercent = 83
	indexPercent = 46
	cachePercent = 67
)

// Memory that a load takes: the buffers grow up to a bound, the index
// grows with the roots.
const (
	bytesPerRoot   = 410 // of CSV; turns the size of a release into roots
	memoryPerRoot  = 36  // bytes, of the index
	buffersPerRoot = 250 // bytes, up to maxBuffers
	maxBuffers     = 250 << 20
)

// need is what a load will write to one folder.
type need struct {
	what  string
	dir   string
	bytes int64
}

// loadFolders are the folders that a load of companies writes to; they need not exist yet. store is
// "" if PostgreSQL keeps its data elsewhere, where free space is unknown.
type loadFolders struct {
	work, index, store string
	rowCache           bool // the index gets a row cache
}

// checkDiskSpace returns an [ErrRefused] with the figures if a load of csv bytes of CSV would run out of
// disk or memory. It estimates from the size alone and writes nothing.
func checkDiskSpace(csv int64, in loadFolders) error {
	needs := []need{{"temporary files", in.work, csv * workPercent / 100}, {"index", in.index, csv * indexPercent / 100}}
	if in.rowCache {
		needs = append(needs, need{"row cache", in.index, csv * cachePercent / 100})
	}
	if in.store != "" {
		needs = append(needs, need{"private PostgreSQL", in.store, csv * storePercent / 100})
	}
	if err := errors.Join(enoughDisk(needs), enoughMemory(csv/bytesPerRoot)); err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return nil
}

// enoughDisk compares what is needed with what is free. Needs are added up by file system (st_dev),
// because folders often share one.
func enoughDisk(needs []need) error {
	together := map[uint64][]need{}
	for _, n := range needs {
		device, err := deviceOf(n.dir)
		if err != nil {
			return err
		}
		together[device] = append(together[device], n)
	}
	var short []error
	for _, group := range together {
		free, err := fetch.FreeBytes(group[0].dir)
		if err != nil {
			return err
		}
		var all int64
		var parts []string
		for _, n := range group {
			all += n.bytes
			parts = append(parts, fmt.Sprintf("%s for %s in %s", size(n.bytes), n.what, n.dir))
		}
		if all > free {
			short = append(short, fmt.Errorf("the load needs about %s of disk (%s), and %s are free: make room, or try it with --force",
				size(all), strings.Join(parts, ", "), size(free)))
		}
	}
	return errors.Join(short...)
}

// deviceOf returns the id of the file system that dir lies on or will lie on.
func deviceOf(dir string) (uint64, error) {
	info, err := os.Stat(fetch.Existing(dir))
	if err != nil {
		return 0, err
	}
	return uint64(info.Sys().(*syscall.Stat_t).Dev), nil
}

// enoughMemory compares the memory that a load of so many roots needs with what is free; where that
// is unknown it passes.
func enoughMemory(roots int64) error {
	needed := roots*memoryPerRoot + min(roots*buffersPerRoot, maxBuffers)
	if free, known := memory.Free("/"); known && needed > free {
		return fmt.Errorf("the load needs about %s of memory, and %s are free: end other programs, or try it with --force", size(needed), size(free))
	}
	return nil
}

// size returns bytes with a decimal unit, for messages.
func size(bytes int64) string {
	if bytes < 1e6 {
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	}
	if bytes < 1e9 {
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
}

// explainFullDisk adds to the error of a full disk what to do about it: PostgreSQL may report only "wrote
// only 4096 of 8192 bytes". Other errors are returned as they are.
func explainFullDisk(cause error) error {
	if errors.Is(cause, syscall.ENOSPC) || registry.IsDiskFull(cause) {
		return fmt.Errorf("%w: the disk is full: make room, and run it again", cause)
	}
	return cause
}
