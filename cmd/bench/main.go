// Command bench measures the program on an invented release: making it, loading it into a private PostgreSQL and an
// index, look-ups over HTTP, and search and suggestion inside the index. It prints one report in Markdown to stdout and
// progress to stderr.
//
//	go run ./cmd/bench -roots 1000000
//
// The search suite asks the index everything that the program can ask it, at several sizes, and compares it with
// PostgreSQL's full text search and SQLite's on the same documents:
//
//	go run ./cmd/bench -only search-suite -sizes 500000,5000000
//
// The public-record sources are loaded and asked for over HTTP by
//
//	go run ./cmd/bench -only sources -roots 1000000 -debts 5000000
//
// The pages of the website, what they weigh and the list of them for search engines are measured by
//
//	go run ./cmd/bench -only pages -roots 1000000
//
// and what assistants ask is measured beside the API, and compared with its answers, by
//
//	go run ./cmd/bench -only mcp -roots 100000 -conns 1,8
//
// Two builds of the program that serve the same data are asked the same questions, whose answers must be equal, by
//
//	go run ./cmd/bench compare -before http://127.0.0.1:8080 -after http://127.0.0.1:8081 -data ./data -out FILE
//
// It needs Linux, whose /proc tells what PostgreSQL used. Everything happens in one folder and on the loopback address.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

func main() { os.Exit(run()) }

// run returns the exit code: 0 done, 1 failed, 2 wrong usage.
func run() int {
	// Ctrl-C at a terminal reaches the processes that the bench started as well, and the bench tells them again: it
	// must not matter how often.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(os.Args) > 1 && os.Args[1] == "compare" {
		return compareServers(ctx, os.Args[2:])
	}
	o, err := parseOptions(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "bench: %v\n", err)
		return 2
	}
	if o.workers > 0 {
		runtime.GOMAXPROCS(o.workers)
	}
	err = o.play(ctx)
	switch {
	case err == nil:
		return 0
	case ctx.Err() != nil:
		fmt.Fprintln(os.Stderr, "bench: interrupted")
	default:
		fmt.Fprintf(os.Stderr, "bench: %v\n", err)
	}
	return 1
}

// play does what the role of this process is.
func (o *options) play(ctx context.Context) error {
	switch o.role {
	case "":
		if o.wants(partSuite) {
			return o.suite(ctx)
		}
		if o.wants(partSources) {
			return o.sources(ctx)
		}
		if o.wants(partPages) {
			return o.pages(ctx)
		}
		if o.wants(partMCP) {
			return o.assistants(ctx)
		}
		return o.measure(ctx)
	case roleSample:
		return o.sampleRole(ctx)
	case roleServe:
		return o.serveRole(ctx)
	}
	return fmt.Errorf("unknown role %q", o.role)
}

// measure runs the parts in order and prints the report.
func (o *options) measure(ctx context.Context) error {
	r := &report{options: o}
	return o.reported(r, func(f *folder) error { return o.into(ctx, f, r) })
}

// reported measures in the folder of the run and prints what r then has.
func (o *options) reported(r interface{ markdown() string }, measure func(*folder) error) (err error) {
	f, err := openFolder(o.data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.close(o.keep)) }()
	if err := measure(f); err != nil {
		return err
	}
	_, err = os.Stdout.WriteString(r.markdown())
	return err
}

func (o *options) into(ctx context.Context, f *folder, r *report) error {
	loaded := f.hasDatabase()
	if loaded && o.wants(partIngest) {
		return fmt.Errorf("%s holds a load already: measure it with -only lookup,search, or choose another folder", f.dir)
	}
	if !loaded {
		made, err := o.sample(ctx, f)
		if err != nil {
			return err
		}
		r.sample = made
	}
	db, err := openDatabase(ctx, f)
	if err != nil {
		return err
	}
	defer db.close()
	if r.machine, err = describeMachine(ctx, db); err != nil {
		return err
	}
	if !loaded {
		if r.ingest, err = o.ingest(ctx, f, db); err != nil {
			return err
		}
	}
	if !o.wants(partLookup) && !o.wants(partSearch) {
		return nil
	}
	return o.query(ctx, f, db, r)
}

// query measures what reads a load.
func (o *options) query(ctx context.Context, f *folder, db *database, r *report) error {
	live, opened, err := openSnapshot(ctx, f, db)
	if err != nil {
		return err
	}
	defer live.Close()
	r.opened = opened
	say("drawing numbers and texts from the load")
	d, err := draw(ctx, live)
	if err != nil {
		return err
	}
	if o.wants(partLookup) {
		if r.lookup, err = o.lookup(ctx, f, db, d); err != nil {
			return err
		}
	}
	if o.wants(partSearch) {
		if r.search, err = o.search(ctx, live, d); err != nil {
			return err
		}
	}
	return nil
}

// say tells the person at the terminal what is going on.
func say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, time.Now().Format("15:04:05 ")+format+"\n", args...)
}

// warnings is the log of the parts that are measured: only what went wrong.
func warnings() *slog.Logger {
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
}
