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

// client is one keep-alive connection of HTTP/1.1 that writes requests itself. The two goroutines
// of http.Transport for each connection would take as much of the processors as the server under
// test.
type client struct {
	conn    net.Conn
	in      *bufio.Reader
	request []byte
	body    bytes.Buffer // of the last answer
}

// dial connects to a server. The caller closes conn.
func dial(ctx context.Context, address string) (*client, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("connect to the server: %w", err)
	}
	return &client{conn: conn, in: bufio.NewReaderSize(conn, 64<<10)}, nil
}

// send sends a GET, or with a body the POST of a tool call, and reads the whole answer into c.body.
// It returns the size of the body as sent, compressed or not. A status other than 200 and 302 is an
// error, 404 is errAbsent; 302 is how a search for a number leads to its page. A tool call whose
// result says isError is an error too.
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

// try sends a GET and reads the whole answer into c.body, whatever its status. An error means that
// there was no answer.
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

// errAbsent is an answer with the status 404: the build has no such page.
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

// ask sends one request after the other until end and returns how long each took. It closes the
// connection, also as soon as ctx ends.
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
