package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
)

// mcpReport is what asking as assistants do took, and whether the answers are those of the API.
type mcpReport struct {
	options *options
	machine string
	asked   []lookupRun
	profile *profile // of the server, asked by access token, taken apart from the runs
	agreed  []agreement
}

// assistants loads a release and all sources, asks as assistants do and beside it the API, and compares the answers.
func (o *options) assistants(ctx context.Context) error {
	r := &mcpReport{options: o}
	return o.reported(r, func(f *folder) error { return o.intoAssistants(ctx, f, r) })
}

func (o *options) intoAssistants(ctx context.Context, f *folder, r *mcpReport) error {
	loads := &sourcesReport{}
	db, err := o.openWithSources(ctx, f, loads)
	if err != nil {
		return err
	}
	defer db.close()
	r.machine = loads.machine
	live, _, err := openSnapshot(ctx, f, db)
	if err != nil {
		return err
	}
	say("drawing numbers from the load")
	d, err := draw(ctx, live)
	if err != nil {
		live.Close()
		return err
	}
	all, err := drawOwners(ctx, live)
	live.Close()
	if err != nil {
		return err
	}
	return o.askAssistants(ctx, f, db, d, all, r)
}

func (o *options) askAssistants(ctx context.Context, f *folder, db *database, d *drawn, all owners, r *mcpReport) (err error) {
	s, err := o.startServer(ctx, f, db)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	keys, err := makeKeys(ctx, db)
	if err != nil {
		return err
	}
	if r.agreed, err = compareAnswers(ctx, s, keys, d, all); err != nil {
		return err
	}
	tokens, err := makeTokens(ctx, db, s)
	if err != nil {
		return err
	}
	kinds := o.assistantKinds(s, d, keys, tokens)
	for _, kind := range kinds {
		for _, conns := range o.conns {
			run, err := o.lookupRun(ctx, s, db, &kind, conns)
			if err != nil {
				return fmt.Errorf("%s, %d connections: %w", kind.name, conns, err)
			}
			r.asked = append(r.asked, run)
		}
	}
	r.profile, err = profileServer(ctx, f, s, &kinds[len(kinds)-1])
	return err
}

// assistantKinds are the same question about establishments put to the API and to /mcp.
func (o *options) assistantKinds(s *server, d *drawn, keys, tokens []string) []asked {
	number := func(dst []byte, r *rand.Rand) []byte { return d.numbers[r.IntN(len(d.numbers))].Append(dst) }
	rest := func(mode string) asked {
		return asked{"v2 " + mode + ", key", s.Keyed, func(dst []byte, r *rand.Rand) []byte {
			return append(number(append(dst, "/v2/estabelecimentos/"...), r), "/"+mode...)
		}, nil, o.conns, keys, false}
	}
	tool := func(who string, secrets []string) asked {
		return asked{"consultar_cnpj, " + who, s.Keyed, fixed("/mcp"), func(dst []byte, r *rand.Rand) []byte {
			dst = append(dst, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"consultar_cnpj","arguments":{"cnpj":"`...)
			return append(number(dst, r), `"}}}`...)
		}, o.conns, secrets, false}
	}
	return []asked{rest("basic"), rest("full"), tool("key", keys), tool("access token", tokens)}
}

func (r *mcpReport) markdown() string {
	p := &page{}
	p.line("%s. `bench -only mcp -roots %d -workers %d -duration %s`", r.machine, r.options.roots, r.options.workers, r.options.duration)
	p.section("Questions of assistants")
	p.line("One establishment, drawn from all. Keep-alive connections on loopback; every call admitted and recorded, %s accounts with keys "+
		"and %s with access tokens in turn. CPU is µs for each request; the client is the load generator, on the same processors.",
		count(keyedAccounts), count(tokenAccounts))
	t := requestTable()
	for i := range r.asked {
		r.asked[i].row(&t)
	}
	p.table(&t)
	p.profile("CPU of the server, access token", r.profile)
	p.section("Answers of tools beside those of the API")
	t = table{head: []string{"Documents", "Compared", "Equal", "Values compared"}}
	for i := range r.agreed {
		t.row(r.agreed[i].name, count(int64(r.agreed[i].documents)), count(int64(r.agreed[i].equal)), count(int64(r.agreed[i].values)))
	}
	p.table(&t)
	for i := range r.agreed {
		for _, text := range r.agreed[i].differences {
			p.line("%s", text)
		}
	}
	return p.text.String()
}
