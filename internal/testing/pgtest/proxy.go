package pgtest

import (
	"encoding/binary"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Proxy forwards connections from a pool to PostgreSQL and can break one at its COMMIT: the case in
// which a client cannot know whether its transaction took effect.
type Proxy struct {
	listener net.Listener
	dial     func() (net.Conn, error)
	cut      chan Cut // holds the cut for the next COMMIT

	mu      sync.Mutex
	clients []net.Conn
}

// Cut is how a connection breaks at a COMMIT.
type Cut int

// The kinds of cuts.
const (
	BeforeCommit Cut = iota // the COMMIT is lost; the transaction rolls back
	AfterCommit             // PostgreSQL commits; the answer is lost
	ForGood                 // as AfterCommit, and no connection is accepted afterwards
)

// Proxied returns another pool on the database of direct whose connections go through a proxy. Both
// end with the test. TLS is off, since the proxy reads the protocol.
func Proxied(t testing.TB, direct *pgxpool.Pool) (*pgxpool.Pool, *Proxy) {
	t.Helper()
	config := direct.Config()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	network, address := pgconn.NetworkAddress(config.ConnConfig.Host, config.ConnConfig.Port)
	p := &Proxy{listener: listener, dial: func() (net.Conn, error) { return net.Dial(network, address) }, cut: make(chan Cut, 1)}
	go p.serve()
	at := listener.Addr().(*net.TCPAddr)
	config.ConnConfig.Host, config.ConnConfig.Port = at.IP.String(), uint16(at.Port)
	config.ConnConfig.Fallbacks, config.ConnConfig.TLSConfig = nil, nil
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool, p
}

// CutNextCommit breaks the next connection that sends a COMMIT.
func (p *Proxy) CutNextCommit(how Cut) { p.cut <- how }

func (p *Proxy) serve() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		p.clients = append(p.clients, client)
		p.mu.Unlock()
		go p.forward(client)
	}
}

// forward copies the frontend's messages one by one, watching for COMMIT, and the backend's answers
// as they come, until one side ends.
func (p *Proxy) forward(client net.Conn) {
	defer client.Close()
	server, err := p.dial()
	if err != nil {
		return
	}
	defer server.Close()
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		_, _ = io.Copy(client, server)
		_ = client.Close()
	}()
	// The startup message has no type byte (PostgreSQL documentation, "Message Formats").
	for message, err := next(client, 0); err == nil; message, err = next(client, 1) {
		if strings.HasPrefix(strings.ToLower(string(message[min(5, len(message)):])), "commit") {
			select {
			case how := <-p.cut:
				p.close(client, how, func() {
					_, _ = server.Write(message)
					<-answered // the answer has come and could not be delivered
				})
				return
			default:
			}
		}
		if _, err := server.Write(message); err != nil {
			return
		}
	}
}

// close breaks one connection around its COMMIT, or all of them for good.
func (p *Proxy) close(client net.Conn, how Cut, commit func()) {
	broken := []net.Conn{client}
	if how == ForGood {
		_ = p.listener.Close()
		p.mu.Lock()
		defer p.mu.Unlock()
		broken = p.clients
	}
	for _, c := range broken {
		_ = c.Close()
	}
	if how != BeforeCommit {
		commit()
	}
}

// next reads a message whose length field follows `before` bytes.
func next(r io.Reader, before int) ([]byte, error) {
	head := make([]byte, before+4)
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, err
	}
	body := make([]byte, binary.BigEndian.Uint32(head[before:])-4)
	_, err := io.ReadFull(r, body)
	return append(head, body...), err
}
