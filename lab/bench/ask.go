package main

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"razao/internal/data/record"
	"razao/internal/store/network"
	"razao/lab/internal/load"
)

// keyedAccounts, with sixty calls a minute each, allow 20,000 calls a second, and each call is from
// another account than those at the same time.
const keyedAccounts = 20_000

// ask measures the parts that need a server.
func (b *bench) ask(ctx context.Context) (err error) {
	if !slices.ContainsFunc(b.only, func(part string) bool { return part != "ingest" && part != "sources" }) {
		return nil
	}
	say("reading the release")
	if b.drawn, err = load.Read(b.Release); err != nil {
		return err
	}
	for _, p := range b.Programs {
		s, err := p.Serve(ctx)
		if err != nil {
			return err
		}
		say("making %d keys", keyedAccounts)
		keys, err := p.Keys(ctx, keyedAccounts)
		if err != nil {
			return err
		}
		s.Keys = load.NewRing(keys)
		b.servers = append(b.servers, s)
	}
	bySource, err := load.Owners(ctx, b.servers[0].URL, b.drawn.Sources)
	if err != nil {
		return err
	}
	owners := slices.Concat(slices.Collect(maps.Values(bySource))...)
	slices.Sort(owners)
	for _, part := range []struct {
		name, of string
		kinds    []load.Kind
	}{
		{"lookup", "calls of single records, with key, admission and history; /N: connections", b.lookups()},
		{"full", "calls of whole companies with records, all sources", b.fulls(owners)},
		{"search", "pages of results, lists and completions, and the API's search", b.searches()},
		{"pages", "pages of companies, places and the rest; body-B is gzip", b.pages(owners)},
		{"network", "who is behind a company, and what else is theirs", b.networks()},
	} {
		if !b.wants(part.name) {
			continue
		}
		out := series{}
		if err := b.builds(ctx, out, part.kinds...); err != nil {
			return err
		}
		if err := out.print(ctx, title(part.name, part.of), "before", "after"); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		name    string
		measure func(ctx context.Context) error
	}{{"mcp", b.tools}, {"during", b.during}, {"saturation", b.saturation}, {"peer", b.peer}} {
		if b.wants(part.name) {
			if err := part.measure(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// call is a keyed call of the API.
func call(name string, path func(r *rand.Rand) string) load.Kind {
	kind := load.Get(name, "", path)
	kind.Keyed = true
	return kind
}

// page is a page as browsers ask for it.
func page(name string, path func(r *rand.Rand) string) load.Kind { return load.Get(name, "gzip", path) }

func at(path string) func(*rand.Rand) string { return func(*rand.Rand) string { return path } }

// v1 is the look-up that is measured most.
func (b *bench) v1() load.Kind {
	return call("v1", func(r *rand.Rand) string { return "/v1/cnpj/" + b.drawn.CNPJ(r) })
}

func (b *bench) basic() load.Kind {
	return call("v2-basic", func(r *rand.Rand) string { return "/v2/estabelecimentos/" + b.drawn.CNPJ(r) + "/basic" })
}

func (b *bench) full() load.Kind {
	return call("v2-full", func(r *rand.Rand) string { return "/v2/estabelecimentos/" + b.drawn.CNPJ(r) + "/full" })
}

func (b *bench) lookups() []load.Kind {
	kinds := []load.Kind{
		b.v1(),
		call("v1-root", func(r *rand.Rand) string { return "/v1/cnpj/" + load.Pick(r, b.drawn.Establishments).CNPJ[:8] }),
		b.basic(),
		b.full(),
	}
	if len(b.drawn.Largest) > 0 {
		largest := b.drawn.Largest[0][:8]
		kinds = append(kinds, call("v1-largest", at("/v1/cnpj/"+largest)),
			call("v2-100-establishments", at("/v2/empresas/"+largest+"/estabelecimentos?limite=100")))
	}
	return kinds
}

func (b *bench) fulls(owners []string) []load.Kind {
	return []load.Kind{
		call("full-establishment", func(r *rand.Rand) string { return "/v2/estabelecimentos/" + load.Pick(r, owners) + "/full" }),
		call("full-company", func(r *rand.Rand) string { return "/v2/empresas/" + load.Pick(r, owners)[:8] + "/full" }),
	}
}

// near returns the filters of a list that has at least the establishment that it is drawn from.
func (b *bench) near(r *rand.Rand) url.Values {
	e := load.Pick(r, b.drawn.Establishments)
	for e.UF == "EX" || len(e.Activity) != 7 {
		e = load.Pick(r, b.drawn.Establishments)
	}
	return url.Values{"uf": {e.UF}, "situacao": {e.Situation}, "cnae": {e.Activity[:2]}}
}

func (b *bench) searches() []load.Kind {
	return []load.Kind{
		page("busca-words", func(r *rand.Rand) string { return "/busca?" + url.Values{"q": {b.drawn.Words(r)}}.Encode() }),
		page("busca-name", func(r *rand.Rand) string {
			return "/busca?" + url.Values{"q": {load.Pick(r, b.drawn.Companies).Name}}.Encode()
		}),
		page("busca-filters", func(r *rand.Rand) string { return "/busca?" + b.near(r).Encode() }),
		page("empresas", func(r *rand.Rand) string {
			return "/empresas?" + url.Values{"cnae": b.near(r)["cnae"], "ordem": {load.Pick(r, []string{"capital", "nome", "recente", "antiga"})}}.Encode()
		}),
		call("v2-busca", func(r *rand.Rand) string { return "/v2/busca?" + url.Values{"q": {b.drawn.Words(r)}}.Encode() }),
		page("sugestoes", func(r *rand.Rand) string { return "/sugestoes?" + url.Values{"q": {b.drawn.Beginning(r)}}.Encode() }),
	}
}

func (b *bench) pages(owners []string) []load.Kind {
	kinds := []load.Kind{
		page("home", at("/")),
		page("company", func(r *rand.Rand) string { return "/" + b.drawn.CNPJ(r) }),
		page("company-records", func(r *rand.Rand) string { return "/" + load.Pick(r, owners) }),
		page("company-md", func(r *rand.Rand) string { return "/" + b.drawn.CNPJ(r) + ".md" }),
		page("uf", func(r *rand.Rand) string {
			return "/uf/" + load.Pick(r, []string{"ac", "ba", "df", "mg", "pa", "rs", "sp"})
		}),
		page("municipios", at("/municipios")),
		page("fontes-receita", at("/fontes/receita")),
		page("dicionario", at("/dicionario")),
	}
	if len(b.drawn.Largest) > 0 {
		kinds = append(kinds, page("company-largest", at("/"+b.drawn.Largest[0])))
	}
	return kinds
}

// actor draws a partner, as the API names him: a company, or a person by six digits and name. The sample
// has few others.
func (b *bench) actor(r *rand.Rand) string {
	for {
		p := load.Pick(r, b.drawn.Partners)
		as := record.Partner{IdentificadorSocio: record.SocioCompany, NomeSocio: p.Name, CNPJCPFSocio: p.Document}
		if a := network.PartnerOf(0, &as); a.Known() {
			return a.ID()
		}
	}
}

func (b *bench) networks() []load.Kind {
	company := func(r *rand.Rand) string { return load.Pick(r, b.drawn.Partners).Company }
	around := func(name, query string) load.Kind {
		return call(name, func(r *rand.Rand) string { return "/v2/empresas/" + company(r) + "/rede" + query })
	}
	return []load.Kind{
		around("rede-1", ""),
		around("rede-2", "?profundidade=2"),
		around("rede-4", "?profundidade=4&limite=500"),
		around("participacoes-4", "?profundidade=4&sentido=abaixo"),
		call("socio-empresas", func(r *rand.Rand) string { return "/v2/socios/" + b.actor(r) + "/empresas?limite=100" }),
		call("grupo", func(r *rand.Rand) string { return "/v2/grupos/" + company(r) }),
		call("caminho", func(r *rand.Rand) string { return "/v2/caminho?de=" + b.actor(r) + "&para=" + b.actor(r) }),
	}
}

// consult asks a tool what full answers.
func (b *bench) consult() load.Kind {
	return load.Kind{Name: "consultar_cnpj", Keyed: true, Next: func(r *rand.Rand, t *vegeta.Target) {
		t.Method, t.URL = http.MethodPost, "/mcp"
		t.Header.Set("Content-Type", "application/json")
		t.Header.Set("Accept", "application/json, text/event-stream")
		t.Body = fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"consultar_cnpj","arguments":{"cnpj":%q}}}`, b.drawn.CNPJ(r))
	}}
}

// tools measures the tool consultar_cnpj of the builds, and then in turns with the call of the API for
// the same numbers.
func (b *bench) tools(ctx context.Context) error {
	builds, calls := series{}, series{}
	if err := b.builds(ctx, builds, b.consult()); err != nil {
		return err
	}
	if err := builds.print(ctx, title("mcp", "tools"), "before", "after"); err != nil {
		return err
	}
	first := b.servers[0]
	if err := b.compete(ctx, calls, "full-as-tool", contender{"tool", first, b.consult()}, contender{"api", first, b.full()}); err != nil {
		return err
	}
	return calls.print(ctx, title("mcp", "a tool beside the call of the API for the same numbers"), "api", "tool")
}
