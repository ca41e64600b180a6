package pgtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
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
	lastingPrefix  = "razao_lasting_" // followed by the pid of its maker's backend
)

// server is where test databases are created.
type server struct {
	admin    string                   // DSN of a database that always exists
	dsn      func(name string) string // DSN of another one
	template string                   // name of the migrated template
	folder   string                   // for files that last until the process ends
	slot     *os.File                 // flock on the cluster; nil for an outside server

	backend  uint32    // backend pid of alive
	alive    *pgx.Conn // open while this process lives, which is how others see that it does
	strategy string    // clause of CREATE DATABASE; "" for the default
}

// newServer returns the server that the environment names, or starts one on a free slot.
func newServer(ctx context.Context) (*server, error) {
	if dsn := os.Getenv("RAZAO_TEST_DATABASE_URL"); dsn != "" {
		return outsideServer(ctx, dsn)
	}
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
	srv := &server{admin: local.DSN("postgres"), dsn: local.DSN, slot: slot, folder: filepath.Join(dir, "files")}
	if err := errors.Join(srv.dropLeftovers(ctx), srv.live(ctx), os.RemoveAll(srv.folder)); err != nil {
		return nil, errors.Join(err, local.Close(), slot.Close())
	}
	return srv, nil
}

// outsideServer returns a server that other processes may be using at the same time.
func outsideServer(ctx context.Context, dsn string) (*server, error) {
	srv := &server{
		admin: dsn, dsn: func(name string) string { return withDatabase(dsn, name) },
		folder: filepath.Join(os.TempDir(), "razao-test-"+strconv.Itoa(os.Getpid())),
	}
	if err := srv.live(ctx); err != nil {
		return nil, err
	}
	return srv, srv.dropAbandoned(ctx)
}

// live opens the connection whose backend pid is part of the names of lasting databases, and
// chooses how databases are copied.
func (s *server) live(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, s.admin)
	if err != nil {
		return err
	}
	s.alive, s.backend = conn, conn.PgConn().PID()
	var version int
	if err := conn.QueryRow(ctx, "SELECT current_setting('server_version_num')::int").Scan(&version); err != nil {
		return err
	}
	if version >= 150000 { // older versions know only this strategy
		s.strategy = " STRATEGY file_copy" // half the time of wal_log, which logs every page
	}
	return nil
}

// dropAbandoned drops lasting databases whose makers have gone: their backend pid no longer exists.
func (s *server) dropAbandoned(ctx context.Context) error {
	rows, err := s.alive.Query(ctx, `SELECT datname FROM pg_database WHERE starts_with(datname, $1)
		AND split_part(datname, '_', 3) NOT IN (SELECT pid::text FROM pg_stat_activity)`, lastingPrefix)
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, name := range names {
		// IF EXISTS: another process may be doing the same.
		if _, err := s.alive.Exec(ctx, "DROP DATABASE IF EXISTS "+quoted(name)+" WITH (FORCE)"); err != nil {
			return fmt.Errorf("drop the abandoned %s: %w", name, err)
		}
	}
	return nil
}

// withDatabase returns dsn with another database, whichever of the two forms it has.
func withDatabase(dsn, name string) string {
	u, err := url.Parse(dsn)
	if err != nil || u.Scheme == "" {
		return dsn + " dbname=" + name // the last one counts
	}
	u.Path = "/" + name
	return u.String()
}

// with returns dsn with another value of a parameter.
func with(dsn, key, value string) string {
	u, err := url.Parse(dsn)
	if err != nil || u.Scheme == "" {
		return dsn + " " + key + "=" + value // the last one counts
	}
	parameters := u.Query()
	parameters.Set(key, value)
	u.RawQuery = parameters.Encode()
	return u.String()
}

// temporary returns the folder for clusters: /dev/shm if it has room, because copying a database
// creates hundreds of files, which takes 25 ms there and 150 ms on a disk.
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

// dropLeftovers drops the databases of test processes that were killed, and templates of other
// migrations.
func (s *server) dropLeftovers(ctx context.Context) error {
	template, err := templateName()
	if err != nil {
		return err
	}
	names, err := s.databases(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		if name == template {
			continue
		}
		if err := s.execute(ctx, "DROP DATABASE "+quoted(name)+" WITH (FORCE)"); err != nil {
			return fmt.Errorf("drop the leftover %s: %w", name, err)
		}
	}
	return nil
}

// databases returns the names of all test databases and templates.
func (s *server) databases(ctx context.Context) ([]string, error) {
	conn, err := pgx.Connect(ctx, s.admin)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(ctx) }()
	rows, err := conn.Query(ctx, `SELECT datname FROM pg_database
		WHERE starts_with(datname, $1) OR starts_with(datname, $2) OR starts_with(datname, $3)`,
		databasePrefix, templatePrefix, lastingPrefix)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// prepareTemplate creates the migrated template if it is missing. An advisory lock lets one process
// do it while others wait.
func (s *server) prepareTemplate(ctx context.Context) error {
	name, err := templateName()
	if err != nil {
		return err
	}
	s.template = name
	conn, err := pgx.Connect(ctx, s.admin)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(hashtext($1))", name); err != nil {
		return err
	}
	var exists bool
	if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", name).Scan(&exists); err != nil {
		return err
	}
	if exists {
		return nil
	}
	// The template gets its name only when it is complete, in case this process is killed.
	unfinished := name + "_new"
	if _, err := conn.Exec(ctx, "DROP DATABASE IF EXISTS "+quoted(unfinished)+" WITH (FORCE)"); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+quoted(unfinished)); err != nil {
		return err
	}
	if err := migrations.Up(ctx, s.dsn(unfinished)); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "ALTER DATABASE "+quoted(unfinished)+" RENAME TO "+quoted(name))
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
	conn, err := pgx.Connect(ctx, s.admin)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, statement)
	return err
}
