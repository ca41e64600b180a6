package api

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"razao/internal/data/cnpj"
	"razao/internal/people/account"
	"razao/internal/people/webhook"
	"razao/internal/store/journal"
	"razao/internal/store/networks"
	"razao/internal/store/proof"
	"razao/internal/store/registry"
	"razao/internal/store/render"
	"razao/internal/store/snapshot"
	"razao/internal/web"
)

var (
	errNoRoute  = errors.New("no such route")
	errMethod   = errors.New("no such method on this route")
	errNoSource = errors.New("no such source")
	// errSourceFailed means that a page of a source after the first could not be read.
	errSourceFailed = errors.New("a source failed in the middle of a walk")
	// errUnforeseen stands for every error unknown to failureOf, in the OpenAPI documents.
	errUnforeseen = errors.New("unforeseen")
	// errSnapshotChanged means that the load of a cursor is not in service any more.
	errSnapshotChanged = errors.New("the load that the cursor walks is not in service")
)

// forgottenError means that the history does not go back to the position of a cursor any more. The
// response says from where it can be read.
type forgottenError struct {
	at     collectionAt
	cursor []byte // of the oldest position
	err    error
}

func (e *forgottenError) Error() string { return e.err.Error() }
func (e *forgottenError) Unwrap() error { return e.err }

// argumentError is an error about the value of a parameter which it does not name itself.
type argumentError struct {
	parameter string
	err       error
}

func (e *argumentError) Error() string { return e.err.Error() }
func (e *argumentError) Unwrap() error { return e.err }

// failure is the response to an error. The code is part of the contract, the message is not.
type failure struct {
	status  int
	code    string
	message string
}

// failureOf maps an error to its response; no other place does. The default is a 503: an error that
// nobody thought of is a failure of the service, never a refusal and never "not found".
func failureOf(err error) failure {
	var parameter parameterError
	var limit *account.LimitError
	var many *web.TooManyError
	var missing *snapshot.IndexError
	var unflagged *snapshot.SourceError
	var forgotten *journal.TooOldError
	var batch *batchError
	var lack *registry.LackError
	var pace *paceError
	switch {
	case errors.Is(err, account.ErrMissingKey):
		return failure{http.StatusUnauthorized, "chave_ausente", "Envie a chave de API no cabeçalho Authorization: Bearer <chave>."}
	case errors.Is(err, account.ErrInvalidKey), errors.Is(err, account.ErrNoAccount):
		return failure{http.StatusUnauthorized, "chave_invalida", "A chave de API é inválida ou foi revogada."}
	case errors.As(err, &limit):
		return failure{
			http.StatusTooManyRequests, "limite_excedido",
			"O limite de chamadas da conta foi atingido. Tente de novo após o tempo indicado em Retry-After.",
		}
	case errors.As(err, &pace):
		return failure{
			http.StatusTooManyRequests, "limite_excedido",
			"A conta pediu demais dos seus webhooks em pouco tempo. Tente de novo após o tempo indicado em Retry-After.",
		}
	case errors.As(err, &many) && many.AtOnce:
		return failure{
			http.StatusTooManyRequests, "limite_excedido",
			"A conta ou a rede já tem chamadas demais em andamento. Espere que terminem e tente de novo após o tempo indicado em Retry-After.",
		}
	case errors.As(err, &many):
		return failure{
			http.StatusTooManyRequests, "protecao_ip",
			"Este endereço IP fez tentativas demais. Tente de novo após o tempo indicado em Retry-After.",
		}
	case errors.Is(err, cnpj.ErrInvalid):
		return failure{http.StatusBadRequest, "cnpj_invalido", "CNPJ inválido: " + problemOf(err)}
	case errors.As(err, &parameter):
		return failure{http.StatusBadRequest, "parametro_invalido", parameter.message()}
	case errors.As(err, &batch):
		return failure{http.StatusBadRequest, "lote_invalido", batch.message}
	case errors.Is(err, web.ErrForm):
		return failure{http.StatusBadRequest, "lote_invalido", "O corpo não chegou inteiro."}
	case errors.Is(err, errBatchTooLarge):
		return failure{http.StatusRequestEntityTooLarge, "lote_grande_demais", fmt.Sprintf("O corpo passa de %d KB. Divida a lista.", maxBatch>>10)}
	case errors.Is(err, web.ErrSlow):
		return failure{http.StatusRequestTimeout, "envio_lento", "O corpo chegou devagar demais, a menos de 16 KB por segundo."}
	case errors.Is(err, errPosition):
		return failure{
			http.StatusBadRequest, "cursor_invalido",
			"O cursor não é o desta pergunta: filtros, evento, desde e lado têm de ser os mesmos; limite pode mudar. Siga proxima_url exatamente como veio na resposta.",
		}
	case errors.Is(err, errCursor):
		return failure{
			http.StatusBadRequest, "cursor_invalido",
			"O cursor não é válido para este endereço e este limite. Siga proxima_url exatamente como veio na resposta.",
		}
	case registry.IsAbsent(err):
		return failure{http.StatusNotFound, "cnpj_nao_encontrado", "O CNPJ não consta da carga disponível."}
	case errors.Is(err, networks.ErrNobody):
		return failure{http.StatusNotFound, "socio_nao_encontrado", "Nenhuma empresa da carga disponível nomeia este sócio ou representante."}
	case errors.Is(err, errSnapshotChanged):
		return failure{
			http.StatusConflict, "fotografia_alterada",
			"Os dados foram atualizados desde a página anterior. Recomece sem cursor e descarte as páginas já lidas.",
		}
	case errors.As(err, &forgotten):
		return failure{
			http.StatusGone, "posicao_esquecida",
			"A história guardada começa depois da posição deste cursor: o que houve entre os dois não pode mais ser lido aqui. Recomece de proxima_url.",
		}
	case errors.Is(err, errBody):
		return failure{http.StatusBadRequest, "corpo_invalido", "O corpo não é o desta operação, em JSON e com Content-Type: application/json. Consulte a documentação em /api/docs."}
	case errors.Is(err, errAccountLimit):
		return failure{http.StatusConflict, "limite_da_conta", "A conta chegou ao máximo do que pode seguir, ou de webhooks, e nada foi acrescentado. O máximo está em limites, ou limite, na lista da conta."}
	case errors.Is(err, webhook.ErrSameURL):
		return failure{http.StatusConflict, "webhook_repetido", "A conta já tem um webhook com este endereço."}
	case errors.Is(err, webhook.ErrResting):
		return failure{http.StatusConflict, "webhook_em_pausa", "O webhook está em pausa depois de falhas, e nada é enviado antes que ela acabe."}
	case errors.Is(err, webhook.ErrNone):
		return failure{http.StatusNotFound, "webhook_nao_encontrado", "A conta não tem webhook com este número em uso."}
	case errors.Is(err, errNoSource):
		return failure{http.StatusNotFound, "fonte_nao_encontrada", "Não existe fonte com este nome. As fontes estão em /v2/fontes."}
	case errors.Is(err, errNoLoad):
		return failure{http.StatusNotFound, "carga_nao_encontrada", "Esta fonte não tem carga com este número entre as que estão ou já estiveram em uso. Elas estão em dados.cargas, sem carga no endereço."}
	case errors.Is(err, errNoRoute):
		return failure{http.StatusNotFound, "rota_nao_encontrada", "Não há nada neste endereço. Consulte a documentação em /api/docs."}
	case errors.Is(err, errMethod):
		return failure{http.StatusMethodNotAllowed, "metodo_nao_permitido", "Este endereço aceita apenas os métodos do cabeçalho Allow."}
	case errors.As(err, &lack):
		return failure{
			http.StatusServiceUnavailable, "carga_parcial",
			"A carga disponível foi publicada sem todos os seus arquivos, e a resposta pode estar no que falta: " + lack.Names() + ". Não se sabe; não é ausência.",
		}
	case errors.Is(err, errSourceFailed):
		return failure{
			http.StatusServiceUnavailable, "fonte_indisponivel",
			"A fonte não respondeu e a coleção não termina aqui. Peça a mesma página de novo após o tempo indicado em Retry-After.",
		}
	case errors.Is(err, proof.ErrNone), errors.Is(err, proof.ErrDamaged):
		return failure{
			http.StatusServiceUnavailable, "prova_indisponivel",
			"Não há prova desta carga no momento; as outras consultas por CNPJ respondem. Tente de novo após o tempo indicado em Retry-After.",
		}
	case errors.As(err, &missing):
		return failure{
			http.StatusServiceUnavailable, "indice_indisponivel",
			"A busca está temporariamente indisponível; as consultas por CNPJ respondem. Tente de novo após o tempo indicado em Retry-After.",
		}
	case errors.As(err, &unflagged):
		return failure{
			http.StatusServiceUnavailable, "fonte_indisponivel",
			"Não é possível filtrar por registros desta fonte no momento: " + unflagged.Source + ". Tente de novo após o tempo indicado em Retry-After.",
		}
	}
	return failure{
		http.StatusServiceUnavailable, "servico_indisponivel",
		"O serviço está temporariamente indisponível. Tente de novo após o tempo indicado em Retry-After.",
	}
}

// fail sends the response of err, with the headers of its status, and records err for the log line.
// The Retry-After of a 503 is random, so that clients refused together do not return together
// (thundering herd); that of a 429 is the exact wait. Errors are no-store, the zero web.Caching.
func (a *API) fail(c *gin.Context, err error) {
	event := web.EventOf(c.Request.Context())
	event.Fail(err)
	f, parameter := failureOf(err), parameterOf(err)
	if parameter == "" && aboutDocument(err) {
		parameter = documentParameter(c)
	}
	switch f.status {
	case http.StatusUnauthorized:
		c.Header("WWW-Authenticate", "Bearer")
	case http.StatusServiceUnavailable:
		c.Header("Retry-After", web.RetryAfter())
	case http.StatusTooManyRequests:
		c.Header("Retry-After", waitOf(err))
	}
	c.Header("Vary", "Accept")
	reply := web.Reply{Status: f.status, ContentType: contentType}
	switch accept := c.GetHeader("Accept"); {
	case web.Weight(accept, problemType) > 0 && web.Weight(accept, problemType) >= web.Weight(accept, "application/json"):
		reply.ContentType, reply.Body = problemType, a.problemBody(err, parameter, event.RequestID)
	case c.FullPath() == reconcilePreviewPath && web.Weight(accept, "application/json") <= web.Weight(accept, "text/html"): // in a frame
		reply.ContentType, reply.Body = htmlType, refusalPage(c.Request.Context(), f.message)
	case versionOf(c.Request.URL.Path) == "v1":
		reply.Body = errorBody(err, "", event.RequestID) // whose contract lists all members
	default:
		reply.Body = errorBody(err, parameter, event.RequestID)
	}
	a.sender.Send(c, reply)
}

// problemType is the media type of errors for those who ask for it (RFC 9457).
const problemType = "application/problem+json"

// problemOf says what is wrong with a CNPJ, as the reasons of package cnpj do.
func problemOf(err error) string {
	switch {
	case errors.Is(err, cnpj.ErrCharacters):
		return "tem caracteres que não são dele. Envie-o sem pontos, barra, hífen ou espaços: algarismos e letras de A a Z e, nas duas últimas de 14 posições, só algarismos."
	case errors.Is(err, cnpj.ErrLength):
		return "o número de posições está errado. Envie as que o endereço pede, 8 da empresa ou 14 do estabelecimento."
	}
	return "os dígitos verificadores, as duas últimas das 14 posições, não são os deste número."
}

// parameterOf returns the parameter of path, query or body that an error is about, as far as the error says; "" for others.
func parameterOf(err error) string {
	var argument *argumentError
	var parameter parameterError
	var batch *batchError
	var forgotten *forgottenError
	switch {
	case errors.As(err, &argument):
		return argument.parameter
	case errors.As(err, &parameter):
		return repeated(parameter.name)
	case errors.As(err, &batch):
		return batch.parameter
	case errors.Is(err, errCursor), errors.Is(err, errSnapshotChanged), errors.As(err, &forgotten):
		return "cursor"
	case errors.Is(err, errNoSource):
		return "fonte"
	case errors.Is(err, errNoLoad):
		return loadParameter
	case errors.Is(err, webhook.ErrSameURL):
		return "url"
	}
	return ""
}

// aboutDocument reports whether an error is about what a request names: a company, a partner or a webhook.
func aboutDocument(err error) bool {
	return errors.Is(err, cnpj.ErrInvalid) || registry.IsAbsent(err) || errors.Is(err, networks.ErrNobody) || errors.Is(err, webhook.ErrNone)
}

// documentParameter returns the parameter of the path that names them.
func documentParameter(c *gin.Context) string {
	for _, p := range c.Params {
		if p.Key != "fonte" {
			return p.Key
		}
	}
	return "documento" // of a path that its slash divides, see NotFound
}

// errorBody returns the body of the response to an error: web.ErrorBody and, for a forgotten position,
// the page to go on with.
func errorBody(err error, parameter, requestID string) []byte {
	f := failureOf(err)
	body := render.AppendText(nil, `{"erro":{"codigo":`, f.code)
	body = render.AppendText(body, `,"mensagem":`, f.message)
	body = appendParameter(body, parameter)
	body = render.AppendText(body, `},"requisicao_id":`, requestID)
	return append(appendPosition(body, err), '}')
}

// problemBody returns the same as problem details (RFC 9457). The type is where the documentation lists the codes.
func (a *API) problemBody(err error, parameter, requestID string) []byte {
	f := failureOf(err)
	body := render.AppendText(nil, `{"type":`, a.config.BaseURL+"/api#"+f.code)
	body = render.AppendText(body, `,"title":`, http.StatusText(f.status))
	body = render.AppendInt(body, `,"status":`, int64(f.status))
	body = render.AppendText(body, `,"detail":`, f.message)
	body = render.AppendText(body, `,"instance":`, "urn:uuid:"+requestID)
	body = render.AppendText(body, `,"codigo":`, f.code)
	body = appendParameter(body, parameter)
	body = render.AppendText(body, `,"requisicao_id":`, requestID)
	return append(appendPosition(body, err), '}')
}

func appendParameter(dst []byte, parameter string) []byte {
	if parameter == "" {
		return dst
	}
	return render.AppendText(dst, `,"parametro":`, parameter)
}

// appendPosition appends the page to go on with after a forgotten position.
func appendPosition(dst []byte, err error) []byte {
	if forgotten := new(forgottenError); errors.As(err, &forgotten) {
		return forgotten.at.link(dst, forgotten.cursor)
	}
	return dst
}
