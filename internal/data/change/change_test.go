package change

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
)

// TestNumbersStay: numbers are stored, and codes are what readers filter by. A new kind is added here;
// nothing else changes.
func TestNumbersStay(t *testing.T) {
	t.Parallel()
	want := map[Kind]string{
		1: "estabelecimento.aberto", 2: "estabelecimento.removido", 3: "estabelecimento.baixado", 4: "estabelecimento.reativado",
		5: "estabelecimento.situacao", 6: "estabelecimento.endereco", 7: "estabelecimento.municipio", 8: "estabelecimento.atividade",
		9: "estabelecimento.atividades_secundarias", 10: "estabelecimento.contato", 11: "estabelecimento.nome_fantasia",
		12: "estabelecimento.matriz_filial", 13: "estabelecimento.situacao_especial", 14: "estabelecimento.inicio",
		20: "empresa.removida", 21: "empresa.nome", 22: "empresa.capital", 23: "empresa.natureza", 24: "empresa.porte",
		25: "empresa.responsavel", 26: "empresa.ente", 30: "socio.entrou", 31: "socio.saiu", 32: "socio.alterado",
		40: "simples.optou", 41: "simples.saiu", 42: "simples.alterado", 43: "mei.optou", 44: "mei.saiu", 45: "mei.alterado",
		50: "fonte.{fonte}.entrou", 51: "fonte.{fonte}.saiu", 52: "fonte.{fonte}.valor", 53: "fonte.{fonte}.alterado",
	}
	got := map[Kind]string{}
	for _, info := range Kinds() {
		got[info.Kind] = info.Code
		if info.Kind.Info().Code != info.Code || info.Title == "" {
			t.Errorf("%+v", info)
		}
		table := TableOf(info.Part)
		for _, field := range info.Fields {
			if !slices.ContainsFunc(table.Fields, func(f record.Field) bool { return f.Name == field }) {
				t.Errorf("%s: the table %s has no field %q", info.Code, table.Name, field)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := SourceIn.Info().CodeOf("pgfn"); got != "fonte.pgfn.entrou" {
		t.Errorf("of a source: %s", got)
	}
}

func whole(Part) bool { return true }

// codes returns the codes of events, each with the published day if it has one.
func codes(events []Event) []string {
	var all []string
	for i := range events {
		all = append(all, strings.TrimSpace(events[i].Kind.Info().Code+" "+events[i].Date.String()))
	}
	return all
}

// TestEveryColumnTells: whatever column of an establishment, a company, a partner or an option
// changes, there is an event, and one only.
func TestEveryColumnTells(t *testing.T) {
	t.Parallel()
	number := cnpj.Join(1, 1)
	day, later := record.MakeDate(2020, 1, 2), record.MakeDate(2026, 9, 8)
	before := func() State {
		return State{
			Exists: true, HasSimples: true,
			Company:  record.Company{RazaoSocial: "N", NaturezaJuridica: "2062", CapitalSocial: 1},
			Simples:  record.Simples{OpcaoPeloSimples: record.Yes, OpcaoPeloMEI: record.No},
			Partners: []record.Partner{{IdentificadorSocio: "2", NomeSocio: "P", CNPJCPFSocio: "***123456**"}},
			Establishments: []record.Establishment{{
				CNPJ: number, CNAEFiscalSecundaria: "1091102,4711302", SituacaoCadastral: "02", DataSituacaoCadastral: day, DataInicioAtividade: day, UF: "SP", Municipio: "7107",
			}},
		}
	}
	for name, c := range map[string]struct {
		edit func(*State)
		want string
	}{
		"nothing":             {func(*State) {}, ""},
		"letter case":         {func(s *State) { s.Company.RazaoSocial = "n"; s.Establishments[0].UF = "sp" }, ""},
		"blanks":              {func(s *State) { s.Company.RazaoSocial = " N "; s.Partners[0].NomeSocio = "P  " }, ""},
		"order of activities": {func(s *State) { s.Establishments[0].CNAEFiscalSecundaria = "4711302,1091102" }, ""},
		"activities twice":    {func(s *State) { s.Establishments[0].CNAEFiscalSecundaria = "1091102, 4711302,1091102" }, ""},
		"codes of zeros": {func(s *State) {
			s.Company.PorteEmpresa, s.Company.QualificacaoResponsavel = "00", "00"
			s.Establishments[0].MotivoSituacaoCadastral, s.Establishments[0].Pais = "00", "000"
			s.Partners[0].FaixaEtaria, s.Partners[0].RepresentanteLegal, s.Partners[0].QualificacaoRepresentanteLegal = "0", "***000000**", "00"
		}, ""},
		"street of a letter's case, moved within the city": {
			func(s *State) { s.Establishments[0].UF = "sp"; s.Establishments[0].Logradouro = "X" }, "estabelecimento.endereco",
		},
		"another activity":     {func(s *State) { s.Establishments[0].CNAEFiscalSecundaria = "4711302,1091101" }, "estabelecimento.atividades_secundarias"},
		"RazaoSocial":          {func(s *State) { s.Company.RazaoSocial = "M" }, "empresa.nome"},
		"Natureza":             {func(s *State) { s.Company.NaturezaJuridica = "2054" }, "empresa.natureza"},
		"Qualificacao":         {func(s *State) { s.Company.QualificacaoResponsavel = "10" }, "empresa.responsavel"},
		"Capital":              {func(s *State) { s.Company.CapitalSocial = record.NoCents }, "empresa.capital"},
		"Porte":                {func(s *State) { s.Company.PorteEmpresa = "05" }, "empresa.porte"},
		"Ente":                 {func(s *State) { s.Company.EnteFederativoResponsavel = "UNIAO" }, "empresa.ente"},
		"Matriz":               {func(s *State) { s.Establishments[0].IdentificadorMatrizFilial = "2" }, "estabelecimento.matriz_filial"},
		"NomeFantasia":         {func(s *State) { s.Establishments[0].NomeFantasia = "X" }, "estabelecimento.nome_fantasia"},
		"Baixa":                {func(s *State) { s.Establishments[0].SituacaoCadastral = "08" }, "estabelecimento.baixado 2020-01-02"},
		"Suspensa":             {func(s *State) { s.Establishments[0].SituacaoCadastral = "03" }, "estabelecimento.situacao 2020-01-02"},
		"DataSituacao":         {func(s *State) { s.Establishments[0].DataSituacaoCadastral = later }, "estabelecimento.situacao 2026-09-08"},
		"Motivo":               {func(s *State) { s.Establishments[0].MotivoSituacaoCadastral = "63" }, "estabelecimento.situacao 2020-01-02"},
		"Cidade":               {func(s *State) { s.Establishments[0].NomeCidadeExterior = "ROMA" }, "estabelecimento.municipio"},
		"Pais":                 {func(s *State) { s.Establishments[0].Pais = "249" }, "estabelecimento.municipio"},
		"UF":                   {func(s *State) { s.Establishments[0].UF = "RJ" }, "estabelecimento.municipio"},
		"Municipio":            {func(s *State) { s.Establishments[0].Municipio = "6001" }, "estabelecimento.municipio"},
		"Inicio":               {func(s *State) { s.Establishments[0].DataInicioAtividade = later }, "estabelecimento.inicio"},
		"CNAE":                 {func(s *State) { s.Establishments[0].CNAEFiscalPrincipal = "1" }, "estabelecimento.atividade"},
		"CNAESecundaria":       {func(s *State) { s.Establishments[0].CNAEFiscalSecundaria = "1,2" }, "estabelecimento.atividades_secundarias"},
		"TipoLogradouro":       {func(s *State) { s.Establishments[0].TipoLogradouro = "RUA" }, "estabelecimento.endereco"},
		"Logradouro":           {func(s *State) { s.Establishments[0].Logradouro = "X" }, "estabelecimento.endereco"},
		"Numero":               {func(s *State) { s.Establishments[0].Numero = "X" }, "estabelecimento.endereco"},
		"Complemento":          {func(s *State) { s.Establishments[0].Complemento = "X" }, "estabelecimento.endereco"},
		"Bairro":               {func(s *State) { s.Establishments[0].Bairro = "X" }, "estabelecimento.endereco"},
		"CEP":                  {func(s *State) { s.Establishments[0].CEP = "X" }, "estabelecimento.endereco"},
		"DDD1":                 {func(s *State) { s.Establishments[0].DDD1 = "X" }, "estabelecimento.contato"},
		"Telefone1":            {func(s *State) { s.Establishments[0].Telefone1 = "X" }, "estabelecimento.contato"},
		"DDD2":                 {func(s *State) { s.Establishments[0].DDD2 = "X" }, "estabelecimento.contato"},
		"Telefone2":            {func(s *State) { s.Establishments[0].Telefone2 = "X" }, "estabelecimento.contato"},
		"DDDFax":               {func(s *State) { s.Establishments[0].DDDFax = "X" }, "estabelecimento.contato"},
		"Fax":                  {func(s *State) { s.Establishments[0].Fax = "X" }, "estabelecimento.contato"},
		"Email":                {func(s *State) { s.Establishments[0].CorreioEletronico = "X" }, "estabelecimento.contato"},
		"SituacaoEspecial":     {func(s *State) { s.Establishments[0].SituacaoEspecial = "X" }, "estabelecimento.situacao_especial"},
		"DataSituacaoEspecial": {func(s *State) { s.Establishments[0].DataSituacaoEspecial = later }, "estabelecimento.situacao_especial 2026-09-08"},
		"gone":                 {func(s *State) { s.Establishments = nil }, "estabelecimento.removido"},
		"Qualificacao socio":   {func(s *State) { s.Partners[0].QualificacaoSocio = "X" }, "socio.alterado"},
		"Entrada":              {func(s *State) { s.Partners[0].DataEntradaSociedade = later }, "socio.alterado"},
		"Pais socio":           {func(s *State) { s.Partners[0].Pais = "X" }, "socio.alterado"},
		"Representante":        {func(s *State) { s.Partners[0].RepresentanteLegal = "X" }, "socio.alterado"},
		"Nome representante":   {func(s *State) { s.Partners[0].NomeRepresentante = "X" }, "socio.alterado"},
		"Qualificacao repr":    {func(s *State) { s.Partners[0].QualificacaoRepresentanteLegal = "X" }, "socio.alterado"},
		"Faixa":                {func(s *State) { s.Partners[0].FaixaEtaria = "X" }, "socio.alterado"},
		"partner twice":        {func(s *State) { s.Partners = append(s.Partners, s.Partners[0]) }, "socio.entrou"},
		"partner left":         {func(s *State) { s.Partners = nil }, "socio.saiu"},
		"Simples":              {func(s *State) { s.Simples.OpcaoPeloSimples = record.No; s.Simples.DataExclusaoSimples = later }, "simples.saiu 2026-09-08"},
		"Simples dates":        {func(s *State) { s.Simples.DataOpcaoPeloSimples = later }, "simples.alterado"},
		"MEI":                  {func(s *State) { s.Simples.OpcaoPeloMEI = record.Yes; s.Simples.DataOpcaoPeloMEI = later }, "mei.optou 2026-09-08"},
		"MEI dates":            {func(s *State) { s.Simples.DataExclusaoMEI = later }, "mei.alterado"},
		"company gone":         {func(s *State) { *s = State{} }, "empresa.removida"},
	} {
		b, a := before(), before()
		c.edit(&a)
		if got := strings.Join(codes(Compare(&b, &a, whole)), ", "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	nothing, new := State{}, before()
	if got := codes(Compare(&nothing, &new, whole)); !slices.Equal(got, []string{"socio.entrou", "estabelecimento.aberto 2020-01-02"}) {
		t.Errorf("a new company: %q", got)
	}
	closed := before()
	closed.Establishments[0].SituacaoCadastral = "08"
	if got := codes(Compare(&closed, &new, whole)); !slices.Equal(got, []string{"estabelecimento.reativado 2020-01-02"}) {
		t.Errorf("active again: %q", got)
	}
	if got := codes(Compare(&nothing, &new, func(p Part) bool { return p != Partners })); !slices.Equal(got, []string{"estabelecimento.aberto 2020-01-02"}) {
		t.Errorf("a new company, of which the partners are not known: %q", got)
	}
}

// TestPartnersInAnyOrder: rows of one partner that read the same are paired first, whatever their order.
func TestPartnersInAnyOrder(t *testing.T) {
	t.Parallel()
	row := func(name, role string) record.Partner {
		return record.Partner{IdentificadorSocio: "2", NomeSocio: name, CNPJCPFSocio: "***123456**", QualificacaoSocio: role}
	}
	b := State{Exists: true, Partners: []record.Partner{row("ANA", "10"), row("ANA", "22")}}
	a := State{Exists: true, Partners: []record.Partner{row("Ana", "22"), row("Ana ", "10")}}
	if events := Compare(&b, &a, whole); len(events) > 0 {
		t.Errorf("%+v", events)
	}
	a.Partners[1].QualificacaoSocio = "49"
	if events := Compare(&b, &a, whole); len(events) != 1 || events[0].Kind != PartnerChanged || events[0].Before[0] != "10" || events[0].After[0] != "49" {
		t.Errorf("one of them changed: %+v", events)
	}
}

func TestCompareSource(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, after SourceState
		want          string
		values        [2][]string
	}{
		"same":    {SourceState{Records: 1, Content: 5}, SourceState{Records: 1, Content: 5}, "", [2][]string{}},
		"entered": {SourceState{}, SourceState{Records: 2, Total: 150, Totaled: true}, "fonte.{fonte}.entrou", [2][]string{nil, {"2", "1.50"}}},
		"left":    {SourceState{Records: 2}, SourceState{}, "fonte.{fonte}.saiu", [2][]string{{"2", ""}, nil}},
		"total": {
			SourceState{Records: 2, Total: 150, Totaled: true},
			SourceState{Records: 2, Total: -5, Totaled: true},
			"fonte.{fonte}.valor",
			[2][]string{{"2", "1.50"}, {"2", "-0.05"}},
		},
		"fields": {
			SourceState{Records: 1, Content: 5, Fields: []uint64{1, 2, 3}},
			SourceState{Records: 1, Content: 6, Fields: []uint64{1, 4, 5}},
			"fonte.{fonte}.alterado",
			[2][]string{{"1", "", ""}, {"1", "", "situacao,cep"}},
		},
		"fewer records": {
			SourceState{Records: 2, Content: 5, Fields: []uint64{1, 2, 3}},
			SourceState{Records: 1, Content: 6, Fields: []uint64{1, 4, 5}},
			"fonte.{fonte}.alterado",
			[2][]string{{"2", "", ""}, {"1", "", ""}},
		},
		"the same values in other records": {
			SourceState{Records: 2, Content: 5, Fields: []uint64{1, 2, 3}},
			SourceState{Records: 2, Content: 6, Fields: []uint64{1, 2, 3}},
			"fonte.{fonte}.alterado",
			[2][]string{{"2", "", ""}, {"2", "", ""}},
		},
	} {
		e, differ := CompareSource(c.before, c.after, []string{"numero", "situacao", "cep"})
		if differ != (c.want != "") || differ && (e.Kind.Info().Code != c.want || !cmp.Equal([2][]string{e.Before, e.After}, c.values)) {
			t.Errorf("%s: %+v, %t", name, e, differ)
		}
	}
}
