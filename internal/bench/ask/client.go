package ask

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"
)

// client is one keep-alive connection that writes requests by itself, without the goroutines of http.Transport: those would
// use as much of the processors as the server.
type client struct {
	conn    net.Conn
	in      *bufio.Reader
	request []byte
	body    bytes.Buffer // of the last answer
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
	if err := c.answer(); err != nil {
		return 0, fmt.Errorf("answer for %s: %w", path, err)
	}
	return c.body.Len(), nil
}

// try asks for a path, with further header lines, and reads the whole answer, whatever its status.
func (c *client) try(path, header []byte) (*http.Response, error) {
	c.request = append(append(c.request[:0], "GET "...), path...)
	c.request = append(append(c.request, " HTTP/1.1\r\nHost: bench\r\n"...), header...)
	c.request = append(c.request, "\r\n"...)
	if _, err := c.conn.Write(c.request); err != nil {
		return nil, fmt.Errorf("ask for %s: %w", path, err)
	}
	answer, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return nil, fmt.Errorf("answer for %s: %w", path, err)
	}
	c.body.Reset()
	_, err = c.body.ReadFrom(answer.Body)
	return answer, errors.Join(err, answer.Body.Close())
}

// errAbsent is an answer with the status 404: the server has no such page.
var errAbsent = errors.New("status 404 Not Found")

func (c *client) answer() error {
	answer, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return err
	}
	c.body.Reset()
	_, err = c.body.ReadFrom(answer.Body)
	switch err = errors.Join(err, answer.Body.Close()); {
	case err != nil:
		return err
	case answer.StatusCode == http.StatusNotFound:
		return errAbsent
	case answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusFound:
		return fmt.Errorf("status %s", answer.Status)
	case bytes.Contains(c.body.Bytes(), []byte(`"isError":true`)):
		return fmt.Errorf("the tool failed: %.300s", c.body.Bytes())
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
