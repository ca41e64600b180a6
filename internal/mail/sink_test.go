package mail

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/mail"
	"strings"
	"sync"
	"testing"
)

// sink is a mail server on loopback that keeps what it takes.
type sink struct {
	listener net.Listener
	refuse   func(recipient string) string // the answer to RCPT; "": taken
	hangUp   bool                          // after the mail, without a farewell

	mu    sync.Mutex
	mails []received
}

type received struct {
	from, to string // of the envelope
	raw      string
}

func startSink(t *testing.T, s *sink) string {
	t.Helper()
	var err error
	if s.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
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
		_ = s.listener.Close()
		sessions.Wait()
	})
	return "smtp://" + s.listener.Addr().String() + "?tls=none"
}

func (s *sink) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	r := bufio.NewReader(conn)
	say := func(line string) { _, _ = fmt.Fprintf(conn, "%s\r\n", line) }
	say("220 sink")
	var m received
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimRight(line, "\r\n")
		switch verb := strings.ToUpper(line); {
		case strings.HasPrefix(verb, "MAIL FROM:"):
			m = received{from: line[len("MAIL FROM:"):]}
			say("250 ok")
		case strings.HasPrefix(verb, "RCPT TO:"):
			m.to = strings.Trim(line[len("RCPT TO:"):], "<> ")
			if s.refuse != nil && s.refuse(m.to) != "" {
				say(s.refuse(m.to))
				continue
			}
			say("250 ok")
		case verb == "DATA":
			say("354 go on")
			if m.raw, err = readData(r); err != nil {
				return
			}
			s.mu.Lock()
			s.mails = append(s.mails, m)
			s.mu.Unlock()
			say("250 taken")
			if s.hangUp {
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

func (s *sink) taken() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mails
}

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

// parse reads a mail as a mailbox would.
func parse(t *testing.T, raw string) (header mail.Header, body string) {
	t.Helper()
	m, err := mail.ReadMessage(strings.NewReader(raw))
	if err != nil {
		t.Fatalf("not a mail: %v\n%s", err, raw)
	}
	b, err := io.ReadAll(m.Body)
	if err != nil {
		t.Fatal(err)
	}
	return m.Header, string(b)
}
