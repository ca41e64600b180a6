// Command compare asks two builds of the program the same questions and reports every answer that
// differs, byte for byte: status, headers and body. From the folder lab:
//
//	go run ./compare -before /elsewhere/bin/razao -after ../bin/razao -questions 100000
//
// Each build loads the same invented release into a folder of its own.
//
// The questions follow from a seed, from the files of the release and from the answers: pages are
// opened and their links followed, collections walked along their cursors. Only what must differ is
// left out: the request id and what follows from the clock (the moments of the two loads, rate limits,
// tokens), the name of the build, and what -ignore matches. A question with different answers is asked
// again, and counts as unsteady if it is then answered alike: a deadline that was missed is no change
// of behaviour. The exit code is 1 if there are differences.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"razao/lab/internal/load"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	o, err := parse(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	different := 0
	if err == nil {
		different, err = o.run(ctx)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "compare: %v\n", err)
		os.Exit(2)
	}
	say("%d questions were answered differently", different)
	os.Exit(min(different, 1))
}

// say prints a line of progress.
func say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, time.Now().Format("15:04:05 ")+format+"\n", args...)
}

// options are the flags.
type options struct {
	builds           [2]string // before and after
	roots, questions int
	conns            int
	seed             uint64
	data             string
	out              string
	ignore           []*regexp.Regexp
}

func parse(args []string) (*options, error) {
	o := &options{}
	f := flag.NewFlagSet("compare", flag.ContinueOnError)
	f.StringVar(&o.builds[0], "before", "", "build that is known to be right")
	f.StringVar(&o.builds[1], "after", "../bin/razao", "build to compare with it")
	f.IntVar(&o.roots, "roots", 20_000, "companies to invent for two builds")
	f.IntVar(&o.questions, "questions", 20_000, "questions")
	f.IntVar(&o.conns, "conns", 4, "questions at once; each is sent to both")
	f.Uint64Var(&o.seed, "seed", 1, "the same seed asks the same questions")
	f.StringVar(&o.data, "data", "", "folder to work in, which is left for another run with the same builds (default: a temporary one)")
	f.StringVar(&o.out, "out", "", "file for the report (default: stdout)")
	f.Func("ignore", "regular expression for parts of bodies that are meant to differ; may be repeated", func(text string) error {
		pattern, err := regexp.Compile(text)
		o.ignore = append(o.ignore, pattern)
		return err
	})
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if o.builds[0] == "" || f.NArg() > 0 || o.roots < 1 || o.questions < 1 || o.conns < 1 {
		return nil, errors.New("-before is required, numbers must be positive, and there are no arguments beside flags")
	}
	return o, nil
}

// run compares and writes the report. It returns how many questions had different answers.
func (o *options) run(ctx context.Context) (different int, err error) {
	w, err := load.OpenWorkspace(ctx, o.data, o.builds[:]...)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	sides, err := o.start(ctx, w)
	if err != nil {
		return 0, err
	}
	drawn, err := load.Read(w.Release)
	if err != nil {
		return 0, err
	}
	r := newRun(o, sides, drawn)
	if err := r.learn(ctx); err != nil {
		return 0, err
	}
	if err := r.questions(ctx); err != nil {
		return 0, err
	}
	text, different := r.report()
	if o.out == "" {
		_, err = os.Stdout.WriteString(text)
	} else {
		err = os.WriteFile(o.out, []byte(text), 0o600)
	}
	return different, err
}

// keysFor is how many accounts n questions need, so that none reaches its sixty calls a minute.
func keysFor(n int) int { return 100 + n/20 }

// sessionsFor is the same for exports, of which an account may take twenty a minute.
func sessionsFor(n int) int { return 20 + n/400 }

// start lets both builds load the release, unless a former run has, and serve it.
func (o *options) start(ctx context.Context, w *load.Workspace) (sides [2]side, err error) {
	if !w.Loaded {
		say("inventing %d companies", o.roots)
		if err := load.Invent(ctx, w.Release, o.roots, true, 0); err != nil {
			return sides, err
		}
	}
	var g errgroup.Group // its context would end the servers
	for i, p := range w.Programs {
		g.Go(func() (err error) {
			sides[i], err = o.serve(ctx, w, p)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return sides, err
	}
	return sides, w.SetLoaded()
}

func (o *options) serve(ctx context.Context, w *load.Workspace, p *load.Program) (s side, err error) {
	if !w.Loaded {
		say("loading")
		for _, args := range [][]string{{"receita", "--force", "--from", filepath.Join(w.Release, "receita")}, {"all", "--from", w.Release}} {
			if _, err := p.Run(ctx, append([]string{"ingest"}, args...)...); err != nil {
				return s, err
			}
		}
	}
	server, err := p.Serve(ctx)
	if err != nil {
		return s, err
	}
	keys, err := p.Keys(ctx, keysFor(o.questions))
	if err != nil {
		return s, err
	}
	s = side{address: server.URL, keys: load.NewRing(keys)}
	s.cookies, err = p.Sessions(ctx, sessionsFor(o.questions))
	return s, err
}
