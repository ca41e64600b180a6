package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"razao/internal/store/proof"
	"razao/internal/testing/fixture"
)

// provedAnswers are the answers that razao verify compares, of companies of every kind.
var provedAnswers = map[string][]string{
	fixture.Bakery: {
		"/v1/cnpj/12345678", "/v1/cnpj/12345678000195", "/v2/empresas/12345678/basic", "/v2/empresas/12345678/basic?limite=1", "/v2/empresas/12345678/basic?limite=3",
		"/v2/empresas/12345678/full", "/v2/estabelecimentos/1234567800A479/basic?limite=1", "/v2/estabelecimentos/12345678000195/full",
	},
	fixture.Homeless: {"/v1/cnpj/44444444", "/v2/empresas/44444444/basic"},
	fixture.Nameless: {"/v1/cnpj/55555555", "/v2/empresas/55555555/full"},
	fixture.MEI:      {"/v2/empresas/41330504/basic"},
	fixture.Abroad:   {"/v2/empresas/60606060/basic"},
	fixture.Hostile:  {"/v2/empresas/70707070/basic"},
	fixture.Chain:    {"/v1/cnpj/11222333", "/v2/empresas/11222333/basic", "/v2/empresas/11222333/basic?limite=2", "/v2/empresas/11222333/full?limite=100"},
}

// saved returns the text of a proof or an answer.
func (w *whole) saved(t *testing.T, path string) string {
	t.Helper()
	got := w.read(t, "GET", path, "Authorization", "Bearer "+w.key)
	if got.status != 200 {
		t.Fatalf("%s: %d %s", path, got.status, got.body)
	}
	return got.body
}

// judge runs razao verify, with the answer on standard input, and returns its exit code and what it printed.
func judge(t *testing.T, prova string, answer ...string) (code int, out string) {
	t.Helper()
	args := []string{save(t, prova)}
	var b bytes.Buffer
	cmd := (&app{}).verifyCommand()
	for _, text := range answer {
		args = append(args, "-")
		cmd.SetIn(strings.NewReader(text))
	}
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(args)
	cmd.SetOut(&b)
	err := cmd.ExecuteContext(t.Context())
	if err == nil {
		return 0, b.String()
	}
	if exit, ok := errors.AsType[*exitError](err); ok {
		return exit.code, b.String() + err.Error()
	}
	return 1, b.String() + err.Error()
}

func save(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "answer.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestVerify compares every kind of answer with its proof, as served and altered.
func TestVerify(t *testing.T) {
	t.Parallel()
	w, _ := answering(t)
	prova := w.saved(t, "/v2/empresas/12345678/prova")
	basic := w.saved(t, "/v2/empresas/12345678/basic?limite=3")
	alter := func(text, part, what string) string {
		altered := strings.Replace(text, part, what, 1)
		if altered == text {
			t.Fatalf("there is no %s in %s", part, text)
		}
		return altered
	}
	const gap = `"disponibilidade":"parcial","lacunas":[{"parte":"estabelecimentos","arquivos":["Estabelecimentos3.zip"]}]`
	name := `"razao_social":"PADARIA ESTRELA DO SUL LTDA"`
	items := basic[strings.Index(basic, `"estabelecimentos":{"itens":[`)+len(`"estabelecimentos":{"itens":[`) : strings.Index(basic, `],"total":4`)]
	for what, c := range map[string]struct {
		answer string
		code   int
		says   string
	}{
		"as served":                  {basic, 0, "answer      the same"},
		"of a load that lacks files": {alter(alter(basic, `"disponibilidade":"completa"`, gap), `"total":4`, `"total":4,"total_minimo":true`), 0, "not covered meta.lacunas"},
		"a total that is no bound":   {alter(basic, `"total":4`, `"total":4,"total_minimo":true`), 1, "total_minimo"},
		"another number of decimals": {alter(basic, `"capital_social":480000.00`, `"capital_social":480000.0`), 0, "answer      the same"},
		"a number with an exponent":  {alter(basic, `"capital_social":480000.00`, `"capital_social":48e4`), 0, "answer      the same"},
		"a cent more":                {alter(basic, `"capital_social":480000.00`, `"capital_social":480000.01`), 1, "different   dados.empresa.capital_social: the answer has 480000.01, the rows 480000.00"},
		"a number without end":       {alter(basic, `"capital_social":480000.00`, `"capital_social":1e999999999`), 1, "dados.empresa.capital_social"},
		"a member that is none":      {alter(basic, name, name+`,"sancoes":"INIDONEA"`), 1, `different   dados.empresa.sancoes: the answer has "INIDONEA", and the rows have no such thing`},
		"one beside the company":     {alter(basic, `"estabelecimentos"`, `"sancoes":"INIDONEA","estabelecimentos"`), 1, "different   dados.sancoes:"},
		"one beside dados":           {alter(basic, `"meta"`, `"sancoes":"INIDONEA","meta"`), 1, "the answer is different from the rows in one place;"},
		"one in meta":                {alter(basic, `"versao"`, `"sancoes":"INIDONEA","versao"`), 1, "different   meta.sancoes:"},
		"one among meanings":         {alter(basic, `"descricoes":{`, `"descricoes":{"sancoes":"INIDONEA",`), 1, "different   dados.empresa.descricoes:"},
		"no establishments":          {alter(basic, items, ""), 1, "different   dados.estabelecimentos.itens[0]: it is missing from the answer, and the rows have an object or a list"},
		"no establishments at all":   {alter(alter(basic, items, ""), `"total":4`, `"total":0`), 1, "dados.estabelecimentos.total: the answer has 0, the rows 4"},
		"one establishment too few":  {alter(basic, `{"cnpj":"12345678000195"`+strings.SplitN(strings.SplitN(items, `{"cnpj":"12345678000195"`, 2)[1], `{"cnpj":`, 2)[0], ""), 1, "different"},
		"another name":               {alter(basic, "PADARIA ESTRELA", "PADARIA ESTRELLA"), 1, "different   dados.empresa.razao_social"},
		"null for nothing":           {alter(basic, `"nome_cidade_exterior":""`, `"nome_cidade_exterior":null`), 1, ".nome_cidade_exterior"},
		"a member missing":           {alter(basic, name+",", ""), 1, "dados.empresa.razao_social: it is missing from the answer, and the rows have \"PADARIA ESTRELA"},
		"a name in capitals":         {alter(basic, name, `"RAZAO_SOCIAL":"OUTRA",`+name), 1, `dados.empresa["RAZAO_SOCIAL"]`},
		"a name twice":               {alter(basic, name, `"razao_social":"OUTRA",`+name), 1, "twice"},
		"two answers":                {basic + basic, 1, "after top-level value"},
		"another company's cursor":   {alter(basic, "/v2/empresas/12345678/", "/v2/empresas/98765432/"), 1, ".proxima_url"},
		"another company's meta":     {alter(basic, `"documento":"12345678"`, `"documento":"98765432"`), 1, "meta.documento"},
		"a terminal sequence":        {alter(basic, "PADARIA ESTRELA", `PADARIA\u001b[2J\u202e`), 1, `\u202e`},
		"a company without meanings": {w.saved(t, "/v2/empresas/12345678/socios"), 1, "different"},
		"a proof":                    {prova, 1, "it is no answer"},
		"no answer":                  {`[]`, 1, "it is no answer"},
	} {
		if code, out := judge(t, prova, c.answer); code != c.code || !strings.Contains(out, c.says) || strings.Contains(out, "\x1b") || c.code == 1 && strings.Contains(out, "the same") {
			t.Errorf("%s: exit code %d, want %d with %q:\n%s", what, code, c.code, c.says, out)
		}
	}
	code, out := judge(t, prova, basic)
	for _, line := range []string{
		"covered     dados.empresa.socios: 2 of 2\n", "covered     dados.estabelecimentos: 3 of 4\n", "not covered dados.empresa.descricoes: ", "not covered meta.competencia: ",
		"not covered dados.estabelecimentos.proximo_cursor: ", "not covered whether what was loaded is true, and what the company is today\n", `"razao_social": "PADARIA ESTRELA DO SUL LTDA"`,
	} {
		if code != 0 || !strings.Contains(out, line) {
			t.Errorf("exit code %d, %q is not in:\n%s", code, line, out)
		}
	}
	if _, out := judge(t, prova, w.saved(t, "/v2/empresas/12345678/full")); !strings.Contains(out, "not covered dados.registros_publicos: ") {
		t.Errorf("records of a source:\n%s", out)
	}

	w.beSomebodyElse(t)
	for root, paths := range provedAnswers {
		prova := w.saved(t, "/v2/empresas/"+root+"/prova")
		for _, path := range paths {
			if code, out := judge(t, prova, w.saved(t, path)); code != 0 || !strings.Contains(out, "answer      the same") {
				t.Errorf("%s: exit code %d:\n%s", path, code, out)
			}
		}
	}
	if code, out := judge(t, w.saved(t, "/v2/empresas/98765432/prova"), basic); code != 1 || !strings.Contains(out, "different") {
		t.Errorf("the proof of another company: exit code %d:\n%s", code, out)
	}
}

// TestVerifyWithoutRows: a proof without rows is never "the same", whoever left them out.
func TestVerifyWithoutRows(t *testing.T) {
	t.Parallel()
	w, _ := answering(t)
	value, err := proof.ReadJSON(strings.NewReader(w.saved(t, "/v2/empresas/12345678/prova")))
	if err != nil {
		t.Fatal(err)
	}
	dados := value.(map[string]any)["dados"].(map[string]any)
	stripped := func(aviso any, root string) string {
		mine := maps.Clone(dados)
		mine["linhas"], mine["nonce"], mine["aviso"], mine["cnpj_basico"] = nil, nil, aviso, root
		text, err := json.Marshal(map[string]any{"dados": mine})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	basic := w.saved(t, "/v2/empresas/12345678/basic")
	for _, root := range []string{"12345678", "98765432"} {
		for _, answer := range [][]string{nil, {basic}} {
			code, out := judge(t, stripped("Um contato foi ocultado.", root), answer...)
			if code != withheldCode || !strings.Contains(out, "whoever passed the file on may have taken them out") || strings.Contains(out, "the same") || strings.Contains(out, root) {
				t.Errorf("exit code %d:\n%s", code, out)
			}
		}
	}
	if code, out := judge(t, stripped(nil, "12345678")); code != 1 || !strings.Contains(out, "linhas and nonce come together") {
		t.Errorf("without a reason: exit code %d:\n%s", code, out)
	}
	if code, _ := judge(t, strings.Replace(stripped("x", "12345678"), `{"dados"`, `{"sancoes":"INIDONEA","dados"`, 1)); code != 1 {
		t.Errorf("a member beside dados: exit code %d", code)
	}
}

// TestEveryMemberOfAnAnswerCounts alters every value of every kind of answer, adds to it, and removes it: that is
// different, or listed as not covered.
func TestEveryMemberOfAnAnswerCounts(t *testing.T) {
	t.Parallel()
	w, _ := answering(t)
	altered := 0
	for root, paths := range map[string][]string{
		fixture.Bakery:   {"/v1/cnpj/12345678", "/v2/empresas/12345678/basic?limite=3", "/v2/estabelecimentos/1234567800A479/basic?limite=1"},
		fixture.Nameless: {"/v2/empresas/55555555/full"},
		fixture.Homeless: {"/v1/cnpj/44444444"},
	} {
		a, err := proof.ReadAnswer(strings.NewReader(w.saved(t, "/v2/empresas/"+root+"/prova")))
		if err != nil {
			t.Fatal(err)
		}
		v, err := a.Verify()
		if err != nil {
			t.Fatal(err)
		}
		rows, err := decodeRows(v.Root, a.Rows)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			answer, err := proof.ReadJSON(strings.NewReader(w.saved(t, path)))
			if err != nil {
				t.Fatal(err)
			}
			alterEach("", answer, func(other any) { answer = other }, func(place, how string) {
				altered++
				want, _, err := rows.answer(answer)
				if err != nil {
					return
				}
				c := proof.Compare("", want, answer)
				listed := slices.ContainsFunc(slices.Collect(maps.Keys(c.Unproved)), func(unproved string) bool {
					return place == unproved || strings.HasPrefix(place, unproved+".") || strings.HasPrefix(place, unproved+"[")
				})
				if len(c.Different) == 0 && !listed {
					t.Errorf("%s: %s %s was not noticed", path, how, place)
				}
			})
		}
	}
	if t.Logf("%d alterations", altered); altered < 5000 {
		t.Error("these are too few")
	}
}

// alterEach alters a value and all values within it, one at a time, and puts each back. place is a path without
// indices.
func alterEach(place string, value any, put func(any), then func(place, how string)) {
	for _, other := range []any{nil, "INIDONEA", json.Number("1"), map[string]any{}} {
		if fmt.Sprint(other) != fmt.Sprint(value) || other == nil != (value == nil) {
			put(other)
			then(place, fmt.Sprintf("%v instead of", other))
		}
	}
	put(value)
	switch v := value.(type) {
	case json.Number:
		put(v + "1")
		then(place, "a digit more in")
	case string:
		put(v + " ")
		then(place, "a blank more in")
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			inner, at := v[name], strings.TrimPrefix(place+"."+name, ".")
			delete(v, name)
			then(at, "without")
			v[strings.ToUpper(name)+"_"] = inner
			then(at, "another name of")
			delete(v, strings.ToUpper(name)+"_")
			v[name] = inner
			alterEach(at, inner, func(other any) { v[name] = other }, then)
		}
		v["sancoes_"] = nil
		then(place, "a member more in")
		delete(v, "sancoes_")
	case []any:
		alterItems(place, v, put, then)
	}
	put(value)
}

func alterItems(place string, items []any, put func(any), then func(place, how string)) {
	for i, inner := range items {
		put(slices.Delete(slices.Clone(items), i, i+1))
		then(place, "an item less in")
		put(slices.Insert(slices.Clone(items), i, inner))
		then(place, "an item twice in")
		if i > 0 {
			swapped := slices.Clone(items)
			swapped[i], swapped[i-1] = items[i-1], items[i]
			put(swapped)
			then(place, "another order of")
		}
		put(items)
		alterEach(place+"[]", inner, func(other any) { items[i] = other }, then)
	}
	put(append(slices.Clone(items), map[string]any{"sancoes": "INIDONEA"}))
	then(place, "an item more in")
}
