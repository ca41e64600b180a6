package program

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"razao/ingest"
	"razao/internal/testing/fixture/sourcefiles"
	"razao/internal/web/fetch/fetchtest"
)

// Publishers starts all fifteen publishers as one site on loopback, each below a folder of its own, and
// sets the program to them. Their files are small and invented, which the download folders say, so that
// no floor of real files applies.
func (p *Program) Publishers() *fetchtest.Site {
	t := p.T
	t.Helper()
	site := fetchtest.NewSite(t, nil)
	share := "share/"
	site.PutZips(t, share, Sample(t, t.TempDir(), "2026-09", 500))
	file := func(id, name string) string {
		t.Helper()
		content, err := os.ReadFile(filepath.Join(sourcefiles.Folder(t, id), name))
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	zipped := func(id string, names ...string) []byte {
		members := map[string]string{}
		for _, name := range names {
			members[name] = file(id, name)
		}
		return sourcefiles.Zip(t, members)
	}
	quarter := time.Now().AddDate(0, 0, -time.Now().Day()+1) // the first day of this month
	for quarter = quarter.AddDate(0, -1, 0); quarter.Month()%3 != 0; quarter = quarter.AddDate(0, -1, 0) {
	}
	folder := fmt.Sprintf("pgfn/%d_trimestre_%02d/Dados_abertos_", quarter.Year(), quarter.Month()/3)
	for name, system := range map[string]string{"FGTS": "FGTS", "Previdenciario": "PREV", "Nao_Previdenciario": "SIDA"} {
		site.Put(folder+name+".zip", zipped("pgfn", "arquivo_lai_"+system+"_1_202606.csv"))
	}
	for id, c := range map[string]struct {
		register, day string
		names         []string
	}{
		"ceis":              {"ceis", "20260930", []string{"20260930_CEIS.csv"}},
		"cnep":              {"cnep", "20260930", []string{"20260930_CNEP.csv"}},
		"cepim":             {"cepim", "20260928", []string{"20260928_CEPIM.csv"}},
		"acordos_leniencia": {"acordos-leniencia", "20260813", []string{"20260813_Acordos.csv", "20260813_Efeitos.csv"}},
	} {
		page := fmt.Sprintf(`arquivos.push({"ano" : "%s", "mes" : "%s", "dia" : "%s"})`, c.day[:4], c.day[4:6], c.day[6:])
		site.Put(id+"/"+c.register, []byte(page))
		site.Put(id+"/"+c.register+"/"+c.day, zipped(id, c.names...))
	}
	const ceac = "cadastro-de-empregadores-em-ajustamento-de-conduta/2026_0001.csv"
	const operations = "operacoes-financiamento-operacoes-"
	for path, content := range map[string]string{
		"mte_empregadores/cadastro_de_empregadores.csv":                file("mte_empregadores", "cadastro_de_empregadores.csv"),
		"mte_empregadores/cadastro_de_empregadores.txt":                file("mte_empregadores", "cadastro_de_empregadores.txt"),
		"mte_ceac/combate-ao-trabalho-escravo-e-analogo-ao-de-escravo": `<a href="` + ceac + `">`,
		"mte_ceac/" + ceac: file("mte_ceac", "2026_0001.csv"),
		"ibama_autos/dados/SIFISC/auto_infracao/auto_infracao/auto_infracao_csv.zip":                      string(zipped("ibama_autos", "auto_infracao_2024.csv")),
		"ibama_embargos/dados/TERMOS_DE_EMBARGO/TERMO_EMBARGO/termo_de_embargo.csv":                       file("ibama_embargos", "termo_embargo.csv"),
		"rntrc/api/3/action/package_show?id=rntrc":                                                        `{"result":{"resources":[{"url":"/rntrc/transportadores_rntrc_07_2026.csv"}]}}`,
		"rntrc/transportadores_rntrc_07_2026.csv":                                                         file("rntrc", "transportadores_rntrc_07_2026.csv"),
		"bndes/6f56b78c-510f-44b6-8274-78a5b7e931f4/download/" + operations + "nao-automaticas.csv":       file("bndes", operations+"nao-automaticas.csv"),
		"bndes/612faa0b-b6be-4b2c-9317-da5dc2c0b901/download/" + operations + "indiretas-automaticas.csv": file("bndes", operations+"indiretas-automaticas.csv"),
	} {
		site.Put(path, []byte(content))
	}
	site.Answer = func(w http.ResponseWriter, r *http.Request, _ int) bool {
		if !strings.HasPrefix(r.URL.Path, "/pncp/v1/contratos") {
			return false
		}
		contracts := site.File(strings.TrimPrefix(r.URL.Path, "/"))
		if contracts == nil {
			w.WriteHeader(http.StatusNoContent)
			return true
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"data":[%s],"totalRegistros":1,"totalPaginas":1,"numeroPagina":1}`, contracts)
		return true
	}
	urls := "RAZAO_SOURCE_URLS="
	for _, id := range ingest.SourceIDs() {
		urls += id + "=" + site.URL + "/" + id + "/,"
		write(t, filepath.Join(p.Data, "download", id, "DADOS-FICTICIOS.txt"), "")
	}
	p.Settings = append(p.Settings, strings.TrimSuffix(urls, ","), "RAZAO_RECEITA_URL="+site.URL+"/"+share)
	return site
}

// amendable is a contract of PNCP, with an amount that is amended.
func amendable(t *testing.T, updated, value string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(sourcefiles.Folder(t, "pncp"), "pncp_contratos_2026-02.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("2026-03-01T17:17:03", updated, `"valorGlobal": 120000.5`, `"valorGlobal": `+value).
		Replace(strings.SplitN(string(raw), "\n", 2)[0])
}

// ContractsOfYesterday is what was downloaded of PNCP yesterday, so that there are updates to ask for, and few windows.
func (p *Program) ContractsOfYesterday(site *fetchtest.Site) {
	t := p.T
	t.Helper()
	now := time.Now()
	yesterday := now.Add(-24 * time.Hour)
	held := filepath.Join(p.Data, "download", "pncp", "pncp_contratos_2026-02-01_"+now.AddDate(0, 0, -3).Format(time.DateOnly)+".jsonl")
	write(t, held, amendable(t, "2026-03-01T17:17:03", "120000.5")+"\n")
	if err := os.Chtimes(held, yesterday.Add(-24*time.Hour), yesterday.Add(-24*time.Hour)); err != nil {
		t.Fatal(err)
	}
	site.Put("pncp/v1/contratos/atualizacao", []byte(amendable(t, "2026-10-02T08:00:00", "98765.43")))
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
