package main

import (
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"

	"razao/internal/assist/messenger"
	"razao/internal/ops/metrics"
	"razao/internal/people/seal"
	"razao/internal/testing/fixture"
	"razao/internal/testing/program"
)

// TestSettingsAtFault checks that every value that cannot be meant is refused, by an error that names
// the setting and not the Go field, and that no error repeats a secret.
func TestSettingsAtFault(t *testing.T) {
	t.Parallel()
	const secret = "s3gr3d0"
	for _, tt := range []struct{ environment, says string }{
		{"RAZAO_DATABSE_URL=postgres://u:s3gr3d0@h/d", "RAZAO_DATABSE_URL is not a setting; did you mean RAZAO_DATABASE_URL?"},
		{"RAZAO_DATABASE=x", "RAZAO_DATABASE is not a setting; did you mean RAZAO_DATABASE_URL?"},
		{"RAZAO_TRUSTED_PROXY=10.0.0.0/8", "did you mean RAZAO_TRUSTED_PROXIES?"},
		{"RAZAO_SECRETS=", "did you mean RAZAO_SECRET?"},
		{"RAZAO_OIDC_CLIENTID=x", "did you mean RAZAO_OIDC_CLIENT_ID?"},
		{"RAZAO_OIDC_=x", "RAZAO_OIDC_ is not a setting"},
		{"RAZAO_WORKERS_OF_THE_WORLD=x", "RAZAO_WORKERS_OF_THE_WORLD is not a setting: .env.example lists all"},
		{"RAZAO_ADR=a RAZAO_DREV=b", "RAZAO_ADR is not a setting; did you mean RAZAO_ADDR?\nRAZAO_DREV is not a setting; did you mean RAZAO_DEV?"},

		{"RAZAO_DRAIN=banana", `RAZAO_DRAIN: "banana" is not a duration, such as 6s or 2m`},
		{"RAZAO_DRAIN=6", "RAZAO_DRAIN"},
		{"RAZAO_DRAIN=-1s", "RAZAO_DRAIN: -1s is not from 0s to 1h0m0s"},
		{"RAZAO_DRAIN=61m", "RAZAO_DRAIN: 1h1m0s is not from 0s to 1h0m0s"},
		{"RAZAO_DEV=talvez", `RAZAO_DEV: "talvez" is neither true nor false`},
		{"RAZAO_RECORD_FILES=sim", "RAZAO_RECORD_FILES"},
		{"RAZAO_DATABASE_CONNECTIONS=muitas", `RAZAO_DATABASE_CONNECTIONS: "muitas" is not a whole number`},
		{"RAZAO_DATABASE_CONNECTIONS=-3", "RAZAO_DATABASE_CONNECTIONS: -3 is not from 0 to 1000"},
		{"RAZAO_DATABASE_CONNECTIONS=5000", "RAZAO_DATABASE_CONNECTIONS: 5000 is not from 0 to 1000"},
		{"RAZAO_IP_CALLS=-1", "RAZAO_IP_CALLS: -1 is less than 0"},
		{"RAZAO_IP_REQUESTS=99999999999", "RAZAO_IP_REQUESTS"},
		{"RAZAO_IP_FAILURES=1.5 RAZAO_IP_CLIENTS=x", "RAZAO_IP_CLIENTS"},
		{"RAZAO_TRUSTED_PROXIES=10.0.0.1", `RAZAO_TRUSTED_PROXIES: "10.0.0.1" is not a list of networks, such as 10.0.0.0/8,192.168.1.7/32`},
		{"RAZAO_SOURCE_URLS=http://u:s3gr3d0@h/", "RAZAO_SOURCE_URLS"},
		{"RAZAO_SOURCE_URLS=ceiss=http://h/", `RAZAO_SOURCE_URLS: there is no source "ceiss"`},
		{"RAZAO_SOURCE_URLS=receita=http://h/", "RAZAO_SOURCE_URLS"},
		{"RAZAO_SOURCE_URLS=ceis=/folder", "RAZAO_SOURCE_URLS: ceis"},
		{"RAZAO_SOURCE_URLS=ceis=ftp://u:s3gr3d0@h/", "RAZAO_SOURCE_URLS: ceis"},
		{"RAZAO_RECEITA_URL=banana", "RAZAO_RECEITA_URL"},
		{"RAZAO_RECEITA_URL=ftp://u:s3gr3d0@h/", "RAZAO_RECEITA_URL"},

		{"RAZAO_V1_DEPRECATED=2027-02-30", `RAZAO_V1_DEPRECATED: "2027-02-30" is neither a day`},
		{"RAZAO_V1_DEPRECATED=2027-01-31/2027-01-31", "RAZAO_V1_DEPRECATED"},
		{"RAZAO_V1_DEPRECATED=2027-01-31/", "RAZAO_V1_DEPRECATED"},

		{"RAZAO_ADDR=8080", `RAZAO_ADDR: "8080" is not host:port`},
		{"RAZAO_ADDR=127.0.0.1", "RAZAO_ADDR"},
		{"RAZAO_ADDR=127.0.0.1:", "RAZAO_ADDR"},
		{"RAZAO_ADDR=127.0.0.1:0", "RAZAO_ADDR"},
		{"RAZAO_ADDR=127.0.0.1:99999", "RAZAO_ADDR"},
		{"RAZAO_ADDR=127.0.0.1:http", "RAZAO_ADDR"},
		{"RAZAO_ADDR=http://127.0.0.1:8080", "RAZAO_ADDR"},
		{"RAZAO_ADDR=::1:8080", "RAZAO_ADDR"},
		{"RAZAO_PRIVATE_ADDR=9090", "RAZAO_PRIVATE_ADDR"},
		{"RAZAO_BASE_URL=razao.example", "RAZAO_BASE_URL"},
		{"RAZAO_BASE_URL=//razao.example", "RAZAO_BASE_URL"},
		{"RAZAO_BASE_URL=ftp://razao.example", "RAZAO_BASE_URL"},
		{"RAZAO_BASE_URL=https://", "RAZAO_BASE_URL"},
		{"RAZAO_BASE_URL=https://:8080", "RAZAO_BASE_URL"},
		{"RAZAO_BASE_URL=https://razao.example/site", "RAZAO_BASE_URL"},
		{"RAZAO_BASE_URL=https://razao.example//", "RAZAO_BASE_URL"},
		{"RAZAO_BASE_URL=https://razao.example?a=b", "RAZAO_BASE_URL"},
		{"RAZAO_BASE_URL=https://razao.example?", "RAZAO_BASE_URL"},
		{"RAZAO_BASE_URL=https://razao.example#topo", "RAZAO_BASE_URL"},
		{"RAZAO_BASE_URL=https://u:s3gr3d0@razao.example", "RAZAO_BASE_URL"},
		{"RAZAO_BASE_URL=https://razao.example:99999", "RAZAO_BASE_URL"},
		{"RAZAO_BASE_URL=https://razão.example", "RAZAO_BASE_URL"},
		{"RAZAO_BASE_URL=http://0.0.0.0:8080", "RAZAO_BASE_URL"},
		{"RAZAO_BASE_URL=http://[::]:8080", "RAZAO_BASE_URL"},

		{"RAZAO_SECRET=s3gr3d0", "RAZAO_SECRET has 7 characters, at least 32 are needed"},
		{"RAZAO_SMTP_URL=mail.example:25", "RAZAO_SMTP_URL"},
		{"RAZAO_SMTP_URL=http://u:s3gr3d0@mail.example", "RAZAO_SMTP_URL"},
		{"RAZAO_SMTP_URL=smtp://u:s3gr3d0%@mail.example", "RAZAO_SMTP_URL"},
		{"RAZAO_MAIL_FROM=razao", "RAZAO_MAIL_FROM"},
		{"RAZAO_CONTACT=ninguem", "RAZAO_CONTACT"},
		{"RAZAO_EDGE_PURGE=http://10.0.0.9:6081,u:s3gr3d0@10.0.0.10", "RAZAO_EDGE_PURGE"},
		{"RAZAO_OIDC_ISSUER=https://id.example", "RAZAO_OIDC_CLIENT_ID, RAZAO_OIDC_CLIENT_SECRET: missing"},
		{"RAZAO_OIDC_CLIENT_ID=a RAZAO_OIDC_CLIENT_SECRET=s3gr3d0", "RAZAO_OIDC_ISSUER: missing"},
		{"RAZAO_OIDC_ISSUER=id.example RAZAO_OIDC_CLIENT_ID=a RAZAO_OIDC_CLIENT_SECRET=s3gr3d0", "RAZAO_OIDC_ISSUER"},
		{"RAZAO_GITHUB_CLIENT_ID=a", "RAZAO_GITHUB_CLIENT_SECRET: missing"},
		{"RAZAO_GITHUB_CLIENT_SECRET=s3gr3d0", "RAZAO_GITHUB_CLIENT_ID: missing"},
		{"RAZAO_TELEGRAM_USERNAME=a", "RAZAO_TELEGRAM_SECRET: missing"},
		{"RAZAO_TELEGRAM_SECRET=s3gr3d0", "RAZAO_TELEGRAM_USERNAME: missing"},
		{"RAZAO_TELEGRAM_SECRET=s3gr3d0 RAZAO_TELEGRAM_USERNAME=@razao_bot", `RAZAO_TELEGRAM_USERNAME: "@razao_bot" is not the name of a bot`},
		{"RAZAO_TELEGRAM_SECRET=s3gr3d0+ RAZAO_TELEGRAM_USERNAME=razao_bot", "RAZAO_TELEGRAM_SECRET has other characters"},
		{whatsApp("APP_SECRET="), "RAZAO_WHATSAPP_APP_SECRET: missing"},
		{whatsApp("NUMBER= TOKEN="), "RAZAO_WHATSAPP_TOKEN, RAZAO_WHATSAPP_NUMBER: missing"},
		{whatsApp("NUMBER=+551133330000"), "RAZAO_WHATSAPP_NUMBER"},
		{whatsApp("PHONE_ID=../1"), "RAZAO_WHATSAPP_PHONE_ID"},
		{whatsApp("URL=graph.facebook.com"), "RAZAO_WHATSAPP_URL"},
		{"RAZAO_DATABASE_READ_URL=postgres://h/d", "RAZAO_DATABASE_READ_URL without RAZAO_DATABASE_URL"},
		{"RAZAO_DATABASE_URL=postgres://u:s3gr3d0%@h/d", "RAZAO_DATABASE_URL"},
		{"RAZAO_DATABASE_URL=postgres://u:s3gr3d0/@h/d", "RAZAO_DATABASE_URL"},
		{"RAZAO_DATABASE_URL=mysql://u:s3gr3d0@h/d", "RAZAO_DATABASE_URL"},
		{"RAZAO_DATABASE_URL=host=h|password='s3gr3d0", "RAZAO_DATABASE_URL"},
		{"RAZAO_DATABASE_URL=postgres://h/d RAZAO_DATABASE_INGEST_URL=postgres://u:s3gr3d0@h:banana/d", "RAZAO_DATABASE_INGEST_URL"},
		{"RAZAO_DATABASE_URL=postgres://h/d RAZAO_DATABASE_READ_URL=banana", "RAZAO_DATABASE_READ_URL"},
	} {
		environment := strings.Fields(tt.environment)
		for i := range environment {
			environment[i] = strings.ReplaceAll(environment[i], "|", " ")
		}
		_, err := readSettings(environment)
		switch {
		case err == nil:
			t.Errorf("%s: accepted", tt.environment)
		case !strings.Contains(err.Error(), tt.says):
			t.Errorf("%s: %q, want %q", tt.environment, err, tt.says)
		case strings.Contains(err.Error(), secret):
			t.Errorf("%s: %q repeats the secret", tt.environment, err)
		}
	}
}

// whatsApp returns settings of WhatsApp, of which some are others.
func whatsApp(others string) string {
	all := "APP_SECRET=s3gr3d0 VERIFY_TOKEN=s3gr3d0 TOKEN=s3gr3d0 PHONE_ID=106540352242922 NUMBER=551133330000 " + others
	return "RAZAO_WHATSAPP_" + strings.ReplaceAll(all, " ", " RAZAO_WHATSAPP_")
}

// TestSettingsAccepted reads values that look unusual and are right.
func TestSettingsAccepted(t *testing.T) {
	t.Parallel()
	for _, environment := range []string{
		"",
		"PATH=/bin RAZAO=x razao_drain=x OTHER=x",
		"RAZAO_URL=https://razao.example RAZAO_CHAVE=rz_x", // of programs that call the API
		"RAZAO_PRIVATE_ADDR= RAZAO_BASE_URL= RAZAO_DRAIN= RAZAO_OIDC_NAME=Conta RAZAO_TRUSTED_PROXIES= RAZAO_DATABASE_CONNECTIONS=",
		"RAZAO_ADDR=[::1]:8080", "RAZAO_ADDR=localhost:8080", "RAZAO_ADDR=:8080", "RAZAO_ADDR=0.0.0.0:8080 RAZAO_BASE_URL=https://razao.example:8443/",
		"RAZAO_DATABASE_CONNECTIONS=1000 RAZAO_DRAIN=1h",
		"RAZAO_DATABASE_URL=postgres://a,b:5433/razao?target_session_attrs=primary", "RAZAO_DATABASE_URL=dbname=razao",
		"RAZAO_SOURCE_URLS=ceis=http://127.0.0.1/x,pncp=https://h/",
		"RAZAO_TRUSTED_PROXIES=10.0.0.0/8,fd00::/8",
		"RAZAO_SECRET=" + strings.Repeat("x", seal.LeastSecret),
	} {
		if _, err := readSettings(strings.Fields(environment)); err != nil {
			t.Errorf("%s: %v", environment, err)
		}
	}
}

// TestCompletedSettings reads settings that are kept otherwise than they are written.
func TestCompletedSettings(t *testing.T) {
	t.Parallel()
	for environment, want := range map[string]string{ // an empty value is not the default
		"": metrics.DefaultAddr, "RAZAO_PRIVATE_ADDR=": "", "RAZAO_PRIVATE_ADDR=127.0.0.1:9191": "127.0.0.1:9191",
	} {
		if s, err := readSettings(strings.Fields(environment)); err != nil || s.PrivateAddr != want {
			t.Errorf("%q: %q, %v, want %q", environment, s.PrivateAddr, err, want)
		}
	}
	s, err := readSettings(strings.Fields(whatsApp("URL=http://127.0.0.1:9/v1/")))
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.whatsApp()
	want := messenger.WhatsApp{AppSecret: "s3gr3d0", VerifyToken: "s3gr3d0", Token: "s3gr3d0", PhoneID: "106540352242922", URL: "http://127.0.0.1:9/v1"}
	if err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
}

// TestPublicURL checks what links begin with, and that a server does not make any with an address
// that only listens.
func TestPublicURL(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"RAZAO_ADDR=127.0.0.1:8080": "http://127.0.0.1:8080",
		"RAZAO_ADDR=[::1]:8080":     "http://[::1]:8080",
		"RAZAO_ADDR=10.1.2.3:80":    "http://10.1.2.3:80",
		"RAZAO_ADDR=0.0.0.0:8080":   "",
		"RAZAO_ADDR=:8080":          "",
		"RAZAO_ADDR=[::]:8080":      "",
		"RAZAO_ADDR=[::%lo]:8080":   "",
		"RAZAO_ADDR=0.0.0.0:8080 RAZAO_BASE_URL=https://Razao.Example/": "https://razao.example",
	} {
		s, err := readSettings(strings.Fields(address))
		if err != nil || s.BaseURL != want {
			t.Errorf("%s: links begin with %q, want %q (%v)", address, s.BaseURL, want, err)
		}
		a := &app{settings: s}
		if err := a.needBaseURL(); (err == nil) != (want != "") || err != nil && !strings.Contains(err.Error(), "RAZAO_BASE_URL=https://") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// TestExposures checks which addresses and trusted networks are warned of when a server starts.
func TestExposures(t *testing.T) {
	t.Parallel()
	inside := []netip.Addr{netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("10.0.0.7"), netip.MustParseAddr("fe80::1"), netip.MustParseAddr("fd00::7")}
	outside := append(slices.Clone(inside), netip.MustParseAddr("198.51.100.7"))
	for address, want := range map[string][2]bool{ // on a machine of a private network, and on one with a public address
		"":                    {false, false},
		"127.0.0.1:9090":      {false, false},
		"[::1]:9090":          {false, false},
		"localhost:9090":      {false, false},
		"10.0.0.7:9090":       {false, false},
		"[fd00::7]:9090":      {false, false},
		"198.51.100.7:9090":   {true, true},
		"[2001:db8::1]:9090":  {true, true},
		"0.0.0.0:9090":        {false, true},
		":9090":               {false, true},
		"[::]:9090":           {false, true},
		"[::ffff:1.2.3.4]:90": {true, true},
	} {
		if got := [2]bool{isPublic(address, inside), isPublic(address, outside)}; got != want {
			t.Errorf("%s: %v, want %v", address, got, want)
		}
	}
	for network, want := range map[string]bool{
		"0.0.0.0/0": true, "::/0": true, "0.0.0.0/1": true, "128.0.0.0/1": true, "2000::/3": true, "8.0.0.0/7": true, "fc00::/6": true,
		"10.0.0.0/8": false, "127.0.0.0/8": false, "172.16.0.0/12": false, "198.51.100.0/24": false, "fc00::/7": false, "fd00::/8": false,
		"2001:db8::/32": false, "::1/128": false,
	} {
		if got := isTooWide(netip.MustParsePrefix(network)); got != want {
			t.Errorf("%s: %v, want %v", network, got, want)
		}
	}
}

// TestServeSaysWhatItIs starts a server with settings that expose it: the log says what it serves and
// warns.
func TestServeSaysWhatItIs(t *testing.T) {
	t.Parallel()
	p, _ := onDatabase(t, "RAZAO_TRUSTED_PROXIES=0.0.0.0/0,10.0.0.0/8")
	p.Must("migrate")
	p.Must("ingest", "receita", "--from", program.Sample(t, t.TempDir(), "2026-09", 100))
	log := p.Start("serve").Log
	for _, want := range []string{
		`"msg":"serving","version":"` + version + `","address":"` + p.Addr + `","url":"http://` + p.Addr + `","snapshot":1,"loads":1,"sources":{"receita":"2026-09"}`,
		`"setting":"RAZAO_TRUSTED_PROXIES","networks":["0.0.0.0/0"]`,
	} {
		fixture.Wait(t, "the log to have "+want, func() bool { return strings.Contains(log.String(), want) })
	}
}

// TestWildcardAddress starts what makes links on an address that only listens: it refuses, at once,
// unless it is told its public URL.
func TestWildcardAddress(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"serve", "up", "mcp", "oauth clients list"} {
		p := newProgram(t, "RAZAO_ADDR=0.0.0.0:8080")
		code, _, stderr := p.Run(strings.Fields(args)...)
		if code != 1 || !strings.Contains(stderr, "RAZAO_BASE_URL=https://razao.example") {
			t.Errorf("razao %s: exit code %d\n%s", args, code, stderr)
		}
		if _, err := os.Stat(p.Data); err == nil {
			t.Errorf("razao %s opened a database first", args)
		}
	}
	if code, out, stderr := newProgram(t, "RAZAO_NADA=1").Run("version"); code != 0 || !strings.Contains(out, version) {
		t.Errorf("version does not depend on settings, but: %d %s", code, stderr)
	}
	if code, _, stderr := newProgram(t, "RAZAO_DATABSE_URL=x").Run("loads"); code != 1 || !strings.Contains(stderr, "did you mean RAZAO_DATABASE_URL?") {
		t.Errorf("a misspelt setting: exit code %d\n%s", code, stderr)
	}
}

// TestPrivateAddressIsTaken starts a server whose private address another process has: it does not start.
func TestPrivateAddressIsTaken(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	p, _ := onDatabase(t, "RAZAO_PRIVATE_ADDR="+taken.Addr().String())
	refused(p, 1, "RAZAO_PRIVATE_ADDR", "serve")
}
