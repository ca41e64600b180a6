package assistant

import (
	"maps"
	"slices"
	"strings"

	"razao/index/filter"
	"razao/internal/record"
	"razao/internal/source"
	"razao/internal/territory"
)

// filters reads the filters of a search. The error is a *Refusal.
func (a *Assistant) filters(q *SearchQuestion) (filter.Set, error) {
	var none filter.Set
	uf, err := a.uf(q.UF)
	if err != nil {
		return none, err
	}
	municipality, err := a.municipality(q.Municipio, uf)
	if err != nil {
		return none, err
	}
	situacao, err := oneOf("situacao", q.Situacao, map[string]string{
		"": "", "nula": record.SituacaoNula, "ativa": record.SituacaoAtiva, "suspensa": record.SituacaoSuspensa,
		"inapta": record.SituacaoInapta, "baixada": record.SituacaoBaixada,
	})
	if err != nil {
		return none, err
	}
	porte, err := oneOf("porte", q.Porte, map[string]string{
		"": "", "nao_informado": record.PorteNaoInformado, "micro": record.PorteMicro, "pequeno": record.PortePequeno,
		"demais": record.PorteDemais,
	})
	if err != nil {
		return none, err
	}
	for _, choice := range [][]string{
		{filter.HeadOffice, q.Tipo, "matriz", "filial"}, {filter.Simples, q.Simples, "sim", "nao"}, {filter.MEI, q.MEI, "sim", "nao"},
	} {
		if _, err := oneOf(choice[0], choice[1], map[string]bool{"": true, choice[2]: true, choice[3]: true}); err != nil {
			return none, err
		}
	}
	if _, known := source.Find(q.Fonte); q.Fonte != "" && !known {
		return none, refuse(Malformed, "Não existe a fonte %q. As fontes são: %s.", q.Fonte, strings.Join(source.IDs(), ", "))
	}
	if q.Capital != "" && !slices.Contains(filter.CapitalBands(), q.Capital) {
		return none, wrongFilter(&filter.Error{Field: filter.Capital, Value: q.Capital})
	}
	set := filter.Of(filter.UF, uf, filter.Municipio, municipality, filter.Situacao, situacao, filter.Porte, porte,
		filter.Natureza, strings.ReplaceAll(q.Natureza, "-", ""), filter.CNAE, strings.ToUpper(cnaePunctuation.Replace(q.CNAE)),
		filter.HeadOffice, q.Tipo, filter.Simples, q.Simples, filter.MEI, q.MEI,
		filter.YearFrom, year(q.AnoDe), filter.YearTo, year(q.AnoAte), filter.Capital, q.Capital, filter.Source, q.Fonte)
	return set, wrongFilter(set.Validate())
}

var cnaePunctuation = strings.NewReplacer(".", "", "-", "", "/", "")

// oneOf returns what a word stands for. The error is a *Refusal that lists the words.
func oneOf[T any](argument, given string, values map[string]T) (T, error) {
	value, ok := values[given]
	if !ok {
		words := slices.Sorted(maps.Keys(values))
		words = slices.DeleteFunc(words, func(word string) bool { return word == "" })
		return value, refuse(Malformed, "O argumento %s não pode ser %q. Valores possíveis: %s.", argument, given, strings.Join(words, ", "))
	}
	return value, nil
}

// uf reads two letters in any case.
func (a *Assistant) uf(given string) (string, error) {
	if given == "" {
		return "", nil
	}
	uf, ok := a.atlas.UF(strings.TrimSpace(given))
	if !ok {
		return "", refuse(Malformed, "O argumento uf não pode ser %q: envie a sigla de um estado, como SP, ou EX para o exterior.", given)
	}
	return uf.Code, nil
}

// municipality returns the tax authority's code of a municipality that is given by that code, by IBGE's, or by its name, with
// its UF where the name alone is that of several.
func (a *Assistant) municipality(given, uf string) (string, error) {
	given = strings.TrimSpace(given)
	if given == "" {
		return "", nil
	}
	m, err := a.findMunicipality(given, uf)
	return m.RFB, err
}

func (a *Assistant) findMunicipality(given, uf string) (territory.Municipality, error) {
	if m, ok := a.atlas.ByRFB(given); ok {
		return m, nil
	}
	if m, ok := a.atlas.ByIBGE(given); ok {
		return m, nil
	}
	name, state, cut := strings.Cut(given, "/")
	if cut {
		var err error
		if uf, err = a.uf(state); err != nil {
			return territory.Municipality{}, err
		}
	}
	switch towns := a.named(name, uf); len(towns) {
	case 0:
		return territory.Municipality{}, refuse(Malformed, "Não há município %q%s. Envie o nome completo com a sigla do estado, como "+
			"Campinas/SP, ou o código do IBGE (7 dígitos).", given, inUF(uf))
	case 1:
		return towns[0], nil
	default:
		var names []string
		for _, m := range towns {
			names = append(names, m.Name+"/"+m.UF)
		}
		return territory.Municipality{}, refuse(Malformed, "Há mais de um município %q: diga qual, %s.", given, strings.Join(names, ", "))
	}
}

func inUF(uf string) string {
	if uf == "" {
		return ""
	}
	return " em " + uf
}
