// Command go uses what oapi-codegen makes of the documents, with the lines that /api shows; the test compares what it prints.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"razao/lab/clients/testdata/go/razao"
	"razao/lab/clients/testdata/go/v1"
)

const bakery, absent = "12345678", "00000001"

func main() {
	ctx, url, key := context.Background(), os.Args[1], razao.Chave(os.Args[2])
	c := must(razao.NewClientWithResponses(url, razao.WithHTTPClient(key)))

	company := must(c.EmpresaBasicWithResponse(ctx, bakery, nil)).JSON200.Dados.Empresa
	fmt.Printf("%s %.2f\n", company.RazaoSocial, *company.CapitalSocial)

	fifty := 50
	branches := must(razao.Percorrer(func(cursor *string) (int, []razao.Estabelecimento, *string, error) {
		r, err := c.EmpresaEstabelecimentosWithResponse(ctx, "11222333", &razao.EmpresaEstabelecimentosParams{Limite: &fifty, Cursor: cursor})
		if err != nil || r.JSON200 == nil {
			return r.StatusCode(), nil, nil, err
		}
		return r.StatusCode(), r.JSON200.Dados.Itens, r.JSON200.Dados.ProximoCursor, nil
	}))
	numbers := map[string]bool{}
	for i := range branches {
		numbers[branches[i].Cnpj] = true
	}
	fmt.Println(len(branches), len(numbers), branches[119].NomeFantasia)

	words, two, each := "estrela do sul", 2, razao.BuscarParamsAgruparNao
	hits := must(razao.Percorrer(func(cursor *string) (int, []razao.Resultado, *string, error) {
		r, err := c.BuscarWithResponse(ctx, &razao.BuscarParams{Q: &words, Uf: &[]string{"SP", "RJ"}, Agrupar: &each, Limite: &two, Cursor: cursor})
		if err != nil || r.JSON200 == nil {
			return r.StatusCode(), nil, nil, err
		}
		return r.StatusCode(), r.JSON200.Dados.Itens, r.JSON200.Dados.ProximoCursor, nil
	}))
	fmt.Println(len(hits), hits[0].Cnpj)

	batch := must(c.LoteWithResponse(ctx, razao.PedidoDeLote{Cnpjs: []string{bakery, absent}, Campos: &[]string{"razao_social"}}))
	for _, item := range batch.JSON200.Dados.Itens {
		if refused, err := item.AsItemRecusado(); err == nil && refused.Erro.Codigo != "" {
			fmt.Println(refused.Cnpj, refused.Erro.Codigo)
			continue
		}
		fmt.Println(must(item.AsItemEncontrado()).Cnpj, "dados")
	}

	questions := `{"a":{"query":"PADARIA ESTRELLA DO SUL","properties":[{"pid":"uf","v":"SP"}]}}`
	names := must(must(c.ReconciliarPeloEnderecoWithResponse(ctx, &razao.ReconciliarPeloEnderecoParams{Queries: &questions})).JSON200.AsReconciliacao())
	fmt.Println(names["a"].Result[0].Id)

	missing := must(c.EmpresaFullWithResponse(ctx, absent, nil))
	fmt.Println(missing.StatusCode(), missing.JSON404.Erro.Codigo, len(missing.JSON404.RequisicaoId.String()))

	old := must(v1.NewClientWithResponses(url, v1.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+string(key))
		return nil
	})))
	fmt.Println(must(old.ConsultarCNPJWithResponse(ctx, bakery)).JSON200.Dados.Empresa.RazaoSocial)
	for range 121 { // two minutes may share them
		limited := must(old.ConsultarCNPJWithResponse(ctx, absent))
		if limited.StatusCode() != http.StatusNotFound {
			fmt.Println(limited.StatusCode(), limited.JSON429.Erro.Codigo, limited.Headers429.RetryAfter > 0)
			break
		}
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
