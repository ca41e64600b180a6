package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/index"
)

// postgres is PostgreSQL with the best indexes that it has for the purpose, asked on one connection.
type postgres struct {
	conn    *pgxpool.Conn
	server  family
	trigram bool
}

const rivalTable = `
	DROP SCHEMA IF EXISTS side_by_side CASCADE;
	CREATE SCHEMA side_by_side;
	CREATE TABLE side_by_side.establishment (
		rank       integer NOT NULL,
		cnpj       bigint NOT NULL,
		nome       text NOT NULL,
		palavras   tsvector NOT NULL,
		socios     tsvector NOT NULL,
		uf         text NOT NULL,
		municipio  text NOT NULL,
		situacao   text NOT NULL,
		porte      text NOT NULL,
		cnae       text NOT NULL,
		capital    bigint NOT NULL,
		abertura   integer NOT NULL
	);
	CREATE TEMPORARY TABLE arriving (
		rank integer, cnpj bigint, nome text, palavras text, socios text, uf text, municipio text, situacao text,
		porte text, cnae text, capital bigint, abertura integer)`

const rivalArrived = `
	INSERT INTO side_by_side.establishment
	SELECT rank, cnpj, nome, to_tsvector('simple', palavras), to_tsvector('simple', socios), uf, municipio, situacao,
		porte, cnae, capital, abertura
	FROM arriving ORDER BY rank;
	DROP TABLE arriving`

// rivalIndexes are all that make one of the questions faster. The first of each list of columns are those that are
// given, the last ones the order that is wanted.
func rivalIndexes(trigram bool) [][2]string {
	indexes := [][2]string{
		{"by_rank", "UNIQUE btree (rank)"},
		{"by_words", "gin (palavras)"},
		{"by_partner", "gin (socios)"},
		{"by_beginning", "btree (nome text_pattern_ops, rank)"},
		{"by_uf", "btree (uf, situacao, rank)"},
		{"by_place", "btree (municipio, cnae, situacao, porte, rank)"},
		{"by_capital", "btree (uf, situacao, capital DESC, rank)"},
		{"by_name", "btree (uf, situacao, nome, rank)"},
		{"by_opening", "btree (uf, situacao, abertura DESC, rank)"},
	}
	if trigram {
		indexes = append(indexes, [2]string{"by_trigram", "gin (nome gin_trgm_ops)"})
	}
	return indexes
}

func buildPostgres(ctx context.Context, db *database, docs []index.Doc) (_ *built, missing []string, err error) {
	say("side by side: PostgreSQL")
	conn, err := db.pool.Acquire(ctx)
	if err != nil {
		return nil, nil, err
	}
	p := &postgres{conn: conn, server: family{db.server.PID()}}
	defer func() {
		if err != nil {
			conn.Release()
			err = fmt.Errorf("side by side with PostgreSQL: %w", err)
		}
	}()
	// The temporary table wants its buffers, the rest is for plans as good as can be.
	_, err = conn.Exec(ctx, `SET temp_buffers = '64MB'; SET work_mem = '64MB'; SET random_page_cost = 1.1;
		SET plan_cache_mode = force_custom_plan; SET max_parallel_workers_per_gather = 0;
		SET effective_cache_size = '4GB'`)
	if err != nil {
		return nil, nil, err
	}
	if _, err := conn.Exec(ctx, `CREATE EXTENSION IF NOT EXISTS pg_trgm; SET pg_trgm.similarity_threshold = 0.5`); err != nil {
		missing = append(missing, fmt.Sprintf("pg_trgm for typing errors: install the contrib extensions of PostgreSQL "+
			"(Debian has them in postgresql, Fedora in postgresql-contrib). It said: %v", err))
	} else {
		p.trigram = true
	}
	e := &built{engine: p, name: "PostgreSQL", close: func() error { conn.Release(); return nil }}
	if err := p.fill(ctx, e, docs); err != nil {
		return nil, missing, err
	}
	_, err = conn.Exec(ctx, fmt.Sprintf(`SET statement_timeout = %d`, rivalPatience.Milliseconds()))
	return e, missing, err
}

// fill loads the table and builds the indexes, one after the other, with the parallelism that PostgreSQL chooses.
func (p *postgres) fill(ctx context.Context, e *built, docs []index.Doc) error {
	before, err := p.cpu()
	if err != nil {
		return err
	}
	start := time.Now()
	if err := p.load(ctx, docs); err != nil {
		return err
	}
	var detail []string
	for _, ix := range rivalIndexes(p.trigram) {
		kind, unique := strings.CutPrefix(ix[1], "UNIQUE ")
		create := "CREATE INDEX"
		if unique {
			create = "CREATE UNIQUE INDEX"
		}
		if _, err := p.conn.Exec(ctx, fmt.Sprintf(`%s %s ON side_by_side.establishment USING %s`, create, ix[0], kind)); err != nil {
			return fmt.Errorf("index %s: %w", ix[0], err)
		}
		var size int64
		err := p.conn.QueryRow(ctx, `SELECT pg_relation_size(('side_by_side.' || $1::text)::regclass)`, ix[0]).Scan(&size)
		if err != nil {
			return fmt.Errorf("size of index %s: %w", ix[0], err)
		}
		detail = append(detail, ix[0]+" "+megabytes(size))
	}
	if _, err := p.conn.Exec(ctx, `VACUUM (ANALYZE, FREEZE) side_by_side.establishment`); err != nil {
		return err
	}
	after, err := p.cpu()
	if err != nil {
		return err
	}
	e.wall, e.used = time.Since(start), after-before
	var table int64
	err = p.conn.QueryRow(ctx, `
		SELECT pg_total_relation_size('side_by_side.establishment'), pg_table_size('side_by_side.establishment')`).
		Scan(&e.bytes, &table)
	e.detail = "table " + megabytes(table) + ", " + strings.Join(detail, ", ")
	return err
}

func (p *postgres) load(ctx context.Context, docs []index.Doc) error {
	return pgx.BeginFunc(ctx, p.conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, rivalTable); err != nil {
			return err
		}
		columns := []string{
			"rank", "cnpj", "nome", "palavras", "socios", "uf", "municipio", "situacao", "porte", "cnae", "capital", "abertura",
		}
		rows := pgx.CopyFromSlice(len(docs), func(i int) ([]any, error) {
			d := &docs[i]
			return []any{
				int32(i + 1), int64(d.CNPJ), index.Fold(d.RazaoSocial), strings.Join(namesOf(d), " "), strings.Join(partnersOf(d), " "),
				d.UF, d.Municipio, d.SituacaoCadastral, d.PorteEmpresa, d.CNAE, d.Capital, int32(d.Opening),
			}, nil
		})
		if _, err := tx.CopyFrom(ctx, pgx.Identifier{"arriving"}, columns, rows); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, rivalArrived)
		return err
	})
}

func (p *postgres) can(q *rivalQuery) bool { return q.similar == "" || p.trigram }

func (p *postgres) cpu() (time.Duration, error) { return p.server.cpu() }

func (p *postgres) ask(ctx context.Context, q *rivalQuery) (found int, took time.Duration, err error) {
	query, args := q.sql()
	start := time.Now()
	rows, err := p.conn.Query(ctx, query, args...)
	if err == nil {
		for rows.Next() {
			found++
			if q.counting == countTotal {
				err = rows.Scan(&found)
			}
		}
		err = errors.Join(err, rows.Err())
	}
	took = time.Since(start)
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == "57014" { // query_canceled, by the timeout
		err = errLate
	}
	return found, took, err
}

// sql writes the question for PostgreSQL. All texts are parameters.
func (q *rivalQuery) sql() (query string, args []any) {
	var where []string
	given := func(condition string, value any) {
		args = append(args, value)
		where = append(where, fmt.Sprintf(condition, len(args)))
	}
	if match := tsquery(q.words, q.prefix); match != "" {
		column := "palavras"
		if q.partner {
			column = "socios"
		}
		given(column+" @@ to_tsquery('simple', $%d)", match)
	}
	for _, f := range q.filtersByColumn() {
		given(f.column+" = $%d", f.value)
	}
	if q.start != "" {
		given("nome LIKE $%d", strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(q.start)+"%")
	}
	order := q.orderColumns()
	if q.similar != "" {
		given("nome %% $%d", q.similar)
		order = fmt.Sprintf("similarity(nome, $%d) DESC, rank", len(args))
	}
	from := " FROM side_by_side.establishment"
	if len(where) > 0 {
		from += " WHERE " + strings.Join(where, " AND ")
	}
	switch q.counting {
	case countTotal:
		return fmt.Sprintf("SELECT count(*) FROM (SELECT 1%s LIMIT %d) AS counted", from, index.MaxTotal+1), args
	case countByUF:
		return "SELECT uf, count(*)" + from + " GROUP BY uf", args
	}
	return fmt.Sprintf("SELECT cnpj%s ORDER BY %s LIMIT %d OFFSET %d", from, order, q.own.Limit, q.own.Offset), args
}

func (q *rivalQuery) orderColumns() string {
	switch q.own.Order {
	case index.ByCapital:
		return "capital DESC, rank"
	case index.ByName:
		return "nome, rank"
	case index.ByNewest:
		return "abertura DESC, rank"
	}
	return "rank"
}

// columnFilter is one filter as a column and its value.
type columnFilter struct{ column, value string }

func (q *rivalQuery) filtersByColumn() []columnFilter {
	var filters []columnFilter
	for _, f := range []columnFilter{
		{"municipio", q.filters.Municipio},
		{"cnae", q.filters.CNAE},
		{"uf", q.filters.UF},
		{"situacao", q.filters.Situacao},
		{"porte", q.filters.Porte},
	} {
		if f.value != "" {
			filters = append(filters, f)
		}
	}
	return filters
}

// tsquery asks for all words, and for one that begins with prefix. Words have letters and digits only.
func tsquery(words []string, prefix string) string {
	terms := append([]string(nil), words...)
	if prefix != "" {
		terms = append(terms, prefix+":*")
	}
	return strings.Join(terms, " & ")
}
