package site

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/snapshot"
	"razao/internal/territory"
	"razao/internal/web"
)

// file is a table to be kept by the visitor.
type file struct {
	name string
	body []byte
}

// tableMaker makes a file from one snapshot.
type tableMaker func(c *gin.Context, snap *snapshot.Snapshot) (file, error)

// sendTable runs make on the snapshot in service and sends the complete file, or the page of an error.
func (s *Site) sendTable(c *gin.Context, caching string, make tableMaker) {
	snap, err := s.Live.Acquire()
	if err != nil {
		s.fail(c, nil, err)
		return
	}
	defer snap.Release()
	f, err := make(c, snap)
	if err != nil {
		s.fail(c, snap, err)
		return
	}
	c.Header("Cache-Control", caching)
	c.Header("Content-Disposition", `attachment; filename="`+f.name+`"`)
	s.sender.Send(c, web.Reply{Status: http.StatusOK, ContentType: "text/csv; charset=utf-8", ETag: web.ETag(f.body), Body: f.body})
}

// encodeTable writes rows as UTF-8 with commas, lines ending in CRLF as RFC 4180 has them.
func encodeTable(header []string, rows [][]string) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	if err := w.Write(header); err != nil {
		return nil, fmt.Errorf("write table: %w", err)
	}
	if err := w.WriteAll(rows); err != nil {
		return nil, fmt.Errorf("write table: %w", err)
	}
	return b.Bytes(), nil
}

// inert returns a published text as a spreadsheet shows it: one that begins like a formula gets an apostrophe in
// front, or the program that opens the file would run it.
func inert(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

// municipalitiesCSV answers /municipios.csv: the complete ranking by active companies.
func (s *Site) municipalitiesCSV(c *gin.Context) {
	s.sendTable(c, "no-cache", func(_ *gin.Context, snap *snapshot.Snapshot) (file, error) {
		all, err := s.ranking(snap)
		if err != nil {
			return file{}, err
		}
		return file{"municipios-" + snap.Load.Period + ".csv", all.table}, nil
	})
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
			plainAmount(r.Capital), peopleYear, people, rate, month,
		})
	}
	return encodeTable(header, rows)
}
