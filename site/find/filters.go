package find

import (
	"strings"

	"razao/index/filter"
	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/snapshot"
	"razao/internal/source"
	"razao/site/page"
	"razao/site/wording"
)

// parameter is how visitors meet a filter: a parameter of /busca.
type parameter struct {
	name  string // of the parameter
	label string // what visitors call it
	must  string // what a value has to be, for those who wrote another
	// find looks a value up: how addresses write it and what it is called. False means that there is no such value.
	find func(rm *Room, snap *snapshot.Snapshot, given string) (value, text string, ok bool)
}

// Parameters of the year of opening, which are two for one thing.
const (
	yearFrom = filter.YearFrom
	yearTo   = filter.YearTo
)

// kindOfOffice is the parameter that tells head offices from branches. Listings take anyKind for both.
const (
	kindOfOffice = filter.HeadOffice
	anyKind      = "todos"
)

// recordsIn is the parameter of the source that has records.
const recordsIn = filter.Source

// filters are in the order in which the page shows them.
var filters = [...]parameter{
	{
		filter.UF, "Estado", "Deve ser a sigla de um estado, ou EX para o exterior.", findUF,
	},
	{
		filter.Municipio, "Município", "Deve ser o código de um município na Receita Federal, com quatro dígitos.", findMunicipality,
	},
	{
		filter.Situacao, "Situação", "Deve ser o código de uma situação cadastral, com dois dígitos.", inDomain(record.DomainSituacao),
	},
	{
		filter.Porte, "Porte", "Deve ser o código de um porte, com dois dígitos.", inDomain(record.DomainPorte),
	},
	{
		filter.CNAE, "Atividade principal", "Deve ser a letra de uma seção da CNAE ou os 2, 3, 5 ou 7 dígitos de uma divisão, grupo, classe ou subclasse.", findCNAE,
	},
	{
		filter.Natureza, "Natureza jurídica", "Deve ser o código de uma natureza jurídica, com quatro dígitos.", findNatureza,
	},
	{
		yearFrom, "Abertura", "Deve ser um ano, com quatro dígitos.", findYear,
	},
	{
		yearTo, "Abertura", "Deve ser um ano, com quatro dígitos.", findYear,
	},
	{
		filter.Capital, "Capital social", "Deve ser uma faixa: " + strings.Join(filter.CapitalBands(), ", ") + ".", findBand,
	},
	{
		kindOfOffice, "Matriz ou filial", "Deve ser matriz ou filial.", oneOf("matriz", "Matriz", "filial", "Filial"),
	},
	{
		filter.Simples, "Simples Nacional", "Deve ser sim ou nao.", oneOf("sim", "Optante", "nao", "Não optante"),
	},
	{
		filter.MEI, "MEI", "Deve ser sim ou nao.", oneOf("sim", "Optante", "nao", "Não optante"),
	},
	{
		recordsIn, "Registros públicos", "Deve ser o identificador de uma fonte: " + strings.Join(source.IDs(), ", ") + ".", findSource,
	},
}

// FilterNames returns the parameters of searches and listings that narrow them.
func FilterNames() []string {
	var names []string
	for i := range filters {
		names = append(names, filters[i].name)
	}
	return names
}

// unknown is the error of a value that the filter does not have.
func (f *parameter) unknown(given string) error {
	invalid := page.UnknownValue(f.name, given, f.must)
	invalid.What = "O filtro “" + f.label + "”"
	return invalid
}

// lookUp is find for values that the index takes, too: the tables have a few codes that no establishment may have.
func (f *parameter) lookUp(rm *Room, snap *snapshot.Snapshot, given string) (value, text string, ok bool) {
	value, text, ok = f.find(rm, snap, given)
	if !ok {
		return "", "", false
	}
	return value, text, filter.Of(f.name, value).Validate() == nil
}

func findUF(rm *Room, _ *snapshot.Snapshot, given string) (value, text string, ok bool) {
	uf, ok := rm.atlas.UF(given)
	return uf.Code, uf.Name, ok
}

func findMunicipality(rm *Room, snap *snapshot.Snapshot, given string) (value, text string, ok bool) {
	if m, ok := rm.atlas.ByRFB(given); ok {
		return given, m.Name + "/" + m.UF, true
	}
	text, ok = ptbr.Meaning(snap, record.DomainMunicipio, given)
	return given, text, ok
}

func inDomain(kind record.Domain) func(*Room, *snapshot.Snapshot, string) (value, text string, ok bool) {
	return func(_ *Room, snap *snapshot.Snapshot, given string) (value, text string, ok bool) {
		text, ok = ptbr.Meaning(snap, kind, given)
		return given, text, ok
	}
}

func findNatureza(_ *Room, snap *snapshot.Snapshot, given string) (value, text string, ok bool) {
	value = strings.ReplaceAll(given, "-", "")
	text, ok = snap.Describe(record.DomainNatureza, value)
	return value, text, ok
}

var cnaePunctuation = strings.NewReplacer(".", "", "-", "", "/", "")

func findCNAE(rm *Room, snap *snapshot.Snapshot, given string) (value, text string, ok bool) {
	value = strings.ToUpper(cnaePunctuation.Replace(given))
	if !rm.cnae.Has(value) {
		return "", "", false
	}
	switch len(value) {
	case 7:
		a := wording.ActivityOf(snap, value)
		return value, ptbr.Join(" ", a.Code, a.Text), true
	case 5:
		return value, "Classe " + value[:4] + "-" + value[4:], true
	case 3:
		return value, "Grupo " + value, true
	}
	return value, value + " " + rm.cnae[value], true
}

func findYear(_ *Room, _ *snapshot.Snapshot, given string) (value, text string, ok bool) {
	if len(given) != 4 || strings.Trim(given, "0123456789") != "" || given == "0000" {
		return "", "", false
	}
	return given, given, true
}

// bandTexts names the capital bands of the index.
var bandTexts = map[string]string{
	"0":        "Menos de R$" + ptbr.NBSP + "1",
	"1-10k":    "Até R$" + ptbr.NBSP + "10 mil",
	"10k-100k": "R$" + ptbr.NBSP + "10 mil a 100 mil",
	"100k-1m":  "R$" + ptbr.NBSP + "100 mil a 1 milhão",
	"1m-10m":   "R$" + ptbr.NBSP + "1 a 10 milhões",
	"10m-100m": "R$" + ptbr.NBSP + "10 a 100 milhões",
	"100m":     "Mais de R$" + ptbr.NBSP + "100 milhões",
}

func findBand(_ *Room, _ *snapshot.Snapshot, given string) (value, text string, ok bool) {
	text, ok = bandTexts[given]
	return given, text, ok
}

func findSource(_ *Room, _ *snapshot.Snapshot, given string) (value, text string, ok bool) {
	src, ok := source.Find(given)
	return src.ID, src.Title, ok
}

// oneOf finds the values that are given in turn with their texts.
func oneOf(pairs ...string) func(*Room, *snapshot.Snapshot, string) (value, text string, ok bool) {
	return func(_ *Room, _ *snapshot.Snapshot, given string) (value, text string, ok bool) {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == given {
				return given, pairs[i+1], true
			}
		}
		return "", "", false
	}
}
