package contract

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/ingest"
	"razao/internal/store/registry"
	"razao/internal/testing/contract"
	"razao/internal/testing/fixture"
	"razao/internal/testing/fixture/sourcefiles"
	"razao/internal/testing/pgtest"
	"razao/internal/testing/program"
	"razao/lab/internal/built"
)

func TestMain(m *testing.M) { built.Main(m) }

// TestContract runs the contract scripts against the built program, which does its own loading.
// Scripts without a do step share a server, each with its own account.
func TestContract(t *testing.T) {
	t.Parallel()
	loaded := loadContract(t)
	shared := loaded.serve(t)
	contract.Run(t, func(t *testing.T, s contract.Script) contract.Target {
		if s.Changes {
			// Scripts break records in PostgreSQL, and expect that to be noticed.
			return loaded.serve(t, "RAZAO_RECORD_FILES=false").target(s)
		}
		return (&contractServer{shared.In(t), shared.pool, shared.release}).target(s)
	})
}

// contractLoad is what the program made of the invented release and the records of every source.
type contractLoad struct {
	release  string // folder of its files
	database *pgtest.Template
	data     string // folder
}

// contractServer is the program, serving a copy of them.
type contractServer struct {
	*program.Program
	pool    *pgxpool.Pool
	release string
}

func loadContract(t *testing.T) *contractLoad {
	t.Helper()
	l := &contractLoad{release: filepath.Join(t.TempDir(), fixture.Month)}
	fixture.Write(t, l.release)
	l.database = pgtest.NewTemplate(t, func(database *pgxpool.Pool) {
		p, pool := built.On(t, database.Config().ConnString())
		defer pool.Close()
		s := &contractServer{p, pool, l.release}
		p.Must("migrate")
		s.ingest(registry.Receita, "")
		for _, id := range ingest.SourceIDs() {
			s.ingest(id, sourcefiles.Period(id))
		}
		l.data = p.Data
	})
	return l
}

func (l *contractLoad) serve(t *testing.T, more ...string) *contractServer {
	t.Helper()
	p, pool := built.On(t, l.database.DSN(t), append([]string{"RAZAO_IP_REQUESTS=0"}, more...)...)
	if err := os.CopyFS(p.Data, os.DirFS(l.data)); err != nil {
		t.Fatal(err)
	}
	p.Start("serve")
	return &contractServer{p, pool, l.release}
}

// ingest loads the release or the records of a source, few as they are, and again if they are loaded.
func (s *contractServer) ingest(source, period string) {
	s.T.Helper()
	if source == registry.Receita {
		s.Must("ingest", source, "--from", s.release, "--month", fixture.Month, "--whole", "--force")
		return
	}
	s.Must("ingest", source, "--from", sourcefiles.Folder(s.T, source), "--period", period, "--force")
}

func (s *contractServer) target(script contract.Script) contract.Target {
	s.T.Helper()
	account := strings.TrimSuffix(script.Name, ".txt") + "@exemplo.com.br"
	key := func(name string) string {
		return strings.TrimSpace(s.Must("keys", "create", "--account", account, "--name", name))
	}
	target := contract.Target{URL: "http://" + s.Addr, Key: key("boa"), Revoked: key("revogada"), Load: s.loadAgain, Drop: s.loseRecords}
	list := strings.Split(strings.TrimSpace(s.Must("keys", "list", "--account", account)), "\n")
	id, _, _ := strings.Cut(list[len(list)-1], " ") // the newest
	s.Must("keys", "revoke", id)
	return target
}

// loadAgain loads beside the running server and waits until it serves what was published: a load of companies is followed by one that links
// loans to them.
func (s *contractServer) loadAgain(source, period string) {
	s.T.Helper()
	s.ingest(source, period)
	published, err := registry.NewStore(s.pool).CurrentID(s.T.Context())
	if err != nil {
		s.T.Fatal(err)
	}
	fixture.Wait(s.T, "the server to notice the load of "+source, func() bool {
		_, now := s.Get("/health", "")
		return strings.Contains(now, fmt.Sprintf(`"fotografia":"%d"`, published))
	})
}

func (s *contractServer) loseRecords(source string) {
	s.T.Helper()
	loads, err := registry.NewStore(s.pool).Loads(s.T.Context())
	if err != nil {
		s.T.Fatal(err)
	}
	for _, l := range loads {
		if l.Source != source || !l.Active {
			continue
		}
		if _, err := s.pool.Exec(s.T.Context(), fmt.Sprintf("DROP TABLE load_%06d.record", l.ID)); err != nil {
			s.T.Fatal(err)
		}
	}
}
