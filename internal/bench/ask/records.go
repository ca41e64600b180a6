package ask

import (
	"context"
	"math/rand/v2"

	"razao/internal/bench/callers"
	"razao/internal/bench/questions"
	"razao/internal/bench/report"
	"razao/internal/data/cnpj"
	"razao/internal/data/source"
)

const (
	// keyedAccounts with sixty calls a minute each allow 20,000 calls a second before one is
	// limited.
	keyedAccounts = 20_000
	tokenAccounts = 2_000
)

// keys creates the accounts with API keys when they are first needed.
func (b *Bench) keys(ctx context.Context) (*accounts, error) {
	if b.keyed == nil {
		report.Say("making %s keys", report.Count(keyedAccounts))
		seal, err := callers.Sealer(b.Folder.Dir)
		if err != nil {
			return nil, err
		}
		keys, err := callers.Keys(ctx, b.DB.Pool, seal, keyedAccounts)
		if err != nil {
			return nil, err
		}
		b.keyed = &accounts{secrets: keys}
	}
	return b.keyed, nil
}

// number appends a random establishment's CNPJ.
func (b *Bench) number(dst []byte, r *rand.Rand) []byte {
	return questions.Pick(r, b.Log.Numbers).Append(dst)
}

// Lookups measures the API: v1 and v2 of single records, and the largest company of the load.
func (b *Bench) Lookups(ctx context.Context) (*Requests, error) {
	keys, err := b.keys(ctx)
	if err != nil {
		return nil, err
	}
	largest := b.Log.Largest[0].Root.String()
	kinds := []request{
		{name: "v1, 14 positions", single: true, path: func(dst []byte, r *rand.Rand) []byte {
			return b.number(append(dst, "/v1/cnpj/"...), r)
		}},
		{name: "v1, 8 positions", path: func(dst []byte, r *rand.Rand) []byte {
			return questions.Pick(r, b.Log.Roots).Append(append(dst, "/v1/cnpj/"...))
		}},
		b.ofEstablishment("v2 basic, 14 positions", "/basic"),
		b.ofEstablishment("v2 full, 14 positions", "/full"),
		{name: "v1, all of the largest company", path: fixed("/v1/cnpj/" + largest)},
		{name: "v2, first 100 establishments of the largest company", path: fixed("/v2/empresas/" + largest + "/estabelecimentos?limite=100")},
	}
	kinds[2].single = true
	for i := range kinds {
		kinds[i].by = keys
	}
	return b.all(ctx, &Requests{
		title: "Look-ups over HTTP",
		note:  "Random existing numbers, with key, admission and history, " + report.Count(keyedAccounts) + " accounts in turn.",
	}, kinds, b.Conns)
}

// ofEstablishment is a v2 request for a random establishment; mode is "/basic" or "/full".
func (b *Bench) ofEstablishment(name, mode string) request {
	return request{name: name, path: func(dst []byte, r *rand.Rand) []byte {
		return append(b.number(append(dst, "/v2/estabelecimentos/"...), r), mode...)
	}}
}

// Records measures first pages of each source and full answers, of establishments and companies
// that have records.
func (b *Bench) Records(ctx context.Context) (*Requests, error) {
	keys, err := b.keys(ctx)
	if err != nil {
		return nil, err
	}
	owner := func(r *rand.Rand) cnpj.Full { return questions.Pick(r, b.Log.Owners[questions.Pick(r, source.IDs())]) }
	var kinds []request
	for _, id := range source.IDs() {
		kinds = append(kinds, request{name: id + ", first page", path: func(dst []byte, r *rand.Rand) []byte {
			dst = questions.Pick(r, b.Log.Owners[id]).Append(append(dst, "/v2/estabelecimentos/"...))
			return append(append(dst, "/fontes/"...), id...)
		}})
	}
	kinds = append(kinds,
		request{name: "full, establishment with records", path: func(dst []byte, r *rand.Rand) []byte {
			return append(owner(r).Append(append(dst, "/v2/estabelecimentos/"...)), "/full"...)
		}},
		request{name: "full, company with records", path: func(dst []byte, r *rand.Rand) []byte {
			return append(owner(r).Root().Append(append(dst, "/v2/empresas/"...)), "/full"...)
		}})
	for i := range kinds {
		kinds[i].by = keys
	}
	return b.all(ctx, &Requests{
		title: "Records over HTTP", note: "Establishments and companies with records, drawn evenly from those of each source, with keys.",
	}, kinds, b.Conns)
}

// Tools measures the same question about establishments put to v2 and to the tool consultar_cnpj at
// /mcp, with API keys and with OAuth access tokens.
func (b *Bench) Tools(ctx context.Context) (*Requests, error) {
	keys, err := b.keys(ctx)
	if err != nil {
		return nil, err
	}
	report.Say("making %s access tokens", report.Count(tokenAccounts))
	seal, err := callers.Sealer(b.Folder.Dir)
	if err != nil {
		return nil, err
	}
	tokens, err := callers.Tokens(ctx, b.DB.Pool, seal, "http://"+b.servers[0].address, publicAddress, tokenAccounts)
	if err != nil {
		return nil, err
	}
	call := func(dst []byte, r *rand.Rand) []byte {
		dst = append(dst, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"consultar_cnpj","arguments":{"cnpj":"`...)
		return append(b.number(dst, r), `"}}}`...)
	}
	basic, full := b.ofEstablishment("v2 basic, key", "/basic"), b.ofEstablishment("v2 full, key", "/full")
	basic.by, full.by = keys, keys
	return b.all(ctx, &Requests{
		title: "Questions of assistants", note: "One establishment, drawn from all; every call admitted and recorded, " +
			report.Count(keyedAccounts) + " accounts with keys and " + report.Count(tokenAccounts) + " with access tokens in turn.",
	}, []request{
		basic, full,
		{name: "consultar_cnpj, key", path: fixed("/mcp"), body: call, by: keys},
		{name: "consultar_cnpj, access token", path: fixed("/mcp"), body: call, by: &accounts{secrets: tokens}},
	}, b.Conns)
}

// Searches measures whole pages of results and JSON completions over HTTP.
func (b *Bench) Searches(ctx context.Context) (*Requests, error) {
	var kinds []request
	for _, address := range b.Log.Addresses() {
		paths := drawPaths(address.Next, drawnPaths)
		kinds = append(kinds, request{name: address.Name, path: func(dst []byte, r *rand.Rand) []byte {
			return append(dst, questions.Pick(r, paths)...)
		}})
	}
	return b.all(ctx, &Requests{title: "Search through HTTP", note: "Whole pages, with records."}, kinds, b.Conns)
}

const drawnPaths = 20_000 // of each kind, drawn before measuring

// drawPaths draws n paths with a fixed seed, so that both builds and all runs get the same ones.
func drawPaths(next func(r *rand.Rand) string, n int) []string {
	r := rand.New(rand.NewPCG(3, 3))
	paths := make([]string, n)
	for i := range paths {
		paths[i] = next(r)
	}
	return paths
}
