package places

import (
	"fmt"
	"strconv"

	"github.com/gin-gonic/gin"

	"razao/internal/snapshot"
	"razao/internal/territory"
	"razao/site/page"
)

// municipalitiesCSV answers /municipios.csv: the complete ranking by active companies.
func (rm *Room) municipalitiesCSV(_ *gin.Context, snap *snapshot.Snapshot) (page.File, error) {
	body, err := snapshot.Once(snap, tableKey{}, func() ([]byte, error) {
		all, err := snap.Places()
		if err != nil {
			return nil, fmt.Errorf("ranking: %w", err)
		}
		return municipalityTable(all.Year, snap.Load.Period, snapshot.Ranked(all.Municipalities, byCompanies))
	})
	return page.File{Name: "municipios-" + snap.Load.Period + ".csv", Body: body}, err
}

// tableKey is under what a snapshot keeps the body of /municipios.csv.
type tableKey struct{}

// municipalityTable writes the ranking of a month, whose places are in its order.
func municipalityTable(year int, month string, ordered []snapshot.Place) ([]byte, error) {
	header := []string{
		"posicao", "municipio", "uf", "codigo_municipio", "codigo_municipio_ibge", "empresas_ativas", "estabelecimentos_ativos",
		"ano_aberturas", "aberturas", "baixadas", "capital_social", "ano_populacao", "populacao", "empresas_ativas_por_mil_habitantes",
		"competencia",
	}
	var rows [][]string
	for i := range ordered {
		p := &ordered[i]
		var people, rate, peopleYear string
		if p.Population > 0 {
			peopleYear, people = strconv.Itoa(territory.PopulationYear), strconv.Itoa(p.Population)
			rate = strconv.FormatFloat(p.PerThousand(), 'f', 3, 64)
		}
		rows = append(rows, []string{
			strconv.Itoa(i + 1), p.Name, p.UF, p.Municipality.RFB, p.Municipality.IBGE, strconv.FormatInt(p.ActiveCompanies, 10),
			strconv.FormatInt(p.ActiveEstablishments, 10), strconv.Itoa(year), strconv.FormatInt(p.OpenedInYear, 10),
			strconv.FormatInt(p.ClosedEstablishments, 10), page.Decimal(p.Capital), peopleYear, people, rate, month,
		})
	}
	return page.EncodeCSV(header, rows)
}
