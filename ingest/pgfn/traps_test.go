package pgfn

import (
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/ingest/rows"
	"razao/ingest/rows/rowstest"
	"razao/internal/data/source"
)

// TestTraps reads small files of what real quarters hold besides good rows: numbers of Rio Grande do
// Sul that have lost their leading zeros, the rare numbers of FGTS, debts of nothing and of cents
// alone, of the sixties and of no date, debtors of no UF, a wrong check digit.
func TestTraps(t *testing.T) {
	t.Parallel()
	got, err := rowstest.Load(t, PGFN(), "testdata/traps", rows.FindOptions{})
	if err != nil {
		t.Fatal(err)
	}
	src, _ := source.Find(id)
	var records []string
	for _, r := range got.All(t) {
		texts := []string{r.Owner.Root.String() + r.Owner.Order.String() + r.Owner.Published}
		for i, f := range src.Fields {
			switch f.Name {
			case "tipo_devedor", "nome_devedor", "uf_devedor", "entidade_responsavel", "numero_inscricao", "situacao_inscricao", "data_inscricao", "valor_consolidado":
				texts = append(texts, r.Values[i])
			}
		}
		records = append(records, strings.Join(texts, "|"))
	}
	want := []string{
		"112223330001|Principal|EMPRESA INVENTADA LTDA|PR|CAIXA|CSPR201700786|AJUIZADA|20170302|10.00",
		"112223330001|Principal|EMPRESA INVENTADA LTDA|PR|PGFN|FGTSPR1000009|INSCRITA|20170302|10.00",
		"112223330001|Principal|EMPRESA INVENTADA LTDA|AC||10000011|PARCWEB ? Outros parcelamentos|19690204|83981.44",
		"112223330001|Principal|EMPRESA INVENTADA LTDA|AC||356800164|AJUIZADA||1.00",
		"112223330001|PRINCIPAL|EMPRESA INVENTADA LTDA|Si||20612345678|ATIVA EM COBRANCA|20060125|0.00",
		"12ABC34501DE|SOLIDARIO|LETRAS INVENTADAS LTDA  EM RECUPERACAO JUDICIAL|RS||20612345678|ATIVA EM COBRANCA|20060125|0.07",
		"11222333000111222333000182|PRINCIPAL|EMPRESA INVENTADA LTDA|BA||5050600001079|ATIVA AJUIZADA|20060125|204304.92",
	}
	if diff := gocmp.Diff(want, records); diff != "" || len(got.Rejects) > 0 {
		t.Errorf("rejects %+v; records (-want +got):\n%s", got.Rejects, diff)
	}
}
