package find

import (
	"math/big"
	"strconv"

	"razao/internal/data/record"
	"razao/internal/store/dossier"
	"razao/internal/store/registry"
	"razao/site/page"
)

// SubjectColumns returns the columns of files that say what there is of a company about some subjects: numbers, empty where
// they are not known.
func SubjectColumns[Row any](of func(Row) dossier.Dossier, subjects ...dossier.Subject) (columns page.Columns[Row]) {
	for _, subject := range subjects {
		for _, c := range subjectColumns[subject] {
			columns = append(columns, page.NewColumn(c.name, c.kind, c.about+"; vazio: não se sabe", func(r Row) string {
				f, known := of(r)[subject]
				if !known || f.Status == registry.Failed || f.Status == registry.Unavailable {
					return ""
				}
				return c.of(f)
			}))
		}
	}
	return columns
}

// subjectColumn is a number of a figure.
type subjectColumn struct {
	name  string
	kind  record.Kind
	about string
	of    func(dossier.Figure) string
}

var subjectColumns = map[dossier.Subject][]subjectColumn{
	dossier.Debts: {
		{"divida_inscricoes", record.Count, "inscrições na dívida ativa da União e do FGTS", records},
		{"divida_ativa", record.Amount, "soma das inscrições de que é devedor principal", cents},
	},
	dossier.Sanctions:   {{"sancoes_em_vigor", record.Count, "sanções em vigor no CEIS e no CNEP", inForce}},
	dossier.Labour:      {{"registros_trabalho", record.Count, "registros no Cadastro de Empregadores e no CEAC", records}},
	dossier.Environment: {{"registros_ibama", record.Count, "autos de infração e embargos do Ibama", records}},
	dossier.Contracts: {
		{"contratos_publicos", record.Count, "contratos no PNCP como fornecedor ou subcontratado", records},
		{"contratos_valor", record.Amount, "soma dos contratos como fornecedor", cents},
	},
}

func records(f dossier.Figure) string { return strconv.Itoa(f.Records) }

func cents(f dossier.Figure) string {
	if !f.Whole {
		return ""
	}
	return page.Decimal(big.NewInt(f.Cents))
}

func inForce(f dossier.Figure) string {
	if !f.Whole {
		return ""
	}
	return strconv.Itoa(f.InForce)
}
