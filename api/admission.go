package api

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/account"
	"razao/internal/web"
)

// showRate writes the three headers that tell a client where its account stands. An Admission without a limit says nothing.
func showRate(header http.Header, a account.Admission) {
	if a.Limit == 0 {
		return
	}
	header.Set("X-RateLimit-Limit", strconv.Itoa(a.Limit))
	header.Set("X-RateLimit-Remaining", strconv.Itoa(a.Remaining))
	header.Set("X-RateLimit-Reset", strconv.FormatInt(a.Reset.Unix(), 10))
}

// bearerToken returns the token of an Authorization header, "" when the header is empty or of another scheme.
func bearerToken(authorization string) string {
	scheme, token, _ := strings.Cut(strings.TrimSpace(authorization), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// waitOf returns after how many seconds, at least one, a call that was blocked may be let in again.
func waitOf(err error) string {
	var limit *account.LimitError
	var many *web.TooManyError
	var wait time.Duration
	switch {
	case errors.As(err, &limit):
		wait = limit.Wait
	case errors.As(err, &many):
		wait = many.Wait
	}
	return strconv.Itoa(max(1, int(math.Ceil(wait.Seconds()))))
}

// callOf describes a call that was let in and answered.
func callOf(c *gin.Context, a account.Admission) account.Call {
	route := c.FullPath()
	version, _, _ := strings.Cut(strings.TrimPrefix(route, "/"), "/")
	return account.Call{
		Account: a.Account, Key: a.Key, At: a.At, Version: version, Endpoint: route, Status: c.Writer.Status(),
	}
}
