package oauthserver

import (
	"errors"
	"testing"

	"golang.org/x/oauth2"

	"razao/internal/account"
)

func TestConsentForgedFromAnotherSession(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	ana, bia := b.visitor(t, "ana@exemplo.com"), b.visitor(t, "bia@exemplo.com")
	phone := b.visitor(t, "ana@exemplo.com")
	client := b.register(t, callback)
	id := b.requestID(t, asking(client, callback, oauth2.GenerateVerifier()))
	if _, err := b.Approve(t.Context(), id, ana); !errors.Is(err, ErrNoRequest) {
		t.Errorf("approved before it was shown: %v", err)
	}
	if _, err := b.Request(t.Context(), id, ana); err != nil {
		t.Fatal(err)
	}
	for name, who := range map[string]account.Session{"another account": bia, "another browser": phone} {
		_, shown := b.Request(t.Context(), id, who)
		_, approved := b.Approve(t.Context(), id, who)
		_, denied := b.Deny(t.Context(), id, who)
		for _, err := range []error{shown, approved, denied} {
			if !errors.Is(err, ErrNoRequest) {
				t.Errorf("%s: %v, want ErrNoRequest", name, err)
			}
		}
	}
	if _, err := b.Request(t.Context(), id, ana); err != nil {
		t.Errorf("looked at again: %v", err)
	}
	if _, err := b.Approve(t.Context(), id, ana); err != nil {
		t.Errorf("approved by who looked at it: %v", err)
	}
}

func TestConsentUsedTwice(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	ana := b.visitor(t, "ana@exemplo.com")
	client := b.register(t, callback)
	decide := []func() error{}
	for _, f := range []func(string) error{
		func(id string) error { _, err := b.Approve(t.Context(), id, ana); return err },
		func(id string) error { _, err := b.Deny(t.Context(), id, ana); return err },
	} {
		id := b.requestID(t, asking(client, callback, oauth2.GenerateVerifier()))
		if _, err := b.Request(t.Context(), id, ana); err != nil {
			t.Fatal(err)
		}
		decide = append(decide, func() error { return f(id) })
	}
	for i, f := range decide {
		if err := f(); err != nil {
			t.Errorf("%d, first: %v", i, err)
		}
		if err := f(); !errors.Is(err, ErrNoRequest) {
			t.Errorf("%d, second: %v, want ErrNoRequest", i, err)
		}
	}
	if n := b.count(t, "oauth_code"); n != 1 {
		t.Errorf("%d codes were given, want one", n)
	}
}

func TestRequestExpires(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	ana := b.visitor(t, "ana@exemplo.com")
	id := b.requestID(t, asking(b.register(t, callback), callback, oauth2.GenerateVerifier()))
	if _, err := b.Request(t.Context(), id, ana); err != nil {
		t.Fatal(err)
	}
	b.execute(t, `UPDATE oauth_request SET created_at = created_at - interval '21 minutes'`)
	if _, err := b.Request(t.Context(), id, ana); !errors.Is(err, ErrNoRequest) {
		t.Errorf("shown: %v", err)
	}
	if _, err := b.Approve(t.Context(), id, ana); !errors.Is(err, ErrNoRequest) {
		t.Errorf("approved: %v", err)
	}
}
