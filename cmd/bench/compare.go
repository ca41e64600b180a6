package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"razao/internal/bench/callers"
	"razao/internal/bench/compare"
	"razao/internal/bench/load"
	"razao/internal/bench/report"
	"razao/internal/store/pglocal"
)

// compareServers is the subcommand compare. It returns the exit code: 0 equal, 1 different or
// failed, 2 wrong usage.
func compareServers(ctx context.Context, args []string) int {
	o := compare.Options{}
	f := flag.NewFlagSet("bench compare", flag.ContinueOnError)
	f.StringVar(&o.Before, "before", "", "address of the server of the build that is known to be right, such as http://127.0.0.1:8080")
	f.StringVar(&o.After, "after", "", "address of the server of the other build, on the same data")
	dsn := f.String("database", os.Getenv("RAZAO_DATABASE_URL"), "database that both serve")
	data := f.String("data", "", "instead of -database: RAZAO_DATA of servers that have a private database")
	out := f.String("out", "", "file for the report (default: stdout)")
	f.Uint64Var(&o.Seed, "seed", 1, "the same seed asks the same questions")
	f.IntVar(&o.Answers, "answers", 20_000, "answers of v1 and v2")
	f.IntVar(&o.Pages, "pages", 500, "companies whose pages are opened")
	f.IntVar(&o.Tools, "tools", 1_000, "companies that the tools of /mcp are asked about")
	f.IntVar(&o.Conns, "conns", 4, "questions at once")
	switch err := f.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case o.Before == "" || o.After == "" || (*dsn == "") == (*data == "") || o.Conns < 1 || f.NArg() > 0:
		fmt.Fprintln(os.Stderr, "bench compare: -before, -after and one of -database and -data are needed")
		return 2
	}
	different, err := compareInto(ctx, o, *dsn, *data, *out)
	if err != nil {
		fmt.Fprintf(os.Stderr, "bench compare: %v\n", err)
		return 1
	}
	report.Say("%d questions were answered differently", different)
	return min(different, 1)
}

// compareInto writes the report to the file out, or to stdout if it is "", and returns the number
// of questions with different answers. It connects to dsn, or to the private PostgreSQL below data.
func compareInto(ctx context.Context, o compare.Options, dsn, data, out string) (different int, err error) {
	if data != "" {
		server, err := pglocal.Open(ctx, filepath.Join(data, "postgres"), pglocal.Options{})
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, server.Close()) }()
		dsn = server.DSN(pglocal.User)
	}
	if o.Pool, err = load.Connect(ctx, dsn); err != nil {
		return 0, err
	}
	defer o.Pool.Close()
	if o.Seal, err = callers.Sealer(data); err != nil {
		return 0, err
	}
	report, err := compare.Run(ctx, o)
	if err != nil {
		return 0, err
	}
	if out == "" {
		_, err = os.Stdout.WriteString(report.Markdown())
	} else {
		err = os.WriteFile(out, []byte(report.Markdown()), 0o644)
	}
	return report.Different(), err
}
