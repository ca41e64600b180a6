package render

import (
	"bytes"
	"testing"
	"time"

	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
)

// The structs of these tests declare the contract a second time, for encoding/json.

type loadJSON struct {
	Competencia     *string            `json:"competencia"`
	CarregadaEm     *string            `json:"carregada_em"`
	CoberturaInicio *string            `json:"cobertura_inicio"`
	Desatualizada   *bool              `json:"desatualizada"`
	Proveniencia    *record.Provenance `json:"proveniencia"`
}

type pageJSON struct {
	Status    string `json:"status"`
	Escopo    string `json:"escopo"`
	Documento string `json:"documento"`
	loadJSON
	Itens []map[string]any `json:"itens"`
	Total *int             `json:"total"`
}

type entryJSON struct {
	ID              string `json:"id"`
	Tema            string `json:"tema"`
	Titulo          string `json:"titulo"`
	Descricao       string `json:"descricao"`
	Orgao           string `json:"orgao"`
	Licenca         string `json:"licenca"`
	TipoPeriodo     string `json:"tipo_periodo"`
	Disponibilidade string `json:"disponibilidade"`
	loadJSON
	Conjunto      string         `json:"conjunto"`
	URL           string         `json:"url"`
	Periodicidade string         `json:"periodicidade"`
	AntigaApos    int            `json:"desatualizada_apos_dias"`
	LeftOut       []leftOutJSON  `json:"deixadas_de_fora"`
	Rejected      []rejectedJSON `json:"rejeitadas"`
	Loads         []pastJSON     `json:"cargas"`
	Owners        *int64         `json:"cnpjs"`
	Total         *int64         `json:"total"`
}

type leftOutJSON struct {
	Rule   string `json:"regra"`
	Reason string `json:"motivo"`
	Rows   int    `json:"linhas"`
}

type rejectedJSON struct {
	Column *string `json:"coluna"`
	Rows   int     `json:"linhas"`
}

type pastJSON struct {
	Period    *string `json:"competencia"`
	Finished  *string `json:"carregada_em"`
	State     string  `json:"situacao"`
	Relinked  *bool   `json:"vinculos_refeitos"`
	Forced    *bool   `json:"forcada"`
	Read      int     `json:"linhas_lidas"`
	Records   int     `json:"registros"`
	Rejected  int     `json:"linhas_rejeitadas"`
	Discarded int     `json:"linhas_descartadas"`
}

// loads are a load of which nothing is known, and one of which everything is, with what the contract says of them in June 2026.
func loads() map[*registry.Load]loadJSON {
	finished := time.Date(2026, 5, 3, 23, 4, 5, 999, time.FixedZone("", -3*60*60))
	bare := &registry.Load{Provenance: record.Provenance{Arquivos: []record.SourceFile{}}}
	full := &registry.Load{
		ID: 7, Period: "2026-04", FinishedAt: &finished, CoverageStart: "2002-01-01", Counts: registry.Counts{Records: 12, Owners: 5},
		Provenance: record.Provenance{
			Orgao: `Órgão "A" & B`, Conjunto: "c\n", URL: "https://x.gov.br/?a=1&b=<2>", Licenca: "l", Atribuicao: "a", Metodologia: "/m",
			Arquivos:  []record.SourceFile{{Nome: "a.csv", Bytes: 1 << 40, SHA256: "00ff"}, {Nome: "b.csv"}},
			Faltantes: []string{"c.csv"}, Observacoes: []string{"x", "y"},
			LinhasLidas: 4, LinhasCarregadas: 3, LinhasRejeitadas: 2, LinhasDescartadas: 1,
		},
	}
	period, moment, start, stale := "2026-04", "2026-05-04T02:04:05Z", "2002-01-01", false
	return map[*registry.Load]loadJSON{
		nil:  {},
		bare: {Proveniencia: &bare.Provenance},
		full: {&period, &moment, &start, &stale, &full.Provenance},
	}
}

var june = time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)

func TestPagesAgreeWithTheContract(t *testing.T) {
	t.Parallel()
	bndes, _ := source.Find("bndes")
	fields := []source.Field{{Name: "a", Kind: source.Text}, {Name: "b", Kind: source.Number}, {Name: "c", Kind: source.JSON}, {Name: "d", Kind: source.Code}}
	items := []pack.Item{
		{Fields: fields, Values: []string{"x\"", "1.50", `{"y":[null]}`, ""}},
		{Fields: fields, Values: []string{"", "", "", "z"}},
	}
	shown := []map[string]any{
		{"a": "x\"", "b": rawJSON("1.50"), "c": rawJSON(`{"y":[null]}`), "d": nil},
		{"a": nil, "b": nil, "c": nil, "d": "z"},
	}
	for load, published := range loads() {
		total := 9
		for _, tt := range []struct {
			page registry.SourcePage
			want pageJSON
		}{
			{registry.SourcePage{Status: registry.Found, Items: items, Total: 9}, pageJSON{Itens: shown, Total: &total}},
			{registry.SourcePage{Status: registry.Failed, Items: items, Total: 9}, pageJSON{Itens: []map[string]any{}}},
		} {
			tt.page.Source, tt.page.Scope, tt.page.Load = bndes, registry.ScopeCompany, load
			tt.want.Status, tt.want.Escopo, tt.want.Documento, tt.want.loadJSON = string(tt.page.Status), "empresa", "0000000A", published
			got := append(AppendRecords(nil, &tt.page, "0000000A", june), '}')
			if want := marshal(t, tt.want); !bytes.Equal(got, want) {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		}
	}
}

// rawJSON is a JSON value that keeps its bytes.
type rawJSON string

func (r rawJSON) MarshalJSON() ([]byte, error) { return []byte(r), nil }

func TestCatalogueAgreesWithTheContract(t *testing.T) {
	t.Parallel()
	for load, published := range loads() {
		src, _ := source.Find("bndes")
		want := entryJSON{
			ID: src.ID, Tema: src.Theme, Titulo: src.Title, Descricao: src.Description, Orgao: src.Orgao, Licenca: src.Licenca, TipoPeriodo: src.PeriodKind,
			Disponibilidade: "disponivel", loadJSON: published, Conjunto: src.Conjunto, URL: src.URL, Periodicidade: "todo mês", AntigaApos: src.StaleAfter,
			LeftOut: []leftOutJSON{}, Rejected: []rejectedJSON{}, Loads: []pastJSON{},
		}
		var history record.SourceHistory
		if load != nil {
			want.Owners, want.Total = &load.Counts.Owners, &load.Counts.Records
			yes, period, column, finished := true, "2026-04", "VALOR", "2026-05-04T02:04:05Z"
			want.LeftOut = []leftOutJSON{{"pessoa_fisica", "pessoa física", 3}}
			want.Rejected = []rejectedJSON{{&column, 2}, {nil, 1}}
			want.Loads = []pastJSON{{&period, &finished, "em_uso", &yes, &yes, 9, 4, 3, 2}, {State: "apagada"}}
			at := time.Date(2026, 5, 4, 2, 4, 5, 0, time.UTC)
			history = record.SourceHistory{
				DeixadasDeFora: []record.LeftOut{{Regra: "pessoa_fisica", Motivo: "pessoa física", Linhas: 3}},
				Rejeitadas:     []record.RejectedIn{{Coluna: "VALOR", Linhas: 2}, {Linhas: 1}},
				Cargas: []record.PastLoad{{
					Competencia: period, CarregadaEm: &at, Situacao: record.LoadServed, VinculosRefeitos: record.Yes, Forcada: record.Yes,
					LinhasLidas: 9, Registros: 4, LinhasRejeitadas: 3, LinhasDescartadas: 2,
				}, {Situacao: record.LoadGone}},
			}
		}
		if got, want := AppendSource(nil, &src, "disponivel", load, history, june), marshal(t, want); !bytes.Equal(got, want) {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestPagesDoNotAllocate(t *testing.T) {
	src, _ := source.Find("bndes")
	buf := make([]byte, 0, 8<<10)
	for load := range loads() {
		page := registry.SourcePage{Source: src, Status: registry.Found, Load: load}
		period := 0.0 // what reading it allocates
		if load != nil {
			period = testing.AllocsPerRun(100, func() { src.Stale(load.Period, june) })
		}
		if allocs := testing.AllocsPerRun(100, func() { AppendRecords(buf, &page, "0000000A", june) }); allocs > period {
			t.Errorf("%v allocations for a page, %v of them for its period", allocs, period)
		}
	}
}
