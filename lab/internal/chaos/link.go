package chaos

import (
	"net"
	"sync"
	"testing"
	"time"
)

// Link is a TCP proxy on a loopback address whose connections can be delayed, stalled and reset. It
// is safe for concurrent use.
type Link struct {
	listener         net.Listener
	network, address string

	mu      sync.Mutex
	changed *sync.Cond
	delay   time.Duration // before each read is passed on, in both directions
	hanging bool          // data is held back
	refused bool          // new connections are reset
	closed  bool
	conns   map[net.Conn]bool
}

// NewLink opens a link to a server's address. It is closed at the end of the test.
func NewLink(t testing.TB, network, address string) *Link {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &Link{listener: listener, network: network, address: address, conns: map[net.Conn]bool{}}
	l.changed = sync.NewCond(&l.mu)
	go l.serve()
	t.Cleanup(func() {
		_ = listener.Close()
		l.set(func() { l.closed, l.refused = true, true })
		l.Cut()
	})
	return l
}

// Addr returns the address to which clients connect.
func (l *Link) Addr() *net.TCPAddr { return l.listener.Addr().(*net.TCPAddr) }

// Slow delays every piece of data from now on, in both directions; 0 ends that.
func (l *Link) Slow(delay time.Duration) { l.set(func() { l.delay = delay }) }

// Hang holds back all data, or lets it pass again, including what was held back. Connections stay
// open.
func (l *Link) Hang(on bool) { l.set(func() { l.hanging = on }) }

// Refuse resets new connections as soon as they are opened, or accepts them again.
func (l *Link) Refuse(on bool) { l.set(func() { l.refused = on }) }

// Cut resets all open connections.
func (l *Link) Cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.conns {
		reset(c)
	}
}

func (l *Link) set(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
	l.changed.Broadcast()
}

func (l *Link) serve() {
	for {
		client, err := l.listener.Accept()
		if err != nil {
			return
		}
		go l.join(client)
	}
}

// join connects a client to the server and copies in both directions until both end.
func (l *Link) join(client net.Conn) {
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

// add registers a connection for Cut. It returns false if connections are refused.
func (l *Link) add(c net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.refused {
		l.conns[c] = true
	}
	return !l.refused
}

func (l *Link) leave(c net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.conns, c)
	_ = c.Close()
}

// copy forwards data until one side ends, and then closes the other.
func (l *Link) copy(to, from net.Conn) {
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

// wait blocks as long as the link holds data back.
func (l *Link) wait() {
	l.mu.Lock()
	delay := l.delay
	l.mu.Unlock()
	time.Sleep(delay)
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.hanging && !l.closed {
		l.changed.Wait()
	}
}

// reset closes a connection with RST (SO_LINGER 0), so that the peer gets ECONNRESET.
func reset(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}
