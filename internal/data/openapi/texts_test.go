package openapi

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const someTexts = `For editors.

## Documento

- titulo: Exemplo
- sobre: Custa R$ 5 e
  vale $dias dias. $fim

## Assuntos

- lista: As listas

## Parâmetros

- pagina: a partir de 1

## Códigos HTTP

- 200: A resposta.

## Trechos

- fim: Depois de $dias, acaba.

## GET /lista

Uma lista

Em páginas: siga
proxima.

- ordem: como: por nome
- 404: Nada.
`

func exampleDocument() Document {
	var answer Response
	text := Object{{"type", "string"}}
	return Document{Tags: []Object{Tag("lista")}, Operations: []Operation{{
		Path: "/lista", Parameters: []Object{QueryParameter("pagina", text), QueryParameter("ordem", text), Described(QueryParameter("uf", text), "estado"), Ref("parameters", "x")},
		Responses: Object{{"200", answer.Object()}, {"404", answer.Object()}, {"503", Ref("responses", "x")}},
	}}}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	d := exampleDocument()
	if err := d.Describe(map[string]any{"dias": 3}, someTexts); err != nil {
		t.Fatal(err)
	}
	got, err := Marshal(d.Object())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"title":"Exemplo"`, `"description":"Custa R$ 5 e vale 3 dias. Depois de 3, acaba."`, `{"name":"lista","description":"As listas"}`,
		`"summary":"Uma lista","description":"Em páginas: siga proxima."`, `"description":"a partir de 1"`, `"description":"como: por nome"`,
		`"description":"estado"`, `"200":{"description":"A resposta."}`, `"404":{"description":"Nada."}`,
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}

// TestTextsAndDocumentAgree changes the texts one at a time.
func TestTextsAndDocumentAgree(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ old, new, want string }{
		{"- ordem: como: por nome\n", "", `no text "ordem" of "GET /lista"`},
		{"- pagina:", "- paginas:", "no text \"pagina\" of \"GET /lista\"\nnothing uses \"paginas\" of \"Parâmetros\""},
		{"- ordem:", "- x: y\n- ordem:", `nothing uses "x" of "GET /lista"`},
		{"- ordem:", "- ordem: y\n- ordem:", `"ordem" of "GET /lista" is there twice`},
		{"siga\n", "siga\n\n", `too many paragraphs in "GET /lista"`},
		{"Uma lista\n\nEm páginas: siga\nproxima.\n\n", "", `no text "summary" of "GET /lista"`},
		{"$fim", "$comeco", "nothing is called $comeco\nnothing uses \"fim\" of \"Trechos\""},
		{"de $dias,", "de $anos,", "nothing is called $anos"},
		{"R$ 5", "R$5", "nothing is called $5"},
	} {
		changed := strings.Replace(someTexts, c.old, c.new, 1)
		if changed == someTexts {
			t.Fatalf("%q is not in the texts", c.old)
		}
		d := exampleDocument()
		err := d.Describe(map[string]any{"dias": 3}, changed)
		if err == nil {
			t.Errorf("with %q for %q: no error", c.new, c.old)
		} else if diff := cmp.Diff(c.want, err.Error()); diff != "" {
			t.Error(diff)
		}
	}
}

// FuzzDescribe: whatever a file has, there is a document or an error.
func FuzzDescribe(f *testing.F) {
	f.Add(someTexts)
	f.Add("## \n- \n- : ${\n\n## GET /lista\na\n\n- 200: $")
	f.Fuzz(func(t *testing.T, file string) {
		d := exampleDocument()
		err := d.Describe(nil, file)
		if _, encoding := Marshal(d.Object()); encoding != nil {
			t.Error(encoding)
		}
		if err == nil && d.Operations[0].summary == "" {
			t.Error("an operation without a summary")
		}
	})
}
