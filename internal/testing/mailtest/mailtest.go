// Package mailtest provides a mail server on loopback for tests. It speaks the part of SMTP (RFC
// 5321) that senders need, without TLS, and puts each mail into a channel per recipient, so a test
// waits for a mail by receiving it.
package mailtest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// mailboxSize is how many unread mails a mailbox holds; a further one blocks its sender.
const mailboxSize = 100

// Server is a mail server. Its exported fields are set before Start; the zero value accepts every
// mail.
type Server struct {
	Refuse func(recipient string) string // SMTP reply to RCPT TO that refuses it; "" or a nil func: accepted
	HangUp bool                          // close the connection after a mail, without a reply to QUIT

	listener net.Listener
	mu       sync.Mutex
	boxes    map[string]chan Mail
}

// Mail is a mail that the server accepted.
type Mail struct {
	From, To string // envelope addresses; From as sent, with angle brackets
	Raw      string // header and body, with CRLF, dot-stuffing removed
}

// Start starts the server and returns its address in the form of RAZAO_SMTP_URL. The server stops
// when Stop is called or the test ends, which waits for its connections to close.
func (s *Server) Start(t *testing.T) (url string) {
	t.Helper()
	var err error
	if s.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	s.boxes = map[string]chan Mail{}
	var sessions sync.WaitGroup
	sessions.Go(func() {
		for {
			conn, err := s.listener.Accept()
			if err != nil {
				return
			}
			sessions.Go(func() { s.serve(conn) })
		}
	})
	t.Cleanup(func() {
		s.Stop()
		sessions.Wait()
	})
	return "smtp://" + s.listener.Addr().String() + "?tls=none"
}

// Stop closes the listener: new connections are refused, open ones go on.
func (s *Server) Stop() { _ = s.listener.Close() }

// Box returns the mailbox of an address, created if needed: a channel with its mails in order of
// arrival. It may be called before the mail is sent.
func (s *Server) Box(address string) chan Mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.boxes[address] == nil {
		s.boxes[address] = make(chan Mail, mailboxSize)
	}
	return s.boxes[address]
}

// serve talks SMTP on one connection. The last RCPT TO decides the mailbox.
func (s *Server) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	r := bufio.NewReader(conn)
	say := func(line string) { _, _ = fmt.Fprintf(conn, "%s\r\n", line) }
	say("220 mailtest")
	var m Mail
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimRight(line, "\r\n")
		switch verb := strings.ToUpper(line); {
		case strings.HasPrefix(verb, "MAIL FROM:"):
			m = Mail{From: line[len("MAIL FROM:"):]}
			say("250 ok")
		case strings.HasPrefix(verb, "RCPT TO:"):
			m.To = strings.Trim(line[len("RCPT TO:"):], "<> ")
			say(s.replyTo(m.To))
		case verb == "DATA":
			say("354 go on")
			if m.Raw, err = readData(r); err != nil {
				return
			}
			s.Box(m.To) <- m
			say("250 taken")
			if s.HangUp {
				return
			}
		case verb == "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

func (s *Server) replyTo(recipient string) string {
	if s.Refuse != nil {
		if refusal := s.Refuse(recipient); refusal != "" {
			return refusal
		}
	}
	return "250 ok"
}

// readData reads a mail up to the line with a single dot and undoes dot-stuffing (RFC 5321 §4.5.2).
func readData(r *bufio.Reader) (string, error) {
	var data strings.Builder
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return "", err
		}
		if line == ".\r\n" {
			return data.String(), nil
		}
		data.WriteString(strings.TrimPrefix(line, "."))
	}
}

var firstLink = regexp.MustCompile(`https?://\S+`)

// Link waits for the next mail to an address and returns the first link in its text. It fails the
// test if ctx ends first or the mail has no link.
func (s *Server) Link(ctx context.Context, t *testing.T, to string) string {
	t.Helper()
	var m Mail
	select {
	case m = <-s.Box(to):
	case <-ctx.Done():
		t.Fatalf("no mail for %s", to)
	}
	_, text := Read(t, m.Raw)
	link := firstLink.FindString(text)
	if link == "" {
		t.Fatalf("no link in the mail\n%s", text)
	}
	return link
}

// Read parses a mail as a mail program does: it returns the header, and the text decoded from
// quoted-printable with \n as line end.
func Read(t *testing.T, raw string) (header mail.Header, text string) {
	t.Helper()
	m, err := mail.ReadMessage(strings.NewReader(raw))
	if err != nil {
		t.Fatalf("not a mail: %v\n%s", err, raw)
	}
	body := m.Body
	if m.Header.Get("Content-Transfer-Encoding") == "quoted-printable" {
		body = quotedprintable.NewReader(body)
	}
	b, err := io.ReadAll(body)
	if err != nil {
		t.Fatalf("mail: %v\n%s", err, raw)
	}
	return m.Header, strings.ReplaceAll(string(b), "\r\n", "\n")
}
