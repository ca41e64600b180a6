// Package mcp serves internal/assist/assistant over the Model Context Protocol, in two ways: at POST /mcp
// as a stateless Streamable HTTP server, and over standard input and output (razao mcp).
// docs/mcp.md describes the server to clients.
//
// An HTTP request is one message; batches are refused. It passes: Origin check against DNS
// rebinding, presence of a bearer token (401 with a discovery challenge otherwise), throttle of
// wrong tokens, load shedding, authentication by API key or OAuth access token, then the protocol.
// Each tool call and resource read is admitted against the account's limit per minute and recorded
// in its usage history, whatever its outcome. A call over the limit gets a tool error that the
// model can read, not an HTTP status. Other messages, such as handshakes and lists, do not count as
// calls; they are throttled by network and by account.
//
// The protocol is the Go SDK's. A message is read here only as far as needed to refuse batches and
// to know whether it counts as a call (message.go); the SDK answers into a buffer (answer.go).
//
// Schemas of arguments and results derive from Go types and the tables of package record
// (schema.go). A panic in a handler becomes a tool error. Standard input and output have neither
// authentication nor limits.
package mcp

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"razao/internal/assist/assistant"
	"razao/internal/data/glossary"
	"razao/internal/people/account"
	"razao/internal/people/oauthserver"
	"razao/internal/web"
)

const (
	toolDeadline    = 10 * time.Second // per call
	requestDeadline = 20 * time.Second // per HTTP request
	maxBody         = 128 << 10        // bytes of a request body
	listsLast       = time.Hour        // cache lifetime of the lists of tools, resources and prompts

	// Calls that are worked on at once. Hosted assistants serve many people from few addresses.
	callsAtOnce    = 32
	callsOfAccount = 8
	callsOfNetwork = 24
	callsWait      = 2 * time.Second // for one of them to end
)

// Config holds the dependencies of a [Server]. ServeStdio needs Assistant, BaseURL, Version and
// Log; HTTP also needs Meter.
type Config struct {
	Assistant *assistant.Assistant
	BaseURL   string // public URL
	Version   string
	Log       *slog.Logger // for errors over standard input; HTTP requests log to their event
	// Verify validates an access token. It returns oauthserver.ErrInvalidToken for an invalid one; any
	// other error means that the look-up failed (503). nil: only API keys are accepted.
	Verify func(ctx context.Context, token string) (oauthserver.Access, error)
	// Known reports, without a query, whether the service issued an access token, so that it is not a
	// guess. nil: never.
	Known func(token string) bool
	// Meter authenticates API keys, and admits and records calls.
	Meter *account.Meter
	// Slots bounds concurrent requests (load shedding); nil: unbounded.
	Slots *web.Slots
	// Failures limits wrong tokens per client address, Calls limits calls per network, Messages and
	// AccountMessages limit what does not count as a call, per network and per account, the latter
	// also calls over the account's limit; nil: no limit.
	Failures, Calls, Messages, AccountMessages *web.Throttle
}

// Server is the MCP server. Create it with [New]. It is safe for concurrent use.
type Server struct {
	Config
	protocol *sdk.Server
	handler  http.Handler
	origin   string          // of BaseURL, as in an Origin header
	tools    map[string]bool // names; read-only after New
	sender   web.Sender
	calls    *web.SharedSlots // see callsAtOnce
}

// instructions are what a model reads first.
func instructions() string {
	var terms []string
	for _, e := range glossary.Unpublished() {
		terms = append(terms, e.Term)
	}
	return fmt.Sprintf(`Razão consulta o cadastro público das empresas brasileiras (dados abertos da Receita Federal) e quatorze fontes de registros públicos: dívida ativa, sanções, trabalho, comércio exterior, meio ambiente, transporte, contratos públicos e BNDES.
Comece por buscar_empresas quando só souber o nome, e por consultar_cnpj quando tiver o CNPJ (8 ou 14 posições, com ou sem pontuação). consultar_cnpj resume; consultar_fonte, listar_estabelecimentos e listar_socios trazem os registros em páginas: repita a chamada com o cursor devolvido.
Cite a fonte, a competência e a página de cada número. Os dados são da carga indicada, não de agora. “sem_ocorrencia” vale só para a carga consultada e não é certidão; “indisponivel” e “erro” são fontes que não puderam ser consultadas, e nunca “nada consta”. Registros de fontes diferentes podem tratar do mesmo processo: não some cnep com acordos_leniencia. Em pncp o valor global é do contrato. CPFs são publicados mascarados, e nomes iguais podem ser de pessoas diferentes.
Repita os avisos das respostas a quem perguntou. ATIVA é a situação no cadastro, e não prova de que a empresa funcione. Nenhuma destas fontes publica %s: diga que aqui não há resposta, e não a estime; as companhias abertas publicam parte disso na CVM.`,
		strings.Join(terms, ", "))
}

// New returns a server with all tools, resources and prompts. It fails if BaseURL is not a URL.
func New(c Config) (*Server, error) {
	c.BaseURL = strings.TrimSuffix(c.BaseURL, "/")
	base, err := url.Parse(c.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("public address: %w", err)
	}
	s := &Server{Config: c, origin: base.Scheme + "://" + base.Host, tools: map[string]bool{}}
	s.calls = web.NewSharedSlots(callsAtOnce, web.Share{Account: callsOfAccount, Network: callsOfNetwork}, callsWait)
	s.protocol = sdk.NewServer(
		&sdk.Implementation{Name: "razao", Title: "Razão", Version: c.Version, WebsiteURL: c.BaseURL},
		&sdk.ServerOptions{
			Instructions: instructions(),
			// No listChanged: the lists are constant.
			Capabilities: &sdk.ServerCapabilities{
				Tools: &sdk.ToolCapabilities{}, Prompts: &sdk.PromptCapabilities{}, Resources: &sdk.ResourceCapabilities{},
			},
			SetCacheable: setCacheable,
		},
	)
	s.addTools()
	s.addResources()
	s.addPrompts()
	s.protocol.AddReceivingMiddleware(s.recovering, s.limiting)
	s.handler = sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.protocol }, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxBody, PropagateRequestCancellation: true,
		DisableLocalhostProtection: true, // would reject requests of a local reverse proxy; ownPages and the token protect instead
	})
	return s, nil
}

// setCacheable sets the caching hints of results: lists may be cached for listsLast, records are
// private and not cached.
func setCacheable(_ context.Context, r sdk.Request, c *sdk.Cacheable) {
	if _, isRecord := r.(*sdk.ReadResourceRequest); isRecord {
		c.CacheScope = "private"
		return
	}
	c.TTLMs = int(listsLast.Milliseconds())
}

// Register adds /mcp to r, with and without a slash at the end. The SDK answers methods other than POST with 405.
func (s *Server) Register(r gin.IRoutes) {
	// Hosted assistants serve many people from few addresses, so known tokens are exempt from the
	// throttle.
	guard := web.Guard{Failures: s.Failures, Known: s.known, Spare: true, Fail: s.fail}
	for _, path := range [...]string{"/mcp", "/mcp/"} { // clients configured with a slash at the end send it; as resource both are accepted
		r.Any(path, forCallers, web.Recover(s.fail), web.Deadline(requestDeadline), s.ownPages, s.tokensOnly, guard.Limit,
			web.Receive(maxBody, s.fail), web.Shed(s.Slots, s.fail), s.serve)
	}
}

// forCallers sets Vary. Package web already forbids caches to store responses by default.
func forCallers(c *gin.Context) { c.Header("Vary", "Authorization") }

// ServeStdio serves one client over standard input and output until it disconnects or ctx is done,
// in which case it returns nil. There is no authentication and no limit, because the client is the
// user who started the program.
func (s *Server) ServeStdio(ctx context.Context) error {
	if err := s.protocol.Run(ctx, &sdk.StdioTransport{}); err != nil && ctx.Err() == nil {
		return fmt.Errorf("answer on standard output: %w", err)
	}
	return nil
}
