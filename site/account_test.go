package site

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
	"razao/internal/testing/fixture"
	"razao/site/page/pagetest"
)

var (
	mailedLink = regexp.MustCompile(`https://razao\.exemplo(/auth/callback\?\S+)`)
	plainKey   = regexp.MustCompile(`<code>(rz_[^<…]+)</code>`)
	revocation = regexp.MustCompile(`action="(/conta/chaves/[0-9]+/revogar)"`)
)

func TestAccountByMailFromEndToEnd(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	mails := t.TempDir()
	s := newSite(t, l, mails)
	ana := newPerson(served(s), "")
	leads(t, ana.open(t, "/conta"), "/login?next=%2Fconta")
	told(t, "login", ana.open(t, "/login?next=%2Fconta"), 200, "Por um provedor")
	leads(t, ana.post(t, "/auth/magic-link", "email", "ana@exemplo.com", "next", "/conta"), "/login?aviso=enviado&next=%2Fconta")
	told(t, "login-link-sent", ana.open(t, "/login?aviso=enviado"), 200)

	link := mailedLink.FindStringSubmatch(letter(t, l, mails))
	if link == nil {
		t.Fatal("the mail has no link")
	}
	u, err := url.Parse(link[1])
	if err != nil {
		t.Fatal(err)
	}
	token := u.Query().Get("token")
	for range 2 { // a mail scanner, then the person
		body := told(t, "link-opened", ana.open(t, link[1]), 200)
		pagetest.Texts(t, body, []string{`value="` + token + `"`}, nil)
	}
	leads(t, ana.post(t, "/auth/callback", "token", token, "next", "/conta"), "/conta")
	leads(t, newPerson(ana.Handler, "").post(t, "/auth/callback", "token", token), "/login?error=link")
	leads(t, newPerson(ana.Handler, "").open(t, link[1]), "/login?error=link&next=%2Fconta")
	toldWhole(t, "account-new", ana.open(t, "/conta"), 200, "Entrar</a>")
	leads(t, ana.open(t, "/login"), "/conta")
	leads(t, ana.open(t, "/login?next=%2Fempresas"), "/empresas")

	leads(t, ana.post(t, "/conta/chaves", "nome", " planilha <b> "), "/conta#chaves")
	body := told(t, "account-key-created", ana.open(t, "/conta"), 200, "planilha <b>")
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
	body = shows(t, ana.open(t, "/conta"), 200, []string{"planilha"}, []string{plain[1]})
	leads(t, ana.post(t, revocation.FindStringSubmatch(body)[1]), "/conta")
	told(t, "account-key-revoked", ana.open(t, "/conta"), 200)
	shows(t, ana.open(t, "/conta"), 200, nil, []string{"Chave revogada: novas", "/revogar"})
	if _, err := meter.Admit(t.Context(), plain[1]); !errors.Is(err, account.ErrInvalidKey) {
		t.Errorf("the revoked key: %v", err)
	}
	meter.Close()
	toldWhole(t, "account-used", ana.open(t, "/conta"), 200)

	leads(t, ana.post(t, "/conta/sair"), "/login?aviso=saiu")
	if len(ana.cookies[sessionCookie]) > 0 {
		t.Error("the browser still has its session")
	}
	leads(t, ana.open(t, "/conta"), "/login?next=%2Fconta")
}

func TestKeysOfAnAccount(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	h, s := newHandler(t, l)
	ana, bia := newPerson(h, signedIn(t, s, "ana@exemplo.com")), newPerson(h, signedIn(t, s, "bia@exemplo.com"))
	for i, name := range []string{"", "  ", "uma\nduas", strings.Repeat("x", 81)} {
		told(t, "account-key-refused-"+strconv.Itoa(i), ana.post(t, "/conta/chaves", "nome", name), 422, "Chave criada")
	}
	for i := range account.MaxActiveKeys {
		leads(t, ana.post(t, "/conta/chaves", "nome", "chave "+strconv.Itoa(i)), "/conta#chaves")
		shows(t, ana.open(t, "/conta"), 200, []string{"Chave criada"}, nil)
	}
	told(t, "account-five-keys", ana.open(t, "/conta"), 200, `action="/conta/chaves"`)
	body := told(t, "account-sixth-key", ana.post(t, "/conta/chaves", "nome", "sexta"), 422, "Chave criada")
	target := revocation.FindStringSubmatch(body)[1]
	for _, target := range []string{target, "/conta/chaves/999999/revogar", "/conta/chaves/x/revogar"} {
		if w := bia.post(t, target); w.Code != http.StatusNotFound {
			t.Errorf("%s by somebody else: status %d", target, w.Code)
		}
	}
	if body := shows(t, ana.open(t, "/conta"), 200, nil, nil); strings.Count(body, "/revogar\"") != account.MaxActiveKeys {
		t.Error("a key of somebody else was revoked")
	}
	leads(t, newPerson(h, "").post(t, target), "/login?next=%2Fconta")
	leads(t, newPerson(h, "").post(t, "/conta/chaves", "nome", "x"), "/login?next=%2Fconta")
	key := strings.Split(target, "/")[3]
	shows(t, ana.open(t, "/conta?chave="+key), 200, []string{`<option value="` + key + `" selected>`}, nil)
	check := newAnswerCheck(t)
	for _, query := range []string{"chave=x", "chave=-1", "antes=x", "antes=99999999999999999999", "chave=999999"} {
		w := get(t, h, "/conta?"+query, "Cookie", sessionCookie+"="+ana.cookies[sessionCookie])
		if w.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s: status %d", query, w.Code)
		}
		check.answer(t, "/conta", w)
	}
	if w := bia.open(t, "/conta?chave="+key); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("the usage of somebody else's key: status %d", w.Code)
	}
}

func TestUsageOfAnAccount(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	h, s := newHandler(t, l)
	ana := newPerson(h, signedIn(t, s, "ana@exemplo.com"))
	_, used, err := s.Accounts.CreateKey(t.Context(), "ana@exemplo.com", "usada")
	if err != nil {
		t.Fatal(err)
	}
	_, idle, err := s.Accounts.CreateKey(t.Context(), "ana@exemplo.com", "parada")
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
	body := toldWhole(t, "account-many-calls", ana.open(t, "/conta"), 200)
	if rects, rows := strings.Count(body, "<rect "), strings.Count(body, `<td class="num">0</td><td class="num">0</td>`); rects != account.HistoryDays || rows != account.HistoryDays-1 {
		t.Errorf("the chart has %d columns, its table %d empty days", rects, rows)
	}
	next := between(body, `<a href="/conta?antes=`, `#uso" rel="next"`)
	toldWhole(t, "account-earlier-calls", ana.open(t, "/conta?antes="+next), 200, `<td class="num">201</td>`, `rel="next"`)
	toldWhole(t, "account-idle-key", ana.open(t, "/conta?chave="+strconv.FormatInt(int64(idle.ID), 10)), 200, `<svg class="columns"`)
}

var ending = regexp.MustCompile(`action="(/conta/sessoes/[0-9]+/encerrar)"`)

func TestSessionsOfAnAccount(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	h, s := newHandler(t, l)
	var all []*person
	for range 4 {
		all = append(all, newPerson(h, signedIn(t, s, "ana@exemplo.com")))
	}
	bia := newPerson(h, signedIn(t, s, "bia@exemplo.com"))
	body := told(t, "account-four-sessions", all[0].open(t, "/conta"), 200)
	for _, found := range ending.FindAllStringSubmatch(body, -1) {
		if w := bia.post(t, found[1]); w.Code != http.StatusNotFound {
			t.Errorf("a session of somebody else: status %d", w.Code)
		}
	}
	own := ending.FindStringSubmatch(shows(t, bia.open(t, "/conta"), 200, nil, []string{"Encerrar todas as outras"}))[1]
	leads(t, bia.post(t, own), "/login?aviso=saiu")
	_, other, _ := strings.Cut(body, "Encerrar <")
	leads(t, all[0].post(t, ending.FindStringSubmatch(other)[1]), "/conta")
	if body := told(t, "account-session-ended", all[0].open(t, "/conta"), 200); len(ending.FindAllString(body, -1)) != 3 {
		t.Error("not three sessions are left")
	}
	leads(t, all[0].post(t, "/conta/sessoes/encerrar-outras"), "/conta")
	told(t, "account-other-sessions-ended", all[0].open(t, "/conta"), 200, "Encerrar todas as outras")
	for _, p := range all[1:] {
		leads(t, p.open(t, "/conta"), "/login?next=%2Fconta")
	}
}

func TestAccountDeletion(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	h, s := newHandler(t, l)
	ana, phone := newPerson(h, signedIn(t, s, "ana@exemplo.com")), newPerson(h, signedIn(t, s, "ana@exemplo.com"))
	plain, _, err := s.Accounts.CreateKey(t.Context(), "ana@exemplo.com", "x")
	if err != nil {
		t.Fatal(err)
	}
	told(t, "account-deletion-without-an-address", ana.post(t, "/conta/excluir", "email", ""), 422)
	told(t, "account-deletion-with-another-address", ana.post(t, "/conta/excluir", "email", "bia@exemplo.com"), 422)
	leads(t, ana.post(t, "/conta/excluir", "email", " Ana@Exemplo.com"), "/login?aviso=excluida")
	told(t, "login-account-deleted", ana.open(t, "/login?aviso=excluida"), 200)
	for _, p := range []*person{ana, phone} {
		leads(t, p.open(t, "/conta"), "/login?next=%2Fconta")
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
	l := peopled(t)
	h, s := newHandler(t, l)
	cookie := signedIn(t, s, "ana@exemplo.com")
	l.Pool.Close()
	p := newPerson(h, cookie)
	for target, name := range map[string]string{
		"/conta": "account", "/empresas.csv": "file", "/login": "login", "/auth/callback?token=" + strings.Repeat("A", 26): "link",
	} {
		told(t, "trouble-"+name, p.open(t, target), 503, `href="/conta">Conta`, `href="/login"`)
	}
	for target, name := range map[string]string{
		"/conta/sair": "signing-out", "/conta/chaves": "creating-a-key", "/conta/chaves/1/revogar": "revoking-a-key",
		"/conta/excluir": "deletion", "/conta/sessoes/encerrar-outras": "ending-sessions", "/auth/magic-link": "sending-a-link",
	} {
		told(t, "trouble-"+name, p.post(t, target, "nome", "x", "email", "ana@exemplo.com"), 503)
	}
	if p.cookies[sessionCookie] == "" {
		t.Error("the browser lost its session")
	}
	if w := p.open(t, "/estados"); w.Code != http.StatusOK || strings.Contains(w.Body.String(), `href="/conta">Conta`) {
		t.Errorf("a page that needs no account: status %d", w.Code)
	}
}

// A new key is shown once, only to the browser that created it, also after reloads. The database
// never stores it.
func TestNewKeyIsShownOnce(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	h, s := newHandler(t, l)
	cookie := signedIn(t, s, "ana@exemplo.com")
	ana, phone := newPerson(h, cookie), newPerson(h, signedIn(t, s, "ana@exemplo.com"))
	leads(t, ana.open(t, "/conta/chaves"), "/conta#chaves")
	leads(t, newPerson(h, "").open(t, "/conta/chaves"), "/conta#chaves")
	leads(t, ana.post(t, "/conta/chaves", "nome", "planilha"), "/conta#chaves")
	var kept string
	if err := l.Pool.QueryRow(t.Context(), `SELECT string_agg(encode(data, 'escape'), '') FROM session`).Scan(&kept); err != nil {
		t.Fatal(err)
	}
	if kept == "" || strings.Contains(kept, "rz_") {
		t.Errorf("the sessions hold %q", kept)
	}
	shows(t, phone.open(t, "/conta"), 200, []string{"planilha"}, []string{"Chave criada"})
	head := httptest.NewRequestWithContext(t.Context(), http.MethodHead, "/conta", nil)
	if w := ana.send(head); w.Code != http.StatusOK {
		t.Errorf("HEAD: status %d", w.Code)
	}
	body := shows(t, ana.open(t, "/conta"), 200, []string{"Chave criada"}, nil)
	if plainKey.FindStringSubmatch(body) == nil {
		t.Errorf("no key in %s", body)
	}
	leads(t, ana.open(t, "/conta/chaves"), "/conta#chaves") // somebody goes to the address of the form
	body = shows(t, ana.open(t, "/conta"), 200, []string{"planilha"}, []string{"Chave criada"})
	if strings.Count(body, "/revogar\"") != 1 {
		t.Error("there is not one key")
	}
}

// The account page works on a read-only database.
func TestAccountOfAReadOnlyDatabase(t *testing.T) {
	t.Parallel()
	l := peopled(t)
	h, s := newHandler(t, l)
	ana := newPerson(h, signedIn(t, s, "ana@exemplo.com"))
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
		shows(t, ana.open(t, "/conta"), 200, []string{"ana@exemplo.com", "Ainda não há chaves"}, nil)
	}
	if w := ana.post(t, "/conta/chaves", "nome", "x"); w.Code != http.StatusServiceUnavailable {
		t.Errorf("a new key: status %d, want 503", w.Code)
	}
}
