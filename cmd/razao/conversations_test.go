package main

import (
	"archive/zip"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"razao/internal/assist/assistant"
	"razao/internal/assist/messenger"
	"razao/internal/sample"
	"razao/internal/testing/fixture"
	"razao/internal/testing/fixture/sourcefiles"
)

var update = flag.Bool("update", false, "rewrite the conversations that the website shows")

// shown is where the website keeps the conversations.
const shown = "../../site/data/assistant"

// exchange is a question on /assistente, with the calls of tools that an assistant makes for it.
type exchange struct {
	Question string `json:"pergunta"`
	Sentence string `json:"frase"` // what an assistant makes of the answers
	Calls    []call `json:"chamadas"`
}

// call is a call of a tool with its answer.
type call struct {
	Tool      string `json:"ferramenta"`
	Arguments string `json:"argumentos"`
	Answer    string `json:"resposta"`
}

// message is what somebody sends by a messenger, with the answer.
type message struct {
	Sent   string `json:"mensagem"`
	Answer string `json:"resposta"`
}

// TestConversations asks the tools for what the website shows as their answers.
func TestConversations(t *testing.T) {
	t.Parallel()
	const base = "https://razao.exemplo"
	tools := invented(t, base)
	exchanges := []exchange{
		{"A Química Monimax, de Bauru, tem dívida ativa ou alguma sanção?", "Sim. A Química Monimax Ltda. (CNPJ 27.217.210/0001-92) tem 2 inscrições na dívida ativa da União (06/2026) e 1 registro no CEIS " +
			"(31/08/2026). Nas outras fontes não há ocorrência, o que não é certidão. Para conferir: https://razao.exemplo/27217210000192", []call{
			{Tool: "buscar_empresas", Arguments: `{"consulta": "química monimax bauru"}`},
			{Tool: "consultar_cnpj", Arguments: `{"cnpj": "27217210000192"}`},
		}},
		{"De quanto é a maior dívida dela com a União?", "A maior é de R$ 125.111,27, receita de IPI, inscrita em 16/07/2025, ajuizada e já negociada. A outra é de R$ 11.558,20, do Simples " +
			"Nacional, em cobrança. São dados da PGFN de 06/2026.", []call{
			{Tool: "consultar_fonte", Arguments: `{"cnpj": "27217210000192", "fonte": "pgfn"}`},
		}},
		{"Ela tem filiais?", "Sim, uma: 27.217.210/0002-73, ativa, em Bauru/SP, com a mesma atividade da matriz (competência 08/2026).", []call{
			{Tool: "listar_estabelecimentos", Arguments: `{"cnpj": "27217210"}`},
		}},
	}
	for i := range exchanges {
		for j := range exchanges[i].Calls {
			c := &exchanges[i].Calls[j]
			c.Answer = answer(t, tools, c)
		}
	}
	compareShown(t, "tools.json", exchanges)

	chat, err := messenger.New(messenger.Config{Assistant: tools, BaseURL: base})
	if err != nil {
		t.Fatal(err)
	}
	messages := []message{{Sent: "química monimax"}, {Sent: "27.217.210/0001-92"}}
	for i := range messages {
		m := &messages[i]
		if m.Answer, err = chat.Answer(t.Context(), m.Sent); err != nil {
			t.Fatal(err)
		}
	}
	compareShown(t, "messages.json", messages)
}

// planted holds rows of the company that the conversations are about, in the format of their
// publishers: path of the zip, its member, row.
//
//go:embed testdata/monimax.tsv
var planted string

// plant appends the rows to the files of a sample below dir.
func plant(t *testing.T, dir string) {
	t.Helper()
	for line := range strings.Lines(planted) {
		cells := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		path := filepath.Join(dir, cells[0])
		old, err := zip.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		var again bytes.Buffer
		z := zip.NewWriter(&again)
		for _, member := range old.File {
			if member.Name != cells[1] {
				if err := z.Copy(member); err != nil {
					t.Fatal(err)
				}
				continue
			}
			content, err := old.Open(member.Name)
			if err != nil {
				t.Fatal(err)
			}
			w, err := z.Create(member.Name)
			if err != nil {
				t.Fatal(err)
			}
			row := strings.NewReader(sourcefiles.Windows1252(t, cells[2]+"\n"))
			if _, err := io.Copy(w, io.MultiReader(content, row)); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(old.Close(), z.Close(), os.WriteFile(path, again.Bytes(), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

// invented returns the tools over a sample that is the same in every month, with the planted rows.
func invented(t *testing.T, base string) *assistant.Assistant {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "sample")
	if _, err := sample.Write(t.Context(), dir, sample.Options{Roots: 300, Seed: 1, Month: "2026-08"}); err != nil {
		t.Fatal(err)
	}
	plant(t, dir)
	l := fixture.Empty(t)
	if err := loadAll(t.Context(), io.Discard, l.Ingester, dir); err != nil {
		t.Fatal(err)
	}
	if err := l.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	today := func() time.Time { return time.Date(2026, 9, 3, 12, 0, 0, 0, time.UTC) }
	return assistant.New(assistant.Config{Live: l.Live, BaseURL: base, Now: today})
}

// answer returns the text with which a tool answers a call.
func answer(t *testing.T, a *assistant.Assistant, c *call) string {
	t.Helper()
	switch c.Tool {
	case "buscar_empresas":
		return ask(t, a.Search, c.Arguments)
	case "consultar_cnpj":
		return ask(t, a.Record, c.Arguments)
	case "consultar_fonte":
		return ask(t, a.Source, c.Arguments)
	case "listar_estabelecimentos":
		return ask(t, a.Establishments, c.Arguments)
	}
	t.Fatalf("there is no tool %s", c.Tool)
	return ""
}

func ask[In any, Out interface{ Text() string }](t *testing.T, tool func(context.Context, In) (Out, error), arguments string) string {
	t.Helper()
	var in In
	decoder := json.NewDecoder(bytes.NewReader([]byte(arguments)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&in); err != nil {
		t.Fatal(err)
	}
	out, err := tool(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out.Text())
}

// compareShown compares conversations with a file of the website.
func compareShown(t *testing.T, name string, conversations any) {
	t.Helper()
	var got bytes.Buffer
	encoder := json.NewEncoder(&got)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(conversations); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(shown, name)
	if *update {
		if err := os.WriteFile(file, got.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("%s shows other answers (-want +got); look at them, and rewrite it with -update:\n%s", file, diff)
	}
}
