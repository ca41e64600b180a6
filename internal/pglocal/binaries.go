package pglocal

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// ErrNoBinaries means that no PostgreSQL of at least version 14 is installed. Its text says how to install one.
var ErrNoBinaries = errors.New("PostgreSQL 14 or newer is not installed: `apt install postgresql` (Debian, Ubuntu), " +
	"`dnf install postgresql-server` (Fedora) or `brew install postgresql@17` (macOS) brings it; or set RAZAO_DATABASE_URL to a running server")

const minMajor = 14

// binaries is a folder with initdb and postgres.
type binaries struct {
	dir   string
	major int
}

// FindBinaries returns the folder of initdb and postgres: explicit if not "", else that of pg_config or postgres in PATH, else the
// newest version where Debian, Red Hat and Homebrew install it. The error is ErrNoBinaries, or why explicit is not usable.
func FindBinaries(explicit string) (dir string, err error) {
	b, err := find(explicit, 0, installed())
	return b.dir, err
}

// find returns the first usable of dirs, or of explicit alone, with the given major version; 0: any.
func find(explicit string, major int, dirs []string) (binaries, error) {
	if explicit != "" {
		dirs = []string{explicit}
	}
	var other []string
	for _, dir := range dirs {
		b, err := inspect(dir)
		switch {
		case err != nil && explicit != "":
			return binaries{}, err
		case err != nil:
		case major == 0 || b.major == major:
			return b, nil
		default:
			other = append(other, fmt.Sprintf("%d in %s", b.major, dir))
		}
	}
	if len(other) > 0 {
		return binaries{}, fmt.Errorf("the cluster was made by PostgreSQL %d and only %s was found: install PostgreSQL %d, or move the cluster away",
			major, strings.Join(other, ", "), major)
	}
	return binaries{}, ErrNoBinaries
}

// inspect returns an error unless dir holds a usable PostgreSQL.
func inspect(dir string) (binaries, error) {
	dir, err := filepath.Abs(dir) // commands run with another working directory
	if err != nil {
		return binaries{}, err
	}
	for _, name := range []string{"initdb", "postgres"} {
		if _, err := exec.LookPath(filepath.Join(dir, name)); err != nil {
			return binaries{}, fmt.Errorf("no usable PostgreSQL in %s: %w", dir, err)
		}
	}
	out, err := exec.Command(filepath.Join(dir, "postgres"), "--version").Output()
	if err != nil {
		return binaries{}, fmt.Errorf("version of the PostgreSQL in %s: %w", dir, err)
	}
	match := regexp.MustCompile(`\(PostgreSQL\) (\d+)`).FindSubmatch(out)
	if match == nil {
		return binaries{}, fmt.Errorf("version of the PostgreSQL in %s: it says %.80q", dir, out)
	}
	major, err := strconv.Atoi(string(match[1]))
	if err != nil || major < minMajor {
		return binaries{}, fmt.Errorf("the PostgreSQL in %s is version %s: %d or newer is needed", dir, match[1], minMajor)
	}
	return binaries{dir: dir, major: major}, nil
}

// installed returns the candidate folders, best first.
func installed() []string {
	var dirs []string
	if out, err := exec.Command("pg_config", "--bindir").Output(); err == nil {
		dirs = append(dirs, strings.TrimSpace(string(out)))
	}
	if path, err := exec.LookPath("postgres"); err == nil {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real // a symlink in /usr/local/bin may have no initdb beside it
		}
		dirs = append(dirs, filepath.Dir(path))
	}
	return append(dirs, packaged(
		"/usr/lib/postgresql/*/bin",
		"/usr/pgsql-*/bin",
		"/opt/homebrew/opt/postgresql@*/bin",
		"/usr/local/opt/postgresql@*/bin",
	)...)
}

// packaged returns the folders that match glob patterns, for each pattern the newest version first.
func packaged(patterns ...string) []string {
	var dirs []string
	for _, pattern := range patterns {
		matches, err := filepath.Glob(pattern)
		if err != nil {
			continue // fails only for a malformed pattern
		}
		slices.SortFunc(matches, func(a, b string) int { return versionIn(b) - versionIn(a) })
		dirs = append(dirs, matches...)
	}
	return dirs
}

// versionIn returns the number before "/bin" in the path, 0 without one.
func versionIn(path string) int {
	match := regexp.MustCompile(`(\d+)/bin$`).FindStringSubmatch(path)
	if match == nil {
		return 0
	}
	n, err := strconv.Atoi(match[1])
	if err != nil {
		return 0
	}
	return n
}
