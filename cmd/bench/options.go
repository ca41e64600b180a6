package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The parts of a run that -only chooses from.
const (
	partIngest = "ingest"
	partLookup = "lookup"
	partSearch = "search"
	partSuite  = "search-suite" // everything about the index, and only when asked for

	partSources = "sources" // the public-record sources, and only when asked for
	partPages   = "pages"   // the pages of the website, and only when asked for
	partMCP     = "mcp"     // assistants beside the API, and only when asked for
)

const maxCompare = 2_000_000 // documents that the comparison keeps in memory

// options are the command line.
type options struct {
	roots    int
	workers  int
	data     string
	keep     bool
	duration time.Duration
	queries  int
	conns    []int
	only     []string
	sizes    []int // of the search suite, in roots
	compare  int   // documents of the comparison, 0 for none
	debts    int   // rows of pgfn, 0 for as many as the companies would have
	http     bool  // whether the search suite asks the website as well

	role string // of a process that the bench starts itself; "" for the bench
	dsn  string // of a process with a role
}

func parseOptions(args []string) (*options, error) {
	o := &options{}
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.IntVar(&o.roots, "roots", 1_000_000, "companies to invent")
	f.IntVar(&o.workers, "workers", 0, "processors of every process of ours (GOMAXPROCS), 0 for all; PostgreSQL has its own")
	f.StringVar(&o.data, "data", "", "folder to work in, empty or kept by a former run (default: a temporary one)")
	f.BoolVar(&o.keep, "keep", false, "leave the folder for another run")
	f.DurationVar(&o.duration, "duration", 10*time.Second, "time for each measurement of look-ups")
	f.IntVar(&o.queries, "queries", 20_000, "queries of each kind of search and suggestion")
	conns := f.String("conns", "1,8,32", "connections that look up at once, one measurement for each number")
	only := f.String("only", "", "parts to measure: ingest, lookup, search (default: all three), or search-suite, sources, pages or mcp, alone")
	sizes := f.String("sizes", "", "companies of each measurement of the search suite, such as 500000,5000000 (default: -roots)")
	f.IntVar(&o.compare, "compare", 500_000, "documents that the search suite gives to PostgreSQL and SQLite as well, 0 for none")
	f.IntVar(&o.debts, "debts", 0, "with -only sources, pages or mcp: rows of pgfn, 0 for as many as the companies would have")
	f.BoolVar(&o.http, "http", true, "in the search suite, also ask the website; false for the index alone")
	f.StringVar(&o.role, "role", "", "internal: what a process started by the bench does")
	f.StringVar(&o.dsn, "dsn", "", "internal: the database of such a process")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("unknown argument %q", f.Arg(0))
	}
	if o.roots < 1 || o.queries < 1 || o.workers < 0 || o.debts < 0 || o.duration <= 0 {
		return nil, errors.New("-roots, -queries, -debts and -duration must be positive")
	}
	if o.keep && o.data == "" && o.role == "" {
		return nil, errors.New("-keep needs -data: a temporary folder cannot be found again")
	}
	if err := o.parseConns(*conns); err != nil {
		return nil, err
	}
	if err := o.parseOnly(*only); err != nil {
		return nil, err
	}
	return o, o.parseSizes(*sizes)
}

func (o *options) parseSizes(list string) error {
	if o.compare < 0 || o.compare > maxCompare {
		return fmt.Errorf("-compare %d: at most %s documents", o.compare, count(maxCompare))
	}
	if list == "" {
		o.sizes = []int{o.roots}
		return nil
	}
	if !o.wants(partSuite) {
		return errors.New("-sizes belongs to -only search-suite")
	}
	for item := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(item)
		if err != nil || n < 1 {
			return fmt.Errorf("-sizes %s: numbers of companies are expected", list)
		}
		o.sizes = append(o.sizes, n)
	}
	return nil
}

func (o *options) parseConns(list string) error {
	for item := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(item)
		if err != nil || n < 1 || n > 1000 {
			return fmt.Errorf("-conns %s: numbers from 1 to 1000 are expected", list)
		}
		o.conns = append(o.conns, n)
	}
	return nil
}

func (o *options) parseOnly(list string) error {
	all, alone := []string{partIngest, partLookup, partSearch}, []string{partSuite, partSources, partPages, partMCP}
	if list == "" {
		o.only = all
		return nil
	}
	if slices.Contains(alone, list) {
		o.only = []string{list}
		return nil
	}
	for part := range strings.SplitSeq(list, ",") {
		if !slices.Contains(all, part) {
			return fmt.Errorf("-only %s: there are %s, and %s alone", list, strings.Join(all, ", "), strings.Join(alone, " or "))
		}
		o.only = append(o.only, part)
	}
	return nil
}

func (o *options) wants(part string) bool { return slices.Contains(o.only, part) }

// needsSources says whether the release comes with the public-record sources.
func (o *options) needsSources() bool {
	return o.wants(partSources) || o.wants(partPages) || o.wants(partMCP)
}
