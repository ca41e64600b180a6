package browser

import (
	"context"
	"path/filepath"
	"testing"

	"razao/internal/testing/mailtest"
	"razao/internal/testing/oidctest"
	"razao/lab/internal/built"
)

// Companies of the sample, by what they are examples of. The same options of `razao sample` always
// give the same companies.
const (
	chain        = "22667159000105" // 101 establishments, records of three sources
	debtor       = "14334698000196" // 40 debts
	borrower     = "14334698000196" // 25 loans
	polluter     = "14334698000196" // 56 and 11 records of IBAMA
	closed       = "30450173000172" // deregistered, with records of three sources
	entrepreneur = "05369470000140" // one person
	sanctioned   = "10414579000192" // two sanctions, a debt, nothing else
)

const (
	month    = "2026-09" // of the sample
	operator = "privacidade@razao.exemplo"
)

// website is the program with what surrounds it.
type website struct {
	base     string // address, without a slash at the end
	empty    string // address of a server without any load
	mails    mailtest.Server
	provider *oidctest.Provider
	chromium context.Context
}

// open builds the program, loads it and starts it, with everything around it.
func open(t *testing.T) *website {
	t.Helper()
	p, _ := built.OnItsOwn(t)
	w := &website{provider: oidctest.Start(t), chromium: startChromium(t, false)}
	p.Settings = append(p.Settings, "RAZAO_DEV=true", "RAZAO_IP_REQUESTS=0", "RAZAO_CONTACT="+operator, "RAZAO_SMTP_URL="+w.mails.Start(t),
		"RAZAO_OIDC_ISSUER="+w.provider.Issuer, "RAZAO_OIDC_CLIENT_ID="+oidctest.ClientID, "RAZAO_OIDC_CLIENT_SECRET="+oidctest.ClientSecret)
	sample := filepath.Join(t.TempDir(), "sample")
	p.Must("sample", "--roots", "2000", "--seed", "7", "--month", month, "--out", sample)
	p.Must("ingest", "all", "--from", sample)
	p.Start("serve")
	empty, _ := built.OnItsOwn(t)
	empty.Start("serve")
	w.base, w.empty = "http://"+p.Addr, "http://"+empty.Addr
	return w
}
