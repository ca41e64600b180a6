package main

import (
	"fmt"
	"net/netip"
	"path/filepath"
	"time"

	"github.com/caarlos0/env/v11"
)

// settings are read from the environment, here and nowhere else. Every one has a working default
// and a line in .env.example. Those tagged "unset" are secrets: they are removed from the
// environment after reading, so that child processes do not inherit them.
type settings struct {
	// DSNs for those who serve and those who load. Both empty: the private server. IngestURL empty:
	// DatabaseURL for everything. ReadURL has the replicas that records are served from; empty:
	// DatabaseURL.
	DatabaseURL string `env:"RAZAO_DATABASE_URL"`
	IngestURL   string `env:"RAZAO_DATABASE_INGEST_URL"`
	ReadURL     string `env:"RAZAO_DATABASE_READ_URL"`
	// DatabaseConnections is the most connections for records; 0: four for each processor, 8 to 16.
	DatabaseConnections int `env:"RAZAO_DATABASE_CONNECTIONS" envDefault:"0"`

	// Data is made absolute. BaseURL defaults to http:// and Addr; it stays empty if Addr only listens,
	// like 0.0.0.0 (see needBaseURL).
	Data        string `env:"RAZAO_DATA" envDefault:"./data"`
	IndexStore  string `env:"RAZAO_INDEX_STORE"` // URL or folder; "": none
	Addr        string `env:"RAZAO_ADDR" envDefault:"127.0.0.1:8080"`
	RecordFiles bool   `env:"RAZAO_RECORD_FILES" envDefault:"true"`
	PrivateAddr string `env:"RAZAO_PRIVATE_ADDR" envDefault:"127.0.0.1:9090"` // "": none
	BaseURL     string `env:"RAZAO_BASE_URL"`
	Contact     string `env:"RAZAO_CONTACT"`
	ReceitaURL  string `env:"RAZAO_RECEITA_URL"`
	PostgresBin string `env:"RAZAO_POSTGRES_BIN"`
	Dev         bool   `env:"RAZAO_DEV"`
	Secret      string `env:"RAZAO_SECRET,unset"`

	// SourceURLs replace publishers' addresses, by source id.
	SourceURLs map[string]string `env:"RAZAO_SOURCE_URLS" envKeyValSeparator:"="`

	// Without SMTPURL mails are files below Data.
	SMTPURL  string `env:"RAZAO_SMTP_URL,unset"`
	MailFrom string `env:"RAZAO_MAIL_FROM" envDefault:"Razão <razao@localhost>"`
	// Of an identity provider either all settings must be set or none, but for the name.
	OIDC struct {
		Issuer       string `env:"ISSUER"`
		Name         string `env:"NAME" envDefault:"Conta da organização"`
		ClientID     string `env:"CLIENT_ID"`
		ClientSecret string `env:"CLIENT_SECRET,unset"`
	} `envPrefix:"RAZAO_OIDC_"`
	GitHub struct {
		ClientID     string `env:"CLIENT_ID"`
		ClientSecret string `env:"CLIENT_SECRET,unset"`
	} `envPrefix:"RAZAO_GITHUB_"`

	// Of a messenger either all settings must be set or none, but for the URL.
	WhatsApp struct {
		AppSecret   string `env:"APP_SECRET,unset"`
		VerifyToken string `env:"VERIFY_TOKEN,unset"`
		Token       string `env:"TOKEN,unset"`
		PhoneID     string `env:"PHONE_ID"`
		Number      string `env:"NUMBER"`
		URL         string `env:"URL"`
	} `envPrefix:"RAZAO_WHATSAPP_"`
	Telegram struct {
		Secret   string `env:"SECRET,unset"`
		Username string `env:"USERNAME"`
	} `envPrefix:"RAZAO_TELEGRAM_"`

	// V1Deprecated is a text of api.ParseRetirement.
	V1Deprecated string `env:"RAZAO_V1_DEPRECATED"`

	// Drain is how long readiness is denied before the address is closed.
	Drain time.Duration `env:"RAZAO_DRAIN" envDefault:"0s"`

	// Limits for a client address, in requests a minute; 0: none. Clients of TrustedProxies are
	// told by X-Forwarded-For. EdgePurge are the addresses of caches to purge.
	TrustedProxies []netip.Prefix `env:"RAZAO_TRUSTED_PROXIES"`
	EdgePurge      []string       `env:"RAZAO_EDGE_PURGE"`
	IPFailures     int            `env:"RAZAO_IP_FAILURES" envDefault:"30"`
	IPCalls        int            `env:"RAZAO_IP_CALLS" envDefault:"1200"`
	IPRequests     int            `env:"RAZAO_IP_REQUESTS" envDefault:"600"`
	IPClients      int            `env:"RAZAO_IP_CLIENTS" envDefault:"60"`
}

// readSettings reads and validates the settings in an environment, entries of the form NAME=value. An
// error names the setting at fault, as an operator writes it, and never repeats a secret.
func readSettings(environment []string) (settings, error) {
	given := env.ToMap(environment)
	if err := refuseUnknown(given); err != nil {
		return settings{}, err
	}
	s, err := env.ParseAsWithOptions[settings](env.Options{Environment: given})
	if err != nil {
		return s, malformed(given)
	}
	if addr, set := given["RAZAO_PRIVATE_ADDR"]; set { // env takes the default for an empty value too, which here means none
		s.PrivateAddr = addr
	}
	if s.Data, err = filepath.Abs(s.Data); err != nil {
		return s, fmt.Errorf("RAZAO_DATA: %w", err)
	}
	return s, s.check()
}

func (s *settings) indexDir() string    { return filepath.Join(s.Data, "index") }
func (s *settings) workDir() string     { return filepath.Join(s.Data, "work") }
func (s *settings) downloadDir() string { return filepath.Join(s.Data, "download") }
func (s *settings) sampleDir() string   { return filepath.Join(s.Data, "sample") }
func (s *settings) seriesDir() string   { return filepath.Join(s.Data, "demonstration") }
func (s *settings) clusterDir() string  { return filepath.Join(s.Data, "postgres") }
