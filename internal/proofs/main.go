// Proofs runs go test and demands that the tests which the documents name have run and passed. docs/contract.md and
// docs/security.md say of each sentence what proves it: that there is a test of that name would prove nothing.
//
// The arguments are those of go test. With ./... among them every test that the documents name is demanded, otherwise
// those of the packages that were tested. Results out of the test cache count: go test keeps none of a test that failed.
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

// run returns the exit code.
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
	unproved := r.unproved(named, slices.Contains(args, "./..."))
	for _, text := range unproved {
		fmt.Fprintln(out, text)
	}
	if failed || len(unproved) > 0 {
		return 1
	}
	return 0
}

// goTest runs go test and reads its events.
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
