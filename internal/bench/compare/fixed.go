package compare

import (
	"context"
	"encoding/xml"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
)

const signedInCompanies = 60 // whose pages and exports are requested with a session

// fixedPages exist whatever the load, for visitors without a session.
var fixedPages = []string{
	"/", "/busca", "/empresas", "/estados", "/municipios", "/metodologia/bndes", "/privacidade", "/termos", "/privacidade/ocultar",
	"/api", "/api/v1", "/api/docs", "/dicionario", "/glossario", "/fontes", "/fontes/receita", "/fontes/pgfn", "/assistente", "/assistente/whatsapp", "/assistente/telegram", "/componentes", "/login",
	"/health", "/robots.txt", "/sitemap.xml", "/llms.txt", "/municipios.csv", "/dicionario.csv",
	"/openapi.json", "/v1/openapi.json", "/v2/openapi.json",
	"/.well-known/oauth-authorization-server", "/.well-known/openid-configuration", "/.well-known/oauth-protected-resource/mcp",
}

// refusedPages answer with an error or a redirect.
var refusedPages = []string{
	"/nada", "/nada/nada", "/uf/xx", "/uf/SP", "/uf/sp/nada", "/uf/sp/São%20Paulo", "/socio/123456/ninguem", "/socio/000000/x", "/socio/12345/x",
	"/static/nada.css", "/sitemaps/9999.xml.gz", "/sitemaps/x", "/12345678000100", "/00000000000191", "/00000000", "/1234567", "/a%2Fb",
	"/busca?pagina=0", "/busca?pagina=x", "/busca?q=padaria&pagina=501", "/busca?situacao=99", "/busca?uf=XX", "/busca?municipio=1", "/busca?cnae=ZZ",
	"/busca?natureza=0", "/busca?porte=9", "/busca?ano_de=20", "/busca?ano_de=2020&ano_ate=2010", "/busca?capital=muito", "/busca?tipo=x",
	"/busca?simples=talvez", "/busca?mei=x", "/busca?fonte=serasa", "/busca?ordem=x", "/busca?literal=2", "/busca?outro=1",
	"/busca?q=11.821.867%2F0001-24", "/busca?q=%00%ff", "/busca?q=" + strings.Repeat("muito+", 100),
	"/empresas?ordem=relevancia", "/empresas?pagina=501", "/empresas?situacao=x", "/estados?ordem=x", "/municipios?ordem=x", "/municipios?pagina=0",
	"/sugestoes", "/sugestoes?q=", "/sugestoes?q=s%C3%A3o+pau", "/sugestoes?q=padaria", "/sugestoes?q=campinas",
	"/empresas.csv", "/conta", "/auth/outro", "/auth/callback", "/auth/callback?token=x", "/oauth/consent", "/oauth/authorize?client_id=x",
	"/assistente/whatsapp/webhook", "/login?error=x&next=/conta", "/login?aviso=saiu", "/privacidade/ocultar?cnpj=1&aviso=recebido",
}

// refusedForms are targets of POST with a foreign Origin (CSRF), or that take no POST.
var refusedForms = []string{
	"/", "/busca", "/auth/magic-link", "/conta/sair", "/privacidade/ocultar", "/oauth/token", "/oauth/register", "/oauth/revoke",
	"/assistente/telegram/webhook", "/health", "/v2/fontes",
}

// fixedParts are the units of this part: each fixed page with everything it links to, and three
// lists.
var fixedParts = append(slices.Clone(fixedPages), "refused", "forms", "sitemap")

// askFixed asks one unit of the questions that do not depend on a company.
func (r *run) askFixed(ctx context.Context, dice *rand.Rand, unit int) error {
	switch part := fixedParts[unit]; part {
	case "refused":
		return r.askPaths(ctx, question{kind: "site, refused or elsewhere"}, refusedPages...)
	case "forms":
		return r.askPaths(ctx, question{
			kind: "site, forms from elsewhere", method: http.MethodPost, body: "email=a%40exemplo.com",
			header: map[string]string{"Origin": "https://outro.exemplo", "Content-Type": "application/x-www-form-urlencoded"},
		}, refusedForms...)
	case "sitemap":
		return r.askSitemap(ctx)
	default:
		return r.askFixedPage(ctx, dice, part)
	}
}

// askFixedPage opens a page and its assets, repeats it as HEAD, OPTIONS, compressed and conditional
// requests, and opens what it links to.
func (r *run) askFixedPage(ctx context.Context, dice *rand.Rand, path string) error {
	got, err := r.ask(ctx, question{kind: "site, " + path, path: path})
	if err != nil {
		return err
	}
	assets := []string{}
	for _, match := range link.FindAllSubmatch(got.body, -1) {
		if to := string(match[1]); kindOfPage(to) == staticKind {
			assets = append(assets, to)
		}
	}
	if err := r.askPaths(ctx, question{}, assets...); err != nil {
		return err
	}
	for _, q := range []question{
		{method: http.MethodHead},
		{method: http.MethodOptions},
		{header: map[string]string{"Accept-Encoding": "gzip"}},
		{header: map[string]string{"If-None-Match": got.header.Get("ETag")}},
		{header: map[string]string{"If-Modified-Since": got.header.Get("Last-Modified")}},
	} {
		q.kind, q.path = "site, "+path, path
		if _, err := r.ask(ctx, q); err != nil {
			return err
		}
	}
	for _, to := range r.links(dice, path, got.body) {
		if err := r.open(ctx, dice, to, 1); err != nil {
			return err
		}
	}
	return nil
}

// askSitemap asks for every file that the sitemap index names.
func (r *run) askSitemap(ctx context.Context) error {
	got, err := r.ask(ctx, question{kind: "site, /sitemap.xml", path: "/sitemap.xml"})
	if err != nil || got.status != http.StatusOK {
		return err
	}
	var list struct {
		Files []string `xml:"sitemap>loc"`
	}
	if err := xml.Unmarshal(got.body, &list); err != nil {
		return err
	}
	for i, file := range list.Files {
		list.Files[i] = strings.TrimPrefix(file, r.publicAddress)
	}
	return r.askPaths(ctx, question{}, list.Files...)
}

// askSignedIn asks with a session for what only people with an account get, and for pages that show
// who is signed in.
func (r *run) askSignedIn(ctx context.Context, dice *rand.Rand, session string) error {
	cookie := "razao="
	if strings.HasPrefix(r.publicAddress, "https://") {
		cookie = "__Host-razao="
	}
	paths := []string{"/conta", "/", "/login", "/conta?pagina=2", "/empresas.csv", "/empresas.csv?situacao=x"}
	for range signedInCompanies {
		c := r.subject(dice)
		paths = append(paths, "/empresas.csv?"+r.log.Filters(dice, 2).Encode(), "/"+c.number.String())
	}
	return r.askPaths(ctx, question{kind: "site, signed in", header: map[string]string{"Cookie": cookie + session}}, paths...)
}
