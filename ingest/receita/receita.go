// Package receita reads the tax authority's monthly release "Dados Abertos CNPJ": 37 files of one table each, headerless
// CSV in ISO-8859-1, zipped or extracted. It turns their rows into clean records, keeps aside the rows that cannot be
// read, and refuses a release that is incomplete or has another layout. It stores nothing.
package receita

import (
	"errors"
	"fmt"
	"strings"
)

// Release is one month found in a folder.
type Release struct {
	Month   string // AAAA-MM
	Files   []File // in the order of the release
	Missing []string
	// Fictional is true when the folder holds FictionalMark: the release was invented and must be shown as such.
	Fictional bool
}

// FictionalMark is the file beside the zips by which an invented release says so.
const FictionalMark = "DADOS-FICTICIOS.txt"

// File is one file of a release.
type File struct {
	Name  string // Estabelecimentos0.zip, also when it was found extracted
	Path  string
	Table Table
}

// Table is one of the tables of a release.
type Table int

// The tables of a release.
const (
	Companies Table = iota
	Establishments
	Partners
	SimplesOptions
	CNAEs
	Motivos
	Municipios
	Naturezas
	Paises
	Qualificacoes
)

// layout describes the files of a table.
type layout struct {
	zip     string // name of the zip without number and ending
	parts   int    // 0: one file without a number
	member  string // part of the name of the member inside, upper case
	columns []string
}

var domainColumns = []string{"codigo", "descricao"}

// layouts returns the description of every table, by Table.
func layouts() [10]layout {
	return [...]layout{
		Companies: {"Empresas", 10, "EMPRECSV", []string{
			"cnpj_basico", "razao_social", "natureza_juridica", "qualificacao_responsavel", "capital_social",
			"porte_empresa", "ente_federativo_responsavel",
		}},
		Establishments: {"Estabelecimentos", 10, "ESTABELE", []string{
			"cnpj_basico", "cnpj_ordem", "cnpj_dv", "identificador_matriz_filial", "nome_fantasia", "situacao_cadastral",
			"data_situacao_cadastral", "motivo_situacao_cadastral", "nome_cidade_exterior", "pais",
			"data_inicio_atividade", "cnae_fiscal_principal", "cnae_fiscal_secundaria", "tipo_logradouro", "logradouro",
			"numero", "complemento", "bairro", "cep", "uf", "municipio", "ddd_1", "telefone_1", "ddd_2", "telefone_2",
			"ddd_fax", "fax", "correio_eletronico", "situacao_especial", "data_situacao_especial",
		}},
		Partners: {"Socios", 10, "SOCIOCSV", []string{
			"cnpj_basico", "identificador_socio", "nome_socio", "cnpj_cpf_socio", "qualificacao_socio",
			"data_entrada_sociedade", "pais", "representante_legal", "nome_representante",
			"qualificacao_representante_legal", "faixa_etaria",
		}},
		SimplesOptions: {"Simples", 0, "SIMPLES", []string{
			"cnpj_basico", "opcao_pelo_simples", "data_opcao_pelo_simples", "data_exclusao_simples", "opcao_pelo_mei",
			"data_opcao_pelo_mei", "data_exclusao_mei",
		}},
		CNAEs:         {"Cnaes", 0, "CNAECSV", domainColumns},
		Motivos:       {"Motivos", 0, "MOTICSV", domainColumns},
		Municipios:    {"Municipios", 0, "MUNICCSV", domainColumns},
		Naturezas:     {"Naturezas", 0, "NATJUCSV", domainColumns},
		Paises:        {"Paises", 0, "PAISCSV", domainColumns},
		Qualificacoes: {"Qualificacoes", 0, "QUALSCSV", domainColumns},
	}
}

// String returns the name that the release gives the table.
func (t Table) String() string { return layouts()[t].zip }

// isDomain says whether the table holds codes and descriptions.
func (t Table) isDomain() bool { return t >= CNAEs }

// ErrIncomplete is the error of a release that lacks files.
var ErrIncomplete = errors.New("incomplete release")

// IncompleteError names the files that a release lacks.
type IncompleteError struct {
	Month   string
	Where   string
	Missing []string
}

func (e *IncompleteError) Error() string {
	return fmt.Sprintf("release %s in %s is incomplete: %d of 37 files are missing (%s); complete it, or load what is there with --partial",
		e.Month, e.Where, len(e.Missing), abbreviate(e.Missing))
}

// Unwrap makes the error an ErrIncomplete.
func (e *IncompleteError) Unwrap() error { return ErrIncomplete }

func abbreviate(names []string) string {
	const most = 6
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}
