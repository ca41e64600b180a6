//go:build cgo

// These tests ask DuckDB the questions of docs/analysis.md. DuckDB is a C++ library, so this is the one
// package that needs cgo; they import nothing of the product, which would all be compiled for cgo once more.
package analysis

import (
	"database/sql"
	"encoding/csv"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "github.com/duckdb/duckdb-go/v2" // registers itself as "duckdb"
)

// site is the program, serving the invented release.
type site struct {
	t    *testing.T
	data string
	addr string
}

// command prepares a command of the program.
func (s *site) command(args ...string) *exec.Cmd {
	s.t.Helper()
	binary := os.Getenv("RAZAO_BINARY")
	if binary == "" {
		s.t.Fatal("RAZAO_BINARY does not name the program: make build")
	}
	cmd := exec.CommandContext(s.t.Context(), binary, args...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(entry string) bool { return strings.HasPrefix(entry, "RAZAO_") })
	cmd.Env = append(cmd.Env, "RAZAO_DATA="+s.data, "RAZAO_ADDR="+s.addr, "RAZAO_PRIVATE_ADDR=")
	return cmd
}

// start loads and serves the invented release.
func start(t *testing.T) *site {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts the program")
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t, filepath.Join(t.TempDir(), "data"), free.Addr().String()}
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	serving := s.command("up", "--roots", "3000")
	serving.Cancel = func() error { return serving.Process.Signal(os.Interrupt) }
	var log strings.Builder
	serving.Stderr = &log
	if err := serving.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = serving.Wait(); close(ended) }()
	t.Cleanup(func() { // the context of the test has ended, so the program stops
		if <-ended; t.Failed() {
			t.Logf("razao up: %v\n%s", serving.ProcessState, &log)
		}
	})
	for range 600 {
		if res, err := http.Get("http://" + s.addr + "/municipios.csv"); err == nil {
			_ = res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return s
			}
		}
		select {
		case <-ended:
			t.Fatal("the program has ended")
		case <-time.After(200 * time.Millisecond):
		}
	}
	t.Fatal("the program does not serve")
	return nil
}

// table returns the rows of a table of the website, by column.
func (s *site) table(path string) (rows []map[string]string) {
	s.t.Helper()
	res, err := http.Get("http://" + s.addr + path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	lines, err := csv.NewReader(res.Body).ReadAll()
	if err != nil || res.StatusCode != http.StatusOK {
		s.t.Fatalf("%s: %d, %v", path, res.StatusCode, err)
	}
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, value := range line {
			row[lines[0][i]] = value
		}
		rows = append(rows, row)
	}
	return rows
}

var questionBlock = regexp.MustCompile("(?s)```sql\n(.*?)```")

// questions returns the SQL of the document.
func questions(t *testing.T) (all []string) {
	t.Helper()
	document, err := os.ReadFile("../../docs/analysis.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, match := range questionBlock.FindAllStringSubmatch(string(document), -1) {
		all = append(all, strings.Split(match[1], "\n\n")...)
	}
	if len(all) != 8 {
		t.Fatalf("the document has %d questions", len(all))
	}
	return all
}

// answers returns the rows of a question, as text.
func answers(t *testing.T, db *sql.DB, query string) (rows [][]string) {
	t.Helper()
	found, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatalf("%v\n%s", err, query)
	}
	defer func() { _ = found.Close() }()
	columns, err := found.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for found.Next() {
		values, to := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			to[i] = &values[i]
		}
		if err := found.Scan(to...); err != nil {
			t.Fatal(err)
		}
		row := make([]string, len(columns))
		for i, value := range values {
			row[i] = fmt.Sprint(value)
		}
		rows = append(rows, row)
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestQuestions exports the invented release, asks every question of the document, and compares the first three
// with the website.
func TestQuestions(t *testing.T) {
	s := start(t)
	folder := filepath.Join(t.TempDir(), "export")
	if out, err := s.command("export", folder).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	queries := questions(t)
	t.Chdir(folder)
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var all [][][]string
	for i, query := range queries {
		all = append(all, answers(t, db, query))
		if len(all[i]) == 0 {
			t.Errorf("question %d has no answer", i+1)
		}
	}
	places := s.table("/municipios.csv")
	checkStates(t, all[0], places)
	checkMunicipalities(t, all[1], places)
	checkCohorts(t, all[2], s.table("/uf/sp/coortes.csv"))
}

// checkStates compares the active establishments of each state with the sums of its municipalities. Those
// abroad are in no municipality.
func checkStates(t *testing.T, got [][]string, places []map[string]string) {
	t.Helper()
	want := map[string]int{}
	for _, place := range places {
		n, err := strconv.Atoi(place["estabelecimentos_ativos"])
		if err != nil {
			t.Fatal(err)
		}
		want[place["uf"]] += n
	}
	for _, row := range got {
		if row[0] != "EX" && strconv.Itoa(want[row[0]]) != row[1] {
			t.Errorf("%s has %s active establishments, the website %d", row[0], row[1], want[row[0]])
		}
	}
	if len(got) < 20 {
		t.Errorf("%d states", len(got))
	}
}

// checkMunicipalities compares companies and capital of each municipality with the ranking.
func checkMunicipalities(t *testing.T, got [][]string, places []map[string]string) {
	t.Helper()
	of := map[string]map[string]string{}
	for _, place := range places {
		of[place["codigo_municipio_ibge"]] = place
	}
	compared := 0
	for _, row := range got {
		place := of[row[2]]
		if place == nil { // abroad
			continue
		}
		compared++
		capital, err := strconv.ParseFloat(row[4], 64)
		published, wrong := strconv.ParseFloat(place["capital_social_publicado"], 64)
		if err != nil || wrong != nil || place["empresas_ativas"] != row[3] || capital != published {
			t.Errorf("%v, the website says %v; %v", row, place, err)
		}
	}
	if compared < 100 {
		t.Errorf("%d municipalities", compared)
	}
}

// checkCohorts compares openings by year, and what is active of them.
func checkCohorts(t *testing.T, got [][]string, years []map[string]string) {
	t.Helper()
	of := map[string][]string{}
	for _, row := range got {
		of[row[0]] = row
	}
	for _, year := range years {
		row := of[year["ano"]]
		if row == nil && year["abertos"] == "0" {
			continue
		}
		if row == nil || row[1] != year["abertos"] || row[2] != year["ativos"] {
			t.Errorf("%v, the website says %v", row, year)
		}
	}
	if len(years) < 10 {
		t.Errorf("%d years", len(years))
	}
}
