package main

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/api"
	"razao/ingest"
	"razao/internal/people/account"
	"razao/internal/people/seal"
)

// Upper bounds of settings, beyond which a value is a mistake. More connections than this are more
// than PostgreSQL serves well; a server that drains for longer looks as if it did not stop.
const (
	mostConnections = 1000
	longestDrain    = time.Hour
)

// check validates the settings beyond their types, and completes those that follow from others.
func (s *settings) check() error {
	for _, check := range []func() error{
		s.checkDatabases, s.checkAddresses, s.checkBaseURL, s.checkLimits, s.checkPublishers, s.checkSecret, s.checkMail, s.checkProviders,
	} {
		if err := check(); err != nil {
			return err
		}
	}
	if _, err := api.ParseRetirement(s.V1Deprecated); err != nil {
		return fmt.Errorf("RAZAO_V1_DEPRECATED: %w", err)
	}
	if _, err := s.whatsApp(); err != nil {
		return err
	}
	_, err := s.telegram()
	return err
}

func (s *settings) checkDatabases() error {
	for _, dsn := range []setting{
		{"RAZAO_DATABASE_URL", s.DatabaseURL}, {"RAZAO_DATABASE_INGEST_URL", s.IngestURL}, {"RAZAO_DATABASE_READ_URL", s.ReadURL},
	} {
		if dsn.value == "" {
			continue
		}
		if _, err := pgxpool.ParseConfig(dsn.value); err != nil {
			return fmt.Errorf("%s: %w: it is like postgres://user@host:5432/razao", dsn.name, err)
		}
	}
	switch {
	case s.IngestURL != "" && s.DatabaseURL == "":
		return errors.New("RAZAO_DATABASE_INGEST_URL without RAZAO_DATABASE_URL: who serves would not see what is loaded")
	case s.ReadURL != "" && s.DatabaseURL == "":
		return errors.New("RAZAO_DATABASE_READ_URL without RAZAO_DATABASE_URL: the private server has no replicas")
	}
	return nil
}

func (s *settings) checkAddresses() error {
	if err := checkAddress("RAZAO_ADDR", s.Addr); err != nil {
		return err
	}
	if s.PrivateAddr != "" {
		if err := checkAddress("RAZAO_PRIVATE_ADDR", s.PrivateAddr); err != nil {
			return err
		}
	}
	for _, cache := range s.EdgePurge {
		if _, err := parseHTTP("RAZAO_EDGE_PURGE", cache); err != nil {
			return err
		}
	}
	return nil
}

// checkAddress checks a listen address.
func checkAddress(name, address string) error {
	_, port, err := net.SplitHostPort(address)
	if err == nil && !isPort(port) {
		err = errors.New("port")
	}
	if err != nil {
		return fmt.Errorf("%s: %q is not host:port, such as 127.0.0.1:8080 or [::1]:8080", name, address)
	}
	return nil
}

func isPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
}

// parseHTTP parses an http or https URL. Its errors do not quote the URL, which may hold a password.
func parseHTTP(name, address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.Port() != "" && !isPort(u.Port()) {
		return nil, fmt.Errorf("%s is not an http:// or https:// address", name)
	}
	return u, nil
}

// checkBaseURL brings RAZAO_BASE_URL into the form of an origin (RFC 6454 §6.2), which browsers send
// and OAuth clients compare as a string. Without it, links begin with RAZAO_ADDR, if somebody can
// visit that.
func (s *settings) checkBaseURL() error {
	if s.BaseURL == "" {
		if address := "http://" + s.Addr; isVisitable(address) {
			s.BaseURL = address
		}
		return nil
	}
	u, err := parseHTTP("RAZAO_BASE_URL", s.BaseURL)
	if err != nil {
		return err
	}
	plain := u.Scheme + "://" + u.Host
	switch {
	case u.User != nil:
		return errors.New("RAZAO_BASE_URL has a user or password: it is public")
	case strings.ContainsFunc(u.Host, func(r rune) bool { return r > '~' }):
		return fmt.Errorf("RAZAO_BASE_URL: write the host of %q in punycode (xn--…), as browsers send it", s.BaseURL)
	case !strings.EqualFold(strings.TrimSuffix(s.BaseURL, "/"), plain):
		return fmt.Errorf("RAZAO_BASE_URL: %q has more than a host and perhaps a port: the site and OAuth need the root, %s", s.BaseURL, plain)
	case !isVisitable(plain):
		return fmt.Errorf("RAZAO_BASE_URL: nobody can visit %q, an address that only listens: name the host that people use", s.BaseURL)
	}
	s.BaseURL = strings.ToLower(plain)
	return nil
}

// isVisitable reports whether an address has a host to connect to, which wildcard addresses have not.
func isVisitable(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return err != nil || !ip.Unmap().WithZone("").IsUnspecified()
}

// needBaseURL is called by commands that give links away. The Host of requests is no substitute for
// the setting: whoever writes it would choose where sign-in mails and OAuth metadata lead (host header
// injection).
func (a *app) needBaseURL() error {
	if a.settings.BaseURL != "" {
		return nil
	}
	return fmt.Errorf("RAZAO_ADDR=%s listens on every address, and links and sign-in need the one that people visit: set it, such as RAZAO_BASE_URL=https://razao.example",
		a.settings.Addr)
}

func (s *settings) checkLimits() error {
	if s.Drain < 0 || s.Drain > longestDrain {
		return fmt.Errorf("RAZAO_DRAIN: %s is not from 0s to %s", s.Drain, longestDrain)
	}
	if n := s.DatabaseConnections; n < 0 || n > mostConnections {
		return fmt.Errorf("RAZAO_DATABASE_CONNECTIONS: %d is not from 0 to %d", n, mostConnections)
	}
	for name, limit := range map[string]int{
		"RAZAO_IP_FAILURES": s.IPFailures, "RAZAO_IP_REQUESTS": s.IPRequests, "RAZAO_IP_CLIENTS": s.IPClients, "RAZAO_IP_CALLS": s.IPCalls,
	} {
		if limit < 0 {
			return fmt.Errorf("%s: %d is less than 0, which means no limit", name, limit)
		}
	}
	return nil
}

func (s *settings) checkPublishers() error {
	if s.ReceitaURL != "" {
		if _, err := parseHTTP("RAZAO_RECEITA_URL", s.ReceitaURL); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.SourceURLs)) {
		if !slices.Contains(ingest.SourceIDs(), id) {
			return fmt.Errorf("RAZAO_SOURCE_URLS: there is no source %q; there are %s", id, strings.Join(ingest.SourceIDs(), ", "))
		}
		if _, err := parseHTTP("RAZAO_SOURCE_URLS: "+id, s.SourceURLs[id]); err != nil {
			return err
		}
	}
	return nil
}

func (s *settings) checkSecret() error {
	if n := len(s.Secret); n > 0 && n < seal.LeastSecret {
		return fmt.Errorf("RAZAO_SECRET has %d characters, at least %d are needed", n, seal.LeastSecret)
	}
	return nil
}

func (s *settings) checkMail() (err error) {
	if s.Contact != "" {
		if s.Contact, err = account.ParseEmail(s.Contact); err != nil {
			return fmt.Errorf("RAZAO_CONTACT: %w", err)
		}
	}
	mails := s.mails(nil)
	return mails.Check()
}

func (s *settings) checkProviders() error {
	given, err := allOrNone([]setting{
		{"RAZAO_OIDC_ISSUER", s.OIDC.Issuer}, {"RAZAO_OIDC_CLIENT_ID", s.OIDC.ClientID}, {"RAZAO_OIDC_CLIENT_SECRET", s.OIDC.ClientSecret},
	})
	if err != nil {
		return err
	}
	if given {
		if _, err := parseHTTP("RAZAO_OIDC_ISSUER", s.OIDC.Issuer); err != nil {
			return err
		}
	}
	_, err = allOrNone([]setting{{"RAZAO_GITHUB_CLIENT_ID", s.GitHub.ClientID}, {"RAZAO_GITHUB_CLIENT_SECRET", s.GitHub.ClientSecret}})
	return err
}

// setting is the name and value of a setting.
type setting struct{ name, value string }

// allOrNone reports whether settings that belong together are set. If only some are, the error names
// the others.
func allOrNone(all []setting) (given bool, err error) {
	var missing, set []string
	for _, s := range all {
		if s.value == "" {
			missing = append(missing, s.name)
		} else {
			set = append(set, s.name)
		}
	}
	if len(missing) == 0 || len(set) == 0 {
		return len(missing) == 0, nil
	}
	return false, fmt.Errorf("%s: missing, and needed with %s", strings.Join(missing, ", "), strings.Join(set, ", "))
}
