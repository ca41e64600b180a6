package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"razao/lab/internal/load"
)

const longestWalk = 8 // pages of a collection that are followed

// subject is what a question is about.
type subject struct{ cnpj, source string }

// subject draws an establishment: of ten, four have records, and one is of the largest companies.
func (r *run) subject(dice *rand.Rand) subject {
	s := subject{r.drawn.CNPJ(dice), load.Pick(dice, r.drawn.Sources)}
	switch chance := dice.IntN(10); {
	case chance < 4 && len(r.owners[s.source]) > 0:
		s.cnpj = load.Pick(dice, r.owners[s.source])
	case chance == 4 && len(r.drawn.Largest) > 0:
		s.cnpj = s.ofRoot(load.Pick(dice, r.drawn.Largest))
	}
	return s
}

// ofRoot returns the number of a root's head office, with its check digits.
func (subject) ofRoot(root string) string {
	text := root + "0001"
	for range 2 {
		sum := 0
		for i := range text {
			sum += int(text[len(text)-1-i]-'0') * (2 + i%8) // letters count by their distance to 0 as well
		}
		digit := 11 - sum%11
		if digit > 9 {
			digit = 0
		}
		text += strconv.Itoa(digit)
	}
	return text
}

// fill replaces the placeholders of an address. {bad} has a wrong check digit, {nobranch} is an
// establishment that hardly any company has, {absent} a company that hardly any load has.
func (s subject) fill(dice *rand.Rand, address string) string {
	n := s.cnpj
	masked := n[:2] + "." + n[2:5] + "." + n[5:8] + "/" + n[8:12] + "-" + n[12:]
	absent := strconv.Itoa(10_000_000 + dice.IntN(80_000_000))
	return strings.NewReplacer(
		"{cnpj}", n, "{root}", n[:8], "{source}", s.source, "{masked}", url.PathEscape(masked),
		"{bad}", n[:13]+string('0'+(n[13]-'0'+1)%10), "{absent}", s.ofRoot(absent), "{absentroot}", absent,
	).Replace(address)
}

// calls are the routes of the API, each as often as it is to be drawn.
var calls = slicesOf(map[string]int{
	"/v1/cnpj/{cnpj}": 16, "/v1/cnpj/{root}": 10, "/v2/empresas/{root}": 1, "/v2/empresas/{root}/basic": 7, "/v2/empresas/{root}/full": 8,
	"/v2/empresas/{root}/estabelecimentos": 8, "/v2/empresas/{root}/socios": 8, "/v2/empresas/{root}/fontes/{source}": 8,
	"/v2/estabelecimentos/{cnpj}": 1, "/v2/estabelecimentos/{cnpj}/basic": 8, "/v2/estabelecimentos/{cnpj}/full": 8,
	"/v2/estabelecimentos/{cnpj}/fontes/{source}": 8, "/v2/fontes": 1, "/v2/busca": 8,
})

// slicesOf returns each key as often as its value says, in order.
func slicesOf(weights map[string]int) (all []string) {
	for _, key := range sortedKeys(weights) {
		for range weights[key] {
			all = append(all, key)
		}
	}
	return all
}

// Calls that are refused, by the row of the report.
var refusedCalls = map[string][]string{
	"API, malformed": {
		"/v1/cnpj/{bad}", "/v2/estabelecimentos/{bad}/full", "/v1/cnpj/{masked}", "/v1/cnpj/12abc34501de35", "/v1/cnpj/123", "/v1", "/v2/",
		"/v1/cnpj/{root}?limite=1", "/v1/cnpj/{root}/", "/v2/empresas/{cnpj}/basic", "/v2/estabelecimentos/{root}/basic", "/v3/cnpj/{root}",
		"/v2/empresas/{root}/fontes/serasa", "/v2/empresas/{root}/fontes/PGFN", "/v2/empresas/{root}/basic?cursor=x", "/v2/empresas/{root}/nada",
		"/v2/empresas/{root}/socios?cursor=x", "/v2/empresas/{root}/socios?cursor=", "/v2/empresas/{root}/socios?limite=0",
		"/v2/empresas/{root}/socios?limite=101", "/v2/empresas/{root}/socios?limite=01", "/v2/empresas/{root}/socios?limite=x",
		"/v2/empresas/{root}/socios?limite=1&limite=2", "/v2/empresas/{root}/full?pagina=2&ordem=x", "/v2/empresas/{root}/full?%zz",
		"/v2/busca?q={bad}", "/v2/busca?uf=XX", "/v2/busca?ordem=x", "/v2/busca?outro=1", "/v2/busca?limite=0", "/v2/busca?facetas=talvez",
	},
	"API, not in the load": {
		"/v1/cnpj/{absent}", "/v1/cnpj/{absentroot}", "/v2/estabelecimentos/{absent}/full", "/v2/empresas/{absentroot}/fontes/{source}",
	},
	"API, other methods": {"/v1/cnpj/{cnpj}", "/v2/empresas/{root}/socios", "/v2/fontes", "/v1/openapi.json", "/v2/nada", "/v2/busca"},
}

// keyless are headers of callers that have no good key.
var keyless = []string{"", "Bearer rz_errada", "Basic eDp5", "Bearer", "bearer  x y"}

// askAPI asks for an answer and follows its next pages, or in one of eight cases asks for what must be
// refused.
func (r *run) askAPI(ctx context.Context, dice *rand.Rand) error {
	s := r.subject(dice)
	if dice.IntN(8) == 0 {
		return r.askAll(ctx, refusedCall(dice, s))
	}
	route := load.Pick(dice, calls)
	path := s.fill(dice, route)
	switch {
	case route == "/v2/busca":
		path += "?" + r.criteria(dice, "v2").Encode()
	case strings.HasPrefix(route, "/v2/") && route != "/v2/fontes" && dice.IntN(3) == 0:
		path += "?limite=" + load.Pick(dice, []string{"1", "2", "3", "7", "20", "49", "50", "51", "99", "100"})
	}
	q := get(route, path)
	q.keyed, q.header = true, accepting(dice)
	if dice.IntN(30) == 0 {
		q.method = http.MethodHead
	}
	return r.walk(ctx, dice, q)
}

// walk asks a question and then for the next pages. Now and then it repeats one conditionally, or
// tampers with a cursor.
func (r *run) walk(ctx context.Context, dice *rand.Rand, q question) error {
	for range longestWalk {
		got, err := r.ask(ctx, q)
		if err != nil {
			return err
		}
		if got[0].header.Get("ETag") != "" && dice.IntN(8) == 0 {
			if err := r.askAll(ctx, conditional(dice, q, "API, If-None-Match", got)); err != nil {
				return err
			}
		}
		next, others := nextPages(got[0].body), nextPages(got[1].body)
		if len(next) == 0 || len(next) != len(others) {
			return nil
		}
		i := dice.IntN(len(next))
		q.path = [2]string{next[i], others[i]}
		if dice.IntN(6) == 0 {
			q.kind, q.path = "API, cursors that are refused", tampered(dice, q.path)
		}
	}
	return nil
}

// conditional repeats a question with the ETags that the servers gave, in one of the forms of
// If-None-Match (RFC 9110 section 13.1.2).
func conditional(dice *rand.Rand, q question, kind string, got [2]answer) question {
	form := load.Pick(dice, []string{"TAG", "W/TAG", `"outra", TAG`})
	q.kind = kind
	for i := range got {
		q.own[i] = map[string]string{"If-None-Match": strings.Replace(form, "TAG", strings.TrimPrefix(got[i].header.Get("ETag"), "W/"), 1)}
	}
	return q
}

// accepting draws the Accept-Encoding of a client, mostly none.
func accepting(dice *rand.Rand) map[string]string {
	if dice.IntN(3) > 0 {
		return nil
	}
	return map[string]string{"Accept-Encoding": load.Pick(dice, []string{"gzip", "gzip, deflate, br", "br;q=1, gzip;q=0.5", "gzip;q=0", "*"})}
}

// nextPages returns every proxima_url of an answer: a full one has several.
func nextPages(body []byte) (next []string) {
	for _, rest := range bytes.Split(body, []byte(`"proxima_url":`))[1:] {
		var to string
		if json.NewDecoder(bytes.NewReader(rest)).Decode(&to) == nil && to != "" {
			next = append(next, to)
		}
	}
	return next
}

// tampered changes the cursor of an address, or moves it to another collection. The MAC in a cursor
// makes servers refuse it.
func tampered(dice *rand.Rand, addresses [2]string) [2]string {
	way, letter, cut := dice.IntN(4), string(rune('a'+dice.IntN(26))), dice.IntN(100)
	for i, address := range addresses {
		path, query, _ := strings.Cut(address, "?")
		switch way {
		case 0:
			query = strings.Replace(query, "cursor=", "cursor="+letter, 1)
		case 1:
			query = query[:min(len(query), cut)]
		case 2:
			path = strings.Replace(path, "estabelecimentos", "socios", 1)
		default:
			query = "cursor=" + strings.Repeat("A", 70) + "&limite=20"
		}
		addresses[i] = path + "?" + query
	}
	return addresses
}

// refusedCall draws a call that must be refused.
func refusedCall(dice *rand.Rand, s subject) question {
	if dice.IntN(6) == 0 {
		return get("API, without a good key", s.fill(dice, load.Pick(dice, calls))).with("Authorization", load.Pick(dice, keyless))
	}
	kind := load.Pick(dice, sortedKeys(refusedCalls))
	q := get(kind, s.fill(dice, load.Pick(dice, refusedCalls[kind])))
	q.keyed = true
	if kind == "API, other methods" {
		q.method = load.Pick(dice, []string{"POST", "PUT", "DELETE", "OPTIONS", "PATCH"})
	}
	return q
}

// criteria draws the text and at most three filters of a search or a list. dialect says how orders and
// what goes with them are spelt: "site", "list" or "v2".
func (r *run) criteria(dice *rand.Rand, dialect string) url.Values {
	e, c := load.Pick(dice, r.drawn.Establishments), load.Pick(dice, r.drawn.Companies)
	filters := [][]string{
		{"uf", e.UF},
		{"municipio", e.Municipality},
		{"situacao", e.Situation},
		{"porte", c.Size},
		{"natureza", c.Nature},
		{"cnae", e.Activity[:min(2, len(e.Activity))], e.Activity},
		{"ano_de", "1990", "2005", "2020"},
		{"ano_ate", "2004", "2019", "2026"},
		{"capital", "0", "1-10k", "10k-100k", "100k-1m", "1m-10m", "10m-100m", "100m"},
		{"tipo", "matriz", "filial", "todos"},
		{"simples", "sim", "nao"},
		{"mei", "sim", "nao"},
		append([]string{"fonte"}, r.drawn.Sources...),
	}
	v := url.Values{}
	for range dice.IntN(4) {
		f := load.Pick(dice, filters)
		v.Set(f[0], load.Pick(dice, f[1:]))
	}
	orders := map[string][]string{
		"site": {"capital", "nome", "recentes", "antigas"}, "v2": {"capital", "nome", "recentes", "antigas"}, "list": {"capital", "nome", "recente", "antiga"},
	}
	if dice.IntN(3) == 0 {
		v.Set("ordem", load.Pick(dice, orders[dialect]))
	}
	switch {
	case dialect == "list":
	case dice.IntN(4) > 0:
		v.Set("q", r.text(dice))
	}
	if dialect == "v2" && dice.IntN(2) == 0 {
		v.Set("facetas", load.Pick(dice, []string{"sim", "nao"}))
		v.Set("limite", strconv.Itoa(1+dice.IntN(100)))
	}
	if dialect != "v2" && dice.IntN(4) == 0 {
		v.Set("pagina", load.Pick(dice, []string{"2", "3", "500", "501"}))
	}
	return v
}

// text draws what people type: words, names whole or misspelt, numbers, cities, nonsense.
func (r *run) text(dice *rand.Rand) string {
	e, c := load.Pick(dice, r.drawn.Establishments), load.Pick(dice, r.drawn.Companies)
	switch dice.IntN(9) {
	case 0:
		return c.Name
	case 1:
		return e.TradeName
	case 2:
		return load.Pick(dice, r.drawn.Partners)
	case 3:
		return e.CNPJ[:3+dice.IntN(12)]
	case 4:
		return `"` + r.drawn.Words(dice) + `"`
	case 5:
		letters := []rune(c.Name)
		letters[dice.IntN(len(letters))] = rune('A' + dice.IntN(26))
		return string(letters)
	case 6:
		return r.drawn.Words(dice) + load.Pick(dice, []string{" são paulo", " campinas sp", " recife", " rj"})
	case 7:
		return load.Pick(dice, []string{
			"", " ", "a", "%", "...", "''", `"`, "S/A", "ltda", "j. c. silva", "padaria são paulo sp", "' OR 1=1 --", "<script>alert(1)</script>",
			"\x00\x01", "🍞 padaria", strings.Repeat("padaria ", 30), strings.Repeat("a", 300), "00000000000000", "00.000.000/0000-00",
			"padarias em salvador abertas depois de 2010",
		})
	}
	return r.drawn.Words(dice)
}
