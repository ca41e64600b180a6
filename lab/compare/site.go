package main

import (
	"cmp"
	"context"
	"encoding/xml"
	"html"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"razao/lab/internal/load"
)

const linksOfPage = 3 // links of each kind that are followed

// fixedPages exist whatever the load.
var fixedPages = []string{
	"/", "/busca", "/busca/avancada", "/empresas", "/estados", "/municipios", "/metodologia/bndes", "/privacidade", "/termos", "/privacidade/ocultar",
	"/municipios/comparar", "/municipios/comparar?m=3550308&m=3304557&m=3106200", "/api", "/api/v1", "/api/docs", "/dicionario", "/glossario",
	"/fontes", "/fontes/receita", "/fontes/pgfn", "/assistente", "/assistente/whatsapp", "/assistente/telegram", "/componentes", "/login", "/health",
	"/robots.txt", "/sitemap.xml", "/llms.txt", "/municipios.csv", "/dicionario.csv", "/openapi.json", "/v1/openapi.json", "/v2/openapi.json",
	"/.well-known/oauth-authorization-server", "/.well-known/openid-configuration", "/.well-known/oauth-protected-resource",
	"/.well-known/oauth-protected-resource/mcp",
}

// refusedPages answer with an error, a redirect, or little.
var refusedPages = []string{
	"/nada", "/nada/nada", "/uf/xx", "/uf/SP", "/uf/sp/nada", "/uf/sp/São%20Paulo", "/socio/123456/ninguem", "/socio/000000/x", "/socio/12345/x",
	"/static/nada.css", "/sitemaps/9999.xml.gz", "/sitemaps/x", "/12345678000100", "/00000000000191", "/00000000", "/1234567", "/a%2Fb",
	"/busca?pagina=0", "/busca?pagina=x", "/busca?q=padaria&pagina=501", "/busca?situacao=99", "/busca?uf=XX", "/busca?municipio=1", "/busca?cnae=ZZ",
	"/busca?natureza=0", "/busca?porte=9", "/busca?ano_de=20", "/busca?ano_de=2020&ano_ate=2010", "/busca?capital=muito", "/busca?tipo=x",
	"/busca?simples=talvez", "/busca?mei=x", "/busca?fonte=serasa", "/busca?ordem=x", "/busca?literal=2", "/busca?outro=1", "/busca.csv",
	"/busca?q=11.821.867%2F0001-24", "/busca?q=%00%ff", "/busca?q=" + strings.Repeat("muito+", 100), "/empresas?ordem=relevancia",
	"/empresas?pagina=501", "/empresas?situacao=x", "/estados?ordem=x", "/municipios?ordem=x", "/municipios?pagina=0", "/sugestoes", "/sugestoes?q=",
	"/sugestoes?q=s%C3%A3o+pau", "/sugestoes/valores", "/sugestoes/valores?filtro=cnae&q=pad", "/sugestoes/valores?filtro=municipio&q=rec", "/empresas.csv",
	"/conta", "/auth/outro", "/auth/callback", "/auth/callback?token=x", "/oauth/consent", "/oauth/authorize?client_id=x",
	"/assistente/whatsapp/webhook", "/login?error=x&next=/conta", "/login?aviso=saiu", "/privacidade/ocultar?cnpj=1&aviso=recebido",
}

// refusedForms are targets of POST with a foreign Origin (CSRF), or that take no POST.
var refusedForms = []string{
	"/", "/busca", "/auth/magic-link", "/conta/sair", "/privacidade/ocultar", "/oauth/token", "/oauth/register", "/oauth/revoke",
	"/assistente/telegram/webhook", "/health", "/v2/fontes",
}

// fixedUnits are the units of questions that do not depend on a company.
func (r *run) fixedUnits() (units []func(context.Context, *rand.Rand) error) {
	for _, path := range fixedPages {
		units = append(units, func(ctx context.Context, dice *rand.Rand) error { return r.askFixed(ctx, dice, path) })
	}
	return append(units, func(ctx context.Context, _ *rand.Rand) error { return r.askRefused(ctx) },
		func(ctx context.Context, _ *rand.Rand) error { return r.askSitemap(ctx) },
		func(ctx context.Context, _ *rand.Rand) error { return r.askProtocol(ctx) })
}

// askFixed asks for a page, its assets and what it links to, and repeats it in other ways.
func (r *run) askFixed(ctx context.Context, dice *rand.Rand, path string) error {
	q := get("site, "+path, path)
	got, err := r.ask(ctx, q)
	if err != nil {
		return err
	}
	head, options, since := q, q, q
	head.method, options.method = http.MethodHead, http.MethodOptions
	for i := range got {
		since.own[i] = map[string]string{"If-Modified-Since": got[i].header.Get("Last-Modified")}
	}
	if err := r.askAll(ctx, head, options, q.with("Accept-Encoding", "gzip"), q.with("Accept", "text/markdown"),
		since, conditional(dice, q, q.kind, got)); err != nil {
		return err
	}
	others := map[string]string{}
	for _, match := range asset.FindAllStringSubmatch(string(got[1].body), -1) {
		others[match[1]+match[2]] = match[0]
	}
	for _, match := range asset.FindAllStringSubmatch(string(got[0].body), -1) {
		q := get(staticKind, match[0])
		if other := others[match[1]+match[2]]; other != "" {
			q.path[1] = other
		}
		if err := r.askAll(ctx, q); err != nil {
			return err
		}
	}
	return r.follow(ctx, dice, path, got[0].body, 1)
}

// askRefused asks for what is refused, and posts forms that are.
func (r *run) askRefused(ctx context.Context) error {
	for _, path := range refusedPages {
		if err := r.askAll(ctx, get("site, refused or elsewhere", path)); err != nil {
			return err
		}
	}
	for _, path := range refusedForms {
		q := get("site, forms from elsewhere", path)
		q.method, q.body = http.MethodPost, [2]string{"email=a%40exemplo.com", "email=a%40exemplo.com"}
		q.header = map[string]string{"Origin": "https://outro.exemplo", "Content-Type": "application/x-www-form-urlencoded"}
		if err := r.askAll(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// askSitemap asks for every file that the sitemap index names.
func (r *run) askSitemap(ctx context.Context) error {
	got, err := r.ask(ctx, get("site, /sitemap.xml", "/sitemap.xml"))
	if err != nil || got[0].status != http.StatusOK {
		return err
	}
	var list struct {
		Files []string `xml:"sitemap>loc"`
	}
	if err := xml.Unmarshal(got[0].body, &list); err != nil {
		return err
	}
	for _, file := range list.Files {
		u, err := url.Parse(file)
		if err != nil {
			return err
		}
		if err := r.askAll(ctx, get("", u.Path)); err != nil {
			return err
		}
	}
	return nil
}

// askCompany opens the page of a company and what it links to, and asks for it in other ways.
func (r *run) askCompany(ctx context.Context, dice *rand.Rand) error {
	s := r.subject(dice)
	page := get("", "/"+s.cnpj)
	head := page
	head.method = http.MethodHead
	part := load.Pick(dice, []string{"socios=2", "estabelecimentos=2", "pgfn=2", "socios=0", "estabelecimentos=x"})
	ibama := load.Pick(dice, []string{"autos/1", "embargos/1", "autos/2", "outros/1", "autos/0", "embargos/x"})
	ways := []question{head, page.with("Accept", "text/markdown")}
	for _, address := range []string{"/{cnpj}.md", "/{masked}", "/{root}", "/{cnpj}?" + part, "/{cnpj}/ibama/" + ibama} {
		ways = append(ways, get("", s.fill(dice, address)))
	}
	if err := r.askAll(ctx, ways...); err != nil {
		return err
	}
	return r.open(ctx, dice, "/"+s.cnpj, 1)
}

// askSearch searches, completes what is typed, and opens lists.
func (r *run) askSearch(ctx context.Context, dice *rand.Rand) error {
	switch dice.IntN(4) {
	case 0:
		return r.open(ctx, dice, "/busca?"+r.criteria(dice, "site").Encode(), dice.IntN(2))
	case 1:
		return r.askAll(ctx, get("", "/busca?"+r.criteria(dice, "site").Encode()))
	case 2:
		return r.askAll(ctx, get("", "/sugestoes?"+url.Values{"q": {r.drawn.Beginning(dice)}}.Encode()),
			get("", "/sugestoes?"+url.Values{"q": {r.text(dice)}}.Encode()))
	}
	list := load.Pick(dice, []string{"/empresas", "/uf/" + strings.ToLower(load.Pick(dice, r.drawn.Establishments).UF)})
	return r.open(ctx, dice, list+"?"+r.criteria(dice, "list").Encode(), dice.IntN(2))
}

// askExport asks for a CSV, which needs a session.
func (r *run) askExport(ctx context.Context, dice *rand.Rand) error {
	q := get("site, exports", load.Pick(dice, []string{"/empresas.csv?" + r.criteria(dice, "list").Encode(), "/busca.csv?" + r.criteria(dice, "site").Encode()}))
	q.signedIn = r.sides[0].cookie != ""
	return r.askAll(ctx, q)
}

var link = regexp.MustCompile(`(?:href|src|action)="(/[^"#]*)`)

// open asks for a page and, up to levels deep, for some of what it links to.
func (r *run) open(ctx context.Context, dice *rand.Rand, path string, levels int) error {
	q := get("", path)
	q.header = accepting(dice)
	got, err := r.ask(ctx, q)
	if err != nil || levels == 0 {
		return err
	}
	if got[0].header.Get("ETag") != "" && dice.IntN(8) == 0 {
		if err := r.askAll(ctx, conditional(dice, q, "site, If-None-Match", got)); err != nil {
			return err
		}
	}
	return r.follow(ctx, dice, path, got[0].body, levels)
}

// follow opens up to linksOfPage addresses of each kind that a page links to. Assets and fixed pages
// are left to askFixed, exports to askExport.
func (r *run) follow(ctx context.Context, dice *rand.Rand, path string, body []byte, levels int) error {
	byKind := map[string][]string{}
	for _, match := range link.FindAllSubmatch(body, -1) {
		to := html.UnescapeString(string(match[1]))
		kind := kindOfPage(to)
		if to != path && kind != staticKind && !strings.Contains(to, ".csv?") && !slices.Contains(fixedPages, to) && !slices.Contains(byKind[kind], to) {
			byKind[kind] = append(byKind[kind], to)
		}
	}
	for _, kind := range sortedKeys(byKind) {
		all := byKind[kind]
		dice.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, to := range all[:min(len(all), linksOfPage)] {
			if err := r.open(ctx, dice, to, levels-1); err != nil {
				return err
			}
		}
	}
	return nil
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

const staticKind = "site, /static"

// companyPage matches a CNPJ in any spelling; kindOfPage also requires a digit.
var companyPage = regexp.MustCompile(`^/[0-9A-Za-z.%/-]{8,24}$`)

// kindOfPage returns the row of the report for an address of the website.
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
