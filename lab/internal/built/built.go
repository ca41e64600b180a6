// Package built builds the program as it is shipped, for tests that start it, and finds programs of others.
package built

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/testing/program"
)

// Main is the TestMain of packages that use this one: it deletes what was built.
func Main(m *testing.M) {
	code := m.Run()
	_ = os.RemoveAll(Dir())
	os.Exit(code)
}

// Dir is where this process builds.
func Dir() string { return filepath.Join(os.TempDir(), "razao-lab-"+strconv.Itoa(os.Getpid())) }

// Binary returns the path of the program, built once for all tests of a process, unless RAZAO_BINARY names one.
var Binary = sync.OnceValues(func() (string, error) {
	if path := os.Getenv("RAZAO_BINARY"); path != "" {
		return filepath.Abs(path)
	}
	path := filepath.Join(Dir(), "razao")
	return path, Build(path)
})

// Build builds the program into a file, with the versions of its own go.mod.
func Build(path string, flags ...string) error {
	root, err := Root()
	if err != nil {
		return err
	}
	cmd := exec.Command("go", append(append([]string{"build", "-o", path}, flags...), "./cmd/razao")...)
	cmd.Dir, cmd.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build razao: %w\n%s", err, out)
	}
	return nil
}

// Root returns the folder of the product's module: the one above that of this module.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "cmd", "razao")); err == nil {
			return dir, nil
		}
	}
	return "", errors.New("the source of the program is in no folder above")
}

// Path is Binary for a test, which it skips under -short.
func Path(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds the program")
	}
	path, err := Binary()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Installed returns the path of a program that is not ours, in a folder of PATH, one of others, or /usr/sbin, which is not in everybody's
// PATH. Without it the test is skipped, or fails if REQUIRE_POSTGRES is 1.
func Installed(t *testing.T, name string, others ...string) string {
	t.Helper()
	for _, dir := range append(append(others, filepath.SplitList(os.Getenv("PATH"))...), "/usr/sbin") {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err == nil && dir != "" {
			return path
		}
	}
	if os.Getenv("REQUIRE_POSTGRES") == "1" {
		t.Fatalf("%s is missing: .ci/programs %s", name, name)
	}
	t.Skipf("%s is missing: .ci/programs %s", name, name)
	return ""
}

// New is program.New with the built program.
func New(t *testing.T, settings ...string) *program.Program {
	t.Helper()
	return program.New(t, Path(t), settings...)
}

// On is program.On with the built program.
func On(t *testing.T, dsn string, settings ...string) (*program.Program, *pgxpool.Pool) {
	t.Helper()
	return program.On(t, Path(t), dsn, settings...)
}

// OnItsOwn is program.OnItsOwn with the built program.
func OnItsOwn(t *testing.T, settings ...string) (*program.Program, *pgxpool.Pool) {
	t.Helper()
	return program.OnItsOwn(t, Path(t), settings...)
}
