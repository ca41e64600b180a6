package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"razao/ingest"
	"razao/internal/store/registry"
	"razao/internal/testing/fixture/sourcefiles"
	"razao/internal/web/fetch"
	"razao/internal/web/fetch/fetchtest"
)

// publishersOnLoopback are all fifteen publishers on one site, each below a folder of its own. Their files are small and
// invented, which the download folders of p say, so that no floor of real files applies.
func publishersOnLoopback(t *testing.T, p *place) *fetchtest.Site {
	t.Helper()
	site := fetchtest.NewSite(t, nil)
	share := "share/"
	putFolder(t, site, share, writeSample(t, t.TempDir(), "2026-09", 500))
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
		write(t, filepath.Join(p.data, "download", id, "DADOS-FICTICIOS.txt"), "")
	}
	p.more = append(p.more, strings.TrimSuffix(urls, ","), "RAZAO_RECEITA_URL="+site.URL+"/"+share)
	return site
}

func putFolder(t *testing.T, site *fetchtest.Site, prefix, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".zip" {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		site.Put(prefix+filepath.ToSlash(name), content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
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

// checkTable looks for the source and what came of it in the lines of an update.
func checkTable(t *testing.T, out string, want map[string]string) {
	t.Helper()
	for id, state := range want {
		if !regexp.MustCompile(`(?m)^` + id + ` .* ` + state).MatchString(out) {
			t.Errorf("%s is not said to be %q:\n%s", id, state, out)
		}
	}
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

// contractsOfYesterday is what was downloaded of PNCP yesterday, so that there are updates to ask for, and few windows.
func contractsOfYesterday(t *testing.T, p *place, site *fetchtest.Site) {
	t.Helper()
	now := time.Now()
	yesterday := now.Add(-24 * time.Hour)
	held := filepath.Join(p.data, "download", "pncp", "pncp_contratos_2026-02-01_"+now.AddDate(0, 0, -3).Format(time.DateOnly)+".jsonl")
	write(t, held, amendable(t, "2026-03-01T17:17:03", "120000.5")+"\n")
	if err := os.Chtimes(held, yesterday.Add(-24*time.Hour), yesterday.Add(-24*time.Hour)); err != nil {
		t.Fatal(err)
	}
	site.Put("pncp/v1/contratos/atualizacao", []byte(amendable(t, "2026-10-02T08:00:00", "98765.43")))
}

// TestUpdate runs for three days: everything is loaded, nothing is new, some of it is.
func TestUpdate(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	site := publishersOnLoopback(t, p)
	p.must("migrate")

	contractsOfYesterday(t, p, site)

	// A first release has the size of the country, unless somebody says that it is right.
	p.must("ingest", "receita", "--force")

	out := p.must("update")
	want := map[string]string{"habilitacao_aduaneira": "no address", "receita": "current"}
	for _, id := range append(ingest.SourceIDs(), registry.Receita, "pncp_orgao") {
		if want[id] == "" {
			want[id] = "loaded"
		}
	}
	checkTable(t, out, want)
	checkTable(t, out, map[string]string{"receita": "2026-09 +2026-09 ", "ceis": "2026-09-30 +2026-09-30 +[1-9]"})
	if n := strings.Count(out, "\n"); n != 16 {
		t.Errorf("%d lines, want a heading and fifteen:\n%s", n, out)
	}

	// The next hour nothing is new: nothing is sent but listings, and nothing is loaded.
	loads, before := p.must("loads"), len(site.Asked())
	for id, state := range want {
		want[id] = strings.Replace(state, "loaded", "current", 1)
	}
	checkTable(t, p.must("update"), want)
	for _, path := range site.Sent(before) {
		if regexp.MustCompile(`\.(zip|csv|txt)$|/20260|contratos`).MatchString(path) && !strings.HasPrefix(path, "pgfn/") {
			t.Errorf("%s was sent again", path)
		}
	}
	if now := p.must("loads"); now != loads {
		t.Errorf("loaded again:\n%s", now)
	}
	if out := p.must("ingest", "receita"); !strings.Contains(out, "receita 2026-09 is already current") {
		t.Errorf("ingest receita says %q", out)
	}
	if out := p.must("ingest", "ceis"); !strings.Contains(out, "ceis 2026-09-30 is already current") {
		t.Errorf("ingest ceis says %q", out)
	}
	if code, _, log := p.run("ingest", "receita", "--month", "2026-08", "--from", site.URL+"/share/"); code != 1 {
		t.Errorf("a month that is not there: exit code %d\n%s", code, log)
	}

	// The month after; one publisher is down, and another has cut its file short.
	putFolder(t, site, "share/", writeSample(t, t.TempDir(), "2026-10", 500))
	site.Put("ceis/ceis", nil)
	site.Put("bndes/6f56b78c-510f-44b6-8274-78a5b7e931f4/download/operacoes-financiamento-operacoes-nao-automaticas.csv", []byte("a;b\r\n"))
	code, out, log := p.run("update")
	if code != 1 || !strings.Contains(log, "2 of 14 publishers failed: ceis, bndes") {
		t.Errorf("exit code %d\n%s", code, log)
	}
	checkTable(t, out, map[string]string{
		"receita": "2026-10 .* loaded", "ceis": "2026-09-30 +- .* unreachable: ", "bndes": "failed: ", "cnep": "current",
	})
	if _, err := os.Stat(filepath.Join(p.data, "download", "2026-09")); !os.IsNotExist(err) {
		t.Errorf("the zips of the month before are kept: %v", err)
	}
	if code, _, log := p.run("ingest", "receita", "--month", "2026-09"); code != 1 || !strings.Contains(log, "older than 2026-10") || !strings.Contains(log, "--force") {
		t.Errorf("an older month: exit code %d\n%s", code, log)
	}
	if _, err := os.Stat(filepath.Join(p.data, "download", "2026-09")); !os.IsNotExist(err) {
		t.Errorf("the older month was downloaded before it was refused: %v", err)
	}

	// What was published of PNCP was amended since: one version of the contract is served.
	if out := p.must("ingest", "pncp", "--force"); !strings.Contains(out, "2 rows read, 1 records") || !strings.Contains(out, "versao_superada: 1") {
		t.Errorf("ingest pncp says %q", out)
	}
}

// TestUpdateSaysWhoIsAtWork: two updates, or an update and a load, exclude each other.
func TestUpdateSaysWhoIsAtWork(t *testing.T) {
	t.Parallel()
	p, pool := newProgram(t)
	unlock, err := fetch.Lock(filepath.Join(p.data, "download"))
	if err != nil {
		t.Fatal(err)
	}
	if code, _, log := p.run("update"); code != busyCode || !strings.Contains(log, fmt.Sprintf("pid %d", os.Getpid())) {
		t.Errorf("beside another update: exit code %d\n%s", code, log)
	}
	unlock()
	release, err := registry.NewStore(pool).Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if code, _, log := p.run("update"); code != busyCode || !strings.Contains(log, "another process") {
		t.Errorf("beside a load: exit code %d\n%s", code, log)
	}
	release.Release()
	unlock, err = fetch.Lock(filepath.Join(p.data, "download", "ceis"))
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if code, _, log := p.run("ingest", "ceis"); code != 1 || !strings.Contains(log, fmt.Sprintf("pid %d", os.Getpid())) {
		t.Errorf("into a folder that is being filled: exit code %d\n%s", code, log)
	}
	if code, _, log := p.run("update", "--only", "cies"); code != 2 || !strings.Contains(log, "habilitacao_aduaneira") {
		t.Errorf("a publisher that is none: exit code %d\n%s", code, log)
	}
}
