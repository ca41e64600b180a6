package api

import (
	"context"
	"errors"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/people/account"
	"razao/internal/web"
)

// admitFrom admits a call by its key. It takes a call of the client's network first and returns it
// unless the key is admitted, so a refusal costs the network nothing, and parallel calls cannot
// exceed its ceiling. The errors are *web.TooManyError and those of Config.Admit.
func (a *API) admitFrom(c *gin.Context) (account.Admission, error) {
	client, admitted := web.ClientOf(c), false
	if err := a.config.Calls.Take(client); err != nil {
		return account.Admission{}, err
	}
	defer func() { // also when admit panics
		if !admitted {
			a.config.Calls.Refund(client)
		}
	}()
	admission, err := a.config.Admit(c.Request.Context(), bearerToken(c.GetHeader("Authorization")))
	admitted = err == nil
	return admission, err
}

// furtherCalls is the key of the calls beside the first that a request counts as.
const furtherCalls = "furtherCalls"

// admitFurther counts n further calls of an admitted request, all or none. The errors are those of admitFrom.
func (a *API) admitFurther(c *gin.Context, n int) error {
	if n == 0 {
		return nil
	}
	client := web.ClientOf(c)
	if err := a.config.Calls.TakeN(client, n); err != nil {
		return err
	}
	ctx := c.Request.Context()
	admission, err := a.config.Charge(ctx, account.ID(web.EventOf(ctx).Account), n)
	if admission.Account != 0 {
		showRate(c, &admission)
	}
	if err != nil {
		a.config.Calls.RefundN(client, n)
		return err
	}
	c.Set(furtherCalls, c.GetInt(furtherCalls)+n)
	return nil
}

// failShowingRate responds with err to a request that counts for nobody, with X-RateLimit headers
// if its key is recognised. Only keys that are certainly no guess are looked up, and each look-up
// takes one of the network's calls: otherwise wrong paths would reach the database without limit.
func (a *API) failShowingRate(c *gin.Context, err error) {
	token := bearerToken(c.GetHeader("Authorization"))
	if a.config.Quota != nil && a.config.Known(token) && a.config.Calls.Take(web.ClientOf(c)) == nil {
		ctx, cancel := context.WithTimeout(c.Request.Context(), requestDeadline)
		defer cancel()
		if admission, unknown := a.config.Quota(ctx, token); unknown == nil {
			web.EventOf(ctx).Account = int64(admission.Account)
			showRate(c, &admission)
		}
	}
	a.fail(c, err)
}

// showRate tells a recognised client what is left of its minute.
func showRate(c *gin.Context, a *account.Admission) {
	web.ShowRate(c.Writer.Header(), a.Limit, a.Remaining, a.At, a.Reset)
}

// bearerToken returns the token of an Authorization header, "" if there is none or the scheme is
// another. The scheme is case-insensitive (RFC 9110 §11.1).
func bearerToken(authorization string) string {
	scheme, token, _ := strings.Cut(authorization, " ") // net/http trims the value (RFC 9110 §5.5)
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// waitOf returns the Retry-After of a 429: seconds, rounded up, at least 1.
func waitOf(err error) string {
	many := &web.TooManyError{}
	if limit := new(account.LimitError); errors.As(err, &limit) {
		many.Wait = limit.Wait
	} else {
		errors.As(err, &many)
	}
	return many.Seconds()
}

// callOf describes an answered call for the usage history. Endpoint is the route pattern, so no
// CNPJ gets there.
func callOf(c *gin.Context, a account.Admission) account.Call {
	route := c.FullPath()
	version, _, _ := strings.Cut(strings.TrimPrefix(route, "/"), "/")
	return account.Call{
		Account: a.Account, Key: a.Key, At: a.At, Version: version, Endpoint: route, Status: c.Writer.Status(),
	}
}
