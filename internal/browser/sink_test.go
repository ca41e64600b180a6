package browser

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

// sink is a mail server on loopback. It keeps the mails of each mailbox until they are read.
type sink struct {
	address string

	mu    sync.Mutex
	boxes map[string]chan string
}

const mailboxSize = 10

func startSink(t *testing.T) *sink {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &sink{address: listener.Addr().String(), boxes: map[string]chan string{}}
	var sessions sync.WaitGroup
	sessions.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			sessions.Go(func() { s.serve(conn) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		sessions.Wait()
	})
	return s
}

func (s *sink) box(address string) chan string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.boxes[address] == nil {
		s.boxes[address] = make(chan string, mailboxSize)
	}
	return s.boxes[address]
}

func (s *sink) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	r := bufio.NewReader(conn)
	say := func(line string) { _, _ = fmt.Fprintf(conn, "%s\r\n", line) }
	say("220 sink")
	var to string
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimRight(line, "\r\n")
		switch verb := strings.ToUpper(line); {
		case strings.HasPrefix(verb, "RCPT TO:"):
			to = strings.Trim(line[len("RCPT TO:"):], "<> ")
			say("250 ok")
		case verb == "DATA":
			say("354 go on")
			raw, err := readData(r)
			if err != nil {
				return
			}
			s.box(to) <- raw
			say("250 taken")
		case verb == "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
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

var firstAddress = regexp.MustCompile(`https?://\S+`)

// link waits for the next mail to somebody and returns the first address in it.
func (s *sink) link(ctx context.Context, t *testing.T, to string) string {
	t.Helper()
	var raw string
	select {
	case raw = <-s.box(to):
	case <-ctx.Done():
		t.Fatalf("no mail for %s", to)
	}
	m, err := mail.ReadMessage(strings.NewReader(raw))
	if err != nil {
		t.Fatalf("not a mail: %v\n%s", err, raw)
	}
	if coding := m.Header.Get("Content-Transfer-Encoding"); coding != "quoted-printable" {
		t.Fatalf("a mail in %s\n%s", coding, raw)
	}
	text, err := io.ReadAll(quotedprintable.NewReader(m.Body))
	if err != nil {
		t.Fatal(err)
	}
	link := firstAddress.FindString(string(text))
	if link == "" {
		t.Fatalf("no address in the mail\n%s", text)
	}
	return link
}
