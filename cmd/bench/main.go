// Command bench measures the program on an invented release: loading it into a private PostgreSQL
// and an index, look-ups and pages over HTTP from a built binary, and every kind of query inside
// the index. It prints one Markdown report to stdout and progress to stderr.
//
//	go run ./cmd/bench -roots 1000000
//
// loads the release and measures loading, look-ups and search. -only chooses the parts:
//
//	go run ./cmd/bench -only sources -roots 1000000 -debts 5000000
//	go run ./cmd/bench -only lookup,pages -before /elsewhere/bin/razao
//	go run ./cmd/bench -only beside -roots 300000 -before /elsewhere/bin/razao
//	go run ./cmd/bench -only saturation -roots 5000 -before /elsewhere/bin/razao
//	RAZAO_BENCH_PEER=http://127.0.0.1:8000/ RAZAO_BENCH_PEER_PIDS=812,815 go run ./cmd/bench -only peer
//
// With -before, a second build is asked the same requests in alternating turns and the report gives
// the ratio of the two. The part beside measures look-ups while each build loads the release; the
// part saturation offers each build up to four times its capacity. The part peer asks another registry
// on this machine for the same companies, or without RAZAO_BENCH_PEER a gin server that says hello.
//
// Two builds that serve the same data must give equal answers. The subcommand compare checks that:
//
//	go run ./cmd/bench compare -before http://127.0.0.1:8080 -after http://127.0.0.1:8081 -data ./data -out FILE
//
// This package only parses flags; internal/bench does the work. CPU and memory of other processes
// come from Linux's /proc. Everything happens in one folder and on the loopback address.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"razao/internal/bench/ask"
	"razao/internal/bench/load"
	"razao/internal/bench/machine"
	"razao/internal/bench/questions"
	"razao/internal/bench/report"
)

func main() { os.Exit(run()) }

// run returns the exit code: 0 done, 1 failed, 2 wrong usage.
func run() int {
	// A Ctrl-C at the terminal also reaches the child processes, and cancelling ctx signals them
	// again. They must tolerate the second interrupt.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(os.Args) > 1 && os.Args[1] == "compare" {
		return compareServers(ctx, os.Args[2:])
	}
	if len(os.Args) == 3 && os.Args[1] == ask.HelloCommand {
		if err := ask.Hello(ctx, os.Args[2]); err != nil {
			fmt.Fprintf(os.Stderr, "bench: %v\n", err)
			return 1
		}
		return 0
	}
	o, err := parseOptions(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "bench: %v\n", err)
		return 2
	}
	if o.load.Workers > 0 {
		runtime.GOMAXPROCS(o.load.Workers)
	}
	switch err = o.measure(ctx); {
	case err == nil:
		return 0
	case ctx.Err() != nil:
		fmt.Fprintln(os.Stderr, "bench: interrupted")
	default:
		fmt.Fprintf(os.Stderr, "bench: %v\n", err)
	}
	return 1
}

// The parts of a run that -only chooses from.
const (
	partIngest     = "ingest"
	partLookup     = "lookup"
	partSearch     = "search"
	partSources    = "sources"
	partPages      = "pages"
	partMCP        = "mcp"
	partBeside     = "beside"
	partSaturation = "saturation"
	partPeer       = "peer"
)

// options are the parsed flags. Their meaning and defaults are in [parseOptions].
type options struct {
	load     load.Options
	program  string
	before   string
	profiles string
	kinds    *regexp.Regexp
	data     string
	keep     bool
	http     bool // also measure search through the website
	duration time.Duration
	queries  int
	conns    []int
	only     []string
	peer     ask.Peer
}

// parseOptions parses and validates the command line. It also derives what the release must contain
// from the parts that were chosen: the parts sources, pages, mcp and saturation need public
// records.
func parseOptions(args []string) (*options, error) {
	o := &options{}
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.IntVar(&o.load.Roots, "roots", 1_000_000, "companies to invent")
	f.IntVar(&o.load.Workers, "workers", 0, "processors of this process (GOMAXPROCS), 0 for all; PostgreSQL has its own")
	f.IntVar(&o.load.Debts, "debts", 0, "rows of pgfn, 0 for as many as the companies would have")
	f.StringVar(&o.program, "program", "bin/razao", "build of the program that answers over HTTP")
	f.StringVar(&o.before, "before", "", "another build, asked in turn with it")
	f.StringVar(&o.profiles, "profiles", "", "folder for a CPU profile of the server for each kind of request")
	kinds := f.String("kinds", "", "regular expression: the kinds of request to measure, by their names in the report (default: all)")
	f.StringVar(&o.data, "data", "", "folder to work in, empty or kept by a former run (default: a temporary one)")
	f.BoolVar(&o.keep, "keep", false, "leave the folder for another run")
	f.BoolVar(&o.http, "http", true, "measure search through the website as well; false for the index alone")
	f.DurationVar(&o.duration, "duration", 10*time.Second, "time for each measurement over HTTP")
	f.IntVar(&o.queries, "queries", 4_000, "queries of each kind inside the index")
	conns := f.String("conns", "1,8,32", "connections that ask at once, one measurement for each number")
	only := f.String("only", "ingest,lookup,search", "parts to measure, of ingest, lookup, search, sources, pages, mcp, beside, saturation, peer")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("unknown argument %q", f.Arg(0))
	}
	if o.load.Roots < 1 || o.queries < 1 || o.load.Workers < 0 || o.load.Debts < 0 || o.duration <= 0 {
		return nil, errors.New("-roots, -queries, -debts and -duration must be positive")
	}
	var err error
	if o.kinds, err = regexp.Compile(*kinds); err != nil {
		return nil, fmt.Errorf("-kinds: %w", err)
	}
	if o.keep && o.data == "" {
		return nil, errors.New("-keep needs -data: a temporary folder cannot be found again")
	}
	for item := range strings.SplitSeq(*conns, ",") {
		n, err := strconv.Atoi(item)
		if err != nil || n < 1 || n > 1000 {
			return nil, fmt.Errorf("-conns %s: numbers from 1 to 1000 are expected", *conns)
		}
		o.conns = append(o.conns, n)
	}
	all := []string{partIngest, partLookup, partSearch, partSources, partPages, partMCP, partBeside, partSaturation, partPeer}
	for part := range strings.SplitSeq(*only, ",") {
		if !slices.Contains(all, part) {
			return nil, fmt.Errorf("-only %s: there are %s", *only, strings.Join(all, ", "))
		}
		o.only = append(o.only, part)
	}
	if o.peer, err = peer(os.Getenv("RAZAO_BENCH_PEER"), os.Getenv("RAZAO_BENCH_PEER_PIDS")); err != nil {
		return nil, err
	}
	o.load.Sources = o.wants(partSources) || o.wants(partPages) || o.wants(partMCP) || o.wants(partSaturation)
	o.load.Published = o.wants(partPages)
	return o, nil
}

// peer reads the settings of the part peer: the address that a CNPJ is appended to, and the processes
// behind it, separated by commas.
func peer(address, pids string) (p ask.Peer, err error) {
	if address == "" {
		return p, nil
	}
	if p.URL, err = url.Parse(address); err != nil || p.URL.Scheme != "http" || p.URL.Port() == "" {
		return p, fmt.Errorf("RAZAO_BENCH_PEER=%s: an address like http://127.0.0.1:8000/ is expected", address)
	}
	for item := range strings.SplitSeq(pids, ",") {
		pid, err := strconv.Atoi(item)
		if err != nil || pid < 1 {
			return p, fmt.Errorf("RAZAO_BENCH_PEER_PIDS=%s: the numbers of its processes are expected, as in 812,815", pids)
		}
		p.PIDs = append(p.PIDs, pid)
	}
	return p, nil
}

func (o *options) wants(part string) bool { return slices.Contains(o.only, part) }

// asks reports whether any part sends requests or queries: all parts do, except ingest.
func (o *options) asks() bool {
	return slices.ContainsFunc(o.only, func(part string) bool { return part != partIngest })
}

// result is one measured part: it contributes rows to the table of goals and a section to the
// report.
type result interface {
	Goals(t *report.Table)
	Section(p *report.Page)
}

// measure loads the release unless the folder already holds one, runs the parts in the order of the
// report and prints it. The folder is deleted at the end unless -keep was given or it existed
// before.
func (o *options) measure(ctx context.Context) (err error) {
	f, err := load.OpenFolder(o.data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close(o.keep)) }()
	if f.Loaded() && o.wants(partIngest) {
		return fmt.Errorf("%s holds a load already: leave ingest out of -only, or choose another folder", f.Dir)
	}
	db, err := load.OpenDatabase(ctx, f)
	if err != nil {
		return err
	}
	defer db.Close()
	version, err := db.Version(ctx)
	if err != nil {
		return err
	}
	var results []result
	if !f.Loaded() {
		loaded, err := o.load.Fill(ctx, f, db)
		if err != nil {
			return err
		}
		results = append(results, loaded)
	}
	asked, err := o.ask(ctx, f, db)
	if err != nil {
		return err
	}
	return printReport(append(results, asked...), fmt.Sprintf("%s, PostgreSQL %s; %s. `bench %s`", machine.Describe(), version,
		time.Now().Format("2006-01-02 15:04"), strings.Join(os.Args[1:], " ")))
}

// ask runs the parts that query a loaded release. The index is measured first, before any server
// has mapped its files, and then the servers are started once for all HTTP parts.
func (o *options) ask(ctx context.Context, f *load.Folder, db *load.Database) (results []result, err error) {
	if !o.asks() {
		return nil, nil
	}
	b := &ask.Bench{
		Folder: f, DB: db, Programs: []string{o.program}, Conns: o.conns, Duration: o.duration, Queries: o.queries, Profiles: o.profiles,
		Kinds: o.kinds,
	}
	if o.before != "" {
		b.Programs = append(b.Programs, o.before)
	}
	report.Say("drawing numbers and texts from the load")
	drawn, err := questions.Draw(ctx, db.Pool, rand.New(rand.NewPCG(8, 8)))
	if err != nil {
		return nil, err
	}
	if b.Log, err = questions.NewLog(drawn); err != nil {
		return nil, err
	}
	if o.wants(partSearch) {
		x, err := b.Index(ctx)
		if err != nil {
			return nil, err
		}
		results = append(results, x)
	}
	if err := b.Serve(ctx); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	for _, part := range []struct {
		wanted  bool
		measure func(ctx context.Context) (result, error)
	}{
		{o.wants(partSearch) && o.http, as(b.Searches)},
		{o.wants(partLookup), as(b.Lookups)},
		{o.wants(partSources), as(b.Records)},
		{o.wants(partPages), as(b.Pages)},
		{o.wants(partMCP), as(b.Tools)},
		{o.wants(partBeside), as(b.Beside)},
		{o.wants(partSaturation), as(b.Saturation)},
		{o.wants(partPeer), as(o.peer.Beside(b))},
	} {
		if !part.wanted {
			continue
		}
		r, err := part.measure(ctx)
		if err != nil {
			return nil, err
		}
		results = append(results, r)
	}
	return results, nil
}

// as adapts a measurement that returns a concrete type to one that returns a result.
func as[R result](measure func(ctx context.Context) (R, error)) func(ctx context.Context) (result, error) {
	return func(ctx context.Context) (result, error) { return measure(ctx) }
}

// printReport writes the table of goals followed by the section of each part to stdout.
func printReport(results []result, title string) error {
	p := &report.Page{}
	p.Line("%s", title)
	goals := report.Table{Head: []string{"Goal", "At most", "Measured"}}
	for _, r := range results {
		r.Goals(&goals)
	}
	p.Section("Goals")
	p.Table(&goals)
	for _, r := range results {
		r.Section(p)
	}
	_, err := os.Stdout.WriteString(p.String())
	return err
}
