package backup

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"filippo.io/age"
	"github.com/jackc/pgx/v5"

	"razao/migrations"
)

// Magic numbers of files.
const (
	ageMagic  = "age-encryption.org/"
	gzipMagic = "\x1f\x8b"
)

// Contents is the part of a backup that is not in tables.
type Contents struct {
	Manifest
	Secret string // RAZAO_SECRET; "": the backup does not have it
}

// Restore reads a backup from in and puts its tables into a migrated database, in one transaction.
// Rows that the tables have are deleted if replace is true; otherwise they make it fail with
// ErrNotEmpty. The tables are locked exclusively meanwhile. from are the identities that may
// decrypt the file. The role of conn must own the tables or be a member of the role that does.
//
// keep is called before the commit, for what must succeed together with it, such as writing the
// secret to a file; its error rolls everything back. Other errors than that of keep are those of
// this package, or a failure of the database.
func Restore(
	ctx context.Context, conn *pgx.Conn, in io.Reader, from []age.Identity, replace bool, keep func(*Contents) error,
) (*Contents, error) {
	file, err := open(in, from)
	if err != nil {
		return nil, err
	}
	var o *Contents
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if err := becomeOwner(ctx, tx); err != nil {
			return err
		}
		if err := clearTables(ctx, tx, replace); err != nil {
			return err
		}
		var err error
		if o, err = restore(ctx, tx, file); err != nil {
			return err
		}
		if err := startIdentities(ctx, tx); err != nil {
			return err
		}
		return keep(o)
	})
	if err != nil {
		return nil, fmt.Errorf("restore the backup: %w", err)
	}
	return o, nil
}

// becomeOwner switches to the role that owns the tables for the rest of the transaction, if that
// role exists and this one is a member of it.
func becomeOwner(ctx context.Context, tx pgx.Tx) error {
	var may bool
	err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1 AND pg_has_role(oid, 'MEMBER'))", migrations.Owner).Scan(&may)
	if err == nil && may {
		_, err = tx.Exec(ctx, "SET LOCAL ROLE "+list([]string{migrations.Owner}))
	}
	return err
}

// backupReader is a backup after decryption and decompression.
type backupReader struct {
	*gzip.Reader
	packed *bufio.Reader // what gzip reads from
}

// end reads to the end of both layers, where gzip checks its CRC and age its last chunk. It returns
// ErrCutShort or ErrDamaged if either fails or further data come first.
func (u *backupReader) end() error {
	more, err := io.Copy(io.Discard, u)
	if err != nil {
		return damaged(err)
	}
	if _, err = u.packed.Peek(1); more > 0 || err == nil {
		return fmt.Errorf("%w: it goes on after its end", ErrDamaged)
	}
	if !errors.Is(err, io.EOF) {
		return damaged(err)
	}
	return nil
}

// open decrypts a file, if it is encrypted, and returns its reader. It tells encrypted files and
// backups by their first bytes. Multistream is off, so that nothing can be appended to a backup.
func open(in io.Reader, from []age.Identity) (*backupReader, error) {
	file := bufio.NewReader(in)
	start, _ := file.Peek(len(ageMagic))
	switch encrypted := string(start) == ageMagic; {
	case encrypted && len(from) == 0:
		return nil, ErrEncrypted
	case encrypted:
		plain, err := age.Decrypt(file, from...)
		if err != nil {
			return nil, undecrypted(err, from)
		}
		file = bufio.NewReader(plain)
	case !strings.HasPrefix(string(start), gzipMagic):
		return nil, ErrNotBackup
	case len(from) > 0:
		return nil, ErrNotEncrypted
	}
	packed, err := gzip.NewReader(file)
	if err != nil {
		return nil, damaged(err)
	}
	packed.Multistream(false)
	return &backupReader{packed, file}, nil
}

// undecrypted says why a header could not be decrypted with the given identities.
func undecrypted(err error, from []age.Identity) error {
	var none *age.NoIdentityMatchError
	if !errors.As(err, &none) {
		return damaged(err)
	}
	passphrases := slices.ContainsFunc(from, func(i age.Identity) bool { _, is := i.(*age.ScryptIdentity); return is })
	if passphrases != slices.Contains(none.StanzaTypes, "scrypt") {
		return ErrOtherKind
	}
	return ErrWrongIdentity
}

// damaged returns ErrCutShort for the error of a reader whose input ended too early, else ErrDamaged.
func damaged(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: %w", ErrCutShort, err)
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}

// clearTables locks the tables and deletes their rows. Without replace it returns ErrNotEmpty if there
// are any, except in usage_rollup, which always has its one row.
func clearTables(ctx context.Context, tx pgx.Tx, replace bool) error {
	if _, err := tx.Exec(ctx, "LOCK TABLE "+list(tablesKept)+" IN ACCESS EXCLUSIVE MODE"); err != nil {
		return err
	}
	for _, name := range slices.Backward(tablesKept) {
		var some bool
		if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM "+list([]string{name})+")").Scan(&some); err != nil {
			return err
		}
		if some && !replace && name != "usage_rollup" {
			return fmt.Errorf("%w (%s)", ErrNotEmpty, name)
		}
		if _, err := tx.Exec(ctx, "DELETE FROM "+list([]string{name})); err != nil {
			return err
		}
	}
	return nil
}

// restore copies the members of a backup into the tables and reads the file to its end. Members
// that are unknown, repeated or behind the manifest make it ErrDamaged, as does an archive
// without a manifest.
func restore(ctx context.Context, tx pgx.Tx, file *backupReader) (*Contents, error) {
	o := &Contents{}
	found := map[string]int64{}
	archive := tar.NewReader(file)
	for {
		header, err := archive.Next()
		if err != nil { // io.EOF too: there was no manifest
			return nil, damaged(err)
		}
		name, isTable := strings.CutSuffix(header.Name, tableSuffix)
		_, again := found[name]
		switch {
		case isTable && slices.Contains(tablesKept, name) && !again:
			if found[name], err = copyIn(ctx, tx, name, header.PAXRecords[columnsKey], archive); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		case header.Name == secretName && o.Secret == "":
			secret, err := readMember(archive)
			if err != nil {
				return nil, err
			}
			o.Secret = string(secret)
		case header.Name == manifestName:
			if err := o.check(ctx, tx, archive, found); err != nil {
				return nil, err
			}
			if _, err := archive.Next(); !errors.Is(err, io.EOF) {
				return nil, fmt.Errorf("%w: something follows the manifest (%w)", ErrDamaged, err)
			}
			return o, file.end()
		default:
			return nil, fmt.Errorf("%w: it has %q", ErrDamaged, header.Name)
		}
	}
}

// readMember reads a member that is not a table. It reads 1 MB at most, so a forged file cannot exhaust
// memory.
func readMember(member io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(member, 1<<20))
	if err != nil {
		return nil, damaged(err)
	}
	return text, nil
}

// copyIn fills a table from a member and returns the number of rows. It tells faults of the file
// (ErrDamaged) from those of the database.
func copyIn(ctx context.Context, tx pgx.Tx, name, columns string, rows io.Reader) (int64, error) {
	read := &errReader{in: rows}
	tag, err := tx.Conn().PgConn().CopyFrom(ctx, read,
		"COPY "+list([]string{name})+" ("+list(strings.Split(columns, ","))+") FROM STDIN")
	if read.err != nil {
		return 0, damaged(read.err)
	}
	return tag.RowsAffected(), err
}

// errReader is a reader that remembers its error: PostgreSQL reports a failed read of the client as a
// failed COPY.
type errReader struct {
	in  io.Reader
	err error
}

func (e *errReader) Read(p []byte) (int, error) {
	n, err := e.in.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		e.err = err
	}
	return n, err
}

// check reads the manifest and compares it with this program's versions, with the rows that were
// copied (found, by table) and with the secret. Both sides must list the same: a table or a secret
// that only one of them has was added, or lost, after Write. It returns ErrNewer or ErrDamaged.
func (o *Contents) check(ctx context.Context, tx pgx.Tx, member io.Reader, found map[string]int64) error {
	text, err := readMember(member)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &o.Manifest); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	schema, err := schemaOf(ctx, tx)
	if err != nil {
		return err
	}
	if o.Format > format || o.Schema > schema {
		return fmt.Errorf("%w: form %d, schema %d; this one has %d and %d", ErrNewer, o.Format, o.Schema, format, schema)
	}
	listed := map[string]bool{}
	for _, t := range o.Tables {
		if rows, ok := found[t.Name]; !ok || rows != t.Rows {
			return fmt.Errorf("%w: %d rows of %s, the manifest says %d", ErrDamaged, rows, t.Name, t.Rows)
		}
		listed[t.Name] = true
	}
	for name := range found {
		if !listed[name] {
			return fmt.Errorf("%w: the manifest does not list %s", ErrDamaged, name)
		}
	}
	if has := o.Secret != ""; has != o.Manifest.Secret {
		return fmt.Errorf("%w: it has a secret: %t, the manifest says %t", ErrDamaged, has, o.Manifest.Secret)
	}
	return nil
}

// startIdentities sets the sequence of every identity column above the restored values; COPY does
// not advance it, and the next INSERT would violate the primary key.
func startIdentities(ctx context.Context, tx pgx.Tx) error {
	rows, err := tx.Query(ctx, `SELECT attrelid::regclass::text, attname FROM pg_attribute
		WHERE attrelid = ANY($1::regclass[]) AND attidentity <> ''`, tablesKept)
	if err != nil {
		return err
	}
	type identity struct{ Table, Column string }
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[identity])
	if err != nil {
		return err
	}
	for _, id := range all {
		name, column := list([]string{id.Table}), list([]string{id.Column})
		if _, err := tx.Exec(ctx, `SELECT setval(pg_get_serial_sequence($1, $2), (SELECT coalesce(max(`+column+`), 0) + 1 FROM `+name+`), false)`,
			id.Table, id.Column); err != nil {
			return fmt.Errorf("%s: %w", id.Table, err)
		}
	}
	return nil
}
