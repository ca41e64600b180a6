package sample

import (
	"fmt"
	"strconv"
	"strings"
)

const embargoColumns = "SEQ_TAD;DES_STATUS_FORMULARIO;DES_STATUS_FORMULARIO_AIE;SIT_CANCELADO;NUM_TAD;SER_TAD;COD_SUBSTITUICAO;DAT_EMBARGO;DAT_IMPRESSAO;FORMA_ENTREGA;NUM_PESSOA_EMBARGO;NOME_EMBARGADO;CPF_CNPJ_EMBARGADO;NUM_PROCESSO;DES_TAD;COD_MUNICIPIO;MUNICIPIO;UF;DES_LOCALIZACAO;NUM_LONGITUDE_TAD;NUM_LATITUDE_TAD;DETER_PRODES;ID_POLIGONO;EMBARGA_POLIGONO;QTD_AREA_EMBARGADA;NOME_IMOVEL;TIPO_AREA;GEOM_AREA_EMBARGADA;DAT_ULT_ALTER_GEOM;UNID_APRESENTACAO;UNID_CONTROLE;SIT_DESEMBARGO;TIPO_DESEMBARGO;DAT_DESEMBARGO;DES_DESEMBARGO;SEQ_AUTO_INFRACAO;NUM_AUTO_INFRACAO;SEQ_NOTIFICACAO;SEQ_ACAO_FISCALIZATORIA;CD_ACAO_FISCALIZATORIA;OPERACAO;SEQ_ORDEM_FISCALIZACAO;ORDEM_FISCALIZACAO;UNID_ORDENADORA;SEQ_SOLICITACAO_RECURSO;SOLICITACAO_RECURSO;OPERACAO_SOL_RECURSO;DAT_ULT_ALTERACAO;TIPO_ALTERACAO;JUSTIFICATIVA_ALTERACAO;ULTIMA_ATUALIZACAO_RELATORIO"

func (s *sources) embargoFiles() []file {
	columns := newSheet(embargoColumns)
	years := s.noticeYears()
	return []file{{
		name: "termo_embargo_csv.zip", member: "termo_embargo.csv", piece: 512,
		header: ibamaDialect.header(embargoColumns), from: 0, to: s.embargoRows(),
		rows: ibamaDialect.rows(func(l *line, x int) { s.embargoRow(l, &columns, years, x) }),
	}}
}

// lostZero is which of a hundred embargoes is of a CNPJ without the zeros at its left.
const lostZero = 18

// fromNotice says whether an embargo goes with a notice, as seven in ten do.
func fromNotice(x int) bool { return x%10 < 7 }

// embargoRow appends an embargo. Its document is bare digits, and those of some companies have lost zeros at the left.
func (s *sources) embargoRow(l *line, columns *sheet, years []noticeYear, x int) {
	d := newDice(s.seed, topicEmbargo, uint64(x))
	row := columns.row()
	var who offender
	var date day
	if n := s.notice(years, x*s.embargoStride()); n.embargo == x {
		who, date = n.who, n.date
		row.set("NUM_AUTO_INFRACAO", n.number)
		if n.seq != "" {
			row.set("SEQ_AUTO_INFRACAO", n.seq+".0")
		}
	} else {
		who = s.offender(&d, 600)
		date = s.between(&d, min(s.last, dayOf(1990, 1, 1)), s.last)
	}
	switch x % 100 {
	case lostZero:
		c := s.find(&d, func(c *company) bool { return c.firm() && c.root.String()[0] == '0' })
		who = offender{place: s.establishment(&c, 0), city: c.city}
	case 28:
		who = s.branchOffender(&d)
	}
	city := &s.cities[who.city]
	row.set(
		"SEQ_TAD", strconv.Itoa(310_000+x)+".0", "DES_STATUS_FORMULARIO", "Lavrado", "SIT_CANCELADO", oneOf(&d, "N", "N", "N", "N", "N", "N", "N", "S"),
		"NUM_TAD", code(x, 90_000_017), "SER_TAD", "E", "DAT_EMBARGO", s.iso(date)+" "+string(appendTime(nil, &d)),
		"NOME_EMBARGADO", who.name(s.generator), "CPF_CNPJ_EMBARGADO", s.embargoDocument(&who, x),
		"NUM_PROCESSO", fmt.Sprintf("02018%06d%s11", x, s.text[date][:4]),
		"DES_TAD", oneOf(&d, "Embargo da atividade; pátio de estocagem", "Embargo de área desmatada", "Embargo de obra"),
		"COD_MUNICIPIO", city.ibge, "MUNICIPIO", city.title, "UF", city.uf, "DES_LOCALIZACAO", "Zona rural, km "+strconv.Itoa(1+d.n(90)),
		"NUM_LONGITUDE_TAD", city.longitude+"638888889", "NUM_LATITUDE_TAD", city.latitude+"333333333",
		"QTD_AREA_EMBARGADA", strconv.Itoa(1+d.n(500))+","+strconv.Itoa(10+d.n(90)), "NOME_IMOVEL", "FAZENDA "+s.districts.pick(&d).plain,
		"TIPO_AREA", oneOf(&d, "Imóvel", "Atividade", "Obra"), "UNID_CONTROLE", "SUPES/"+city.uf,
		"ULTIMA_ATUALIZACAO_RELATORIO", s.iso(s.last-20)+" 18:56:39",
	)
	if d.permille(120) {
		row.set("SIT_DESEMBARGO", "Desembargado", "TIPO_DESEMBARGO", oneOf(&d, "Total", "Parcial"),
			"DAT_DESEMBARGO", s.iso(min(date+day(d.n(1500)), s.last))+" 00:00:00", "DES_DESEMBARGO", "Área recuperada")
	}
	switch {
	case x == 5: // beyond what readers take for a field
		row.set("GEOM_AREA_EMBARGADA", polygon(city, 12_000, &d))
	case d.permille(150):
		row.set("GEOM_AREA_EMBARGADA", polygon(city, 4+d.n(60), &d))
	}
	row.appendTo(l)
}

func (s *sources) embargoDocument(who *offender, x int) string {
	if who.natural {
		cpf := s.cpf(who.person)
		return string(cpf[:])
	}
	document := who.place.full.String()
	if x%100 == lostZero {
		return strings.TrimLeft(document[:2], "0") + document[2:]
	}
	return document
}
