package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/gin-gonic/gin"

	"razao/internal/account"
	"razao/internal/cnpj"
	"razao/internal/registry"
	"razao/internal/web"
)

var (
	errNoRoute = errors.New("no such route")
	errMethod  = errors.New("no such method on this route")
)

// parameterError is a query parameter that the operation does not have. Its text goes to the log and leaves out the
// name, which is whatever the client typed.
type parameterError struct {
	name string // "": the query cannot be read
}

func (parameterError) Error() string { return "query parameter refused" }

// onlyParameters returns a parameterError when the query of u has other parameters than the known ones.
func onlyParameters(u *url.URL, known ...string) error {
	if u.RawQuery == "" {
		return nil
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return parameterError{}
	}
	var unknown []string
	for name := range query {
		if !slices.Contains(known, name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		return parameterError{name: slices.Min(unknown)}
	}
	return nil
}

func (e parameterError) message() string {
	const longestName = 60 // characters that are repeated to the client
	if e.name == "" {
		return "Não foi possível ler os parâmetros da consulta."
	}
	name := []rune(e.name)
	return "Parâmetro desconhecido: " + string(name[:min(len(name), longestName)]) + "."
}

// retryAfter is the number of seconds after which a client may try again when something is down.
const retryAfter = "5"

// failure is what a client learns of an error.
type failure struct {
	status  int
	code    string
	message string
}

// failureOf is the one place that knows which answer belongs to an error. What is not named here is trouble of ours: it
// is never a refusal and never "not found".
func failureOf(err error) failure {
	var parameter parameterError
	switch {
	case errors.Is(err, account.ErrMissingKey):
		return failure{http.StatusUnauthorized, "chave_ausente", "Envie a chave de API no cabeçalho Authorization: Bearer <chave>."}
	case errors.Is(err, account.ErrInvalidKey):
		return failure{http.StatusUnauthorized, "chave_invalida", "A chave de API é inválida ou foi revogada."}
	case errors.Is(err, cnpj.ErrInvalid):
		return failure{
			http.StatusBadRequest, "cnpj_invalido",
			"CNPJ inválido: envie 8 ou 14 posições, sem pontos, barra ou hífen, com dígitos verificadores corretos.",
		}
	case errors.As(err, &parameter):
		return failure{http.StatusBadRequest, "parametro_invalido", parameter.message()}
	case errors.Is(err, registry.ErrNotFound):
		return failure{http.StatusNotFound, "cnpj_nao_encontrado", "O CNPJ não consta da carga disponível."}
	case errors.Is(err, errNoRoute):
		return failure{http.StatusNotFound, "rota_nao_encontrada", "Não há nada neste endereço. Consulte a documentação em /api/docs."}
	case errors.Is(err, errMethod):
		return failure{http.StatusMethodNotAllowed, "metodo_nao_permitido", "Este endereço aceita apenas os métodos do cabeçalho Allow."}
	}
	return failure{
		http.StatusServiceUnavailable, "servico_indisponivel",
		"O serviço está temporariamente indisponível. Tente de novo após o tempo indicado em Retry-After.",
	}
}

// errorBody is the body of every error.
type errorBody struct {
	Error struct {
		Code    string `json:"codigo"`
		Message string `json:"mensagem"`
	} `json:"erro"`
	RequestID string `json:"requisicao_id"`
}

// fail sends the answer that belongs to err and leaves err to the log.
func (a *API) fail(c *gin.Context, err error) {
	event := web.EventOf(c.Request.Context())
	event.Err = err
	f := failureOf(err)
	switch f.status {
	case http.StatusUnauthorized:
		c.Header("WWW-Authenticate", "Bearer")
	case http.StatusServiceUnavailable:
		c.Header("Retry-After", retryAfter)
	}
	c.Header("Cache-Control", "no-store")
	var b errorBody
	b.Error.Code, b.Error.Message, b.RequestID = f.code, f.message, event.RequestID
	a.sender.Send(c, web.Reply{Status: f.status, ContentType: contentType, Body: encode(b)})
}

// encode returns v as JSON with &, < and > as they are.
func encode(v errorBody) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(v) // three strings encode
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
