package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"razao/index"
)

const (
	rowsAtOnce    = 500 // of one INSERT
	longestAnswer = 1 << 20
)

// sqlite is the sqlite3 program at work on one database, spoken to through pipes: a statement on a line, and its answer
// ends with the line in which the program says how long it took.
type sqlite struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Scanner
	errors *bytes.Buffer // what it said on standard error; complete when it has ended
}

func openSQLite(ctx context.Context, path string) (*sqlite, error) {
	s := &sqlite{cmd: exec.CommandContext(ctx, "sqlite3", "-batch", path), errors: &bytes.Buffer{}}
	s.cmd.Stderr = s.errors
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewScanner(out)
	s.out.Buffer(nil, longestAnswer)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	_, err = io.WriteString(s.in, ".bail on\n.timer on\n")
	return s, err
}

func (s *sqlite) close() error {
	_ = s.in.Close()
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("sqlite3: %w: %s", err, bytes.TrimSpace(s.errors.Bytes()))
	}
	return nil
}

// run sends one statement, without its semicolon, and returns its rows and the CPU time that sqlite3 gives for it. After
// an error the program has ended.
func (s *sqlite) run(statement string) (rows []string, cpu time.Duration, err error) {
	if _, err := io.WriteString(s.in, statement+";\n"); err != nil {
		return nil, 0, errors.Join(fmt.Errorf("sqlite3: %w", err), s.close())
	}
	for s.out.Scan() {
		if cpu, ok := parseTimer(s.out.Text()); ok {
			return rows, cpu, nil
		}
		rows = append(rows, s.out.Text())
	}
	return nil, 0, errors.Join(errors.New("sqlite3: it ended"), s.out.Err(), s.close())
}

// parseTimer reads a line such as "Run Time: real 0.001 user 0.000192 sys 0.000000" as the sum of the last two.
func parseTimer(line string) (cpu time.Duration, ok bool) {
	var wall, user, system float64
	if n, _ := fmt.Sscanf(line, "Run Time: real %f user %f sys %f", &wall, &user, &system); n != 3 {
		return 0, false
	}
	return time.Duration((user + system) * float64(time.Second)), true
}

func buildSQLite(ctx context.Context, f *folder, docs []index.Doc) (_ *built, missing []string, err error) {
	if _, err := exec.LookPath("sqlite3"); err != nil {
		return nil, []string{"the program sqlite3: apt-get install sqlite3, or the package of that name elsewhere"}, nil
	}
	say("side by side: SQLite")
	path := f.path("sqlite.db")
	if err := os.RemoveAll(path); err != nil { // of a former run
		return nil, nil, fmt.Errorf("former database of SQLite: %w", err)
	}
	start := time.Now()
	s, err := openSQLite(ctx, path)
	if err != nil {
		return nil, nil, fmt.Errorf("sqlite3: %w", err)
	}
	if err := s.fill(docs); err != nil {
		if strings.Contains(s.errors.String(), "no such module: fts5") {
			return nil, []string{"FTS5 in sqlite3: install a build that has it"}, nil
		}
		return nil, nil, err
	}
	e := &built{engine: s, name: "SQLite FTS5", wall: time.Since(start), close: s.close}
	if e.used, err = s.cpu(); err != nil {
		return nil, nil, errors.Join(err, s.close())
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, errors.Join(err, s.close())
	}
	e.bytes = info.Size()
	return e, nil, nil
}

// fill makes two tables, so that a word of a name does not find partners. Filters are words of the first one, and the
// number of a row is its rank: what comes first is most important.
func (s *sqlite) fill(docs []index.Doc) error {
	const options = `content='', detail=none, columnsize=0, tokenize='unicode61 remove_diacritics 0'`
	for _, statement := range []string{
		`PRAGMA journal_mode = off`, `PRAGMA synchronous = off`, `PRAGMA cache_size = -262144`, `PRAGMA mmap_size = 4294967296`,
		`CREATE VIRTUAL TABLE empresas USING fts5(palavras, prefix='1 2 3', ` + options + `)`,
		`CREATE VIRTUAL TABLE socios USING fts5(palavras, ` + options + `)`, `BEGIN`,
	} {
		if _, _, err := s.run(statement); err != nil {
			return err
		}
	}
	for first := 0; first < len(docs); first += rowsAtOnce {
		if err := s.insert(docs[first:min(first+rowsAtOnce, len(docs))], first+1); err != nil {
			return err
		}
	}
	for _, statement := range []string{
		`INSERT INTO empresas(empresas) VALUES ('optimize')`, `INSERT INTO socios(socios) VALUES ('optimize')`, `COMMIT`,
	} {
		if _, _, err := s.run(statement); err != nil {
			return err
		}
	}
	return nil
}

func (s *sqlite) insert(docs []index.Doc, rank int) error {
	var companies, partners strings.Builder
	for i := range docs {
		d := &docs[i]
		q := rivalQuery{filters: index.Filters{
			UF: d.UF, Municipio: d.Municipio, Situacao: d.SituacaoCadastral, Porte: d.PorteEmpresa, CNAE: d.CNAE,
		}}
		words := strings.Join(append(namesOf(d), q.filterWords()...), " ")
		fmt.Fprintf(&companies, "%c(%d,'%s')", separator(&companies), rank+i, words)
		if names := partnersOf(d); len(names) > 0 {
			fmt.Fprintf(&partners, "%c(%d,'%s')", separator(&partners), rank+i, strings.Join(names, " "))
		}
	}
	if _, _, err := s.run(`INSERT INTO empresas(rowid, palavras) VALUES` + companies.String()); err != nil || partners.Len() == 0 {
		return err
	}
	_, _, err := s.run(`INSERT INTO socios(rowid, palavras) VALUES` + partners.String())
	return err
}

func separator(list *strings.Builder) rune {
	if list.Len() == 0 {
		return ' '
	}
	return ','
}

// filterWords are filters as words that no name has.
func (q *rivalQuery) filterWords() []string {
	var words []string
	for _, f := range q.filtersByColumn() {
		words = append(words, "zz"+f.column+strings.ToLower(f.value))
	}
	return words
}

// can: an index of words knows no typing errors, orders by rank only, and has no columns to count by.
func (s *sqlite) can(q *rivalQuery) bool {
	return q.similar == "" && q.start == "" && q.counting != countByUF && q.own.Order == index.ByRank
}

func (s *sqlite) cpu() (time.Duration, error) {
	stat, err := readStat(s.cmd.Process.Pid)
	return stat.own, err
}

func (s *sqlite) ask(_ context.Context, q *rivalQuery) (found int, took time.Duration, err error) {
	match := matchExpression(append(q.filterWords(), q.words...), q.prefix)
	if match == "" {
		return 0, 0, nil // FTS5 refuses to search for nothing
	}
	table := "empresas"
	if q.partner {
		table = "socios"
	}
	var statement string
	if q.counting == countTotal {
		statement = fmt.Sprintf(`SELECT count(*) FROM (SELECT 1 FROM %[1]s WHERE %[1]s MATCH '%[2]s' LIMIT %[3]d)`,
			table, match, index.MaxTotal+1)
	} else {
		statement = fmt.Sprintf(`SELECT rowid FROM %[1]s WHERE %[1]s MATCH '%[2]s' ORDER BY rowid LIMIT %[3]d OFFSET %[4]d`,
			table, match, q.own.Limit, q.own.Offset)
	}
	rows, took, err := s.run(statement)
	if err == nil && q.counting == countTotal {
		found, err = strconv.Atoi(strings.Join(rows, ""))
		return found, took, err
	}
	return len(rows), took, err
}

// matchExpression asks for all words, and for one that begins with prefix. Words have letters and digits only: nothing
// in them means anything to FTS5 or SQL.
func matchExpression(words []string, prefix string) string {
	var terms []string
	for _, word := range words {
		terms = append(terms, `"`+word+`"`)
	}
	if prefix != "" {
		terms = append(terms, `"`+prefix+`" *`)
	}
	return strings.Join(terms, " AND ")
}
