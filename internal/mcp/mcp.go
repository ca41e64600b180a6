// Package mcp serves the questions of internal/assistant to assistants that speak the Model Context Protocol: at /mcp, to
// whoever an access token or an API key stands for, every call counted on the account; and on standard input and output, to
// the operator of the machine. Nothing is remembered between requests, so that any server may answer the next one.
package mcp

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"razao/internal/account"
	"razao/internal/assistant"
	"razao/internal/web"
)

const (
	toolDeadline    = 10 * time.Second // what one answer may take
	requestDeadline = 20 * time.Second // what one request may, which can ask for several at once
	maxBody         = 128 << 10        // bytes of a request
	listsLast       = time.Hour        // for which a client may remember which tools there are
)

// Config are the parts of the program that a Server asks.
type Config struct {
	Assistant *assistant.Assistant
	BaseURL   string // the public address
	Version   string
	Log       *slog.Logger // of what no request is told of; requests have their line
	// Verify returns what an access token of the authorization server stands for. ErrInvalidToken refuses it; any other error
	// means that nobody could decide. nil: only API keys are taken.
	Verify func(ctx context.Context, token string) (Access, error)
	// Identify returns whose an API key is, and counts nothing. It is account.Store.Identify.
	Identify func(ctx context.Context, key string) (account.Caller, error)
	// Meter lets calls in and records them.
	Meter *account.Meter
}

// Server answers assistants. It is made by New and safe for concurrent use.
type Server struct {
	Config
	protocol *sdk.Server
	handler  http.Handler
	origin   string   // of BaseURL, as browsers send it
	tools    []string // their names
	sender   web.Sender
}

const instructions = `Razão consulta o cadastro público das empresas brasileiras (dados abertos da Receita Federal) e quatorze fontes de registros públicos: dívida ativa, sanções, trabalho, comércio exterior, meio ambiente, transporte, contratos públicos e BNDES.
Comece por buscar_empresas quando só souber o nome, e por consultar_cnpj quando tiver o CNPJ (8 ou 14 posições, com ou sem pontuação). consultar_cnpj resume; consultar_fonte, listar_estabelecimentos e listar_socios trazem os registros em páginas: repita a chamada com o cursor devolvido.
Cite a fonte, a competência e a página de cada número. Os dados são da carga indicada, não de agora. “sem_ocorrencia” vale só para a carga consultada e não é certidão; “indisponivel” e “erro” são fontes que não puderam ser consultadas, e nunca “nada consta”. Registros de fontes diferentes podem tratar do mesmo processo: não some cnep com acordos_leniencia. Em pncp o valor global é do contrato. CPFs são publicados mascarados, e nomes iguais podem ser de pessoas diferentes.`

// New returns a server. The error is that of a public address that is none.
func New(c Config) (*Server, error) {
	c.BaseURL = strings.TrimSuffix(c.BaseURL, "/")
	base, err := url.Parse(c.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("public address: %w", err)
	}
	s := &Server{Config: c, origin: base.Scheme + "://" + base.Host}
	s.protocol = sdk.NewServer(
		&sdk.Implementation{Name: "razao", Title: "Razão", Version: c.Version, WebsiteURL: c.BaseURL},
		&sdk.ServerOptions{
			Instructions: instructions,
			// What there is does not change while the server runs: nobody is told of changes.
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
	s.handler = sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.protocol }, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxBody, PropagateRequestCancellation: true,
		DisableLocalhostProtection: true, // behind a proxy on the same machine every request comes from there; the token protects
	})
	return s, nil
}

// setCacheable says how long a client may keep what it got: lists are the same for everybody, records are not kept.
func setCacheable(_ context.Context, r sdk.Request, c *sdk.Cacheable) {
	if _, isRecord := r.(*sdk.ReadResourceRequest); isRecord {
		c.CacheScope = "private"
		return
	}
	c.TTLMs = int(listsLast.Milliseconds())
}

// Register adds the route of the server to r. Methods other than POST are refused as the protocol says.
func (s *Server) Register(r gin.IRoutes) {
	r.Any("/mcp", neverStored, web.Recover(s.fail), web.Deadline(requestDeadline), s.ownPages, s.serve)
}

// neverStored says that an answer is for one caller and for now.
func neverStored(c *gin.Context) {
	c.Header("Cache-Control", "no-store")
	c.Header("Vary", "Authorization")
}

// ServeStdio answers one client on standard input and output until it leaves or ctx ends. The client has the rights of whoever
// started the program: nothing is asked for and nothing is counted.
func (s *Server) ServeStdio(ctx context.Context) error {
	if err := s.protocol.Run(ctx, &sdk.StdioTransport{}); err != nil && ctx.Err() == nil {
		return fmt.Errorf("answer on standard output: %w", err)
	}
	return nil
}

// has reports whether there is a tool with a name.
func (s *Server) has(tool string) bool { return slices.Contains(s.tools, tool) }
