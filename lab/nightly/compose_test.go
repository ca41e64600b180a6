package nightly

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"go.yaml.in/yaml/v3"

	"razao/internal/testing/pgtest"
	"razao/lab/internal/built"
	"razao/migrations"
)

// composition is the part of compose.yaml that concerns passwords.
type composition struct {
	Services map[string]struct {
		Command     []string
		Environment map[string]string
		Secrets     []string
	}
	Secrets map[string]struct{ File string }
	Configs map[string]struct{ Content string }
}

func composed(t *testing.T) (c composition) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(readFile(t, "../../compose.yaml")), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// typedSecrets types the block of docs/install.md that makes the passwords, and returns their folder.
func typedSecrets(t *testing.T) string {
	t.Helper()
	block := regexp.MustCompile("(?s)```\\w+\n(mkdir -m 700 secrets .*?)```").FindStringSubmatch(readFile(t, "../../docs/install.md"))
	if block == nil {
		t.Fatal("docs/install.md does not make the passwords")
	}
	cmd := exec.Command("/bin/sh", "-e", "-c", "umask 077\n"+block[1])
	cmd.Dir = t.TempDir()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return filepath.Join(cmd.Dir, "secrets")
}

// TestComposeGivesEachRoleItsPassword starts a PostgreSQL with the pg_hba.conf of compose.yaml and the
// password that its image would give the superuser, then runs and connects as the services do. Whoever
// takes over one of them gets into PostgreSQL as that role alone.
func TestComposeGivesEachRoleItsPassword(t *testing.T) {
	t.Parallel()
	c, secrets := composed(t), typedSecrets(t)
	got := map[string][]string{}
	for name, s := range c.Services {
		if len(s.Secrets) > 0 {
			got[name] = s.Secrets
		}
	}
	want := map[string][]string{
		"database": {"postgres.password"}, "migrate": {"postgres", migrations.Serve, migrations.Ingest},
		"serve": {migrations.Serve}, "update": {migrations.Ingest}, "grafana": {"grafana"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("secrets of the services (-want +got):\n%s", diff)
	}
	for name, s := range c.Secrets {
		if info, err := os.Stat(filepath.Join(filepath.Dir(secrets), s.File)); err != nil || info.Mode().Perm() != 0o644 || info.Size() < 64 {
			t.Errorf("the secret %s: %v, %v", name, info, err)
		}
	}
	if info, err := os.Stat(secrets); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder of the secrets: %v, %v", info, err)
	}

	dir := sharedFolder(t)
	server := newPostgres(t, dir)
	password := strings.TrimSpace(readFile(t, filepath.Join(secrets, "postgres.password")))
	admin := pgtest.Connect(t, dsnAt(server.addr()))
	if _, err := admin.Exec(t.Context(), "CREATE ROLE postgres SUPERUSER LOGIN PASSWORD '"+password+"'"); err != nil {
		t.Fatal(err)
	}
	server.stop(syscall.SIGINT)
	hba := c.Configs["pg-hba"].Content
	writeFile(t, filepath.Join(dir, "pg", "data", "pg_hba.conf"), hba)
	server.start()

	here := strings.NewReplacer("@database/", "@"+server.addr()+"/", "/run/secrets", secrets)
	dsn := func(service string) string {
		return here.Replace(c.Services[service].Environment["RAZAO_DATABASE_URL"])
	}
	p := built.New(t, "RAZAO_DATABASE_URL="+dsn("migrate"))
	var migrate []string
	for _, arg := range c.Services["migrate"].Command {
		migrate = append(migrate, here.Replace(arg))
	}
	p.Must(migrate...)
	p.Must(migrate...) // every `up` does
	for service, role := range map[string]string{"serve": migrations.Serve, "update": migrations.Ingest} {
		var user string
		if err := pgtest.Connect(t, dsn(service)).QueryRow(t.Context(), "SELECT current_user").Scan(&user); err != nil || user != role {
			t.Errorf("%s connects as %q, %v", service, user, err)
		}
		for _, foreign := range []string{"postgres", migrations.Serve, migrations.Ingest, "razao"} {
			if foreign == role {
				continue
			}
			// With its password file, with its own password, without one.
			own := strings.SplitN(strings.TrimSpace(readFile(t, filepath.Join(secrets, role))), ":", 5)[4]
			as := strings.Replace(dsn(service), role+"@", foreign+"@", 1)
			for _, attempt := range []string{as, strings.Replace(as, "@", ":"+own+"@", 1), "postgres://" + foreign + "@" + server.addr() + "/razao"} {
				checkRefused(t, attempt, own)
			}
		}
	}
	q := built.New(t, "RAZAO_DATABASE_URL="+dsn("serve"))
	if code, _, stderr := q.Run("keys", "list"); code != 0 {
		t.Errorf("keys list as razao_serve: %s", stderr)
	}
	if text := server.log(); strings.Contains(text, password) || strings.Contains(text, "SCRAM-SHA-256$") {
		t.Error("a password is in the log of PostgreSQL")
	}
}

// checkRefused fails the test unless PostgreSQL refuses to authenticate a connection.
func checkRefused(t *testing.T, dsn, password string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err == nil {
		_ = conn.Close(t.Context())
	}
	var refused *pgconn.PgError
	if !errors.As(err, &refused) || refused.Code != "28P01" && refused.Code != "28000" {
		t.Errorf("%s: %v, want a refusal", strings.ReplaceAll(dsn, password, "…"), err)
	}
}

// TestPasswordFilesThatAreRefused gives `migrate` files without passwords of the roles, and a role that
// may not set them.
func TestPasswordFilesThatAreRefused(t *testing.T) {
	t.Parallel()
	p, _ := built.OnItsOwn(t)
	for text, says := range map[string]string{
		"*:*:*:postgres:abc\n":        "has no password of razao_ingest or razao_serve",
		"":                            "its lines are HOST:PORT:DATABASE:ROLE:PASSWORD",
		"*:*:other:razao_serve:abc\n": "has no password of",
		"*:*:*:razao_serve:senha-é\n": "beyond printable ASCII",
		"*:*:*:razao_serve:abcdefg\n": "permission denied",
	} {
		path := filepath.Join(t.TempDir(), "passfile")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		code, _, stderr := p.Run("migrate", "--passfile", path)
		if code != 1 || !strings.Contains(stderr, says) || strings.Contains(stderr, "abcdefg") {
			t.Errorf("%q: exit code %d: %s", text, code, stderr)
		}
	}
	if code, _, stderr := p.Run("migrate", "--passfile", "/nowhere/passfile"); code != 1 || !strings.Contains(stderr, "/nowhere/passfile") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

// TestComposeTrustsNobody: every rule of pg_hba.conf asks for proof.
func TestComposeTrustsNobody(t *testing.T) {
	t.Parallel()
	c := composed(t)
	database := c.Services["database"]
	if len(database.Command) == 0 || !slices.Contains(database.Command, "hba_file=/etc/postgresql/pg_hba.conf") {
		t.Errorf("PostgreSQL runs with the rules of its image: %v", database.Command)
	}
	rules := strings.Split(strings.TrimSpace(c.Configs["pg-hba"].Content), "\n")
	for _, rule := range rules {
		fields := strings.Fields(rule)
		if method := fields[len(fields)-1]; method != "peer" && method != "scram-sha-256" || (method == "peer") != (fields[0] == "local") {
			t.Errorf("the rule %q", rule)
		}
	}
	if len(rules) == 0 {
		t.Error("no rules")
	}
	for name, s := range c.Services {
		for key, value := range s.Environment {
			if strings.Contains(key, "PASSWORD") != strings.HasPrefix(value, "/run/secrets/") || strings.Contains(value, "trust") {
				t.Errorf("%s: %s=%s", name, key, value)
			}
		}
	}
}
