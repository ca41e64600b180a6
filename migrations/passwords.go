package migrations

import (
	"context"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgpassfile"
	"github.com/jackc/pgx/v5"
)

// SetPasswords gives [Ingest] and [Serve] the passwords that libpq password files have for them in
// the database of dsn. A file that has none for either is an error. PostgreSQL gets SCRAM verifiers,
// so that no password is in its log, and refuses them to a role that may not change other roles.
func SetPasswords(ctx context.Context, dsn string, files ...string) error {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return err
	}
	var statements []string
	for _, path := range files {
		found, err := passwords(path, config)
		if err != nil {
			return fmt.Errorf("passwords of the roles: %w", err)
		}
		statements = append(statements, found...)
	}
	if len(statements) == 0 {
		return nil
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("passwords of the roles: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	for _, statement := range statements {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("passwords of the roles: %w", err)
		}
	}
	return nil
}

// passwords returns statements that set the passwords of a file. It looks them up as the roles will
// when they connect.
func passwords(path string, config *pgx.ConnConfig) (statements []string, err error) {
	file, err := pgpassfile.ReadPassfile(path)
	if err != nil {
		return nil, err
	}
	for _, role := range []string{Ingest, Serve} {
		password := file.FindPassword(config.Host, strconv.Itoa(int(config.Port)), config.Database, role)
		if password == "" {
			continue
		}
		verifier, err := scramVerifier(password)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", path, role, err)
		}
		statements = append(statements, "ALTER ROLE "+role+" PASSWORD '"+verifier+"'")
	}
	if len(statements) == 0 {
		return nil, fmt.Errorf("%s has no password of %s or %s for %s on %s: its lines are HOST:PORT:DATABASE:ROLE:PASSWORD",
			path, Ingest, Serve, config.Database, config.Host)
	}
	return statements, nil
}

// scramIterations is PostgreSQL's default (scram_iterations).
const scramIterations = 4096

// scramVerifier returns what PostgreSQL stores of a password for SCRAM-SHA-256 (RFC 5803). Other
// characters than printable ASCII would need SASLprep and are refused.
func scramVerifier(password string) (string, error) {
	if strings.ContainsFunc(password, func(r rune) bool { return r < ' ' || r > '~' }) {
		return "", errors.New("the password has characters beyond printable ASCII")
	}
	salt := make([]byte, 16)
	rand.Read(salt) // never fails
	salted, err := pbkdf2.Key(sha256.New, password, salt, scramIterations, sha256.Size)
	if err != nil {
		return "", err
	}
	sum := func(text string) []byte {
		mac := hmac.New(sha256.New, salted)
		mac.Write([]byte(text))
		return mac.Sum(nil)
	}
	stored, text := sha256.Sum256(sum("Client Key")), base64.StdEncoding.EncodeToString
	return fmt.Sprintf("SCRAM-SHA-256$%d:%s$%s:%s", scramIterations, text(salt), text(stored[:]), text(sum("Server Key"))), nil
}
