package ingest_test

import (
	"os"
	"strings"
	"testing"

	"razao/ingest"
	"razao/ingest/receita"
	"razao/internal/fixture"
	"razao/internal/fixture/sourcefiles"
	"razao/internal/registry"
)

var (
	directHeader   = sourcefiles.Header("bndes/"+directFile) + "\n"
	indirectHeader = sourcefiles.Header("bndes/"+indirectFile) + "\n"
)

// The names of the two files.
const (
	directFile   = "operacoes-financiamento-operacoes-nao-automaticas.csv"
	indirectFile = "operacoes-financiamento-operacoes-indiretas-automaticas.csv"
)

// financing writes one operation with the holding's full number and one with the bakery's masked one.
func financing(t *testing.T) string {
	t.Helper()
	direct := directHeader + "ESTRELA PARTICIPACOES SA;98.765.432/0001-98;;SP;SAO PAULO;3550308;1;2024-02-01;10,50;10,50" + strings.Repeat(";", 24) + "\n"
	indirect := indirectHeader + "PADARIA ESTRELA DO SUL LTDA;**.*45.678/0001-**; SP;CAMPINAS;3509502;2024-05-14;42000;42000,00" + strings.Repeat(";", 22) + "\n"
	return sourcefiles.Write(t, directFile, direct, indirectFile, indirect)
}

func TestOperationsAreLinkedAgain(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	loadSource(t, l, "bndes", financing(t), ingest.SourceOptions{Force: true})
	l.Ingest(t)
	bakery := registry.Document{Root: establishments(t, fixture.Bakery, 1)[0].Root()}
	holding := registry.Document{Root: establishments(t, fixture.Holding, 1)[0].Root()}
	checkLinks := func(when string, direct, indirect int) {
		t.Helper()
		if page := pageOf(t, l, "bndes", holding, registry.Range{Limit: 5}); page.Total != direct {
			t.Errorf("%s: %d published links, want %d", when, page.Total, direct)
		}
		page := pageOf(t, l, "bndes", bakery, registry.Range{Limit: 5})
		if page.Total != indirect {
			t.Errorf("%s: %d inferred links, want %d", when, page.Total, indirect)
		}
		for _, item := range page.Items {
			if item.Value("metodo_vinculo") != "inferido_mascara_nome_municipio" || item.Value("documento_fonte") != "**.*45.678/0001-**" ||
				item.Value("cnpj_vinculado") != "12345678000195" {
				t.Errorf("%s: %v", when, item.Values)
			}
		}
		if m := page.Load.Counts.Marked; m["operacoes"] != 2 || m["publicado"] != int64(direct) || m["nao_vinculado"] != int64(1-indirect) {
			t.Errorf("%s: figures %v", when, m)
		}
		if notes := strings.Join(page.Load.Provenance.Observacoes, " "); !strings.Contains(notes, fixture.Month) {
			t.Errorf("%s: the notes do not say what was linked with: %s", when, notes)
		}
		if len(page.Load.Provenance.Arquivos) != 2 || page.Load.Period != "2024-05" {
			t.Errorf("%s: the load lost its origin: %+v", when, page.Load)
		}
	}
	checkLinks("companies after operations", 1, 1)

	// The bakery under another name is no longer the client of the operation.
	renamed := fixture.Release(t)
	rename(t, &renamed, "PADARIA ESTRELA DO SUL LTDA", "PADARIA ESTRELA DO NORTE LTDA")
	if _, err := l.Ingester.Receita(t.Context(), &renamed, ingest.Options{Force: true}); err != nil {
		t.Fatal(err)
	}
	checkLinks("after a release with another name", 1, 0)
	if _, err := l.Ingester.Rollback(t.Context(), registry.Receita); err != nil {
		t.Fatal(err)
	}
	checkLinks("after going back", 1, 1)
	loadSource(t, l, "bndes", financing(t), ingest.SourceOptions{Force: true})
	checkLinks("after a new load of operations", 1, 1)
	for range 2 {
		if back, err := l.Ingester.Rollback(t.Context(), "bndes"); err != nil || !back.Active {
			t.Errorf("go back: %+v, %v", back, err)
		}
		checkLinks("after going back to former operations", 1, 1)
	}
	checkNoLitter(t, l)
}

// rename replaces a name in the files of a release.
func rename(t *testing.T, rel *receita.Release, from, to string) {
	t.Helper()
	for _, f := range rel.Files {
		data, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Path, []byte(strings.ReplaceAll(string(data), from, to)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
