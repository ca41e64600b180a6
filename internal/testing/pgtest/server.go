package pgtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"

	"github.com/jackc/pgx/v5"

	"razao/internal/store/pglocal"
	"razao/migrations"
)

// Prefixes of the names of test databases.
const (
	databasePrefix = "razao_test_"
	templatePrefix = "razao_template_"
)

// server is where test databases are created.
type server struct {
	*pglocal.Server
	template string   // name of the migrated template
	folder   string   // for files that last until the process ends
	slot     *os.File // flock on the cluster
	strategy string   // clause of CREATE DATABASE; "" for the default
}

// newServer starts a server on a free slot.
func newServer(ctx context.Context) (*server, error) {
	if _, err := pglocal.FindBinaries(""); err != nil {
		return nil, err
	}
	dir, slot, err := takeSlot(filepath.Join(temporary(), "razao-pgtest-"+strconv.Itoa(os.Geteuid())))
	if err != nil {
		return nil, err
	}
	local, err := openSlot(ctx, dir)
	if err != nil {
		return nil, errors.Join(err, slot.Close())
	}
	srv := &server{Server: local, slot: slot, folder: filepath.Join(dir, "files")}
	if err := errors.Join(srv.prepare(ctx), os.RemoveAll(srv.folder)); err != nil {
		return nil, errors.Join(err, local.Close(), slot.Close())
	}
	return srv, nil
}

// temporary returns the folder for clusters: /dev/shm if it has room, because copying a database
// creates hundreds of files.
func temporary() string {
	const (
		memory = "/dev/shm"
		room   = 2 << 30 // bytes; containers often have 64 MB
	)
	var stat syscall.Statfs_t
	if err := syscall.Statfs(memory, &stat); err == nil && uint64(stat.Bavail)*uint64(stat.Bsize) >= room {
		return memory
	}
	return os.TempDir()
}

// takeSlot returns the first folder in base that no living process uses, and the flock that
// reserves it. base must belong to this user alone: in a shared /tmp somebody else could have made
// it.
func takeSlot(base string) (dir string, lock *os.File, err error) {
	if err := os.MkdirAll(base, 0o700); err != nil {
		return "", nil, err
	}
	info, err := os.Lstat(base)
	if err != nil {
		return "", nil, err
	}
	if int(info.Sys().(*syscall.Stat_t).Uid) != os.Geteuid() || info.Mode() != fs.ModeDir|0o700 {
		return "", nil, fmt.Errorf("%s is not a folder of ours alone: delete it", base)
	}
	for i := 0; ; i++ {
		dir := filepath.Join(base, strconv.Itoa(i))
		lock, err := os.OpenFile(dir+".lock", os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return "", nil, err
		}
		err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return dir, lock, nil
		}
		_ = lock.Close()
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return "", nil, &fs.PathError{Op: "lock", Path: dir, Err: err}
		}
	}
}

// openSlot starts the server of a slot. A cluster that does not start is recreated: it was damaged,
// since tests run without fsync, or made by another version of PostgreSQL.
func openSlot(ctx context.Context, dir string) (*pglocal.Server, error) {
	opts := pglocal.Options{Volatile: true}
	local, err := pglocal.Open(ctx, dir, opts)
	if err != nil && ctx.Err() == nil {
		if err := os.RemoveAll(dir); err != nil {
			return nil, err
		}
		local, err = pglocal.Open(ctx, dir, opts)
	}
	for err == nil && local.Joined() {
		// The slot's last process was killed; its server is about to end or continues without an
		// owner.
		_ = syscall.Kill(local.PID(), syscall.SIGINT) // fails if it has just ended
		_ = local.Close()                             // reports that the server ended by itself
		local, err = pglocal.Open(ctx, dir, opts)
	}
	return local, err
}

// prepare drops the databases of test processes that were killed, and templates of other migrations, chooses how databases are copied,
// and makes the migrated template unless it is there.
func (s *server) prepare(ctx context.Context) error {
	template, err := templateName()
	if err != nil {
		return err
	}
	s.template = template
	conn, err := pgx.Connect(ctx, s.DSN("postgres"))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	var version int
	if err := conn.QueryRow(ctx, "SELECT current_setting('server_version_num')::int").Scan(&version); err != nil {
		return err
	}
	if version >= 150000 { // older versions know only this strategy
		s.strategy = " STRATEGY file_copy" // wal_log, the default, logs every page
	}
	rows, err := conn.Query(ctx, `SELECT datname FROM pg_database WHERE starts_with(datname, $1) OR starts_with(datname, $2)`, databasePrefix, templatePrefix)
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, name := range names {
		if name == template {
			continue
		}
		if _, err := conn.Exec(ctx, "DROP DATABASE "+quoted(name)+" WITH (FORCE)"); err != nil {
			return fmt.Errorf("drop the leftover %s: %w", name, err)
		}
	}
	if slices.Contains(names, template) {
		return nil
	}
	// The template gets its name only when it is complete, in case this process is killed.
	unfinished := template + "_new"
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+quoted(unfinished)); err != nil {
		return err
	}
	if err := migrations.Up(ctx, s.DSN(unfinished)); err != nil {
		return fmt.Errorf("template database: %w", err)
	}
	_, err = conn.Exec(ctx, "ALTER DATABASE "+quoted(unfinished)+" RENAME TO "+quoted(template))
	return err
}

// templateName returns a name with a hash of the migrations.
func templateName() (string, error) {
	files, err := fs.Glob(migrations.FS, "*")
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	for _, file := range files {
		text, err := fs.ReadFile(migrations.FS, file)
		if err != nil {
			return "", err
		}
		_, _ = fmt.Fprintf(hash, "%s %d\n%s", file, len(text), text) // a hash takes everything
	}
	return templatePrefix + hex.EncodeToString(hash.Sum(nil)[:8]), nil
}

// clone creates a database as a copy of template, to which nobody may be connected.
func (s *server) clone(ctx context.Context, template, name string) error {
	return s.execute(ctx, "CREATE DATABASE "+quoted(name)+" TEMPLATE "+quoted(template)+s.strategy)
}

// execute runs one statement outside any transaction, as CREATE and DROP DATABASE require.
func (s *server) execute(ctx context.Context, statement string) error {
	conn, err := pgx.Connect(ctx, s.DSN("postgres"))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, statement)
	return err
}
