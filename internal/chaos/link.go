package chaos

import (
	"net"
	"sync"
	"testing"
	"time"
)

// Link is a loopback address that leads to a server, with connections that can be disturbed.
type Link struct {
	listener         net.Listener
	network, address string

	mu      sync.Mutex
	changed *sync.Cond
	delay   time.Duration // of each piece of data, in both directions
	hanging bool          // nothing passes
	refused bool          // new connections are reset
	closed  bool
	conns   map[net.Conn]bool
}

// NewLink opens a link, closed with the test.
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

// Addr is the address that clients use.
func (l *Link) Addr() *net.TCPAddr { return l.listener.Addr().(*net.TCPAddr) }

// Slow delays each piece of data from now on; 0: no longer.
func (l *Link) Slow(delay time.Duration) { l.set(func() { l.delay = delay }) }

// Hang lets nothing pass, or what waits and all that follows.
func (l *Link) Hang(on bool) { l.set(func() { l.hanging = on }) }

// Refuse resets new connections, or takes them again.
func (l *Link) Refuse(on bool) { l.set(func() { l.refused = on }) }

// Cut resets all connections.
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

// copy passes on what comes until one side ends, and then ends the other.
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

// wait holds data back as long as the link does.
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

// reset closes a connection so that the other side reads ECONNRESET.
func reset(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}
