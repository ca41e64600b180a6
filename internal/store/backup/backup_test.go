package backup

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"filippo.io/age"
	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/testing/pgtest"
)

// filled returns a database with a row in every table that is kept, with characters that COPY has
// to escape.
func filled(t *testing.T) *pgxpool.Pool {
	t.Helper()
	pool := pgtest.Pool(t)
	for _, statement := range []string{
		`INSERT INTO account (email) VALUES ('zé@exemplo.com.br'), (E'a\\b\t"c"\n@exemplo.com.br')`,
		`INSERT INTO identity (issuer, subject, account_id, email) VALUES ('https://conta.example', '7', 1, 'zé@exemplo.com.br')`,
		`INSERT INTO api_key (account_id, name, prefix, hash, revoked_at) VALUES (1, 'um', 'rz_a', '\x00ff', NULL), (2, '', 'rz_b', '\x01', now())`,
		`INSERT INTO usage_day VALUES (1, '2026-11-02', 1, 5, 1)`,
		`INSERT INTO usage_call (account_id, key_id, at, version, endpoint, status) VALUES (1, 1, now(), 'v1', '/v1/cnpj/:cnpj', 200)`,
		`INSERT INTO oauth_client (id, origin, name, redirect_uris) VALUES ('c', 'operator', 'C', '{"https://c.example/a,b","x\"y"}')`,
		`INSERT INTO oauth_grant (account_id, client_id, scopes) VALUES (1, 'c', '{cnpj:read}')`,
		`INSERT INTO oauth_code (hash, grant_id, redirect_uri, code_challenge, resource) VALUES ('\x02', 1, '', '', '')`,
		`INSERT INTO oauth_refresh_token (hash, code_id, expires_at) VALUES ('\x03', 1, 'infinity')`,
		`INSERT INTO hidden_contact (root, establishment, reason) VALUES (12345678, 1, 'pedido')`,
		`INSERT INTO follower (account_id, feed_seed, feed_hash) VALUES (1, 'x', '\x04')`,
		`INSERT INTO follow (account_id, kind, value) VALUES (1, 'empresa', '12345678')`,
		`INSERT INTO webhook (account_id, form, seal, url) VALUES (1, 'x', '\x05', 'https://exemplo.com/')`,
		`INSERT INTO hiding_request (root, establishment, email, reason) VALUES (12345678, 2, 'x@exemplo.com.br', '')`,
	} {
		if _, err := pool.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	return pool
}

// on calls do with a connection of the pool.
func on(t *testing.T, pool *pgxpool.Pool, do func(*pgx.Conn) error) error {
	t.Helper()
	return pool.AcquireFunc(t.Context(), func(conn *pgxpool.Conn) error { return do(conn.Conn()) })
}

func written(t *testing.T, pool *pgxpool.Pool, o Options) []byte {
	t.Helper()
	var out bytes.Buffer
	var m Manifest
	err := on(t, pool, func(conn *pgx.Conn) (err error) {
		m, err = Write(t.Context(), conn, &out, o)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Tables) != len(tablesKept) || m.Rows() < int64(len(tablesKept)) {
		t.Fatalf("%d rows of %d tables", m.Rows(), len(m.Tables))
	}
	return out.Bytes()
}

func kindly(*Contents) error { return nil }

func restored(t *testing.T, pool *pgxpool.Pool, file []byte, replace bool, from ...age.Identity) (o *Contents, err error) {
	t.Helper()
	err = on(t, pool, func(conn *pgx.Conn) (err error) {
		o, err = Restore(t.Context(), conn, bytes.NewReader(file), from, replace, kindly)
		return err
	})
	return o, err
}

// contents returns all rows of the tables that are kept.
func contents(t *testing.T, pool *pgxpool.Pool) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, name := range tablesKept {
		rows, err := pool.Query(t.Context(), "SELECT t::text FROM "+name+" t ORDER BY 1")
		if err != nil {
			t.Fatal(err)
		}
		if all[name], err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// TestEveryTableIsDecided fails for a table that is in neither tablesKept nor tablesOmitted.
func TestEveryTableIsDecided(t *testing.T) {
	t.Parallel()
	rows, err := pgtest.Pool(t).Query(t.Context(), "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace ORDER BY 1")
	if err != nil {
		t.Fatal(err)
	}
	there, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	decided := slices.Sorted(slices.Values(slices.Concat(tablesKept, slices.Collect(maps.Keys(tablesOmitted)))))
	if diff := cmp.Diff(there, decided); diff != "" {
		t.Errorf("tables (-there +decided):\n%s", diff)
	}
}

func TestThereAndBack(t *testing.T) {
	t.Parallel()
	from, to := filled(t), pgtest.Pool(t)
	file := written(t, from, Options{Program: "2.0.0", Secret: "segredo"})
	o, err := restored(t, to, file, false)
	if err != nil {
		t.Fatal(err)
	}
	if o.Secret != "segredo" || o.Program != "2.0.0" || o.Schema == 0 {
		t.Errorf("got %+v", o)
	}
	want := contents(t, from)
	if diff := cmp.Diff(want, contents(t, to)); diff != "" {
		t.Errorf("contents (-before +after):\n%s", diff)
	}
	var id int64
	if err := to.QueryRow(t.Context(), "INSERT INTO account (email) VALUES ('nova@exemplo.com.br') RETURNING id").Scan(&id); err != nil || id != 3 {
		t.Errorf("the next account is %d, %v", id, err)
	}
	if _, err := restored(t, to, file, false); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("on top of accounts: %v", err)
	}
	if _, err := restored(t, to, file, true); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(want, contents(t, to)); diff != "" {
		t.Errorf("replaced (-before +after):\n%s", diff)
	}
}

func TestEncrypted(t *testing.T) {
	t.Parallel()
	pool := filled(t)
	mine, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	other, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	file := written(t, pool, Options{Secret: "segredo-segredo", To: []age.Recipient{mine.Recipient()}})
	for _, plain := range []string{"segredo-segredo", "exemplo", "account"} {
		if bytes.Contains(file, []byte(plain)) {
			t.Errorf("the file shows %q", plain)
		}
	}
	word, err := age.NewScryptIdentity("uma frase")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		from []age.Identity
		want error
	}{{nil, ErrEncrypted}, {[]age.Identity{other}, ErrWrongIdentity}, {[]age.Identity{word}, ErrOtherKind}} {
		if _, err := restored(t, pool, file, true, c.from...); !errors.Is(err, c.want) {
			t.Errorf("with %d keys: %v, want %v", len(c.from), err, c.want)
		}
	}
	if _, err := restored(t, pool, file[:len(file)-1], true, mine); !errors.Is(err, ErrDamaged) {
		t.Errorf("cut short: %v", err)
	}
	if _, err := restored(t, pool, written(t, pool, Options{}), true, mine); !errors.Is(err, ErrNotEncrypted) {
		t.Errorf("a file that is not encrypted, which anybody may have written: %v", err)
	}
	if _, err := restored(t, pool, file, true, other, mine); err != nil {
		t.Error(err)
	}
}

// TestDamagedFiles cuts a backup and changes its bytes: it is refused, and the database is as it was.
// TestPassphrasesAreBounded: a device given for the file of the passphrase is not read for ever.
func TestPassphrasesAreBounded(t *testing.T) {
	t.Parallel()
	if _, err := Recipients(nil, "/dev/zero"); err == nil || !strings.Contains(err.Error(), "more than 65536 bytes") {
		t.Error(err)
	}
	if _, err := Identities("", "/dev/zero"); err == nil || !strings.Contains(err.Error(), "more than 65536 bytes") {
		t.Error(err)
	}
}

func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	pool := filled(t)
	file := written(t, pool, Options{Secret: "segredo"})
	before := contents(t, pool)
	rng := rand.New(rand.NewPCG(1, 2))
	damaged := [][]byte{nil, []byte("outro arquivo"), file[:len(file)-1], file[:len(file)/2], append(slices.Clone(file), file...)}
	for range 60 {
		cut, changed := file[:rng.IntN(len(file))], slices.Clone(file)
		// The header of gzip has bytes that mean nothing: a time, an operating system.
		changed[10+rng.IntN(len(file)-10)] ^= byte(1 + rng.IntN(255))
		damaged = append(damaged, cut, changed)
	}
	for i, d := range damaged {
		if _, err := restored(t, pool, d, true); err == nil {
			t.Errorf("damage %d went unnoticed", i)
		}
	}
	for i, want := range []error{ErrNotBackup, ErrNotBackup, ErrCutShort, ErrCutShort, ErrDamaged} {
		if _, err := restored(t, pool, damaged[i], true); !errors.Is(err, want) {
			t.Errorf("damage %d: %v, want %v", i, err, want)
		}
	}
	if diff := cmp.Diff(before, contents(t, pool)); diff != "" {
		t.Errorf("contents (-before +after):\n%s", diff)
	}
}

// rewritten returns a backup with other members: change gets each member's name and body and returns
// the bodies under which it is written, none to remove it.
func rewritten(t *testing.T, file []byte, change func(name string, body []byte) [][]byte) []byte {
	t.Helper()
	packed, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	repacked := gzip.NewWriter(&out)
	from, to := tar.NewReader(packed), tar.NewWriter(repacked)
	for {
		header, err := from.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(from)
		if err != nil {
			t.Fatal(err)
		}
		for _, body := range change(header.Name, body) {
			header.Size = int64(len(body))
			if err := to.WriteHeader(header); err != nil {
				t.Fatal(err)
			}
			if _, err := to.Write(body); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := errors.Join(to.Close(), repacked.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestManifestAndMembersDiffer restores backups whose manifest and members contradict each other:
// they are refused before keep, which writes the secret, is called.
func TestManifestAndMembersDiffer(t *testing.T) {
	t.Parallel()
	from, to := filled(t), pgtest.Pool(t)
	file := written(t, from, Options{Secret: "segredo"})
	type change = func(name string, body []byte) [][]byte
	member := func(changed string, bodies ...[]byte) change {
		return func(name string, body []byte) [][]byte {
			if name == changed {
				return bodies
			}
			return [][]byte{body}
		}
	}
	manifest := func(edit func(*Manifest)) change {
		return func(name string, body []byte) [][]byte {
			if name != manifestName {
				return [][]byte{body}
			}
			var m Manifest
			if err := json.Unmarshal(body, &m); err != nil {
				t.Fatal(err)
			}
			edit(&m)
			body, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			return [][]byte{body}
		}
	}
	tests := []struct {
		name   string
		change change
	}{
		{"table that the manifest does not list", manifest(func(m *Manifest) { m.Tables = m.Tables[:len(m.Tables)-1] })},
		{"no table listed", manifest(func(m *Manifest) { m.Tables = nil })},
		{"one table listed twice, another not", manifest(func(m *Manifest) { m.Tables[len(m.Tables)-1] = m.Tables[0] })},
		{"another number of rows", manifest(func(m *Manifest) { m.Tables[0].Rows++ })},
		{"listed table without a member", member("hiding_request" + tableSuffix)},
		{"secret that is missing", member(secretName)},
		{"secret that is empty", member(secretName, []byte{})},
		{"secret that is repeated", member(secretName, []byte("segredo"), []byte("outro"))},
		{"secret of which the manifest says nothing", manifest(func(m *Manifest) { m.Secret = false })},
	}
	for _, tt := range tests {
		err := on(t, to, func(conn *pgx.Conn) error {
			_, err := Restore(t.Context(), conn, bytes.NewReader(rewritten(t, file, tt.change)), nil, true, func(*Contents) error {
				t.Errorf("%s: keep was called", tt.name)
				return nil
			})
			return err
		})
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: got %v", tt.name, err)
		}
	}
	if rows := contents(t, to)["account"]; len(rows) > 0 {
		t.Errorf("accounts were restored: %v", rows)
	}
	same := func(_ string, body []byte) [][]byte { return [][]byte{body} }
	if o, err := restored(t, to, rewritten(t, file, same), true); err != nil || o.Secret != "segredo" {
		t.Errorf("unchanged: %+v, %v", o, err)
	}
}

// TestRefusedAtTheEnd makes keep fail: nothing is restored.
func TestRefusedAtTheEnd(t *testing.T) {
	t.Parallel()
	from, to := filled(t), pgtest.Pool(t)
	no := errors.New("no")
	err := on(t, to, func(conn *pgx.Conn) error {
		_, err := Restore(t.Context(), conn, bytes.NewReader(written(t, from, Options{})), nil, false, func(*Contents) error { return no })
		return err
	})
	if !errors.Is(err, no) || len(contents(t, to)["account"]) > 0 {
		t.Errorf("got %v, %v", err, contents(t, to)["account"])
	}
}

func TestNewer(t *testing.T) {
	t.Parallel()
	from, to := filled(t), pgtest.Pool(t)
	file := written(t, from, Options{})
	if _, err := to.Exec(t.Context(), "DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)"); err != nil {
		t.Fatal(err)
	}
	if _, err := restored(t, to, file, false); !errors.Is(err, ErrNewer) {
		t.Errorf("got %v", err)
	}
}
