package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"razao/index"
)

const coldQueries = 200

// coldRun is what the first queries take when nothing of the index is in memory.
type coldRun struct {
	opened time.Duration
	took   latencies // of the first queries of the mixture
	read   int64     // bytes that came from the disk
}

// coldStart sends the files of a closed index out of the page cache, opens it and asks without warming it.
func coldStart(ctx context.Context, dir string, log *queryLog) (_ *coldRun, err error) {
	say("cold start")
	if err := evictAll(dir); err != nil {
		return nil, err
	}
	draw, r := mixture(log.classes()), rand.New(rand.NewPCG(7, 7))
	before, start := readFromDisk(), time.Now()
	ix, err := index.Open(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, ix.Close()) }()
	run := &coldRun{opened: time.Since(start)}
	for range coldQueries {
		class, query := draw(r)
		start := time.Now()
		if _, err := (asking{class, query}).ask(ctx, ix); err != nil {
			return nil, fmt.Errorf("cold start: %w", err)
		}
		run.took = append(run.took, time.Since(start))
	}
	run.took = newLatencies(run.took)
	run.read = readFromDisk() - before
	return run, nil
}

// evictAll sends every file of a folder out of the page cache. Pages that some process has mapped stay.
func evictAll(dir string) error {
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		file, err := os.OpenFile(path, os.O_RDWR, 0) // for Sync: pages that are not on the disk yet stay as well
		if err != nil {
			return err
		}
		return errors.Join(file.Sync(), evict(file), file.Close())
	})
	if err != nil {
		return fmt.Errorf("emptying the page cache: %w", err)
	}
	return nil
}

// readFromDisk is how many bytes this process has had read from the disk, 0 when that is not known.
func readFromDisk() int64 {
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		return 0
	}
	return parseIO(text)
}

func parseIO(text []byte) int64 {
	for line := range bytes.Lines(text) {
		if rest, ok := bytes.CutPrefix(line, []byte("read_bytes:")); ok {
			n, err := strconv.ParseInt(string(bytes.TrimSpace(rest)), 10, 64)
			if err != nil {
				return 0
			}
			return n
		}
	}
	return 0
}
