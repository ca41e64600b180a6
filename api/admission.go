package api

import (
	"context"
	"strings"

	"razao/internal/account"
)

// Admission is what is known of a call that was let in.
type Admission struct {
	Caller account.Caller
}

// KeyAdmission lets in every call that carries an active key of store.
func KeyAdmission(store *account.Store) func(ctx context.Context, authorization string) (Admission, error) {
	return func(ctx context.Context, authorization string) (Admission, error) {
		caller, err := store.Authenticate(ctx, bearerToken(authorization))
		return Admission{Caller: caller}, err
	}
}

// bearerToken returns the token of an Authorization header, "" when the header is empty or of another scheme.
func bearerToken(authorization string) string {
	scheme, token, _ := strings.Cut(strings.TrimSpace(authorization), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}
