package main

import (
	"net/url"
	"strings"
	"testing"
)

func TestClientsOfTheOperator(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	p.Must("migrate")
	p.Start("serve")
	const redirect = "https://interno.exemplo/callback"
	id := strings.TrimSpace(p.Must("oauth", "clients", "create", "--name", "Sistema interno", "--redirect", redirect, "--redirect", "http://localhost/x"))
	asked := "/oauth/authorize?" + url.Values{
		"response_type": {"code"}, "client_id": {id}, "redirect_uri": {redirect}, "code_challenge_method": {"S256"}, "code_challenge": {strings.Repeat("A", 43)},
	}.Encode()
	if status, body := p.Get(asked, ""); status != 303 || !strings.Contains(body, `"/oauth/consent?authorization_id=`) {
		t.Errorf("the request leads not to the consent: %d %.300s", status, body)
	}
	if out := p.Must("oauth", "clients", "list"); !strings.Contains(out, id) || !strings.Contains(out, "Sistema interno") || !strings.Contains(out, redirect+" http://localhost/x") {
		t.Errorf("the list is %q", out)
	}
	if code, _, stderr := p.Run("oauth", "clients", "create", "--name", "x", "--redirect", "http://interno.exemplo"); code != 1 || !strings.Contains(stderr, "neither https nor") {
		t.Errorf("a client without TLS: %d\n%s", code, stderr)
	}
	p.Must("oauth", "clients", "delete", id)
	if status, body := p.Get(asked, ""); status != 400 || !strings.Contains(body, "Programa desconhecido") {
		t.Errorf("a deleted client: %d %.300s", status, body)
	}
	if code, _, stderr := p.Run("oauth", "clients", "delete", id); code != 1 || !strings.Contains(stderr, "no such client") {
		t.Errorf("deleted again: %d\n%s", code, stderr)
	}
}
