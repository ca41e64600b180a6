package reference_test

import (
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"razao/ingest"
	"razao/internal/store/registry"
	"razao/internal/testing/fixture"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// TestQualityPages shows each column of a load beside the load before it, and says of a forced one what it was published in spite of.
func TestQualityPages(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	try := func(companies int, nature func(i int) string, o ingest.Options) (registry.Load, error) {
		var rows, offices [][]string
		for i := range companies {
			root := fmt.Sprintf("%08d", 10_000_000+i)
			rows = append(rows, []string{root, "EMPRESA " + root + " LTDA", nature(i), "49", "1000,00", "03", ""})
			offices = append(offices, fixture.OfficeRow(root, "33330000", "", "RUA FICTICIA", strconv.Itoa(i)))
		}
		rel := fixture.Rows(t, rows, offices, nil)
		return l.Ingester.Receita(t.Context(), &rel, o)
	}
	publish := func(companies int, nature func(i int) string, o ingest.Options) registry.Load {
		t.Helper()
		published, err := try(companies, nature, o)
		if err != nil {
			t.Fatal(err)
		}
		return published
	}
	natures := func(i int) string { return []string{"2062", "2046"}[i%2] }
	first, second := publish(300, natures, ingest.Options{}), publish(301, natures, ingest.Options{})
	if forced := publish(301, func(int) string { return "2062" }, ingest.Options{Force: true}); len(forced.Overruled) == 0 {
		t.Fatal("one legal nature for all is nothing strange")
	}
	if err := l.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	h := sitetest.New(t, l)
	const beyond, marked = "O operador publicou esta carga apesar de ", ">além do limite<"
	for path, c := range map[string]struct{ has, lacks []string }{
		"/fontes/receita/qualidade": {
			[]string{beyond, "formas das colunas", marked, "Empresas.natureza_juridica", "com o valor 2062 Sociedade Empresária Limitada: 50,2", `href="/dicionario#empresa.natureza_juridica"`, "2062 Sociedade Empresária Limitada: 100,0"},
			[]string{"2046 Sociedade Anônima Aberta: "},
		},
		"/fontes/receita/qualidade?carga=" + strconv.FormatInt(second.ID, 10): {[]string{"a carga " + strconv.FormatInt(first.ID, 10)}, []string{beyond, marked}},
		"/fontes/receita/qualidade?carga=" + strconv.FormatInt(first.ID, 10):  {[]string{"nenhuma: não há carga anterior"}, []string{beyond, marked, ">antes "}},
		"/fontes/pgfn/qualidade": {[]string{"Não há carga em uso desta fonte."}, []string{"Como ler"}},
		"/fontes/receita":        {[]string{"publicada apesar das verificações", `href="/fontes/receita/qualidade"`}, nil},
	} {
		pagetest.Texts(t, h.Body(t, path), c.has, c.lacks)
	}
	for path, status := range map[string]int{
		"/fontes/nada/qualidade": 404, "/fontes/receita/qualidade?carga=999999": 422, "/fontes/pgfn/qualidade?carga=" + strconv.FormatInt(first.ID, 10): 422,
		"/fontes/receita/qualidade?carga=x": 422, "/fontes/receita/qualidade?carga=-1": 422, "/fontes/receita/qualidade?carga=": 422,
	} {
		if got := h.Get(t, path); got.Code != status {
			t.Errorf("%s: status %d, want %d", path, got.Code, status)
		}
	}

	// The forced load is taken out of service, and the same files are refused: that load can be looked at, as what it is. With which load one was
	// compared does not depend on the history of changes.
	if _, err := l.Ingester.Rollback(t.Context(), registry.Receita); err != nil {
		t.Fatal(err)
	}
	if _, err := try(302, func(int) string { return "2062" }, ingest.Options{}); !errors.Is(err, ingest.ErrRefused) {
		t.Fatal(err)
	}
	loads, err := l.Store.Loads(t.Context())
	if err != nil || loads[0].State != registry.LoadRefused {
		t.Fatalf("%+v, %v", loads[0], err)
	}
	third := publish(302, natures, ingest.Options{Force: true})
	if _, err := try(303, func(int) string { return "2046" }, ingest.Options{}); !errors.Is(err, ingest.ErrRefused) {
		t.Fatal(err)
	}
	if _, err := l.Store.ForgetHistoryBefore(t.Context(), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := l.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	refused := strconv.FormatInt(third.ID+1, 10)
	pagetest.Texts(t, h.Body(t, "/fontes/receita/qualidade?carga="+refused), []string{"Esta carga foi recusada ao ser lida", marked, "a carga " + strconv.FormatInt(third.ID, 10)}, []string{beyond})
	pagetest.Texts(t, h.Body(t, "/fontes/receita/qualidade"), []string{"a carga " + strconv.FormatInt(second.ID, 10), ", recusada", "publicada apesar de verificações, já fora de uso"}, []string{beyond, marked})
}
