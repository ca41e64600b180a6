// Command proofs runs go test and fails unless the tests that the documents name have run and
// passed. docs/contract.md and docs/security.md name for each of their sentences the tests that
// prove it; that a test of that name exists proves nothing.
//
//	go run ./internal/proofs ./...
//
// The arguments are those of go test. With ./... among them every named test is required, otherwise
// those in the packages that were tested. The output is that of go test without -json: one line for
// each package, and the output of failed tests, of which the end repeats the beginning. Results from the test cache count, because go test
// caches only successes.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout))
}

// run returns the exit code: 0 all passed, 1 a test failed or a proof is missing, 2 go test could
// not be run or a document not be read.
func run(args []string, out io.Writer) int {
	named, err := readDocuments(".")
	if err != nil {
		fmt.Fprintln(out, err)
		return 2
	}
	r := newResults(out)
	failed, err := goTest(args, r)
	if err != nil {
		fmt.Fprintln(out, err)
		return 2
	}
	r.recall()
	unproved := r.unproved(named, slices.Contains(args, "./..."))
	for _, text := range unproved {
		fmt.Fprintln(out, text)
	}
	if failed || len(unproved) > 0 {
		return 1
	}
	return 0
}

// goTest runs go test -json and feeds its events to r.
func goTest(args []string, r *results) (failed bool, err error) {
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Stderr = r.out
	events, err := cmd.StdoutPipe()
	if err != nil {
		return false, err
	}
	if err := cmd.Start(); err != nil {
		return false, err
	}
	if err := r.read(events); err != nil {
		return false, errors.Join(err, cmd.Wait())
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); errors.As(err, &exit) {
		return true, nil
	} else if err != nil {
		return false, err
	}
	return false, nil
}
