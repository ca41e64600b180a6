package record

import (
	"time"

	"razao/internal/data/source"
)

// Provenance is the origin of a load: publisher, files with checksums, and row counts, for which
// read = loaded + rejected + discarded. It is stored as JSON under the published names.
type Provenance struct {
	Orgao             string       `json:"orgao"`
	Conjunto          string       `json:"conjunto"`
	URL               string       `json:"url"`
	Licenca           string       `json:"licenca"`
	Atribuicao        string       `json:"atribuicao,omitempty"`
	Metodologia       string       `json:"metodologia_url,omitempty"`
	Arquivos          []SourceFile `json:"arquivos"`
	Faltantes         []string     `json:"faltantes,omitempty"`   // files missing from a partial load
	Observacoes       []string     `json:"observacoes,omitempty"` // caveats for readers, in Portuguese
	LinhasLidas       int64        `json:"linhas_lidas"`
	LinhasCarregadas  int64        `json:"linhas_carregadas"`
	LinhasRejeitadas  int64        `json:"linhas_rejeitadas"`
	LinhasDescartadas int64        `json:"linhas_descartadas"`
}

// SourceFile is a published file that was read.
type SourceFile struct {
	Nome   string `json:"nome"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // hexadecimal
}

// SourceLoad describes the load of a source. The zero value means that there is none.
type SourceLoad struct {
	Competencia     string      // period; "": null
	CarregadaEm     *time.Time  // when the load finished
	CoberturaInicio string      // AAAA-MM-DD; "": null
	Desatualizada   Flag        // stale
	Proveniencia    *Provenance // nil: null
}

// SourcePage is the header of a page of a source's records.
type SourcePage struct {
	Status    string // see SourcePageTable for the values
	Escopo    string // empresa or estabelecimento
	Documento string // the document asked about
	SourceLoad
}

// States of a past load.
const (
	LoadServed = "em_uso"   // in service
	LoadKept   = "guardada" // a rollback can bring it back
	LoadGone   = "apagada"  // its records are deleted
)

// PastLoad is a load that is or was in service.
type PastLoad struct {
	Competencia       string
	CarregadaEm       *time.Time
	Situacao          string // LoadServed, LoadKept or LoadGone
	VinculosRefeitos  Flag   // re-linked from another load of the same edition to newer companies
	Forcada           Flag   // published by the operator in spite of checks
	LinhasLidas       int64
	Registros         int64
	LinhasRejeitadas  int64
	LinhasDescartadas int64
}

// LeftOut counts the rows that a rule discarded from a load.
type LeftOut struct {
	Regra  string // name of the rule
	Motivo string // the rule in words
	Linhas int64
}

// RejectedIn counts the kept rejected rows by the column at which parsing failed.
type RejectedIn struct {
	Coluna string // "" for the row as a whole
	Linhas int64
}

// SourceHistory is what the catalogue adds about the loads of a source.
type SourceHistory struct {
	DeixadasDeFora []LeftOut    // of the load in service, most rows first
	Rejeitadas     []RejectedIn // of the load in service, most rows first
	Cargas         []PastLoad   // newest first, at most fifty
}

// SourceEntry is a source in the catalogue, without the number of its records.
type SourceEntry struct {
	ID              string
	Tema            string
	Titulo          string
	Descricao       string
	Orgao           string
	Licenca         string
	TipoPeriodo     string
	Disponibilidade string
	SourceLoad
	Conjunto      string
	URL           string
	Periodicidade string
	AntigaApos    int64 // days after the end of the period; 0: unknown
	SourceHistory
}

// ProvenanceTable returns the table of proveniencia.
func ProvenanceTable() Table {
	return Table{Name: "Proveniencia", Title: "Proveniência", Type: "Provenance", About: "De onde vieram os registros da carga.", Fields: []Field{
		{Name: "orgao", Go: "Orgao", Kind: Text, About: "quem publica"},
		{Name: "conjunto", Go: "Conjunto", Kind: Text, About: "conjunto de dados publicado"},
		{Name: "url", Go: "URL", Kind: Text, About: "onde é publicado"},
		{Name: "licenca", Go: "Licenca", Kind: Text, About: "licença dos dados"},
		{Name: "atribuicao", Go: "Atribuicao", Kind: TextOrNone, About: "citação que a licença pede"},
		{Name: "metodologia_url", Go: "Metodologia", Kind: TextOrNone, About: "página que explica os vínculos inferidos"},
		{Name: "arquivos", Go: "Arquivos", Kind: Many, Of: fileTable, About: "os arquivos lidos"},
		{Name: "faltantes", Go: "Faltantes", Kind: Texts, About: "arquivos publicados que faltaram à carga"},
		{Name: "observacoes", Go: "Observacoes", Kind: Texts, About: "o que convém saber desta carga"},
		{Name: "linhas_lidas", Go: "LinhasLidas", Kind: Count, About: "linhas lidas"},
		{Name: "linhas_carregadas", Go: "LinhasCarregadas", Kind: Count, About: "linhas carregadas"},
		{Name: "linhas_rejeitadas", Go: "LinhasRejeitadas", Kind: Count, About: "linhas que não puderam ser lidas"},
		{Name: "linhas_descartadas", Go: "LinhasDescartadas", Kind: Count, About: "linhas deixadas de fora por regra"},
	}}
}

func fileTable() Table {
	return Table{Name: "Arquivo", Title: "Arquivo", Type: "SourceFile", About: "Um arquivo publicado que foi lido.", Fields: []Field{
		{Name: "nome", Go: "Nome", Kind: Text, About: "nome do arquivo"},
		{Name: "bytes", Go: "Bytes", Kind: Count, About: "tamanho em bytes"},
		{Name: "sha256", Go: "SHA256", Kind: Text, About: "SHA-256 do arquivo"},
	}}
}

// SourcePageTable returns the table of a page of a source. Renderers append its items, total and
// next URL.
func SourcePageTable() Table {
	return Table{Name: "Pagina", Title: "Página de uma fonte", Type: "SourcePage", About: "Uma página de uma fonte.", Fields: append([]Field{
		{
			Name: "status", Go: "Status", Kind: Choice, Values: []string{"encontrado", "sem_ocorrencia", "indisponivel", "erro"},
			About: "encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); " +
				"indisponivel: a fonte não tem carga; erro: a consulta falhou",
		},
		{
			Name: "escopo", Go: "Escopo", Kind: Choice, Values: []string{"empresa", "estabelecimento"},
			About: "a que o documento foi comparado",
		},
		{Name: "documento", Go: "Documento", Kind: Text, About: "documento consultado"},
	}, loadFields("período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica")...)}
}

// SourceEntryTable returns the table of a source in the catalogue. Renderers append the number of
// its records.
func SourceEntryTable() Table {
	return Table{Name: "Fonte", Title: "Fonte no catálogo", Type: "SourceEntry", About: "Uma fonte e a carga em serviço.", Fields: append([]Field{
		{Name: "id", Go: "ID", Kind: Choice, Values: source.IDs(), About: "identificador usado em fontes/{fonte}"},
		{Name: "tema", Go: "Tema", Kind: Choice, Values: source.Themes(), About: "grupo de registros_publicos"},
		{Name: "titulo", Go: "Titulo", Kind: Text, About: "título da fonte"},
		{Name: "descricao", Go: "Descricao", Kind: Text, About: "o que a fonte traz"},
		{Name: "orgao", Go: "Orgao", Kind: Text, About: "quem publica"},
		{Name: "licenca", Go: "Licenca", Kind: Text, About: "licença dos dados"},
		{
			Name: "tipo_periodo", Go: "TipoPeriodo", Kind: Choice, Values: []string{"mes", "trimestre", "dia", "edicao", "versao"},
			About: "o que é a competência",
		},
		{
			Name: "disponibilidade", Go: "Disponibilidade", Kind: Choice, Values: []string{"disponivel", "indisponivel", "erro"},
			About: "se há carga em serviço",
		},
	}, append(loadFields("período da carga"), []Field{
		{Name: "conjunto", Go: "Conjunto", Kind: Text, About: "conjunto de dados publicado"},
		{Name: "url", Go: "URL", Kind: Text, About: "onde é publicado"},
		{Name: "periodicidade", Go: "Periodicidade", Kind: TextOrNull, About: "de quanto em quanto tempo é publicada, até onde se sabe"},
		{
			Name: "desatualizada_apos_dias", Go: "AntigaApos", Kind: Count,
			About: "dias depois do fim do período em que a carga passa a contar como desatualizada; 0 quando não se sabe",
		},
		{Name: "deixadas_de_fora", Go: "DeixadasDeFora", Kind: Many, Of: leftOutTable, About: "linhas que a carga em serviço deixou de fora, por regra"},
		{Name: "rejeitadas", Go: "Rejeitadas", Kind: Many, Of: rejectedTable, About: "linhas que a carga em serviço não pôde ler e guardou para exame, até mil, por coluna"},
		{Name: "cargas", Go: "Cargas", Kind: Many, Of: pastLoadTable, About: "as cargas que já estiveram em serviço, da mais nova à mais antiga, até cinquenta"},
	}...)...)}
}

func leftOutTable() Table {
	return Table{Name: "Regra", Title: "Linhas deixadas de fora", Type: "LeftOut", About: "Uma regra e as linhas que ela deixou fora da carga.", Fields: []Field{
		{Name: "regra", Go: "Regra", Kind: Text, About: "nome da regra"},
		{Name: "motivo", Go: "Motivo", Kind: Text, About: "a regra em palavras"},
		{Name: "linhas", Go: "Linhas", Kind: Count, About: "linhas deixadas de fora"},
	}}
}

func rejectedTable() Table {
	return Table{Name: "Rejeicao", Title: "Linhas rejeitadas", Type: "RejectedIn", About: "Linhas que não puderam ser lidas, pela coluna em que parou a leitura.", Fields: []Field{
		{Name: "coluna", Go: "Coluna", Kind: TextOrNull, About: "coluna do arquivo; null para a linha inteira"},
		{Name: "linhas", Go: "Linhas", Kind: Count, About: "linhas guardadas para exame"},
	}}
}

func pastLoadTable() Table {
	return Table{Name: "Carga", Title: "Carga", Type: "PastLoad", About: "Uma carga da fonte que está ou já esteve em serviço.", Fields: []Field{
		{Name: "competencia", Go: "Competencia", Kind: TextOrNull, About: "período da carga"},
		{Name: "carregada_em", Go: "CarregadaEm", Kind: Moment, About: "quando a carga terminou (UTC)"},
		{
			Name: "situacao", Go: "Situacao", Kind: Choice, Values: []string{LoadServed, LoadKept, LoadGone},
			About: "em_uso: em serviço agora; guardada: pode voltar; apagada: os registros não existem mais",
		},
		{Name: "vinculos_refeitos", Go: "VinculosRefeitos", Kind: YesOrNo, About: "feita de outra carga, com os vínculos a empresas mais novas"},
		{Name: "forcada", Go: "Forcada", Kind: YesOrNo, About: "o operador a publicou apesar de verificações que a recusariam"},
		{Name: "linhas_lidas", Go: "LinhasLidas", Kind: Count, About: "linhas lidas"},
		{Name: "registros", Go: "Registros", Kind: Count, About: "registros guardados"},
		{Name: "linhas_rejeitadas", Go: "LinhasRejeitadas", Kind: Count, About: "linhas que não puderam ser lidas"},
		{Name: "linhas_descartadas", Go: "LinhasDescartadas", Kind: Count, About: "linhas deixadas de fora por regra"},
	}}
}

// loadFields are the fields of SourceLoad; period describes "competencia".
func loadFields(period string) []Field {
	return []Field{
		{Name: "competencia", Go: "Competencia", Kind: TextOrNull, About: period},
		{Name: "carregada_em", Go: "CarregadaEm", Kind: Moment, About: "quando a carga terminou (UTC)"},
		{Name: "cobertura_inicio", Go: "CoberturaInicio", Kind: DayText, About: "início da cobertura"},
		{Name: "desatualizada", Go: "Desatualizada", Kind: YesOrNo, About: "a carga é antiga para o ritmo de publicação"},
		{Name: "proveniencia", Go: "Proveniencia", Kind: One, Of: ProvenanceTable, About: "de onde vieram os registros"},
	}
}
