package people_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"golang.org/x/net/html"

	"razao/api"
	"razao/internal/people/follow"
	"razao/internal/store/registry"
	"razao/internal/store/totals"
	"razao/internal/testing/fixture"
	"razao/internal/testing/fixture/sourcefiles"
	"razao/internal/testing/openapitest"
	"razao/internal/web"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

func TestFollowersAreNotified(t *testing.T) {
	t.Parallel()
	f := sitetest.NewFollowers(t)
	ana, bia := f.SignedIn(t, "ana@exemplo.com"), f.SignedIn(t, "bia@exemplo.com")
	golden(t, "following-nothing", ana.Open(t, "/conta/seguindo"), 200)
	sitetest.Leads(t, f.Visitor().Open(t, "/conta/seguir?tipo=empresa&valor="+fixture.Bakery), "/login?next=%2Fconta%2Fseguir%3Ftipo%3Dempresa%26valor%3D"+fixture.Bakery)
	golden(t, "follow-company", ana.Open(t, "/conta/seguir?tipo=empresa&valor="+fixture.Bakery), 200)
	sitetest.Leads(t, ana.Post(t, "/conta/seguir", "tipo", "empresa", "valor", "12.345.678/0001-95"), "/conta/seguindo")
	sitetest.Leads(t, bia.Post(t, "/conta/seguir", "tipo", "empresa", "valor", "98765432"), "/conta/seguindo")
	golden(t, "following-refused", ana.Post(t, "/conta/seguir", "tipo", "empresa", "valor", "12.345.678/0001-96"), 422)
	sitetest.Leads(t, ana.Post(t, "/conta/seguindo/atom"), "/conta/seguindo")
	f.Notify(t)
	if n := f.Count(t, `SELECT count(*) FROM mail_outbox`); n > 0 {
		t.Fatalf("%d mails before anything changed", n)
	}

	f.Publish(t, "2026-09", sitetest.Renamed...)
	if n := f.Count(t, `SELECT count(*) FROM mail_outbox`); n != 1 {
		t.Fatalf("%d digests for one account whose company changed", n)
	}
	header, texts := f.Digest(t, "ana@exemplo.com")
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
	golden(t, "following-notified", ana.Open(t, "/conta/seguindo"), 200)
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
	golden(t, "unsubscribe", f.Visitor().Open(t, path), 200)
	if n := f.Count(t, `SELECT count(*) FROM follower WHERE NOT mails`); n != 0 {
		t.Error("opening the link unsubscribes, as a mail scanner does")
	}
	if w := oneClick(t, f.Site, path+"x"); w.Code != http.StatusNotFound {
		t.Errorf("a forged token: %d", w.Code)
	}
	golden(t, "unsubscribed", oneClick(t, f.Site, path), 200)
	f.Publish(t, "2026-10")
	if n := f.Count(t, `SELECT count(*) FROM mail_outbox`); n != 0 {
		t.Errorf("%d digests after unsubscribing", n)
	}
	sitetest.Shows(t, ana.Open(t, "/conta/seguindo"), 200, []string{"10/2026", "Por e-mail, não", "Ligar"}, nil)

	sitetest.Leads(t, ana.Post(t, "/conta/deixar-de-seguir", "tipo", "empresa", "valor", "12345678"), "/conta/carteira")
	sitetest.Leads(t, ana.Post(t, "/conta/seguindo/avisos", "avisos", "sim"), "/conta/seguindo")
	f.Publish(t, "2026-11", sitetest.Renamed...)
	if n := f.Count(t, `SELECT count(*) FROM mail_outbox`); n != 0 {
		t.Errorf("%d digests about nothing that is followed", n)
	}
	sitetest.Leads(t, ana.Post(t, "/conta/excluir", "email", "ana@exemplo.com"), "/login?aviso=excluida")
	if n := f.Count(t, `SELECT count(*) FROM follow_told JOIN follower USING (account_id) JOIN account a ON a.id = account_id WHERE a.email LIKE 'ana%'`) + f.Count(t, `SELECT count(*) FROM follow_told`); n != 0 {
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
	mu       sync.Mutex
	verify   *standardwebhooks.Webhook
	fail     int               // so many requests are answered 500
	status   int               // of the others; 0: 204
	got      map[string]string // bodies by id
	requests int
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
		if r.requests++; r.requests <= r.fail {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		r.got[q.Header.Get("webhook-id")] = string(body)
		w.WriteHeader(max(r.status, http.StatusNoContent))
	}))
	t.Cleanup(r.Close)
	return r
}

func TestWebhookIsNotified(t *testing.T) {
	t.Parallel()
	f := sitetest.NewFollowers(t)
	ana := f.SignedIn(t, "ana@exemplo.com")
	sitetest.Leads(t, ana.Post(t, "/conta/seguir", "tipo", "empresa", "valor", fixture.Bakery), "/conta/seguindo")
	r := newReceiver(t)
	golden(t, "webhook-refused", ana.Post(t, "/conta/webhooks", "url", "ftp://exemplo.com"), 422)
	sitetest.Leads(t, ana.Post(t, "/conta/webhooks", "url", r.URL+"/razao"), "/conta/webhooks")
	body := sitetest.Shows(t, ana.Open(t, "/conta/webhooks"), 200, []string{"Webhook criado"}, nil)
	secret := regexp.MustCompile(`<code>(whsec_[^<]+)</code>`).FindStringSubmatch(body)[1]
	sitetest.Shows(t, ana.Open(t, "/conta/webhooks"), 200, nil, []string{"whsec_"})
	var err error
	if r.verify, err = standardwebhooks.NewWebhook(html.UnescapeString(secret)); err != nil {
		t.Fatal(err)
	}
	f.Publish(t, "2026-09", sitetest.Renamed...)
	r.fail = 2
	for range 5 { // two failures, the delivery, and nothing more
		f.SendDue(t)
		f.SendDue(t) // not due yet
		f.Due(t)
	}
	if r.requests != 3 || len(r.got) != 1 {
		t.Fatalf("%d requests brought %d messages", r.requests, len(r.got))
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
	f.SendDue(t)
	if r.requests != 4 || len(r.got) != 1 {
		t.Errorf("sent again: %d requests brought %d messages", r.requests, len(r.got))
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
	f.SendDue(t)
	sitetest.Shows(t, ana.Open(t, "/conta/webhooks"), 200, []string{"Desligado: o servidor respondeu 410", "desistimos (410)"}, []string{"testar"})
	sitetest.Leads(t, ana.Post(t, "/conta/webhooks/ligar", "webhook", id), "/conta/webhooks")
	sitetest.Leads(t, ana.Post(t, "/conta/webhooks/excluir", "webhook", id), "/conta/webhooks")
	sitetest.Shows(t, ana.Open(t, "/conta/webhooks"), 200, []string{"Nenhum webhook", "O registro de um webhook é apagado com ele."}, []string{"Nada foi enviado"})
}

// TestMessagesAreAsDescribed sends a message of each type and validates it as /v2/openapi.json describes it.
func TestMessagesAreAsDescribed(t *testing.T) {
	t.Parallel()
	f := sitetest.NewFollowers(t)
	ana, r := f.SignedIn(t, "ana@exemplo.com"), newReceiver(t)
	sitetest.Leads(t, ana.Post(t, "/conta/seguir", "tipo", "empresa", "valor", fixture.Bakery), "/conta/seguindo")
	sitetest.Leads(t, ana.Post(t, "/conta/webhooks", "url", r.URL), "/conta/webhooks")
	body := ana.Open(t, "/conta/webhooks").Body.String()
	var err error
	if r.verify, err = standardwebhooks.NewWebhook(html.UnescapeString(regexp.MustCompile(`<code>(whsec_[^<]+)</code>`).FindStringSubmatch(body)[1])); err != nil {
		t.Fatal(err)
	}
	sitetest.Leads(t, ana.Post(t, "/conta/webhooks/testar", "webhook", regexp.MustCompile(`name="webhook" value="(\d+)"`).FindStringSubmatch(body)[1]), "/conta/webhooks")
	f.SendDue(t)
	f.Publish(t, "2026-09", sitetest.Renamed...)
	f.SendDue(t)
	if _, err := f.Stores.Ingester.Rollback(t.Context(), registry.Receita); err != nil {
		t.Fatal(err)
	}
	if err := f.Stores.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.Notify(t)
	f.SendDue(t)

	engine := web.NewEngine(web.Options{Log: slog.New(slog.DiscardHandler)})
	api.New(api.Config{}).Register(engine)
	w := httptest.NewRecorder()
	engine.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v2/openapi.json", nil))
	document, err := openapitest.Parse(w.Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	sent := map[string]bool{}
	for _, body := range r.got {
		var message struct{ Type string }
		if err := json.Unmarshal([]byte(body), &message); err != nil {
			t.Fatal(err)
		}
		sent[message.Type] = true
		described := document.Webhooks[message.Type]["post"]
		if described == nil {
			t.Fatalf("%s is not described", body)
		}
		if err := document.Validate(described.RequestBody.Content["application/json"].Schema, []byte(body)); err != nil {
			t.Errorf("%s: %v: %s", message.Type, err, body)
		}
	}
	if types := slices.Sorted(maps.Keys(sent)); len(sent) != len(r.got) || !slices.Equal(types, slices.Sorted(maps.Keys(document.Webhooks))) {
		t.Errorf("%d messages of the types %q", len(r.got), types)
	}
}

// TestPortfolioKnowsWhatItDoesNotKnow: where one of the two sources of sanctions has no load, that is said, and a file has no number.
func TestPortfolioKnowsWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	for _, only := range []string{"ceis", "cnep"} {
		l := fixture.Load(t)
		l.Records(t, only)
		h := sitetest.New(t, l)
		ana := h.SignedIn(t, "ana@exemplo.com")
		sitetest.Leads(t, ana.Post(t, "/conta/carteira", "raizes", "98765432"), "/conta/carteira")
		sitetest.Shows(t, ana.Open(t, "/conta/carteira"), 200, []string{"Sem carga, e por isso não se sabe: Dívida ativa, Sanções (CEIS e CNEP), Listas do trabalho, Ibama e Contratos públicos."}, nil)
		if cells := sitetest.Table(t, ana.Open(t, "/conta/carteira.csv"))[0]; cells["sancoes_em_vigor"] != "" || cells["cnpj_raiz"] == "" {
			t.Errorf("with %s alone the file says %q", only, cells)
		}
	}
}

// TestPortfolioBeyondWhatIsAddedUp: more records than are added up are not a source that fails.
func TestPortfolioBeyondWhatIsAddedUp(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	debts := make([]sourcefiles.Debt, totals.MostAdded+1)
	for i := range debts {
		debts[i] = sourcefiles.Debt{CNPJ: fixture.Full(t, fixture.Holding).String(), Cents: 1}
	}
	l.Source(t, "pgfn", sourcefiles.Debts(t, debts), "")
	h := sitetest.New(t, l)
	ana := h.SignedIn(t, "ana@exemplo.com")
	sitetest.Leads(t, ana.Post(t, "/conta/carteira", "raizes", fixture.Holding), "/conta/carteira")
	sitetest.Shows(t, ana.Open(t, "/conta/carteira"), 200, []string{"20.001 inscrições, sem soma"}, []string{"não foi possível consultar"})
	if row := sitetest.Table(t, ana.Open(t, "/conta/carteira.csv"))[0]; row["divida_inscricoes"] != "20001" || row["divida_ativa"] != "" {
		t.Errorf("the file says %q", row)
	}
}

func TestPortfolio(t *testing.T) {
	t.Parallel()
	h := sitetest.New(t, fixture.LoadRecords(t))
	ana := h.SignedIn(t, "ana@exemplo.com")
	golden(t, "portfolio-empty", ana.Open(t, "/conta/carteira"), 200)
	sitetest.Leads(t, h.Visitor().Open(t, "/conta/carteira"), "/login?next=%2Fconta%2Fcarteira")
	sitetest.Leads(t, h.Visitor().Open(t, "/conta/carteira.csv"), "/login?next=%2Fconta%2Fcarteira.csv")
	sitetest.Leads(t, ana.Post(t, "/conta/carteira", "raizes", "12345678 98765432 12ABC345 11444777 12345678"), "/conta/carteira")
	golden(t, "portfolio", ana.Open(t, "/conta/carteira"), 200)
	w := ana.Open(t, "/conta/carteira.csv")
	rows := strings.Split(strings.TrimSpace(w.Body.String()), "\r\n")
	if w.Code != 200 || len(rows) != 5 || !strings.HasPrefix(rows[0], "cnpj_raiz,nome,listas,situacao,") {
		t.Errorf("%d %q", w.Code, rows)
	}
	var many strings.Builder
	for i := range follow.Most[follow.Company] {
		fmt.Fprintf(&many, "%08d ", 20_000_000+i)
	}
	golden(t, "portfolio-too-many", ana.Post(t, "/conta/carteira", "raizes", many.String()), 422)
	sitetest.Shows(t, ana.Post(t, "/conta/carteira", "raizes", "12345678 1234567"), 422, nil, []string{"Seguindo"})
	sitetest.Leads(t, ana.Post(t, "/conta/carteira", "raizes", strings.TrimPrefix(many.String(), "20000000 20000001 20000002 20000003 ")), "/conta/carteira")
	sitetest.Shows(t, ana.Open(t, "/conta/carteira"), 200, []string{"1.000 empresas", "pagina=2"}, nil)
}

// TestPortfolioLists: companies are put into lists, shown by them and by parts, taken out, and no longer followed, several at once.
func TestPortfolioLists(t *testing.T) {
	t.Parallel()
	h := sitetest.New(t, fixture.LoadRecords(t))
	ana, bia := h.SignedIn(t, "ana@exemplo.com"), h.SignedIn(t, "bia@exemplo.com")
	const suppliers = "/conta/carteira?lista=Fornecedores+%26+cia"
	sitetest.Leads(t, ana.Post(t, "/conta/carteira", "raizes", "12345678 98765432", "lista", "  Fornecedores   & cia "), suppliers)
	sitetest.Leads(t, ana.Post(t, "/conta/carteira", "raizes", "12ABC345"), "/conta/carteira")
	in := func(list string, fields ...string) *httptest.ResponseRecorder {
		address := "/conta/carteira/acoes"
		if list != "" {
			address += "?lista=" + url.QueryEscape(list)
		}
		return ana.Post(t, address, fields...)
	}
	act := func(fields ...string) *httptest.ResponseRecorder { return in("", fields...) }
	sitetest.Leads(t, act("acao", "por", "lista", "Clientes", "raiz", "12ABC345", "raiz", "12345678"), "/conta/carteira?lista=Clientes")
	golden(t, "portfolio-list", ana.Open(t, suppliers), 200)
	for address, has := range map[string][]string{
		"/conta/carteira":                         {"<strong>3</strong> em todas as listas", "<strong>2</strong> em Clientes", "<strong>2</strong> em Fornecedores &amp; cia", "12.345.678, Clientes, Fornecedores &amp; cia"},
		"/conta/carteira?mostrar=dividas":         {"1 com dívida ativa", "Padaria Estrela do Sul"},
		"/conta/carteira?ordem=nome":              {"ver primeiro o que mudou por último"},
		"/conta/carteira?lista=Clientes&pagina=2": {"Clientes"},
	} {
		sitetest.Shows(t, ana.Open(t, address), 200, has, nil)
	}
	for _, wrong := range []string{"mostrar=x", "ordem=x", "pagina=0"} {
		sitetest.Shows(t, ana.Open(t, "/conta/carteira?"+wrong), 422, nil, nil)
	}
	sitetest.Leads(t, bia.Open(t, suppliers), "/conta/carteira")
	if w := bia.Open(t, "/conta/carteira.csv?lista=Clientes"); w.Code != 404 {
		t.Errorf("the file of another account's list: %d %s", w.Code, w.Body)
	}
	if rows := sitetest.Table(t, ana.Open(t, "/conta/carteira.csv?lista=Clientes")); len(rows) != 2 || rows[1]["listas"] != "Clientes; Fornecedores & cia" || rows[1]["divida_inscricoes"] != "5" {
		t.Errorf("the file of a list: %q", rows)
	}
	sitetest.Shows(t, bia.Open(t, "/conta/carteira"), 200, []string{"Nenhuma empresa."}, []string{"Padaria"})
	if rows := sitetest.Table(t, ana.Open(t, "/conta/carteira.csv?mostrar=dividas")); len(rows) != 1 || rows[0]["cnpj_raiz"] != "12345678" {
		t.Errorf("the file of a part: %q", rows)
	}
	sitetest.Leads(t, act("acao", "por", "lista", "CLIENTES", "raiz", "12ABC345"), "/conta/carteira?lista=CLIENTES")
	sitetest.Leads(t, in("clientes", "acao", "tirar", "quais", "todas", "mostradas", "12ABC345 12345678"), "/conta/carteira?lista=clientes")
	sitetest.Leads(t, ana.Open(t, "/conta/carteira?lista=clientes"), "/conta/carteira")
	sitetest.Shows(t, ana.Open(t, "/conta/carteira"), 200, []string{"2 empresas saíram da lista.", "3 empresas"}, []string{"em Clientes"})
	sitetest.Shows(t, in("Fornecedores & cia", "acao", "deixar", "raiz", "12345678", "raiz", "98765432"), 200, []string{"Deixar de seguir 2 empresas?", `value="12345678 98765432"`, "Voltar à carteira"}, nil)
	sitetest.Leads(t, in("Fornecedores & cia", "acao", "deixar", "quais", "todas", "mostradas", "12345678 98765432", "certeza", "sim"), suppliers)
	sitetest.Leads(t, ana.Open(t, suppliers), "/conta/carteira")
	sitetest.Shows(t, ana.Open(t, "/conta/carteira"), 200, []string{"Deixou de seguir 2 empresas.", "1 empresa<"}, []string{"Fornecedores &amp; cia"})
	sitetest.Shows(t, act("acao", "deixar"), 422, []string{"Marque ao menos uma empresa."}, nil)
	sitetest.Shows(t, act("acao", "por", "raiz", "12ABC345"), 422, []string{"Escreva o nome da lista.", `value="12ABC345" form="acoes" checked`}, nil)
	sitetest.Shows(t, act("acao", "apagar", "raiz", "12ABC345"), 422, nil, nil)
	sitetest.Shows(t, act("acao", "deixar", "raiz", "1"), 422, nil, nil)
	sitetest.Shows(t, act("acao", "por", "raiz", "12ABC345", "lista", strings.Repeat("x", follow.LongestName+1)), 422, []string{"até 60 caracteres", "Nada foi incluído"}, nil)
	sitetest.Leads(t, act("acao", "por", "raiz", "12ABC345", "lista", "L\u202e0\x00\n"), "/conta/carteira?lista=L0")
	for i := range follow.MostLists {
		sitetest.Leads(t, act("acao", "por", "raiz", "12ABC345", "lista", fmt.Sprintf("L%d", i)), fmt.Sprintf("/conta/carteira?lista=L%d", i))
	}
	sitetest.Shows(t, act("acao", "por", "raiz", "12ABC345", "lista", "uma a mais"), 422, []string{"até 20 listas"}, nil)
}

func TestFollowedPartnersAndSearches(t *testing.T) {
	t.Parallel()
	f := sitetest.NewFollowers(t)
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
	golden(t, "following-partner", ana.Open(t, "/conta/seguindo"), 200)
	golden(t, "following-search", bia.Open(t, "/conta/seguindo"), 200)
	sitetest.Shows(t, leo.Open(t, "/conta/seguindo"), 200, []string{"“padaria estrela”; ", `href="/busca?q=padaria+estrela&amp;uf=SP"`}, nil)
	for _, refused := range [][2]string{{"socio", "000000/x"}, {"socio", "456789/"}, {"busca", ""}, {"busca", "uf=XX"}, {"busca", "%zz"}, {"outro", "x"}} {
		if w := ana.Post(t, "/conta/seguir", "tipo", refused[0], "valor", refused[1]); w.Code != http.StatusUnprocessableEntity {
			t.Errorf("%q: %d", refused, w.Code)
		}
	}
	f.Publish(t, "2026-09", `"12345678";"2";"MARTA FIGUEIRA INVENTADA";"***456789**";"49"`, `"12345678";"2";"MARTA FIGUEIRA INVENTADA";"***456789**";"10"`)
	for _, to := range []string{"ana@exemplo.com", "bia@exemplo.com", "leo@exemplo.com"} {
		_, texts := f.Digest(t, to)
		pagetest.Texts(t, html.UnescapeString(texts["text/plain"]), []string{"Padaria Estrela do Sul Ltda.", "Dados de sócio: Marta Figueira Inventada"}, nil)
	}
	if n := f.Count(t, `SELECT count(*) FROM follow_told JOIN account a ON a.id = account_id WHERE a.email LIKE 'eva%'`); n != 0 {
		t.Errorf("%d companies of another state", n)
	}
}

// TestWebhookForms: what an account asks of webhooks is bounded, a resting one is neither tested nor woken, and the page says until when
// it rests. The form of a webhook that is sent again shows no secret for another address.
func TestWebhookForms(t *testing.T) {
	t.Parallel()
	f := sitetest.NewFollowers(t)
	ana := f.SignedIn(t, "ana@exemplo.com")
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }))
	t.Cleanup(hook.Close)
	sitetest.Leads(t, ana.Post(t, "/conta/seguir", "tipo", "empresa", "valor", fixture.Bakery), "/conta/seguindo")
	sitetest.Leads(t, ana.Post(t, "/conta/webhooks", "url", hook.URL), "/conta/webhooks")
	sitetest.Shows(t, ana.Open(t, "/conta/webhooks"), 200, []string{"whsec_"}, nil)
	f.Publish(t, "2026-09", sitetest.Renamed...)
	f.SendDue(t)
	sitetest.Shows(t, ana.Open(t, "/conta/webhooks"), 200, []string{"Falhou 1 vez seguida. Em pausa até "}, []string{"Enviar teste"})
	var id string
	if err := f.Stores.Pool.QueryRow(t.Context(), `SELECT id::text FROM webhook`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	f.Exec(t, `UPDATE webhook SET url = 'https://exemplo.com/'`) // a port of its own is in no golden file
	golden(t, "webhook-resting", ana.Post(t, "/conta/webhooks/testar", "webhook", id), http.StatusUnprocessableEntity)
	f.Exec(t, `DELETE FROM webhook`)
	form := []string{"formulario", "um", "url", hook.URL + "/1"}
	sitetest.Leads(t, ana.Post(t, "/conta/webhooks", form...), "/conta/webhooks")
	sitetest.Shows(t, ana.Open(t, "/conta/webhooks"), 200, []string{"whsec_"}, nil)
	for _, again := range [][]string{{"formulario", "um", "url", hook.URL + "/2"}, {"formulario", "dois", "url", hook.URL + "/1"}} {
		sitetest.Shows(t, ana.Post(t, "/conta/webhooks", again...), http.StatusUnprocessableEntity, []string{`role="alert"`}, []string{"whsec_"})
	}
	var w *httptest.ResponseRecorder
	for range 20 {
		if w = ana.Post(t, "/conta/webhooks/testar", "webhook", id); w.Code == http.StatusTooManyRequests {
			break
		}
	}
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
		t.Errorf("twenty tests: %d", w.Code)
	}
	sitetest.Leads(t, f.SignedIn(t, "bia@exemplo.com").Post(t, "/conta/webhooks", "url", hook.URL), "/conta/webhooks")
}

// bait is the name of a company that was registered to be read in mails, and what programs would make links of.
const bait = "SUA CONTA FOI BLOQUEADA ACESSE https://evil.example OU eva@evil.example"

// TestNamesAreNoBait notifies of a company whose name has addresses: in subject, text, HTML and titles of feeds no program
// finds one but ours.
func TestNamesAreNoBait(t *testing.T) {
	t.Parallel()
	f := sitetest.NewFollowers(t)
	ana := f.SignedIn(t, "ana@exemplo.com")
	sitetest.Leads(t, ana.Post(t, "/conta/seguir", "tipo", "empresa", "valor", fixture.Bakery), "/conta/seguindo")
	sitetest.Leads(t, ana.Post(t, "/conta/seguindo/atom"), "/conta/seguindo")
	f.Publish(t, "2026-09", "PADARIA ESTRELA DO SUL LTDA", bait)
	header, texts := f.Digest(t, "ana@exemplo.com")
	subject, err := new(mime.WordDecoder).DecodeHeader(header.Get("Subject"))
	if err != nil || subject != "Mudou: CNPJ 12345678" {
		t.Errorf("subject %q, %v", subject, err)
	}
	page := ana.Open(t, "/conta/seguindo").Body.String()
	feed := regexp.MustCompile(`<code>https://razao\.exemplo(/conta/mudancas/[^<]+\.atom)</code>`).FindStringSubmatch(page)[1]
	for _, path := range []string{feed, "/mudancas.atom", "/12345678000195/mudancas.atom"} {
		titles := regexp.MustCompile(`<title>.*?</title>`).FindAllString(f.Visitor().Open(t, path).Body.String(), -1) // what is text in a feed
		texts[path] = strings.Join(titles, "\n")
	}
	addresses := regexp.MustCompile(`(?i)https?://[^\s<>"]+|\S+@\S+|\S+\.example\b`)
	for where, text := range texts {
		text = html.UnescapeString(html.UnescapeString(text))
		if !strings.Contains(strings.ToLower(text), "https: //evil. example") {
			t.Errorf("%s does not have the name: %s", where, text)
		}
		for _, address := range addresses.FindAllString(text, -1) {
			if !strings.HasPrefix(address, sitetest.URL+"/") {
				t.Errorf("%s: a program makes a link of %q", where, address)
			}
		}
	}
}
