package site_test

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"golang.org/x/net/html"

	"razao/index/filter"
	"razao/internal/people/follow"
	mails "razao/internal/people/mail"
	"razao/internal/people/seal"
	"razao/internal/people/webhook"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
	"razao/internal/testing/fixture/sourcefiles"
	"razao/internal/testing/mailtest"
	"razao/site"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// followers is a site with what tells its followers: by mail to a server on loopback, and by webhook.
type followers struct {
	*sitetest.Site
	mail   *mailtest.Server
	outbox *mails.Outbox
	teller *follow.Teller
	hooks  *webhook.Store
}

// newFollowers serves the first month.
func newFollowers(t *testing.T) *followers {
	t.Helper()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-08"))
	f := &followers{mail: &mailtest.Server{}, hooks: webhook.NewStore(l.Pool, seal.New(sitetest.Secret), true)}
	f.Site = sitetest.New(t, l, func(s *sitetest.Setup) { s.Webhooks = f.hooks })
	log := slog.New(slog.DiscardHandler)
	var err error
	if f.outbox, err = mails.Open(l.Pool, mails.Config{URL: f.mail.Start(t), From: "Razão <nao-responda@razao.exemplo>", Log: log}); err != nil {
		t.Fatal(err)
	}
	words, err := site.NewTelling(sitetest.URL, l.Live)
	if err != nil {
		t.Fatal(err)
	}
	f.teller = follow.NewTeller(follow.Config{
		Store: follow.NewStore(l.Pool, seal.New(sitetest.Secret)), Live: l.Live, Log: log, URL: sitetest.URL, Digest: words.Digest, Search: words.Search,
	})
	f.outbox.Write = f.teller.Mail
	return f
}

// publish publishes the next month and tells of it.
func (f *followers) publish(t *testing.T, month string, edits ...string) {
	t.Helper()
	f.Stores.Publish(t, fixture.Published(t, month, edits...))
	f.tell(t)
}

// tell tells of the snapshot in service, twice: what was told is not told again.
func (f *followers) tell(t *testing.T) {
	t.Helper()
	for range 2 {
		if err := f.teller.Tell(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// send runs an outbox until a mail to an address has arrived.
func (f *followers) send(t *testing.T, to string) mailtest.Mail {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { f.outbox.Run(ctx) })
	defer running.Wait()
	defer cancel()
	select {
	case m := <-f.mail.Box(to):
		return m
	case <-time.After(time.Minute):
		t.Fatalf("no mail to %s", to)
		return mailtest.Mail{}
	}
}

// count returns a number from the database.
func (f *followers) count(t *testing.T, query string, args ...any) (n int) {
	t.Helper()
	if err := f.Stores.Pool.QueryRow(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// renamed are edits that change the name and capital of the bakery.
var renamed = []string{
	`"PADARIA ESTRELA DO SUL LTDA";"2062";"49";"480000,00";"03"`, `"PADARIA ESTRELA DO NORTE LTDA";"2062";"49";"500000,00";"03"`,
}

// parts returns the alternatives of a mail by media type.
func parts(t *testing.T, raw string) (header mail.Header, texts map[string]string) {
	t.Helper()
	m, err := mail.ReadMessage(strings.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	media, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || media != "multipart/alternative" {
		t.Fatalf("a mail of type %s, %v", media, err)
	}
	texts = map[string]string{}
	for r := multipart.NewReader(m.Body, params["boundary"]); ; {
		part, err := r.NextRawPart()
		if err == io.EOF {
			return m.Header, texts
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			t.Fatal(err)
		}
		media, _, _ := mime.ParseMediaType(part.Header.Get("Content-Type"))
		texts[media] = strings.ReplaceAll(string(body), "\r\n", "\n")
	}
}

func TestFollowedCompanyIsTold(t *testing.T) {
	t.Parallel()
	f := newFollowers(t)
	ana, bia := f.SignedIn(t, "ana@exemplo.com"), f.SignedIn(t, "bia@exemplo.com")
	told(t, "following-nothing", ana.Open(t, "/conta/seguindo"), 200)
	sitetest.Leads(t, f.Visitor().Open(t, "/conta/seguir?tipo=empresa&valor="+fixture.Bakery), "/login?next=%2Fconta%2Fseguir%3Ftipo%3Dempresa%26valor%3D"+fixture.Bakery)
	told(t, "follow-company", ana.Open(t, "/conta/seguir?tipo=empresa&valor="+fixture.Bakery), 200)
	sitetest.Leads(t, ana.Post(t, "/conta/seguir", "tipo", "empresa", "valor", "12.345.678/0001-95"), "/conta/seguindo")
	sitetest.Leads(t, bia.Post(t, "/conta/seguir", "tipo", "empresa", "valor", "98765432"), "/conta/seguindo")
	told(t, "following-refused", ana.Post(t, "/conta/seguir", "tipo", "empresa", "valor", "12.345.678/0001-96"), 422)
	sitetest.Leads(t, ana.Post(t, "/conta/seguindo/atom"), "/conta/seguindo")
	f.tell(t)
	if n := f.count(t, `SELECT count(*) FROM mail_outbox`); n > 0 {
		t.Fatalf("%d mails before anything changed", n)
	}

	f.publish(t, "2026-09", renamed...)
	if n := f.count(t, `SELECT count(*) FROM mail_outbox`); n != 1 {
		t.Fatalf("%d digests for one account whose company changed", n)
	}
	header, texts := parts(t, f.send(t, "ana@exemplo.com").Raw)
	subject, err := new(mime.WordDecoder).DecodeHeader(header.Get("Subject"))
	if err != nil || subject != "Mudou: Padaria Estrela do Norte Ltda." {
		t.Errorf("subject %q, %v", subject, err)
	}
	for media, text := range texts {
		pagetest.Texts(t, html.UnescapeString(text), []string{
			"Padaria Estrela do Norte Ltda.", "Nome empresarial", "Padaria Estrela do Sul Ltda. → Padaria Estrela do Norte Ltda.",
			"R$ 480.000,00 → R$ 500.000,00", "Cadastro do CNPJ, 09/2026", sitetest.URL + "/12345678", "/avisos/cancelar?token=",
		}, []string{"\u00a0", "98765432"})
		if media == "text/html" {
			if _, err := html.Parse(strings.NewReader(text)); err != nil {
				t.Error(err)
			}
		}
	}
	if len(texts) != 2 {
		t.Errorf("the mail has %d alternatives", len(texts))
	}
	told(t, "following-told", ana.Open(t, "/conta/seguindo"), 200)
	sitetest.Shows(t, bia.Open(t, "/conta/seguindo"), 200, []string{"Nada ainda"}, []string{"Estrela"})

	address := regexp.MustCompile(`<code>https://razao\.exemplo(/conta/mudancas/[^<]+\.atom)</code>`).FindStringSubmatch(ana.Open(t, "/conta/seguindo").Body.String())[1]
	w := f.Visitor().Open(t, address)
	if w.Code != http.StatusOK {
		t.Fatalf("the feed: %d", w.Code)
	}
	body := w.Body.String()
	var feed struct {
		ID      string   `xml:"http://www.w3.org/2005/Atom id"`
		Updated string   `xml:"updated"`
		Titles  []string `xml:"entry>title"`
		Content []string `xml:"entry>content"`
	}
	if err := xml.Unmarshal([]byte(body), &feed); err != nil || len(feed.Titles) != 1 || !strings.HasSuffix(feed.ID, address) {
		t.Fatalf("%v in %s", err, body)
	}
	pagetest.Texts(t, feed.Titles[0]+feed.Content[0], []string{"Padaria Estrela do Norte Ltda.: Nome empresarial; Capital social", "500.000,00"}, nil)
	sitetest.Leads(t, ana.Post(t, "/conta/seguindo/atom/revogar"), "/conta/seguindo")
	for _, gone := range []string{address, strings.Replace(address, "/conta/mudancas/", "/conta/mudancas/A", 1), "/conta/mudancas/x.atom"} {
		if w := f.Visitor().Open(t, gone); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", gone, w.Code)
		}
	}

	link := strings.Trim(header.Get("List-Unsubscribe"), "<>")
	path := strings.TrimPrefix(link, sitetest.URL)
	if header.Get("List-Unsubscribe-Post") != "List-Unsubscribe=One-Click" || path == link {
		t.Fatalf("headers %v", header)
	}
	told(t, "unsubscribe", f.Visitor().Open(t, path), 200)
	if n := f.count(t, `SELECT count(*) FROM follower WHERE NOT mails`); n != 0 {
		t.Error("opening the link unsubscribes, as a mail scanner does")
	}
	if w := oneClick(t, f.Site, path+"x"); w.Code != http.StatusNotFound {
		t.Errorf("a forged token: %d", w.Code)
	}
	told(t, "unsubscribed", oneClick(t, f.Site, path), 200)
	f.publish(t, "2026-10")
	if n := f.count(t, `SELECT count(*) FROM mail_outbox`); n != 0 {
		t.Errorf("%d digests after unsubscribing", n)
	}
	sitetest.Shows(t, ana.Open(t, "/conta/seguindo"), 200, []string{"10/2026", "Por e-mail, não", "Ligar"}, nil)

	sitetest.Leads(t, ana.Post(t, "/conta/deixar-de-seguir", "tipo", "empresa", "valor", "12345678"), "/conta/carteira")
	sitetest.Leads(t, ana.Post(t, "/conta/seguindo/avisos", "avisos", "sim"), "/conta/seguindo")
	f.publish(t, "2026-11", renamed...)
	if n := f.count(t, `SELECT count(*) FROM mail_outbox`); n != 0 {
		t.Errorf("%d digests about nothing that is followed", n)
	}
	sitetest.Leads(t, ana.Post(t, "/conta/excluir", "email", "ana@exemplo.com"), "/login?aviso=excluida")
	if n := f.count(t, `SELECT count(*) FROM follow_told JOIN follower USING (account_id) JOIN account a ON a.id = account_id WHERE a.email LIKE 'ana%'`) + f.count(t, `SELECT count(*) FROM follow_told`); n != 0 {
		t.Errorf("%d rows are left of a deleted account", n)
	}
}

// oneClick unsubscribes as a mail program does: without cookies, Origin and Referer, as a form of several parts.
func oneClick(t *testing.T, s *sitetest.Site, path string) *httptest.ResponseRecorder {
	t.Helper()
	var body strings.Builder
	form := multipart.NewWriter(&body)
	if err := form.WriteField("List-Unsubscribe", "One-Click"); err != nil {
		t.Fatal(err)
	}
	_ = form.Close()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body.String()))
	r.Header.Set("Content-Type", form.FormDataContentType())
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// receiver is a webhook's server, which verifies messages with the receiver of Standard Webhooks.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	verify *standardwebhooks.Webhook
	fail   int               // so many requests are answered 500
	status int               // of the others; 0: 204
	got    map[string]string // bodies by id
	asked  int
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{got: map[string]string{}}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, err := io.ReadAll(q.Body)
		r.mu.Lock()
		defer r.mu.Unlock()
		if err == nil {
			err = r.verify.Verify(body, q.Header)
		}
		if err != nil {
			t.Error(err)
		}
		if r.asked++; r.asked <= r.fail {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		r.got[q.Header.Get("webhook-id")] = string(body)
		w.WriteHeader(max(r.status, http.StatusNoContent))
	}))
	t.Cleanup(r.Close)
	return r
}

func anywhere(netip.Addr) bool { return true }

func TestWebhookIsTold(t *testing.T) {
	t.Parallel()
	f := newFollowers(t)
	ana := f.SignedIn(t, "ana@exemplo.com")
	sitetest.Leads(t, ana.Post(t, "/conta/seguir", "tipo", "empresa", "valor", fixture.Bakery), "/conta/seguindo")
	r := newReceiver(t)
	told(t, "webhook-refused", ana.Post(t, "/conta/webhooks", "url", "ftp://exemplo.com"), 422)
	sitetest.Leads(t, ana.Post(t, "/conta/webhooks", "url", r.URL+"/razao"), "/conta/webhooks")
	body := sitetest.Shows(t, ana.Open(t, "/conta/webhooks"), 200, []string{"Webhook criado"}, nil)
	secret := regexp.MustCompile(`<code>(whsec_[^<]+)</code>`).FindStringSubmatch(body)[1]
	sitetest.Shows(t, ana.Open(t, "/conta/webhooks"), 200, nil, []string{"whsec_"})
	var err error
	if r.verify, err = standardwebhooks.NewWebhook(html.UnescapeString(secret)); err != nil {
		t.Fatal(err)
	}
	sender := webhook.NewSender(f.hooks, f.teller.Event, anywhere, slog.New(slog.DiscardHandler))
	send := func() {
		t.Helper()
		if err := sender.SendDue(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	due := func() {
		t.Helper()
		if _, err := f.Stores.Pool.Exec(t.Context(), `UPDATE webhook SET retry_at = now()`); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Stores.Pool.Exec(t.Context(), `UPDATE webhook_delivery SET next_try_at = now() WHERE next_try_at IS NOT NULL`); err != nil {
			t.Fatal(err)
		}
	}
	f.publish(t, "2026-09", renamed...)
	r.fail = 2
	for range 5 { // two failures, the delivery, and nothing more
		send()
		send() // not due yet
		due()
	}
	if r.asked != 3 || len(r.got) != 1 {
		t.Fatalf("%d requests brought %d messages", r.asked, len(r.got))
	}
	for _, body := range r.got {
		pagetest.Texts(t, body, []string{
			`{"type":"empresa.mudou","timestamp":"`, `"cnpj_basico":"12345678"`, `"competencia":"2026-09"`, `"comparada_com":"2026-08"`,
			`"evento":"empresa.capital"`, `"antes":{"capital_social":480000.00},"depois":{"capital_social":500000.00}`,
		}, nil)
	}
	body = sitetest.Shows(t, ana.Open(t, "/conta/webhooks"), 200, []string{"entregue (204)"}, nil)
	event := regexp.MustCompile(`name="evento" value="([^"]+)"`).FindStringSubmatch(body)[1]
	sitetest.Leads(t, ana.Post(t, "/conta/webhooks/reenviar", "evento", event), "/conta/webhooks")
	send()
	if r.asked != 4 || len(r.got) != 1 {
		t.Errorf("sent again: %d requests brought %d messages", r.asked, len(r.got))
	}
	id := regexp.MustCompile(`name="webhook" value="(\d+)"`).FindStringSubmatch(body)[1]
	bia := f.SignedIn(t, "bia@exemplo.com")
	for _, form := range [][]string{
		{"/conta/webhooks/testar", "webhook", id},
		{"/conta/webhooks/excluir", "webhook", id},
		{"/conta/webhooks/ligar", "webhook", id},
		{"/conta/webhooks/reenviar", "evento", event},
		{"/conta/webhooks/reenviar", "evento", "x"},
	} {
		if w := bia.Post(t, form[0], form[1:]...); w.Code != http.StatusNotFound {
			t.Errorf("%v of somebody else: %d", form, w.Code)
		}
	}
	r.status = http.StatusGone
	sitetest.Leads(t, ana.Post(t, "/conta/webhooks/testar", "webhook", id), "/conta/webhooks")
	send()
	sitetest.Shows(t, ana.Open(t, "/conta/webhooks"), 200, []string{"Desligado: o servidor respondeu 410", "desistimos (410)"}, []string{"testar"})
	sitetest.Leads(t, ana.Post(t, "/conta/webhooks/ligar", "webhook", id), "/conta/webhooks")
	sitetest.Leads(t, ana.Post(t, "/conta/webhooks/excluir", "webhook", id), "/conta/webhooks")
	sitetest.Shows(t, ana.Open(t, "/conta/webhooks"), 200, []string{"Nenhum webhook", "O registro de um webhook é apagado com ele."}, []string{"Nada foi enviado"})
}

// TestPortfolioKnowsWhatItDoesNotKnow: where one of the two sources of sanctions has no load, that is said, and a file has no number.
func TestPortfolioKnowsWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	for _, only := range []string{"ceis", "cnep"} {
		l := fixture.Load(t)
		l.Records(t, only)
		h := sitetest.New(t, l)
		ana := h.SignedIn(t, "ana@exemplo.com")
		sitetest.Leads(t, ana.Post(t, "/conta/carteira", "cnpjs", "98765432"), "/conta/carteira")
		body := ana.Open(t, "/conta/carteira").Body.String()
		if n := strings.Count(body, "sem carga") + strings.Count(body, "ao menos"); n != 2 { // debts and sanctions
			t.Errorf("with %s alone the portfolio says so %d times: %s", only, n, body)
		}
		rows := strings.Split(strings.TrimSpace(ana.Open(t, "/conta/carteira.csv").Body.String()), "\r\n")
		if cells := strings.Split(rows[1], ","); len(cells) < 6 || cells[len(cells)-2] != "" {
			t.Errorf("with %s alone the file says %q", only, rows)
		}
	}
}

// TestPortfolioBeyondWhatIsAddedUp: more records than are added up are not a source that fails.
func TestPortfolioBeyondWhatIsAddedUp(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	debts := make([]sourcefiles.Debt, snapshot.MostAdded+1)
	for i := range debts {
		debts[i] = sourcefiles.Debt{CNPJ: fixture.Full(t, fixture.Holding).String(), Cents: 1}
	}
	l.Source(t, "pgfn", sourcefiles.Debts(t, debts), "")
	h := sitetest.New(t, l)
	ana := h.SignedIn(t, "ana@exemplo.com")
	sitetest.Leads(t, ana.Post(t, "/conta/carteira", "cnpjs", fixture.Holding), "/conta/carteira")
	sitetest.Shows(t, ana.Open(t, "/conta/carteira"), 200, []string{"mais de 20.000 registros, sem soma"}, []string{"não foi possível consultar"})
	rows := strings.Split(ana.Open(t, "/conta/carteira.csv").Body.String(), "\r\n")
	if cells := strings.Split(rows[1], ","); len(cells) < 5 || cells[4] != "" {
		t.Errorf("the file says %q", rows[1])
	}
}

func TestPortfolio(t *testing.T) {
	t.Parallel()
	h := sitetest.New(t, fixture.LoadRecords(t))
	ana := h.SignedIn(t, "ana@exemplo.com")
	told(t, "portfolio-empty", ana.Open(t, "/conta/carteira"), 200)
	sitetest.Leads(t, h.Visitor().Open(t, "/conta/carteira"), "/login?next=%2Fconta%2Fcarteira")
	sitetest.Leads(t, h.Visitor().Open(t, "/conta/carteira.csv"), "/login?next=%2Fconta%2Fcarteira.csv")
	list := "CNPJ;nome\r\n12.345.678/0001-95;Padaria\r\n\r\nOutra;98765432\r\n12345678000195\r\n12.345.678/0001-96;dígitos\r\n<b>\r\n12ABC34501DE35\r\n11444777000161"
	told(t, "portfolio-wrong-lines", ana.Post(t, "/conta/carteira", "cnpjs", list), 422)
	sitetest.Leads(t, ana.Post(t, "/conta/carteira", "cnpjs", "12345678"), "/conta/carteira")
	told(t, "portfolio", ana.Open(t, "/conta/carteira"), 200)
	w := ana.Open(t, "/conta/carteira.csv")
	rows := strings.Split(strings.TrimSpace(w.Body.String()), "\r\n")
	if w.Code != 200 || len(rows) != 5 || !strings.HasPrefix(rows[0], "cnpj_raiz,nome,situacao,") {
		t.Errorf("%d %q", w.Code, rows)
	}
	var many strings.Builder
	for i := range follow.Most[follow.Company] {
		fmt.Fprintf(&many, "%08d\r\n", 20_000_000+i)
	}
	told(t, "portfolio-too-many", ana.Post(t, "/conta/carteira", "cnpjs", many.String()), 422)
	if w := ana.Post(t, "/conta/carteira", "cnpjs", strings.Repeat("1", 200<<10)); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a list that is too large: %d", w.Code)
	}
	sitetest.Leads(t, ana.Post(t, "/conta/carteira", "cnpjs", strings.TrimPrefix(many.String(), "20000000\r\n20000001\r\n20000002\r\n20000003\r\n")), "/conta/carteira")
	sitetest.Shows(t, ana.Open(t, "/conta/carteira"), 200, []string{"1.000 empresas", "pagina=2"}, nil)
}

func TestFollowedPartnersAndSearches(t *testing.T) {
	t.Parallel()
	f := newFollowers(t)
	ana, bia, eva, leo := f.SignedIn(t, "ana@exemplo.com"), f.SignedIn(t, "bia@exemplo.com"), f.SignedIn(t, "eva@exemplo.com"), f.SignedIn(t, "leo@exemplo.com")
	const partner = "456789/marta-figueira-inventada"
	for _, c := range []struct {
		who        *sitetest.Browser
		page, kind string
	}{
		{ana, "/socio/" + partner, "socio"},
		{bia, "/busca?uf=sp&situacao=ativa", "busca"},
		{eva, "/busca?uf=AC", "busca"},
		{eva, "/busca?q=nordeste+ficticia", "busca"},
		{leo, "/busca?q=padaria+estrela&uf=sp", "busca"},
	} {
		link := regexp.MustCompile(`href="(/conta/seguir\?tipo=` + c.kind + `[^"]+)"`).FindStringSubmatch(c.who.Open(t, c.page).Body.String())
		if link == nil {
			t.Fatalf("%s has no link to follow it", c.page)
		}
		body := sitetest.Shows(t, c.who.Open(t, html.UnescapeString(link[1])), 200, nil, nil)
		sitetest.Leads(t, c.who.Post(t, "/conta/seguir", pagetest.Fields(t, body, "/conta/seguir")...), "/conta/seguindo")
	}
	told(t, "following-partner", ana.Open(t, "/conta/seguindo"), 200)
	told(t, "following-search", bia.Open(t, "/conta/seguindo"), 200)
	sitetest.Shows(t, leo.Open(t, "/conta/seguindo"), 200, []string{"“padaria estrela”; ", `href="/busca?q=padaria+estrela&amp;uf=SP"`}, nil)
	for _, refused := range [][2]string{{"socio", "000000/x"}, {"socio", "456789/"}, {"busca", ""}, {"busca", "uf=XX"}, {"busca", "%zz"}, {"outro", "x"}} {
		if w := ana.Post(t, "/conta/seguir", "tipo", refused[0], "valor", refused[1]); w.Code != http.StatusUnprocessableEntity {
			t.Errorf("%q: %d", refused, w.Code)
		}
	}
	f.publish(t, "2026-09", `"12345678";"2";"MARTA FIGUEIRA INVENTADA";"***456789**";"49"`, `"12345678";"2";"MARTA FIGUEIRA INVENTADA";"***456789**";"10"`)
	for _, to := range []string{"ana@exemplo.com", "bia@exemplo.com", "leo@exemplo.com"} {
		_, texts := parts(t, f.send(t, to).Raw)
		pagetest.Texts(t, html.UnescapeString(texts["text/plain"]), []string{"Padaria Estrela do Sul Ltda.", "Dados de sócio: Marta Figueira Inventada"}, nil)
	}
	if n := f.count(t, `SELECT count(*) FROM follow_told JOIN account a ON a.id = account_id WHERE a.email LIKE 'eva%'`); n != 0 {
		t.Errorf("%d companies of another state", n)
	}
}

// TestTellingStoppedMidway stops telling at every statement, as a killed server would, and goes on: each
// follower is told once.
func TestTellingStoppedMidway(t *testing.T) {
	t.Parallel()
	f := newFollowers(t)
	const followers = 120 // more than two transactions
	sitetest.Leads(t, f.SignedIn(t, "ana@exemplo.com").Post(t, "/conta/seguir", "tipo", "empresa", "valor", fixture.Bakery), "/conta/seguindo")
	for _, query := range []string{
		`INSERT INTO account (email) SELECT 'a' || n || '@exemplo.com' FROM generate_series(2, $1) n`,
		`INSERT INTO follower (account_id) SELECT id FROM account WHERE id > 1 AND id <= $1`,
		`INSERT INTO follow (account_id, kind, value) SELECT id, 'empresa', '12345678' FROM account WHERE id > 1 AND id <= $1`,
		`INSERT INTO follow_mark SELECT id, (SELECT seq FROM follow_mark) FROM account WHERE id > 1 AND id <= $1`,
		`INSERT INTO webhook (account_id, form, seal, url) SELECT id, 'x', 'x', 'https://exemplo.com/' FROM account WHERE id <= $1`,
	} {
		if _, err := f.Stores.Pool.Exec(t.Context(), query, followers); err != nil {
			t.Fatal(err)
		}
	}
	f.Stores.Publish(t, fixture.Published(t, "2026-09", renamed...))
	for stop := 0; f.count(t, `SELECT count(*) FROM follow_mark WHERE seq < (SELECT max(seq) + 1 FROM history_journal)`) > 0; stop++ {
		// A statement of the transaction fails; which one, a trigger that counts decides.
		table := []string{"follow_told", "webhook_delivery", "mail_outbox", "follow_mark"}[stop%4]
		on := f.breakAt(t, table, 1+stop)
		err := f.teller.Tell(t.Context())
		on()
		if err == nil {
			t.Errorf("telling that ends at %s has no error", table)
		}
		if stop >= 8 {
			f.tell(t)
		}
	}
	for _, query := range []string{
		`SELECT count(*) FROM follow_told`, `SELECT count(DISTINCT account_id) FROM follow_told`,
		`SELECT count(*) FROM mail_outbox`, `SELECT count(DISTINCT recipient) FROM mail_outbox`,
		`SELECT count(*) FROM webhook_delivery`, `SELECT count(DISTINCT webhook_id) FROM webhook_delivery`,
	} {
		if n := f.count(t, query); n != followers {
			t.Errorf("%s: %d, want %d", query, n, followers)
		}
	}
}

// breakAt makes the nth write to a table fail, until the returned function is called.
func (f *followers) breakAt(t *testing.T, table string, n int) (mend func()) {
	t.Helper()
	do := func(query string) {
		t.Helper()
		if _, err := f.Stores.Pool.Exec(t.Context(), query); err != nil {
			t.Fatal(err)
		}
	}
	do(`CREATE SEQUENCE writes`)
	do(fmt.Sprintf(`CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF nextval('writes') >= %d THEN RAISE EXCEPTION 'killed'; END IF;
		RETURN NEW; END $$`, n))
	do(`CREATE TRIGGER stop BEFORE INSERT OR UPDATE ON ` + table + ` FOR EACH ROW EXECUTE FUNCTION stop()`)
	return func() {
		do(`DROP FUNCTION stop() CASCADE`)
		do(`DROP SEQUENCE writes`)
	}
}

// TestServersTellOnce lets several servers tell of a load at once.
func TestServersTellOnce(t *testing.T) {
	t.Parallel()
	f := newFollowers(t)
	for _, who := range []string{"ana", "bia", "eva", "leo", "rui"} {
		b := f.SignedIn(t, who+"@exemplo.com")
		sitetest.Leads(t, b.Post(t, "/conta/seguir", "tipo", "empresa", "valor", fixture.Bakery), "/conta/seguindo")
	}
	f.Stores.Publish(t, fixture.Published(t, "2026-09", renamed...))
	var servers sync.WaitGroup
	for range 4 {
		servers.Go(func() {
			if err := follow.NewTeller(f.teller.Config).Tell(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	servers.Wait()
	f.tell(t)
	if n := f.count(t, `SELECT count(*) FROM mail_outbox`); n != 5 {
		t.Errorf("%d mails to five accounts", n)
	}
}

// TestWithdrawnLoad tells a webhook that knew a load that it is withdrawn, once, and takes it out of the
// feed; nobody else hears of it.
func TestWithdrawnLoad(t *testing.T) {
	t.Parallel()
	f := newFollowers(t)
	ana, bia := f.SignedIn(t, "ana@exemplo.com"), f.SignedIn(t, "bia@exemplo.com")
	for _, b := range []*sitetest.Browser{ana, bia} {
		sitetest.Leads(t, b.Post(t, "/conta/webhooks", "url", "https://exemplo.com/"), "/conta/webhooks")
	}
	sitetest.Leads(t, ana.Post(t, "/conta/seguir", "tipo", "empresa", "valor", fixture.Bakery), "/conta/seguindo")
	sitetest.Leads(t, bia.Post(t, "/conta/seguir", "tipo", "empresa", "valor", "98765432"), "/conta/seguindo")
	f.publish(t, "2026-09", renamed...)
	if _, err := f.Stores.Ingester.Rollback(t.Context(), registry.Receita); err != nil {
		t.Fatal(err)
	}
	if err := f.Stores.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.tell(t)
	for query, want := range map[string]int{
		`SELECT count(*) FROM webhook_delivery WHERE event = 'empresa.mudou'`:                                            1,
		`SELECT count(*) FROM webhook_delivery WHERE event = 'carga.retirada' AND body LIKE '%"competencia":"2026-09"%'`: 1,
		`SELECT count(*) FROM webhook_delivery`:                                                                          2,
		`SELECT count(*) FROM mail_outbox`:                                                                               1,
	} {
		if n := f.count(t, query); n != want {
			t.Errorf("%s: %d, want %d", query, n, want)
		}
	}
	sitetest.Shows(t, ana.Open(t, "/conta/seguindo"), 200, []string{"Nada ainda"}, []string{"09/2026"})
}

// TestSearchThatFails leaves an account with a search that cannot be answered for later, and tells the others.
func TestSearchThatFails(t *testing.T) {
	t.Parallel()
	f := newFollowers(t)
	ana, bia := f.SignedIn(t, "ana@exemplo.com"), f.SignedIn(t, "bia@exemplo.com")
	sitetest.Leads(t, ana.Post(t, "/conta/seguir", "tipo", "empresa", "valor", fixture.Bakery), "/conta/seguindo")
	sitetest.Leads(t, bia.Post(t, "/conta/seguir", "tipo", "busca", "valor", "uf=SP"), "/conta/seguindo")
	search := f.teller.Search
	f.teller.Search = func(*snapshot.Snapshot, string) (snapshot.ChangeQuery, error) {
		return snapshot.ChangeQuery{Filters: filter.Of("uf", "XX")}, nil // which the index refuses
	}
	const mailed = `SELECT count(*) FROM mail_outbox WHERE recipient = $1`
	f.publish(t, "2026-09", append(slices.Clone(renamed), "ESTRELA DO SUL P", "ESTRELA\x01DO NORTE P")...)
	if a, b := f.count(t, mailed, "ana@exemplo.com"), f.count(t, mailed, "bia@exemplo.com"); a != 1 || b != 0 {
		t.Errorf("%d and %d mails, want 1 and none", a, b)
	}
	f.teller.Search = search
	f.tell(t)
	if a, b := f.count(t, mailed, "ana@exemplo.com"), f.count(t, mailed, "bia@exemplo.com"); a != 1 || b != 1 {
		t.Errorf("%d and %d mails, want one each", a, b)
	}
}
