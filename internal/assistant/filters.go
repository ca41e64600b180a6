package assistant

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"razao/index/filter"
	"razao/internal/criteria"
	"razao/internal/snapshot"
	"razao/internal/territory"
)

// Filters are filters by their names, as package criteria knows them, with one value each or several.
type Filters url.Values

// UnmarshalJSON reads an object whose members are texts, numbers or lists of these.
func (f *Filters) UnmarshalJSON(body []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var members map[string]any
	if err := decoder.Decode(&members); err != nil {
		return err
	}
	*f = Filters{}
	for name, member := range members {
		values, several := member.([]any)
		if !several {
			values = []any{member}
		}
		for _, value := range values {
			(*f)[name] = append((*f)[name], fmt.Sprint(value))
		}
	}
	return nil
}

// filters reads the filters of a search. The error is a *Refusal.
func (a *Assistant) filters(snap *snapshot.Snapshot, q *SearchQuestion) (filter.Set, error) {
	values := url.Values{}
	for name, several := range q.Filtros {
		if criteria.Named(name) == nil {
			return filter.Set{}, refuse(Malformed, "Não existe o filtro %q. Os filtros são: %s.", name, strings.Join(filter.Names(), ", "))
		}
		values[name] = several
	}
	for name, value := range map[string]string{
		filter.UF: q.UF, filter.Municipio: q.Municipio, filter.Situacao: q.Situacao, filter.Porte: q.Porte, filter.Natureza: q.Natureza, filter.CNAE: q.CNAE,
		filter.HeadOffice: q.Tipo, filter.Simples: q.Simples, filter.MEI: q.MEI, filter.YearFrom: year(q.AnoDe), filter.YearTo: year(q.AnoAte),
		filter.Capital: q.Capital, filter.Source: q.Fonte,
	} {
		if value != "" {
			values.Add(name, value)
		}
	}
	reader, err := a.criteria()
	if err != nil {
		return filter.Set{}, err
	}
	_, set, err := reader.Read(snap, values)
	var wrong *criteria.Error
	if errors.As(err, &wrong) {
		return set, refuse(Malformed, "O argumento %s não pode ser %q. %s", wrong.Name, wrong.Given, wrong.Must)
	}
	return set, err
}

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
