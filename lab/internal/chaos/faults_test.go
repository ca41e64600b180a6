package chaos

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestFolder damages a file in every way and finds it whole after each undo.
func TestFolder(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 1))
	dir := Folder(filepath.Join(t.TempDir(), "index", "000001"))
	path, whole := filepath.Join(string(dir), "column"), bytes.Repeat([]byte("razao"), 100)
	own := filepath.Join(string(dir), ".own")
	if err := errors.Join(os.MkdirAll(string(dir), 0o755), os.WriteFile(path, whole, 0o600), os.WriteFile(own, whole, 0o600)); err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func() (func() error, error){
		"hide":             dir.Hide,
		"flip in place":    func() (func() error, error) { _, undo, err := dir.Flip(random, true); return undo, err },
		"flip in a copy":   func() (func() error, error) { _, undo, err := dir.Flip(random, false); return undo, err },
		"shrink in a copy": func() (func() error, error) { _, undo, err := dir.Shrink(random); return undo, err },
	} {
		undo, err := damage()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, err := os.ReadFile(path); err == nil && bytes.Equal(got, whole) {
			t.Errorf("%s: nothing is damaged", name)
		}
		if err := undo(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, whole) {
			t.Errorf("%s: not whole again, %v", name, err)
		}
	}
	if left, err := os.ReadDir(string(dir)); err != nil || len(left) != 2 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// TestLink passes data on, holds them back, resets connections and refuses new ones.
func TestLink(t *testing.T) {
	t.Parallel()
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Close() }()
	go func() {
		for {
			c, err := server.Accept()
			if err != nil {
				return
			}
			go func() { _, _ = io.Copy(c, c); _ = c.Close() }()
		}
	}()
	l := NewLink(t, "tcp", server.Addr().String())
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	echo := make([]byte, 4)
	for _, change := range []func(){func() {}, func() { l.Slow(time.Millisecond) }, func() { l.Slow(0) }} {
		change()
		if _, err := client.Write([]byte("eco?")); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(client, echo); err != nil || string(echo) != "eco?" {
			t.Fatalf("%q, %v", echo, err)
		}
	}
	l.Hang(true)
	if _, err := client.Write([]byte("eco!")); err != nil {
		t.Fatal(err)
	}
	_ = client.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if n, err := client.Read(echo); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("through a link that hangs: %d, %v", n, err)
	}
	_ = client.SetReadDeadline(time.Time{})
	l.Hang(false)
	if _, err := io.ReadFull(client, echo); err != nil || string(echo) != "eco!" {
		t.Fatalf("%q, %v", echo, err)
	}
	l.Refuse(true)
	l.Cut()
	if _, err := client.Read(echo); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("a connection that was cut: %v", err)
	}
	if other, err := net.Dial("tcp", l.Addr().String()); err == nil {
		if _, err := other.Read(echo); err == nil {
			t.Error("a refused connection delivers")
		}
		_ = other.Close()
	}
}
