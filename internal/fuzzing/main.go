// Command fuzzing runs every fuzz test of the given packages for the same time, one after the
// other, prints how many executions each got, and adds them to the total that a document keeps. The
// exit code is 1 if a test found something; go test has then written the input below testdata/fuzz.
//
//	go run ./internal/fuzzing -time 30s -total docs/security.md ./...
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

func main() {
	budget := flag.Duration("time", 30*time.Second, "for each fuzz test")
	total := flag.String("total", "", "document whose total grows")
	flag.Parse()
	if err := run(flag.Args(), *budget, *total, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// target is a fuzz test.
type target struct{ pkg, name string }

// run fuzzes the packages. A finding does not stop the others; all of them are in the error.
func run(packages []string, budget time.Duration, total string, out io.Writer) error {
	targets, err := find(packages)
	if err != nil {
		return err
	}
	var sum int64
	var found []error
	for _, t := range targets {
		executed, err := t.fuzz(budget)
		sum += executed
		fmt.Fprintf(out, "%12d  %s %s\n", executed, t.pkg, t.name)
		if err != nil {
			found = append(found, err)
		}
		if total != "" { // after each test, in case the run is interrupted
			found = append(found, add(total, executed, time.Now()))
		}
	}
	fmt.Fprintf(out, "%12d  in all, of %d fuzz tests\n", sum, len(targets))
	return errors.Join(found...)
}

// declared matches the declaration of a fuzz test.
var declared = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)

// find returns the fuzz tests declared in the test files of packages, external tests included.
func find(packages []string) (targets []target, err error) {
	const format = `{{$p := .}}{{range .TestGoFiles}}{{$p.ImportPath}} {{$p.Dir}}/{{.}}
{{end}}{{range .XTestGoFiles}}{{$p.ImportPath}} {{$p.Dir}}/{{.}}
{{end}}`
	list := exec.Command("go", append([]string{"list", "-f", format}, packages...)...)
	list.Stderr = os.Stderr
	files, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for line := range strings.Lines(string(files)) {
		pkg, path, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			continue
		}
		source, err := os.ReadFile(filepath.Clean(path))
		if err != nil {
			return nil, err
		}
		for _, m := range declared.FindAllSubmatch(source, -1) {
			targets = append(targets, target{pkg, string(m[1])})
		}
	}
	return targets, nil
}

// fuzz runs the test for budget and returns the number of executions. If it finds something, the
// error has the output of go test.
func (t target) fuzz(budget time.Duration) (executed int64, err error) {
	cmd := exec.Command("go", "test", "-run", "^$", "-fuzz", "^"+t.name+"$", "-fuzztime", budget.String(), "-fuzzminimizetime", "2s", t.pkg)
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s %s: %w\n%s", t.pkg, t.name, err, out)
	}
	return executions(out), err
}

// progress matches a progress line of go test -fuzz.
var progress = regexp.MustCompile(`(?m)^fuzz: elapsed: .*, execs: (\d+) `)

// executions returns the count of the last progress line, or 0 if there is none.
func executions(out []byte) int64 {
	all := progress.FindAllSubmatch(out, -1)
	if all == nil {
		return 0
	}
	n, _ := strconv.ParseInt(string(all[len(all)-1][1]), 10, 64) // digits
	return n
}

// kept matches the line of a document with the total.
var kept = regexp.MustCompile(`(?m)^([\d,]+) executions so far, .*\.$`)

// add adds to the total in a document and updates its date.
func add(path string, executed int64, now time.Time) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	m := kept.FindSubmatch(text)
	if m == nil {
		return fmt.Errorf("%s has no line like \"1,000 executions so far, 1 January 2026.\"", path)
	}
	before, err := strconv.ParseInt(strings.ReplaceAll(string(m[1]), ",", ""), 10, 64)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	line := fmt.Sprintf("%s executions so far, %s.", grouped(before+executed), now.Format("2 January 2006"))
	return os.WriteFile(path, bytes.Replace(text, m[0], []byte(line), 1), 0o644)
}

// grouped formats 1234567 as 1,234,567.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
