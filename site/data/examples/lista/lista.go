// Lê uma lista de CNPJs de 14 posições, um por linha, e grava uma linha de JSON para cada um.
//
// Uso: RAZAO_URL=… RAZAO_CHAVE=rz_… go run lista.go < cnpjs.txt > respostas.jsonl
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"
)

// cliente não segue redirecionamentos, que levariam a chave a outra porta ou de https a http.
var cliente = http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// consultar devolve a resposta; espera e tenta de novo, no máximo três vezes, depois de 429 ou 503.
func consultar(cnpj string) ([]byte, error) {
	req, err := http.NewRequest(http.MethodGet, os.Getenv("RAZAO_URL")+"/v2/estabelecimentos/"+cnpj+"/basic", nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+os.Getenv("RAZAO_CHAVE"))
	for tentativa := 0; ; tentativa++ {
		resp, err := cliente.Do(req)
		if err != nil {
			return nil, err
		}
		corpo, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		switch {
		case err != nil:
			return nil, err
		case resp.StatusCode == http.StatusOK:
			return bytes.TrimSpace(corpo), nil
		case resp.StatusCode != 429 && resp.StatusCode != 503 || tentativa == 3:
			return nil, fmt.Errorf("%s", resp.Status)
		}
		segundos, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		time.Sleep(time.Duration(segundos) * time.Second)
	}
}

func main() {
	cnpjs := bufio.NewScanner(os.Stdin)
	for cnpjs.Scan() {
		resposta, err := consultar(cnpjs.Text())
		if err != nil {
			log.Printf("%s não foi lido: %v", cnpjs.Text(), err)
			continue
		}
		fmt.Printf("%s\n", resposta)
	}
}
