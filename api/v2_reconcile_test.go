package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"razao/index"
	"razao/internal/people/account"
	"razao/internal/store/reconcile"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
)

const formType = "application/x-www-form-urlencoded"

// reconcile asks questions in a form and returns the answers.
func (s *service) reconcile(t testing.TB, queries string) map[string]candidates {
	t.Helper()
	got := s.send(t, "POST", reconcilePath, strings.NewReader(url.Values{"queries": {queries}}.Encode()), "Content-Type", formType)
	var answers map[string]candidates
	if err := json.Unmarshal(got.body, &answers); err != nil || got.status != 200 {
		t.Fatalf("%d, %v: %.300s", got.status, err, got.body)
	}
	return answers
}

// TestReconcile asks questions of every shape that the protocol has.
func TestReconcile(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	bakery := branch(t, fixture.Bakery, "0001")
	inSaoPaulo := branch(t, fixture.Bakery, "00A4")
	queries := map[string]string{
		"name":         `{"query":"Padaria Estrela do Sul"}`,
		"typo":         `{"query":"PADARIA ESTRELLA DO SULL ME","type":"empresa","type_strict":"should"}`,
		"trade":        `{"query":"estrela do sul paes e doces","type":["empresa"]}`,
		"place":        `{"query":"padaria estrela do sul","properties":[{"pid":"municipio","v":"São Paulo/SP"}]}`,
		"codes":        `{"query":"padaria estrela do sul","properties":[{"pid":"municipio","v":7107},{"pid":"uf","v":["SP","RJ"]},{"pid":"atividade","v":"1091-1/02"}]}`,
		"entity":       `{"query":"padaria estrela do sul","properties":[{"pid":"municipio","v":{"id":"3509502","name":"Campinas"}},{"pid":"uf","v":{"id":"SP"}}]}`,
		"number":       `{"query":"12.345.678/0001-95"}`,
		"entrepreneur": `{"query":"41.330.504 JOANA FICTICIA SILVA"}`,
		"another root": `{"query":"41.330.504 PADARIA ESTRELA DO SUL"}`,
		"root":         `{"query":"12345678","limit":1}`,
		"absent":       `{"query":"00.000.000/0001-91"}`,
		"nobody":       `{"query":"Frigorífico Xavante Setentrional"}`,
		"person":       `{"query":"PADARIA ESTRELA DO SUL 529.982.247-25"}`,
		"empty":        `{"query":""}`,
		"place alone":  `{"properties":[{"pid":"uf","v":"SP"}]}`,
		"legal form":   `{"query":"LTDA ME"}`,
		"hostile":      `{"query":"\"<script>alert('oi')</script>\" & cia"}`,
		"limit":        `{"query":"exemplo","limit":1}`,
		"unreadable":   `{"query":"padaria estrela do sul","properties":[{"pid":"municipio","v":"Terra Média"},{"pid":"uf","v":null},{"pid":"atividade","v":true}]}`,
	}
	var all []string
	for key, q := range queries {
		all = append(all, fmt.Sprintf("%q:%s", key, q))
	}
	answers := s.reconcile(t, "{"+strings.Join(all, ",")+"}")
	if len(answers) != len(queries) {
		t.Errorf("%d answers to %d questions", len(answers), len(queries))
	}
	for key, want := range map[string]string{
		"name": bakery, "typo": bakery, "trade": bakery, "place": inSaoPaulo, "codes": inSaoPaulo, "entity": bakery, "number": bakery, "root": bakery,
		"entrepreneur": branch(t, fixture.MEI, "0001"), "another root": bakery,
		"hostile": branch(t, fixture.Hostile, "0001"), "unreadable": bakery,
	} {
		got := answers[key].Result
		if len(got) == 0 || got[0].ID != want || got[0].Match != (key != "typo") && key != "typo" {
			t.Errorf("%s: %+v, want %s", key, got, want)
		}
	}
	for _, key := range []string{"absent", "person", "empty", "place alone", "legal form"} {
		if got, ok := answers[key]; !ok || got.Result == nil || len(got.Result) != 0 {
			t.Errorf("%s: %+v, want an empty list", key, got)
		}
	}
	for _, c := range answers["nobody"].Result {
		if c.Match {
			t.Errorf("nobody: %+v is called a match", c)
		}
	}
	if n := len(answers["limit"].Result); n != 1 {
		t.Errorf("limit 1: %d candidates", n)
	}
	// A question is answered by itself, whatever stands beside it.
	for key, q := range queries {
		alone := s.reconcile(t, fmt.Sprintf("{%q:%s}", key, q))
		if a, b := fmt.Sprint(alone[key]), fmt.Sprint(answers[key]); a != b {
			t.Errorf("%s alone: %s, among others %s", key, a, b)
		}
		byGet := s.do(t, "GET", reconcilePath+"?queries="+url.QueryEscape(fmt.Sprintf("{%q:%s}", key, q)))
		var got map[string]candidates
		if err := json.Unmarshal(byGet.body, &got); err != nil || fmt.Sprint(got) != fmt.Sprint(alone) {
			t.Errorf("%s by GET: %.200s", key, byGet.body)
		}
	}
}

func TestReconcileRefuses(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	many := func(n int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(`"q%d":{"query":"padaria"}`, i))
		}
		return "{" + strings.Join(all, ",") + "}"
	}
	for queries, code := range map[string]string{
		``: "lote_invalido", `[]`: "lote_invalido", `{}`: "lote_invalido", `{"q0":{"query":"a"}} x`: "lote_invalido",
		many(mostQuestions + 1): "lote_invalido",
	} {
		checkError(t, s.send(t, "POST", reconcilePath, strings.NewReader(url.Values{"queries": {queries}}.Encode()), "Content-Type", formType), 400, code)
		checkError(t, s.do(t, "GET", reconcilePath+"?queries="+url.QueryEscape(queries)), 400, code)
	}
	checkError(t, s.send(t, "POST", reconcilePath, strings.NewReader(`{"q0":{"query":"a"}}`)), 400, "lote_invalido")
	checkError(t, s.send(t, "POST", reconcilePath, strings.NewReader("queries="+strings.Repeat("a", maxBatch))), 413, "lote_grande_demais")
	checkError(t, s.do(t, "GET", reconcilePath+"?callback=x"), 400, "parametro_invalido") // JSONP
	checkError(t, s.do(t, "GET", reconcilePath+"?queries=%7B%7D", "Authorization", ""), 401, "chave_ausente")
	checkError(t, s.send(t, "POST", reconcilePath, strings.NewReader("queries=%7B%7D"), "Authorization", ""), 401, "chave_ausente")
}

// TestReconcileRefusesQueriesAlone: what is wrong with one question is said in its place, and the others are answered as if it were not there.
func TestReconcileRefusesQueriesAlone(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	const good = `{"query":"Padaria Estrela do Sul"}`
	want := s.reconcile(t, `{"good":`+good+`}`)["good"]
	for bad, says := range map[string]string{
		`{"query":"` + strings.Repeat("a", index.LongestText+1) + `"}`: "200", `{"query":12345678000195}`: "query", `{"quer":"padaria"}`: "query", `null`: "objeto", `"padaria"`: "objeto",
		`{"query":"a","limit":"x"}`: "limit", `{"query":"a","properties":[{"pid":"cpf","v":"1"}]}`: "cpf", `{"query":"a","properties":[{"pid":"uf","v":[["SP"]]}]}`: "uf",
		`{"query":"a","properties":[{"pid":"uf","v":"` + strings.Repeat("a", index.LongestText+1) + `"}]}`: "uf",
	} {
		got := s.reconcile(t, `{"bad":`+bad+`,"good":`+good+`}`)
		if e := got["bad"].Error; len(got) != 2 || e == nil || e.Code != "lote_invalido" || !strings.Contains(e.Message, says) || got["bad"].Result == nil || len(got["bad"].Result) > 0 {
			t.Errorf("%.60s: %+v", bad, got["bad"])
		}
		if fmt.Sprint(got["good"]) != fmt.Sprint(want) || want.Error != nil || len(want.Result) == 0 {
			t.Errorf("beside %.60s: %+v, want %+v", bad, got["good"], want)
		}
	}
}

// TestReconcileEndsWithASlash: the endpoint with a slash is the endpoint.
func TestReconcileEndsWithASlash(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	form := url.Values{"queries": {`{"q0":{"query":"Padaria Estrela do Sul"}}`}}.Encode()
	for _, ask := range []func(path string) answer{
		func(path string) answer {
			return s.send(t, "POST", path, strings.NewReader(form), "Content-Type", formType)
		},
		func(path string) answer { return s.do(t, "GET", path+"?"+form) },
		func(path string) answer { return s.do(t, "GET", path, "Authorization", "") },
	} {
		without, with := ask(reconcilePath), ask(reconcilePath+"/")
		if with.status != 200 || string(with.body) != string(without.body) {
			t.Errorf("%d: %.200s; without the slash %.200s", with.status, with.body, without.body)
		}
	}
}

// TestPreviewRefusesWithAPage: in the frame of OpenRefine every refusal is a page, too; who asks for JSON gets it.
func TestPreviewRefusesWithAPage(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	good := "Bearer " + s.key
	for _, c := range []struct {
		query, key string
		status     int
		code       string
	}{
		{"?id=93", good, 400, "cnpj_invalido"},
		{"?id=%3Cb%3E", good, 400, "cnpj_invalido"},
		{"", good, 400, "cnpj_invalido"},
		{"?id=93&id=93", good, 400, "parametro_invalido"},
		{"?id=00000001", good, 404, "cnpj_nao_encontrado"},
		{"?id=" + fixture.Homeless, good, 404, "cnpj_nao_encontrado"},
		{"?id=" + fixture.Bakery, "", 401, "chave_ausente"},
	} {
		for _, accept := range []string{"", "*/*", "text/html,application/xhtml+xml,*/*;q=0.8"} {
			got := s.do(t, "GET", reconcilePreviewPath+c.query, "Authorization", c.key, "Accept", accept)
			if body := string(got.body); got.status != c.status || got.header.Get("Content-Type") != htmlType || !strings.HasPrefix(body, "<!doctype html>") ||
				strings.Contains(body, "<b>") || !strings.Contains(body, "</p>") {
				t.Errorf("%s, %q: %d, %s: %s", c.query, accept, got.status, got.header.Get("Content-Type"), body)
			}
		}
		checkError(t, s.do(t, "GET", reconcilePreviewPath+c.query, "Authorization", c.key, "Accept", "application/json"), c.status, c.code)
	}
	if got := s.do(t, "GET", reconcilePreviewPath+"?id=12.345.678/0001-95"); got.status != 200 || !strings.Contains(string(got.body), "PADARIA ESTRELA DO SUL") {
		t.Errorf("with its mask: %d %s", got.status, got.body)
	}
}

// TestReconcileManifest: the manifest needs no key, and no answer lets browsers of other sites read it.
func TestReconcileManifest(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	for _, path := range []string{reconcilePath, reconcilePath + "?queries=" + url.QueryEscape(`{"q0":{"query":"padaria"}}`)} {
		got := s.do(t, "GET", path, "Origin", "http://127.0.0.1:3333")
		for name := range got.header {
			if strings.HasPrefix(name, "Access-Control-") {
				t.Errorf("%s: %s", path, name)
			}
		}
	}
	got := s.do(t, "GET", reconcilePath, "Authorization", "")
	var m struct {
		Versions []string
		Preview  struct{ URL string }
	}
	if err := json.Unmarshal(got.body, &m); err != nil || got.status != 200 || fmt.Sprint(m.Versions) != "[0.2]" {
		t.Fatalf("%d, %v: %s", got.status, err, got.body)
	}
	preview := strings.TrimPrefix(strings.ReplaceAll(m.Preview.URL, "{{id}}", branch(t, fixture.Hostile, "0001")), "https://razao.exemplo")
	page := s.do(t, "GET", preview)
	if body := string(page.body); page.status != 200 || page.header.Get("Content-Type") != "text/html; charset=utf-8" ||
		!strings.Contains(body, "&lt;SCRIPT&gt;") || strings.Contains(body, "<SCRIPT>") {
		t.Errorf("preview: %d, %s: %s", page.status, page.header.Get("Content-Type"), body)
	}
}

// TestReconcileCountsCalls: ten questions are a call, and so are columns of twenty rows.
func TestReconcileCountsCalls(t *testing.T) {
	t.Parallel()
	m := newMetered(t)
	key, _ := m.key(t, "listas")
	left := account.CallsPerMinute
	ask := func(field, asked string, calls int) {
		t.Helper()
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, reconcilePath, strings.NewReader(url.Values{field: {asked}}.Encode()))
		r.Header.Set("Authorization", "Bearer "+key)
		m.ServeHTTP(w, r)
		left -= calls
		if w.Code != 200 || w.Header().Get("X-RateLimit-Remaining") != fmt.Sprint(left) {
			t.Errorf("%.40s: %d, %s calls are left, want %d", asked, w.Code, w.Header().Get("X-RateLimit-Remaining"), left)
		}
	}
	for _, n := range []int{1, 10, 11, 50} {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(`"q%d":{"query":"padaria"}`, i))
		}
		ask("queries", "{"+strings.Join(all, ",")+"}", (n+questionsPerCall-1)/questionsPerCall)
	}
	for _, n := range []int{1, 20, 21} {
		ids := strings.Repeat(`"12345678",`, n-1) + `"12345678"`
		ask("extend", `{"ids":[`+ids+`],"properties":[{"id":"uf"}]}`, (n+numbersPerCall-1)/numbersPerCall)
	}
}

// TestReconcileCountsItsWork: names of twenty words that no company has take as many searches as a name may, and count as more calls.
func TestReconcileCountsItsWork(t *testing.T) {
	t.Parallel()
	m := newMetered(t)
	key, _ := m.key(t, "listas")
	ask := func(status int) (left int) {
		t.Helper()
		var all []string
		for i := range mostQuestions {
			name := ""
			for word := range 20 {
				name += fmt.Sprintf("xq%czv%cw ", 'a'+i%26, 'a'+word)
			}
			all = append(all, fmt.Sprintf(`"q%d":{"query":"%s"}`, i, name))
		}
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, reconcilePath, strings.NewReader(url.Values{"queries": {"{" + strings.Join(all, ",") + "}"}}.Encode()))
		r.Header.Set("Authorization", "Bearer "+key)
		m.ServeHTTP(w, r)
		left, err := strconv.Atoi(w.Header().Get("X-RateLimit-Remaining"))
		if w.Code != status || err != nil {
			t.Errorf("%d, want %d; %v", w.Code, status, err)
		}
		return left
	}
	const minute, asNames = account.CallsPerMinute, mostQuestions / questionsPerCall
	counted := minute - ask(200)
	if most := mostQuestions * 2 * reconcile.NameWork / snapshot.CallWork; counted <= 2*asNames || counted > most || counted > reconcileCalls {
		t.Errorf("counted as %d calls, names alone as %d, at most %d", counted, asNames, most)
	}
	if left := ask(200); left != minute-2*counted {
		t.Errorf("another time %d calls are left, want %d", left, minute-2*counted)
	}
	for left := minute - 2*counted; left > 0; left-- {
		m.ask(t, reconcileProposePath, key)
	}
	ask(429)
}

// FuzzReconcile fails if questions, for candidates or for columns, are answered with anything but an answer or a refusal.
func FuzzReconcile(f *testing.F) {
	for _, queries := range []string{`{"q0":{"query":"padaria","limit":3}}`, `{"q0":{"query":"a","properties":[{"pid":"uf","v":[{"id":"SP"}]}]}}`, `{"":{"query":"\ud800"}}`, "null"} {
		f.Add("queries", queries)
	}
	f.Add("extend", `{"ids":["12345678","x"],"properties":[{"id":"municipio","settings":{"valor":"codigo"}},{"id":"cnae_fiscal_secundaria"}]}`)
	s := read(f, fixture.SharedRecords(f))
	f.Fuzz(func(t *testing.T, field, queries string) {
		got := s.send(t, "POST", reconcilePath, strings.NewReader(url.Values{field: {queries}}.Encode()), "Content-Type", formType)
		if got.status != 200 && got.status != 400 && got.status != 413 {
			t.Errorf("%q: %d", queries, got.status)
		}
	})
}
