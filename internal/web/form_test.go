package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
)

func TestSameOrigin(t *testing.T) {
	t.Parallel()
	guard, err := SameOrigin("https://razao.example/base", fail)
	if err != nil {
		t.Fatal(err)
	}
	engine := quiet()
	done := func(c *gin.Context) { c.Status(http.StatusOK) }
	engine.GET("/", guard, done)
	engine.POST("/", guard, done)
	tests := []struct {
		name, method string
		header       []string
		want         int
	}{
		{"our page", "POST", []string{"Sec-Fetch-Site", "same-origin", "Origin", "https://razao.example"}, 200},
		{"typed address", "POST", []string{"Sec-Fetch-Site", "none"}, 200},
		{"another site", "POST", []string{"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"}, 403},
		{"another name of our domain", "POST", []string{"Sec-Fetch-Site", "same-site", "Origin", "https://evil.razao.example"}, 403},
		{"another site, hidden origin", "POST", []string{"Sec-Fetch-Site", "cross-site", "Origin", "null"}, 403},
		{"old browser, our page", "POST", []string{"Origin", "https://razao.example"}, 200},
		{"old browser, another site", "POST", []string{"Origin", "https://evil.example"}, 403},
		{"old browser, name that begins like ours", "POST", []string{"Origin", "https://razao.example.evil.example"}, 403},
		{"text browser, our page", "POST", []string{"Referer", "https://razao.example/login"}, 200},
		{"text browser, our page behind a proxy", "POST", []string{"Referer", "http://10.0.0.7/login"}, 200},
		{"text browser, another site", "POST", []string{"Referer", "https://evil.example/razao.example"}, 403},
		{"text browser, name that begins like ours", "POST", []string{"Referer", "https://razao.example.evil.example/"}, 403},
		{"our page in a browser that tells of another site", "POST", []string{"Referer", "https://razao.example/", "Sec-Fetch-Site", "cross-site"}, 403},
		{"nobody says whose page", "POST", nil, 403},
		{"a page without a host", "POST", []string{"Referer", "/login"}, 403},
		{"nobody says whose page, nothing changes", "GET", nil, 200},
		{"link on another site", "GET", []string{"Sec-Fetch-Site", "cross-site"}, 200},
	}
	for _, tt := range tests {
		if got := do(engine, tt.method, "http://10.0.0.7/", tt.header...).StatusCode; got != tt.want {
			t.Errorf("%s: status %d, want %d", tt.name, got, tt.want)
		}
	}
	for _, bad := range []string{"", "razao.example", "https://", "://"} {
		if _, err := SameOrigin(bad, fail); err == nil {
			t.Errorf("public address %q is taken", bad)
		}
	}
}

func TestForm(t *testing.T) {
	t.Parallel()
	engine := quiet()
	engine.POST("/", Form(fail), func(c *gin.Context) { c.String(http.StatusOK, c.PostForm("email")) })
	const form = "application/x-www-form-urlencoded"
	tests := []struct {
		name, contentType, body string
		length                  int64 // 0: that of the body
		status                  int
		want                    string
	}{
		{"form", form, "email=ana%40exemplo.com", 0, 200, "ana@exemplo.com"},
		{"form with charset", form + "; charset=utf-8", "email=a", 0, 200, "a"},
		{"button alone", "", "", 0, 200, ""},
		{"largest", form, "email=" + strings.Repeat("a", maxForm-6), 0, 200, strings.Repeat("a", maxForm-6)},
		{"too large", form, "email=" + strings.Repeat("a", maxForm-5), 0, 413, ""},
		{"too large, unknown length", form, "email=" + strings.Repeat("a", maxForm), -1, 413, ""},
		{"broken escape", form, "email=%zz", 0, 400, ""},
		{"upload", "multipart/form-data; boundary=x", "--x\r\n", 0, 400, ""},
		{"JSON", "application/json", `{"email":"a"}`, 0, 400, ""},
		{"no type", "", "email=a", 0, 400, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest("POST", "/?email=endereco", strings.NewReader(tt.body))
			r.Header.Set("Content-Type", tt.contentType)
			if tt.length != 0 {
				r.ContentLength = tt.length
			}
			w := httptest.NewRecorder()
			engine.ServeHTTP(w, r)
			if w.Code != tt.status || w.Body.String() != tt.want {
				t.Errorf("status %d, body of %d bytes, want %d and %d bytes", w.Code, w.Body.Len(), tt.status, len(tt.want))
			}
		})
	}
}
