package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"razao/internal/data/cnpj"
	"razao/lab/internal/load"
)

//go:embed questions.txt
var questionsFile string

const (
	longestWalk = 8 // pages of a collection that are followed
	linksOfPage = 3 // links of each kind that are followed
)

// template is a line of questions.txt.
type template struct{ caller, method, path, body string }

// templates returns what is asked once, and the others as often as their weights say.
func templates(file string) (once, drawn []template, err error) {
	for line := range strings.Lines(file) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		f := append(strings.SplitN(line, " ", 5), "")
		if len(f) < 5 {
			return nil, nil, fmt.Errorf("questions.txt: %q has fewer than four columns", line)
		}
		t := template{f[1], f[2], f[3], f[4]}
		if f[0] == "once" {
			once = append(once, t)
			continue
		}
		weight, err := strconv.Atoi(f[0])
		if err != nil {
			return nil, nil, fmt.Errorf("questions.txt: %q: %w", line, err)
		}
		drawn = append(drawn, slices.Repeat([]template{t}, weight)...)
	}
	return once, drawn, nil
}

// question fills a template.
func (r *run) question(dice *rand.Rand, t template) question {
	values := r.values(dice)
	fill := func(text string, escape func(string) string) string {
		return placeholder.ReplaceAllStringFunc(text, func(name string) string { return escape(values(name[1 : len(name)-1])) })
	}
	q := question{caller: t.caller, method: t.method, kind: t.path}
	switch t.method {
	case "TOOL", "MCP":
		call := object{"jsonrpc": "2.0", "id": 1, "method": t.path, "params": json.RawMessage(fill(t.body, quoted))}
		if t.method == "TOOL" {
			call["method"], call["params"] = "tools/call", object{"name": t.path, "arguments": call["params"]}
		}
		q.kind, q.method = "MCP, "+t.path, http.MethodPost
		q.path, q.body = both("/mcp"), both(encoded(call))
		q.header = map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
	case http.MethodPost:
		q.header = map[string]string{"Origin": "https://outro.exemplo", "Content-Type": "application/x-www-form-urlencoded"}
		fallthrough
	default:
		escape := func(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
		q.path = both(strings.NewReplacer("{criteria}", values("criteria"), "{filters}", values("filters")).Replace(t.path))
		q.path, q.body = both(fill(q.path[0], escape)), both(t.body)
	}
	return q
}

type object = map[string]any

var placeholder = regexp.MustCompile(`\{[a-z]+\}`)

func both(text string) [2]string { return [2]string{text, text} }

// encoded and quoted return JSON; what they are given can be encoded.
func encoded(value any) string {
	text, _ := json.Marshal(value)
	return string(text)
}

func quoted(text string) string {
	text = encoded(text)
	return text[1 : len(text)-1]
}

// values draws what placeholders stand for. Those of one question are of one establishment: of ten, four
// have records, and one is the head office of one of the largest companies.
func (r *run) values(dice *rand.Rand) func(name string) string {
	e, source := load.Pick(dice, r.drawn.Establishments), load.Pick(dice, r.drawn.Sources)
	number, _ := cnpj.ParseFull(e.CNPJ) // the release has valid ones
	switch chance := dice.IntN(10); {
	case chance < 4 && len(r.owners[source]) > 0:
		number, _ = cnpj.ParseFull(load.Pick(dice, r.owners[source]))
	case chance == 4 && len(r.drawn.Largest) > 0:
		number, _ = cnpj.ParseFull(load.Pick(dice, r.drawn.Largest))
	}
	absent := cnpj.Join(cnpj.Root(dice.IntN(100_000_000)), 1).String()
	return func(name string) string {
		switch text := number.String(); name {
		case "cnpj":
			return text
		case "root":
			return text[:8]
		case "masked":
			return number.Masked()
		case "bad":
			return text[:13] + string('0'+(text[13]-'0'+1)%10)
		case "absent":
			return absent
		case "absentroot":
			return absent[:8]
		case "source":
			return source
		case "uf":
			return strings.ToLower(e.UF)
		case "cnae":
			return e.Activity
		case "partner":
			return load.Pick(dice, r.drawn.Partners).Name
		case "begin":
			return r.drawn.Beginning(dice)
		case "text":
			return r.text(dice, e)
		case "filters", "criteria":
			return r.criteria(dice, e, name == "criteria")
		}
		return load.Pick(dice, choices[name])
	}
}

// choices are the values of placeholders that depend on no load.
var choices = map[string][]string{
	"few":     {"1", "2", "7", "20"},
	"most":    {"1", "2", "3", "7", "20", "49", "50"},
	"wrong":   {"0", "101", "01", "x", ""},
	"order":   {"relevancia", "capital", "nome", "recentes", "antigas", "recente", "antiga"},
	"page":    {"2", "3", "500", "x"},
	"ranking": {"empresas_ativas", "por_mil_habitantes", "aberturas", "baixadas", "capital_social"},
}

// criteria draws at most three filters, and mostly a text if there may be one.
func (r *run) criteria(dice *rand.Rand, e load.Establishment, text bool) string {
	c := load.Pick(dice, r.drawn.Companies)
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
	if text && dice.IntN(4) > 0 {
		v.Set("q", r.text(dice, e))
	}
	return v.Encode()
}

// text draws what people type: words, names whole or misspelt, numbers, cities, nonsense.
func (r *run) text(dice *rand.Rand, e load.Establishment) string {
	name := load.Pick(dice, r.drawn.Companies).Name
	switch dice.IntN(9) {
	case 0:
		return name
	case 1:
		return e.TradeName
	case 2:
		return load.Pick(dice, r.drawn.Partners).Name
	case 3:
		return e.CNPJ[:3+dice.IntN(12)]
	case 4:
		return `"` + r.drawn.Words(dice) + `"`
	case 5:
		letters := []rune(name)
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

// askOnce asks a question in every way, for the files that the answer refers to, and for some of what it
// links to.
func (r *run) askOnce(ctx context.Context, dice *rand.Rand, t template) error {
	q := r.question(dice, t)
	got, err := r.ask(ctx, q)
	if err != nil || t.method != http.MethodGet {
		return err
	}
	head, options, since, compressed, markdown := q, q, q, q, q
	head.method, options.method = http.MethodHead, http.MethodOptions
	compressed.header = map[string]string{"Accept-Encoding": "gzip"}
	markdown.header = map[string]string{"Accept": "text/markdown"}
	for i := range got {
		since.own[i] = map[string]string{"If-Modified-Since": got[i].header.Get("Last-Modified")}
	}
	if err := r.askAll(ctx, head, options, since, compressed, markdown, conditional(dice, q, got)); err != nil {
		return err
	}
	others := map[string]string{}
	for _, match := range asset.FindAllStringSubmatch(string(got[1].body), -1) {
		others[match[1]+match[2]] = match[0]
	}
	for _, match := range asset.FindAllStringSubmatch(string(got[0].body), -1) {
		file := question{kind: "/static", path: both(match[0])}
		if other := others[match[1]+match[2]]; other != "" {
			file.path[1] = other
		}
		if err := r.askAll(ctx, file); err != nil {
			return err
		}
	}
	return r.follow(ctx, dice, q, got)
}

// askDrawn asks a question that is drawn, and follows the answer.
func (r *run) askDrawn(ctx context.Context, dice *rand.Rand, t template) error {
	q := r.question(dice, t)
	if t.method == http.MethodGet && dice.IntN(3) == 0 {
		q.header = map[string]string{"Accept-Encoding": load.Pick(dice, []string{"gzip", "gzip, deflate, br", "br;q=1, gzip;q=0.5", "gzip;q=0", "*"})}
	}
	if t.method == http.MethodGet && dice.IntN(30) == 0 {
		q.method = http.MethodHead
	}
	got, err := r.ask(ctx, q)
	if err != nil {
		return err
	}
	if got[0].header.Get("ETag") != "" && dice.IntN(8) == 0 {
		if err := r.askAll(ctx, conditional(dice, q, got)); err != nil {
			return err
		}
	}
	if q.path[0] == "/mcp" {
		return r.nextCall(ctx, q, got)
	}
	if err := r.walk(ctx, dice, q, got); err != nil || dice.IntN(3) > 0 {
		return err
	}
	return r.follow(ctx, dice, q, got)
}

// conditional repeats a question with the ETags that the servers gave, in one of the forms of
// If-None-Match (RFC 9110 section 13.1.2).
func conditional(dice *rand.Rand, q question, got [2]answer) question {
	form := load.Pick(dice, []string{"TAG", "W/TAG", `"outra", TAG`})
	for i := range got {
		q.own[i] = map[string]string{"If-None-Match": strings.Replace(form, "TAG", strings.TrimPrefix(got[i].header.Get("ETag"), "W/"), 1)}
	}
	return q
}

// walk follows the next pages of an answer of the API; a full one has several. Now and then a cursor is
// tampered with, whose MAC makes servers refuse it.
func (r *run) walk(ctx context.Context, dice *rand.Rand, q question, got [2]answer) (err error) {
	for range longestWalk {
		next, others := nextPages(got[0].body), nextPages(got[1].body)
		if len(next) == 0 || len(next) != len(others) {
			return nil
		}
		i := dice.IntN(len(next))
		q.path = [2]string{next[i], others[i]}
		if dice.IntN(6) == 0 {
			letter := "cursor=" + string(rune('a'+dice.IntN(26)))
			for side := range q.path {
				q.path[side] = strings.Replace(q.path[side], "cursor=", letter, 1)
			}
		}
		if got, err = r.ask(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// nextPages returns every proxima_url of an answer.
func nextPages(body []byte) (next []string) {
	for _, rest := range bytes.Split(body, []byte(`"proxima_url":`))[1:] {
		var to string
		if json.NewDecoder(bytes.NewReader(rest)).Decode(&to) == nil && to != "" {
			next = append(next, to)
		}
	}
	return next
}

var nextCursor = regexp.MustCompile(`"proximo_cursor":"([^"]+)"`)

// nextCall calls a tool again with the cursor of its answer.
func (r *run) nextCall(ctx context.Context, q question, got [2]answer) error {
	for i := range got {
		next := nextCursor.FindSubmatch(got[i].body)
		if next == nil {
			return nil
		}
		q.body[i] = strings.Replace(q.body[i], `"arguments":{`, `"arguments":{"cursor":`+encoded(string(next[1]))+`,`, 1)
	}
	return r.askAll(ctx, q)
}

// link is an address that a page links to, or that a sitemap lists.
var link = regexp.MustCompile(`(?:(?:href|src|action)="|<loc>` + regexp.QuoteMeta(load.PublicAddress) + `)(/[^"#<]*)`)

// follow asks for up to linksOfPage addresses of each kind that an answer links to.
func (r *run) follow(ctx context.Context, dice *rand.Rand, q question, got [2]answer) error {
	byKind := map[string][]string{}
	for _, match := range link.FindAllSubmatch(got[0].body, -1) {
		to := html.UnescapeString(string(match[1]))
		kind := kindOfPage(to)
		if kind != "link, /static" && to != q.path[0] && !r.once[to] && !slices.Contains(byKind[kind], to) {
			byKind[kind] = append(byKind[kind], to)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(byKind)) {
		all := byKind[kind]
		dice.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, to := range all[:min(len(all), linksOfPage)] {
			if err := r.askAll(ctx, question{kind: kind, path: both(to)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// companyPage matches a CNPJ in any spelling.
var companyPage = regexp.MustCompile(`^/[0-9A-Za-z.%/-]*[0-9][0-9A-Za-z.%/-]{7,24}$`)

// kindOfPage returns the row of the report for an address of the website that was linked to.
func kindOfPage(address string) string {
	path, query, _ := strings.Cut(address, "?")
	parts := strings.Split(path[1:], "/")
	kind := "/" + parts[0]
	switch {
	case len(parts) > 1 && parts[1] == "ibama":
		kind = "/{cnpj}/ibama"
	case parts[0] == "uf" && len(parts) == 3:
		kind = "/uf/{uf}/{cidade}"
	case len(parts) == 1 && companyPage.MatchString(path):
		kind = "/{cnpj}"
	}
	if query != "" {
		kind += "?"
	}
	return "link, " + kind
}
