package nightly

import (
	"net"
	"sync"
	"testing"
	"time"
)

// link is a TCP proxy on a loopback address whose connections can be delayed and reset. It
// is safe for concurrent use.
type link struct {
	listener         net.Listener
	network, address string

	mu      sync.Mutex
	delay   time.Duration // before each read is passed on, in both directions
	refused bool          // new connections are reset
	conns   map[net.Conn]bool
}

// newLink opens a link to a server's address. It is closed at the end of the test.
func newLink(t *testing.T, network, address string) *link {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &link{listener: listener, network: network, address: address, conns: map[net.Conn]bool{}}
	go l.serve()
	t.Cleanup(func() {
		_ = listener.Close()
		l.refuse(true)
		l.cut()
	})
	return l
}

// addr returns the address to which clients connect.
func (l *link) addr() *net.TCPAddr { return l.listener.Addr().(*net.TCPAddr) }

// slow delays every piece of data from now on, in both directions; 0 ends that.
func (l *link) slow(delay time.Duration) { l.set(func() { l.delay = delay }) }

// refuse resets new connections as soon as they are opened, or accepts them again.
func (l *link) refuse(on bool) { l.set(func() { l.refused = on }) }

// cut resets all open connections.
func (l *link) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.conns {
		reset(c)
	}
}

func (l *link) set(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
}

func (l *link) serve() {
	for {
		client, err := l.listener.Accept()
		if err != nil {
			return
		}
		go l.join(client)
	}
}

// join connects a client to the server and copies in both directions until both end.
func (l *link) join(client net.Conn) {
	if !l.add(client) {
		reset(client)
		return
	}
	defer l.leave(client)
	server, err := net.Dial(l.network, l.address)
	if err != nil {
		reset(client)
		return
	}
	if !l.add(server) {
		reset(server)
		return
	}
	defer l.leave(server)
	var back sync.WaitGroup
	back.Go(func() { l.copy(client, server) })
	l.copy(server, client)
	back.Wait()
}

// add registers a connection for cut. It returns false if connections are refused.
func (l *link) add(c net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.refused {
		l.conns[c] = true
	}
	return !l.refused
}

func (l *link) leave(c net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.conns, c)
	_ = c.Close()
}

// copy forwards data until one side ends, and then closes the other.
func (l *link) copy(to, from net.Conn) {
	defer func() { _ = to.Close() }()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		l.wait()
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// wait sleeps for the delay.
func (l *link) wait() {
	l.mu.Lock()
	delay := l.delay
	l.mu.Unlock()
	time.Sleep(delay)
}

// reset closes a connection with RST (SO_LINGER 0), so that the peer gets ECONNRESET.
func reset(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}
