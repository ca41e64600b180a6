// Lê uma empresa com todas as páginas de sócios, de estabelecimentos e de cada fonte.
//
// Uso: RAZAO_URL=… RAZAO_CHAVE=rz_… go run empresa.go 12345678
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"
)

type pagina struct {
	Status     string            `json:"status"` // só nas fontes
	Itens      []json.RawMessage `json:"itens"`
	ProximaURL string            `json:"proxima_url"` // "" no fim
}

type empresa struct {
	Empresa struct {
		RazaoSocial string `json:"razao_social"`
		Socios      pagina `json:"socios"`
	} `json:"empresa"`
	Estabelecimentos  pagina                       `json:"estabelecimentos"`
	RegistrosPublicos map[string]map[string]pagina `json:"registros_publicos"`
}

// cliente não segue redirecionamentos, que levariam a chave a outra porta ou de https a http.
var cliente = http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// consultar lê dados; espera e tenta de novo, no máximo três vezes, depois de 429 ou 503.
func consultar(caminho string, dados any) error {
	req, err := http.NewRequest(http.MethodGet, os.Getenv("RAZAO_URL")+caminho, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+os.Getenv("RAZAO_CHAVE"))
	for tentativa := 0; ; tentativa++ {
		resp, err := cliente.Do(req)
		if err != nil {
			return err
		}
		if para := resp.Header.Get("Location"); para != "" {
			_ = resp.Body.Close()
			return fmt.Errorf("%s: %s", resp.Status, para)
		}
		corpo := struct {
			Dados any                       `json:"dados"`
			Erro  struct{ Mensagem string } `json:"erro"`
		}{Dados: dados}
		err = json.NewDecoder(resp.Body).Decode(&corpo)
		_ = resp.Body.Close()
		switch {
		case err != nil:
			return err
		case resp.StatusCode == http.StatusOK:
			return nil
		case resp.StatusCode != 429 && resp.StatusCode != 503 || tentativa == 3:
			return fmt.Errorf("%s: %s", resp.Status, corpo.Erro.Mensagem)
		}
		segundos, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		time.Sleep(time.Duration(segundos) * time.Second)
	}
}

// percorrer devolve os itens de uma coleção, desta página até a última.
func percorrer(p pagina) ([]json.RawMessage, error) {
	itens := p.Itens
	for p.ProximaURL != "" {
		seguinte := pagina{}
		if err := consultar(p.ProximaURL, &seguinte); err != nil {
			return nil, err
		}
		p, itens = seguinte, append(itens, seguinte.Itens...)
	}
	return itens, nil
}

func main() {
	var e empresa
	if err := consultar("/v2/empresas/"+os.Args[1]+"/full?limite=100", &e); err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.Empresa.RazaoSocial)
	colecoes := map[string]pagina{"socios": e.Empresa.Socios, "estabelecimentos": e.Estabelecimentos}
	for _, grupo := range e.RegistrosPublicos {
		for fonte, p := range grupo {
			colecoes[fonte] = p
		}
	}
	for nome, p := range colecoes {
		if p.Status == "indisponivel" || p.Status == "erro" {
			fmt.Println(nome, p.Status) // não se sabe: não é o mesmo que não haver
			continue
		}
		itens, err := percorrer(p)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(nome, len(itens))
	}
}
