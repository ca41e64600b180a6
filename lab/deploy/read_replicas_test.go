package deploy

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/store/database"
	"razao/internal/store/registry"
	"razao/internal/testing/fixture"
	"razao/lab/internal/chaos"
	"razao/migrations"
)

// streaming is a primary with two replicas, all of them PostgreSQL.
type streaming struct {
	*testing.T
	primary  *chaos.Postgres
	replicas [2]*chaos.Postgres
}

func newStreaming(t *testing.T) *streaming {
	t.Helper()
	s := &streaming{T: t, primary: chaos.NewPostgres(t, chaos.SharedFolder(t))}
	if err := migrations.Up(t.Context(), chaos.DSN(s.primary.Addr())); err != nil {
		t.Fatal(err)
	}
	for i := range s.replicas {
		s.replicas[i] = s.primary.Replica(fmt.Sprint("replica", i))
	}
	return s
}

func (s *streaming) connect(p *chaos.Postgres) *pgxpool.Pool {
	s.Helper()
	pool, err := pgxpool.New(s.Context(), chaos.DSN(p.Addr()))
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(pool.Close)
	return pool
}

// exec runs a statement on a server.
func (s *streaming) exec(p *chaos.Postgres, statement string) {
	s.Helper()
	if _, err := s.connect(p).Exec(s.Context(), statement); err != nil {
		s.Fatal(err)
	}
}

// publish publishes a snapshot without loads and returns its id. The running replicas among have
// replay it before it returns.
func (s *streaming) publish(have ...*chaos.Postgres) int64 {
	s.Helper()
	id, err := registry.NewStore(s.connect(s.primary)).Publish(s.Context(), nil, "")
	if err != nil {
		s.Fatal(err)
	}
	for _, p := range have {
		store := registry.NewStore(s.connect(p))
		fixture.Wait(s.T, "a replica to replay", func() bool {
			has, err := store.CurrentID(s.Context())
			return err == nil && has == id
		})
	}
	return id
}

// connections is the size of the pools.
const connections = 4

// options are those of a database that reads from hosts in this order.
func (s *streaming) options(attributes string, hosts ...*chaos.Postgres) database.Options {
	var list []string
	for _, h := range hosts {
		list = append(list, h.Addr())
	}
	return database.Options{
		DSN: chaos.DSN(s.primary.Addr()), Setting: "TEST", Command: "test", Connections: connections, Log: slog.New(slog.DiscardHandler),
		Look: func(context.Context, string) error { return nil },
		Read: &database.Reading{DSN: chaos.DSN(strings.Join(list, ",")) + attributes, Setting: "TEST_READ", Reached: registry.Reached},
	}
}

// open opens such a database. asked counts how often a server was asked what it has reached.
func (s *streaming) open(attributes string, hosts ...*chaos.Postgres) (db *database.DB, asked *asking) {
	s.Helper()
	asked = &asking{n: map[string]int{}}
	o := s.options(attributes, hosts...)
	o.Read.Reached = asked.reached
	db, err := database.Open(s.Context(), o)
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(db.Close)
	return db, asked
}

// asking counts the questions to servers, by address.
type asking struct {
	mu sync.Mutex
	n  map[string]int
}

func (a *asking) reached(ctx context.Context, conn *pgconn.PgConn) (int64, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.n[conn.Conn().RemoteAddr().String()]++
	return registry.Reached(ctx, conn)
}

func (a *asking) total(p *chaos.Postgres) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.n[p.Addr()]
}

// from checks that questions are answered, all of them by one server.
func (s *streaming) from(what string, db *database.DB, want *chaos.Postgres) {
	s.Helper()
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			var port int
			err := db.Pool.QueryRow(s.Context(), `SELECT inet_server_port()`).Scan(&port)
			if got := net.JoinHostPort("127.0.0.1", fmt.Sprint(port)); err != nil || got != want.Addr() {
				s.Errorf("%s: from %s, want %s, %v", what, got, want.Addr(), err)
			}
		})
	}
	all.Wait()
}

// reach requires an id; ok says whether a server must have it.
func (s *streaming) reach(db *database.DB, id, inService int64, ok bool) {
	s.Helper()
	if err := db.Replicas.Reach(s.Context(), id, inService); (err == nil) != ok {
		s.Errorf("reach %d: %v, want success: %v", id, err, ok)
	}
}

// TestReplicas shares one primary with two replicas among its parts, which is what takes the time.
func TestReplicas(t *testing.T) {
	t.Parallel()
	s := newStreaming(t)
	for name, test := range map[string]func(*streaming){
		"lagging are not read": laggingAreNotRead, "no herd when all lag": noHerdWhenAllLag,
		"primary is the last resort": primaryIsTheLastResort, "readable at the start": readableAtTheStart,
	} {
		t.Run(name, func(t *testing.T) {
			part := *s
			part.T = t
			test(&part)
			for _, r := range s.replicas {
				r.Start()
				part.exec(r, resume)
			}
		})
	}
}

const (
	pause  = `SELECT pg_wal_replay_pause()`
	resume = `SELECT pg_wal_replay_resume()`
)

// laggingAreNotRead pauses the first of two replicas, then both, and kills one.
func laggingAreNotRead(s *streaming) {
	first, second := s.replicas[0], s.replicas[1]
	one := s.publish(first, second)
	db, asked := s.open("", first, second)
	s.reach(db, one, 0, true)
	s.from("both have it", db, first)
	before := asked.total(first)
	s.from("both have it", db, first)
	s.reach(db, one, one, true)
	if now := asked.total(first); now > before+connections {
		s.Errorf("a replica that is known to have it was asked %d times more", now-before)
	}

	s.exec(first, pause)
	two := s.publish(second)
	s.from("before it is required", db, first)
	s.reach(db, two, one, true)
	s.from("the first lags", db, second)

	s.exec(second, pause)
	three := s.publish()
	s.reach(db, three, two, false)
	s.from("both lag", db, second) // which has what is in service
	s.reach(db, three, two, false)

	s.exec(first, resume)
	s.publish(first)
	s.reach(db, three, two, true)
	s.from("the first has caught up", db, first)

	first.Stop(syscall.SIGQUIT)
	s.exec(second, resume)
	s.publish(second)
	fixture.Wait(s.T, "connections to the dead replica to be noticed", func() bool { return db.Pool.Ping(s.Context()) == nil })
	s.from("the first is dead", db, second)
	s.reach(db, three, three, true)
}

// noHerdWhenAllLag lets the one replica that has what is in service die. However many ask, the
// other is not asked again and again.
func noHerdWhenAllLag(s *streaming) {
	first, second := s.replicas[0], s.replicas[1]
	s.publish(first, second)
	s.exec(second, pause)
	two := s.publish(first)
	db, asked := s.open("", first, second)
	s.reach(db, two, 0, true)
	s.from("the second lags", db, first)
	first.Stop(syscall.SIGQUIT)
	const calls = 2000
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			for range calls / 10 {
				if err := db.Pool.Ping(s.Context()); err == nil {
					s.Error("a replica that lags is read")
				}
			}
		})
	}
	all.Wait()
	if n := asked.total(second); n > calls/10 {
		s.Errorf("%d calls asked the replica that lags %d times", calls, n)
	}
	s.reach(db, two, two, false)
	s.exec(second, resume)
	fixture.Wait(s.T, "the replica to be read again", func() bool { return db.Pool.Ping(s.Context()) == nil })
	s.from("it has caught up", db, second)
}

// primaryIsTheLastResort lists it behind a replica, also as what is preferred least.
func primaryIsTheLastResort(s *streaming) {
	replica := s.replicas[0]
	one := s.publish(replica)
	listed, _ := s.open("", replica, s.primary)
	preferred, _ := s.open("&target_session_attrs=prefer-standby", s.primary, replica)
	standby, _ := s.open("&target_session_attrs=standby", s.primary, replica)
	for _, db := range []*database.DB{listed, preferred, standby} {
		s.reach(db, one, 0, true)
		s.from("the replica has it", db, replica)
	}
	s.exec(replica, pause)
	two := s.publish()
	for _, db := range []*database.DB{listed, preferred} {
		s.reach(db, two, one, true)
		s.from("the replica lags", db, s.primary)
	}
	s.reach(standby, two, one, false)
	s.from("no standby has it", standby, replica)
}

// readableAtTheStart opens a database whose replicas are down.
func readableAtTheStart(s *streaming) {
	for _, r := range s.replicas {
		r.Stop(syscall.SIGQUIT)
	}
	o := s.options("", s.replicas[:]...)
	if _, err := database.Open(s.Context(), o); err == nil || !strings.Contains(err.Error(), o.Read.Setting) {
		s.Errorf("got %v", err)
	}
}
