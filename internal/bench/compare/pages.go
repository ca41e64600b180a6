package compare

import (
	"context"
	"html"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"razao/internal/bench/questions"
)

const linksOfPage = 3 // links of each kind that are followed

// askPages opens the page of a company and what it links to, requests it in other representations
// and spellings, and searches.
func (r *run) askPages(ctx context.Context, dice *rand.Rand, _ int) error {
	c := r.subject(dice)
	if err := r.open(ctx, dice, c.fill("/{cnpj}"), 2); err != nil {
		return err
	}
	ways := []question{
		{path: "/{cnpj}.md", header: accepting(dice)},
		{path: "/{cnpj}", header: map[string]string{"Accept": "text/markdown"}},
		{path: "/{cnpj}", method: "HEAD"},
		{path: "/{masked}"},
		{path: "/{root}"},
		{path: "/{cnpj}?" + questions.Pick(dice, []string{"socios=2", "estabelecimentos=2", "pgfn=2", "socios=0", "estabelecimentos=x"})},
		{path: "/{cnpj}/ibama/" + questions.Pick(dice, []string{"autos/1", "embargos/1", "autos/2", "outros/1", "autos/0", "embargos/x"})},
	}
	for i := range ways {
		ways[i].path = c.fill(ways[i].path)
	}
	if err := r.askAll(ctx, ways...); err != nil {
		return err
	}
	return r.search(ctx, dice)
}

// search searches by name and filters, completes names, and opens listings of places.
func (r *run) search(ctx context.Context, dice *rand.Rand) error {
	filters := r.log.Filters(dice, 3)
	filters.Set("q", questions.Pick(dice, []string{r.log.Name(dice), r.log.Partner(dice)}))
	filters.Set("pagina", questions.Pick(dice, []string{"1", "1", "2", "501"}))
	searches := []question{{path: "/busca?" + filters.Encode()}, {path: r.log.Person(dice)}}
	for _, address := range r.log.Addresses() {
		searches = append(searches, question{path: address.Next(dice)}, question{path: address.Next(dice)})
	}
	if err := r.askAll(ctx, searches...); err != nil {
		return err
	}
	for _, listing := range []string{"/empresas", r.log.State(dice), r.log.City(dice)} {
		filters := r.log.Filters(dice, 3)
		if dice.IntN(2) == 0 {
			filters.Set("ordem", questions.Pick(dice, []string{"capital", "nome", "recente", "antiga", "recentes"}))
		}
		if err := r.open(ctx, dice, listing+"?"+filters.Encode(), 1); err != nil {
			return err
		}
	}
	return nil
}

var link = regexp.MustCompile(`(?:href|src|action)="(/[^"#]*)`)

// open asks for a page and recursively, up to levels deep, for a few of the pages of each kind that
// it links to.
func (r *run) open(ctx context.Context, dice *rand.Rand, path string, levels int) error {
	got, err := r.ask(ctx, question{path: path, header: accepting(dice)})
	if err != nil || levels == 0 {
		return err
	}
	if tag := got.header.Get("ETag"); tag != "" && dice.IntN(8) == 0 {
		if err := r.askAll(ctx, question{kind: "site, If-None-Match", path: path, header: map[string]string{"If-None-Match": tag}}); err != nil {
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

// links draws up to linksOfPage addresses of each kind that a page links to, in the order of the
// kinds on the page. Assets and fixed pages are left to askFixed, exports to askSignedIn.
func (r *run) links(dice *rand.Rand, path string, body []byte) (chosen []string) {
	byKind := map[string][]string{}
	var kinds []string
	for _, match := range link.FindAllSubmatch(body, -1) {
		to := html.UnescapeString(string(match[1]))
		kind := kindOfPage(to)
		if to == path || kind == staticKind || strings.HasPrefix(to, "/empresas.csv") || strings.HasPrefix(to, "/busca.csv") || // for the signed in
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

// companyPage matches a CNPJ in any spelling. kindOfPage also requires a digit.
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
