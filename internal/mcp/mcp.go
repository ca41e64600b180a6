// Package mcp serves internal/assistant by the Model Context Protocol: at /mcp, as a stateless Streamable HTTP server for OAuth
// access tokens and API keys, where calls count against the account's limit; and on standard input and output, for whoever
// started the program. docs/mcp.md describes it to clients.
//
// The protocol is the Go SDK's; only plain calls of tools, which are nearly all requests, bypass its HTTP transport (call.go).
package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"razao/internal/account"
	"razao/internal/assistant"
	"razao/internal/web"
)

const (
	toolDeadline    = 10 * time.Second // of one call
	requestDeadline = 20 * time.Second // of a request, which may hold several calls
	maxBody         = 128 << 10        // bytes of a request
	listsLast       = time.Hour        // time to live of the lists of tools, resources and prompts
)

// Config are the dependencies of a Server.
type Config struct {
	Assistant *assistant.Assistant
	BaseURL   string // public URL
	Version   string
	Log       *slog.Logger // for errors on standard input; requests have their event
	// Verify validates an access token. ErrInvalidToken refuses it; any other error means that the look-up failed. nil: only
	// API keys are accepted.
	Verify func(ctx context.Context, token string) (Access, error)
	// Known reports, without a query, whether an access token is certainly no guess; nil: of none.
	Known func(token string) bool
	// Meter admits and records calls, and recognises API keys.
	Meter *account.Meter
	// Places bound how many requests are worked on at once; nil does not.
	Places *web.Places
	// Failures limits how often an address may come with a wrong token, Calls how many calls of a network are admitted; nil: no limit.
	Failures *web.Throttle
	Calls    *web.Throttle
}

// Server is the MCP server. It is made by New and safe for concurrent use.
type Server struct {
	Config
	protocol *sdk.Server
	handler  http.Handler
	call     sdk.MethodHandler // answers plain calls, see plainCall
	info     json.RawMessage   // what responses say of the server
	origin   string            // of BaseURL, in the form of the Origin header
	tools    map[string]sdk.ToolHandler
	sender   web.Sender
}

const instructions = `Razão consulta o cadastro público das empresas brasileiras (dados abertos da Receita Federal) e quatorze fontes de registros públicos: dívida ativa, sanções, trabalho, comércio exterior, meio ambiente, transporte, contratos públicos e BNDES.
Comece por buscar_empresas quando só souber o nome, e por consultar_cnpj quando tiver o CNPJ (8 ou 14 posições, com ou sem pontuação). consultar_cnpj resume; consultar_fonte, listar_estabelecimentos e listar_socios trazem os registros em páginas: repita a chamada com o cursor devolvido.
Cite a fonte, a competência e a página de cada número. Os dados são da carga indicada, não de agora. “sem_ocorrencia” vale só para a carga consultada e não é certidão; “indisponivel” e “erro” são fontes que não puderam ser consultadas, e nunca “nada consta”. Registros de fontes diferentes podem tratar do mesmo processo: não some cnep com acordos_leniencia. Em pncp o valor global é do contrato. CPFs são publicados mascarados, e nomes iguais podem ser de pessoas diferentes.`

// New returns a server. The error is that BaseURL is not a URL.
func New(c Config) (*Server, error) {
	c.BaseURL = strings.TrimSuffix(c.BaseURL, "/")
	base, err := url.Parse(c.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("public address: %w", err)
	}
	s := &Server{Config: c, origin: base.Scheme + "://" + base.Host, tools: map[string]sdk.ToolHandler{}}
	info := &sdk.Implementation{Name: "razao", Title: "Razão", Version: c.Version, WebsiteURL: c.BaseURL}
	if s.info, err = json.Marshal(info); err != nil {
		return nil, fmt.Errorf("describe the server: %w", err)
	}
	s.protocol = sdk.NewServer(
		info,
		&sdk.ServerOptions{
			Instructions: instructions,
			// Without listChanged: lists do not change while the server runs.
			Capabilities: &sdk.ServerCapabilities{
				Tools: &sdk.ToolCapabilities{}, Prompts: &sdk.PromptCapabilities{}, Resources: &sdk.ResourceCapabilities{},
			},
			SetCacheable: setCacheable,
		},
	)
	s.addTools()
	s.addResources()
	s.addPrompts()
	s.protocol.AddReceivingMiddleware(s.recovering, s.counting)
	s.call = s.recovering(s.counting(s.callTool))
	s.handler = sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.protocol }, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxBody, PropagateRequestCancellation: true,
		DisableLocalhostProtection: true, // would refuse what a reverse proxy on this machine passes on; ownPages and the token protect
	})
	return s, nil
}

// setCacheable sets the caching hints of results: lists are public for an hour, records private and not kept.
func setCacheable(_ context.Context, r sdk.Request, c *sdk.Cacheable) {
	if _, isRecord := r.(*sdk.ReadResourceRequest); isRecord {
		c.CacheScope = "private"
		return
	}
	c.TTLMs = int(listsLast.Milliseconds())
}

// Register adds /mcp to r. Methods other than POST are answered by the SDK, with 405.
func (s *Server) Register(r gin.IRoutes) {
	// Assistants call for many people from few addresses: genuine tokens are taken in any case.
	guard := web.Guard{Failures: s.Failures, Known: s.known, Spare: true, Fail: s.fail}
	r.Any("/mcp", forCallers, web.Recover(s.fail), web.Deadline(requestDeadline), s.ownPages, s.tokensOnly, guard.Limit,
		web.Shed(s.Places, s.fail), s.serve)
}

// forCallers says that responses depend on who asks. No cache may store them, which is what package web says of all.
func forCallers(c *gin.Context) { c.Header("Vary", "Authorization") }

// ServeStdio serves one client on standard input and output until it disconnects or ctx is done. The client has the rights of
// the user who started the program: there is no authentication and no limit.
func (s *Server) ServeStdio(ctx context.Context) error {
	if err := s.protocol.Run(ctx, &sdk.StdioTransport{}); err != nil && ctx.Err() == nil {
		return fmt.Errorf("answer on standard output: %w", err)
	}
	return nil
}

// has reports whether there is a tool with a name.
func (s *Server) has(tool string) bool { return s.tools[tool] != nil }
