// Package freeport finds ports for servers that tests and measurements start as processes.
package freeport

import (
	"errors"
	"net"
	"os"
	"strconv"
	"sync/atomic"
)

// tried counts the ports that this process has tried.
var tried atomic.Int64

// Address returns an address on loopback that nobody listens on, a different one each time. Its port
// is below those that the kernel gives to connections and to listeners on port 0 (from 32768 on Linux):
// one of these could be taken again before the server that is meant to have it starts. Processes begin
// at different ports.
func Address() (string, error) {
	const first, ports, eachProcess = 12_000, 20_000, 97
	for range ports {
		port := first + (int64(os.Getpid())*eachProcess+tried.Add(1))%ports
		l, err := net.Listen("tcp", "127.0.0.1:"+strconv.FormatInt(port, 10))
		if err == nil {
			return l.Addr().String(), l.Close()
		}
	}
	return "", errors.New("no port of loopback is free")
}
