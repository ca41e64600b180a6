// Package razao tem o que falta ao cliente que o oapi-codegen escreve: a chave, a espera quando o limite acaba e as páginas.
//
//	cliente, err := razao.NewClientWithResponses(url, razao.WithHTTPClient(razao.Chave("rz_…")))
package razao

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Chave envia chamadas. Espera e tenta de novo, no máximo três vezes, depois de 429 ou 503, e não segue redirecionamentos, que a
// levariam a outra porta ou de https a http.
type Chave string

func (c Chave) Do(pedido *http.Request) (*http.Response, error) {
	pedido.Header.Set("Authorization", "Bearer "+string(c))
	for tentativa := 0; ; tentativa++ {
		if pedido.GetBody != nil {
			pedido.Body, _ = pedido.GetBody()
		}
		resposta, err := http.DefaultTransport.RoundTrip(pedido)
		if err != nil || resposta.StatusCode != 429 && resposta.StatusCode != 503 || tentativa == 3 {
			return resposta, err
		}
		_ = resposta.Body.Close()
		segundos, _ := strconv.Atoi(resposta.Header.Get("Retry-After"))
		select {
		case <-time.After(time.Duration(segundos) * time.Second):
		case <-pedido.Context().Done():
			return nil, pedido.Context().Err()
		}
	}
}

// Percorrer devolve os itens de todas as páginas. pagina pede a de um cursor, nil na primeira, e devolve o status, os itens e o cursor
// seguinte. Se os dados mudam entre duas páginas (409), recomeça: nenhum item falta nem se repete.
func Percorrer[T any](pagina func(cursor *string) (status int, itens []T, seguinte *string, err error)) ([]T, error) {
	var todos []T
	var cursor *string
	for recomecos := 0; ; {
		status, itens, seguinte, err := pagina(cursor)
		switch {
		case err != nil:
			return nil, err
		case status == http.StatusConflict && recomecos < 5:
			recomecos++
			todos, cursor = nil, nil
			continue
		case status != http.StatusOK:
			return nil, fmt.Errorf("status %d", status)
		}
		if todos, cursor = append(todos, itens...), seguinte; cursor == nil {
			return todos, nil
		}
	}
}
