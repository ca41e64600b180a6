package pglocal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"
)

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	needPostgres(t)
	bin, err := find("", 0, installed())
	if err != nil {
		t.Fatal(err)
	}
	version := fmt.Sprintln(bin.major)
	tests := map[string]struct {
		prepare func(t *testing.T, dir string)
		bin     string
		want    []string // in the error, DIR for the folder
	}{
		"no version": {
			prepare: func(t *testing.T, dir string) { makeCluster(t, dir, "notes", "") },
			want:    []string{"DIR/cluster is not a PostgreSQL cluster", "move it away"},
		},
		"damaged version": {
			prepare: func(t *testing.T, dir string) { makeCluster(t, dir, "PG_VERSION", "\x00\x00") },
			want:    []string{"DIR/cluster/PG_VERSION is damaged"},
		},
		"other version": {
			prepare: func(t *testing.T, dir string) { makeCluster(t, dir, "PG_VERSION", "99\n") },
			want:    []string{"DIR", "made by PostgreSQL 99", fmt.Sprintf("%d in %s", bin.major, bin.dir), "install PostgreSQL 99"},
		},
		"folder open to others": {
			prepare: func(t *testing.T, dir string) {
				makeCluster(t, dir, "PG_VERSION", version)
				makeCluster(t, dir, "postgresql.conf", "")
				if err := os.Chmod(filepath.Join(dir, "cluster"), 0o755); err != nil {
					t.Fatal(err)
				}
			},
			want: []string{`data directory "DIR/cluster" has invalid permissions`, "0700"},
		},
		"PostgreSQL refuses": {
			prepare: func(t *testing.T, dir string) { makeCluster(t, dir, "PG_VERSION", version) },
			want:    []string{"DIR/postgres.log", "postgresql.conf"},
		},
		"folder is a file": {
			prepare: func(t *testing.T, dir string) { write(t, dir, "") },
			want:    []string{"DIR: not a directory"},
		},
		"socket leads elsewhere": {
			prepare: func(t *testing.T, dir string) {
				makeCluster(t, dir, "PG_VERSION", version)
				if err := os.Symlink("/etc", filepath.Join(dir, "socket")); err != nil {
					t.Fatal(err)
				}
			},
			want: []string{"DIR/socket leads to /etc"},
		},
		"no binaries": {
			prepare: func(*testing.T, string) {},
			bin:     "/nowhere",
			want:    []string{"no usable PostgreSQL in /nowhere", "initdb"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "data")
			tt.prepare(t, dir)
			s, err := Open(t.Context(), dir, Options{Volatile: true, BinDir: tt.bin})
			if err == nil {
				_ = s.Close()
				t.Fatal("no error")
			}
			if text := err.Error(); strings.Count(text, bin.dir) > 1 || strings.Contains(text, "/proc/self") {
				t.Errorf("error %q", text)
			}
			for _, want := range tt.want {
				if want = strings.ReplaceAll(want, "DIR", dir); !strings.Contains(err.Error(), want) {
					t.Errorf("error %q lacks %q", err, want)
				}
			}
		})
	}
}

// TestComing tells a server that will accept connections from one that refuses them for good.
func TestComing(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]bool{"57P03": true, "57P01": true, "42501": false, "58P01": false, "XX001": false} {
		err := fmt.Errorf("connect: %w", &pgconn.PgError{Code: code})
		if coming(err) != want || !answered(err) {
			t.Errorf("%s: %t, want %t", code, !want, want)
		}
	}
	if err := errors.New("no such file"); coming(err) || answered(err) {
		t.Error("an error that is not the server's")
	}
}

// makeCluster makes a cluster of one file that belongs to the user who would run it.
func makeCluster(t *testing.T, dir, name, text string) {
	t.Helper()
	write(t, filepath.Join(dir, "cluster", name), text)
	if os.Geteuid() != 0 {
		return
	}
	as, err := unprivileged()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"cluster", "cluster/" + name} {
		if err := as.own(filepath.Join(dir, path)); err != nil {
			t.Fatal(err)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dirs := make(map[string]string)
	for name, version := range map[string]string{"old": "13.9", "lts": "15.18", "new": "17.2"} {
		dirs[name] = filepath.Join(home, name)
		for _, program := range []string{"initdb", "postgres"} {
			path := filepath.Join(dirs[name], program)
			write(t, path, "#!/bin/sh\necho '"+program+" (PostgreSQL) "+version+"'\n")
			if err := os.Chmod(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}
	}
	client := filepath.Join(home, "client") // what a package without the server brings
	write(t, filepath.Join(client, "psql"), "")

	tests := map[string]struct {
		explicit string
		major    int
		dirs     []string
		want     string // folder; or in the error
	}{
		"first of the list":      {dirs: []string{client, dirs["lts"], dirs["new"]}, want: dirs["lts"]},
		"version of the cluster": {major: 17, dirs: []string{dirs["lts"], dirs["new"]}, want: dirs["new"]},
		"explicit":               {explicit: dirs["new"], dirs: []string{dirs["lts"]}, want: dirs["new"]},
		"too old":                {dirs: []string{dirs["old"]}, want: "apt install postgresql"},
		"none":                   {want: "brew install"},
		"no such version":        {major: 16, dirs: []string{dirs["lts"], dirs["new"]}, want: "install PostgreSQL 16"},
		"explicit without it":    {explicit: client, dirs: []string{dirs["lts"]}, want: "no usable PostgreSQL in " + client},
		"explicit too old":       {explicit: dirs["old"], want: "is version 13: 14 or newer"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := find(tt.explicit, tt.major, tt.dirs)
			if err == nil && got.dir != tt.want {
				t.Errorf("got %s, want %s", got.dir, tt.want)
			}
			if err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %q lacks %q", err, tt.want)
			}
		})
	}
	if _, err := find("", 0, nil); !errors.Is(err, ErrNoBinaries) {
		t.Errorf("got %v, want ErrNoBinaries", err)
	}
}

func TestPackaged(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	var want []string
	for _, version := range []string{"17", "16", "9"} {
		dir := filepath.Join(home, "postgresql@"+version, "bin")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		want = append(want, dir)
	}
	got := packaged(filepath.Join(home, "missing/*/bin"), filepath.Join(home, "postgresql@*/bin"))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("newest first (-want +got):\n%s", diff)
	}
}

func TestLogIsRotated(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "postgres.log")
	write(t, path, strings.Repeat("x", maxLog+1))
	f, size, err := openLog(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if size != 0 {
		t.Errorf("the new log begins at %d, want 0", size)
	}
	if _, err := os.Stat(path + ".old"); err != nil {
		t.Errorf("the old log: %v", err)
	}
}

// The log is rotated while the server runs, and later lines go to the new file.
func TestLogIsRotatedWhileTheServerRuns(t *testing.T) {
	t.Parallel()
	needPostgres(t)
	dir := t.TempDir()
	s := openServer(t, dir)
	path := filepath.Join(dir, "postgres.log")
	size := func(path string) int64 {
		info, err := os.Stat(path)
		if err != nil {
			return 0
		}
		return info.Size()
	}
	if err := os.Truncate(path, maxLog+1); err != nil {
		t.Fatal(err)
	}
	if !within(time.Minute, func() bool { return size(path) <= maxLog }) {
		t.Fatalf("the log has %d bytes", size(path))
	}
	if got := size(path + ".old"); got != maxLog+1 {
		t.Errorf("of the former log %d bytes are kept", got)
	}
	if err := execute(t.Context(), s.DSN(User), "DO $$ BEGIN RAISE LOG 'said after the rotation'; END $$"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), "said after the rotation") || strings.Contains(string(text), "\x00") {
		t.Errorf("the new log: %v\n%q", err, text)
	}
}

func TestDSNQuotes(t *testing.T) {
	t.Parallel()
	got := address(`/it's a\home`).dsn(User, "razao")
	want := `host='/it\'s a\\home' port=5432 user=razao dbname='razao' sslmode=disable`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
