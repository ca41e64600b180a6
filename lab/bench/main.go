// Command bench measures builds of the program on a release of invented companies: loading it, and
// what answers cost over HTTP. From the folder lab:
//
//	go run ./bench -roots 1000000
//	go run ./bench -only lookup,pages -before /elsewhere/bin/razao
//	RAZAO_BENCH_PEER=http://127.0.0.1:8000/ RAZAO_BENCH_PEER_PIDS=812,815 go run ./bench -only peer
//
// Each measurement is taken in turns, in the form of Go's benchmarks, and benchstat prints their
// median and spread. With -before two builds alternate, each on its own load of the same release, and
// benchstat compares them: whatever else the machine does affects both alike, so that ratios mean
// something where single figures do not. The part peer compares look-ups with those of another registry
// on this machine, or with a gin server that says hello, the part mcp tools with the same API calls.
//
// CPU seconds of server and PostgreSQL are apart and together (cpu). What the load generator itself
// uses counts nowhere, but it shares the processors. Everything happens in one folder and on loopback.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"razao/lab/internal/load"
)

func main() {
	// A Ctrl-C at the terminal reaches the children as well.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(os.Args) == 3 && os.Args[1] == helloCommand {
		exit(1, hello(ctx, os.Args[2]))
	}
	o, err := parse(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	exit(2, err)
	exit(1, o.run(ctx))
}

// exit ends the program if there is an error.
func exit(code int, err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "bench: %v\n", err)
		os.Exit(code)
	}
}

// say prints a line of progress.
func say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, time.Now().Format("15:04:05 ")+format+"\n", args...)
}

// parts are the values of -only, in the order of the report.
var parts = []string{"ingest", "sources", "lookup", "full", "search", "pages", "network", "mcp", "during", "saturation", "peer"}

// options are the flags.
type options struct {
	roots, debts    int
	program, before string
	data            string
	duration        time.Duration
	turns, loads    int
	conns           []int
	only            []string
}

func parse(args []string) (*options, error) {
	o := &options{}
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.IntVar(&o.roots, "roots", 1_000_000, "companies to invent")
	f.IntVar(&o.debts, "debts", 0, "rows of pgfn (default: as many as the companies would have)")
	f.StringVar(&o.program, "program", "../bin/razao", "build to measure")
	f.StringVar(&o.before, "before", "", "another build to compare it with")
	f.StringVar(&o.data, "data", "", "folder to work in, which is left for another run with the same builds (default: a temporary one)")
	f.DurationVar(&o.duration, "duration", 12*time.Second, "of each measurement over HTTP, all turns of a build together")
	f.IntVar(&o.turns, "turns", 6, "turns of each measurement over HTTP; benchstat wants six for a confidence interval")
	f.IntVar(&o.loads, "loads", 3, "loads of the companies by each of two builds")
	conns := f.String("conns", "1,8,32", "connections that ask at once, one measurement for each number")
	only := f.String("only", "ingest,lookup,full,search,pages,mcp", "of "+strings.Join(parts, ", ")+", or all")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 || o.roots < 1 || o.debts < 0 || o.turns < 1 || o.loads < 1 || o.duration <= 0 {
		return nil, errors.New("numbers must be positive, and there are no arguments beside flags")
	}
	for item := range strings.SplitSeq(*conns, ",") {
		n, err := strconv.Atoi(item)
		if err != nil || n < 1 || n > 1000 {
			return nil, fmt.Errorf("-conns %s: numbers from 1 to 1000 are expected", *conns)
		}
		o.conns = append(o.conns, n)
	}
	if o.only = strings.Split(*only, ","); *only == "all" {
		o.only = parts
	}
	for _, part := range o.only {
		if !slices.Contains(parts, part) {
			return nil, fmt.Errorf("-only %s: there are %s", *only, strings.Join(parts, ", "))
		}
	}
	return o, nil
}

func (o *options) wants(part string) bool { return slices.Contains(o.only, part) }

// run prepares the builds and measures the wanted parts.
func (o *options) run(ctx context.Context) (err error) {
	builds := []string{o.program}
	if o.before != "" {
		builds = append(builds, o.before)
	}
	b := &bench{options: o}
	if b.Workspace, err = load.OpenWorkspace(ctx, o.data, builds...); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	fmt.Printf("%s; %s; bench %s\n", load.Machine(), time.Now().Format("2006-01-02 15:04"), strings.Join(os.Args[1:], " "))
	if err := b.load(ctx); err != nil {
		return err
	}
	return b.ask(ctx)
}
