package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"

	"razao/internal/testing/fixture"
)

// answering starts a server with the invented release.
func answering(t *testing.T) (w *whole, address string) {
	t.Helper()
	l := fixture.LoadRecords(t)
	w = wholeOn(t, l.Pool, filepath.Dir(l.IndexDir))
	if err := w.live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(w)
	t.Cleanup(server.Close)
	return w, server.URL
}

// asking returns an asker of a server that is none of ours.
func asking(address string) *asker {
	return &asker{server: newServer(address, "rz_x", slog.New(slog.DiscardHandler)), form: asTable}
}

// TestAsk prints a company, an establishment and a search in every form.
func TestAsk(t *testing.T) {
	t.Parallel()
	w, address := answering(t)
	var out bytes.Buffer
	k := &asker{server: newServer(address, w.key, slog.New(slog.DiscardHandler))}
	company := func(form, number string) string {
		t.Helper()
		out.Reset()
		k.form = form
		if err := k.company(t.Context(), &out, number); err != nil {
			t.Fatalf("%s as %s: %v", number, form, err)
		}
		return out.String()
	}
	for _, text := range []string{"PADARIA ESTRELA DO SUL LTDA", "480000.00", "12.345.678/0001-95", "MARTA FIGUEIRA INVENTADA, ***456789**, Sócio-Administrador, desde 14/03/2009", "Simples Nacional     sim"} {
		if got := company(asTable, "12.345.678"); !strings.Contains(got, text) {
			t.Errorf("the table lacks %q:\n%s", text, got)
		}
	}
	if got := company(asTable, "12345678000195"); strings.Contains(got, "Filial") || !strings.Contains(got, "Matriz") {
		t.Errorf("an establishment:\n%s", got)
	}
	if got := company(asTable, fixture.Hostile); strings.Contains(got, "\x1b") {
		t.Errorf("control characters:\n%q", got)
	}
	rows, err := csv.NewReader(strings.NewReader(company(asCSV, fixture.Chain))).ReadAll()
	if err != nil || len(rows) != 1+fixture.ChainSize || rows[1][1] != "REDE DE LOJAS EXEMPLO S/A" {
		t.Errorf("%d rows of all establishments, %v", len(rows), err)
	}
	var whole struct {
		Dados struct {
			Empresa struct {
				RazaoSocial string `json:"razao_social"`
			}
		}
	}
	if err := json.Unmarshal([]byte(company(asJSON, "12345678")), &whole); err != nil || whole.Dados.Empresa.RazaoSocial == "" {
		t.Errorf("%+v, %v", whole, err)
	}
	for form, want := range map[string]string{asTable: "12.345.678/0001-95", asCSV: "12345678000195,PADARIA", asJSON: `"cnpj": "12345678000195"`} {
		out.Reset()
		k.form = form
		found, err := k.search(t.Context(), &out, url.Values{"q": {"padaria estrela"}, "uf": {"SP"}}, 0)
		if err != nil || found != 1 || !strings.Contains(out.String(), want) {
			t.Errorf("%s: %d found, %v:\n%s", form, found, err, &out)
		}
	}
	out.Reset()
	k.form = asJSON
	if found, err := k.search(t.Context(), &out, url.Values{"q": {"zzzz"}}, 1); err != nil || found != 0 || out.String() != "[]\n" {
		t.Errorf("nothing found, as JSON: %d, %v, %q", found, err, &out)
	}
	if _, err := k.search(t.Context(), &out, url.Values{"uf": {"ZZ"}}, 1); err == nil || !strings.Contains(err.Error(), "400 parametro_invalido") {
		t.Errorf("a wrong filter: %v", err)
	}
	k.form = asCSV
	out.Reset()
	entries, err := readEntries(t.Context(), strings.NewReader("\uFEFF12.345.678/0001-95;Padaria\n\n98765432000198;\"x\"\n\"11444777000161\";x, y\nabc;\n529.982.247-25;TIAGO\n;só o nome\n"+strings.Repeat("12345678000195;\n", mostItems)))
	if err != nil {
		t.Fatal(err)
	}
	w.beSomebodyElse(t) // a list of a thousand is fifty calls
	k.server = newServer(address, w.key, slog.New(slog.DiscardHandler))
	if err := k.list(t.Context(), &out, entries); err != nil {
		t.Fatal(err)
	}
	rows, err = csv.NewReader(&out).ReadAll()
	if err != nil || len(rows) != 1+6+mostItems {
		t.Fatalf("%d rows of a list, %v", len(rows), err)
	}
	for i, want := range []string{"12345678000195,encontrado,PADARIA ESTRELA DO SUL LTDA", "98765432000198,encontrado,ESTRELA PARTICIPAÇÕES S.A.", "11444777000161,cnpj_nao_encontrado,", "abc,sem_cnpj,", "529.982.247-25,cpf,", "só o nome,sem_cnpj,"} {
		if got := strings.Join(rows[1+i], ","); !strings.HasPrefix(got, want) {
			t.Errorf("line %d: %s, want %s", i, got, want)
		}
	}
	if err := k.company(t.Context(), &out, "00000001"); err == nil || !strings.Contains(err.Error(), "404 cnpj_nao_encontrado") {
		t.Errorf("an absent company: %v", err)
	}
}

// TestAskNeedsAServer: without address or key, or with another form, it says what is missing.
func TestAskNeedsAServer(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	refused(p, 2, "RAZAO_URL is not the address of a server", "ask", "12345678")
	p.Settings = append(p.Settings, "RAZAO_URL=http://127.0.0.1:1")
	refused(p, 2, "create a key at http://127.0.0.1:1/conta", "ask", "12345678")
	p.Settings = append(p.Settings, "RAZAO_CHAVE=rz_x")
	p.Settings[len(p.Settings)-1] = "RAZAO_CHAVE=rz_x\ny"
	refused(p, 2, "a character that no key has", "ask", "12345678")
	p.Settings[len(p.Settings)-1] = "RAZAO_CHAVE=rz_x"
	refused(p, 2, "--format", "ask", "12345678", "--format", "xml")
	refused(p, 2, "is not a CNPJ", "ask", "padaria")
	for _, given := range []string{"estado=SP", "q=x", "limite=5", "uf", "mudou=sim"} {
		refused(p, 2, "is not the name of a filter", "ask", "busca", "--filter", given)
	}
	refused(p, 2, "whoever reaches it asks with your key", "ask", "openrefine", "--listen", "0.0.0.0:0")
	for _, page := range []string{"null", "", "*", "127.0.0.1:3333", "file://x", "http://", "http://127.0.0.1:3333/", "http://127.0.0.1:3333/x", "http://ana@127.0.0.1:3333", "https://a b", "https://a;b", "https://a https://b"} {
		refused(p, 2, "not the origin of a page, such as http://127.0.0.1:3333", "ask", "openrefine", "--listen", "127.0.0.1:0", "--page", page)
	}
}

// TestOpenRefine replays what OpenRefine sends, from its page and from its program.
func TestOpenRefine(t *testing.T) {
	t.Parallel()
	w, address := answering(t)
	key := w.key
	server := httptest.NewUnstartedServer(nil)
	own := "http://" + server.Listener.Addr().String()
	relay, err := newRelay(address, key, own, []string{openRefinePages})
	if err != nil {
		t.Fatal(err)
	}
	server.Config.Handler = relay
	server.Start()
	t.Cleanup(server.Close)
	port := own
	own = relay.own.String()
	send := func(method, path, body string, header ...string) (*http.Response, string) {
		t.Helper()
		address := own + path
		if rest, bare := strings.CutPrefix(path, "bare:"); bare {
			address = port + rest
		}
		req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
			if header[i] == "Host" {
				req.Host = header[i+1]
			}
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		raw, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp, string(raw)
	}

	type place struct {
		URL  string `json:"service_url"`
		Path string `json:"service_path"`
	}
	// "Add standard service": the page reads the manifest.
	resp, body := send("GET", reconcilePath, "", "Origin", openRefinePages)
	var manifest struct {
		Versions                           []string
		Name, IdentifierSpace, SchemaSpace string
		Authentication                     any
		View, Preview                      struct{ URL string }
		Extend                             struct {
			Propose place `json:"propose_properties"`
		}
	}
	if err := json.Unmarshal([]byte(body), &manifest); err != nil || resp.StatusCode != 200 || resp.Header.Get("Access-Control-Allow-Origin") != openRefinePages {
		t.Fatalf("%d, %v, %v: %s", resp.StatusCode, err, resp.Header, body)
	}
	if manifest.Authentication != nil || manifest.View.URL != publicAddress+"/{{id}}" || manifest.Preview.URL != own+"/v2/reconciliar/previa?id={{id}}" {
		t.Errorf("the manifest: %s", body)
	}
	// "Start reconciling": the program sends names in batches, without an Origin.
	queries := `{"q0":{"query":"PADARIA ESTRELLA DO SUL","type":"empresa","type_strict":"should","properties":[{"pid":"municipio","v":"Campinas"}]},"q1":{"query":"NINGUEM SETENTRIONAL"}}`
	resp, body = send("POST", reconcilePath, url.Values{"queries": {queries}}.Encode(), "Content-Type", "application/x-www-form-urlencoded")
	var answers map[string]struct {
		Result []struct {
			ID    string
			Match bool
		}
	}
	if err := json.Unmarshal([]byte(body), &answers); err != nil || len(answers) != 2 || answers["q0"].Result[0].ID != "12345678000195" || !answers["q0"].Result[0].Match {
		t.Errorf("%d, %v: %s", resp.StatusCode, err, body)
	}
	// "Add columns from reconciled values": the page lists columns, the program asks for those of ten rows.
	propose := manifest.Extend.Propose
	if _, body := send("GET", strings.TrimPrefix(propose.URL, own)+propose.Path+"?type=empresa", "", "Origin", openRefinePages); !strings.Contains(body, `{"properties":[{"id":"cnpj_basico"`) {
		t.Errorf("columns of %+v: %s", propose, body)
	}
	extend := `{"ids":["12345678000195"],"properties":[{"id":"municipio"},{"id":"uf","settings":{"valor":"codigo"}}]}`
	_, body = send("POST", reconcilePath, url.Values{"extend": {extend}}.Encode(), "Content-Type", "application/x-www-form-urlencoded")
	if want := `"rows":{"12345678000195":{"municipio":[{"str":"CAMPINAS"}],"uf":[{"str":"SP"}]}}`; !strings.Contains(body, want) {
		t.Errorf("columns of a row: %s, want %s", body, want)
	}
	// The preview of a candidate, with a parameter that is none of the protocol.
	preview := strings.TrimPrefix(strings.ReplaceAll(manifest.Preview.URL, "{{id}}", "12345678000195"), own)
	if resp, body := send("GET", preview+"&lang=en", "", "Origin", openRefinePages); resp.StatusCode != 200 || !strings.Contains(body, "<strong>PADARIA ESTRELA DO SUL LTDA") {
		t.Errorf("%s: %d %s", preview, resp.StatusCode, body)
	}
	resp, _ = send("GET", "/v2/reconciliar/previa?id=12345678", "", "Sec-Fetch-Site", "cross-site", "Referer", openRefinePages+"/project?project=1")
	if policy := resp.Header.Values("Content-Security-Policy"); resp.StatusCode != 200 || len(policy) != 1 || policy[0] != "default-src 'none'; frame-ancestors "+openRefinePages || resp.Header.Get("X-Frame-Options") != "" {
		t.Errorf("a framed preview: %d, %v", resp.StatusCode, resp.Header)
	}
	for what, header := range map[string][]string{
		"a frame in a page of OpenRefine":     {"Sec-Fetch-Site", "same-site", "Sec-Fetch-Dest", "iframe", "Referer", openRefinePages + "/"},
		"a frame in an old browser":           {"Referer", openRefinePages + "/project?project=1"},
		"somebody who looks at the address":   {"Sec-Fetch-Site", "none", "Sec-Fetch-Dest", "document"},
		"the page, in a browser of this year": {"Sec-Fetch-Site", "same-site", "Origin", openRefinePages, "Referer", openRefinePages + "/"},
	} {
		if resp, _ := send("GET", "/v2/reconciliar/previa?id=12345678", "", header...); resp.StatusCode != 200 || resp.Header.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: %d %v", what, resp.StatusCode, resp.Header)
		}
	}
	if resp, _ := send("OPTIONS", reconcilePath, "", "Origin", openRefinePages, "Access-Control-Request-Method", "POST"); resp.StatusCode != 204 {
		t.Errorf("preflight: %d", resp.StatusCode)
	}

	for name, c := range map[string][]string{
		"a page from elsewhere":    {"GET", reconcilePath, "403", "Origin", "https://mau.exemplo"},
		"a form from elsewhere":    {"POST", reconcilePath, "403", "Origin", "https://mau.exemplo", "Content-Type", "application/x-www-form-urlencoded"},
		"an opaque origin":         {"POST", reconcilePath, "403", "Origin", "null"},
		"a form from another port": {"POST", reconcilePath, "403", "Origin", "http://127.0.0.1:8000", "Sec-Fetch-Site", "same-site", "Content-Type", "application/x-www-form-urlencoded"},
		"a page of another port":   {"GET", reconcilePath + "?queries=%7B%7D", "403", "Sec-Fetch-Site", "same-site", "Referer", "http://127.0.0.1:8000/"},
		"one that hides its name":  {"GET", "/v2/reconciliar/previa?id=12345678", "403", "Sec-Fetch-Site", "same-site", "Sec-Fetch-Dest", "iframe"},
		"one of the same address":  {"GET", reconcilePath, "403", "Sec-Fetch-Site", "same-origin"},
		"a port that begins like":  {"GET", reconcilePath, "403", "Referer", openRefinePages + "3/"},
		"a name before the host":   {"GET", reconcilePath, "403", "Referer", openRefinePages + "@mau.exemplo/"},
		"a page whose name leads":  {"GET", reconcilePath, "403", "Host", "mau.exemplo", "Origin", openRefinePages},
		"without the secret":       {"GET", "bare:" + reconcilePath, "404"},
		"with another secret":      {"GET", "bare:/" + secretOf("rz_x") + reconcilePath, "404"},
		"with half of it":          {"GET", "bare:" + relay.own.Path[:9] + reconcilePath, "404"},
		"above it":                 {"GET", "bare:/", "404"},
		"out of it":                {"GET", "/..//" + reconcilePath, "404"},
		"a frame of elsewhere":     {"GET", "/v2/reconciliar/previa?id=12345678", "403", "Sec-Fetch-Site", "cross-site", "Referer", "https://mau.exemplo/"},
		"a name that leads here":   {"GET", reconcilePath, "403", "Host", "mau.exemplo"},
		"the rest of the API":      {"GET", "/v2/empresas/12345678/basic", "404"},
		"a path that climbs out":   {"GET", "/v2/reconciliar/../empresas/12345678/basic", "404"},
		"a name that begins like":  {"GET", "/v2/reconciliarx", "404"},
	} {
		if resp, body := send(c[0], c[1], "", c[3:]...); resp.Status[:3] != c[2] || resp.Header.Get("Access-Control-Allow-Origin") != "" || strings.Contains(body, key) {
			t.Errorf("%s: %s, want %s: %s", name, resp.Status, c[2], body)
		}
	}
	if resp, body := send("GET", "/v2/reconciliar/%2e%2e/empresas/12345678/basic", ""); resp.StatusCode == 200 {
		t.Errorf("a path that climbs out, escaped: %s", body)
	}
}

// TestAskKeepsTheKey: no redirect is followed, neither to another port of the host nor elsewhere, and each command says where
// it leads.
func TestAskKeepsTheKey(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("a redirect was followed, with the key: %t", r.Header.Get("Authorization") != "")
	}))
	t.Cleanup(other.Close)
	for _, status := range []int{301, 302, 303, 307, 308} {
		asked := 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if asked++; r.Header.Get("Authorization") != "Bearer rz_x" {
				t.Errorf("the key is %q", r.Header.Get("Authorization"))
			}
			http.Redirect(w, r, other.URL+r.URL.Path, status)
		}))
		t.Cleanup(server.Close)
		k := asking(server.URL)
		commands := map[string]func(io.Writer) error{
			"a company": func(out io.Writer) error { return k.company(t.Context(), out, "12345678") },
			"a search": func(out io.Writer) error {
				_, err := k.search(t.Context(), out, url.Values{"q": {"padaria"}}, 1)
				return err
			},
			"a list": func(out io.Writer) error { return k.list(t.Context(), out, []entry{{number: "12345678"}}) },
		}
		for what, run := range commands {
			var out bytes.Buffer
			if err := run(&out); err == nil || !strings.Contains(err.Error(), "redirects to "+other.URL+",") || out.Len() > 0 {
				t.Errorf("%s, %d: %v, %s", what, status, err, &out)
			}
		}
		relay, err := newRelay(server.URL, "rz_x", "http://127.0.0.1:1", nil)
		if err != nil {
			t.Fatal(err)
		}
		answer := httptest.NewRecorder()
		relay.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), "GET", relay.own.String()+reconcilePath, nil))
		if answer.Code != http.StatusBadGateway || answer.Header().Get("Location") != "" || !strings.Contains(answer.Body.String(), "redirects to "+other.URL+":") {
			t.Errorf("the relay, %d: %d %v %s", status, answer.Code, answer.Header(), answer.Body)
		}
		if asked != len(commands)+1 {
			t.Errorf("%d requests", asked)
		}
	}
}

// TestAskDefusesAnswers: no text of an answer is a formula for a spreadsheet, or a command or another order of letters for a terminal,
// in whatever form it is printed. JSON still says the same.
func TestAskDefusesAnswers(t *testing.T) {
	t.Parallel()
	texts := []string{"=1+1", "+1", "-1", "@x", "\tx", "\r=x", "\n=x", "\x1b]0;x\a\x1b[2J", "\u009b2J", "\u202egpj.exe", "\u2066x", "\x7f", "\u200bx", "＝1+1"}
	var hostile string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		example := map[string]string{"basic": "v2_empresa_basic", "estabelecimentos": "v2_empresa_estabelecimentos", "busca": "v2_busca", "lote": "v2_lote"}[path.Base(r.URL.Path)]
		raw, err := os.ReadFile(filepath.Join("..", "..", "api", "examples", example+".json"))
		if err != nil {
			t.Error(err)
		}
		raw = bytes.ReplaceAll(raw, []byte("11222333"), []byte("12345678"))
		raw = regexp.MustCompile(`("proximo_cursor": )"[^"]*"`).ReplaceAll(raw, []byte("${1}null"))
		text, _ := json.Marshal(hostile)
		value := regexp.MustCompile(`("(?:razao_social|nome_fantasia|nome_socio|municipio|uf|logradouro|correio_eletronico|motivo|codigo)": )"[^"]*"`)
		// encoding/json escapes control characters of ASCII alone.
		_, _ = w.Write(value.ReplaceAll(raw, append([]byte("$1"), bytes.ReplaceAll(text, []byte("$"), []byte("$$"))...)))
	}))
	t.Cleanup(server.Close)
	k := asking(server.URL)
	commands := map[string]func(io.Writer) error{
		"a company": func(out io.Writer) error { return k.company(t.Context(), out, "12345678") },
		"a search": func(out io.Writer) error {
			_, err := k.search(t.Context(), out, url.Values{}, 1)
			return err
		},
		"a list": func(out io.Writer) error {
			return k.list(t.Context(), out, []entry{{number: "12345678"}, {number: "00000001"}, {number: "1234567800019"}})
		},
	}
	unseen := func(r rune) bool { return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) }
	for _, hostile = range texts {
		for _, k.form = range []string{asTable, asJSON, asCSV} {
			for what, run := range commands {
				var out bytes.Buffer
				if err := run(&out); err != nil {
					t.Fatalf("%s as %s, %q: %v", what, k.form, hostile, err)
				}
				if at := strings.IndexFunc(out.String(), unseen); at >= 0 {
					t.Errorf("%s as %s, %q: a terminal obeys %q", what, k.form, hostile, out.String()[at:min(at+20, out.Len())])
				}
				switch k.form {
				case asCSV:
					rows, err := csv.NewReader(&out).ReadAll()
					if err != nil {
						t.Fatal(err)
					}
					for _, row := range rows {
						for _, cell := range row {
							if strings.IndexFunc(cell, func(r rune) bool { return strings.ContainsRune("=+-@\t\r\n＝＋－＠", r) }) == 0 {
								t.Errorf("%s, %q: a spreadsheet computes %q", what, hostile, cell)
							}
						}
					}
				case asJSON:
					var same any
					if err := json.Unmarshal(out.Bytes(), &same); err != nil || !strings.Contains(fmt.Sprint(same), hostile) {
						t.Errorf("%s as JSON, %q: %v, %v", what, hostile, err, same)
					}
				}
			}
		}
	}
}

// TestAskMistrustsAnswers: what is none of the API, too much, or about another company is an error of one line that says so, and
// nothing is printed of it.
func TestAskMistrustsAnswers(t *testing.T) {
	t.Parallel()
	var status int
	var body []byte
	packed := func(size int) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = io.CopyN(w, zeros{}, int64(size))
		_ = w.Close()
		return b.Bytes()
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if bytes.HasPrefix(body, []byte{0x1f, 0x8b}) {
			w.Header().Set("Content-Encoding", "gzip")
		}
		w.WriteHeader(status)
		_, _ = w.Write(body)
	}))
	t.Cleanup(server.Close)
	k := asking(server.URL)
	k.server.retry.Failures = 1
	company := func(out io.Writer) error { return k.company(t.Context(), out, "12345678") }
	search := func(out io.Writer) error { _, err := k.search(t.Context(), out, url.Values{}, 0); return err }
	list := func(out io.Writer) error { return k.list(t.Context(), out, []entry{{number: "12345678"}}) }
	const none = "is none of the API: it "
	for _, c := range []struct {
		what, body, want string
		run              func(io.Writer) error
	}{
		{"nothing", "", none + "is no JSON", company},
		{"null", "null", "about none", company},
		{"null", "null", none + "has no items", search},
		{"null", "null", none + "has 0 answers to 1 numbers", list},
		{"no items", `{"dados":{"itens":null}}`, none + "has items that are no array", search},
		{"a page for people", "<!doctype html>", none + "is no JSON", company},
		{"half an answer", `{"dados":{"empresa":{"cnpj_ba`, none + "is no JSON", company},
		{"another type", `{"dados":{"empresa":{"socios":"x"}}}`, none + "has the type string at dados.empresa.socios", company},
		{"another type", `{"dados":{"itens":[{"cnpj":7}]}}`, "item 1 has the type number at cnpj", search},
		{"another company", `{"dados":{"empresa":{"cnpj_basico":"98765432"}}}`, "about another company", company},
		{"branches of another", `{"dados":{"empresa":{"cnpj_basico":"12345678"},"estabelecimentos":{"itens":[{"cnpj":"98765432000198"}]},"itens":[{"cnpj":"98765432000198"}]}}`, "item 1 has not the CNPJ", company},
		{"another number", `{"dados":{"itens":[{"cnpj":"98765432","dados":{}}]}}`, "item 1 has not the CNPJ", list},
		{"neither answer nor problem", `{"dados":{"itens":[{"cnpj":"12345678"}]}}`, "item 1 has not the CNPJ", list},
		{"no number", `{"dados":{"itens":[{}]}}`, "item 1 has not the CNPJ", search},
		{"empty pages for ever", `{"dados":{"itens":[],"proximo_cursor":"x"}}`, "is empty", search},
		{"full pages for ever", `{"dados":{"itens":[` + strings.Repeat(`{"cnpj":"12345678000195"},`, 99) + `{"cnpj":"12345678000195","x":"` + strings.Repeat("x", 30<<20) + `"}],"proximo_cursor":"x"},"empresa":{}}`, "its pages have more than 64 MiB", func(out io.Writer) error {
			_, err := k.server.collect(t.Context(), "/", url.Values{}, 0)
			return err
		}},
		{"millions of items", `{"dados":{"itens":[` + strings.Repeat("0,", 4<<20) + `0]}}`, none + "has more than 1000 items", search},
		{"too much", strings.Repeat(" ", mostAnswered+1), none + "has more than 32 MiB", company},
		{"too much, packed", string(packed(mostAnswered + 1)), none + "has more than 32 MiB", company},
		{"packed too short", string(packed(1 << 20)[:500]), "connection failed", company},
	} {
		for _, k.form = range []string{asTable, asJSON, asCSV} {
			if len(c.body) > 1<<20 && k.form != asTable {
				continue
			}
			var out bytes.Buffer
			status, body = 200, []byte(c.body)
			if err := c.run(&out); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || out.Len() > 0 {
				t.Errorf("%s as %s: %v, want %q; printed %.100q", c.what, k.form, err, c.want, &out)
			}
		}
	}
	status, body = 400, []byte(`{"status":409,"erro":{"codigo":"x"}}`)
	if err := company(io.Discard); err == nil || !strings.HasPrefix(err.Error(), "400 x") {
		t.Errorf("a body that claims another status: %v", err)
	}
	status, body = 400, []byte(`{"erro":{"codigo":"x","mensagem":"a\nrazao: all is well\n\n`+strings.Repeat("x", 1000)+`"}}`)
	if err := company(io.Discard); err == nil || strings.Contains(err.Error(), "\n") || len(err.Error()) > 600 {
		t.Errorf("a message of several lines: %v", err)
	}
}

// zeros is an endless file.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestASignalEndsReading: the first signal ends commands that wait for a pipe.
func TestASignalEndsReading(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	p.Settings = append(p.Settings, "RAZAO_URL=http://127.0.0.1:1", "RAZAO_CHAVE=rz_x")
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"verify", pipe}, {"ask", "lista", pipe}} {
		cmd := p.Command(args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ours, err := os.OpenFile(pipe, os.O_WRONLY, 0) // returns when the command reads
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err == nil || !strings.Contains(err.Error(), "terminated") {
			t.Errorf("%q: %v", args, err)
		}
		_ = ours.Close()
	}
}

// TestAskOfAPartialLoad: what may be in a missing file is neither absent nor asked for again and again.
func TestAskOfAPartialLoad(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Without(t, "2026-08", "Empresas1"))
	w := wholeOn(t, l.Pool, filepath.Dir(l.IndexDir))
	if err := w.live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(w)
	t.Cleanup(server.Close)
	k := &asker{server: newServer(server.URL, w.key, slog.New(slog.DiscardHandler)), form: asTable}
	k.server.retry.Sleep = func(context.Context, time.Duration) error { return errors.New("asked again") }
	var out bytes.Buffer
	if err := k.company(t.Context(), &out, fixture.Bakery); err != nil || !strings.Contains(out.String(), "lidos sem Empresas1.zip") {
		t.Errorf("%v:\n%s", err, &out)
	}
	if err := k.company(t.Context(), &out, "99999999"); err == nil || !strings.HasPrefix(err.Error(), "503 carga_parcial") {
		t.Errorf("a company that may be in it: %v", err)
	}
}
