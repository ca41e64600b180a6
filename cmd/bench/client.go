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

// send asks for a path, with further header lines, and reads the whole answer, whose status must be 200, or 302: a search for a
// number leads on to its page. A body calls a tool, which must not fail. It returns the size of the body that came.
func (c *client) send(path, header, body []byte) (int, error) {
	method := "GET "
	if body != nil {
		method = "POST "
	}
	c.request = append(append(c.request[:0], method...), path...)
	c.request = append(c.request, " HTTP/1.1\r\nHost: bench\r\n"...)
	c.request = append(c.request, header...)
	if body != nil {
		c.request = append(c.request, "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: "...)
		c.request = append(strconv.AppendInt(c.request, int64(len(body)), 10), "\r\n"...)
	}
	c.request = append(append(c.request, "\r\n"...), body...)
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
	length, chunked := -1, false
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		if len(line) <= len("\r\n") {
			break
		}
		chunked = chunked || bytes.HasPrefix(line, []byte("Transfer-Encoding: chunked"))
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return 0, err
			}
		}
	}
	if chunked {
		return c.chunks()
	}
	if length < 0 {
		return 0, errors.New("no Content-Length")
	}
	return length, c.pass(length)
}

// chunks reads over a body that comes in pieces and returns its size.
func (c *client) chunks() (size int, err error) {
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return size, err
		}
		length, err := strconv.ParseUint(string(bytes.TrimSpace(line)), 16, 31)
		if err != nil {
			return size, fmt.Errorf("length of a chunk: %w", err)
		}
		if err := c.pass(int(length)); err != nil {
			return size, err
		}
		if _, err := c.in.Discard(len("\r\n")); err != nil || length == 0 {
			return size, err
		}
		size += int(length)
	}
}

// pass reads over n bytes of a body, in which a tool says that it failed.
func (c *client) pass(n int) error {
	for n > 0 {
		part, err := c.in.Peek(min(n, c.in.Size()))
		if err != nil {
			return err
		}
		if bytes.Contains(part, []byte(`"isError":true`)) {
			return fmt.Errorf("the tool failed: %.300s", part)
		}
		n -= len(part)
		_, _ = c.in.Discard(len(part)) // what was peeked at is there
	}
	return nil
}

// ask sends one request after the other until the end and returns how long each took.
func (c *client) ask(ctx context.Context, end time.Time, next func() (path, header, body []byte)) ([]time.Duration, error) {
	defer func() { _ = c.conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = c.conn.Close() })()
	took := make([]time.Duration, 0, 1<<16)
	for now := time.Now(); now.Before(end); {
		path, header, body := next()
		if _, err := c.send(path, header, body); err != nil {
			return nil, errors.Join(ctx.Err(), err)
		}
		answered := time.Now()
		took = append(took, answered.Sub(now))
		now = answered
	}
	return took, nil
}
