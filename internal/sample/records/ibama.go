package records

import (
	_ "embed"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"razao/internal/sample/draw"
	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

// noticeTitles holds the 84 columns of ibama_autos, most of which are rarely filled.
//
//go:embed titles/ibama_autos.csv
var noticeTitles string

// embargoTitles holds the 51 columns of ibama_embargos.
//
//go:embed titles/ibama_embargos.csv
var embargoTitles string

// offender draws whom a notice or an embargo is against, a person with probability people/1000.
func (s *sources) offender(d *dice, people int) party {
	if d.Permille(people) {
		return s.resident(d)
	}
	return at(s.place(d, &s.offenders, 100, firm))
}

// code returns eight letters and digits, distinct for every x.
func code(x, salt int) string {
	const eightPlaces = 36 * 36 * 36 * 36 * 36 * 36 * 36 * 36
	n := (int64(x) + int64(salt)) * 61_803_399 % eightPlaces
	text := strings.ToUpper(strconv.FormatInt(n, 36))
	return strings.Repeat("0", 8-len(text)) + text
}

// embargoCode returns NUM_TAD of embargo x.
func embargoCode(x int) string { return code(x, 90_000_017) }

// polygon returns an area around a city in WKT.
func polygon(city *world.City, corners int, d *dice) string {
	first := city.Longitude + "1 " + city.Latitude + "1"
	var b strings.Builder
	b.WriteString("POLYGON((" + first)
	for range corners {
		b.WriteString("," + city.Longitude + strconv.Itoa(d.N(1_000_000)) + " " + city.Latitude + strconv.Itoa(d.N(1_000_000)))
	}
	b.WriteString("," + first + "))")
	return b.String()
}

// wrongDigitNotice is the interval of rows with a wrong check digit.
const wrongDigitNotice = 5000

// noticeYear is a year of notices; its rows go from first to the next year's first.
type noticeYear struct{ year, first int }

// noticeRows and embargoRows are the rows of the two tables. Every embargoStride-th notice may lead
// to an embargo.
func (s *sources) noticeRows() int    { return s.volume(708_691, 200) }
func (s *sources) embargoRows() int   { return s.volume(113_878, 40) }
func (s *sources) embargoStride() int { return s.noticeRows() / s.embargoRows() }

// noticeYears spreads the notices over the years since 1977, later ones with more. A year after the
// last ends the list.
func (s *sources) noticeYears() []noticeYear {
	var years []noticeYear
	weight := 0
	for year := min(1977, s.Month.Year()); year <= s.Month.Year()+1; year++ {
		years = append(years, noticeYear{year, weight})
		switch {
		case year < 1990:
			weight++
		case year < 2000:
			weight += 4
		default:
			weight += 10
		}
	}
	total := years[len(years)-1].first
	for i := range years {
		years[i].first = s.noticeRows() * years[i].first / total
	}
	return years
}

// noticeFiles declares the members of the zip, one for each year.
func (s *sources) noticeFiles() []table.File {
	var files []table.File
	for i, y := range s.years[:len(s.years)-1] {
		files = append(files, table.File{
			Folder: "ibama_autos", Name: "auto_infracao_csv.zip", Member: fmt.Sprintf("auto_infracao_%d.csv", y.year), Dialect: ibamaDialect,
			Piece: 1024, From: y.first, To: s.years[i+1].first, Titles: strings.Split(strings.TrimSpace(noticeTitles), ";"), Row: s.noticeRow,
		})
	}
	return files
}

// notice is what all rows about a notice agree on, and what its embargo refers to.
type notice struct {
	of                  int // row that it is derived from: the one above if that is repeated
	seq, number, series string
	year                int
	date                world.Day
	who                 party
	embargo             int  // row of the embargo that it led to, -1 for none
	changed             bool // this row is a later version of the one above
}

// notice derives the notice of row x.
func (s *sources) notice(x int) notice {
	y := s.years[sort.Search(len(s.years), func(i int) bool { return s.years[i].first > x })-1]
	n := notice{of: x, year: y.year, embargo: -1}
	if x%97 == 14 && x > y.first {
		n.of, n.changed = x-1, true
	}
	x = n.of
	d := s.Dice(draw.Notice, uint64(x))
	n.date = s.Between(&d, world.DayOf(n.year, 1, 1), min(s.last, world.DayOf(n.year, 12, 31)))
	switch {
	case x%wrongDigitNotice == 21:
		n.who = s.offender(&d, 0)
	case x%500 == 33: // few branches are drawn by chance
		n.who = at(s.anyBranch(&d))
	default:
		n.who = s.offender(&d, 550)
	}
	n.seq, n.series = strconv.Itoa(100_000+x), d.OneOf("A", "B", "D")
	n.number = table.Digits(x*7919%1_000_000, 6)
	if n.year >= 2013 {
		n.number, n.series = code(x, 17), "E"
		if x%40 == 7 {
			n.seq = ""
		}
	}
	if stride := s.embargoStride(); x%stride == 0 && x/stride < s.embargoRows() && fromNotice(x/stride) {
		n.embargo = x / stride
	}
	return n
}

// noticeRow returns row x of ibama_autos.
func (s *sources) noticeRow(x int) row {
	n := s.notice(x)
	d := s.Dice(draw.Notice, 1<<40|uint64(n.of))
	city := &s.Cities[n.who.city]
	cells := row{
		"SEQ_AUTO_INFRACAO", n.seq, "NUM_AUTO_INFRACAO", n.number, "SER_AUTO_INFRACAO", n.series, "TIPO_AUTO", "Multa",
		"TIPO_MULTA", d.OneOf("Aberta", "Fechada"), "DES_STATUS_FORMULARIO", "Lavrado", "SIT_CANCELADO", "N",
		"DES_AUTO_INFRACAO", noticeText(n.of, &d), "DAT_HORA_AUTO_INFRACAO", s.ISO(n.date), "COD_MUNICIPIO", city.IBGE,
		"MUNICIPIO", strings.ToUpper(city.Title), "UF", city.UF,
		"TIPO_INFRACAO", d.OneOf("Flora", "Flora", "Fauna", "Pesca", "CTF", "Controle Ambiental", "Qualidade Ambiental"),
		"NOME_INFRATOR", s.nameOf(&n.who), "CPF_CNPJ_INFRATOR", s.noticeDocument(&n, &d),
		"ULTIMA_ATUALIZACAO_RELATORIO", s.ISO(s.last-2) + " 18:56:39",
	}
	if d.Permille(6) {
		cells = append(cells, "TIPO_AUTO", "Advertência", "TIPO_MULTA", "")
	} else {
		cells = append(cells, "VAL_AUTO_INFRACAO", strings.TrimSuffix(table.Cents(d.Cents(50, 5), ","), "0"))
	}
	if d.Permille(950) {
		cells = append(cells, "TP_PESSOA_INFRATOR", ifElse(n.who.natural, "PF", "PJ"))
	}
	if d.Permille(51) || n.of%50 == 21 {
		cells = append(cells, "DES_STATUS_FORMULARIO", "Cancelado", "SIT_CANCELADO", "S")
	}
	if n.embargo >= 0 {
		cells = append(cells, "CD_TERMOS_EMBARGOS", embargoCode(n.embargo))
	}
	if n.year >= 2005 {
		cells = append(cells, s.recentNotice(&n, city, &d)...)
	}
	if n.changed {
		cells = append(cells, "DT_ULT_ALTERACAO", s.ISO(n.date+400)+" 10:00:00", "TP_ULT_ALTERACAO", "Alteração")
	}
	return cells
}

// noticeText returns DES_AUTO_INFRACAO, at times with semicolons, quotes and line breaks.
func noticeText(of int, d *dice) string {
	switch of % 50 {
	case 3:
		return "Ter em depósito 120 m³ de madeira serrada; sem licença válida"
	case 13:
		return "Descumprir embargo.\nReincidência \"específica\""
	}
	return d.OneOf("Desmatar 12,5 hectares de floresta nativa sem autorização", "Deixar de apresentar relatório no prazo",
		"Transportar carvão vegetal sem documento de origem florestal", "Fazer funcionar atividade poluidora sem licença")
}

// noticeDocument returns CPF_CNPJ_INFRATOR, with punctuation. Some old rows mask CPFs in part.
func (s *sources) noticeDocument(n *notice, d *dice) string {
	number := s.numberOf(&n.who, n.of%wrongDigitNotice == 21)
	if n.who.natural && n.year < 2000 && d.Permille(300) {
		return d.OneOf("XXX", "***") + number[3:12] + "XX"
	}
	return number
}

// recentNotice returns the columns that earlier forms did not ask for.
func (s *sources) recentNotice(n *notice, city *world.City, d *dice) row {
	running := table.Digits(n.of%1_000_000, 6)
	year := strconv.Itoa(n.year)
	cells := row{
		"DAT_HORA_AUTO_INFRACAO", s.ISO(n.date) + " " + timeOfDay(d),
		"DAT_CIENCIA_AUTUACAO", s.ISO(n.date+2) + " 00:00:00", "DT_LANCAMENTO", s.ISO(n.date+1) + " 08:00:00",
		"DT_ULT_ALTERACAO", s.ISO(n.date+15) + " 09:10:11", "TP_ULT_ALTERACAO", "Inclusão",
		"FORMA_ENTREGA", d.OneOf("Pessoal", "Via postal"), "GRAVIDADE_INFRACAO", d.OneOf("Leve", "Média", "Grave"),
		"PASSIVEL_RECUPERACAO", "S", "UNID_ARRECADACAO", "SUPES/" + city.UF, "UNID_CONTROLE", "SUPES/" + city.UF,
		"NUM_PROCESSO", "02018" + running + year + "11",
		"NU_PROCESSO_FORMATADO", "02018." + running + "/" + year + "-11", "COD_INFRACAO", "409999",
		"DES_INFRACAO", "Infração da Flora(Não Classificada-Móvel)", "TIPO_ACAO", "Programada",
		"DS_ENQUADRAMENTO_ADMINISTRATIVO", "Art. 47, § 1º do Decreto 6.514/2008",
		"DES_LOCAL_INFRACAO", "Zona rural, km " + strconv.Itoa(1+d.N(90)),
		"NUM_LONGITUDE_AUTO", strings.Replace(city.Longitude, ".", ",", 1),
		"NUM_LATITUDE_AUTO", strings.Replace(city.Latitude, ".", ",", 1),
		"QT_AREA", strconv.Itoa(1+d.N(400)) + "," + strconv.Itoa(d.N(100)),
		"DS_BIOMAS_ATINGIDOS", d.OneOf("Amazônia", "Cerrado", "Mata Atlântica"), "ST_AUTO_MIGRADO_AIE", "N",
		"TP_ORIGEM_REGISTRO_AUTO", "AIE", "DS_SIT_AUTO_AIE", "Lavrado",
	}
	if d.Permille(300) {
		cells = append(cells, "DT_FATO_INFRACIONAL", s.ISO(n.date-world.Day(d.N(60))+3)+" 00:00:00")
	}
	switch {
	case n.of == s.noticeRows()-9: // larger than the buffers of many CSV readers
		cells = append(cells, "WKT_GE_AREA_AUTUADA", polygon(city, 7000, d))
	case d.Permille(80):
		cells = append(cells, "WKT_GE_AREA_AUTUADA", polygon(city, 4+d.N(40), d))
	}
	return cells
}

// lostZero is the position, modulo 100, of embargoes whose CNPJ has lost its leading zeros.
const lostZero = 18

// fromNotice reports whether an embargo goes with a notice, as seven in ten do.
func fromNotice(x int) bool { return x%10 < 7 }

// embargo returns row x of ibama_embargos. One that goes with a notice is against the same offender
// on the same day.
func (s *sources) embargo(x int) row {
	d := s.Dice(draw.Embargo, uint64(x))
	n := s.notice(x * s.embargoStride())
	if n.embargo != x {
		n = notice{who: s.offender(&d, 600)}
		n.date = s.Between(&d, min(s.last, world.DayOf(1990, 1, 1)), s.last)
	} else if n.seq != "" {
		n.seq += ".0"
	}
	who := n.who
	switch x % 100 {
	case lostZero:
		c := s.anywhere(&d, func(c *company) bool { return firm(c) && c.Root.String()[0] == '0' })
		who = at(s.Establishment(&c, 0))
	case 28:
		who = at(s.anyBranch(&d))
	}
	city := &s.Cities[who.city]
	cells := row{
		"NUM_AUTO_INFRACAO", n.number, "SEQ_AUTO_INFRACAO", n.seq, "SEQ_TAD", strconv.Itoa(310_000+x) + ".0",
		"DES_STATUS_FORMULARIO", "Lavrado", "SIT_CANCELADO", d.OneOf("N", "N", "N", "N", "N", "N", "N", "S"),
		"NUM_TAD", embargoCode(x), "SER_TAD", "E", "DAT_EMBARGO", s.ISO(n.date) + " " + timeOfDay(&d),
		"NOME_EMBARGADO", s.nameOf(&who), "CPF_CNPJ_EMBARGADO", s.embargoDocument(&who, x),
		"NUM_PROCESSO", "02018" + table.Digits(x, 6) + s.Year(n.date) + "11",
		"DES_TAD", d.OneOf("Embargo da atividade; pátio de estocagem", "Embargo de área desmatada", "Embargo de obra"),
		"COD_MUNICIPIO", city.IBGE, "MUNICIPIO", city.Title, "UF", city.UF,
		"DES_LOCALIZACAO", "Zona rural, km " + strconv.Itoa(1+d.N(90)),
		"NUM_LONGITUDE_TAD", city.Longitude + "638888889", "NUM_LATITUDE_TAD", city.Latitude + "333333333",
		"QTD_AREA_EMBARGADA", strconv.Itoa(1+d.N(500)) + "," + strconv.Itoa(10+d.N(90)),
		"NOME_IMOVEL", "FAZENDA " + s.Districts.Pick(&d).Plain, "TIPO_AREA", d.OneOf("Imóvel", "Atividade", "Obra"),
		"UNID_CONTROLE", "SUPES/" + city.UF, "ULTIMA_ATUALIZACAO_RELATORIO", s.ISO(s.last-20) + " 18:56:39",
	}
	if d.Permille(120) {
		cells = append(cells,
			"SIT_DESEMBARGO", "Desembargado", "TIPO_DESEMBARGO", d.OneOf("Total", "Parcial"),
			"DAT_DESEMBARGO", s.ISO(min(n.date+world.Day(d.N(1500)), s.last))+" 00:00:00",
			"DES_DESEMBARGO", "Área recuperada",
		)
	}
	switch {
	case x == 5: // larger than the buffers of many CSV readers
		cells = append(cells, "GEOM_AREA_EMBARGADA", polygon(city, 12_000, &d))
	case d.Permille(150):
		cells = append(cells, "GEOM_AREA_EMBARGADA", polygon(city, 4+d.N(60), &d))
	}
	return cells
}

// embargoDocument returns CPF_CNPJ_EMBARGADO: bare digits, some without their leading zeros.
func (s *sources) embargoDocument(who *party, x int) string {
	if who.natural {
		return s.CPF(who.person)
	}
	document := who.place.Full.String()
	if x%100 == lostZero {
		return strings.TrimLeft(document[:2], "0") + document[2:]
	}
	return document
}
