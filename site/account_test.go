package site

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"razao/internal/account"
	"razao/internal/fixture"
	"razao/site/page/pagetest"
)

const sessionCookie = "__Host-razao"

// signedIn returns the Cookie header of a browser in which the owner of an address is signed in.
func signedIn(t *testing.T, s *Site, email string) string {
	t.Helper()
	id, err := s.Accounts.ByEmail(t.Context(), email)
	if err != nil {
		t.Fatal(err)
	}
	token, _, err := s.Accounts.StartSession(t.Context(), id, "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", "")
	if err != nil {
		t.Fatal(err)
	}
	return sessionCookie + "=" + token
}

// person is somebody at a browser, which keeps cookies.
type person struct {
	http.Handler
	cookies map[string]string
}

func newPerson(h http.Handler, cookie string) *person {
	p := &person{h, map[string]string{}}
	if name, value, ok := strings.Cut(cookie, "="); ok {
		p.cookies[name] = value
	}
	return p
}

func (p *person) open(t *testing.T, target string) *httptest.ResponseRecorder {
	t.Helper()
	return p.send(httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil))
}

// post sends a form as a page of the site does.
func (p *person) post(t *testing.T, target string, fields ...string) *httptest.ResponseRecorder {
	t.Helper()
	return p.send(form(t, target, "same-origin", fields...))
}

func form(t *testing.T, target, from string, fields ...string) *http.Request {
	t.Helper()
	values := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		values.Set(fields[i], fields[i+1])
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, target, strings.NewReader(values.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", from)
	return r
}

func (p *person) send(r *http.Request) *httptest.ResponseRecorder {
	for name, value := range p.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	r.Header.Set("Accept", browser)
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if p.cookies[c.Name] = c.Value; c.MaxAge < 0 {
			delete(p.cookies, c.Name)
		}
	}
	return w
}

// leads fails unless an answer leads somewhere by GET.
func leads(t *testing.T, w *httptest.ResponseRecorder, where string) {
	t.Helper()
	if got := w.Header().Get("Location"); w.Code != http.StatusSeeOther || got != where || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("got %d to %q (%s), want 303 to %q", w.Code, got, w.Header().Get("Cache-Control"), where)
	}
}

// shows fails unless an answer is a page that is for one person alone and has and lacks some texts.
func shows(t *testing.T, w *httptest.ResponseRecorder, status int, has, lacks []string) string {
	t.Helper()
	body := w.Body.String()
	if w.Code != status || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("status %d, %q, want %d: %s", w.Code, w.Header().Get("Cache-Control"), status, body)
	}
	pagetest.Texts(t, body, has, lacks)
	pagetest.Form(t, body)
	return body
}

// letter sends the waiting mails and returns the text of the only one in a folder.
func letter(t *testing.T, l *fixture.Loaded, dir string) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go outbox(t, l.Pool, dir).Run(ctx)
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for waiting := 1; waiting > 0; <-poll.C {
		if err := l.Pool.QueryRow(ctx, `SELECT count(*) FROM mail_outbox`).Scan(&waiting); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.eml"))
	if err != nil || len(files) != 1 {
		t.Fatalf("mails %v, %v, want one", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

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
	shows(t, ana.open(t, "/login?next=%2Fconta"), 200, []string{`name="next" value="/conta"`, `action="/auth/magic-link"`, `href="/login">Entrar`}, []string{"Por um provedor"})
	leads(t, ana.post(t, "/auth/magic-link", "email", "ana@exemplo.com", "next", "/conta"), "/login?aviso=enviado&next=%2Fconta")
	shows(t, ana.open(t, "/login?aviso=enviado"), 200, []string{"a mensagem com o link chega em instantes"}, nil)

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
		shows(t, ana.open(t, link[1]), 200, []string{"ana@exemplo.com", `value="` + token + `"`, `name="next" value="/conta"`}, nil)
	}
	leads(t, ana.post(t, "/auth/callback", "token", token, "next", "/conta"), "/conta")
	leads(t, newPerson(ana.Handler, "").post(t, "/auth/callback", "token", token), "/login?error=link")
	leads(t, newPerson(ana.Handler, "").open(t, link[1]), "/login?error=link&next=%2Fconta")
	shows(t, ana.open(t, "/conta"), 200, []string{"ana@exemplo.com", "Ainda não há chaves", `href="/conta">Conta`, "no máximo 5 chaves"}, []string{"Entrar</a>"})
	leads(t, ana.open(t, "/login"), "/conta")
	leads(t, ana.open(t, "/login?next=%2Fempresas"), "/empresas")

	body := shows(t, ana.post(t, "/conta/chaves", "nome", " planilha <b> "), 200, []string{"planilha &lt;b&gt;", "não será mostrada de novo", "data-copy"}, nil)
	plain := plainKey.FindStringSubmatch(body)
	if plain == nil {
		t.Fatalf("no key in %s", body)
	}
	meter := account.OpenMeter(l.Pool, slog.New(slog.DiscardHandler))
	admitted, err := meter.Admit(t.Context(), plain[1])
	if err != nil {
		t.Fatal(err)
	}
	meter.Record(account.Call{
		Account: admitted.Account, Key: admitted.Key, At: admitted.At, Version: "v2", Endpoint: "/v2/empresas/:documento/basic", Status: 404,
	})
	body = shows(t, ana.open(t, "/conta"), 200, []string{"planilha"}, []string{plain[1]})
	leads(t, ana.post(t, revocation.FindStringSubmatch(body)[1]), "/conta")
	shows(t, ana.open(t, "/conta"), 200, []string{"Chave revogada: novas", "Revogada em"}, nil)
	shows(t, ana.open(t, "/conta"), 200, nil, []string{"Chave revogada: novas", "/revogar"})
	if _, err := meter.Admit(t.Context(), plain[1]); !errors.Is(err, account.ErrInvalidKey) {
		t.Errorf("the revoked key: %v", err)
	}
	meter.Close()
	shows(t, ana.open(t, "/conta"), 200, []string{"<code>/v2/empresas/{documento}/basic</code>", "<td>v2</td>", `<td class="num">404</td>`, "1</b> <span>chamada admitida"}, nil)

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
	for _, name := range []string{"", "  ", "uma\nduas", strings.Repeat("x", 81)} {
		shows(t, ana.post(t, "/conta/chaves", "nome", name), 422, []string{"de 1 a 80 caracteres"}, []string{"Chave criada"})
	}
	for i := range account.MaxActiveKeys {
		shows(t, ana.post(t, "/conta/chaves", "nome", "chave "+strconv.Itoa(i)), 200, []string{"Chave criada"}, nil)
	}
	shows(t, ana.open(t, "/conta"), 200, []string{"revogue uma das ativas", "há 5"}, []string{`action="/conta/chaves"`})
	body := shows(t, ana.post(t, "/conta/chaves", "nome", "sexta"), 422, []string{"já tem cinco chaves ativas", `value="sexta"`}, []string{"Chave criada"})
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
	meter := account.OpenMeter(l.Pool, slog.New(slog.DiscardHandler))
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
	body := shows(t, ana.open(t, "/conta"), 200, []string{"51</b> <span>chamadas admitidas", "1.234</b> <span>chamadas bloqueadas", `rel="next"`, `<td class="num">1.234</td>`}, nil)
	if rects, rows := strings.Count(body, "<rect "), strings.Count(body, `<td class="num">0</td><td class="num">0</td>`); rects != account.HistoryDays || rows != account.HistoryDays-1 {
		t.Errorf("the chart has %d columns, its table %d empty days", rects, rows)
	}
	next := between(body, `<a href="/conta?antes=`, `#uso" rel="next"`)
	shows(t, ana.open(t, "/conta?antes="+next), 200, []string{"Chamadas anteriores", `<td class="num">200</td>`, `href="/conta#uso"`}, []string{`<td class="num">201</td>`, `rel="next"`})
	shows(t, ana.open(t, "/conta?chave="+strconv.FormatInt(int64(idle.ID), 10)), 200, []string{"0</b> <span>chamadas admitidas", "Nenhuma chamada"}, []string{`<svg class="columns"`})
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
	body := shows(t, all[0].open(t, "/conta"), 200, []string{"Firefox em Linux", "este</span>", "Encerrar todas as outras"}, nil)
	for _, found := range ending.FindAllStringSubmatch(body, -1) {
		if w := bia.post(t, found[1]); w.Code != http.StatusNotFound {
			t.Errorf("a session of somebody else: status %d", w.Code)
		}
	}
	own := ending.FindStringSubmatch(shows(t, bia.open(t, "/conta"), 200, nil, []string{"Encerrar todas as outras"}))[1]
	leads(t, bia.post(t, own), "/login?aviso=saiu")
	_, other, _ := strings.Cut(body, "Encerrar<")
	leads(t, all[0].post(t, ending.FindStringSubmatch(other)[1]), "/conta")
	if body := shows(t, all[0].open(t, "/conta"), 200, []string{"Sessão encerrada"}, nil); len(ending.FindAllString(body, -1)) != 3 {
		t.Error("not three sessions are left")
	}
	leads(t, all[0].post(t, "/conta/sessoes/encerrar-outras"), "/conta")
	shows(t, all[0].open(t, "/conta"), 200, []string{"Todas as outras"}, []string{"Encerrar todas as outras"})
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
	for _, email := range []string{"", "bia@exemplo.com"} {
		shows(t, ana.post(t, "/conta/excluir", "email", email), 422, []string{"Nada foi excluído"}, nil)
	}
	leads(t, ana.post(t, "/conta/excluir", "email", " Ana@Exemplo.com"), "/login?aviso=excluida")
	shows(t, ana.open(t, "/login?aviso=excluida"), 200, []string{"A conta foi excluída"}, nil)
	for _, p := range []*person{ana, phone} {
		leads(t, p.open(t, "/conta"), "/login?next=%2Fconta")
	}
	meter := account.OpenMeter(l.Pool, slog.New(slog.DiscardHandler))
	defer meter.Close()
	if _, err := meter.Admit(t.Context(), plain); !errors.Is(err, account.ErrInvalidKey) {
		t.Errorf("a key of the deleted account: %v", err)
	}
	var left int
	if err := l.Pool.QueryRow(t.Context(), `SELECT count(*) FROM account`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d accounts are left, %v", left, err)
	}
}

// Trouble with the database never looks as if somebody had been signed out.
func TestAccountWithoutDatabase(t *testing.T) {
	t.Parallel()
	l := peopled(t)
	h, s := newHandler(t, l)
	cookie := signedIn(t, s, "ana@exemplo.com")
	l.Pool.Close()
	p := newPerson(h, cookie)
	for target, attempt := range map[string]string{
		"/conta": "abrir a sua conta", "/empresas.csv": "preparar o arquivo", "/login": "saber quem está neste navegador",
		"/auth/callback?token=" + strings.Repeat("A", 26): "conferir a sua entrada",
	} {
		shows(t, p.open(t, target), 503, []string{"tentou " + attempt, "recarregue a página", `href="/health"`}, []string{`href="/conta">Conta`, `href="/login"`})
	}
	for target, attempt := range map[string]string{
		"/conta/sair": "encerrar a sua sessão", "/conta/chaves": "criar a chave", "/conta/chaves/1/revogar": "revogar a chave",
		"/conta/excluir": "excluir a conta", "/conta/sessoes/encerrar-outras": "encerrar as outras sessões",
		"/auth/magic-link": "enviar o link de acesso",
	} {
		shows(t, p.post(t, target, "nome", "x", "email", "ana@exemplo.com"), 503, []string{"tentou " + attempt, "confira antes de repetir"}, nil)
	}
	if p.cookies[sessionCookie] == "" {
		t.Error("the browser lost its session")
	}
	if w := p.open(t, "/estados"); w.Code != http.StatusOK || strings.Contains(w.Body.String(), `href="/conta">Conta`) {
		t.Errorf("a page that needs no account: status %d", w.Code)
	}
}
