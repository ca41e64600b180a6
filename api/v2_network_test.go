package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"razao/internal/people/account"
	"razao/internal/testing/fixture"
)

// networkBody is what tests read of an answer about the network.
type networkBody struct {
	Dados struct {
		Membros []struct {
			ID, Tipo      string
			Nome          *string
			Documento     *string
			FaixasEtarias []string `json:"faixas_etarias"`
			Distancia     int
		}
		Vinculos []struct {
			De, Para string
			Linhas   []struct {
				Numero        int
				Representante bool
				Socio         struct {
					Nome string `json:"nome_socio"`
				}
			}
		}
		Fora     []struct{ Empresas int }
		Contatos []struct {
			De, Tipo, Valor string
			Comum           bool
			Com             []string
		}
		Caminhos    [][]string
		Ciclos      [][]string
		Completo    bool
		Completa    bool
		Chamadas    int
		Total       int
		Aviso       string
		ProximaURL  *string `json:"proxima_url"`
		ProximoCurs *string `json:"proximo_cursor"`
	}
	Erro struct{ Codigo, Mensagem string }
}

func (s *service) network(t *testing.T, path string, status int) networkBody {
	t.Helper()
	got := s.do(t, "GET", path)
	var body networkBody
	if err := json.Unmarshal(got.body, &body); err != nil || got.status != status {
		t.Fatalf("%s: status %d, %v: %s", path, got.status, err, got.body)
	}
	return body
}

func (b *networkBody) ids() (ids []string) {
	for _, m := range b.Dados.Membros {
		ids = append(ids, m.ID)
	}
	return ids
}

const marta = "456789-marta-figueira-inventada"

// TestNetworkParameters: each parameter changes the network as it says.
func TestNetworkParameters(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	for query, want := range map[string][]string{
		"":                            {fixture.Bakery, fixture.Holding, marta},
		"?sentido=abaixo":             {fixture.Bakery},
		"?profundidade=2":             {fixture.Bakery, fixture.Holding, marta, "ex-249-foreign-example-llc"},
		"?representantes=sim":         {fixture.Bakery, fixture.Holding, "111222-procurador-ficticio", marta},
		"?limite=2":                   {fixture.Bakery, fixture.Holding},
		"?profundidade=2&pessoas=nao": {fixture.Bakery, fixture.Holding, marta, "ex-249-foreign-example-llc"},
	} {
		body := s.network(t, "/v2/empresas/"+fixture.Bakery+"/rede"+query, 200)
		if got := body.ids(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
		if !strings.Contains(body.Dados.Aviso, "homônimos") {
			t.Errorf("%s: no warning: %q", query, body.Dados.Aviso)
		}
	}
}

// TestContactsInNetworks: null unless asked for; they are no ties, so exports have none.
func TestContactsInNetworks(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	const path = "/v2/empresas/" + fixture.Holding + "/rede"
	if body := s.network(t, path, 200); body.Dados.Contatos != nil {
		t.Errorf("%+v", body.Dados.Contatos)
	}
	body := s.network(t, path+"?contatos=sim", 200)
	members := body.ids()
	kinds := map[string]int{}
	for _, c := range body.Dados.Contatos {
		kinds[c.Tipo+" "+c.Valor] = len(c.Com)
		for _, other := range c.Com {
			if !slices.Contains(members, other[:8]) || other[:8] == fixture.OldMEI || c.De != fixture.Holding || c.Comum {
				t.Errorf("%+v; members %q", c, members)
			}
		}
	}
	if kinds["telefone (19) 3233-4455"] < 3 || kinds["email contato@padaria.exemplo"] < 3 {
		t.Error(kinds)
	}
	for _, format := range []string{"ftm", "bods"} {
		checkError(t, s.do(t, "GET", path+"?contatos=sim&formato="+format), 400, "parametro_invalido")
	}
}

// TestPersonsLeadOnOnlyIfAsked: a second company of a partner is two ties away.
func TestPersonsLeadOnOnlyIfAsked(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Network(t, []string{"20000001", "20000002"}, [][]string{
		fixture.PersonRow("20000001", "456789", "MARTA FIGUEIRA INVENTADA"), fixture.PersonRow("20000002", "456789", "MARTA FIGUEIRA INVENTADA"),
	}))
	s := start(t, l)
	for query, want := range map[string][]string{
		"": {"20000001", marta, "20000002"}, "&pessoas=sim": {"20000001", marta, "20000002"}, "&pessoas=nao": {"20000001", marta},
	} {
		body := s.network(t, "/v2/empresas/20000001/rede?profundidade=2"+query, 200)
		if got := body.ids(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}

// TestNetworkRefusals: bad input is a 400 that names it, absence a 404.
func TestNetworkRefusals(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	company := "/v2/empresas/" + fixture.Bakery + "/rede"
	for path, want := range map[string]struct {
		status     int
		code, word string
	}{
		company + "?profundidade=7":                                {400, "parametro_invalido", "profundidade"},
		company + "?profundidade=01":                               {400, "parametro_invalido", "profundidade"},
		company + "?sentido=lado":                                  {400, "parametro_invalido", "sentido"},
		company + "?pessoas=talvez":                                {400, "parametro_invalido", "pessoas"},
		company + "?limite=501":                                    {400, "parametro_invalido", "limite"},
		company + "?q=x":                                           {400, "parametro_invalido", "q"},
		"/v2/empresas/1234567/rede":                                {400, "cnpj_invalido", ""},
		"/v2/empresas/99999999/rede":                               {404, "cnpj_nao_encontrado", ""},
		"/v2/grupos/99999999":                                      {404, "cnpj_nao_encontrado", ""},
		"/v2/grupos/" + fixture.Bakery + "?x=1":                    {400, "parametro_invalido", "x"},
		"/v2/socios/123456-ninguem/empresas":                       {404, "socio_nao_encontrado", ""},
		"/v2/socios/ninguem/empresas":                              {400, "parametro_invalido", "id"},
		"/v2/socios/" + marta + "/empresas?cursor=x":               {400, "cursor_invalido", ""},
		"/v2/caminho?de=" + fixture.Bakery:                         {400, "parametro_invalido", "para"},
		"/v2/caminho?de=" + marta + "&para=99999999":               {404, "cnpj_nao_encontrado", ""},
		"/v2/caminho?de=123456-ninguem&para=" + marta:              {404, "socio_nao_encontrado", ""},
		"/v2/caminho?de=" + marta + "&para=" + marta + "&passos=7": {400, "parametro_invalido", "passos"},
	} {
		body := s.network(t, path, want.status)
		if body.Erro.Codigo != want.code || !strings.Contains(body.Erro.Mensagem, want.word) {
			t.Errorf("%s: %+v, want %+v", path, body.Erro, want)
		}
	}
}

// TestCompaniesOfAPartnerByPages: every company once, whatever the page size, and each says how she is named.
func TestCompaniesOfAPartnerByPages(t *testing.T) {
	t.Parallel()
	var roots []string
	var rows [][]string
	for i := range 130 {
		root := fmt.Sprintf("%08d", 20_000_000+i)
		roots = append(roots, root)
		rows = append(rows, fixture.PersonRow(root, "456789", "MARTA FIGUEIRA INVENTADA"))
		if i%3 == 0 { // and represents another partner
			rows = append(rows, fixture.CompanyRow(root, "20000001", "456789", "MARTA FIGUEIRA INVENTADA"))
		}
	}
	l := fixture.Empty(t)
	l.Publish(t, fixture.Network(t, roots, rows))
	s := start(t, l)
	for _, limit := range []int{1, 7, 100} {
		found := map[string]int{}
		path := fmt.Sprintf("/v2/socios/%s/empresas?limite=%d", marta, limit)
		for {
			body := s.network(t, path, 200)
			for _, tie := range body.Dados.Vinculos {
				found[tie.Para]++
				if tie.De != marta || len(tie.Linhas) == 0 {
					t.Errorf("%+v", tie)
				}
			}
			if body.Dados.ProximaURL == nil {
				break
			}
			path = *body.Dados.ProximaURL
		}
		for _, root := range roots {
			if found[root] != 1 {
				t.Errorf("%d a page: %s comes %d times", limit, root, found[root])
			}
		}
	}
}

// TestCyclesOfAGroup: companies that hold themselves in the end, and common partners of two companies.
func TestCyclesOfAGroup(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	const a, b, c, d = "20000001", "20000002", "20000003", "20000004"
	owned := func(company, holder string) []string {
		return fixture.CompanyRow(company, holder, "777888", "PROCURADOR FICTICIO")
	}
	l.Publish(t, fixture.Network(t, []string{a, b, c, d}, [][]string{
		owned(b, a), owned(c, b), owned(a, c), owned(d, a), owned(d, d),
		fixture.PersonRow(b, "456789", "MARTA FIGUEIRA INVENTADA"), fixture.PersonRow(d, "456789", "MARTA FIGUEIRA INVENTADA"),
	}))
	s := start(t, l)
	if got, want := s.network(t, "/v2/grupos/"+b, 200).Dados.Ciclos, [][]string{{b, c, a}, {d}}; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%q, want %q", got, want)
	}
	common := s.network(t, "/v2/caminho?passos=2&de="+b+"&para="+d, 200).Dados.Caminhos
	if want := [][]string{{b, a, d}, {b, marta, d}}; !slices.EqualFunc(common, want, slices.Equal) {
		t.Errorf("%q, want %q", common, want)
	}
}

// TestAnswersOfCircles: two companies that are partners of each other are one tie away, by one chain, which both ties make.
func TestAnswersOfCircles(t *testing.T) {
	t.Parallel()
	const a, b = "20000001", "20000002"
	l := fixture.Empty(t)
	l.Publish(t, fixture.Network(t, []string{a, b}, [][]string{
		fixture.CompanyRow(a, b, "777888", "PROCURADOR FICTICIO"), fixture.CompanyRow(b, a, "777888", "PROCURADOR FICTICIO"),
	}))
	s := start(t, l)
	paths := s.network(t, "/v2/caminho?de="+a+"&para="+b, 200).Dados
	if want := [][]string{{a, b}}; !slices.EqualFunc(paths.Caminhos, want, slices.Equal) || len(paths.Vinculos) != 2 || !paths.Completo {
		t.Errorf("%q, %d ties, complete %t", paths.Caminhos, len(paths.Vinculos), paths.Completo)
	}
	for _, m := range s.network(t, "/v2/grupos/"+a, 200).Dados.Membros {
		if near := m.ID == a; near != (m.Distancia == 0) || !near && m.Distancia != 1 {
			t.Errorf("%+v", m)
		}
	}
}

// TestMoreChainsThanFit: an answer that has not all of the shortest chains does not say that it has.
func TestMoreChainsThanFit(t *testing.T) {
	t.Parallel()
	const a, b = "20000001", "20000002"
	for common, complete := range map[int]bool{mostPaths: true, mostPaths + 1: false} {
		var rows [][]string
		for i := range common {
			for _, company := range []string{a, b} {
				rows = append(rows, fixture.PersonRow(company, fmt.Sprintf("%06d", 100_000+i), fmt.Sprintf("SOCIA COMUM %d", i)))
			}
		}
		l := fixture.Empty(t)
		l.Publish(t, fixture.Network(t, []string{a, b}, rows))
		got := start(t, l).network(t, "/v2/caminho?de="+a+"&para="+b, 200).Dados
		if len(got.Caminhos) != mostPaths || got.Completo != complete {
			t.Errorf("%d of %d chains, complete %t", len(got.Caminhos), common, got.Completo)
		}
	}
}

// TestMembersThatAreNotInTheLoad have no name: how others call them is in the rows.
func TestMembersThatAreNotInTheLoad(t *testing.T) {
	t.Parallel()
	const company, sister, absent = "20000001", "20000002", "29999999"
	l := fixture.Empty(t)
	l.Publish(t, fixture.Network(t, []string{company, sister}, [][]string{
		fixture.CompanyRow(company, absent, "777888", "PROCURADOR FICTICIO"), fixture.CompanyRow(sister, absent, "777888", "PROCURADOR FICTICIO"),
	}))
	s := start(t, l)
	for _, path := range []string{"/v2/empresas/" + company + "/rede", "/v2/grupos/" + company, "/v2/socios/" + absent + "/empresas", "/v2/caminho?de=" + company + "&para=" + sister} {
		got := s.network(t, path, 200).Dados
		found := false
		for _, m := range got.Membros {
			if in := m.ID != absent; in != (m.Nome != nil) {
				t.Errorf("%s: %+v", path, m)
			}
			found = found || m.ID == absent
		}
		if !found || got.Vinculos[0].De != absent || got.Vinculos[0].Linhas[0].Socio.Nome != "EMPRESA "+absent+" LTDA" {
			t.Errorf("%s: %+v", path, got.Vinculos)
		}
	}
}

// TestHomonymsInAnswers: who has the same name and digits, but not the same age, is shown as several persons, in every format.
func TestHomonymsInAnswers(t *testing.T) {
	t.Parallel()
	const a, b = "20000001", "20000002"
	young, old := fixture.PersonRow(a, "456789", "MARTA FIGUEIRA INVENTADA"), fixture.PersonRow(b, "456789", "MARTA FIGUEIRA INVENTADA")
	young[10], old[10] = "3", "8"
	l := fixture.Empty(t)
	l.Publish(t, fixture.Network(t, []string{a, b}, [][]string{young, old}))
	s := start(t, l)
	for path, want := range map[string][]string{
		"/v2/empresas/" + a + "/rede": {"3"}, "/v2/empresas/" + a + "/rede?profundidade=2": {"3", "8"},
		"/v2/caminho?de=" + a + "&para=" + b: {"3", "8"}, "/v2/socios/" + marta + "/empresas": {"3", "8"},
	} {
		for _, m := range s.network(t, path, 200).Dados.Membros {
			if m.ID == marta && !slices.Equal(m.FaixasEtarias, want) || m.ID != marta && len(m.FaixasEtarias) > 0 {
				t.Errorf("%s: %+v, want %q", path, m, want)
			}
		}
	}
	const said = "São homônimos, ao menos 2 pessoas: as linhas têm faixas etárias diferentes, 21 a 30 anos e 71 a 80 anos."
	for _, format := range []string{"ftm", "bods"} {
		path := "/v2/empresas/" + a + "/rede?formato=" + format
		if body := string(s.do(t, "GET", path).body); strings.Contains(body, said) {
			t.Errorf("%s says of one row that it is of two persons", path)
		}
		if body := string(s.do(t, "GET", path+"&profundidade=2").body); strings.Count(body, said) != 1 {
			t.Errorf("%s does not say that there are two: %s", path, body)
		}
	}
}

// TestPaths in the answer lead over its own ties.
func TestPaths(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	body := s.network(t, "/v2/caminho?de="+fixture.Bakery+"&para=ex-249-foreign-example-llc", 200)
	if want := [][]string{{fixture.Bakery, fixture.Holding, "ex-249-foreign-example-llc"}}; !slices.EqualFunc(body.Dados.Caminhos, want, slices.Equal) || !body.Dados.Completo {
		t.Errorf("%q, complete %t", body.Dados.Caminhos, body.Dados.Completo)
	}
	none := s.network(t, "/v2/caminho?de="+fixture.Bakery+"&para="+fixture.Letters, 200)
	if len(none.Dados.Caminhos) > 0 || !none.Dados.Completo {
		t.Errorf("%q, complete %t", none.Dados.Caminhos, none.Dados.Completo)
	}
}

// TestNetworkNeedsTheIndex: without it a network is a 503 that says so, and records are answered.
func TestNetworkNeedsTheIndex(t *testing.T) {
	t.Parallel()
	l, _ := fixture.WithoutIndex(t)
	s := start(t, l)
	for _, path := range []string{"/v2/empresas/" + fixture.Bakery + "/rede", "/v2/grupos/" + fixture.Bakery, "/v2/socios/" + marta + "/empresas"} {
		if body := s.network(t, path, http.StatusServiceUnavailable); body.Erro.Codigo != "indice_indisponivel" {
			t.Errorf("%s: %+v", path, body.Erro)
		}
	}
	s.network(t, "/v2/empresas/"+fixture.Bakery+"/basic", 200)
}

// TestNetworksCountTheirWork: a network without hubs is a call. One through hubs counts as the calls that its work takes, says how many,
// and ends; if the minute has not as many left, it is refused. A way that was not found before the end is not said to be none.
// It does not run in parallel: beside a hundred other tests, what works for half a second can come to its deadline.
func TestNetworksCountTheirWork(t *testing.T) {
	l := fixture.Empty(t)
	hubs := fixture.NewHubs(t, 110)
	l.Publish(t, hubs.Release)
	m := newMeteredOn(t, l.Live)
	key, _ := m.key(t, "redes")
	left := account.CallsPerMinute
	ask := func(path string, status, calls int) (got networkBody) {
		t.Helper()
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		r.Header.Set("Authorization", "Bearer "+key)
		m.ServeHTTP(w, r)
		left -= calls
		if w.Code != status || w.Header().Get("X-RateLimit-Remaining") != fmt.Sprint(left) {
			t.Errorf("%s: %d, %s calls are left, want %d, %d: %.200s", path, w.Code, w.Header().Get("X-RateLimit-Remaining"), status, left, w.Body)
		}
		if strings.Contains(path, "formato=") {
			return got
		}
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if status == 200 && got.Dados.Chamadas != calls {
			t.Errorf("%s: says %d calls, counts %d", path, got.Dados.Chamadas, calls)
		}
		if w.Body.Len() > calls*(5<<18) {
			t.Errorf("%s: %d bytes for %d calls", path, w.Body.Len(), calls)
		}
		return got
	}
	hub, alone := hubs.Crowds[0][0], hubs.Alone
	if got := ask("/v2/empresas/"+hubs.Clients[0]+"/rede", 200, 1); !got.Dados.Completa || len(got.Dados.Membros) != 2 {
		t.Errorf("of a client: %t, %d members", got.Dados.Completa, len(got.Dados.Membros))
	}
	const deep = "/rede?profundidade=6&limite=500"
	if got := ask("/v2/empresas/"+hub+deep, 200, networkCalls); got.Dados.Completa || len(got.Dados.Membros) < 100 {
		t.Errorf("through hubs: %t, %d members", got.Dados.Completa, len(got.Dados.Membros))
	}
	ask("/v2/empresas/"+hub+deep+"&formato=bods", 200, networkCalls)
	if got := ask("/v2/caminho?de="+hub+"&para="+hubs.Crowds[1][0], 200, networkCalls); got.Dados.Completo || len(got.Dados.Caminhos) > 0 {
		t.Errorf("where no way leads: %t, %q", got.Dados.Completo, got.Dados.Caminhos)
	}
	if got := ask("/v2/caminho?de="+hub+"&para="+alone, 200, 1); !got.Dados.Completo || len(got.Dados.Caminhos) > 0 {
		t.Errorf("to a company without ties: %t, %q", got.Dados.Completo, got.Dados.Caminhos)
	}
	if got := ask("/v2/socios/"+hubs.Person+"/empresas?limite=100", 200, 1); got.Dados.Total != 110 {
		t.Errorf("of a partner: %d", got.Dados.Total)
	}
	for left > networkCalls+1 {
		ask("/v2/empresas/"+alone+"/rede", 200, 1)
	}
	ask("/v2/empresas/"+alone+"/rede", 200, 1)
	ask("/v2/empresas/"+alone+"/rede", 200, 1)
	ask("/v2/empresas/"+hub+deep, 429, networkCalls-1) // what was worked was paid
}
