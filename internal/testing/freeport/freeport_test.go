package freeport

import (
	"net"
	"testing"
)

func TestAddress(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 200 {
		address, err := Address()
		if err != nil {
			t.Fatal(err)
		}
		listener, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = listener.Close() }()
		if port := listener.Addr().(*net.TCPAddr).Port; seen[address] || port >= 32768 {
			t.Errorf("%s: given twice, or among those that the kernel gives away", address)
		}
		seen[address] = true
	}
}
