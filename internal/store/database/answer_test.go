package database_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/store/database"
	"razao/internal/testing/pgtest"
	"razao/migrations"
)

// postgres answers the first messages of a PostgreSQL of a version, a pause after each connection. It
// understands the simple query protocol, in which every statement returns the version.
func postgres(pause time.Duration, number, name string) func(net.Conn) {
	return func(conn net.Conn) {
		defer func() { _ = conn.Close() }()
		time.Sleep(pause) // in a synctest bubble
		backend := pgproto3.NewBackend(conn, conn)
		if _, err := backend.ReceiveStartupMessage(); err != nil {
			return
		}
		backend.Send(&pgproto3.AuthenticationOk{})
		backend.Send(&pgproto3.BackendKeyData{ProcessID: 1, SecretKey: []byte{1, 2, 3, 4}})
		for {
			backend.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
			if backend.Flush() != nil {
				return
			}
			message, err := backend.Receive()
			if _, ok := message.(*pgproto3.Query); !ok || err != nil {
				return
			}
			backend.Send(&pgproto3.RowDescription{Fields: []pgproto3.FieldDescription{{Name: []byte("n"), DataTypeOID: 25}, {Name: []byte("v"), DataTypeOID: 25}}})
			backend.Send(&pgproto3.DataRow{Values: [][]byte{[]byte(number), []byte(name)}})
			backend.Send(&pgproto3.CommandComplete{CommandTag: []byte("SELECT 1")})
		}
	}
}

// openAt opens a database whose connections are served by serve. It returns how long that took and the
// log.
func openAt(t *testing.T, dsn string, serve func(net.Conn)) (took time.Duration, log string, err error) {
	t.Helper()
	var out bytes.Buffer
	began := time.Now()
	db, err := database.Open(t.Context(), database.Options{
		DSN: dsn, Setting: "RAZAO_DATABASE_URL", Command: "razao loads", Log: slog.New(slog.NewTextHandler(&out, nil)),
		Look: func(context.Context, string) error { return nil },
		Tune: []func(*pgxpool.Config){func(c *pgxpool.Config) {
			c.ConnConfig.DialFunc = func(context.Context, string, string) (net.Conn, error) {
				client, server := net.Pipe()
				go serve(server)
				return client, nil
			}
		}},
	})
	took = time.Since(began)
	if err == nil {
		db.Close()
	}
	time.Sleep(time.Minute) // of the bubble: pgx goes on reading from a connection that it gave up, for 15 s
	synctest.Wait()         // for the line of the log, which a timer writes
	return took, out.String(), err
}

// TestSilentPostgreSQL opens databases that accept connections and do not answer, or late: after 5 s
// the log says what is waited for and until when, and after 30 s it is an error.
func TestSilentPostgreSQL(t *testing.T) {
	t.Parallel()
	silent := func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }
	const tls, plain = "postgres://razao:s3gr3d0@192.0.2.1:5433/razao", "postgres://razao:s3gr3d0@192.0.2.1:5433/razao?sslmode=disable"
	for _, tt := range []struct {
		name, dsn string
		serve     func(net.Conn)
		took      time.Duration
		says      string // error; "" for none
		waits     bool
	}{
		{"silent", plain, silent, 30 * time.Second, "192.0.2.1:5433 has not answered within 30s", true},
		{"silent at the offer of TLS", tls, silent, 30 * time.Second, "192.0.2.1:5433 has not answered within 30s", true},
		{"silent, with more patience", plain + "&connect_timeout=60", silent, time.Minute, "192.0.2.1:5433 (192.0.2.1)", true},
		{"silent, with less patience", plain + "&connect_timeout=3", silent, 3 * time.Second, "192.0.2.1:5433", false},
		{"answers the start, then nothing", plain, func(conn net.Conn) {
			backend := pgproto3.NewBackend(conn, conn)
			_, _ = backend.ReceiveStartupMessage()
			backend.Send(&pgproto3.AuthenticationOk{})
			backend.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
			_ = backend.Flush()
			silent(conn)
		}, 30 * time.Second, "192.0.2.1:5433 has not answered within 30s", true},
		{"hangs up", plain, func(conn net.Conn) { _ = conn.Close() }, 0, "192.0.2.1:5433", false},
		{"late", plain, postgres(8*time.Second, "160004", "16.4"), 16 * time.Second, "", true}, // once for the version, once for the pool
		{"prompt", plain, postgres(0, "140000", "14.0"), 0, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				took, log, err := openAt(t, tt.dsn, tt.serve)
				if took != tt.took {
					t.Errorf("it took %s, want %s", took, tt.took)
				}
				if (err == nil) != (tt.says == "") || err != nil && (!strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), "RAZAO_DATABASE_URL")) {
					t.Errorf("error %v, want %q", err, tt.says)
				}
				if waits := strings.Contains(log, "has not answered yet") && strings.Contains(log, "server=192.0.2.1:5433") && strings.Contains(log, "until=2000-01-01T00:"); waits != tt.waits {
					t.Errorf("log %q, want a line: %t", log, tt.waits)
				}
				if text := log + errorText(err); strings.Contains(text, "s3gr3d0") {
					t.Errorf("the password is shown: %s", text)
				}
			})
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestInterruptedWait cancels a command that waits for a silent server.
func TestInterruptedWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 7*time.Second)
		defer cancel()
		_, err := database.Open(ctx, database.Options{
			DSN: "postgres://razao@192.0.2.1/razao", Setting: "RAZAO_DATABASE_URL", Log: slog.New(slog.DiscardHandler),
			Tune: []func(*pgxpool.Config){func(c *pgxpool.Config) {
				c.ConnConfig.DialFunc = func(ctx context.Context, _, _ string) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() }
			}},
		})
		if !errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "30s") {
			t.Errorf("%v", err)
		}
	})
}

// TestOldPostgreSQL refuses servers older than the oldest supported, before anything is run on them.
func TestOldPostgreSQL(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ number, name, says string }{
		{"130014", "13.14 (Debian 13.14-1)", "PostgreSQL (RAZAO_DATABASE_URL): 192.0.2.1:5432 is PostgreSQL 13.14 (Debian 13.14-1): 14 or newer is needed"},
		{"90624", "9.6.24", "is PostgreSQL 9.6.24"},
		{"140000", "14.0", ""},
		{"180001", "18.1", ""},
		{"banana", "0", "server_version_num"},
	} {
		synctest.Test(t, func(t *testing.T) {
			_, _, err := openAt(t, "postgres://razao@192.0.2.1/razao?sslmode=disable", postgres(0, tt.number, tt.name))
			if (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%s: %v, want %q", tt.name, err, tt.says)
			}
		})
	}
	db, err := database.Open(t.Context(), database.Options{
		DSN: pgtest.DSN(t), Setting: "RAZAO_DATABASE_URL", Log: slog.New(slog.DiscardHandler), Look: migrations.Check,
	})
	if err != nil {
		t.Fatalf("the PostgreSQL of the tests: %v", err)
	}
	db.Close()
}
