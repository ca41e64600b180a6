package sample

import (
	_ "embed"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"razao/internal/sample/country"
)

// noticeTitles and embargoTitles hold the columns of ibama_autos and ibama_embargos, most of which
// are rarely filled.
var (
	//go:embed data/ibama_autos.csv
	noticeTitles string
	//go:embed data/ibama_embargos.csv
	embargoTitles string
)

// firstNotices is the year of the oldest notices.
const firstNotices = 1977

// noticeRows and embargoRows are the rows of the two tables. Every embargoStride-th notice leads to
// an embargo.
func (s *sources) noticeRows() int    { return s.volume(708_691, 200) }
func (s *sources) embargoRows() int   { return s.volume(113_878, 40) }
func (s *sources) embargoStride() int { return s.noticeRows() / s.embargoRows() }

// notices and embargoes declare the rows of the two tables as extracted on a day. Notices that are cancelled stay.
func (s *sources) notices(extracted country.Day) living {
	return living{
		source: "ibama_autos", topic: lifeOfNotice, rows: s.noticeRows(), fates: fates{edited: 3}, unit: itself,
		record: func(x int, l life) row { return s.noticeRow(x, l, extracted) },
	}
}

func (s *sources) embargoes(extracted country.Day) living {
	return living{
		source: "ibama_embargos", topic: lifeOfEmbargo, rows: s.embargoRows(), fates: fates{edited: 5}, unit: itself,
		record: func(x int, l life) row { return s.embargo(x, l, extracted) },
	}
}

// spreadNotices spreads the notices of the first release over the years since firstNotices, later ones with more, and
// adds those of the months since.
func (s *sources) spreadNotices() {
	first := s.first.Month.Year()
	n := first - firstNotices + 1
	for i := range n + 1 {
		s.years = append(s.years, s.noticeRows()*i*i/(n*n))
	}
	all := s.first.notices(0)
	for m := 1; m <= s.Months; m++ {
		if s.first.Month.AddDate(0, m, 0).Year()-firstNotices+1 == len(s.years) {
			s.years = append(s.years, s.years[len(s.years)-1])
		}
		s.years[len(s.years)-1] += all.added()
	}
}

// noticeFiles declares the two zips of IBAMA: notices, with a member for each year, and embargoes.
func (s *sources) noticeFiles() []file {
	var files []file
	notices, embargoes := s.first.notices(s.last-2), s.first.embargoes(s.last-20)
	for i, first := range s.years[:len(s.years)-1] {
		f := file{
			folder: "ibama_autos", group: "ibama_autos", name: "auto_infracao_csv.zip", dialect: ibamaDialect,
			member: fmt.Sprintf("auto_infracao_%d.csv", firstNotices+i), from: first, to: s.years[i+1],
		}
		files = append(files, f.among(noticeTitles, notices.in(s.Country, s.Months)))
	}
	imposed := file{
		folder: "ibama_embargos", group: "ibama_embargos", name: "termo_embargo_csv.zip", member: "termo_embargo.csv", dialect: ibamaDialect,
		to: embargoes.upTo(s.Months),
	}
	return append(files, imposed.among(embargoTitles, embargoes.in(s.Country, s.Months)))
}

// among sets the rows and the header of a table with all titles, of which a row has some in any
// order; a position may have no row.
func (f file) among(header string, of func(x int) row) file {
	f.header = header
	at := map[string]int{}
	for i, title := range strings.Split(strings.TrimSpace(header), ";") {
		at[title] = i
	}
	f.rows = func(r *rowBuffer, x int) {
		cells := of(x)
		if cells == nil {
			return
		}
		texts := make([]string, len(at))
		for i := 0; i < len(cells); i += 2 {
			texts[at[cells[i]]] = cells[i+1]
		}
		r.add(texts...)
	}
	return f
}

// notice is what a notice and its embargo agree on.
type notice struct {
	seq, number, series string
	date                country.Day
	who                 party
}

// notice derives the notice of row x.
func (s *sources) notice(x int) notice {
	known := s.noticeKnown(x)
	year := firstNotices + sort.SearchInts(s.years, x+1) - 1
	first, last := country.DayOf(year, 1, 1), min(s.until(0), country.DayOf(year, 12, 31))
	if known > 0 {
		first, last = s.until(known-1)+1, s.until(known)
		year = s.first.Month.AddDate(0, known, 0).Year()
	}
	d := s.Dice(ofNotice, uint64(x))
	n := notice{seq: strconv.Itoa(100_000 + x), number: country.Digits(x*7919%1_000_000, 6), series: d.OneOf("A", "B", "D")}
	if year >= 2013 {
		n.number, n.series = code(x, 17), "E"
	}
	n.date = s.Between(&d, first, last)
	n.who = s.offender(&d, 550)
	return n
}

// offender draws whom a notice or an embargo is against, a person with probability people/1000.
func (s *sources) offender(d *dice, people int) party {
	if d.Permille(people) {
		return s.resident(d)
	}
	return at(s.somewhere(d, s.find(d, 200, (*company).Firm), 100))
}

// code returns eight letters and digits, distinct for every x.
func code(x, salt int) string {
	const eightPlaces = 36 * 36 * 36 * 36 * 36 * 36 * 36 * 36
	text := strings.ToUpper(strconv.FormatInt((int64(x)+int64(salt))*61_803_399%eightPlaces, 36))
	return strings.Repeat("0", 8-len(text)) + text
}

// embargoCode returns NUM_TAD of embargo x.
func embargoCode(x int) string { return code(x, 90_000_017) }

// noticeKnown returns the month of the series in which notice x became known.
func (s *sources) noticeKnown(x int) int {
	all := s.notices(0)
	return all.known(x)
}

// embargoOf returns the embargo that a notice led to; ok is false if it led to none. Of the notices that a month adds
// every stride-th leads to one that the month adds.
func (s *sources) embargoOf(x int) (embargo int, ok bool) {
	stride, from, to := s.embargoStride(), 0, s.embargoRows()
	if notices, embargoes := s.notices(0), s.embargoes(0); x >= notices.rows {
		stride = notices.added() / embargoes.added()
		from = embargoes.upTo(notices.known(x) - 1)
		to = from + embargoes.added()
		x = (x - notices.rows) % notices.added()
	}
	embargo = from + x/stride
	return embargo, x%stride == 0 && embargo < to
}

// noticeOf returns the notice that led to an embargo.
func (s *sources) noticeOf(embargo int) int {
	notices, embargoes := s.notices(0), s.embargoes(0)
	if embargo < embargoes.rows {
		return embargo * s.embargoStride()
	}
	month, n := embargoes.known(embargo), (embargo-embargoes.rows)%embargoes.added()
	return notices.upTo(month-1) + n*(notices.added()/embargoes.added())
}

// noticeRow returns row x of ibama_autos as extracted on a day. What changes is that a notice is cancelled.
func (s *sources) noticeRow(x int, l life, extracted country.Day) row {
	n := s.notice(x)
	d := s.Dice(ofNotice, 1<<40|uint64(x))
	city := &s.Cities[n.who.city]
	status, cancelled := "Lavrado", "N"
	if d.Permille(51) || l.edits > 0 {
		status, cancelled = "Cancelado", "S"
	}
	cells := row{
		"SEQ_AUTO_INFRACAO", n.seq, "NUM_AUTO_INFRACAO", n.number, "SER_AUTO_INFRACAO", n.series, "TIPO_AUTO", "Multa",
		"TIPO_MULTA", d.OneOf("Aberta", "Fechada"), "DES_STATUS_FORMULARIO", status, "SIT_CANCELADO", cancelled,
		"DES_AUTO_INFRACAO", d.OneOf("Desmatar 12,5 hectares de floresta nativa sem autorização", "Deixar de apresentar relatório no prazo",
			"Transportar carvão vegetal sem documento de origem florestal", "Fazer funcionar atividade poluidora sem licença",
			"Ter em depósito 120 m³ de madeira serrada; sem licença válida"),
		"DAT_HORA_AUTO_INFRACAO", s.ISO(n.date) + " " + timeOfDay(&d), "COD_MUNICIPIO", city.IBGE,
		"MUNICIPIO", strings.ToUpper(city.Name), "UF", city.UF,
		"TIPO_INFRACAO", d.OneOf("Flora", "Flora", "Fauna", "Pesca", "CTF", "Controle Ambiental", "Qualidade Ambiental"),
		"NOME_INFRATOR", s.nameOf(&n.who), "CPF_CNPJ_INFRATOR", s.numberOf(&n.who), "TP_PESSOA_INFRATOR", either(n.who.natural, "PF", "PJ"),
		"VAL_AUTO_INFRACAO", cents(d.Cents(50, 5), ","), "ULTIMA_ATUALIZACAO_RELATORIO", s.ISO(extracted) + " 18:56:39",
	}
	if embargo, ok := s.embargoOf(x); ok {
		cells = append(cells, "CD_TERMOS_EMBARGOS", embargoCode(embargo))
	}
	if n.date < country.DayOf(2005, 1, 1) {
		return cells // earlier forms did not ask for more
	}
	running := country.Digits(x%1_000_000, 6)
	return append(
		cells, "DT_LANCAMENTO", s.ISO(n.date+1)+" 08:00:00", "DT_ULT_ALTERACAO", s.ISO(n.date+15)+" 09:10:11", "TP_ULT_ALTERACAO", "Inclusão",
		"FORMA_ENTREGA", d.OneOf("Pessoal", "Via postal"), "GRAVIDADE_INFRACAO", d.OneOf("Leve", "Média", "Grave"),
		"UNID_CONTROLE", "SUPES/"+city.UF, "NUM_PROCESSO", "02018"+running+s.Year(n.date)+"11",
		"DES_INFRACAO", "Infração da Flora(Não Classificada-Móvel)", "TIPO_ACAO", "Programada",
		"DS_ENQUADRAMENTO_ADMINISTRATIVO", "Art. 47, § 1º do Decreto 6.514/2008", "DES_LOCAL_INFRACAO", "Zona rural, km "+strconv.Itoa(1+d.N(90)),
		"QT_AREA", strconv.Itoa(1+d.N(400))+","+strconv.Itoa(d.N(100)), "DS_BIOMAS_ATINGIDOS", d.OneOf("Amazônia", "Cerrado", "Mata Atlântica"),
	)
}

// embargo returns row x of ibama_embargos as extracted on a day: of the notice that led to it, on the same day. What
// changes is that an embargo is lifted.
func (s *sources) embargo(x int, l life, extracted country.Day) row {
	d := s.Dice(ofEmbargo, uint64(x))
	n := s.notice(s.noticeOf(x))
	city := &s.Cities[n.who.city]
	document := n.who.establishment.Full.String()
	if n.who.natural {
		document = s.CPF(n.who.person)
	}
	cells := row{
		"NUM_AUTO_INFRACAO", n.number, "SEQ_AUTO_INFRACAO", n.seq, "SEQ_TAD", strconv.Itoa(310_000 + x),
		"DES_STATUS_FORMULARIO", "Lavrado", "SIT_CANCELADO", d.OneOf("N", "N", "N", "N", "N", "N", "N", "S"),
		"NUM_TAD", embargoCode(x), "SER_TAD", "E", "DAT_EMBARGO", s.ISO(n.date) + " " + timeOfDay(&d),
		"NOME_EMBARGADO", s.nameOf(&n.who), "CPF_CNPJ_EMBARGADO", document,
		"NUM_PROCESSO", "02018" + country.Digits(x, 6) + s.Year(n.date) + "11",
		"DES_TAD", d.OneOf("Embargo da atividade; pátio de estocagem", "Embargo de área desmatada", "Embargo de obra"),
		"COD_MUNICIPIO", city.IBGE, "MUNICIPIO", city.Name, "UF", city.UF,
		"DES_LOCALIZACAO", "Zona rural, km " + strconv.Itoa(1+d.N(90)),
		"QTD_AREA_EMBARGADA", strconv.Itoa(1+d.N(500)) + "," + strconv.Itoa(10+d.N(90)),
		"NOME_IMOVEL", "FAZENDA " + s.Districts.Pick(&d), "TIPO_AREA", d.OneOf("Imóvel", "Atividade", "Obra"),
		"UNID_CONTROLE", "SUPES/" + city.UF, "ULTIMA_ATUALIZACAO_RELATORIO", s.ISO(extracted) + " 18:56:39",
	}
	if already := d.Permille(120); already || l.edits > 0 {
		lifted := min(n.date+country.Day(d.N(1500)), s.until(l.known))
		if !already {
			lifted = s.until(l.changed) - country.Day(d.N(28))
		}
		cells = append(cells, "SIT_DESEMBARGO", "Desembargado", "TIPO_DESEMBARGO", d.OneOf("Total", "Parcial"),
			"DAT_DESEMBARGO", s.ISO(lifted)+" 00:00:00", "DES_DESEMBARGO", "Área recuperada")
	}
	return cells
}
