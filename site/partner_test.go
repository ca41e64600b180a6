package site

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"razao/internal/testing/fixture"
	"razao/site/page/pagetest"
)

func TestPartnerPage(t *testing.T) {
	t.Parallel()
	h, _ := released.open(t)
	d := parse(t, get(t, h, "/12345678000195").Body.String())
	address := d.links()["Marta Figueira Inventada"]
	if address != "/socio/456789/marta-figueira-inventada" {
		t.Fatalf("the company links its partner to %q", address)
	}
	w := get(t, h, address)
	pagetest.Form(t, w.Body.String())
	if n := resultsIn(parse(t, w.Body.String())); n != 2 {
		t.Errorf("%d companies, want 2", n)
	}
	chain := parse(t, get(t, h, "/"+full(t, fixture.Chain)).Body.String())
	if got := chain.links()["Acionista 037 Ficticio"]; got != "/socio/000001/acionista-037-ficticio" {
		t.Errorf("a partner among many is linked to %q", got)
	}
	// A partner beyond the first row (chunk) of its company.
	if w := get(t, h, "/socio/000129/"+strings.ToLower(fmt.Sprintf("acionista-%03d-ficticio", (129*37)%fixture.ChainQSA))); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "1 empresa na competência") {
		t.Errorf("the last partner of many: status %d", w.Code)
	}
}
