package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"
)

// client is one keep-alive connection that asks and reads answers, and knows no more of HTTP than that takes: a real
// client would use as much of the processors as the server.
type client struct {
	conn    net.Conn
	in      *bufio.Reader
	request []byte
}

func dial(ctx context.Context, address string) (*client, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("connect to the server: %w", err)
	}
	return &client{conn: conn, in: bufio.NewReaderSize(conn, 64<<10)}, nil
}

// get asks for a path, with further header lines, and reads the whole answer, whose status must be 200, or 302: a search for a number leads on to
// its page. It returns the size of the body.
func (c *client) get(path, header []byte) (int, error) {
	c.request = append(c.request[:0], "GET "...)
	c.request = append(c.request, path...)
	c.request = append(c.request, " HTTP/1.1\r\nHost: bench\r\n"...)
	c.request = append(c.request, header...)
	c.request = append(c.request, "\r\n"...)
	if _, err := c.conn.Write(c.request); err != nil {
		return 0, fmt.Errorf("ask for %s: %w", path, err)
	}
	size, err := c.answer()
	if err != nil {
		return 0, fmt.Errorf("answer for %s: %w", path, err)
	}
	return size, nil
}

func (c *client) answer() (int, error) {
	status, err := c.in.ReadSlice('\n')
	if err != nil {
		return 0, err
	}
	if !bytes.HasPrefix(status, []byte("HTTP/1.1 200 ")) && !bytes.HasPrefix(status, []byte("HTTP/1.1 302 ")) {
		return 0, fmt.Errorf("status %q", bytes.TrimSpace(status))
	}
	length := -1
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		if len(line) <= len("\r\n") {
			break
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return 0, err
			}
		}
	}
	if length < 0 {
		return 0, errors.New("no Content-Length")
	}
	return c.in.Discard(length)
}

// ask sends one request after the other until the end and returns how long each took.
func (c *client) ask(ctx context.Context, end time.Time, next func() (path, header []byte)) ([]time.Duration, error) {
	defer func() { _ = c.conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = c.conn.Close() })()
	took := make([]time.Duration, 0, 1<<16)
	for now := time.Now(); now.Before(end); {
		path, header := next()
		if _, err := c.get(path, header); err != nil {
			return nil, errors.Join(ctx.Err(), err)
		}
		answered := time.Now()
		took = append(took, answered.Sub(now))
		now = answered
	}
	return took, nil
}
