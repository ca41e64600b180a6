package api

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestParseRetirement(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "2027-01-31": "2027-01-31", "2027-01-31/2028-02-29": "2027-01-31/2028-02-29",
		"2027-02-30": "error", "2027-01-31/": "error", "/2027-01-31": "error", "2027-01-31/2027-01-31": "error", "2028-01-31/2027-01-31": "error", "31/01/2027": "error", " ": "error",
	} {
		r, err := ParseRetirement(text)
		got := ""
		if err != nil {
			got = "error"
		} else if r.announced() {
			got = r.Deprecated.Format("2006-01-02")
			if !r.Sunset.IsZero() {
				got += "/" + r.Sunset.Format("2006-01-02")
			}
		}
		if got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

// TestTheEndOfV1IsAnnounced asks v1, also in vain, with and without an announcement. v2 announces nothing.
func TestTheEndOfV1IsAnnounced(t *testing.T) {
	t.Parallel()
	const link = `</api/v1>; rel="deprecation"; type="text/html"`
	for text, want := range map[string][3]string{
		"":                      {},
		"2027-01-31":            {"@1801353600", "", link},
		"2027-01-31/2028-01-31": {"@1801353600", "Mon, 31 Jan 2028 00:00:00 GMT", link},
	} {
		end, err := ParseRetirement(text)
		if err != nil {
			t.Fatal(err)
		}
		engine := newEngine(New(Config{Admit: admitAll, V1: end}))
		for path, status := range map[string]int{"/v1/cnpj/abc": 400, "/v1/openapi.json": 200, "/v2/empresas/abc/basic": 400, "/v2/openapi.json": 200} {
			w := httptest.NewRecorder()
			engine.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
			h, want := w.Header(), want
			if path[:3] == "/v2" {
				want = [3]string{}
			}
			if got := [3]string{h.Get("Deprecation"), h.Get("Sunset"), h.Get("Link")}; w.Code != status || got != want {
				t.Errorf("%q, %s: %d %q, want %q", text, path, w.Code, got, want)
			}
			if said := bytes.Contains(w.Body.Bytes(), []byte(`"deprecated":true`)); path == "/v1/openapi.json" && said != (text != "") {
				t.Errorf("%q: the document says that v1 is deprecated: %v", text, said)
			}
		}
	}
}
