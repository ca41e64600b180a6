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
	refused(p, 1, "neither https nor", "oauth", "clients", "create", "--name", "x", "--redirect", "http://interno.exemplo")
	p.Must("oauth", "clients", "delete", id)
	if status, body := p.Get(asked, ""); status != 400 || !strings.Contains(body, "Programa desconhecido") {
		t.Errorf("a deleted client: %d %.300s", status, body)
	}
	refused(p, 1, "no such client", "oauth", "clients", "delete", id)
}
