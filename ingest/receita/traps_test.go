package receita

import (
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/ingest/rows"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
)

// TestTraps reads small files of what real months hold besides good rows: codes that the tables of
// codes lack, values that stand for none, a state that leads out of a folder, rows published twice, quotes, line breaks, a NUL, and
// bytes that ISO-8859-1 does not define.
func TestTraps(t *testing.T) {
	t.Parallel()
	rel, err := Find("testdata/traps", "2026-09", Accept{Partial: true})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	got := map[string]string{} // columns, joined by bars, by their row
	keep := func(key string, columns ...string) error {
		mu.Lock()
		defer mu.Unlock()
		for got[key] != "" {
			key += "'"
		}
		got[key] = strings.Join(columns, "|")
		return nil
	}
	out := rows.NewOutput(nil, nil)
	handler := Handler{
		Company: func(_ cnpj.Root, c *record.Company) error {
			if c.RazaoSocial == "" {
				return keep("company without a name", c.NaturezaJuridica, c.QualificacaoResponsavel, c.PorteEmpresa)
			}
			return keep("company", c.RazaoSocial, c.QualificacaoResponsavel, strconv.FormatInt(int64(c.CapitalSocial), 10), c.PorteEmpresa)
		},
		Establishment: func(e *record.Establishment) error {
			return keep(
				e.CNPJ.Order().String(), e.DataSituacaoCadastral.String(), e.MotivoSituacaoCadastral, e.NomeCidadeExterior, e.Pais,
				e.DataInicioAtividade.String(), e.CNAEFiscalPrincipal, e.TipoLogradouro, e.Logradouro, e.Numero, e.Complemento, e.Bairro,
				e.CEP, e.UF, e.DDD1, e.Telefone1, e.CorreioEletronico, e.SituacaoEspecial, e.DataSituacaoEspecial.String(),
			)
		},
		Partner: func(_ cnpj.Root, p *record.Partner, _ uint32) error {
			return keep("partner "+p.NomeSocio, p.CNPJCPFSocio, p.QualificacaoSocio, p.Pais, p.NomeRepresentante, p.QualificacaoRepresentanteLegal)
		},
		Simples: func(root cnpj.Root, s *record.Simples) error {
			flags := map[record.Flag]string{record.Yes: "S", record.No: "N"}
			return keep("simples "+root.String(), flags[s.OpcaoPeloSimples], flags[s.OpcaoPeloMEI], s.DataExclusaoSimples.String())
		},
	}
	_, err = rel.Read(t.Context(), Options{Workers: 1, Output: out, NewHandler: func() Handler { return handler }})
	if err != nil {
		t.Fatal(err)
	}
	unknown := `|32|||2004-05-22|8888888||DOS  IPES|S\N|EDIF "BELA VISTA"; SALA 3 ANDAR 2\||0|SP|0|0|||`
	want := map[string]string{
		"company":                     `PADARIA  "ESTRELA" DE SÃO JOSÉ LTDA|36|99999999999900|`,
		"company without a name":      "0000|00|",
		"0001":                        unknown,
		"0001'":                       unknown, // the merge drops one
		"0002":                        "|00|BUENOS AIRES|063|2004-05-22|1091100|RUA|DAS PALMEIRAS|214||CAMBUI|01310100|EX|0000|00000000|CONTATO@EXEMPLO.COM.BR||",
		"0003":                        "2004-05-22|00||498||4721102|RUA|DAS PALMEIRAS|214||CAMBUI||SP|019|99999999||RECUPERACAO JUDICIAL|2024-02-29",
		"0004":                        "|00|||2004-05-22|4721102|RUA|DAS PALMEIRAS|214||CAMBUI|||019|99999999|||",
		"partner MARTA INVENTADA":     "***456789**|49|||00",
		"partner MARTA INVENTADA'":    "***456789**|49|||00",
		"partner JOANA FICTICIA":      "***456789**|22|||00", // another person with the same mask
		"partner ":                    "***111222**|22|||05",
		"partner FOREIGN EXAMPLE LLC": "|38|498||00",
		"simples 12345678":            "||",
		"simples 87654321":            "S|N|2027-12-31",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if f := out.Figures(); f.Rejected != 0 || f.Repaired["data"] != 2 || f.Repaired["uf"] != 1 {
		t.Errorf("%d rejected %+v, repaired %v; want 0, and two dates and a state", f.Rejected, out.Rejects(), f.Repaired)
	}
}
