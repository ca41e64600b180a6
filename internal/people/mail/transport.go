package mail

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/mail"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	smtp "github.com/wneessen/go-mail"
)

// errRefused means that a mail was refused permanently (SMTP 5xx, RFC 5321 §4.2.1); trying again
// would not help.
var errRefused = errors.New("the mail server refuses the mail")

// server is the SMTP transport.
type server struct {
	host    string
	options []smtp.Option
}

// parseServer reads Config.URL. STARTTLS is mandatory where TLS is not implicit: opportunistic
// STARTTLS can be stripped by whoever is on the path, and the password would follow in plain text.
// Errors do not quote the URL, which holds that password.
func parseServer(raw string) (*server, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return nil, errors.New("RAZAO_SMTP_URL is not a URL") // without err, which may quote the password
	}
	s := &server{host: u.Hostname()}
	port := "587"
	switch mode := u.Query().Get("tls"); {
	case u.Scheme == "smtps" && mode == "":
		port = "465"
		s.options = append(s.options, smtp.WithSSL())
	case u.Scheme == "smtp" && mode == "":
		s.options = append(s.options, smtp.WithTLSPolicy(smtp.TLSMandatory))
	case u.Scheme == "smtp" && mode == "none":
		s.options = append(s.options, smtp.WithTLSPolicy(smtp.NoTLS))
	default:
		return nil, errors.New("RAZAO_SMTP_URL begins with smtp:// or smtps://, and smtp:// may end with ?tls=none")
	}
	number, err := strconv.Atoi(cmp.Or(u.Port(), port))
	if err != nil || s.host == "" || strings.Trim(u.Path, "/") != "" {
		return nil, errors.New("RAZAO_SMTP_URL is smtp://user:password@host:port")
	}
	s.options = append(s.options, smtp.WithPort(number), smtp.WithTimeout(deliverTimeout),
		smtp.WithTLSConfig(&tls.Config{ServerName: s.host, MinVersion: tls.VersionTLS12}))
	if password, ok := u.User.Password(); ok {
		s.options = append(s.options, smtp.WithSMTPAuth(smtp.SMTPAuthAutoDiscover),
			smtp.WithUsername(u.User.Username()), smtp.WithPassword(password))
	}
	return s, nil
}

// deliver sends a mail over a new connection. There are too few mails to keep one open.
func (s *server) deliver(ctx context.Context, from *mail.Address, m Message) error {
	message, err := compose(from, m, smtp.EncodingQP)
	if err != nil {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	client, err := smtp.NewClient(s.host, s.options...)
	if err != nil {
		return fmt.Errorf("mail server %s: %w", s.host, err)
	}
	err = client.DialAndSendWithContext(ctx, message)
	if err == nil || message.IsDelivered() { // after the 250 for DATA an error, such as a lost reply to QUIT, does not matter
		return nil
	}
	return s.redact(err)
}

// redact returns an error fit for the log: the library's quotes the server's reply, which usually
// names the recipient. A 5xx becomes errRefused.
func (s *server) redact(err error) error {
	var send *smtp.SendError
	var network net.Error
	switch {
	case errors.As(err, &send) && send.ErrorCode() >= 500 && !send.IsTemp():
		return fmt.Errorf("%w: %s, code %d", errRefused, send.Reason, send.ErrorCode())
	case errors.As(err, &send):
		return fmt.Errorf("mail server %s: %s, code %d", s.host, send.Reason, send.ErrorCode())
	case errors.As(err, &network):
		return fmt.Errorf("mail server %s: %w", s.host, network)
	}
	return fmt.Errorf("mail server %s: %w", s.host, err)
}

// compose returns the mail with its headers. Auto-Submitted (RFC 3834 §5) suppresses automatic
// replies; List-Unsubscribe-Post is the one-click unsubscription of RFC 8058. The Message-ID has the domain of the sender and not the name of this machine.
func compose(from *mail.Address, m Message, encoding smtp.Encoding) (*smtp.Msg, error) {
	message := smtp.NewMsg(smtp.WithEncoding(encoding))
	message.FromMailAddress(from)
	if message.To(m.To) != nil {
		return nil, errors.New("invalid recipient") // the library's error quotes the address
	}
	message.Subject(m.Subject)
	message.SetDate()
	message.SetMessageIDWithValue(rand.Text() + from.Address[strings.LastIndexByte(from.Address, '@'):])
	message.SetGenHeader("Auto-Submitted", "auto-generated")
	message.SetBodyString(smtp.TypeTextPlain, m.Text)
	if m.HTML != "" {
		message.AddAlternativeString(smtp.TypeTextHTML, m.HTML)
	}
	if m.Unsubscribe != "" {
		message.SetGenHeader(smtp.HeaderListUnsubscribe, "<"+m.Unsubscribe+">")
		message.SetGenHeader(smtp.HeaderListUnsubscribePost, "List-Unsubscribe=One-Click")
	}
	return message, nil
}

// folder is the transport without a mail server, for development: it writes files.
type folder struct {
	dir string
	log *slog.Logger
}

// firstLink matches the magic link, which is the first in a mail.
var firstLink = regexp.MustCompile(`https?://\S+`)

// deliver writes the mail to a file that only its owner can read, and logs where. It logs the link
// itself only if that leads to loopback, so that developers can sign in from the terminal; anywhere
// else the log would let its readers sign in as the recipient.
func (f folder) deliver(_ context.Context, from *mail.Address, m Message) error {
	message, err := compose(from, m, smtp.NoEncoding) // quoted-printable would break the link
	if err != nil {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return fmt.Errorf("folder for mails: %w", err)
	}
	path := filepath.Join(f.dir, time.Now().UTC().Format("20060102-150405.000")+"-"+rand.Text()[:6]+".eml")
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("file for a mail: %w", err)
	}
	_, err = message.WriteTo(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	attrs := []any{"file", path}
	if link := firstLink.FindString(m.Text); isLocal(link) {
		attrs = append(attrs, "link", link)
	}
	f.log.Info("mail written to a file: there is no mail server", attrs...)
	return nil
}

// isLocal reports whether a link is http on loopback.
func isLocal(link string) bool {
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "http" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}
