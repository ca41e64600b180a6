package api

import (
	"context"
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

// showRate tells a client where its account stands.
func showRate(header http.Header, a account.Admission) {
	web.ShowRate(header, a.Limit, a.Remaining, a.Reset)
}

// admitFrom admits a call, unless its network has had its share of calls.
func (a *API) admitFrom(c *gin.Context) (account.Admission, error) {
	place, err := a.calls.Reserve(web.ClientOf(c))
	if err != nil {
		return account.Admission{}, err
	}
	end := place.Cancel
	defer func() { end() }()
	admission, err := a.admit(c.Request.Context(), bearerToken(c.GetHeader("Authorization")))
	if err == nil {
		end = place.Keep
	}
	return admission, err
}

// failShowingRate sends the answer that belongs to err, to a request that does not count: with where its account stands, if its key
// is recognised. Only a key that is no guess is looked up, and a network's look-ups are as limited as its calls.
func (a *API) failShowingRate(c *gin.Context, err error) {
	token := bearerToken(c.GetHeader("Authorization"))
	if a.standing != nil && a.known(token) && a.calls.Take(web.ClientOf(c)) == nil {
		ctx, cancel := context.WithTimeout(c.Request.Context(), requestDeadline)
		defer cancel()
		if admission, unknown := a.standing(ctx, token); unknown == nil {
			web.EventOf(ctx).Account = int64(admission.Account)
			showRate(c.Writer.Header(), admission)
		}
	}
	a.fail(c, err)
}

// bearerToken returns the token of an Authorization header, "" when the header is empty or of another scheme.
func bearerToken(authorization string) string {
	scheme, token, _ := strings.Cut(authorization, " ") // no blanks around it: RFC 9110 §5.5
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
