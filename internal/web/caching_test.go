package web

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
)

// TestCaching requests responses of every audience in every way that narrows it.
func TestCaching(t *testing.T) {
	t.Parallel()
	const (
		never, own = "no-store", "private, no-cache"
		minute     = "public, max-age=0, s-maxage=60"
		hour       = "public, max-age=3600"
	)
	session := []string{"Cookie", "a=b; __Host-razao=x"}
	for name, tt := range map[string]struct {
		caching            Caching
		method             string
		status             int
		header             []string
		before             func(c *gin.Context)
		want, vary, tagged string
	}{
		"nothing said":                 {caching: Caching{}, want: never},
		"caller":                       {caching: Caching{For: Caller, Keys: "k"}, want: own},
		"caller, redirection":          {caching: Caching{For: Caller}, status: 308, want: own},
		"visitors":                     {caching: Caching{For: Visitors, Keys: "k"}, want: minute, vary: "Cookie", tagged: "k"},
		"visitors, HEAD":               {caching: Caching{For: Visitors, Keys: "k"}, method: "HEAD", want: minute, vary: "Cookie", tagged: "k"},
		"visitors, POST":               {caching: Caching{For: Visitors, Keys: "k"}, method: "POST", want: never, vary: "Cookie"},
		"visitors, signed in":          {caching: Caching{For: Visitors, Keys: "k"}, header: session, want: own, vary: "Cookie"},
		"visitors, signing in":         {caching: Caching{For: Visitors}, header: []string{"Cookie", "razao-entrada=x"}, want: own, vary: "Cookie"},
		"visitors, cookie of others":   {caching: Caching{For: Visitors, Keys: "k"}, header: []string{"Cookie", "_ga=1"}, want: minute, vary: "Cookie", tagged: "k"},
		"visitors, key":                {caching: Caching{For: Visitors, Keys: "k"}, header: []string{"Authorization", "Bearer x"}, want: own, vary: "Cookie"},
		"visitors, error":              {caching: Caching{For: Visitors, Keys: "k"}, status: 404, want: never, vary: "Cookie"},
		"everyone":                     {caching: Caching{For: Everyone, Keys: "k"}, want: minute, tagged: "k"},
		"everyone, an hour":            {caching: Caching{For: Everyone, Age: time.Hour}, want: hour},
		"everyone, forever":            {caching: Caching{For: Everyone, Age: Forever}, want: "public, max-age=31536000, immutable"},
		"everyone, signed in":          {caching: Caching{For: Everyone, Keys: "k"}, header: session, want: minute, tagged: "k"},
		"everyone, key":                {caching: Caching{For: Everyone, Age: time.Hour, Keys: "k"}, header: []string{"Authorization", "Bearer x"}, want: own},
		"everyone, error":              {caching: Caching{For: Everyone, Age: time.Hour, Keys: "k"}, status: 503, want: never},
		"everyone, sets a cookie":      {caching: Caching{For: Everyone}, before: func(c *gin.Context) { http.SetCookie(c.Writer, &http.Cookie{Name: "razao", Value: "x"}) }, want: never},
		"caller, sets a cookie":        {caching: Caching{For: Caller}, before: func(c *gin.Context) { http.SetCookie(c.Writer, &http.Cookie{Name: "razao", Value: "x"}) }, want: never},
		"everyone, a part is missing":  {caching: Caching{For: Everyone, Keys: "k"}, before: func(c *gin.Context) { EventOf(c.Request.Context()).Fail(errors.New("map")) }, want: never},
		"replaces what was said first": {caching: Caching{}, before: func(c *gin.Context) { Caching{For: Everyone, Keys: "k"}.Set(c, 200) }, want: never},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			engine := quiet()
			engine.Any("/", func(c *gin.Context) {
				if tt.before != nil {
					tt.before(c)
				}
				tt.caching.Set(c, max(tt.status, 200))
			})
			got := do(engine, max(tt.method, "GET"), "/", tt.header...).Header
			if got.Get("Cache-Control") != tt.want || got.Get("Vary") != tt.vary || got.Get("Surrogate-Key") != tt.tagged {
				t.Errorf("headers %v, want %q, %q, %q", got, tt.want, tt.vary, tt.tagged)
			}
		})
	}
}

// TestAnswersAreNotKeptUnlessSomebodySaysSo: a handler that ignores caches is safe behind them.
func TestAnswersAreNotKeptUnlessSomebodySaysSo(t *testing.T) {
	t.Parallel()
	engine := quiet()
	engine.GET("/", func(c *gin.Context) { c.String(http.StatusOK, "x") })
	for _, path := range []string{"/", "/nada"} {
		if got := do(engine, "GET", path).Header.Get("Cache-Control"); got != "no-store" {
			t.Errorf("%s: %q", path, got)
		}
	}
}
