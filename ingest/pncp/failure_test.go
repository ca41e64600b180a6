package pncp

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const limitPage = "<!DOCTYPE html>\n<html><head><title>Limite de Requisições Excedido</title></head></html>"

// send answers with a status, a type and a body.
func send(w http.ResponseWriter, status int, kind, body string) {
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body))
}

// TestFailures fetches one window, days 6 and 7 on two pages, from a server whose first calls fail.
func TestFailures(t *testing.T) {
	t.Parallel()
	const second = time.Second
	cases := map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request, nth int) bool
		pauses []time.Duration // all of them, also the one between the two pages
	}{
		"429 with a page": {
			func(w http.ResponseWriter, _ *http.Request, nth int) bool {
				if nth <= 3 {
					send(w, http.StatusTooManyRequests, "text/html", limitPage)
				}
				return nth <= 3
			},
			[]time.Duration{30 * second, 60 * second, 120 * second, pause},
		},
		"429 that says how long": {
			func(w http.ResponseWriter, _ *http.Request, nth int) bool {
				if nth == 2 {
					w.Header().Set("Retry-After", "7")
					send(w, http.StatusTooManyRequests, "application/json", `{"message":"calma"}`)
				}
				return nth == 2
			},
			[]time.Duration{pause, 7 * second},
		},
		"429 that says when": {
			func(w http.ResponseWriter, _ *http.Request, nth int) bool {
				if nth == 1 {
					w.Header().Set("Retry-After", "Sun, 01 Feb 2026 12:01:30 GMT")
					send(w, http.StatusTooManyRequests, "text/html", limitPage)
				}
				return nth == 1
			},
			[]time.Duration{90 * second, pause},
		},
		"a page for people as 200": {
			func(w http.ResponseWriter, _ *http.Request, nth int) bool {
				if nth == 2 {
					send(w, http.StatusOK, "text/html;charset=UTF-8", limitPage)
				}
				return nth == 2
			},
			[]time.Duration{pause, 30 * second},
		},
		"a page for people as JSON": {
			func(w http.ResponseWriter, _ *http.Request, nth int) bool {
				if nth == 2 {
					send(w, http.StatusOK, "application/json", "\n"+limitPage)
				}
				return nth == 2
			},
			[]time.Duration{pause, 30 * second},
		},
		"422 for no reason": {
			func(w http.ResponseWriter, _ *http.Request, nth int) bool {
				if nth <= 2 {
					send(w, http.StatusUnprocessableEntity, "application/json", `{"message":"erro"}`)
				}
				return nth <= 2
			},
			[]time.Duration{5 * second, 10 * second, pause},
		},
		"500 and 503": {
			func(w http.ResponseWriter, _ *http.Request, nth int) bool {
				switch nth {
				case 1:
					send(w, http.StatusInternalServerError, "text/html", "<html>erro</html>")
				case 2:
					w.Header().Set("Retry-After", "20")
					send(w, http.StatusServiceUnavailable, "text/plain", "")
				}
				return nth <= 2
			},
			[]time.Duration{2 * second, 20 * second, pause},
		},
		"the connection is cut": {
			func(_ http.ResponseWriter, _ *http.Request, nth int) bool {
				if nth == 1 {
					panic(http.ErrAbortHandler)
				}
				return false
			},
			[]time.Duration{2 * second, pause},
		},
		"a body shorter than announced": {
			func(w http.ResponseWriter, r *http.Request, nth int) bool {
				if nth != 2 {
					return false
				}
				body := pageOf(contractsOf(r), 2)
				w.Header().Set("Content-Length", fmt.Sprint(len(body)))
				send(w, http.StatusOK, "application/json", body[:len(body)/2])
				_ = http.NewResponseController(w).Flush()
				panic(http.ErrAbortHandler)
			},
			[]time.Duration{pause, 2 * second},
		},
		"half a body": {
			func(w http.ResponseWriter, r *http.Request, nth int) bool {
				if nth == 2 {
					body := pageOf(contractsOf(r), 2)
					send(w, http.StatusOK, "application/json", body[:len(body)/2])
				}
				return nth == 2
			},
			[]time.Duration{pause, 2 * second},
		},
		"no body": {
			func(w http.ResponseWriter, _ *http.Request, nth int) bool {
				if nth == 1 {
					send(w, http.StatusOK, "application/json", "")
				}
				return nth == 1
			},
			[]time.Duration{2 * second, pause},
		},
		"another page than asked for": {
			func(w http.ResponseWriter, r *http.Request, nth int) bool {
				if nth == 2 {
					send(w, http.StatusOK, "application/json", pageOf(contractsOf(r), 1))
				}
				return nth == 2
			},
			[]time.Duration{pause, 2 * second},
		},
		"contracts without totals": {
			func(w http.ResponseWriter, _ *http.Request, nth int) bool {
				if nth == 1 {
					send(w, http.StatusOK, "application/json", `{"data":[{}],"totalRegistros":0,"totalPaginas":0}`)
				}
				return nth == 1
			},
			[]time.Duration{2 * second, pause},
		},
		"lines and control characters in the JSON": {
			func(w http.ResponseWriter, r *http.Request, _ int) bool {
				body := strings.NewReplacer(`{"numero`, "\r\n {\n\t\"numero", "2026-", "2026-\x01", `"}`, "\"\n}").Replace(pageOf(contractsOf(r), pageNumber(r)))
				send(w, http.StatusOK, "application/json", body)
				return true
			},
			[]time.Duration{pause},
		},
		"totals that change": {
			func(w http.ResponseWriter, r *http.Request, nth int) bool {
				if nth == 2 { // three contracts more than page 1 knew
					send(w, http.StatusOK, "application/json", pageOf(append(contractsOf(r), "{}", "{}", "{}"), 2))
				}
				return nth == 2
			},
			[]time.Duration{pause, pause, pause},
		},
		"pages that become fewer": {
			func(w http.ResponseWriter, _ *http.Request, nth int) bool {
				if nth == 2 {
					w.WriteHeader(http.StatusNoContent)
				}
				return nth == 2
			},
			[]time.Duration{pause, pause, pause},
		},
		"pages that hold fewer than announced": {
			func(w http.ResponseWriter, r *http.Request, nth int) bool {
				if nth == 2 {
					body := pageOf(contractsOf(r), 2)
					send(w, http.StatusOK, "application/json", body[:strings.LastIndex(body, `,{`)]+body[strings.Index(body, "]"):])
				}
				return nth == 2
			},
			[]time.Duration{pause, pause, pause},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAPI(t, tc.answer)
			o, c := a.options(t, 6, 7)
			if err := Fetch(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			if name == "lines and control characters in the JSON" {
				checkOneLineEach(t, o.Dir+"/pncp_contratos_2026-01-06_2026-01-07.jsonl", 13)
			} else {
				checkFiles(t, o.Dir, map[string][]int{"pncp_contratos_2026-01-06_2026-01-07.jsonl": {6, 7}})
			}
			if diff := cmp.Diff(tc.pauses, c.pauses); diff != "" {
				t.Errorf("pauses: %s", diff)
			}
		})
	}
}

// checkOneLineEach checks a file whose contracts came with a control character in their number.
func checkOneLineEach(t *testing.T, path string, contracts int) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(lines) != contracts || lines[0] != `{"numeroControlePNCP":"2026- 01-06/1"}` {
		t.Errorf("%d lines, the first is %s", len(lines), lines[0])
	}
}

// TestGivesUp fetches from servers that never recover.
func TestGivesUp(t *testing.T) {
	t.Parallel()
	always := func(status int, kind, body string) func(http.ResponseWriter, *http.Request, int) bool {
		return func(w http.ResponseWriter, _ *http.Request, _ int) bool {
			send(w, status, kind, body)
			return true
		}
	}
	cases := map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request, nth int) bool
		want   []string
		calls  int
	}{
		"422":   {always(422, "application/json", `{"message":"Período inicial e final maior que 365 dias"}`), []string{"2026-01-06 to 2026-01-07", "422", "maior que 365 dias"}, 3},
		"429":   {always(429, "text/html", limitPage), []string{"2026-01-06 to 2026-01-07", "limits calls", "try again later"}, 20},
		"page":  {always(200, "text/html", limitPage), []string{"limits calls", "Limite de Requisições Excedido"}, 20},
		"500":   {always(500, "application/json", `{}`), []string{"2026-01-06 to 2026-01-07", "500", "try again later"}, 10},
		"401":   {always(401, "application/json", `{"message":"token"}`), []string{"401", "token", "check the base URL"}, 1},
		"404":   {always(404, "text/html", "<html>nada</html>"), []string{"404", "check the base URL"}, 1},
		"array": {always(200, "application/json", `[]`), []string{"arrived damaged"}, 10},
		"huge":  {always(200, "application/json", strings.Repeat(" ", maxBody+1)), []string{"more than 67108864 bytes"}, 1},
		"a page of millions": {
			always(200, "application/json", `{"data":[0`+strings.Repeat(",0", 1_000_000)+`],"totalRegistros":1000001,"totalPaginas":1}`),
			[]string{"a page has more than 1000 contracts"},
			10,
		},
		"pages without end": {always(200, "application/json", `{"data":[{}],"totalRegistros":1000000000,"totalPaginas":1000000000}`), []string{"more than 10000"}, 1},
		"empty pages":       {always(200, "application/json", `{"data":[],"totalRegistros":5000,"totalPaginas":5000}`), []string{"5 times"}, 5},
		"never the same": {
			func(w http.ResponseWriter, r *http.Request, nth int) bool {
				send(w, http.StatusOK, "application/json", pageOf(append(contractsOf(r), slices.Repeat([]string{"{}"}, nth)...), pageNumber(r)))
				return true
			},
			[]string{"2026-01-06 to 2026-01-07", "changed while it was being fetched, 5 times"},
			10,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAPI(t, tc.answer)
			o, c := a.options(t, 6, 9)
			err := Fetch(t.Context(), o)
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range tc.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not say %q", err, want)
				}
			}
			if len(a.calls) != tc.calls {
				t.Errorf("%d calls, want %d", len(a.calls), tc.calls)
			}
			for _, taken := range c.pauses {
				if taken > 10*time.Minute {
					t.Errorf("a pause of %s", taken)
				}
			}
			entries, err := os.ReadDir(o.Dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				if !strings.HasSuffix(e.Name(), incomplete) {
					t.Errorf("%s was kept", e.Name())
				}
			}
		})
	}
}

// TestSilence fetches from a server that does not answer the first call.
func TestSilence(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(_ http.ResponseWriter, r *http.Request, nth int) bool {
		if nth == 1 {
			<-r.Context().Done()
		}
		return nth == 1
	})
	o, c := a.options(t, 6, 6)
	o.timeout = time.Second
	if err := Fetch(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	checkFiles(t, o.Dir, map[string][]int{"pncp_contratos_2026-01-06_2026-01-06.jsonl": {6}})
	if diff := cmp.Diff([]time.Duration{2 * time.Second}, c.pauses); diff != "" {
		t.Error(diff)
	}
}

func TestRefusedOptions(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		change func(*Options)
		want   string
	}{
		"no folder":      {func(o *Options) { o.Dir = "" }, "no folder"},
		"backwards":      {func(o *Options) { o.From = january(9) }, "2026-01-09, is after the last one, 2026-01-07"},
		"today":          {func(o *Options) { o.To = time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC) }, "2026-02-01 is not over: the last day can be 2026-01-31"},
		"no address":     {func(o *Options) { o.Base = "pncp.example/api" }, "not of the form https://"},
		"broken address": {func(o *Options) { o.Base = "http://[::1" }, "address of the portal"},
		"with a query":   {func(o *Options) { o.Base = "https://pncp.example/api?x=y" }, "not of the form https://"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAPI(t, nil)
			o, _ := a.options(t, 6, 7)
			tc.change(&o)
			if err := Fetch(t.Context(), o); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
			if len(a.calls) > 0 {
				t.Errorf("the portal was asked: %q", a.calls)
			}
		})
	}
}

// TestTodayInBrasilia checks that days end by the clock of Brasília: at 02:00 UTC the day before is
// not over.
func TestTodayInBrasilia(t *testing.T) {
	t.Parallel()
	a := newAPI(t, nil)
	o, _ := a.options(t, 31, 31)
	o.now = func() time.Time { return time.Date(2026, 2, 1, 2, 0, 0, 0, time.UTC) }
	if err := Fetch(t.Context(), o); err == nil || !strings.Contains(err.Error(), "2026-01-31 is not over") {
		t.Errorf("got %v", err)
	}
}
