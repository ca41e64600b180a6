package compare

import (
	"context"
	"encoding/json"
	"html"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"razao/internal/source"
)

const (
	linksOfPage = 3 // followed of each kind
	searches    = 6 // for one company
	completions = 4
)

// profile is what /v1 says of a company, as far as its pages and searches are asked for with it.
type profile struct {
	Dados struct {
		Empresa *struct {
			RazaoSocial      string `json:"razao_social"`
			NaturezaJuridica string `json:"natureza_juridica"`
			PorteEmpresa     string `json:"porte_empresa"`
		}
		Estabelecimentos []struct {
			CNPJ              string
			NomeFantasia      string `json:"nome_fantasia"`
			SituacaoCadastral string `json:"situacao_cadastral"`
			CNAE              string `json:"cnae_fiscal_principal"`
			UF, Municipio     string
			Descricoes        struct{ Municipio string }
		}
		Socios []struct {
			NomeSocio    string `json:"nome_socio"`
			CNPJCPFSocio string `json:"cnpj_cpf_socio"`
		}
	}
}

// profileOf asks for a company.
func (r *run) profileOf(ctx context.Context, c *company) (p profile, err error) {
	got, err := r.ask(ctx, question{kind: "v1, 8 positions", path: "/v1/cnpj/" + c.root.String(), by: byKey})
	if err != nil || got.status != 200 {
		return p, err
	}
	return p, json.Unmarshal(got.body, &p)
}

// names are the texts by which people look for the company.
func (p *profile) names() (all []string) {
	if p.Dados.Empresa != nil {
		all = append(all, p.Dados.Empresa.RazaoSocial)
	}
	for i, e := range p.Dados.Estabelecimentos {
		if i < numbersKept && e.NomeFantasia != "" {
			all = append(all, e.NomeFantasia)
		}
	}
	for i, s := range p.Dados.Socios {
		if i < numbersKept && s.NomeSocio != "" {
			all = append(all, s.NomeSocio)
		}
	}
	return all
}

// filters are parameters of searches and listings that the company itself, mostly, is found with.
func (p *profile) filters(dice *rand.Rand) url.Values {
	all := url.Values{}
	if p.Dados.Empresa != nil {
		all.Set("natureza", p.Dados.Empresa.NaturezaJuridica)
		all.Set("porte", p.Dados.Empresa.PorteEmpresa)
	}
	if len(p.Dados.Estabelecimentos) > 0 {
		e := pick(dice, p.Dados.Estabelecimentos)
		all.Set("uf", e.UF)
		all.Set("municipio", e.Municipio)
		all.Set("situacao", e.SituacaoCadastral)
		all.Set("cnae", e.CNAE[:min(len(e.CNAE), pick(dice, []int{2, 3, 5, 7}))])
	}
	all.Set("ano_de", pick(dice, []string{"1990", "2005", "2020"}))
	all.Set("ano_ate", pick(dice, []string{"2004", "2019", "2026"}))
	all.Set("capital", pick(dice, []string{"0", "1-10k", "10k-100k", "100k-1m", "1m-10m", "10m-100m", "100m"}))
	all.Set("tipo", pick(dice, []string{"matriz", "filial", "todos"}))
	all.Set("simples", pick(dice, []string{"sim", "nao"}))
	all.Set("mei", pick(dice, []string{"sim", "nao"}))
	all.Set("fonte", pick(dice, source.IDs()))
	return all
}

// some keeps at most a few parameters.
func some(dice *rand.Rand, all url.Values, most int) url.Values {
	var keys []string
	for key := range all {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	kept := url.Values{}
	for range dice.IntN(most + 1) {
		key := pick(dice, keys)
		kept.Set(key, all.Get(key))
	}
	return kept
}

// askPages opens the pages of a company and what they link to, and looks for it.
func (r *run) askPages(ctx context.Context, dice *rand.Rand, _ int) error {
	c := r.drawn.one(dice)
	p, err := r.profileOf(ctx, &c)
	if err != nil {
		return err
	}
	for _, number := range c.numbers {
		path := "/" + number.String()
		if err := r.open(ctx, dice, path, 2); err != nil {
			return err
		}
		for _, q := range []question{
			{path: path + ".md", header: accepting(dice)},
			{path: path, header: map[string]string{"Accept": "text/markdown"}},
			{path: path, method: "HEAD"},
			{path: "/" + url.PathEscape(number.Masked())},
			{path: path + "?" + pick(dice, []string{"socios=2", "estabelecimentos=2", "pgfn=2", "socios=0", "estabelecimentos=x"})},
			{path: path + "/ibama/" + pick(dice, []string{"autos", "embargos", "outros"}) + "/" + pick(dice, []string{"1", "2", "0", "x"})},
		} {
			if err := r.page(ctx, q); err != nil {
				return err
			}
		}
	}
	if err := r.page(ctx, question{path: "/" + c.root.String()}); err != nil {
		return err
	}
	return r.searchFor(ctx, dice, &p)
}

// searchFor looks for a company by its texts, completes them, and lists its place and its kind.
func (r *run) searchFor(ctx context.Context, dice *rand.Rand, p *profile) error {
	texts := p.names()
	for range searches {
		filters := some(dice, p.filters(dice), 3)
		if dice.IntN(3) == 0 {
			filters.Set("ordem", pick(dice, []string{"relevancia", "capital", "nome", "recentes", "antigas"}))
		}
		if dice.IntN(4) == 0 {
			filters.Set("pagina", pick(dice, []string{"2", "3", "500", "501"}))
		}
		if dice.IntN(8) == 0 {
			filters.Set("literal", "1")
		}
		if len(texts) > 0 {
			filters.Set("q", typed(dice, pick(dice, texts)))
		}
		if err := r.page(ctx, question{path: "/busca?" + filters.Encode()}); err != nil {
			return err
		}
	}
	for range min(completions, completions*len(texts)) {
		text := []rune(pick(dice, texts))
		prefix := string(text[:1+dice.IntN(len(text))])
		if err := r.page(ctx, question{path: "/sugestoes?q=" + url.QueryEscape(prefix)}); err != nil {
			return err
		}
	}
	for _, listing := range []string{"/empresas", "/uf/" + strings.ToLower(p.filters(dice).Get("uf"))} {
		filters := some(dice, p.filters(dice), 3)
		if dice.IntN(2) == 0 {
			filters.Set("ordem", pick(dice, []string{"capital", "nome", "recente", "antiga", "recentes"}))
		}
		if err := r.open(ctx, dice, listing+"?"+filters.Encode(), 1); err != nil {
			return err
		}
	}
	return nil
}

// typed is a text as people type it: whole, a few words, in quotes, with an error, the beginning of a word.
func typed(dice *rand.Rand, text string) string {
	words := strings.Fields(text)
	if len(words) == 0 {
		return text
	}
	first := dice.IntN(len(words))
	few := strings.Join(words[first:min(first+1+dice.IntN(2), len(words))], " ")
	switch dice.IntN(6) {
	case 0:
		return few
	case 1:
		return `"` + few + `"`
	case 2:
		letters := []rune(text)
		at := dice.IntN(len(letters))
		return string(slices.Delete(letters, at, at+1))
	case 3:
		letters := []rune(strings.ToLower(text))
		return string(letters[:(len(letters)+1)/2])
	}
	return text
}

// page asks for one address of the website.
func (r *run) page(ctx context.Context, q question) error {
	if q.kind == "" {
		q.kind = kindOfPage(q.path)
	}
	_, err := r.ask(ctx, q)
	return err
}

var link = regexp.MustCompile(`(?:href|src|action)="(/[^"#]*)`)

// open asks for a page and, some levels deep, for a few pages of each kind that it links to.
func (r *run) open(ctx context.Context, dice *rand.Rand, path string, levels int) error {
	got, err := r.ask(ctx, question{kind: kindOfPage(path), path: path, header: accepting(dice)})
	if err != nil || levels == 0 {
		return err
	}
	if tag := got.header.Get("ETag"); tag != "" && dice.IntN(8) == 0 {
		if err := r.page(ctx, question{kind: "site, If-None-Match", path: path, header: map[string]string{"If-None-Match": tag}}); err != nil {
			return err
		}
	}
	for _, to := range r.links(dice, path, got.body) {
		if err := r.open(ctx, dice, to, levels-1); err != nil {
			return err
		}
	}
	return nil
}

// links draws some addresses of each kind that a page links to. What every page links to is left to the fixed addresses.
func (r *run) links(dice *rand.Rand, path string, body []byte) (chosen []string) {
	byKind := map[string][]string{}
	var kinds []string
	for _, match := range link.FindAllSubmatch(body, -1) {
		to := html.UnescapeString(string(match[1]))
		kind := kindOfPage(to)
		if to == path || kind == staticKind || strings.HasPrefix(to, "/empresas.csv") || // askSignedIn asks for those
			slices.Contains(fixedPages, to) || slices.Contains(byKind[kind], to) {
			continue
		}
		if byKind[kind] == nil {
			kinds = append(kinds, kind)
		}
		byKind[kind] = append(byKind[kind], to)
	}
	for _, kind := range kinds {
		dice.Shuffle(len(byKind[kind]), func(i, j int) { byKind[kind][i], byKind[kind][j] = byKind[kind][j], byKind[kind][i] })
		chosen = append(chosen, byKind[kind][:min(len(byKind[kind]), linksOfPage)]...)
	}
	return chosen
}

const staticKind = "site, /static"

var companyPage = regexp.MustCompile(`^/[0-9A-Za-z.%/-]{8,24}$`)

// kindOfPage names the page that an address leads to.
func kindOfPage(address string) string {
	path, query, _ := strings.Cut(address, "?")
	parts := strings.Split(path[1:], "/")
	kind := "site, /" + parts[0]
	switch {
	case strings.Contains(path, "/ibama/"):
		kind = "site, /{cnpj}/ibama"
	case strings.HasSuffix(path, ".md"):
		kind = "site, /{cnpj}.md"
	case parts[0] == "uf" && len(parts) == 3:
		kind = "site, /uf/{uf}/{cidade}"
	case len(parts) == 1 && companyPage.MatchString(path) && strings.ContainsAny(path, "0123456789"):
		kind = "site, /{cnpj}"
	}
	if query != "" && kind != "site, /busca" && kind != "site, /sugestoes" {
		kind += "?"
	}
	return kind
}
