package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"razao/internal/people/account"
	"razao/internal/testing/fixture"
)

// batchBody is a request for numbers and fields.
func batchBody(t testing.TB, numbers []string, fields ...string) string {
	t.Helper()
	body, err := json.Marshal(batchRequest{numbers, fields})
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// batchItem is one answer of a batch.
type batchItem struct {
	CNPJ  string          `json:"cnpj"`
	Dados json.RawMessage `json:"dados"`
	Erro  struct {
		Codigo string `json:"codigo"`
	} `json:"erro"`
}

// batch asks for numbers and returns the answers.
func (s *service) batch(t testing.TB, numbers []string, fields ...string) []batchItem {
	t.Helper()
	got := s.send(t, "POST", batchPath, strings.NewReader(batchBody(t, numbers, fields...)))
	var body struct {
		Dados struct {
			Itens []batchItem `json:"itens"`
		} `json:"dados"`
	}
	if err := json.Unmarshal(got.body, &body); err != nil || got.status != 200 || len(body.Dados.Itens) != len(numbers) {
		t.Fatalf("%d, %v, %d answers for %d numbers: %.300s", got.status, err, len(body.Dados.Itens), len(numbers), got.body)
	}
	return body.Dados.Itens
}

// TestBatchEqualsSingleCalls compares the answer to each number with that of the basic mode.
func TestBatchEqualsSingleCalls(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	numbers := []string{
		fixture.Bakery, branch(t, fixture.Bakery, "0003"), fixture.Chain, fixture.Nameless, fixture.Homeless, fixture.Letters, fixture.Hostile,
		"00000001", "00000000000191", fixture.Bakery, "1234", "12345678000190", "", "<b>\u202e", strings.ToLower(fixture.Letters),
	}
	for i, item := range s.batch(t, numbers) {
		number := numbers[i]
		if item.CNPJ != number {
			t.Errorf("answer %d is to %q, want %q", i, item.CNPJ, number)
		}
		plural := "estabelecimentos"
		if len(number) == companyResource.positions {
			plural = "empresas"
		}
		if number == "" || strings.ContainsAny(number, "<") {
			if item.Erro.Codigo != "cnpj_invalido" || item.Dados != nil {
				t.Errorf("%q: %s %s", number, item.Erro.Codigo, item.Dados)
			}
			continue
		}
		var alone batchItem
		if err := json.Unmarshal(s.do(t, "GET", "/v2/"+plural+"/"+number+"/basic").body, &alone); err != nil {
			t.Fatal(err)
		}
		if item.Erro.Codigo != alone.Erro.Codigo || string(item.Dados) != string(alone.Dados) {
			t.Errorf("%s: %s %.200s, want %s %.200s", number, item.Erro.Codigo, item.Dados, alone.Erro.Codigo, alone.Dados)
		}
	}
}

func TestBatchExample(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	body := batchBody(t, []string{fixture.Bakery, "00000001", "1234567800019"}, "razao_social", "situacao_cadastral", "uf")
	golden(t, "examples/v2_lote.json", settled(s.send(t, "POST", batchPath, strings.NewReader(body)).body))
}

// TestBatchFields: chosen fields have the values of the basic mode, those of a company's establishment are
// its head office's.
func TestBatchFields(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	second := branch(t, fixture.Bakery, "0003")
	fields := []string{"razao_social", "cnpj", "situacao_cadastral", "opcao_pelo_simples", "capital_social"}
	items := s.batch(t, []string{fixture.Bakery, second, fixture.Homeless, "00000001"}, fields...)
	for i, want := range []string{
		`{"razao_social":"PADARIA ESTRELA DO SUL LTDA","cnpj":"` + branch(t, fixture.Bakery, "0001") + `","situacao_cadastral":"02",`,
		`{"razao_social":"PADARIA ESTRELA DO SUL LTDA","cnpj":"` + second + `",`,
		`"cnpj":null,"situacao_cadastral":null,`,
	} {
		if got := string(items[i].Dados); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", items[i].CNPJ, got, want)
		}
	}
	if got := string(items[0].Dados); !strings.HasSuffix(got, `"descricoes":{"situacao_cadastral":"Ativa"}}`) {
		t.Errorf("meanings: %s", got)
	}
	if items[3].Erro.Codigo != "cnpj_nao_encontrado" {
		t.Errorf("an absent company: %+v", items[3])
	}
}

func TestBatchRefuses(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	tooMany, tooLong := batchBody(t, make([]string, mostInBatch+1)), batchBody(t, []string{strings.Repeat("1", maxBatch)})
	longest := batchBody(t, slices.Repeat([]string{"12345678000195"}, mostInBatch)) + "\n\t\r\n"
	for body, want := range map[string]struct {
		status int
		code   string
	}{
		``:                                      {400, "lote_invalido"},
		`[]`:                                    {400, "lote_invalido"},
		`{"cnpjs":[]}`:                          {400, "lote_invalido"},
		`{"cnpjs":"12345678"}`:                  {400, "lote_invalido"},
		`{"cnpjs":[12345678]}`:                  {400, "lote_invalido"},
		`{"cnpjs":["12345678"]} x`:              {400, "lote_invalido"},
		`{"cnpjs":["12345678"]}]`:               {400, "lote_invalido"},
		`{"cnpjs":["12345678"],"campo":["uf"]}`: {400, "lote_invalido"},
		`{"CNPJs":["12345678"]}`:                {400, "lote_invalido"},
		`{"cnpjs":["1"],"campos":["cpf"]}`:      {400, "lote_invalido"},
		`{"cnpjs":["1"],"campos":["uf","uf"]}`:  {400, "lote_invalido"},
		tooMany:                                 {400, "lote_invalido"},
		tooLong:                                 {413, "lote_grande_demais"},
		longest:                                 {200, ""},
	} {
		got := s.send(t, "POST", batchPath, strings.NewReader(body))
		if want.status == 200 && got.status == 200 {
			continue
		}
		checkError(t, got, want.status, want.code)
	}
	for body, parameter := range map[string]string{
		`{"CNPJs":["1"]}`: "CNPJs", `{"cnpjs":"1"}`: "cnpjs", `{"cnpjs":["1"],"campo":[]}`: "campo", `{"cnpjs":["1"],"campos":["cpf"]}`: "campos",
	} {
		if got := s.send(t, "POST", batchPath, strings.NewReader(body)); !strings.Contains(string(got.body), `"parametro":"`+parameter+`"`) {
			t.Errorf("%s: %s", body, got.body)
		}
	}
	for media, status := range map[string]int{"application/json": 200, "application/json; charset=utf-8": 200, "text/plain": 400, "application/x-www-form-urlencoded": 400} {
		if got := s.send(t, "POST", batchPath, strings.NewReader(batchBody(t, []string{fixture.Bakery})), "Content-Type", media); got.status != status {
			t.Errorf("%s: %d, want %d", media, got.status, status)
		}
	}
	checkError(t, s.send(t, "POST", batchPath+"?limite=1", strings.NewReader(batchBody(t, []string{"1"}))), 400, "parametro_invalido")
	checkError(t, s.do(t, "GET", batchPath), 405, "metodo_nao_permitido")
}

// TestBatchCountsACallForTwentyNumbers: a batch for which the minute has too few calls left costs one.
func TestBatchCountsACallForTwentyNumbers(t *testing.T) {
	t.Parallel()
	m := newMetered(t)
	key, _ := m.key(t, "lote")
	left := account.CallsPerMinute
	recorded := 0
	for _, c := range []struct{ numbers, calls, status int }{{1, 1, 200}, {20, 1, 200}, {21, 2, 200}, {1000, 50, 200}, {200, 1, 429}, {100, 5, 200}, {1, 0, 429}} {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, batchPath, strings.NewReader(batchBody(t, slices.Repeat([]string{fixture.Bakery}, c.numbers))))
		r.Header.Set("Authorization", "Bearer "+key)
		m.ServeHTTP(w, r)
		left, recorded = left-c.calls, recorded+c.calls
		if w.Code != c.status || w.Header().Get("X-RateLimit-Remaining") != fmt.Sprint(left) || c.status == 429 && w.Header().Get("Retry-After") == "" {
			t.Errorf("%d numbers: %d, %s calls are left, want %d, %d", c.numbers, w.Code, w.Header().Get("X-RateLimit-Remaining"), c.status, left)
		}
	}
	m.stop()
	calls, err := m.keys.Calls(t.Context(), m.id, 0, 0, 100)
	if err != nil || len(calls) != recorded || calls[0].Endpoint != batchPath {
		t.Errorf("%d calls are recorded, want %d: %v", len(calls), recorded, err)
	}
}

// FuzzBatch fails if a body is answered with anything but an answer for every number or a refusal.
func FuzzBatch(f *testing.F) {
	for _, body := range []string{`{"cnpjs":["12345678","98765432000198"],"campos":["uf"]}`, `{"cnpjs":null}`, "{", `{"cnpjs":["\ud800"]}`} {
		f.Add(body)
	}
	s := read(f, fixture.SharedRecords(f))
	f.Fuzz(func(t *testing.T, body string) {
		got := s.send(t, "POST", batchPath, strings.NewReader(body))
		if got.status != 200 && got.status != 400 && got.status != 413 {
			t.Errorf("%q: %d", body, got.status)
		}
	})
}
