package site

import (
	"context"
	"embed"
	"path"
	"strings"

	"razao/internal/data/source"
	"razao/internal/store/snapshot"
	"razao/internal/web"
	"razao/site/page"
)

// examples holds the programs that /api shows. TestExamples runs these same files.
//
//go:embed data/examples
var examples embed.FS

// readExample returns an embedded example and panics if it does not exist.
func readExample(name string) string {
	text, err := examples.ReadFile("data/examples/" + name)
	if err != nil {
		panic("site: " + err.Error()) // the files are part of the program
	}
	return strings.TrimSpace(string(text))
}

// code is a block of code with a copy button, in a scrollable region.
type code struct {
	Label string // accessible name of the region, never ""
	Text  string
}

// exampleProgram is an example in one language.
type exampleProgram struct {
	ID, Language string
	Run          string // command line that runs it
	Code         code
}

// programs returns an example in four languages. file is its path without extension; prefix makes
// the HTML ids unique on the page.
func programs(prefix, file, label string) []exampleProgram {
	program := func(id, language, command, extension string) exampleProgram {
		return exampleProgram{prefix + id, language, command + " " + path.Base(file) + extension, code{label + language, readExample(file + extension)}}
	}
	return []exampleProgram{
		program("curl", "curl", "sh", ".sh"),
		program("go", "Go", "go run", ".go"),
		program("python", "Python", "python3", ".py"),
		program("javascript", "JavaScript", "node", ".mjs"),
	}
}

func examplePrograms() []exampleProgram { return programs("", "empresa", "Exemplo em ") }
func listPrograms() []exampleProgram    { return programs("lista-", "lista/lista", "Lista em ") }

// apiPage introduces the API: first call, errors, limits, example programs.
type apiPage struct {
	page.Frame
	Base      string // public URL of the service
	Root      string // root of a company for the example calls
	Settings  code
	Call      code
	Answer    code
	Search    code
	Batch     code
	Reconcile code
	Failure   code
	Changes   code
	Proof     code
	Verify    code
	Programs  []exampleProgram
	Lists     []exampleProgram
	Generate  code
	Generated []exampleProgram
	Sheets    code
	Query     code
	Sources   []source.Source
}

// apiPage answers /api.
func (s *Site) apiPage(ctx context.Context, snap *snapshot.Snapshot) page.Page {
	p := &apiPage{Base: s.BaseURL, Root: s.exampleRoot(ctx, snap), Programs: examplePrograms(), Lists: listPrograms(), Sources: source.All()}
	p.Title = "API: dados de empresas brasileiras em JSON"
	p.Description = "API gratuita com o cadastro e os registros públicos das empresas brasileiras: primeira chamada em cinco minutos, " +
		"páginas, erros, limites, fontes e versões."
	p.Canonical = "/api"
	p.Crumbs, p.Script = page.Trail("API"), page.Script("copy.js")
	p.Settings = code{"Endereço e chave em variáveis de ambiente", "export RAZAO_URL=" + s.BaseURL + "\nexport RAZAO_CHAVE=rz_…"}
	p.Call = code{
		"Primeira chamada com curl",
		`curl -H "Authorization: Bearer $RAZAO_CHAVE" "$RAZAO_URL/v2/empresas/` + p.Root + `/socios?limite=1"`,
	}
	p.Answer = code{"Forma da resposta, com alguns campos a menos", readExample("resposta.json")}
	p.Batch = code{
		"Muitos números com curl",
		`curl -H "Authorization: Bearer $RAZAO_CHAVE" "$RAZAO_URL/v2/lote" \
  --json '{"cnpjs": ["` + p.Root + `", "00000000000191"], "campos": ["razao_social", "uf"]}'`,
	}
	p.Reconcile = code{
		"Nomes com curl",
		`curl -H "Authorization: Bearer $RAZAO_CHAVE" "$RAZAO_URL/v2/reconciliar" \
  --data-urlencode 'queries={"q0": {"query": "PADARIA ESTRELLA DO SUL", "properties": [{"pid": "municipio", "v": "Campinas/SP"}]}}'`,
	}
	p.Search = code{
		"Busca com curl",
		`curl -G -H "Authorization: Bearer $RAZAO_CHAVE" "$RAZAO_URL/v2/busca" \
  --data-urlencode "q=padaria belo horizonte" -d abertura_de=2021-01-01 -d capital_de=100000 -d facetas=sim`,
	}
	p.Changes = code{
		"Baixas em Minas Gerais com curl",
		`curl -G -H "Authorization: Bearer $RAZAO_CHAVE" "$RAZAO_URL/v2/mudancas" \
  -d evento=estabelecimento.baixado -d uf=MG`,
	}
	p.Proof = code{
		"Prova com curl, guardada em um arquivo",
		`curl -o prova.json -H "Authorization: Bearer $RAZAO_CHAVE" "$RAZAO_URL/v2/empresas/` + p.Root + `/prova"
razao verify prova.json
python3 prova.py prova.json`,
	}
	p.Verify = code{"Conferência em Python", readExample("prova.py")}
	p.Generate = code{"Geradores de clientes", readExample("cliente/gerar.sh")}
	p.Generated = []exampleProgram{
		{ID: "cliente-go", Language: "Go, com o oapi-codegen", Code: code{"Cliente em Go", readExample("cliente/percorrer.go")}},
		{ID: "cliente-typescript", Language: "TypeScript, com o openapi-typescript", Code: code{"Cliente em TypeScript", readExample("cliente/percorrer.ts")}},
	}
	p.Sheets = code{"Programa para o Google Planilhas", strings.Replace(readExample("planilha/razao.gs"), "https://razao.exemplo", s.BaseURL, 1)}
	p.Query = code{"Consulta para o Excel", readExample("planilha/razao.pq")}
	p.Failure = code{"Corpo de um erro", readExample("erro.json")}
	return p
}

// exampleRoot returns the root of a company in snap, so that copied calls have a result. It falls
// back to an invented root if snap is nil or has no example.
func (s *Site) exampleRoot(ctx context.Context, snap *snapshot.Snapshot) string {
	const invented = "12345678"
	if snap == nil {
		return invented
	}
	found, err := s.find.Examples(ctx, snap)
	if err != nil { // optional: an error is logged and keeps the page out of caches
		web.EventOf(ctx).Fail(err)
	}
	for _, text := range found {
		if root, _, err := page.NumberOf(ctx, snap, text); err == nil {
			return root.String()
		}
	}
	return invented
}

// apiV1Page is the reference of API version 1.
type apiV1Page struct {
	page.Frame
	Call   code
	Answer code
}

// apiV1Page answers /api/v1.
func (s *Site) apiV1Page(ctx context.Context, snap *snapshot.Snapshot) page.Page {
	p := &apiV1Page{}
	p.Title = "API v1: cadastro por CNPJ"
	p.Description = "Referência da versão 1 da API: a operação, os campos, os formatos, os erros e o que mudou entre as versões 1.0.0 e 1.0.1."
	p.Canonical = "/api/v1"
	p.Crumbs, p.Script = page.Trail("API", "/api", "v1"), page.Script("copy.js")
	p.Call = code{
		"Chamada da v1 com curl",
		`curl -H "Authorization: Bearer $RAZAO_CHAVE" "$RAZAO_URL/v1/cnpj/` + s.exampleRoot(ctx, snap) + `"`,
	}
	p.Answer = code{"Forma da resposta da v1", readExample("v1.json")}
	return p
}

// referencePage lists the operations in a table and, with JavaScript, shows the OpenAPI documents
// in Swagger UI.
type referencePage struct{ page.Frame }

// referencePage answers /api/docs.
func (s *Site) referencePage(context.Context, *snapshot.Snapshot) page.Page {
	p := &referencePage{}
	p.Title = "Referência da API"
	p.Description = "Todas as operações da API v1 e v2 e do site, com parâmetros, campos, erros e exemplos, a partir dos documentos OpenAPI 3.1."
	p.Canonical = "/api/docs"
	p.Crumbs, p.Script = page.Trail("API", "/api", "Referência"), page.Script("reference.js")
	return p
}
