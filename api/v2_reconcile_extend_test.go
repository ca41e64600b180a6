package api

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"razao/internal/testing/fixture"
)

// extend asks for columns in a form and returns the answer.
func (s *service) extend(t testing.TB, question string) (got extended) {
	t.Helper()
	r := s.send(t, "POST", reconcilePath, strings.NewReader(url.Values{"extend": {question}}.Encode()), "Content-Type", formType)
	if err := json.Unmarshal(r.body, &got); err != nil || r.status != 200 {
		t.Fatalf("%d, %v: %.300s", r.status, err, r.body)
	}
	return got
}

// TestExtendEqualsBatch asks for every column that is proposed: as codes they have the values of a batch, in words the meanings, and
// what a batch hides of individuals is not in them either.
func TestExtendEqualsBatch(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	var proposed proposal
	if got := s.do(t, "GET", reconcileProposePath+"?type="); json.Unmarshal(got.body, &proposed) != nil || len(proposed.Properties) < 30 {
		t.Fatalf("%d: %s", got.status, got.body)
	}
	var fields, words, codes []string
	for _, p := range proposed.Properties {
		fields = append(fields, p.ID)
		words = append(words, fmt.Sprintf(`{"id":%q}`, p.ID))
		codes = append(codes, fmt.Sprintf(`{"id":%q,"settings":{"valor":"codigo"}}`, p.ID))
	}
	numbers := []string{
		fixture.Bakery, branch(t, fixture.Bakery, "0003"), fixture.Chain, fixture.Nameless, fixture.Homeless, fixture.Letters, fixture.Hostile, branch(t, fixture.MEI, "0001"),
		"00000001", "1234", "",
	}
	ids, err := json.Marshal(numbers)
	if err != nil {
		t.Fatal(err)
	}
	inWords := s.extend(t, fmt.Sprintf(`{"ids":%s,"properties":[%s]}`, ids, strings.Join(words, ",")))
	asCodes := s.extend(t, fmt.Sprintf(`{"ids":%s,"properties":[%s]}`, ids, strings.Join(codes, ",")))
	if len(inWords.Meta) != len(fields) || len(inWords.Rows) != len(numbers) {
		t.Errorf("%d columns, %d rows", len(inWords.Meta), len(inWords.Rows))
	}
	described := 0
	for _, item := range s.batch(t, numbers, fields...) {
		var values map[string]any
		if item.Dados != nil {
			if err := json.Unmarshal(item.Dados, &values); err != nil {
				t.Fatal(err)
			}
		}
		meanings, _ := values["descricoes"].(map[string]any)
		for _, name := range fields {
			var codes, words []string
			list, isList := values[name].([]any)
			if !isList {
				list = []any{values[name]}
			}
			texts, _ := meanings[name].(map[string]any)
			for _, v := range list {
				if v == nil || v == "" {
					continue
				}
				text := fmt.Sprint(v)
				codes, words = append(codes, text), append(words, text)
				if meaning, ok := meanings[name].(string); ok {
					words[len(words)-1] = meaning
				} else if meaning, ok := texts[text].(string); ok {
					words[len(words)-1] = meaning
				}
			}
			if !slices.Equal(codes, words) {
				described++
			}
			for _, asked := range []struct {
				of   extended
				want []string
			}{{inWords, words}, {asCodes, codes}} {
				var got []string
				for _, c := range asked.of.Rows[item.CNPJ][name] {
					for kind, v := range c {
						text := fmt.Sprint(v)
						switch {
						case kind == "date":
							text = strings.TrimSuffix(text, "T00:00:00Z")
						case text == "sim":
							text = "true"
						case text == "não":
							text = "false"
						}
						got = append(got, text)
					}
				}
				if !slices.Equal(got, asked.want) {
					t.Errorf("%s of %q: %q, want %q", name, item.CNPJ, got, asked.want)
				}
			}
		}
	}
	if described < 20 {
		t.Errorf("only %d values had meanings", described)
	}
}

// TestExtendReadsMasks: an identifier with its mask has the values of the number, under the identifier as it came.
func TestExtendReadsMasks(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	got := s.extend(t, `{"ids":["12.345.678/0001-95","12345678000195","12.345.678"," 12345678 ","93"],"properties":[{"id":"razao_social"},{"id":"uf"}]}`)
	want := got.Rows["12345678000195"]
	if len(want["razao_social"]) != 1 || len(got.Rows) != 5 || len(got.Rows["93"]["uf"]) != 0 {
		t.Fatalf("%+v", got.Rows)
	}
	for _, id := range []string{"12.345.678/0001-95", "12.345.678", " 12345678 "} {
		if fmt.Sprint(got.Rows[id]["razao_social"]) != fmt.Sprint(want["razao_social"]) {
			t.Errorf("%q: %+v, want %+v", id, got.Rows[id], want)
		}
	}
}

func TestExtendRefuses(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	for _, form := range []string{
		"extend=", "extend=[]", "extend=" + url.QueryEscape(`{"ids":[],"properties":[]}`), "extend=" + url.QueryEscape(`{"ids":[1],"properties":[]}`),
		"extend=" + url.QueryEscape(`{"ids":["1"],"properties":[{"id":"cpf"}]}`), "extend=" + url.QueryEscape(`{"ids":["1"],"properties":[{"id":"uf"},{"id":"uf"}]}`),
		"extend=" + url.QueryEscape(`{"ids":["1"],"properties":[{"id":"uf","settings":{"valor":"os dois"}}]}`),
		"extend=" + url.QueryEscape(`{"ids":["`+strings.Repeat(`1","`, mostInBatch)+`1"],"properties":[]}`), "queries=%7B%7D&extend=%7B%7D", "",
	} {
		checkError(t, s.send(t, "POST", reconcilePath, strings.NewReader(form), "Content-Type", formType), 400, "lote_invalido")
	}
	for _, limit := range []string{"0", "x", ""} {
		checkError(t, s.do(t, "GET", reconcileProposePath+"?limit="+limit), 400, "parametro_invalido")
	}
	checkError(t, s.do(t, "GET", reconcileProposePath, "Authorization", ""), 401, "chave_ausente")
}
