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

// ErrNoBinaries means that no PostgreSQL of version 14 or newer is installed. Its text says how to
// install one.
var ErrNoBinaries = errors.New("PostgreSQL 14 or newer is not installed: `apt install postgresql` (Debian, Ubuntu), " +
	"`dnf install postgresql-server` (Fedora) or `brew install postgresql@17` (macOS) brings it; or set RAZAO_DATABASE_URL to a running server")

// minMajor is the oldest supported major version.
const minMajor = 14

// binaries is a folder with initdb and postgres of one version.
type binaries struct {
	dir   string
	major int
}

// FindBinaries returns the folder of initdb and postgres: explicit if it is not "", else that of
// pg_config or of postgres in PATH, else the newest version in the folders of Debian, Red Hat and
// Homebrew. The error is ErrNoBinaries, or the reason why explicit is not usable.
func FindBinaries(explicit string) (dir string, err error) {
	b, err := find(explicit, 0, installed())
	return b.dir, err
}

// find returns the first usable folder of dirs, or explicit alone, with the given major version, 0
// for any. A cluster works only with the major version that created it.
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
			if found := fmt.Sprintf("%d in %s", b.major, dir); !slices.Contains(other, found) {
				other = append(other, found)
			}
		}
	}
	if len(other) > 0 {
		return binaries{}, fmt.Errorf("the cluster was made by PostgreSQL %d and only %s was found: install PostgreSQL %d, or move the cluster away",
			major, strings.Join(other, ", "), major)
	}
	return binaries{}, ErrNoBinaries
}

// inspect returns the PostgreSQL in dir, or an error if it is incomplete or too old.
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

// installed returns the folders where PostgreSQL may be, in order of preference.
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

// packaged returns the folders that match the glob patterns, newest version first within each
// pattern.
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

// versionIn returns the number before "/bin" in path, or 0 if there is none.
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
