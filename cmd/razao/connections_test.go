package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"razao/internal/testing/fixture"
	"razao/internal/testing/program"
)

// conversation is a connection to which a test writes raw bytes.
type conversation struct {
	*net.TCPConn
	t       *testing.T
	answers *bufio.Reader
}

func dial(p *program.Program, t *testing.T) *conversation {
	t.Helper()
	conn, err := net.Dial("tcp", p.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &conversation{conn.(*net.TCPConn), t, bufio.NewReader(conn)}
}

func (c *conversation) say(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		c.t.Fatal(err)
	}
}

// hear reads the next answer and returns its status and body.
func (c *conversation) hear(method string) (*http.Response, string) {
	c.t.Helper()
	resp, err := http.ReadResponse(c.answers, &http.Request{Method: method})
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return resp, string(body)
}

// ended reports whether the server closes the connection soon, ignoring what it sends first.
func (c *conversation) ended() bool {
	c.t.Helper()
	if err := c.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
		c.t.Fatal(err)
	}
	_, err := io.Copy(io.Discard, c.answers)
	return !errors.Is(err, os.ErrDeadlineExceeded)
}

// TestConnections checks how the built program treats well-formed and hostile connections.
func TestConnections(t *testing.T) {
	t.Parallel()
	p, _ := onDatabase(t)
	release := t.TempDir()
	fixture.Write(t, release)
	p.Must("ingest", "receita", "--from", release, "--month", fixture.Month, "--whole")
	key := p.NewKey("ana@exemplo.com.br", "chave")
	p.Start("serve")
	page, call := "/"+fixture.Bakery+"000195", "/v1/cnpj/"+fixture.Bakery

	t.Run("slow sender", func(t *testing.T) {
		t.Parallel()
		isCutOff(t, p, "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
	})
	t.Run("slow form", func(t *testing.T) {
		t.Parallel()
		isCutOff(t, p, ownForm+"Content-Length: 100\r\n\r\nemail=")
	})
	t.Run("slow batch", func(t *testing.T) {
		t.Parallel()
		c := dial(p, t)
		c.say("POST /v2/lote HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + key + "\r\nExpect: 100-continue\r\nContent-Length: 1000\r\n\r\n")
		if resp, _ := c.hear("POST"); resp.StatusCode != http.StatusContinue {
			t.Errorf("status %d, want leave to send", resp.StatusCode)
		}
		c.say(`{"cnpjs":[`)
		if resp, _ := c.hear("POST"); resp.StatusCode != http.StatusRequestTimeout || !resp.Close {
			t.Errorf("status %d, the connection goes on: %v", resp.StatusCode, !resp.Close)
		}
		if !c.ended() {
			t.Error("the connection goes on")
		}
	})
	t.Run("endless form", func(t *testing.T) {
		t.Parallel()
		c := dial(p, t)
		c.say(ownForm + "Content-Length: 1000000000\r\n\r\n" + strings.Repeat("x", 17<<10))
		if resp, _ := c.hear("POST"); resp.StatusCode != http.StatusRequestEntityTooLarge || !resp.Close {
			t.Errorf("before the rest was sent: status %d, the connection goes on: %v", resp.StatusCode, !resp.Close)
		}
	})
	t.Run("form of another site", func(t *testing.T) {
		t.Parallel()
		c := dial(p, t)
		c.say("POST /conta/excluir HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: cross-site\r\nContent-Length: 1000000000\r\n\r\n")
		if resp, _ := c.hear("POST"); resp.StatusCode != http.StatusForbidden {
			t.Errorf("before anything was sent: status %d", resp.StatusCode)
		}
	})
	t.Run("pipeline", func(t *testing.T) {
		t.Parallel()
		checkPipeline(t, p, page, call, key)
	})
	t.Run("not quite HTTP", func(t *testing.T) {
		t.Parallel()
		checkRefusals(t, p)
	})
}

// ownForm is the beginning of a same-origin form submission.
const ownForm = "POST /auth/magic-link HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\n" +
	"Content-Type: application/x-www-form-urlencoded\r\n"

// isCutOff sends part of a request and nothing more (slowloris).
func isCutOff(t *testing.T, p *program.Program, part string) {
	t.Helper()
	c := dial(p, t)
	c.say(part)
	if !c.ended() {
		t.Error("a client that sends half a request keeps its connection")
	}
}

// checkPipeline sends many requests at once (HTTP pipelining) and checks each answer.
func checkPipeline(t *testing.T, p *program.Program, page, call, key string) {
	t.Helper()
	c := dial(p, t)
	asked := []struct {
		method, path string
		status       int
	}{
		{"GET", page, 200},
		{"HEAD", page, 200},
		{"GET", call, 200},
		{"GET", "/v2/nada", 404},
		{"BREW", page, 405},
		{"OPTIONS", call, 405},
		{"TRACE", "/", 405},
		{"HEAD", call, 200},
		{"GET", "/um/dois/tres", 404},
		{"GET", "/", 200},
	}
	var all strings.Builder
	for _, a := range asked {
		fmt.Fprintf(&all, "%s %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", a.method, a.path, key)
	}
	c.say(all.String())
	for _, a := range asked {
		resp, body := c.hear(a.method)
		if resp.StatusCode != a.status || (a.method == "HEAD") != (body == "") {
			t.Errorf("%s %s: status %d, %d bytes, want %d", a.method, a.path, resp.StatusCode, len(body), a.status)
		}
		if allow := resp.Header.Get("Allow"); (allow != "") != (a.status == 405) {
			t.Errorf("%s %s: Allow %q", a.method, a.path, allow)
		}
	}
}

// checkRefusals sends malformed HTTP, including attempts at request smuggling.
func checkRefusals(t *testing.T, p *program.Program) {
	t.Helper()
	for name, tt := range map[string]struct {
		text   string
		status int
	}{
		"two lengths":         {ownForm + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef", 400},
		"broken length":       {ownForm + "Content-Length: -1\r\n\r\n", 400},
		"broken chunks":       {ownForm + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400},
		"unknown coding":      {ownForm + "Transfer-Encoding: x\r\n\r\n", 501},
		"no host":             {"GET / HTTP/1.1\r\n\r\n", 400},
		"two hosts":           {"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400},
		"space in a name":     {"GET / HTTP/1.1\r\nHost: x\r\nX Y: z\r\n\r\n", 400},
		"control in a header": {"GET / HTTP/1.1\r\nHost: x\r\nX: a\x00b\r\n\r\n", 400},
		"control in the path": {"GET /\x01 HTTP/1.1\r\nHost: x\r\n\r\n", 400},
		"broken escape":       {"GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400},
		"nonsense":            {"\x16\x03\x01\x02\x00\r\n\r\n", 400},
		"another version":     {"GET / HTTP/3.7\r\nHost: x\r\n\r\n", 505},
		"huge header":         {"GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("a", 24<<10) + "\r\n\r\n", 431},
		"many headers":        {"GET / HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("X: aaaaaaaaaaaaaaaaaaaa\r\n", 1000) + "\r\n", 431},
		"old version":         {"GET /robots.txt HTTP/1.0\r\n\r\n", 200},
	} {
		c := dial(p, t)
		c.say(tt.text)
		resp, text := c.hear("GET")
		if resp.StatusCode != tt.status || !resp.Close {
			t.Errorf("%s: status %d, the connection goes on: %v, want %d", name, resp.StatusCode, !resp.Close, tt.status)
		}
		if id := resp.Header.Get("X-Request-ID"); id == "" || resp.Header.Get("Content-Type") == "application/json; charset=utf-8" && !strings.Contains(text, `"requisicao_id":"`+id+`"}`) {
			t.Errorf("%s: request id %q: %s", name, id, text)
		}
	}
}
