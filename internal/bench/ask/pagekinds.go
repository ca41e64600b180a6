package ask

import (
	"math/rand/v2"
	"strings"

	"razao/internal/bench/questions"
	"razao/internal/data/cnpj"
)

// referencePage loads Swagger UI, a large third-party script. It is exempt from the goals.
const referencePage = "/api/docs"

// pageKind is a kind of page or file of the website.
type pageKind struct {
	name   string
	next   func(r *rand.Rand) string // draws a path
	file   bool                      // not an HTML page: exempt from the goals
	header string                    // further request header lines, such as the session cookie
}

// pageKinds lists every kind of page and file that the website has. signedIn is the Cookie header
// line of a session.
func pageKinds(log *questions.Log, signedIn string) []pageKind {
	page := func(name string, next func(r *rand.Rand) string) pageKind { return pageKind{name: name, next: next} }
	file := func(name string, next func(r *rand.Rand) string) pageKind {
		return pageKind{name: name, next: next, file: true}
	}
	company := func(of []cnpj.Full, suffix string) func(r *rand.Rand) string {
		return func(r *rand.Rand) string { return "/" + questions.Pick(r, of).String() + suffix }
	}
	kinds := []pageKind{page("/", at("/"))}
	for _, a := range log.Addresses() {
		kinds = append(kinds, pageKind{name: a.Name, next: a.Next, file: strings.HasPrefix(a.Name, "/sugestoes")})
	}
	kinds = append(kinds,
		page("/{cnpj}", company(log.Numbers, "")),
		page("/{cnpj}, records of most sources", company(log.Recorded, "")),
		page("/{cnpj}, individual entrepreneur", company(log.Individual, "")),
		page("/{cnpj}, largest company", company(log.Largest[0].Numbers, "")),
		file("/{cnpj}.md", company(log.Numbers, ".md")),
		file("/{cnpj}.md, records of most sources", company(log.Recorded, ".md")),
		page("/{cnpj}/ibama/autos/1", company(log.Owners["ibama_autos"], "/ibama/autos/1")),
		page("/{cnpj}/ibama/embargos/1", company(log.Owners["ibama_embargos"], "/ibama/embargos/1")),
		page("/socio/{d6}/{sl}", log.Person),
		page("/empresas", at("/empresas")),
		page("/empresas, activity and order", log.Listing),
		page("/uf/{uf}", log.State),
		page("/uf/{uf}?ordem=recente", func(r *rand.Rand) string { return log.State(r) + "?ordem=recente" }),
		page("/uf/{uf}/{cidade}", log.City),
		page("/estados", at("/estados")),
		page("/municipios", at("/municipios")),
		page("/municipios/comparar", at("/municipios/comparar?m=3550308&m=3304557&m=3106200&m=2927408&m=4106902")),
		file("/municipios.csv", at("/municipios.csv")),
		pageKind{"/empresas.csv, 10,000 rows at the most", log.Export, true, signedIn},
		pageKind{"/conta", at("/conta"), false, signedIn},
	)
	for _, path := range []string{
		"/login", "/metodologia/bndes", "/api", "/api/v1", referencePage, "/dicionario", "/glossario", "/fontes", "/fontes/receita",
		"/assistente", "/assistente/whatsapp", "/assistente/telegram",
		"/privacidade", "/termos",
	} {
		kinds = append(kinds, page(path, at(path)))
	}
	for _, path := range []string{"/openapi.json", "/llms.txt", "/robots.txt", "/sitemap.xml", "/sitemaps/0001.xml.gz", "/sitemaps/0002.xml.gz"} {
		kinds = append(kinds, file(path, at(path)))
	}
	return kinds
}

// at is a path that does not vary.
func at(path string) func(*rand.Rand) string { return func(*rand.Rand) string { return path } }
