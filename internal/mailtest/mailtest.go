// Package mailtest gives tests a mail server on loopback that keeps what it takes. It speaks as much SMTP (RFC 5321) as
// senders need.
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

// mailboxSize is how many mails a mailbox holds that no test reads.
const mailboxSize = 100

// Server is a mail server. Its fields are set before Start.
type Server struct {
	Refuse func(recipient string) string // the answer to RCPT TO; "": taken. nil takes all
	HangUp bool                          // close the connection after a mail, without a reply to QUIT

	listener net.Listener
	mu       sync.Mutex
	boxes    map[string]chan Mail
}

// Mail is a mail that a server took.
type Mail struct {
	From, To string // of the envelope
	Raw      string // header and body, with CRLF
}

// Start starts the server, to be stopped by Stop or when the test ends, and returns its address as RAZAO_SMTP_URL takes it.
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

// Stop refuses connections from now on.
func (s *Server) Stop() { _ = s.listener.Close() }

// Box returns the mailbox of an address: its mails in the order in which they arrived.
func (s *Server) Box(address string) chan Mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.boxes[address] == nil {
		s.boxes[address] = make(chan Mail, mailboxSize)
	}
	return s.boxes[address]
}

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

// readData reads a mail up to the line with a dot (RFC 5321 §4.5.2).
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

// Link waits for the next mail to an address and returns the first link in its text.
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

// Read reads a mail as a mail program shows it: its header, and its text with line feeds alone.
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
