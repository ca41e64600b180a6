package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/gin-gonic/gin"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"razao/api"
	"razao/ingest/gates"
	"razao/internal/account"
	"razao/internal/contacts"
	"razao/internal/edge"
	"razao/internal/health"
	"razao/internal/indexstore"
	"razao/internal/mcp"
	"razao/internal/metrics"
	"razao/internal/recovery"
	"razao/internal/registry"
	"razao/internal/snapshot"
	"razao/internal/territory"
	"razao/internal/traces"
	"razao/internal/web"
	"razao/migrations"
	"razao/site"
)

func (a *app) serveCommand() *cobra.Command {
	return &cobra.Command{
		Use: "serve", Short: "Serve the website and the API", Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withDatabase(cmd.Context(), migrations.Serve, func(db *database) error { return a.serve(cmd.Context(), db, nil) })
		},
	}
}

// serve answers requests until ctx ends. ready is called, if not nil, once the address is open.
func (a *app) serve(ctx context.Context, db *database, ready func(*snapshot.Live)) error {
	listener, err := web.Listen(ctx, a.settings.Addr)
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }() // again, if it was served
	caches, err := edge.New(a.settings.EdgePurge, a.log)
	if err != nil {
		return err
	}
	fetcher := a.fetcher(db)
	live, err := a.openSnapshots(ctx, db, fetcher, snapshot.WhenRetired(caches.Retire))
	if err != nil {
		return err
	}
	defer live.Close()
	who, err := a.people(db)
	if err != nil {
		return err
	}
	defer who.oauth.Close() // after the last request, before the database is left
	meter := account.OpenMeter(db.control, who.seal, a.log)
	defer meter.Close() // after the last call, before the database is left
	chats, err := a.messengers(live)
	if err != nil {
		return err
	}
	probe := health.New(live, db.control.Ping)
	if err := a.watch(ctx, db, live, fetcher, meter, who, probe); err != nil {
		return err
	}
	defer a.tracer.Close()
	handler, err := a.handler(db, live, meter, who, probe)
	if err != nil {
		return err
	}
	chats.Register(handler)
	if ready != nil {
		ready(live)
	}
	g, ctx := errgroup.WithContext(ctx)
	ctx = probe.Drain(ctx, a.settings.Drain)
	for what, run := range map[string]func(context.Context){
		"follow snapshots": live.Run, "fetch indexes": fetcher.Run, "send mails": who.outbox.Run, "answer messengers": chats.Run,
		"purge caches":            caches.Run,
		"delete what has expired": func(ctx context.Context) { a.purge(ctx, who) },
	} {
		g.Go(func() error { recovery.Keep(ctx, a.log, what, run); return nil })
	}
	g.Go(func() error { return a.monitor.Serve(ctx) })
	g.Go(func() error { return web.Serve(ctx, listener, handler, a.log) })
	return g.Wait()
}

// watch opens what operators see a server by: the private address and the way of spans, as far as they are wanted.
func (a *app) watch(
	ctx context.Context, db *database, live *snapshot.Live, fetcher *indexstore.Node, meter *account.Meter, who *people, probe *health.Probe,
) (err error) {
	if a.tracer, err = traces.Open(ctx, a.settings.OTLP, version, a.log); err != nil {
		return err
	}
	a.monitor, err = metrics.Open(ctx, a.settings.PrivateAddr, metrics.Config{
		Version: version, Live: live, Fetcher: fetcher, Meter: meter, Outbox: who.outbox, Store: registry.NewStore(db.control), Log: a.log,
		Pools: metrics.Pools{"records": db.pool, "control": db.control}, Overload: web.ErrOverload, Health: probe.Handler(),
		Free: func() (int64, error) { return gates.FreeBytes(a.settings.Data) },
	})
	return err
}

// openSnapshots follows what is published in a database.
func (a *app) openSnapshots(ctx context.Context, db *database, fetcher *indexstore.Node, options ...snapshot.Option) (*snapshot.Live, error) {
	atlas, err := territory.Open()
	if err != nil {
		return nil, err
	}
	options = append(options, snapshot.ReadFrom(registry.NewStore(db.pool)))
	if fetcher != nil {
		options = append(options, snapshot.FetchFrom(fetcher))
	}
	return snapshot.Open(ctx, registry.NewStore(db.control), a.settings.indexDir(), atlas, a.log, options...), nil
}

// burstShare is which part of a minute's requests an address may send at once: a page with all that belongs to it.
const burstShare = 5

// pageThrottle returns a new limit of what people ask.
func (s *settings) pageThrottle() *web.Throttle {
	return web.NewThrottle(s.IPRequests, max(1, s.IPRequests/burstShare))
}

// placesPerConnection is how many requests of a class are worked on for each connection of records: while some have it, others are read,
// counted, rendered, or next.
const placesPerConnection = 4

// pagesPerProcessor is the same for pages, each of which takes processors as long as ten calls: with more places they would leave calls
// none of the time when there is too much of both.
const (
	pagesPerProcessor = 4
	fewestPages       = 8
)

// bodyBudget is how many bytes of large answers may be held: an eighth of GOMEMLIMIT, a quarter of a gigabyte at the most.
func bodyBudget() *web.Budget { return web.NewBudget(min(debug.SetMemoryLimit(-1)/8, 256<<20)) }

// handler joins the rooms that answer requests.
func (a *app) handler(db *database, live *snapshot.Live, meter *account.Meter, who *people, probe *health.Probe) (*gin.Engine, error) {
	forCalls := placesPerConnection * int(db.pool.Config().MaxConns)
	places := map[string]*web.Places{
		"api": web.NewPlaces(forCalls), "mcp": web.NewPlaces(forCalls),
		"pages": web.NewPlaces(max(fewestPages, pagesPerProcessor*runtime.GOMAXPROCS(0))),
	}
	bodies := bodyBudget()
	a.monitor.Watch(places, bodies)
	byNetwork := web.NewThrottle(a.settings.IPCalls, a.settings.IPCalls)
	calls := api.New(api.Config{
		Live:      live,
		Places:    places["api"],
		Admit:     meter.Admit,
		Standing:  meter.Standing,
		Known:     meter.Knows,
		Record:    meter.Record,
		Failures:  who.failures,
		Calls:     byNetwork,
		IBGE:      live.Atlas().IBGE,
		CursorKey: who.seal.Key("cursor"),
	})
	pages, err := site.New(site.Config{
		Live: live, Ping: probe.Ping, BaseURL: a.settings.BaseURL, Version: version,
		Components: a.settings.Dev,
		SignIn:     who.service, Sessions: who.sessions, Accounts: who.accounts, OAuth: who.oauth,
		Contacts: contacts.NewStore(db.control), Operator: a.settings.Contact,
		WhatsApp: a.settings.WhatsApp.Number, Telegram: a.settings.Telegram.Username,
		Requests: a.settings.pageThrottle(), Places: places["pages"],
	})
	if err != nil {
		return nil, fmt.Errorf("website: %w", err)
	}
	assistants, err := a.assistants(live, mcp.Config{
		Verify: verifier(who.oauth), Known: who.oauth.Knows, Meter: meter, Failures: who.failures, Calls: byNetwork,
		Places: places["mcp"],
	})
	if err != nil {
		return nil, err
	}
	engine := web.NewEngine(web.Options{
		Log: a.log, BaseURL: a.settings.BaseURL, TrustedProxies: a.settings.TrustedProxies, Budget: bodies,
		Around: append(a.tracer.Around(), a.monitor.Around()...),
	})
	probe.Register(engine)
	calls.Register(engine)
	pages.Register(engine)
	who.oauth.Register(engine, pages.RefuseAuthorization)
	assistants.Register(engine)
	engine.NoRoute(either(calls.NotFound, pages.NotFound))
	engine.NoMethod(either(calls.MethodNotAllowed, pages.MethodNotAllowed))
	return engine, nil
}

// either lets the API or the website answer for a path without a route.
func either(calls, pages gin.HandlerFunc) gin.HandlerFunc {
	return func(c *gin.Context) {
		if api.Owns(c.Request.URL.Path) {
			calls(c)
			return
		}
		pages(c)
	}
}
