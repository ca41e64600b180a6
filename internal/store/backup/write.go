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

// Names in the archive.
const (
	manifestName = "manifest.json"
	secretName   = "secret"
	tableSuffix  = ".copy"
	columnsKey   = "RAZAO.columns" // PAX record of a table's member: its columns, separated by commas
)

// Options are the options of Write.
type Options struct {
	Program string          // version of this program, for the manifest
	Secret  string          // RAZAO_SECRET; "": left out of the backup
	To      []age.Recipient // recipients who can decrypt the file; none: it is not encrypted
}

// Write writes a backup of one moment of the database to out and returns its manifest. It does not
// close out. The role of conn needs only to read the tables. After an error, out holds a file
// without manifest, which Restore refuses.
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

// write adds all members to the archive, the manifest last, and completes m.
func (m *Manifest) write(ctx context.Context, tx pgx.Tx, archive *tar.Writer, secret string) (err error) {
	if m.Schema, err = schemaOf(ctx, tx); err != nil {
		return err
	}
	for _, name := range tablesKept {
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

// put adds a small member.
func (m *Manifest) put(archive *tar.Writer, name string, body []byte) error {
	if err := archive.WriteHeader(m.header(name, int64(len(body)))); err != nil {
		return err
	}
	_, err := archive.Write(body)
	return err
}

// header returns the header of a member. PAX is needed for columnsKey and for sizes over 8 GB.
func (m *Manifest) header(name string, size int64) *tar.Header {
	return &tar.Header{Name: name, Mode: 0o600, Size: size, ModTime: m.Made, Format: tar.FormatPAX}
}

// copyOut adds the rows of a table. A tar header holds the size of what follows, so the rows go
// through a temporary file first. It is unlinked at once: nobody else can open it, and it
// disappears with the process.
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
