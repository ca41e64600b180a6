package records

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"razao/internal/sample/draw"
	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

// spoiledNotice is of how many rows one has wrong check digits.
const spoiledNotice = 5000

// noticeYear is a year of notices: the rows from first on.
type noticeYear struct{ year, first int }

func (s *sources) noticeRows() int    { return s.volume(708_691, 200) }
func (s *sources) embargoRows() int   { return s.volume(113_878, 40) }
func (s *sources) embargoStride() int { return s.noticeRows() / s.embargoRows() }

// noticeYears spreads the notices from 1977 on, the later years with more of them.
func (s *sources) noticeYears() []noticeYear {
	last := s.Month.Year()
	first := min(1977, last)
	weight, weights := 0, []int{0}
	for year := first; year <= last; year++ {
		switch {
		case year < 1990:
			weight++
		case year < 2000:
			weight += 4
		default:
			weight += 10
		}
		weights = append(weights, weight)
	}
	var years []noticeYear
	for i, before := range weights[:len(weights)-1] {
		years = append(years, noticeYear{first + i, s.noticeRows() * before / weight})
	}
	return years
}

func (s *sources) noticeSheets() []sheet {
	var sheets []sheet
	for i, y := range s.years {
		to := s.noticeRows()
		if i+1 < len(s.years) {
			to = s.years[i+1].first
		}
		sheets = append(sheets, sheet{
			source: "ibama_autos", name: "auto_infracao_csv.zip", member: fmt.Sprintf("auto_infracao_%d.csv", y.year), dialect: ibamaDialect,
			piece: 1024, from: y.first, to: to, titles: noticeTitles, row: s.noticeRow,
		})
	}
	return sheets
}

// notice is what the rows about a notice agree on; embargoes refer to it.
type notice struct {
	of                  int // its row, the one above when that is repeated
	seq, number, series string
	year                int
	date                world.Day
	who                 party
	embargo             int  // that it led to, -1 for none
	changed             bool // in the row that repeats the one above
}

// notice derives the notice of a row.
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
	case x%spoiledNotice == 21:
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

func (s *sources) noticeRow(x int) []cell {
	n := s.notice(x)
	d := s.Dice(draw.Notice, 1<<40|uint64(n.of))
	city := &s.Cities[n.who.city]
	cells := []cell{
		{"SEQ_AUTO_INFRACAO", n.seq},
		{"NUM_AUTO_INFRACAO", n.number},
		{"SER_AUTO_INFRACAO", n.series},
		{"TIPO_AUTO", "Multa"},
		{"TIPO_MULTA", d.OneOf("Aberta", "Fechada")},
		{"DES_STATUS_FORMULARIO", "Lavrado"},
		{"SIT_CANCELADO", "N"},
		{"DES_AUTO_INFRACAO", noticeText(n.of, &d)},
		{"DAT_HORA_AUTO_INFRACAO", s.ISO(n.date)},
		{"COD_MUNICIPIO", city.IBGE},
		{"MUNICIPIO", strings.ToUpper(city.Title)},
		{"UF", city.UF},
		{"TIPO_INFRACAO", d.OneOf("Flora", "Flora", "Fauna", "Pesca", "CTF", "Controle Ambiental", "Qualidade Ambiental")},
		{"NOME_INFRATOR", s.nameOf(&n.who)},
		{"CPF_CNPJ_INFRATOR", s.noticeDocument(&n, &d)},
		{"ULTIMA_ATUALIZACAO_RELATORIO", s.ISO(s.last-2) + " 18:56:39"},
	}
	if d.Permille(6) {
		cells = append(cells, cell{"TIPO_AUTO", "Advertência"}, cell{"TIPO_MULTA", ""})
	} else {
		cells = append(cells, cell{"VAL_AUTO_INFRACAO", strings.TrimSuffix(table.Cents(d.Cents(50, 5), ","), "0")})
	}
	if d.Permille(950) {
		cells = append(cells, cell{"TP_PESSOA_INFRATOR", choose(n.who.natural, "PF", "PJ")})
	}
	if d.Permille(51) || n.of%50 == 21 {
		cells = append(cells, cell{"DES_STATUS_FORMULARIO", "Cancelado"}, cell{"SIT_CANCELADO", "S"})
	}
	if n.embargo >= 0 {
		cells = append(cells, cell{"CD_TERMOS_EMBARGOS", embargoCode(n.embargo)})
	}
	if n.year >= 2005 {
		cells = append(cells, s.recentNotice(&n, city, &d)...)
	}
	if n.changed {
		cells = append(cells, cell{"DT_ULT_ALTERACAO", s.ISO(n.date+400) + " 10:00:00"}, cell{"TP_ULT_ALTERACAO", "Alteração"})
	}
	return cells
}

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

// noticeDocument returns CPF_CNPJ_INFRATOR. Numbers of people are hidden in some old rows.
func (s *sources) noticeDocument(n *notice, d *dice) string {
	if !n.who.natural {
		number := n.who.place.Full.Masked()
		return choose(n.of%spoiledNotice == 21, spoiled(number), number)
	}
	number := dotted(s.CPF(n.who.person))
	if n.year < 2000 && d.Permille(300) {
		return d.OneOf("XXX", "***") + number[3:12] + "XX"
	}
	return number
}

// recentNotice returns what the form did not ask for in earlier years.
func (s *sources) recentNotice(n *notice, city *world.City, d *dice) []cell {
	running := table.Digits(n.of%1_000_000, 6)
	year := strconv.Itoa(n.year)
	cells := []cell{
		{"DAT_HORA_AUTO_INFRACAO", s.ISO(n.date) + " " + timeOfDay(d)},
		{"DAT_CIENCIA_AUTUACAO", s.ISO(n.date+2) + " 00:00:00"},
		{"DT_LANCAMENTO", s.ISO(n.date+1) + " 08:00:00"},
		{"DT_ULT_ALTERACAO", s.ISO(n.date+15) + " 09:10:11"},
		{"TP_ULT_ALTERACAO", "Inclusão"},
		{"FORMA_ENTREGA", d.OneOf("Pessoal", "Via postal")},
		{"GRAVIDADE_INFRACAO", d.OneOf("Leve", "Média", "Grave")},
		{"PASSIVEL_RECUPERACAO", "S"},
		{"UNID_ARRECADACAO", "SUPES/" + city.UF},
		{"UNID_CONTROLE", "SUPES/" + city.UF},
		{"NUM_PROCESSO", "02018" + running + year + "11"},
		{"NU_PROCESSO_FORMATADO", "02018." + running + "/" + year + "-11"},
		{"COD_INFRACAO", "409999"},
		{"DES_INFRACAO", "Infração da Flora(Não Classificada-Móvel)"},
		{"TIPO_ACAO", "Programada"},
		{"DS_ENQUADRAMENTO_ADMINISTRATIVO", "Art. 47, § 1º do Decreto 6.514/2008"},
		{"DES_LOCAL_INFRACAO", "Zona rural, km " + strconv.Itoa(1+d.N(90))},
		{"NUM_LONGITUDE_AUTO", strings.Replace(city.Longitude, ".", ",", 1)},
		{"NUM_LATITUDE_AUTO", strings.Replace(city.Latitude, ".", ",", 1)},
		{"QT_AREA", strconv.Itoa(1+d.N(400)) + "," + strconv.Itoa(d.N(100))},
		{"DS_BIOMAS_ATINGIDOS", d.OneOf("Amazônia", "Cerrado", "Mata Atlântica")},
		{"ST_AUTO_MIGRADO_AIE", "N"},
		{"TP_ORIGEM_REGISTRO_AUTO", "AIE"},
		{"DS_SIT_AUTO_AIE", "Lavrado"},
	}
	if d.Permille(300) {
		cells = append(cells, cell{"DT_FATO_INFRACIONAL", s.ISO(n.date-world.Day(d.N(60))+3) + " 00:00:00"})
	}
	switch {
	case n.of == s.noticeRows()-9: // beyond what readers take for a field
		cells = append(cells, cell{"WKT_GE_AREA_AUTUADA", polygon(city, 7000, d)})
	case d.Permille(80):
		cells = append(cells, cell{"WKT_GE_AREA_AUTUADA", polygon(city, 4+d.N(40), d)})
	}
	return cells
}
