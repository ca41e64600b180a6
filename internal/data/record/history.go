package record

import "razao/internal/data/source"

// Change is one event in the history of a company, without its values before and after.
type Change struct {
	CNPJ         string // of the establishment; "": the event is about the company
	Evento       string // code, see package change
	Data         Date   // on which it happened, as published; 0: null
	Fonte        string // receita or the id of a source
	Competencia  string // period of the load that showed it
	ComparadaCom string // period of the load before
	VistaEm      Date   // on which the load was published
	Carga        int64  // id of the load
	Socio        *ChangedPartner
}

// ChangedPartner names the partner that an event is about.
type ChangedPartner struct {
	IdentificadorSocio string
	NomeSocio          string
	CNPJCPFSocio       string
}

// Coverage says from when to when the changes of a source are known, and what was not compared.
type Coverage struct {
	Fonte   string
	Desde   *AnnouncedLoad // the first load of the history; nil: it has none
	Ate     *AnnouncedLoad // the last one
	Lacunas []Gap
	Falha   *FailedLoad // nil: the last load succeeded
}

// AnnouncedLoad is a load of the history.
type AnnouncedLoad struct {
	Competencia  string
	ComparadaCom string // "": with none
	VistaEm      Date
	Carga        int64
}

// Gap is a part of a load of which no changes are known.
type Gap struct {
	Competencia  string
	ComparadaCom string
	Parte        string
	Motivo       string
	Carga        int64
}

// FailedLoad is a load that was not published: its changes are not known yet.
type FailedLoad struct {
	Competencia string
	Em          Date
}

// WithdrawnLoad is a load that was part of the history and has been taken back.
type WithdrawnLoad struct {
	Fonte       string
	Competencia string
	Carga       int64
}

// ChangeTable returns the table of an event. Renderers append its values before and after.
func ChangeTable() Table {
	return Table{Name: "Mudanca", Title: "Mudança", Type: "Change", About: "O que uma carga mudou em uma empresa: um evento.", Fields: []Field{
		{Name: "cnpj_basico", Kind: Root, About: "as 8 primeiras posições do CNPJ, que identificam a empresa"},
		{Name: "cnpj", Go: "CNPJ", Kind: TextOrNull, About: "CNPJ do estabelecimento, 14 posições; null quando o evento é da empresa"},
		{Name: "evento", Go: "Evento", Kind: Text, About: "código estável do evento"},
		{Name: "data", Go: "Data", Kind: Day, About: "dia em que aconteceu, quando é publicado"},
		loadedSource(),
		{Name: "competencia", Go: "Competencia", Kind: TextOrNull, About: "período da carga em que foi vista"},
		{
			Name: "comparada_com", Go: "ComparadaCom", Kind: TextOrNull,
			About: "período da carga com que essa foi comparada: entre as duas pode haver períodos que não foram carregados",
		},
		{Name: "vista_em", Go: "VistaEm", Kind: Day, About: "dia (UTC) em que a carga foi publicada aqui"},
		{Name: "carga", Go: "Carga", Kind: Count, About: "número da carga"},
		{Name: "socio", Go: "Socio", Kind: One, Of: ChangedPartnerTable, About: "o sócio, nos eventos de sócios"},
	}}
}

// ChangedPartnerTable returns the table of the partner of an event.
func ChangedPartnerTable() Table {
	partner := PartnerTable()
	t := Table{Name: "SocioDaMudanca", Title: "Sócio de uma mudança", Type: "ChangedPartner", About: "Nome e documento mascarado não identificam uma pessoa: há homônimos."}
	for _, name := range []string{"identificador_socio", "nome_socio", "cnpj_cpf_socio"} {
		f := partner.Field(name)
		f.Domain = "" // descriptions are in the partner's own record
		t.Fields = append(t.Fields, f)
	}
	return t
}

// CoverageTable returns the table of cobertura.
func CoverageTable() Table {
	return Table{Name: "CoberturaDaHistoria", Title: "Cobertura da história", Type: "Coverage", About: "De quando a quando se conhecem as mudanças de uma fonte. O que não foi possível comparar está em lacunas e falha, e não passa por ausência de mudança.", Fields: []Field{
		loadedSource(),
		{Name: "desde", Go: "Desde", Kind: One, Of: AnnouncedLoadTable, About: "a primeira carga da história; não foi comparada com outra quando comparada_com é null"},
		{Name: "ate", Go: "Ate", Kind: One, Of: AnnouncedLoadTable, About: "a última carga da história"},
		{Name: "lacunas", Go: "Lacunas", Kind: Many, Of: gapTable, About: "partes de cargas que não foram comparadas"},
		{Name: "falha", Go: "Falha", Kind: One, Of: FailedLoadTable, About: "uma carga posterior à que está em serviço e que não pôde ser publicada"},
	}}
}

// AnnouncedLoadTable returns the table of a load of the history.
func AnnouncedLoadTable() Table {
	return Table{Name: "CargaDaHistoria", Title: "Carga da história", Type: "AnnouncedLoad", About: "Uma carga da história.", Fields: []Field{
		{Name: "competencia", Go: "Competencia", Kind: TextOrNull, About: "período da carga"},
		{Name: "comparada_com", Go: "ComparadaCom", Kind: TextOrNull, About: "período da carga com que foi comparada; null: com nenhuma"},
		{Name: "vista_em", Go: "VistaEm", Kind: Day, About: "dia (UTC) em que foi publicada aqui"},
		{Name: "carga", Go: "Carga", Kind: Count, About: "número da carga"},
	}}
}

func gapTable() Table {
	return Table{Name: "Lacuna", Title: "Lacuna", Type: "Gap", About: "Uma parte de uma carga que não foi comparada: dela não se conhecem mudanças.", Fields: []Field{
		{Name: "competencia", Go: "Competencia", Kind: TextOrNull, About: "período da carga"},
		{Name: "comparada_com", Go: "ComparadaCom", Kind: TextOrNull, About: "período da carga com que o resto foi comparado"},
		{
			Name: "parte", Go: "Parte", Kind: Choice, Values: []string{"empresas", "estabelecimentos", "socios", "simples", "registros"},
			About: "o que não foi comparado",
		},
		{Name: "motivo", Go: "Motivo", Kind: Text, About: "por que não foi comparado, em uma palavra, como arquivo_ausente"},
		{Name: "carga", Go: "Carga", Kind: Count, About: "número da carga"},
	}}
}

// FailedLoadTable returns the table of a load that was not published.
func FailedLoadTable() Table {
	return Table{Name: "CargaFalha", Title: "Carga que não foi publicada", Type: "FailedLoad", About: "Uma carga que falhou ou foi recusada: o que ela mudaria ainda não se sabe.", Fields: []Field{
		{Name: "competencia", Go: "Competencia", Kind: TextOrNull, About: "período da carga"},
		{Name: "em", Go: "Em", Kind: Day, About: "dia (UTC) em que foi tentada"},
	}}
}

// WithdrawnTable returns the table of retiradas.
func WithdrawnTable() Table {
	return Table{Name: "CargaRetirada", Title: "Carga retirada", Type: "WithdrawnLoad", About: "Uma carga que foi contada e desfeita: os seus eventos não valem mais.", Fields: []Field{
		loadedSource(),
		{Name: "competencia", Go: "Competencia", Kind: TextOrNull, About: "período da carga"},
		{Name: "carga", Go: "Carga", Kind: Count, About: "número da carga, como nos eventos"},
	}}
}

// loadedSource is the field that names the company registry or a source of public records.
func loadedSource() Field {
	return Field{
		Name: "fonte", Go: "Fonte", Kind: Choice, Values: append([]string{"receita"}, source.IDs()...),
		About: "receita ou o identificador da fonte de registros públicos",
	}
}
