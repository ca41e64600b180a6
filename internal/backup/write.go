package backup

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"filippo.io/age"
	"github.com/jackc/pgx/v5"
)

const (
	manifestName = "manifest.json"
	secretName   = "secret"
	tableSuffix  = ".copy"
	columnsKey   = "RAZAO.columns" // in the header of a table: its columns, with commas between
)

// Options of Write.
type Options struct {
	Program string
	Secret  string          // "": the file does not have it
	To      []age.Recipient // who can read the file; none: everybody
}

// Write writes a backup of one moment of the database to out. The connection may be of a role that only reads.
func Write(ctx context.Context, conn *pgx.Conn, out io.Writer, o Options) (Manifest, error) {
	m := Manifest{Format: format, Program: o.Program, Made: time.Now().UTC().Truncate(time.Second), Secret: o.Secret != ""}
	sealed := io.WriteCloser(nopCloser{out})
	if len(o.To) > 0 {
		var err error
		if sealed, err = age.Encrypt(out, o.To...); err != nil {
			return m, fmt.Errorf("encrypt the backup: %w", err)
		}
	}
	packed := gzip.NewWriter(sealed)
	archive := tar.NewWriter(packed)
	err := pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		return m.write(ctx, tx, archive, o.Secret)
	})
	if err == nil {
		err = errors.Join(archive.Close(), packed.Close(), sealed.Close())
	}
	if err != nil {
		return m, fmt.Errorf("write the backup: %w", err)
	}
	return m, nil
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

func (m *Manifest) write(ctx context.Context, tx pgx.Tx, archive *tar.Writer, secret string) (err error) {
	if m.Schema, err = schemaOf(ctx, tx); err != nil {
		return err
	}
	for _, name := range kept {
		t := table{Name: name}
		if t.Columns, err = columnsOf(ctx, tx, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if t.Rows, err = m.copyOut(ctx, tx, archive, &t); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		m.Tables = append(m.Tables, t)
	}
	if m.Secret {
		if err := m.put(archive, secretName, []byte(secret)); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return m.put(archive, manifestName, text)
}

func (m *Manifest) put(archive *tar.Writer, name string, body []byte) error {
	if err := archive.WriteHeader(m.header(name, int64(len(body)))); err != nil {
		return err
	}
	_, err := archive.Write(body)
	return err
}

func (m *Manifest) header(name string, size int64) *tar.Header {
	return &tar.Header{Name: name, Mode: 0o600, Size: size, ModTime: m.Made, Format: tar.FormatPAX}
}

// copyOut adds the rows of a table. They wait in a temporary file, which nobody else can open, because an archive says the size first.
func (m *Manifest) copyOut(ctx context.Context, tx pgx.Tx, archive *tar.Writer, t *table) (rows int64, err error) {
	waiting, err := os.CreateTemp("", "razao-backup-*")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, waiting.Close()) }()
	if err := os.Remove(waiting.Name()); err != nil {
		return 0, err
	}
	tag, err := tx.Conn().PgConn().CopyTo(ctx, waiting, "COPY (SELECT "+list(t.Columns)+" FROM "+list([]string{t.Name})+") TO STDOUT")
	if err != nil {
		return 0, err
	}
	size, err := waiting.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, err
	}
	if _, err := waiting.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	header := m.header(t.Name+tableSuffix, size)
	header.PAXRecords = map[string]string{columnsKey: strings.Join(t.Columns, ",")}
	if err := archive.WriteHeader(header); err != nil {
		return 0, err
	}
	_, err = io.Copy(archive, waiting)
	return tag.RowsAffected(), err
}
