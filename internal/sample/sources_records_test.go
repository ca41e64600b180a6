package sample

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"razao/internal/data/cnpj"
)

// TestSources reads the sources of one sample just large enough for every oddity.
func TestSources(t *testing.T) {
	t.Parallel()
	r := writeSources(t, Options{Roots: 100_000, Seed: 1, First: "2026-08", Month: "2026-09"})
	r.parse(t)
	r.release(t)
	contracts := r.contracts(t)
	for name, check := range map[string]func(*testing.T, *published, []contractLine){
		"rows":       checkRows,
		"references": checkDocuments,
		"people":     checkPeople,
		"oddities":   checkOddities,
		"debts":      checkDebts,
		"shares":     checkShares,
		"versions":   checkVersions,
		"IBAMA":      checkEmbargoes,
		"BNDES":      checkLinks,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t, &r, contracts)
		})
	}
}

func checkRows(t *testing.T, r *published, contracts []contractLine) {
	for source, rows := range r.sum.Sources {
		got := len(r.of(source, ""))
		if source == "pncp" {
			got = len(contracts)
		}
		if int64(got) != rows {
			t.Errorf("%d rows of %s, the summary says %d", got, source, rows)
		}
	}
	for source, want := range map[string]int64{"pgfn": 72_028, "pncp": 8_694, "bndes": 3_456, "rntrc": 1_681, "ibama_autos": 1_027, "ibama_embargos": 165} {
		if got := r.sum.Sources[source]; got != want {
			t.Errorf("%d rows of %s, in proportion to the country they are %d", got, source, want)
		}
	}
}

// documents returns the full CNPJs that each source publishes, including those with wrong check
// digits.
func (r *published) documents(contracts []contractLine) map[string][]string {
	columns := map[string]string{
		"pgfn": "CPF_CNPJ", "ceis": "CPF OU CNPJ DO SANCIONADO", "cnep": "CPF OU CNPJ DO SANCIONADO", "cepim": "CNPJ ENTIDADE",
		"acordos_leniencia": "CNPJ DO SANCIONADO", "mte_empregadores": "CNPJ/CPF", "mte_ceac": "CNPJ/CPF", "habilitacao_aduaneira": "CNPJ EMPRESA",
		"ibama_autos": "CPF_CNPJ_INFRATOR", "ibama_embargos": "CPF_CNPJ_EMBARGADO", "rntrc": "cpfcnpjtransportador", "bndes": "cnpj",
	}
	found := map[string][]string{}
	add := func(source, s string) {
		if s = cnpj.Unmask(s); len(s) == 14 && !strings.Contains(s, "*") {
			found[source] = append(found[source], s)
		}
	}
	for source, column := range columns {
		for _, row := range r.of(source, "") {
			add(source, row[column])
		}
	}
	for _, row := range r.of("bndes", "") {
		add("bndes", row["cnpj_do_agente_financeiro"])
	}
	for _, c := range contracts {
		add("pncp", c.NiFornecedor)
		add("pncp", c.NiFornecedorSubContratado)
		add("pncp", c.OrgaoEntidade.Cnpj)
		if c.OrgaoSubRogado != nil {
			add("pncp", c.OrgaoSubRogado.Cnpj)
		}
	}
	return found
}

// checkDocuments checks that every CNPJ belongs to the release, except the few with wrong check
// digits.
func checkDocuments(t *testing.T, r *published, contracts []contractLine) {
	sources := r.documents(contracts)
	if len(sources) != 13 {
		t.Errorf("documents of %d sources", len(sources))
	}
	for source, numbers := range sources {
		wrong := 0
		branches := 0
		for _, number := range numbers {
			_, ok := r.known[number]
			switch {
			case !valid(number):
				wrong++
			case !ok:
				t.Errorf("%s: %s is not in the release", source, number)
			}
			if number[8:12] != "0001" {
				branches++
			}
		}
		spoiled := slices.Contains([]string{"pgfn", "ceis", "cnep", "ibama_autos", "pncp", "rntrc"}, source)
		if (wrong > 0) != spoiled || wrong > 3 {
			t.Errorf("%s: %d CNPJs with wrong check digits", source, wrong)
		}
		if branches == 0 && source != "mte_ceac" && source != "cepim" && source != "habilitacao_aduaneira" {
			t.Errorf("%s has no branch", source)
		}
	}
	for _, row := range r.of("habilitacao_aduaneira", "") {
		if root := row["CNPJ EMPRESA"]; len(root) < 9 && !r.roots[strings.Repeat("0", 8-len(root))+root] {
			t.Errorf("importer %s is not in the release", root)
		}
	}
}

// validCPF reports whether eleven digits are a valid CPF.
func validCPF(s string) bool { return cnpj.MaskCPFs(s) != s }

// checkPeople checks that CPFs occur where publishers have them, valid where they are not masked.
func checkPeople(t *testing.T, r *published, contracts []contractLine) {
	full, masked := regexp.MustCompile(`^\d{11}$`), regexp.MustCompile(`[*X]`)
	for _, c := range []struct {
		source, column string
		least          int
		masked         bool
	}{
		{"pgfn", "CPF_CNPJ", 25_000, true},
		{"ceis", "CPF OU CNPJ DO SANCIONADO", 10, false},
		{"cnep", "CPF OU CNPJ DO SANCIONADO", 1, false},
		{"mte_empregadores", "CNPJ/CPF", 30, false},
		{"mte_ceac", "CNPJ/CPF", 5, false},
		{"ibama_autos", "CPF_CNPJ_INFRATOR", 300, false},
		{"ibama_embargos", "CPF_CNPJ_EMBARGADO", 50, false},
		{"rntrc", "cpfcnpjtransportador", 900, true},
	} {
		people := 0
		for _, row := range r.of(c.source, "") {
			number := row[c.column]
			if c.masked && masked.MatchString(number) {
				people++
			}
			if number = cnpj.Unmask(number); c.masked || !full.MatchString(number) {
				continue
			}
			if people++; !validCPF(number) {
				t.Errorf("%s: %s is no CPF", c.source, number)
			}
		}
		if people < c.least {
			t.Errorf("%s has %d people, want %d", c.source, people, c.least)
		}
	}
	people := 0
	for _, c := range contracts {
		if c.TipoPessoa == "PF" {
			if people++; !validCPF(c.NiFornecedor) {
				t.Errorf("pncp: %s is no CPF", c.NiFornecedor)
			}
		}
	}
	if people < 200 {
		t.Errorf("pncp has %d people", people)
	}
}

func checkDebts(t *testing.T, r *published, _ []contractLine) {
	principals := map[string]map[string]string{}
	numbers := map[string]int{}
	for _, row := range r.of("pgfn", "SIDA") {
		if row["TIPO_DEVEDOR"] == "PRINCIPAL" {
			number := row["NUMERO_INSCRICAO"]
			principals[number] = row
			numbers[number]++
			if rs := row["UNIDADE_RESPONSAVEL"] == "RIO GRANDE DO SUL"; rs && len(number) != 11 || len(number) != 11 && len(number) != 13 {
				t.Errorf("number %s of unit %s", number, row["UNIDADE_RESPONSAVEL"])
			}
		}
	}
	for number, n := range numbers {
		if n != 1 {
			t.Errorf("%d principal debtors of %s", n, number)
		}
	}
	others := 0
	for _, row := range r.of("pgfn", "SIDA") {
		if row["TIPO_DEVEDOR"] == "PRINCIPAL" {
			continue
		}
		others++
		principal := principals[row["NUMERO_INSCRICAO"]]
		for _, column := range []string{"VALOR_CONSOLIDADO", "DATA_INSCRICAO", "SITUACAO_INSCRICAO", "UNIDADE_RESPONSAVEL", "RECEITA_PRINCIPAL"} {
			if principal[column] != row[column] {
				t.Errorf("%s of %s: %q and %q", column, row["NUMERO_INSCRICAO"], principal[column], row[column])
			}
		}
	}
	if all := len(r.of("pgfn", "SIDA")); others*1000/all < 149 || others*1000/all > 151 {
		t.Errorf("%d of %d rows of SIDA are of other debtors, want 15 %%", others, all)
	}
	amount := regexp.MustCompile(`^(?:[1-9]\d*)?\.\d\d$`)
	for _, row := range r.of("pgfn", "") {
		if !amount.MatchString(row["VALOR_CONSOLIDADO"]) {
			t.Errorf("amount %s", row["VALOR_CONSOLIDADO"])
		}
	}
}

// checkShares compares how records spread over companies with real proportions.
func checkShares(t *testing.T, r *published, contracts []contractLine) {
	with := map[string]bool{}
	counts := map[string]map[string]int{}
	for source, numbers := range r.documents(contracts) {
		counts[source] = map[string]int{}
		for _, number := range numbers {
			with[number[:8]] = true
			counts[source][number[:8]]++
		}
	}
	active, having := 0, 0
	for number, p := range r.known {
		if p.status == "02" && number[8:12] == "0001" {
			active++
			if with[number[:8]] {
				having++
			}
		}
	}
	if share := having * 1000 / active; share < 150 || share > 250 {
		t.Errorf("%d of 1000 active companies have a record, want about 200", share)
	}
	hundreds := 0
	for _, n := range counts["pgfn"] {
		if n >= 100 {
			hundreds++
		}
	}
	if companies := len(counts["pgfn"]); hundreds < 10 || hundreds > companies/50 || companies > 20_000 {
		t.Errorf("%d debtors, %d of them with hundreds of debts", companies, hundreds)
	}
	supplier, body := map[string]int{}, map[string]int{}
	for _, c := range contracts {
		supplier[c.NiFornecedor[:min(8, len(c.NiFornecedor))]]++
		body[c.OrgaoEntidade.Cnpj[:8]]++
	}
	clients := map[string]int{}
	for _, row := range r.of("bndes", "indiretas") {
		clients[row["cliente"]]++
	}
	for name, c := range map[string]struct {
		of   map[string]int
		want int
	}{"debts": {counts["pgfn"], 2000}, "supplier": {supplier, 1000}, "public body": {body, 1000}, "clients": {clients, 800}} {
		if most := largest(c.of); most < c.want {
			t.Errorf("%s: the largest has %d records, want %d", name, most, c.want)
		}
	}
	perEstablishment := map[string]int{}
	for _, number := range r.documents(contracts)["pgfn"] {
		perEstablishment[number]++
	}
	if most := largest(perEstablishment); most > largest(counts["pgfn"])/2 {
		t.Errorf("the largest debtor's records are not spread: %d on one establishment", most)
	}
}

func largest(counts map[string]int) int {
	most := 0
	for _, n := range counts {
		most = max(most, n)
	}
	return most
}

func checkVersions(t *testing.T, _ *published, contracts []contractLine) {
	byNumber := map[string][]contractLine{}
	for _, c := range contracts {
		byNumber[c.NumeroControlePNCP] = append(byNumber[c.NumeroControlePNCP], c)
	}
	rectified, same, across := 0, 0, 0
	for number, lines := range byNumber {
		for _, other := range lines[1:] {
			switch first := lines[0]; {
			case other.NumeroRetificacao != first.NumeroRetificacao:
				rectified++
				if (other.DataAtualizacao > first.DataAtualizacao) != (other.NumeroRetificacao > first.NumeroRetificacao) {
					t.Errorf("%s: the later version is the older one", number)
				}
			case other.text == first.text:
				same++
			default:
				t.Errorf("%s: two contracts of one number:\n%s%s", number, first.text, other.text)
			}
			if other.file != lines[0].file {
				across++
			}
		}
	}
	if rectified < 150 || same < 5 || across < 100 {
		t.Errorf("%d rectified contracts, %d repeated ones, %d in another file", rectified, same, across)
	}
}

func checkEmbargoes(t *testing.T, r *published, _ []contractLine) {
	embargoes := map[string]map[string]string{}
	for _, row := range r.of("ibama_embargos", "") {
		embargoes[row["NUM_TAD"]] = row
	}
	linked := 0
	for _, row := range r.of("ibama_autos", "") {
		number := row["CD_TERMOS_EMBARGOS"]
		if number == "" {
			continue
		}
		linked++
		embargo := embargoes[number]
		if embargo["NUM_AUTO_INFRACAO"] != row["NUM_AUTO_INFRACAO"] || embargo["NOME_EMBARGADO"] != row["NOME_INFRATOR"] {
			t.Errorf("notice %s and embargo %s do not belong together", row["NUM_AUTO_INFRACAO"], number)
		}
	}
	if linked < 80 {
		t.Errorf("%d notices with an embargo", linked)
	}
}
