package site

import (
	"context"
	"embed"
	"encoding/base64"
	"encoding/json"
	"strings"

	"razao/internal/store/snapshot"
	"razao/site/page"
)

// conversations holds recorded questions with the tools' actual answers. A test in cmd/razao writes
// the files.
//
//go:embed data/assistant
var conversations embed.FS

// conversation is a user's question with the tool calls that an assistant makes to answer it.
type conversation struct {
	Question string     `json:"pergunta"`
	Sentence string     `json:"frase"` // the assistant's reply, based on the answers to the calls
	Calls    []toolCall `json:"chamadas"`
}

// toolCall is one tool call with its answer.
type toolCall struct {
	Tool      string `json:"ferramenta"`
	Arguments string `json:"argumentos"` // JSON
	Answer    string `json:"resposta"`
}

// chatMessage is a message sent by messenger, with the reply.
type chatMessage struct {
	Sent   string `json:"mensagem"`
	Answer string `json:"resposta"`
}

// readConversations decodes a file of data/assistant and panics if it is missing or malformed.
func readConversations[T any](name string) []T {
	text, err := conversations.ReadFile("data/assistant/" + name)
	var all []T
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		panic("site: " + err.Error()) // the files are part of the program
	}
	return all
}

// assistantPage explains how to connect an assistant over MCP.
type assistantPage struct {
	page.Frame
	Address       code // URL of the MCP server
	Public        bool // the URL is https, so hosted assistants can connect, not only local ones
	CursorLink    string
	CursorFile    code
	VSCodeLink    string
	VSCodeCommand code
	ClaudeCode    code
	GeminiCLI     code
	Conversations []conversation
	Channels      []channel // connected messengers
}

// remoteServer is an MCP server in the configuration format of Cursor and VS Code.
type remoteServer struct {
	Name string `json:"name,omitempty"`
	Type string `json:"type,omitempty"`
	URL  string `json:"url"`
}

// assistantPage answers /assistente.
func (s *Site) assistantPage(context.Context, *snapshot.Snapshot) page.Page {
	address := s.BaseURL + "/mcp"
	plain := describeServer(remoteServer{URL: address})
	named := describeServer(remoteServer{Name: "razao", Type: "http", URL: address})
	p := &assistantPage{
		Address:       code{"Endereço do servidor MCP", address},
		Public:        strings.HasPrefix(address, "https://"),
		CursorLink:    base64.StdEncoding.EncodeToString([]byte(plain)),
		CursorFile:    code{"Configuração do Cursor", "{\n  \"mcpServers\": {\n    \"razao\": " + plain + "\n  }\n}"},
		VSCodeLink:    named,
		VSCodeCommand: code{"Comando do VS Code", "code --add-mcp '" + named + "'"},
		ClaudeCode:    code{"Comando do Claude Code", "claude mcp add --transport http razao " + address},
		GeminiCLI:     code{"Comando do Gemini CLI", "gemini mcp add --transport http razao " + address},
		Conversations: readConversations[conversation]("tools.json"),
		Channels:      s.connected(),
	}
	p.Title = "Assistente: pergunte sobre empresas no Claude, no ChatGPT e em outros"
	p.Description = "Conecte o Razão ao seu assistente (Claude, ChatGPT, Cursor, VS Code, Gemini) com um endereço, e pergunte sobre empresas " +
		"brasileiras com fonte, período e página para conferir."
	p.Canonical = "/assistente"
	p.Crumbs, p.Script = page.Trail("Assistente"), page.Script("copy.js")
	return p
}

// describeServer encodes server as JSON without HTML escaping.
func describeServer(server remoteServer) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(server) // strings can always be written
	return strings.TrimSpace(b.String())
}
