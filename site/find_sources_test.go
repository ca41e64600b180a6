package site_test

import (
	"cmp"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"razao/internal/data/ptbr"
	"razao/internal/data/source"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

func TestRecordsFilter(t *testing.T) {
	t.Parallel()
	l := sitetest.Recorded.Load(t)
	h := sitetest.New(t, l)
	body := h.Body(t, "/busca")
	pagetest.Form(t, body)
	pagetest.Texts(t, body, []string{"<h2>Registros públicos</h2>"}, []string{"fonte=cnep", "mte_ceac", "Sem contagem"})
	for id, want := range map[string]int{"pgfn": 2, "ceis": 1, "habilitacao_aduaneira": 4, "ibama_autos": 2, "pncp_orgao": 1, "bndes": 1} {
		src, _ := source.Find(id)
		ungrouped := h.Page(t, "/busca?agrupar=nao&uf=SP").Links()
		if got := ungrouped[src.Title+" "+strconv.Itoa(want)]; got != "/busca?agrupar=nao&fonte="+id+"&uf=SP" {
			t.Errorf("%s: link %q", id, got)
		}
		whole, text := 4, "1 empresa com 4 estabelecimentos" // of the bakery, whichever of them has records
		if id == "pncp_orgao" {
			whole, text = 1, "1 empresa"
		}
		if got := pagetest.Parse(t, body).Links()[src.Title+" "+strconv.Itoa(whole)]; got != "/busca?fonte="+id {
			t.Errorf("%s: link %q", id, got)
		}
		h.Texts(t, "/busca?fonte="+id, []string{text}, nil)
		found := h.Body(t, "/busca?agrupar=nao&fonte="+id)
		pagetest.Texts(t, found, []string{strconv.Itoa(want) + " estabelecimento", "Registros públicos: " + src.Title, `aria-current="true"`}, nil)
	}
	h.Texts(t, "/busca?fonte=cnep", []string{"Nada encontrado"}, nil)
	if links := h.Page(t, "/busca?q=padaria&ordem=nome").Links(); links["Dívida ativa da União e do FGTS 4"] != "/busca?fonte=pgfn&ordem=nome&q=padaria" {
		t.Errorf("links beside words: %v", links)
	}
	if w := h.Get(t, "/busca?fonte=receita"); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), `"loc":["query","fonte"]`) {
		t.Errorf("an unknown source: %d %s", w.Code, w.Body)
	}
}

// TestAFilterWithoutFlags removes the flags of one source: its filter is a 503, everything else
// works.
func TestAFilterWithoutFlags(t *testing.T) {
	t.Parallel()
	l := sitetest.Recorded.Load(t)
	h := sitetest.New(t, l)
	check := sitetest.NewAnswerCheck(t)
	files, err := filepath.Glob(filepath.Join(l.IndexDir, "*", "sources", "ceis-*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("flags %v, %v", files, err)
	}
	if err := os.Rename(files[0], files[0]+".away"); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Store.Publish(t.Context(), nil, ""); err != nil {
		t.Fatal(err)
	}
	if err := l.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := h.Get(t, "/busca?fonte=ceis", "Accept", sitetest.HTML)
	if w.Code != 503 || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), "falta a lista de quem tem registros nesta fonte") {
		t.Errorf("filter: %d %s", w.Code, w.Body)
	}
	w = h.Get(t, "/busca?fonte=ceis")
	if w.Code != 503 || !strings.Contains(w.Body.String(), `"codigo":"fonte_indisponivel"`) {
		t.Errorf("filter, asked by a program: %d %s", w.Code, w.Body)
	}
	check.Answer(t, "/busca", w)
	if w := h.Get(t, "/health"); w.Code != 200 || !strings.Contains(w.Body.String(), `"indice":"degradado"`) {
		t.Errorf("health: %d %s", w.Code, w.Body)
	}
	src, _ := source.Find("ceis")
	h.Texts(t, "/busca", []string{"Sem contagem neste momento: " + src.Title, "fonte=pgfn"}, []string{"fonte=ceis"})
	h.Status(t, 200, "/busca?fonte=pgfn")
	if err := os.Rename(files[0]+".away", files[0]); err != nil {
		t.Fatal(err)
	}
	if err := l.Live.Refresh(t.Context()); err != nil { // Run does this every 30 seconds
		t.Fatal(err)
	}
	h.Status(t, 200, "/busca?fonte=ceis")
}

// TestNumbersOfResults compares the sources of each result with those whose filter finds its company, and
// the other numbers with the records.
func TestNumbersOfResults(t *testing.T) {
	t.Parallel()
	h := sitetest.New(t, sitetest.Recorded.Load(t))
	root := func(result pagetest.Document) string { return result.All("a")[0].Attribute("href")[1:9] }
	known := map[string]map[string]bool{} // sources by company
	for _, id := range source.IDs() {
		for _, result := range h.Page(t, "/busca?agrupar=nao&fonte="+id).Results() {
			if known[root(result)] == nil {
				known[root(result)] = map[string]bool{}
			}
			known[root(result)][id] = true
		}
	}
	all, listed := h.Establishments(t), 0
	for path := "/empresas?ordem=nome"; path != ""; {
		d := h.Page(t, path)
		for _, result := range d.Results() {
			number := result.All("a")[0].Attribute("href")[1:]
			e := &all[slices.IndexFunc(all, func(e sitetest.Establishment) bool { return e.CNPJ.String() == number })]
			offices := all.Count(func(other *sitetest.Establishment) bool { return other.CNPJ.Root() == e.CNPJ.Root() })
			sources := "0"
			if n := len(known[root(result)]); n > 0 {
				sources = ptbr.Counted(int64(n), "fonte", "fontes")
			}
			want := []string{
				cmp.Or(ptbr.Date(e.DataInicioAtividade.Time()), "não informada"), cmp.Or(ptbr.Plain(ptbr.Money(e.Company.CapitalSocial)), "não informado"),
				strconv.Itoa(offices), sources,
			}
			var got []string
			for _, value := range result.All("dd") {
				got = append(got, strings.TrimSuffix(value.Text(), " (improvável)"))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", number, got, want)
			}
			listed++
		}
		path = d.Next()
	}
	if listed < 10 || len(known) < 3 {
		t.Errorf("%d companies, %d with records", listed, len(known))
	}
}
