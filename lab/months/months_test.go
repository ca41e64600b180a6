package months

import (
	"encoding/csv"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/ingest/receita"
	"razao/internal/data/cnpj"
	"razao/internal/data/territory"
	"razao/internal/store/registry"
	"razao/internal/store/registry/history"
	"razao/internal/testing/fixture"
	"razao/internal/testing/program"
	"razao/internal/web/fetch/fetchtest"
	"razao/lab/internal/built"
)

func TestMain(m *testing.M) { built.Main(m) }

// What TestMonths goes through when the environment says nothing else; `make months` does.
const (
	fewMonths = 4
	fewRoots  = 2000
)

// steadyMonth is the month whose disk usage later ones are held to: from the second one on there is a former load beside that in
// service, and in the third PostgreSQL has begun to use the room again that deleted loads leave.
const steadyMonth = 3

// TestMonths lets months follow each other in one data folder, below a server that runs all the time, with two rollbacks in
// between. Of every company the program must say each month that it changed if and only if it was changed, and how; and a month
// must not take more disk than the one before, companies for companies.
func TestMonths(t *testing.T) {
	t.Parallel()
	months, roots := numberFrom(t, "RAZAO_MONTHS", fewMonths), numberFrom(t, "RAZAO_MONTHS_ROOTS", fewRoots)
	if months < fewMonths {
		t.Fatalf("RAZAO_MONTHS=%d: in fewer than %d there is nothing to compare", months, fewMonths)
	}
	y := newYears(t, roots)
	y.begin()
	stopAsking := y.ask()
	defer stopAsking()
	for n := 2; n <= months; n++ {
		y.next(n)
		if n == months/2 || n == months {
			y.goBackAndForth()
		}
		y.measure()
	}
	stopAsking()
	y.checkDisk()
	t.Logf("asked meanwhile: %d times for a page and a search", y.asked)
}

// numberFrom returns a number from the environment.
func numberFrom(t *testing.T, name string, unset int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return unset
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s=%q is not a number of at least 1", name, text)
	}
	return n
}

// month is one of those that follow each other.
type month struct {
	name    string      // AAAA-MM
	dir     string      // of its files
	load    int64       // of its companies
	planted []string    // rows of MUDANCAS.csv after the month, as the records have their columns
	roots   []cnpj.Root // whose records were changed, rising
	removed []cnpj.Root // that the release no longer has
	disk    disk
}

// years is a data folder in which months follow each other.
type years struct {
	t      *testing.T
	p      *program.Program
	site   *fetchtest.Site // the share of the tax authority
	pool   *pgxpool.Pool
	store  *registry.Store
	atlas  *territory.Atlas
	number string // of a company that is there all the time
	months []*month
	at     history.Position // of a reader who comes after each month
	server *program.Server
	asked  int // how often, while all that happened
}

// newYears writes the first month. It and those that follow pass for published releases: what the share of the tax authority
// has is nowhere marked as invented, and releases of both kinds are not compared.
func newYears(t *testing.T, roots int) *years {
	t.Helper()
	y := &years{t: t, p: built.New(t, "RAZAO_IP_REQUESTS=0"), site: fetchtest.NewSite(t, nil)}
	y.p.Settings = append(y.p.Settings, "RAZAO_RECEITA_URL="+y.site.URL+"/share/")
	var err error
	if y.atlas, err = territory.Open(); err != nil {
		t.Fatal(err)
	}
	y.write("--roots", strconv.Itoa(roots), "--month", "2026-06") // roots with letters begin two months later
	return y
}

// write writes the files of a month.
func (y *years) write(args ...string) *month {
	y.t.Helper()
	m := &month{dir: y.t.TempDir()}
	y.p.Must(append([]string{"sample", "--out", m.dir}, args...)...)
	found, err := filepath.Glob(filepath.Join(m.dir, "receita", "*", receita.FictionalMark))
	if err != nil || len(found) != 1 {
		y.t.Fatalf("marks %v, %v", found, err)
	}
	if err := os.Remove(found[0]); err != nil {
		y.t.Fatal(err)
	}
	m.name = filepath.Base(filepath.Dir(found[0]))
	y.months = append(y.months, m)
	return m
}

func (y *years) now() *month { return y.months[len(y.months)-1] }

// begin loads the first month and starts the server. That nothing is known to have changed yet is checked as in the others.
func (y *years) begin() {
	y.t.Helper()
	p, m := y.p, y.now()
	p.Must("migrate")
	p.Must("ingest", "receita", "--force", "--from", filepath.Join(m.dir, "receita")) // smaller than the country
	p.Must("ingest", "all", "--from", m.dir)
	y.server = p.Start("serve")

	config, err := pgxpool.ParseConfig("host=" + filepath.Join(p.Data, "postgres/cluster") + " user=razao dbname=razao")
	if err != nil {
		y.t.Fatal(err)
	}
	config.MaxConns = 4
	if y.pool, err = pgxpool.NewWithConfig(y.t.Context(), config); err != nil {
		y.t.Fatal(err)
	}
	y.t.Cleanup(y.pool.Close)
	y.store = registry.NewStore(y.pool)
	y.number = p.Suggestions()[0]
	m.load = y.served(m)
	y.check(1, false)
	y.measure()
}

// ask asks the server for a company and a search, fifty times a second, until stop is called. None may fail.
func (y *years) ask() (stop func()) {
	stopped := make(chan struct{})
	var asking sync.WaitGroup
	asking.Go(func() {
		pace := time.NewTicker(20 * time.Millisecond)
		defer pace.Stop()
		for {
			select {
			case <-stopped:
				return
			case <-pace.C:
			}
			for _, path := range []string{"/" + y.number, "/busca?q=ltda"} {
				if status, body := y.p.Get(path, ""); status != 200 {
					y.t.Errorf("%s: %d %.300s", path, status, body)
					return
				}
			}
			y.asked++
		}
	})
	return sync.OnceFunc(func() { close(stopped); asking.Wait() })
}

// next writes the month that follows, loads it, in even months from the share, and checks what is said to have changed.
func (y *years) next(n int) {
	y.t.Helper()
	m := y.write("--previous", y.now().dir)
	y.readPlanted(m)
	if n > 2 {
		if err := os.RemoveAll(y.months[n-3].dir); err != nil {
			y.t.Fatal(err)
		}
	}
	if n%2 == 0 {
		y.site.PutZips(y.t, "share/", filepath.Join(m.dir, "receita"))
		if out := y.p.Must("update", "--only", "receita"); !regexp.MustCompile(`(?m)^receita .* ` + m.name + ` .* loaded`).MatchString(out) {
			y.t.Errorf("an update from the share says\n%s", out)
		}
	}
	out := y.p.Must("ingest", "all", "--from", m.dir)
	if want := "receita " + m.name + " is already current"; strings.Contains(out, want) != (n%2 == 0) {
		y.t.Errorf("%s, loaded from the share: %t; ingest all says\n%s", m.name, n%2 == 0, out)
	}
	m.load = y.served(m)
	y.check(n, false)
}

// served waits until the server serves a month, and returns its load.
func (y *years) served(m *month) int64 {
	y.t.Helper()
	fixture.Wait(y.t, m.name+" to be served", func() bool {
		_, body := y.p.Get("/v2/fontes", "")
		return strings.Contains(body, `"competencia":"`+m.name+`","fotografia"`)
	})
	var id int64
	const query = `SELECT load_id FROM snapshot_load JOIN current_snapshot USING (snapshot_id) WHERE source = 'receita'`
	if err := y.pool.QueryRow(y.t.Context(), query).Scan(&id); err != nil {
		y.t.Fatal(err)
	}
	return id
}

// goBackAndForth rolls the companies back to the former month and puts the newest in service again.
func (y *years) goBackAndForth() {
	y.t.Helper()
	n := len(y.months)
	m, former := y.months[n-1], y.months[n-2]
	if out := y.p.Must("loads", "rollback", "receita"); !strings.Contains(out, fmt.Sprintf("load %d: receita %s", former.load, former.name)) {
		y.t.Errorf("rollback to %s says %q", former.name, out)
	}
	if id := y.served(former); id != former.load {
		y.t.Errorf("after the rollback load %d is served, want %d", id, former.load)
	}
	y.check(n-1, true)
	y.p.Must("loads", "activate", strconv.FormatInt(m.load, 10))
	if id := y.served(m); id != m.load {
		y.t.Errorf("forward again load %d is served, want %d", id, m.load)
	}
	y.check(n, true)
}

// disk is what a month has left on disk.
type disk struct {
	companies int
	bytes     map[string]int64 // of the database without what grows by design, of that (change, history), of WAL, and of the parts outside PostgreSQL
	files     map[string]int   // of these: index, download, work, log (of PostgreSQL), other
	schemas   int              // of loads
	snapshots int
}

// measure notes what is on disk. VACUUM and a checkpoint stand for the month that goes by: autovacuum comes every minute, and a
// checkpoint, which deletes the files of dropped tables, every fifteen.
func (y *years) measure() {
	y.t.Helper()
	for _, statement := range []string{"VACUUM", "CHECKPOINT"} {
		if _, err := y.pool.Exec(y.t.Context(), statement); err != nil {
			y.t.Fatal(err)
		}
	}
	d := &y.now().disk
	d.bytes, d.files = map[string]int64{}, map[string]int{}
	number := func(query string) (n int64) {
		y.t.Helper()
		if err := y.pool.QueryRow(y.t.Context(), query).Scan(&n); err != nil {
			y.t.Fatalf("%s: %v", query, err)
		}
		return n
	}
	const ofLoads = ` FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname LIKE 'load\_%'`
	d.companies = int(number(`SELECT (counts->>'empresas')::bigint FROM load WHERE id = ` + strconv.FormatInt(y.now().load, 10)))
	d.bytes["change"] = number(`SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint` + ofLoads + ` AND relname = 'change'`)
	d.bytes["history"] = number(`SELECT sum(pg_total_relation_size(c.oid))::bigint FROM pg_class c WHERE relname LIKE 'history%' AND relkind = 'r'`)
	d.bytes["database"] = number(`SELECT pg_database_size(current_database())`) - d.bytes["change"] - d.bytes["history"]
	d.bytes["wal"] = number(`SELECT sum(size)::bigint FROM pg_ls_waldir()`)
	d.schemas = int(number(`SELECT count(DISTINCT n.oid)` + ofLoads))
	d.snapshots = int(number(`SELECT count(*) FROM snapshot`))
	y.addFiles(d)
	y.t.Logf("%s: %d companies, %d of them changed in %d ways; on disk %+v", y.now().name, d.companies, len(y.now().roots), len(y.now().planted), *d)
}

// addFiles counts the files of the data folder.
func (y *years) addFiles(d *disk) {
	y.t.Helper()
	err := filepath.WalkDir(y.p.Data, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			if e != nil && e.Name() == "cluster" {
				return fs.SkipDir
			}
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		part := strings.Split(strings.TrimPrefix(path, y.p.Data+string(filepath.Separator)), string(filepath.Separator))[0]
		switch part {
		case "postgres":
			part = "log"
		case "index", "download", "work":
		default:
			part = "other"
		}
		d.files[part]++
		d.bytes[part] += info.Size()
		return nil
	})
	if err != nil {
		y.t.Fatal(err)
	}
}

// checkDisk holds the months to the steady one. What grows by design is not: a row of change for each company that has changed
// since the beginning, counted by check, the history, and the rows that say what loads there were.
func (y *years) checkDisk() {
	y.t.Helper()
	const most = 1.05 // of the bytes for a company
	steady := &y.months[steadyMonth-1].disk
	for _, m := range y.months[steadyMonth:] {
		d := &m.disk
		for _, part := range []string{"database", "index", "download"} {
			is, was := float64(d.bytes[part])/float64(d.companies), float64(steady.bytes[part])/float64(steady.companies)
			if is > most*was || was == 0 {
				y.t.Errorf("%s: %s has %.1f bytes a company, in month %d %.1f", m.name, part, is, steadyMonth, was)
			}
		}
		if limit := max(steady.bytes["wal"], 96<<20); d.bytes["wal"] > limit { // min_wal_size is 80 MB
			y.t.Errorf("%s: %d bytes of WAL", m.name, d.bytes["wal"])
		}
		for _, part := range []string{"download", "work", "other", "log"} {
			if d.files[part] != steady.files[part] {
				y.t.Errorf("%s: %d files of %s, in month %d %d", m.name, d.files[part], part, steadyMonth, steady.files[part])
			}
		}
		if d.bytes["other"] > 128 { // the secret, and the process id in a lock
			y.t.Errorf("%s: other files have %d bytes", m.name, d.bytes["other"])
		}
		// Two loads of every source are kept, and the operations of BNDES as they are linked to either release.
		if sources := 15; d.schemas > 2*sources+1 || d.snapshots > 2*sources+2 {
			y.t.Errorf("%s: %d schemas of loads, %d snapshots", m.name, d.schemas, d.snapshots)
		}
	}
}

// readPlanted reads the list of changes of a month.
func (y *years) readPlanted(m *month) {
	y.t.Helper()
	f, err := os.Open(filepath.Join(m.dir, "receita", m.name, "MUDANCAS.csv"))
	if err != nil {
		y.t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	reader := csv.NewReader(f)
	reader.Comma = ';'
	rows, err := reader.ReadAll()
	if err != nil || len(rows) < 2 {
		y.t.Fatalf("%d rows of changes: %v", len(rows), err)
	}
	m.plant(y.t, rows[1:])
}
