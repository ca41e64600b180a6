package people_test

import (
	"net/http/httptest"
	"slices"
	"testing"

	"razao/internal/people/signin"
	"razao/internal/testing/outline"
	"razao/site/sitetest"
)

// withProvider returns a site without a load at which people sign in by a provider, too.
func withProvider(t *testing.T, p signin.Provider) *sitetest.Site {
	t.Helper()
	return sitetest.Empty(t, func(s *sitetest.Setup) { s.Providers = []signin.Provider{p} })
}

// withOAuth returns a site without a load, with its authorization server.
func withOAuth(t *testing.T) *sitetest.Site {
	t.Helper()
	s := sitetest.Empty(t)
	s.OAuth.Register(s.Engine, s.RefuseAuthorization)
	return s
}

// told is [sitetest.Shows] with a golden file. Unlike toldWhole, it leaves out the usage of an
// account, which has a line per day.
func told(t *testing.T, name string, w *httptest.ResponseRecorder, status int, lacks ...string) string {
	t.Helper()
	body := sitetest.Shows(t, w, status, nil, lacks)
	sitetest.Golden(t, name, w, append(slices.Clone(ofToday), outline.Without("section", "aria-labelledby", "uso"))...)
	return body
}

func toldWhole(t *testing.T, name string, w *httptest.ResponseRecorder, status int, lacks ...string) string {
	t.Helper()
	body := sitetest.Shows(t, w, status, nil, lacks)
	sitetest.Golden(t, name, w, ofToday...)
	return body
}

// ofToday masks what differs between runs: keys, other secrets, dates and times.
var ofToday = []outline.Option{
	outline.Masked(`rz_[0-9A-Za-z]+`, "rz_chave"),
	outline.Masked(`((?:token|authorization_id|navegador) value=)\S+?\]`, "${1}segredo]"),
	outline.Masked(`\d\d/\d\d/\d{4}(,? (?:às )?\d\d:\d\d(?::\d\d)?)?`, "dd/mm/aaaa$1"),
	outline.Masked(`\d\d/\d\d\b`, "dd/mm"),
	outline.Masked(`\b\d\d:\d\d(:\d\d)?\b`, "hh:mm"),
}
