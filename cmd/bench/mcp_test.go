package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestClientCallsTools(t *testing.T) {
	t.Parallel()
	const piece = 100 << 10
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" || r.Header.Get("X-More") != "1" {
			http.Error(w, fmt.Sprint(err, r.Method, r.Header), http.StatusBadRequest)
			return
		}
		fmt.Fprintf(w, `{"result":%s,"filler":"%s"}`, body, strings.Repeat("x", piece)) // too long for a Content-Length
	}))
	t.Cleanup(server.Close)
	c, err := dial(context.Background(), server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.conn.Close() })
	path, header := []byte("/mcp"), []byte("X-More: 1\r\n")
	want := piece + len(`{"result":{},"filler":""}`)
	for range 2 { // the first answer is read to its end
		if got, err := c.send(path, header, []byte(`{}`)); err != nil || got != want {
			t.Fatalf("%d bytes, %v; want %d", got, err, want)
		}
	}
	if _, err := c.send(path, header, []byte(`{"isError":true}`)); err == nil || !strings.Contains(err.Error(), "the tool failed") {
		t.Errorf("a tool that failed: %v", err)
	}
}

func TestDiffer(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, api, tool string
		values          int
		want            []string
	}{
		{"equal", `{"a":[1,"x",null,{"b":true}]}`, `{"a":[1,"x",null,{"b":true}]}`, 4, nil},
		{"digits", `{"a":10.50}`, `{"a":10.5}`, 1, []string{"x.a: the API says 10.50, the tool 10.5"}},
		{"null is not nothing", `{"a":null}`, `{"a":0}`, 1, []string{"x.a: the API says <nil>, the tool 0"}},
		{"a key less", `{"a":1,"b":2}`, `{"a":1}`, 0, []string{"x: the API says map[a:1 b:2], the tool map[a:1]"}},
		{"another key", `{"a":null}`, `{"b":null}`, 0, []string{"x: the API says map[a:<nil>], the tool map[b:<nil>]"}},
		{"an item more", `[1]`, `[1,1]`, 0, []string{"x: the API says [1], the tool [1 1]"}},
		{"nothing at all", `{"a":{}}`, `{"a":null}`, 0, []string{"x.a: the API says map[], the tool <nil>"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := differ{}
			d.same("x", parsed(t, tt.api), parsed(t, tt.tool))
			if diff := cmp.Diff(tt.want, d.found); diff != "" || d.values != tt.values {
				t.Errorf("%d values (-want +got):\n%s", d.values, diff)
			}
		})
	}
}

func parsed(t *testing.T, text string) (value any) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

func TestDifferOfBeginnings(t *testing.T) {
	t.Parallel()
	const all = `{"total":3,"itens":["a","b","c"]}`
	tests := []struct {
		name, tool string
		differs    bool
	}{
		{"the beginning", `{"total":3,"itens":["a","b"],"proximo_cursor":"x"}`, false},
		{"all", `{"total":3,"itens":["a","b","c"],"proximo_cursor":null}`, false},
		{"another beginning", `{"total":3,"itens":["b"],"proximo_cursor":"x"}`, true},
		{"another total", `{"total":2,"itens":["a"],"proximo_cursor":"x"}`, true},
		{"no way to the rest", `{"total":3,"itens":["a"],"proximo_cursor":null}`, true},
		{"a way to nothing", `{"total":3,"itens":["a","b","c"],"proximo_cursor":"x"}`, true},
		{"none of them", `{"total":3,"itens":[],"proximo_cursor":"x"}`, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := differ{}
			d.beginning("x", parsed(t, all).(object), parsed(t, tt.tool).(object))
			if (len(d.found) > 0) != tt.differs {
				t.Errorf("differences: %v", d.found)
			}
		})
	}
}
