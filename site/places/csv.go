package places

import (
	"strconv"

	"github.com/gin-gonic/gin"

	"razao/internal/snapshot"
	"razao/internal/territory"
	"razao/site/page"
)

// municipalitiesCSV answers /municipios.csv: the complete ranking by active companies.
func (rm *Room) municipalitiesCSV(_ *gin.Context, snap *snapshot.Snapshot) (page.File, error) {
	all, err := rm.ranking(snap)
	if err != nil {
		return page.File{}, err
	}
	return page.File{Name: "municipios-" + snap.Load.Period + ".csv", Body: all.table}, nil
}

// municipalityTable writes the ranking of a month, whose rows are in its order.
func municipalityTable(year int, month string, ordered []placeRow) ([]byte, error) {
	header := []string{
		"posicao", "municipio", "uf", "codigo_municipio", "codigo_municipio_ibge", "empresas_ativas", "estabelecimentos_ativos",
		"ano_aberturas", "aberturas", "baixadas", "capital_social", "ano_populacao", "populacao", "empresas_ativas_por_mil_habitantes",
		"competencia",
	}
	var rows [][]string
	for i, r := range ordered {
		var people, rate, peopleYear string
		if r.Population > 0 {
			peopleYear, people = strconv.Itoa(territory.PopulationYear), strconv.Itoa(r.Population)
			rate = strconv.FormatFloat(r.PerThousand(), 'f', 3, 64)
		}
		rows = append(rows, []string{
			strconv.Itoa(i + 1), r.Name, r.UF, r.municipality.RFB, r.municipality.IBGE, strconv.FormatInt(r.Companies, 10),
			strconv.FormatInt(r.Establishments, 10), strconv.Itoa(year), strconv.FormatInt(r.Openings, 10), strconv.FormatInt(r.Closed, 10),
			page.Decimal(r.Capital), peopleYear, people, rate, month,
		})
	}
	return page.EncodeCSV(header, rows)
}
