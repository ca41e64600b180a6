package download

import (
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	autosPath   = "dados/SIFISC/auto_infracao/auto_infracao/auto_infracao_csv.zip"
	embargoZip  = "dados/SIFISC/termo_embargo/termo_embargo/termo_embargo_csv.zip"
	embargoCSV  = "dados/TERMOS_DE_EMBARGO/TERMO_EMBARGO/termo_de_embargo.csv"
	autosCKAN   = "api/3/action/package_show?id=fiscalizacao-auto-de-infracao"
	embargoCKAN = "api/3/action/package_show?id=fiscalizacao-termo-de-embargo"
	rntrcCKAN   = "api/3/action/package_show?id=rntrc"
	mtePage     = "combate-ao-trabalho-escravo-e-analogo-ao-de-escravo"
)

// packageOf returns a catalogue's answer.
func packageOf(addresses ...string) []byte {
	var resources []string
	for _, a := range addresses {
		resources = append(resources, fmt.Sprintf(`{"name":"x","format":"CSV","url":%q}`, a))
	}
	return []byte(`{"help":"…","success":true,"result":{"name":"p","resources":[` + strings.Join(resources, ",") + `]}}`)
}

func dayPage(days ...string) []byte {
	page := "<html><script>var arquivos = [];\n"
	for _, d := range days {
		page += fmt.Sprintf(`arquivos.push({"ano" : %q, "mes" : %q, "dia" : %q, "origem" :  "X"});`, d[:4], d[4:6], d[6:]) + "\n"
	}
	return []byte(page + "</script></html>")
}

// wrongAddresses returns addresses of nothing, with the name of a file that is searched for.
func wrongAddresses(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf("/%d/auto_infracao_csv.zip", i))
	}
	return all
}

func TestFetchFindsTheFiles(t *testing.T) {
	t.Parallel()
	table, archive := []byte("a;b\n1;2\n"), zipOf(t, "archive")
	cases := map[string]struct {
		id, period string
		published  map[string][]byte
		want       []string // path of each file and its name in the folder
	}{
		"newest whole quarter": {
			"pgfn", "", map[string][]byte{
				"2026_trimestre_03/Dados_abertos_Nao_Previdenciario.zip": archive,
				"2026_trimestre_03/Dados_abertos_FGTS.zip":               archive,
				"2026_trimestre_02/Dados_abertos_Nao_Previdenciario.zip": archive,
				"2026_trimestre_02/Dados_abertos_Previdenciario.zip":     archive,
				"2026_trimestre_02/Dados_abertos_FGTS.zip":               archive,
			}, []string{
				"2026_trimestre_02/Dados_abertos_Nao_Previdenciario.zip", "Dados_abertos_Nao_Previdenciario.zip",
				"2026_trimestre_02/Dados_abertos_Previdenciario.zip", "Dados_abertos_Previdenciario.zip",
				"2026_trimestre_02/Dados_abertos_FGTS.zip", "Dados_abertos_FGTS.zip",
			},
		},
		"quarter by its month, with the odd name": {
			"pgfn", "2022-12", map[string][]byte{
				"2022_trimestre_04/Dados_abertos_Nao_Previdenciariozip.zip": archive,
				"2022_trimestre_04/Dados_abertos_Previdenciario.zip":        archive,
				"2022_trimestre_04/Dados_abertos_FGTS.zip":                  archive,
			}, []string{
				"2022_trimestre_04/Dados_abertos_Nao_Previdenciariozip.zip", "Dados_abertos_Nao_Previdenciario.zip",
				"2022_trimestre_04/Dados_abertos_Previdenciario.zip", "Dados_abertos_Previdenciario.zip",
				"2022_trimestre_04/Dados_abertos_FGTS.zip", "Dados_abertos_FGTS.zip",
			},
		},
		"quarter by its folder": {
			"pgfn", "2025_trimestre_01", map[string][]byte{
				"2025_trimestre_01/Dados_abertos_Nao_Previdenciario.zip": archive,
				"2025_trimestre_01/Dados_abertos_Previdenciario.zip":     archive,
				"2025_trimestre_01/Dados_abertos_FGTS.zip":               archive,
			}, []string{
				"2025_trimestre_01/Dados_abertos_Nao_Previdenciario.zip", "Dados_abertos_Nao_Previdenciario.zip",
				"2025_trimestre_01/Dados_abertos_Previdenciario.zip", "Dados_abertos_Previdenciario.zip",
				"2025_trimestre_01/Dados_abertos_FGTS.zip", "Dados_abertos_FGTS.zip",
			},
		},
		"day of the page": {
			"ceis", "",
			map[string][]byte{"ceis": dayPage("20260930"), "ceis/20260930": archive},
			[]string{"ceis/20260930", "20260930_CEIS.zip"},
		},
		"newest of several days": {
			"cnep", "",
			map[string][]byte{"cnep": dayPage("20260929", "20261001", "20260930", "20269999"), "cnep/20261001": archive},
			[]string{"cnep/20261001", "20261001_CNEP.zip"},
		},
		"days to come": {
			"cnep", "",
			map[string][]byte{"cnep": dayPage("20991231", "20261001", "20261124"), "cnep/20261001": archive},
			[]string{"cnep/20261001", "20261001_CNEP.zip"},
		},
		"day of the operator": {
			"cepim", "2026-09-28",
			map[string][]byte{"cepim/20260928": archive},
			[]string{"cepim/20260928", "20260928_CEPIM.zip"},
		},
		"agreements": {
			"acordos_leniencia", "",
			map[string][]byte{"acordos-leniencia": dayPage("20260813"), "acordos-leniencia/20260813": archive},
			[]string{"acordos-leniencia/20260813", "20260813_Acordos.zip"},
		},
		"register and its text": {
			"mte_empregadores", "",
			map[string][]byte{"cadastro_de_empregadores.csv": table, "cadastro_de_empregadores.txt": table},
			[]string{
				"cadastro_de_empregadores.csv", "cadastro_de_empregadores.csv",
				"cadastro_de_empregadores.txt", "cadastro_de_empregadores.txt",
			},
		},
		"register without its text": {
			"mte_empregadores", "",
			map[string][]byte{"cadastro_de_empregadores.csv": table},
			[]string{"cadastro_de_empregadores.csv", "cadastro_de_empregadores.csv"},
		},
		"version that the page links": {
			"mte_ceac", "", map[string][]byte{
				mtePage:                       []byte(`<a href="x/` + ceacFolder + `/2026_0011.csv">a</a><a href="x/` + ceacFolder + `/2026_0012.csv">`),
				ceacFolder + "/2026_0012.csv": table, ceacFolder + "/2026_0013.csv": table,
			}, []string{ceacFolder + "/2026_0012.csv", "2026_0012.csv"},
		},
		"newest version without a page": {
			"mte_ceac", "",
			map[string][]byte{ceacFolder + "/2026_0003.csv": table, ceacFolder + "/2026_0001.csv": table},
			[]string{ceacFolder + "/2026_0003.csv", "2026_0003.csv"},
		},
		"version of the last year": {
			"mte_ceac", "",
			map[string][]byte{mtePage: []byte("<html>"), ceacFolder + "/2025_0006.csv": table},
			[]string{ceacFolder + "/2025_0006.csv", "2025_0006.csv"},
		},
		"version of a year to come": {
			"mte_ceac", "", map[string][]byte{
				mtePage:                       []byte(ceacFolder + "/2099_0001.csv " + ceacFolder + "/2026_0012.csv"),
				ceacFolder + "/2026_0012.csv": table, ceacFolder + "/2099_0001.csv": table,
			}, []string{ceacFolder + "/2026_0012.csv", "2026_0012.csv"},
		},
		"version of the operator": {
			"mte_ceac", "2025_0004",
			map[string][]byte{ceacFolder + "/2025_0004.csv": table},
			[]string{ceacFolder + "/2025_0004.csv", "2025_0004.csv"},
		},
		"notices by the catalogue": {
			"ibama_autos", "", map[string][]byte{
				autosCKAN: packageOf("/novo/auto_infracao_xml.zip", "/novo/auto_infracao_csv.zip"), "novo/auto_infracao_csv.zip": archive, autosPath: archive,
			}, []string{"novo/auto_infracao_csv.zip", "auto_infracao_csv.zip"},
		},
		"notices behind many wrong addresses": {
			"ibama_autos", "",
			map[string][]byte{autosCKAN: packageOf(wrongAddresses(100)...), autosPath: archive},
			[]string{autosPath, "auto_infracao_csv.zip"},
		},
		"notices without a catalogue": {
			"ibama_autos", "", map[string][]byte{autosPath: archive}, []string{autosPath, "auto_infracao_csv.zip"},
		},
		"embargoes that the catalogue links wrongly": {
			"ibama_embargos", "", map[string][]byte{
				embargoCKAN: packageOf("/dados/TERMOS/TERMO_EMBARGO/termo_de_embargo.csv"), embargoCSV: table, embargoZip: archive,
			}, []string{embargoCSV, "termo_embargo.csv"},
		},
		"embargoes in the zip": {
			"ibama_embargos", "",
			map[string][]byte{embargoCKAN: []byte("<html>Request Rejected</html>"), embargoZip: archive},
			[]string{embargoZip, "termo_embargo_csv.zip"},
		},
		"newest month, whatever the order": {
			"rntrc", "", map[string][]byte{
				rntrcCKAN: packageOf("/d/transportadores_rntrc_12_2025.csv", "/d/Transportadores_RNTRC_10_2026.csv", "/d/dicionario.pdf",
					"/d/transportadores_rntrc_09_2026.csv", "/d/veiculos_rntrc_11_2026.csv", "%zz", "ftp://d/transportadores_rntrc_11_2026.csv"),
				"d/Transportadores_RNTRC_10_2026.csv": table,
			}, []string{"d/Transportadores_RNTRC_10_2026.csv", "transportadores_rntrc_10_2026.csv"},
		},
		"month to come": {
			"rntrc", "", map[string][]byte{
				rntrcCKAN:                             packageOf("/d/transportadores_rntrc_12_2026.csv", "/d/transportadores_rntrc_10_2026.csv", "/d/transportadores_rntrc_10_2062.csv"),
				"d/transportadores_rntrc_10_2026.csv": table,
			}, []string{"d/transportadores_rntrc_10_2026.csv", "transportadores_rntrc_10_2026.csv"},
		},
		"month of the operator": {
			"rntrc", "2025-12", map[string][]byte{
				rntrcCKAN:                             packageOf("/d/transportadores_rntrc_12_2025.csv", "/d/transportadores_rntrc_10_2026.csv"),
				"d/transportadores_rntrc_12_2025.csv": table,
			}, []string{"d/transportadores_rntrc_12_2025.csv", "transportadores_rntrc_12_2025.csv"},
		},
		"both files of operations": {
			"bndes", "", map[string][]byte{
				"6f56b78c-510f-44b6-8274-78a5b7e931f4/download/operacoes-financiamento-operacoes-nao-automaticas.csv":       table,
				"612faa0b-b6be-4b2c-9317-da5dc2c0b901/download/operacoes-financiamento-operacoes-indiretas-automaticas.csv": table,
			}, []string{
				"6f56b78c-510f-44b6-8274-78a5b7e931f4/download/operacoes-financiamento-operacoes-nao-automaticas.csv",
				"operacoes-financiamento-operacoes-nao-automaticas.csv",
				"612faa0b-b6be-4b2c-9317-da5dc2c0b901/download/operacoes-financiamento-operacoes-indiretas-automaticas.csv",
				"operacoes-financiamento-operacoes-indiretas-automaticas.csv",
			},
		},
	}
	tested := map[string]bool{}
	for name, tc := range cases {
		tested[tc.id] = true
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, tc.published)
			o, _ := s.options()
			o.Period = tc.period
			dir := filepath.Join(t.TempDir(), "made")
			files, err := Fetch(t.Context(), tc.id, dir, o)
			if err != nil {
				t.Fatal(err)
			}
			want, wantFiles := map[string]string{}, []string(nil)
			for pair := range slices.Chunk(tc.want, 2) {
				want[pair[1]] = string(tc.published[pair[0]])
				wantFiles = append(wantFiles, filepath.Join(dir, pair[1]))
				if s.times(pair[0]) == 0 {
					t.Errorf("%s was not asked for", pair[0])
				}
			}
			if diff := cmp.Diff(wantFiles, files); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(want, filesIn(t, dir)); diff != "" {
				t.Error(diff)
			}
			if n := len(s.Requests()); n > 100 {
				t.Errorf("%d requests", n)
			}
		})
	}
	for _, id := range Sources() {
		if !tested[id] {
			t.Errorf("no case for %s", id)
		}
	}
}

func TestFetchExplains(t *testing.T) {
	t.Parallel()
	status := func(code int) func(http.ResponseWriter, *http.Request, int) bool {
		return func(w http.ResponseWriter, _ *http.Request, _ int) bool { w.WriteHeader(code); return true }
	}
	cases := map[string]struct {
		id, period string
		published  map[string][]byte
		hook       func(http.ResponseWriter, *http.Request, int) bool
		want       []string
	}{
		"other package":              {"pncp", "", nil, nil, []string{`no download of source "pncp"`, "pgfn, ceis"}},
		"by hand":                    {"habilitacao_aduaneira", "", nil, nil, []string{"intervenientes-aduaneiros", "--from"}},
		"only the newest":            {"bndes", "2026-09", nil, nil, []string{"2026-09", "--from"}},
		"no quarter":                 {"pgfn", "2026-05", nil, nil, []string{"2026-05", "2026_trimestre_02"}},
		"no quarter's folder":        {"pgfn", "2026_trimestre_05", nil, nil, []string{"2026_trimestre_05"}},
		"no path as a quarter":       {"pgfn", "../2026-06", nil, nil, []string{"../2026-06"}},
		"old quarter":                {"pgfn", "2019-12", nil, nil, []string{"404", "from 2020 on"}},
		"no quarter published":       {"pgfn", "", nil, nil, []string{"last 4 quarters", "one or two months"}},
		"no day":                     {"ceis", "2026-09", nil, nil, []string{`"2026-09"`, "AAAA-MM-DD"}},
		"day that is gone":           {"ceis", "2026-09-29", nil, nil, []string{"404", "newest day"}},
		"forbidden":                  {"ceis", "2026-09-29", nil, status(403), []string{"403", "newest day", "browser"}},
		"page for agents":            {"cnep", "", nil, status(405), []string{"405", "refuses programs"}},
		"page without a day":         {"cepim", "", map[string][]byte{"cepim": []byte("<html>")}, nil, []string{"names no day"}},
		"never generated":            {"ceis", "2026-09-30", nil, status(202), []string{"being generated", "try again later"}},
		"no version":                 {"mte_ceac", "12", nil, nil, []string{`"12"`, "AAAA_NNNN"}},
		"no version published":       {"mte_ceac", "", nil, nil, []string{"no version of the last 2 years"}},
		"register away":              {"mte_empregadores", "", nil, nil, []string{"404", "cadastro_de_empregadores.csv"}},
		"notices away":               {"ibama_autos", "", nil, nil, []string{"404", "auto_infracao_csv.zip"}},
		"embargoes away everywhere":  {"ibama_embargos", "", nil, nil, []string{"termo_de_embargo.csv answered 404", "termo_embargo_csv.zip answered 404"}},
		"no month":                   {"rntrc", "10_2026", nil, nil, []string{`"10_2026"`, "AAAA-MM"}},
		"catalogue is a page":        {"rntrc", "", map[string][]byte{rntrcCKAN: []byte("<html>Request Rejected</html>")}, nil, []string{"does not answer as a catalogue"}},
		"catalogue is empty":         {"rntrc", "", map[string][]byte{rntrcCKAN: packageOf()}, nil, []string{"lists no files"}},
		"catalogue without a month":  {"rntrc", "", map[string][]byte{rntrcCKAN: packageOf("/d/dicionario.pdf")}, nil, []string{"1 files, but no monthly one"}},
		"month that is not listed":   {"rntrc", "2026-11", map[string][]byte{rntrcCKAN: packageOf("/d/transportadores_rntrc_10_2026.csv")}, nil, []string{"2026-11", "newest month is 2026-10"}},
		"answer that never ends":     {"cnep", "", map[string][]byte{"cnep": make([]byte, 17<<20)}, nil, []string{"more than"}},
		"busy for more than minutes": {"rntrc", "", nil, status(503), []string{"503", "8 requests"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, tc.published)
			s.hook = tc.hook
			o, _ := s.options()
			o.Period = tc.period
			dir := t.TempDir()
			files, err := Fetch(t.Context(), tc.id, dir, o)
			if err == nil {
				t.Fatalf("got %v", files)
			}
			for _, want := range append(tc.want, tc.id) {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in %q", want, err)
				}
			}
			if got := errors.Is(err, ErrNoAddress); got != (name == "by hand") {
				t.Errorf("no address: %v", got)
			}
			if left := filesIn(t, dir); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func TestBaseAndMirror(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		base string
		want []string // nil: an error
	}{
		"known":              {"", []string{ibamaPortal, ibamaStore}},
		"operator's":         {"http://127.0.0.1:1/copy", []string{"http://127.0.0.1:1/copy"}},
		"no address":         {"dados/ibama", nil},
		"with a query":       {"https://example.org/?a=b", nil},
		"of another kind":    {"ftp://example.org/", nil},
		"cannot be an URL":   {"https://exa mple.org/%zz", nil},
		"without a hostname": {"https:///dados", nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := newRun("ibama_autos", Options{Base: tc.base})
			if (err == nil) != (tc.want != nil) {
				t.Fatalf("got %v", err)
			}
			if err != nil {
				return
			}
			var got []string
			for _, h := range r.hosts {
				got = append(got, h.String())
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPublishersAreSound(t *testing.T) {
	t.Parallel()
	for _, p := range publishers() {
		if (p.find == nil) != (p.byHand != "") {
			t.Errorf("%s is neither found nor fetched by hand, or both", p.id)
		}
		if p.find == nil {
			continue
		}
		r, err := newRun(p.id, Options{})
		if err != nil {
			t.Errorf("%s: %v", p.id, err)
			continue
		}
		for _, h := range r.hosts {
			if h.Scheme != "https" {
				t.Errorf("%s is published at %s", p.id, h)
			}
		}
	}
}

func TestCatalogueAddressesAreHTTPS(t *testing.T) {
	t.Parallel()
	r, err := newRun("rntrc", Options{})
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]string{
		"http://dados.antt.gov.br/a.csv":    "https://dados.antt.gov.br/a.csv",
		" https://dados.antt.gov.br/a.csv ": "https://dados.antt.gov.br/a.csv",
		"/dataset/a.csv":                    "https://dados.antt.gov.br/dataset/a.csv",
		"file:///etc/passwd":                "",
	}
	for listed, want := range cases {
		got, err := r.resolve(listed)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: got %q, %v", listed, got, err)
		}
	}
}
