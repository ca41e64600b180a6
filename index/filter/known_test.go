package filter

import "testing"

func TestDecide(t *testing.T) {
	t.Parallel()
	known := map[string]string{
		"uf": "DF", "situacao_cadastral": "08", "data_situacao_cadastral": "2026-08-15", "cnae_fiscal_principal": "4721102", "cnae_fiscal_secundaria": "4711302,5611203",
		"identificador_matriz_filial": "2", "porte_empresa": "", "capital_social": "1500.50", "opcao_pelo_simples": "N", RecordsField("ceis"): "S", RecordsField("pgfn"): "N",
	}
	for _, tt := range []struct {
		set  Set
		rest string
		no   bool
	}{
		{set: Of(UF, "DF")},
		{set: Of(UF, "SP"), no: true},
		{set: Of(UF, "SP", UF, "DF", Porte, "00")},
		{set: Of(UF, "-DF"), no: true},
		{set: Of(UF, "-SP", Municipio, "9701"), rest: "municipio=9701"},
		{set: Of(Regiao, "centro-oeste", Regiao, "sul")},
		{set: Of(Regiao, "norte"), no: true},
		{set: Of(Situacao, "02", UF, "DF"), no: true},
		{set: Of(SinceFrom, "2026-08-15", SinceTo, "2026-08-15")},
		{set: Of(SinceFrom, "2026-08-16"), no: true},
		{set: Of(SinceTo, "2026-08-14"), no: true},
		{set: Of(OpenedTo, "2020-01-01", Email, "sim"), rest: "abertura_ate=2020-01-01&email=sim"},
		{set: Of(CNAE, "G")},
		{set: Of(CNAE, "47", CNAESecondary, "5611203")},
		{set: Of(CNAE, "4721103"), no: true},
		{set: Of(CNAESecondary, "A"), no: true},
		{set: Of(HeadOffice, "filial")},
		{set: Of(HeadOffice, "-filial"), no: true},
		{set: Of(Capital, "1-10k", CapitalFrom, "1500.50", CapitalTo, "1501")},
		{set: Of(CapitalFrom, "1500.51"), no: true},
		{set: Of(Simples, "nao")},
		{set: Of(Simples, "sim"), no: true},
		{set: Of(Source, "ceis", Source, "cnep")},
		{set: Of(Source, "pgfn", Source, "cnep"), rest: "fonte=cnep"},
		{set: Of(Source, "pgfn"), no: true},
		{set: Of(Source, "-ceis"), no: true},
		{set: Of(Source, "-pgfn", SourceAll, "cnep"), rest: "fonte_todas=cnep"},
	} {
		if err := tt.set.Validate(); err != nil {
			t.Fatal(err)
		}
		rest, holds := tt.set.Decide(known)
		if holds == tt.no || holds && rest.String() != tt.rest {
			t.Errorf("%s: %q, %t", tt.set, rest, holds)
		}
		if rest, holds := tt.set.Decide(nil); rest != tt.set || !holds {
			t.Errorf("%s: %q, %t of an establishment of which nothing is known", tt.set, rest, holds)
		}
	}
}
