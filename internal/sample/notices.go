package sample

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// ibamaDialect is that of both tables of IBAMA.
var ibamaDialect = dialect{quoting: asNeeded, eol: "\n"}

const noticeColumns = "SEQ_AUTO_INFRACAO;DES_STATUS_FORMULARIO;DS_SIT_AUTO_AIE;SIT_CANCELADO;NUM_AUTO_INFRACAO;SER_AUTO_INFRACAO;CD_ORIGINAL_AUTO_INFRACAO;TIPO_AUTO;TIPO_MULTA;VAL_AUTO_INFRACAO;FUNDAMENTACAO_MULTA;PATRIMONIO_APURACAO;GRAVIDADE_INFRACAO;CD_NIVEL_GRAVIDADE;MOTIVACAO_CONDUTA;EFEITO_MEIO_AMBIENTE;EFEITO_SAUDE_PUBLICA;PASSIVEL_RECUPERACAO;UNID_ARRECADACAO;DES_AUTO_INFRACAO;DAT_HORA_AUTO_INFRACAO;FORMA_ENTREGA;DAT_CIENCIA_AUTUACAO;DT_FATO_INFRACIONAL;DT_INICIO_ATO_INEQUIVOCO;DT_FIM_ATO_INEQUIVOCO;DS_UNID_CONCILIACAO;COD_MUNICIPIO;MUNICIPIO;UF;NUM_PROCESSO;NU_PROCESSO_FORMATADO;COD_INFRACAO;DES_INFRACAO;TIPO_INFRACAO;CD_RECEITA_AUTO_INFRACAO;DES_RECEITA;TP_PESSOA_INFRATOR;NUM_PESSOA_INFRATOR;NOME_INFRATOR;CPF_CNPJ_INFRATOR;QT_AREA;INFRACAO_AREA;DES_OUTROS_TIPO_AREA;CLASSIFICACAO_AREA;DS_FATOR_AJUSTE;NUM_LONGITUDE_AUTO;NUM_LATITUDE_AUTO;DS_WKT;DES_LOCAL_INFRACAO;DS_REFERENCIA_ACAO_FISCALIZATORIA;UNIDADE_CONSERVACAO;ID_SICAFI_BIOMAS_ATINGIDOS_INFRACAO;DS_BIOMAS_ATINGIDOS;SEQ_NOTIFICACAO;SEQ_ACAO_FISCALIZATORIA;CD_ACAO_FISCALIZATORIA;UNID_CONTROLE;TIPO_ACAO;OPERACAO;DENUNCIA_SISLIV;SEQ_ORDEM_FISCALIZACAO;ORDEM_FISCALIZACAO;UNID_ORDENADORA;SEQ_SOLICITACAO_RECURSO;SOLICITACAO_RECURSO;OPERACAO_SOL_RECURSO;DT_LANCAMENTO;TP_ULT_ALTERACAO;DT_ULT_ALTERACAO;JUSTIFICATIVA_ALTERACAO;WKT_GE_AREA_AUTUADA;DT_ULT_ALTER_GEOM;TP_ORIGEM_GE_AREA_AUTUADA;DS_ERRO_GE_AREA_AUTUADA;DS_WKT_GE_AREA_AUTUADA_COM_ERRO;ST_AUTO_MIGRADO_AIE;DS_ENQUADRAMENTO_ADMINISTRATIVO;DS_ENQUADRAMENTO_NAO_ADMINISTRATIVO;DS_ENQUADRAMENTO_COMPLEMENTAR;CD_TERMOS_APREENSAO;CD_TERMOS_EMBARGOS;TP_ORIGEM_REGISTRO_AUTO;ULTIMA_ATUALIZACAO_RELATORIO"

// spoiledNotice is of how many rows one has wrong check digits.
const spoiledNotice = 5000

// noticeYear is a year of notices: the rows from first on.
type noticeYear struct{ year, first int }

func (s *sources) noticeRows() int  { return s.inProportion(708_691, 200) }
func (s *sources) embargoRows() int { return s.inProportion(113_878, 40) }

// noticeYears spreads the notices from 1977 on, the later years with more of them.
func (s *sources) noticeYears() []noticeYear {
	last := s.month.Year()
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

func (s *sources) noticeFiles() []file {
	columns := newSheet(noticeColumns)
	years := s.noticeYears()
	var files []file
	for i, y := range years {
		to := s.noticeRows()
		if i+1 < len(years) {
			to = years[i+1].first
		}
		files = append(files, file{
			name: "auto_infracao_csv.zip", member: fmt.Sprintf("auto_infracao_%d.csv", y.year), piece: 1024,
			header: ibamaDialect.header(noticeColumns), from: y.first, to: to,
			rows: ibamaDialect.rows(func(l *line, x int) { s.noticeRow(l, &columns, years, x) }),
		})
	}
	return files
}

// offender is whom a notice or an embargo is against.
type offender struct {
	place   establishment
	person  personID
	natural bool
	city    int
}

func (s *sources) offender(d *dice, people int) offender {
	if d.permille(people) {
		return offender{natural: true, person: s.anyone(d), city: s.population.pick(d)}
	}
	c := s.oneOfCrowd(d, &s.offenders, (*company).firm)
	e := s.somewhere(d, &c, 100)
	return offender{place: e, city: e.city}
}

// branchOffender returns a branch; few are drawn by chance.
func (s *sources) branchOffender(d *dice) offender {
	e := s.anyBranch(d)
	return offender{place: e, city: e.city}
}

func (o *offender) name(g *generator) string {
	if o.natural {
		return string(g.appendPerson(nil, o.person, false))
	}
	return string(g.appendPlainName(nil, o.place.company))
}

// notice is what the rows about a notice agree on; embargoes refer to it.
type notice struct {
	seq, number, series string
	year                int
	date                day
	who                 offender
	embargo             int // that it led to, -1 for none
	version             int // 1 in the row that repeats the one above, changed
}

// notice derives the notice of a row.
func (s *sources) notice(years []noticeYear, x int) notice {
	var n notice
	y := years[sort.Search(len(years), func(i int) bool { return years[i].first > x })-1]
	if x%97 == 14 && x > y.first {
		x, n.version = x-1, 1
	}
	d := newDice(s.seed, topicNotice, uint64(x))
	n.year = y.year
	n.date = s.between(&d, dayOf(n.year, 1, 1), min(s.last, dayOf(n.year, 12, 31)))
	switch {
	case x%spoiledNotice == 21:
		n.who = s.offender(&d, 0)
	case x%500 == 33:
		n.who = s.branchOffender(&d)
	default:
		n.who = s.offender(&d, 550)
	}
	n.seq, n.series = strconv.Itoa(100_000+x), oneOf(&d, "A", "B", "D")
	n.number = fmt.Sprintf("%06d", x*7919%1_000_000)
	if n.year >= 2013 {
		n.number, n.series = code(x, 17), "E"
		if x%40 == 7 {
			n.seq = ""
		}
	}
	n.embargo = -1
	if stride := s.embargoStride(); x%stride == 0 && x/stride < s.embargoRows() && fromNotice(x/stride) {
		n.embargo = x / stride
	}
	return n
}

func (s *sources) embargoStride() int { return s.noticeRows() / s.embargoRows() }

// code returns eight letters and digits, other ones for every x.
func code(x, salt int) string {
	const eightPlaces = 36 * 36 * sixPlaces
	n := (int64(x) + int64(salt)) * 61_803_399 % eightPlaces
	text := strings.ToUpper(strconv.FormatInt(n, 36))
	return strings.Repeat("0", 8-len(text)) + text
}

func (s *sources) noticeRow(l *line, columns *sheet, years []noticeYear, x int) {
	n := s.notice(years, x)
	of := x - n.version
	d := newDice(s.seed, topicNotice, 1<<40|uint64(of))
	city := &s.cities[n.who.city]
	row := columns.row()
	row.set(
		"SEQ_AUTO_INFRACAO", n.seq, "NUM_AUTO_INFRACAO", n.number, "SER_AUTO_INFRACAO", n.series,
		"TIPO_AUTO", "Multa", "TIPO_MULTA", oneOf(&d, "Aberta", "Fechada"),
		"DES_STATUS_FORMULARIO", "Lavrado", "SIT_CANCELADO", "N",
		"DES_AUTO_INFRACAO", noticeText(of, &d), "DAT_HORA_AUTO_INFRACAO", s.iso(n.date),
		"COD_MUNICIPIO", city.ibge, "MUNICIPIO", strings.ToUpper(city.title), "UF", city.uf,
		"TIPO_INFRACAO", oneOf(&d, "Flora", "Flora", "Fauna", "Pesca", "CTF", "Controle Ambiental", "Qualidade Ambiental"),
		"NOME_INFRATOR", n.who.name(s.generator), "CPF_CNPJ_INFRATOR", s.noticeDocument(&n, of, &d),
		"ULTIMA_ATUALIZACAO_RELATORIO", s.iso(s.last-2)+" 18:56:39",
	)
	if !d.permille(6) {
		row.set("VAL_AUTO_INFRACAO", strings.TrimSuffix(string(appendCents(nil, d.amount(50, 5), ',')), "0"))
	} else {
		row.set("TIPO_AUTO", "Advertência", "TIPO_MULTA", "")
	}
	if d.permille(950) {
		row.set("TP_PESSOA_INFRATOR", map[bool]string{true: "PF", false: "PJ"}[n.who.natural])
	}
	if d.permille(51) || of%50 == 21 {
		row.set("DES_STATUS_FORMULARIO", "Cancelado", "SIT_CANCELADO", "S")
	}
	if n.embargo >= 0 {
		row.set("CD_TERMOS_EMBARGOS", code(n.embargo, 90_000_017))
	}
	if n.year >= 2005 {
		s.recentNotice(&row, &n, of, &d)
	}
	if n.version > 0 {
		row.set("DT_ULT_ALTERACAO", s.iso(n.date+400)+" 10:00:00", "TP_ULT_ALTERACAO", "Alteração")
	}
	row.appendTo(l)
}

func (s *sources) iso(d day) string { return string(s.appendISO(nil, d)) }

func noticeText(of int, d *dice) string {
	switch of % 50 {
	case 3:
		return "Ter em depósito 120 m³ de madeira serrada; sem licença válida"
	case 13:
		return "Descumprir embargo.\nReincidência \"específica\""
	}
	return oneOf(d, "Desmatar 12,5 hectares de floresta nativa sem autorização", "Deixar de apresentar relatório no prazo",
		"Transportar carvão vegetal sem documento de origem florestal", "Fazer funcionar atividade poluidora sem licença")
}

// noticeDocument returns CPF_CNPJ_INFRATOR. Numbers of people are hidden in some old rows.
func (s *sources) noticeDocument(n *notice, of int, d *dice) string {
	if !n.who.natural {
		b := appendFull(nil, n.who.place.full)
		if of%spoiledNotice == 21 {
			spoil(b)
		}
		return string(b)
	}
	cpf := s.cpf(n.who.person)
	text := string(appendCPF(nil, cpf))
	if n.year < 2000 && d.permille(300) {
		return oneOf(d, "XXX", "***") + text[3:12] + "XX"
	}
	return text
}

// recentNotice fills what the form did not ask for in earlier years.
func (s *sources) recentNotice(row *cells, n *notice, of int, d *dice) {
	city := &s.cities[n.who.city]
	row.set(
		"DAT_HORA_AUTO_INFRACAO", s.iso(n.date)+" "+string(appendTime(nil, d)),
		"DAT_CIENCIA_AUTUACAO", s.iso(n.date+2)+" 00:00:00", "DT_LANCAMENTO", s.iso(n.date+1)+" 08:00:00",
		"DT_ULT_ALTERACAO", s.iso(n.date+15)+" 09:10:11", "TP_ULT_ALTERACAO", "Inclusão",
		"FORMA_ENTREGA", oneOf(d, "Pessoal", "Via postal"), "GRAVIDADE_INFRACAO", oneOf(d, "Leve", "Média", "Grave"),
		"PASSIVEL_RECUPERACAO", "S", "UNID_ARRECADACAO", "SUPES/"+city.uf, "UNID_CONTROLE", "SUPES/"+city.uf,
		"NUM_PROCESSO", fmt.Sprintf("02018%06d%d11", of%1_000_000, n.year),
		"NU_PROCESSO_FORMATADO", fmt.Sprintf("02018.%06d/%d-11", of%1_000_000, n.year),
		"COD_INFRACAO", "409999", "DES_INFRACAO", "Infração da Flora(Não Classificada-Móvel)", "TIPO_ACAO", "Programada",
		"DS_ENQUADRAMENTO_ADMINISTRATIVO", "Art. 47, § 1º do Decreto 6.514/2008", "DES_LOCAL_INFRACAO", "Zona rural, km "+strconv.Itoa(1+d.n(90)),
		"NUM_LONGITUDE_AUTO", strings.Replace(city.longitude, ".", ",", 1), "NUM_LATITUDE_AUTO", strings.Replace(city.latitude, ".", ",", 1),
		"QT_AREA", strconv.Itoa(1+d.n(400))+","+strconv.Itoa(d.n(100)), "DS_BIOMAS_ATINGIDOS", oneOf(d, "Amazônia", "Cerrado", "Mata Atlântica"),
		"ST_AUTO_MIGRADO_AIE", "N", "TP_ORIGEM_REGISTRO_AUTO", "AIE", "DS_SIT_AUTO_AIE", "Lavrado",
	)
	if d.permille(300) {
		row.set("DT_FATO_INFRACIONAL", s.iso(n.date-day(d.n(60))+3)+" 00:00:00")
	}
	switch {
	case of == s.noticeRows()-9: // beyond what readers take for a field
		row.set("WKT_GE_AREA_AUTUADA", polygon(city, 7000, d))
	case d.permille(80):
		row.set("WKT_GE_AREA_AUTUADA", polygon(city, 4+d.n(40), d))
	}
}
