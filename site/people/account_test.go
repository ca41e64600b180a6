package people_test

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"razao/internal/people/account"
	"razao/internal/people/seal"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

var (
	mailedLink  = regexp.MustCompile(`https://razao\.exemplo(/auth/callback\?\S+)`)
	plainKey    = regexp.MustCompile(`<code>(rz_[^<…]+)</code>`)
	plainSecret = regexp.MustCompile(`<code>(whsec_[^<]+)</code>`)
	revocation  = regexp.MustCompile(`action="(/conta/chaves/[0-9]+/revogar)"`)
)

func TestAccountByMailFromEndToEnd(t *testing.T) {
	t.Parallel()
	h := sitetest.Empty(t)
	l, ana := h.Stores, h.Visitor()
	sitetest.Leads(t, ana.Open(t, "/conta"), "/login?next=%2Fconta")
	golden(t, "login", ana.Open(t, "/login?next=%2Fconta"), 200, "Por um provedor")
	sitetest.Leads(t, ana.Post(t, "/auth/magic-link", "email", "ana@exemplo.com", "next", "/conta"), "/login?aviso=enviado&next=%2Fconta")
	golden(t, "login-link-sent", ana.Open(t, "/login?aviso=enviado"), 200)

	link := mailedLink.FindStringSubmatch(h.Mail(t))
	if link == nil {
		t.Fatal("the mail has no link")
	}
	u, err := url.Parse(link[1])
	if err != nil {
		t.Fatal(err)
	}
	token := u.Query().Get("token")
	for range 2 { // a mail scanner, then the person
		body := golden(t, "link-opened", ana.Open(t, link[1]), 200)
		pagetest.Texts(t, body, []string{`value="` + token + `"`}, nil)
	}
	sitetest.Leads(t, ana.Post(t, "/auth/callback", "token", token, "next", "/conta"), "/conta")
	sitetest.Leads(t, ana.Site.Visitor().Post(t, "/auth/callback", "token", token), "/login?error=link")
	sitetest.Leads(t, ana.Site.Visitor().Open(t, link[1]), "/login?error=link&next=%2Fconta")
	goldenWhole(t, "account-new", ana.Open(t, "/conta"), 200, "Entrar</a>")
	sitetest.Leads(t, ana.Open(t, "/login"), "/conta")
	sitetest.Leads(t, ana.Open(t, "/login?next=%2Fempresas"), "/empresas")

	sitetest.Leads(t, ana.Post(t, "/conta/chaves", "nome", " planilha <b> "), "/conta#chaves")
	body := golden(t, "account-key-created", ana.Open(t, "/conta"), 200, "planilha <b>")
	plain := plainKey.FindStringSubmatch(body)
	if plain == nil {
		t.Fatalf("no key in %s", body)
	}
	meter := account.OpenMeter(l.Pool, seal.New("secret of the tests"), slog.New(slog.DiscardHandler))
	admitted, err := meter.Admit(t.Context(), plain[1])
	if err != nil {
		t.Fatal(err)
	}
	meter.Record(account.Call{
		Account: admitted.Account, Key: admitted.Key, At: admitted.At, Version: "v2", Endpoint: "/v2/empresas/:documento/basic", Status: 404,
	})
	body = sitetest.Shows(t, ana.Open(t, "/conta"), 200, []string{"planilha"}, []string{plain[1]})
	sitetest.Leads(t, ana.Post(t, revocation.FindStringSubmatch(body)[1]), "/conta")
	golden(t, "account-key-revoked", ana.Open(t, "/conta"), 200)
	sitetest.Shows(t, ana.Open(t, "/conta"), 200, nil, []string{"Chave revogada: novas", "/revogar"})
	if _, err := meter.Admit(t.Context(), plain[1]); !errors.Is(err, account.ErrInvalidKey) {
		t.Errorf("the revoked key: %v", err)
	}
	meter.Close()
	goldenWhole(t, "account-used", ana.Open(t, "/conta"), 200)

	sitetest.Leads(t, ana.Post(t, "/conta/sair"), "/login?aviso=saiu")
	if len(ana.Cookies[sitetest.SessionCookie]) > 0 {
		t.Error("the browser still has its session")
	}
	sitetest.Leads(t, ana.Open(t, "/conta"), "/login?next=%2Fconta")
}

func TestKeysOfAnAccount(t *testing.T) {
	t.Parallel()
	h := sitetest.Empty(t)
	ana, bia := h.SignedIn(t, "ana@exemplo.com"), h.SignedIn(t, "bia@exemplo.com")
	for i, name := range []string{"", "  ", "uma\nduas", strings.Repeat("x", 81)} {
		golden(t, "account-key-refused-"+strconv.Itoa(i), ana.Post(t, "/conta/chaves", "nome", name), 422, "Chave criada")
	}
	for i := range account.MaxActiveKeys {
		sitetest.Leads(t, ana.Post(t, "/conta/chaves", "nome", "chave "+strconv.Itoa(i)), "/conta#chaves")
		sitetest.Shows(t, ana.Open(t, "/conta"), 200, []string{"Chave criada"}, nil)
	}
	golden(t, "account-five-keys", ana.Open(t, "/conta"), 200, `action="/conta/chaves"`)
	body := golden(t, "account-sixth-key", ana.Post(t, "/conta/chaves", "nome", "sexta"), 422, "Chave criada")
	target := revocation.FindStringSubmatch(body)[1]
	for _, target := range []string{target, "/conta/chaves/999999/revogar", "/conta/chaves/x/revogar"} {
		if w := bia.Post(t, target); w.Code != http.StatusNotFound {
			t.Errorf("%s by somebody else: status %d", target, w.Code)
		}
	}
	if body := sitetest.Shows(t, ana.Open(t, "/conta"), 200, nil, nil); strings.Count(body, "/revogar\"") != account.MaxActiveKeys {
		t.Error("a key of somebody else was revoked")
	}
	sitetest.Leads(t, h.Visitor().Post(t, target), "/login?next=%2Fconta")
	sitetest.Leads(t, h.Visitor().Post(t, "/conta/chaves", "nome", "x"), "/login?next=%2Fconta")
	key := strings.Split(target, "/")[3]
	sitetest.Shows(t, ana.Open(t, "/conta?chave="+key), 200, []string{`<option value="` + key + `" selected>`}, nil)
	check := sitetest.NewAnswerCheck(t)
	for _, query := range []string{"chave=x", "chave=-1", "antes=x", "antes=99999999999999999999", "chave=999999"} {
		w := h.Get(t, "/conta?"+query, "Cookie", sitetest.SessionCookie+"="+ana.Cookies[sitetest.SessionCookie])
		if w.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s: status %d", query, w.Code)
		}
		check.Answer(t, "/conta", w)
	}
	if w := bia.Open(t, "/conta?chave="+key); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("the usage of somebody else's key: status %d", w.Code)
	}
}

func TestUsageOfAnAccount(t *testing.T) {
	t.Parallel()
	h := sitetest.Empty(t)
	l := h.Stores
	ana := h.SignedIn(t, "ana@exemplo.com")
	_, used, err := h.Accounts.CreateKey(t.Context(), "ana@exemplo.com", "usada")
	if err != nil {
		t.Fatal(err)
	}
	_, idle, err := h.Accounts.CreateKey(t.Context(), "ana@exemplo.com", "parada")
	if err != nil {
		t.Fatal(err)
	}
	meter := account.OpenMeter(l.Pool, seal.New("secret of the tests"), slog.New(slog.DiscardHandler))
	const callsPerPage = 50
	for i := range callsPerPage + 1 {
		meter.Record(account.Call{Account: used.Account, Key: used.ID, At: time.Now(), Version: "v1", Endpoint: "/v1/cnpj/:cnpj", Status: 200 + i})
	}
	meter.Close()
	if _, err := l.Pool.Exec(t.Context(), `
		INSERT INTO usage_day (account_id, day, key_id, calls, blocked)
		VALUES ($1, (now() AT TIME ZONE 'UTC')::date, $2, 0, 1234)`, used.Account, used.ID); err != nil {
		t.Fatal(err)
	}
	body := goldenWhole(t, "account-many-calls", ana.Open(t, "/conta"), 200)
	if rects, rows := strings.Count(body, `<rect class="up" x=`), strings.Count(body, `<td class="num">0</td><td class="num">0</td>`); rects != account.HistoryDays || rows != account.HistoryDays-1 {
		t.Errorf("the chart has %d columns, its table %d empty days", rects, rows)
	}
	next := pagetest.Between(body, `<a href="/conta?antes=`, `#uso" rel="next"`)
	goldenWhole(t, "account-earlier-calls", ana.Open(t, "/conta?antes="+next), 200, `<td class="num">201</td>`, `rel="next"`)
	goldenWhole(t, "account-idle-key", ana.Open(t, "/conta?chave="+strconv.FormatInt(int64(idle.ID), 10)), 200, `<svg class="columns"`)
}

var ending = regexp.MustCompile(`action="(/conta/sessoes/[0-9]+/encerrar)"`)

func TestSessionsOfAnAccount(t *testing.T) {
	t.Parallel()
	h := sitetest.Empty(t)
	var all []*sitetest.Browser
	for range 4 {
		all = append(all, h.SignedIn(t, "ana@exemplo.com"))
	}
	bia := h.SignedIn(t, "bia@exemplo.com")
	body := golden(t, "account-four-sessions", all[0].Open(t, "/conta"), 200)
	for _, found := range ending.FindAllStringSubmatch(body, -1) {
		if w := bia.Post(t, found[1]); w.Code != http.StatusNotFound {
			t.Errorf("a session of somebody else: status %d", w.Code)
		}
	}
	own := ending.FindStringSubmatch(sitetest.Shows(t, bia.Open(t, "/conta"), 200, nil, []string{"Encerrar todas as outras"}))[1]
	sitetest.Leads(t, bia.Post(t, own), "/login?aviso=saiu")
	_, other, _ := strings.Cut(body, "Encerrar <")
	sitetest.Leads(t, all[0].Post(t, ending.FindStringSubmatch(other)[1]), "/conta")
	if body := golden(t, "account-session-ended", all[0].Open(t, "/conta"), 200); len(ending.FindAllString(body, -1)) != 3 {
		t.Error("not three sessions are left")
	}
	sitetest.Leads(t, all[0].Post(t, "/conta/sessoes/encerrar-outras"), "/conta")
	golden(t, "account-other-sessions-ended", all[0].Open(t, "/conta"), 200, "Encerrar todas as outras")
	for _, p := range all[1:] {
		sitetest.Leads(t, p.Open(t, "/conta"), "/login?next=%2Fconta")
	}
}

func TestAccountDeletion(t *testing.T) {
	t.Parallel()
	h := sitetest.Empty(t)
	l := h.Stores
	ana, phone := h.SignedIn(t, "ana@exemplo.com"), h.SignedIn(t, "ana@exemplo.com")
	plain, _, err := h.Accounts.CreateKey(t.Context(), "ana@exemplo.com", "x")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "account-deletion-without-an-address", ana.Post(t, "/conta/excluir", "email", ""), 422)
	golden(t, "account-deletion-with-another-address", ana.Post(t, "/conta/excluir", "email", "bia@exemplo.com"), 422)
	sitetest.Leads(t, ana.Post(t, "/conta/excluir", "email", " Ana@Exemplo.com"), "/login?aviso=excluida")
	golden(t, "login-account-deleted", ana.Open(t, "/login?aviso=excluida"), 200)
	for _, p := range []*sitetest.Browser{ana, phone} {
		sitetest.Leads(t, p.Open(t, "/conta"), "/login?next=%2Fconta")
	}
	meter := account.OpenMeter(l.Pool, seal.New("secret of the tests"), slog.New(slog.DiscardHandler))
	defer meter.Close()
	if _, err := meter.Admit(t.Context(), plain); !errors.Is(err, account.ErrInvalidKey) {
		t.Errorf("a key of the deleted account: %v", err)
	}
	var left int
	if err := l.Pool.QueryRow(t.Context(), `SELECT count(*) FROM account`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d accounts are left, %v", left, err)
	}
}

// A database failure is a 503, never a redirect to /login.
func TestAccountWithoutDatabase(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	l := h.Stores
	cookie := h.Session(t, "ana@exemplo.com")
	l.Pool.Close()
	p := h.Browser(cookie)
	for target, name := range map[string]string{
		"/conta": "account", "/empresas.csv": "file", "/login": "login", "/auth/callback?token=" + strings.Repeat("A", 26): "link",
	} {
		golden(t, "trouble-"+name, p.Open(t, target), 503, `href="/conta">Conta`, `href="/login"`)
	}
	for target, name := range map[string]string{
		"/conta/sair": "signing-out", "/conta/chaves": "creating-a-key", "/conta/chaves/1/revogar": "revoking-a-key",
		"/conta/excluir": "deletion", "/conta/sessoes/encerrar-outras": "ending-sessions", "/auth/magic-link": "sending-a-link",
	} {
		golden(t, "trouble-"+name, p.Post(t, target, "nome", "x", "email", "ana@exemplo.com"), 503)
	}
	if p.Cookies[sitetest.SessionCookie] == "" {
		t.Error("the browser lost its session")
	}
	if w := p.Open(t, "/estados"); w.Code != http.StatusOK || strings.Contains(w.Body.String(), `href="/conta">Conta`) {
		t.Errorf("a page that needs no account: status %d", w.Code)
	}
}

// A new key is shown once, only to the browser that created it, also after reloads. The database
// never stores it.
func TestNewKeyIsShownOnce(t *testing.T) {
	t.Parallel()
	h := sitetest.Empty(t)
	l := h.Stores
	cookie := h.Session(t, "ana@exemplo.com")
	ana, phone := h.Browser(cookie), h.SignedIn(t, "ana@exemplo.com")
	sitetest.Leads(t, ana.Open(t, "/conta/chaves"), "/conta#chaves")
	sitetest.Leads(t, h.Visitor().Open(t, "/conta/chaves"), "/conta#chaves")
	sitetest.Leads(t, ana.Post(t, "/conta/chaves", "nome", "planilha"), "/conta#chaves")
	var kept string
	if err := l.Pool.QueryRow(t.Context(), `SELECT string_agg(encode(data, 'escape'), '') FROM session`).Scan(&kept); err != nil {
		t.Fatal(err)
	}
	if kept == "" || strings.Contains(kept, "rz_") {
		t.Errorf("the sessions hold %q", kept)
	}
	sitetest.Shows(t, phone.Open(t, "/conta"), 200, []string{"planilha"}, []string{"Chave criada"})
	head := httptest.NewRequestWithContext(t.Context(), http.MethodHead, "/conta", nil)
	if w := ana.Send(head); w.Code != http.StatusOK {
		t.Errorf("HEAD: status %d", w.Code)
	}
	body := sitetest.Shows(t, ana.Open(t, "/conta"), 200, []string{"Chave criada"}, nil)
	if plainKey.FindStringSubmatch(body) == nil {
		t.Errorf("no key in %s", body)
	}
	sitetest.Leads(t, ana.Open(t, "/conta/chaves"), "/conta#chaves") // somebody goes to the address of the form
	body = sitetest.Shows(t, ana.Open(t, "/conta"), 200, []string{"planilha"}, []string{"Chave criada"})
	if strings.Count(body, "/revogar\"") != 1 {
		t.Error("there is not one key")
	}
}

// The account page works on a read-only database.
func TestAccountOfAReadOnlyDatabase(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	l := h.Stores
	ana := h.SignedIn(t, "ana@exemplo.com")
	for _, query := range []string{
		`UPDATE session SET last_seen_at = now() - interval '2 hours'`,
		`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`,
	} {
		if _, err := l.Pool.Exec(t.Context(), query); err != nil {
			t.Fatal(err)
		}
	}
	l.Pool.Reset()
	for range 2 {
		sitetest.Shows(t, ana.Open(t, "/conta"), 200, []string{"ana@exemplo.com", "Ainda não há chaves"}, nil)
	}
	if w := ana.Post(t, "/conta/chaves", "nome", "x"); w.Code != http.StatusServiceUnavailable {
		t.Errorf("a new key: status %d, want 503", w.Code)
	}
}
