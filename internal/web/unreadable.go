package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strconv"

	"github.com/google/uuid"
)

// ownHeaders are what net/http sends, in this order and alone, with the status line of a request that it cannot read: before
// there is a request, no handler is asked. Every answer of a handler has a Date.
const ownHeaders = "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"

// unreadable is what such an answer says, by status.
var unreadable = map[int]string{
	400: "O endereço ou os cabeçalhos do pedido estão malformados. Em um endereço, depois de % vêm dois dígitos hexadecimais; %25 é o próprio %.",
	431: fmt.Sprintf("Os cabeçalhos do pedido passam de %d KB.", maxHeaderBytes>>10),
	501: "A codificação do corpo (Transfer-Encoding) não é aceita.",
	505: "A versão de HTTP do pedido não é aceita.",
}

// inOurForm returns the answer to a request that net/http cannot read in the form of other errors, with a request id under
// which it is logged. It returns other answers as they are.
func inOurForm(p []byte, log *slog.Logger) []byte {
	line, _, own := bytes.Cut(p[:min(len(p), 256)], []byte(ownHeaders))
	code, answer := bytes.CutPrefix(line, []byte("HTTP/1.1 "))
	if !own || !answer || bytes.ContainsRune(line, '\n') {
		return p
	}
	status, _ := strconv.Atoi(string(code[:min(len(code), 3)]))
	var body ErrorBody
	body.Error.Code, body.Error.Message, body.RequestID = "pedido_ilegivel", unreadable[status], uuid.NewString()
	if body.Error.Message == "" {
		body.Error.Message = "O pedido não é HTTP."
	}
	text, _ := json.Marshal(body) // strings cannot fail
	log.LogAttrs(context.Background(), slog.LevelInfo, "request that is not HTTP", slog.String("id", body.RequestID), slog.Int("status", status))
	return fmt.Appendf(nil, "%s\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: %d\r\nCache-Control: no-store\r\n"+
		"X-Content-Type-Options: nosniff\r\nX-Request-ID: %s\r\nConnection: close\r\n\r\n%s", line, len(text), body.RequestID, text)
}
