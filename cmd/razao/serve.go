package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"razao/api"
	"razao/internal/assist/mcp"
	"razao/internal/data/territory"
	"razao/internal/ops/health"
	"razao/internal/ops/metrics"
	"razao/internal/people/account"
	"razao/internal/people/contacts"
	"razao/internal/recovery"
	"razao/internal/store/database"
	"razao/internal/store/indexstore"
	"razao/internal/store/proof"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/web"
	"razao/internal/web/edge"
	"razao/internal/web/fetch"
	"razao/site"
)

func (a *app) serveCommand() *cobra.Command {
	return &cobra.Command{
		Use: "serve", Short: "Serve the website and the API", Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.needBaseURL(); err != nil {
				return err
			}
			return a.withRecords(cmd.Context(), func(db *database.DB) error { return a.serve(cmd.Context(), db, nil) })
		},
	}
}

// gcPercent is the GOGC of a server. Little lives on beside the garbage of pages, so with the default
// the collector would run all the time. GOMEMLIMIT still bounds the heap.
const gcPercent = 200

// serve answers requests until ctx ends. ready, if not nil, is called when everything is assembled
// and the address accepts connections. The order matters: the address is taken before the index is
// opened, which may take minutes, so a second server fails at once; and the meter is closed after
// the last call but before the pools, since it still writes the history.
func (a *app) serve(ctx context.Context, db *database.DB, ready func(*snapshot.Live)) error {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	listener, err := web.Listen(ctx, a.settings.Addr)
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }() // a second time if web.Serve got that far
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
	defer who.oauth.Close() // after the last request, before the database is closed
	meter := account.OpenMeter(db.Control, who.seal, a.log)
	defer meter.Close() // after the last call, before the database is closed
	chats, err := a.messengers(live)
	if err != nil {
		return err
	}
	// A busy machine may take longer to open the connection than a probe waits. How the database is, probes say.
	opening, opened := context.WithTimeout(ctx, 10*time.Second)
	_ = db.Ping(opening)
	opened()
	probe := health.New(live, db.Ping)
	if db.Replicas != nil {
		probe.WithReplicas(db.Replicas.Ping)
	}
	if err := a.watch(ctx, db, live, fetcher, meter, who, probe); err != nil {
		return err
	}
	handler, err := a.handler(db, live, meter, who, probe)
	if err != nil {
		return err
	}
	chats.Register(handler)
	notifier, err := a.notifier(live, who)
	if err != nil {
		return err
	}
	who.outbox.Write = notifier.Mail
	a.warnOfExposure()
	a.announce(ctx, live)
	if ready != nil {
		ready(live)
	}
	g, ctx := errgroup.WithContext(ctx)
	ctx = probe.Drain(ctx, a.settings.Drain)
	// Background work. A panic in one of these is logged and it is started again after a pause.
	for what, run := range map[string]func(context.Context){
		"follow snapshots": live.Run, "fetch indexes": fetcher.Run, "send mails": who.outbox.Run, "answer messengers": chats.Run,
		"notify followers": notifier.Run, "send webhooks": a.sender(who, notifier).Run,
		"purge caches": caches.Run, "ask how the database is": probe.Run,
		"delete what has expired": func(ctx context.Context) { a.purge(ctx, who) },
	} {
		g.Go(func() error { recovery.Keep(ctx, a.log, what, run); return nil })
	}
	g.Go(func() error { return a.monitor.Serve(ctx) })
	g.Go(func() error { return web.Serve(ctx, listener, handler, a.log) })
	return g.Wait()
}

// watch opens what operators observe the server by: the private address with metrics and profiles,
// if one is configured.
func (a *app) watch(
	ctx context.Context, db *database.DB, live *snapshot.Live, fetcher *indexstore.Node, meter *account.Meter, who *people, probe *health.Probe,
) (err error) {
	a.monitor, err = metrics.Open(ctx, a.settings.PrivateAddr, metrics.Config{
		Version: version, Live: live, Fetcher: fetcher, Meter: meter, Outbox: who.outbox, Store: registry.NewStore(db.Control), Log: a.log,
		Pools: metrics.Pools{"records": db.Pool, "control": db.Control}, Overload: web.ErrOverload, Health: probe.Handler(),
		Free: func() (int64, error) { return fetch.FreeBytes(a.settings.Data) },
	})
	return err
}

// openSnapshots opens the snapshot in service and the means to follow later ones. fetcher may be
// nil.
func (a *app) openSnapshots(ctx context.Context, db *database.DB, fetcher *indexstore.Node, options ...snapshot.Option) (*snapshot.Live, error) {
	atlas, err := territory.Open()
	if err != nil {
		return nil, err
	}
	records := registry.NewStore(db.Pool)
	if db.Replicas != nil {
		options = append(options, snapshot.ReadFromReplicas(records, db.Replicas.Reach))
	} else {
		options = append(options, snapshot.ReadFrom(records))
	}
	if a.settings.RecordFiles {
		options = append(options, snapshot.UseRowCache())
	}
	if fetcher != nil {
		options = append(options, snapshot.FetchFrom(fetcher))
	}
	return snapshot.Open(ctx, registry.NewStore(db.Control), a.settings.indexDir(), atlas, a.log, options...), nil
}

// burstShare bounds a burst from one address to this fraction of a minute's requests, which is room
// for a page with its assets.
const burstShare = 5

// pageThrottle returns a new token bucket for each client address.
func (s *settings) pageThrottle() *web.Throttle {
	return web.NewThrottle(s.IPRequests, max(1, s.IPRequests/burstShare))
}

// An assistant sends about five messages that are no calls when a conversation begins: handshake and
// lists.
const (
	messagesPerMinute = 120 // of an account
	messagesAtOnce    = 60
)

// slotsPerConnection is how many calls are worked on at once for each connection of records. While
// one holds the connection, others are parsed, counted, rendered, or next in line.
const slotsPerConnection = 4

// Pages get fewer slots, by processor, since a page takes as much CPU as ten calls, and in overload
// one for every second processor. A call needs a processor several times, whenever PostgreSQL has
// answered; pages on all of them would leave calls in the run queue each time, and starve them.
const (
	pagesPerProcessor = 4
	fewestPages       = 8
)

// newBodies bounds the bytes of large bodies held at once: an eighth of GOMEMLIMIT, at most 256 MB. A
// network has a quarter of that, and an account half as much: slow ones hold no more.
func newBodies() *web.SharedSlots {
	size := min(debug.SetMemoryLimit(-1)/8, 256<<20)
	return web.NewSharedSlots(size, web.Share{Account: size / 8, Network: size / 4}, 0)
}

// handler assembles the packages that answer requests on one engine. API calls and MCP calls share
// one throttle by network, pages and the API's public documents another, and each class of requests
// has slots of its own for load shedding.
func (a *app) handler(db *database.DB, live *snapshot.Live, meter *account.Meter, who *people, probe *health.Probe) (*gin.Engine, error) {
	forCalls := slotsPerConnection * int64(db.Pool.Config().MaxConns)
	slots := map[string]*web.Slots{
		"api": web.NewRequestSlots(forCalls, forCalls), "mcp": web.NewRequestSlots(forCalls, forCalls),
		"pages": web.NewRequestSlots(int64(max(fewestPages, pagesPerProcessor*runtime.GOMAXPROCS(0))), int64(max(1, runtime.GOMAXPROCS(0)/2))),
	}
	bodies := newBodies()
	a.monitor.Watch(slots, bodies)
	visits := a.settings.pageThrottle()
	byNetwork := web.NewThrottle(a.settings.IPCalls, a.settings.IPCalls)
	endOfV1, err := api.ParseRetirement(a.settings.V1Deprecated)
	if err != nil {
		return nil, err
	}
	checkpoints := proof.NewSigner(who.seal.Key("checkpoint"), a.settings.BaseURL)
	calls := api.New(api.Config{
		Live: live, Checkpoints: checkpoints, BaseURL: a.settings.BaseURL, V1: endOfV1,
		Slots:     slots["api"],
		Admit:     meter.Admit,
		Charge:    meter.Charge,
		Quota:     meter.Quota,
		Known:     meter.Knows,
		Record:    meter.Record,
		Failures:  who.failures,
		Calls:     byNetwork,
		Requests:  visits,
		Follows:   who.follows,
		Webhooks:  who.webhooks,
		CursorKey: who.seal.Key("cursor"),
	})
	pages, err := site.New(site.Config{
		Live: live, Ping: probe.Ping, BaseURL: a.settings.BaseURL, Version: version, Checkpoints: checkpoints,
		Components: a.settings.Dev,
		SignIn:     who.service, Sessions: who.sessions, Accounts: who.accounts, OAuth: who.oauth,
		Follows: who.follows, Webhooks: who.webhooks, Kept: who.kept, Meter: meter,
		Contacts: contacts.NewStore(db.Control), Operator: a.settings.Contact,
		WhatsApp: a.settings.WhatsApp.Number, Telegram: a.settings.Telegram.Username,
		Requests: visits, Slots: slots["pages"],
	})
	if err != nil {
		return nil, fmt.Errorf("website: %w", err)
	}
	assistants, err := a.assistants(live, mcp.Config{
		Verify: who.oauth.Verify, Known: who.oauth.Knows, Meter: meter, Failures: who.failures, Calls: byNetwork,
		Messages: web.NewThrottle(a.settings.IPCalls, a.settings.IPCalls), AccountMessages: web.NewThrottle(messagesPerMinute, messagesAtOnce),
		Slots: slots["mcp"],
	})
	if err != nil {
		return nil, err
	}
	engine := web.NewEngine(web.Options{
		Log: a.log, BaseURL: a.settings.BaseURL, TrustedProxies: a.settings.TrustedProxies, Bodies: bodies,
		Around: a.monitor.Around(),
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

// either answers a path without a route as the API or as the website, by its prefix.
func either(calls, pages gin.HandlerFunc) gin.HandlerFunc {
	return func(c *gin.Context) {
		if api.Owns(c.Request.URL.Path) {
			calls(c)
			return
		}
		pages(c)
	}
}
