package assistant

import (
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"razao/index/filter"
	"razao/internal/data/territory"
	"razao/internal/store/snapshot"
)

// Filters holds search filters as entered, by their names in package filter.
type Filters url.Values

// UnmarshalJSON implements json.Unmarshaler. It picks the known filters from an object and ignores
// other members. A value is a string, a number, or a list of them; null means absent, and any other is a
// *json.UnmarshalTypeError.
func (f *Filters) UnmarshalJSON(body []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		return err
	}
	*f = Filters{}
	for name, member := range members {
		if filter.Named(name) == nil {
			continue
		}
		var values []json.RawMessage
		if json.Unmarshal(member, &values) != nil {
			values = []json.RawMessage{member}
		}
		for _, value := range values {
			var text string
			var number json.Number
			switch {
			case json.Unmarshal(value, &text) == nil:
			case json.Unmarshal(value, &number) == nil:
				text = number.String()
			default:
				return &json.UnmarshalTypeError{Value: "object", Type: reflect.TypeFor[string](), Field: name}
			}
			(*f)[name] = append((*f)[name], text)
		}
	}
	return nil
}

// filters parses search filters. An invalid value is a *Refusal that says what is valid.
func (a *Assistant) filters(snap *snapshot.Snapshot, given Filters) (filter.Set, error) {
	reader, err := a.live.Filters()
	if err != nil {
		return filter.Set{}, err
	}
	_, set, err := reader.Read(snap, url.Values(given))
	var wrong *filter.ReadError
	if errors.As(err, &wrong) {
		return set, refuse(Malformed, "O argumento %s não pode ser %q. %s", wrong.Name, wrong.Given, wrong.Must)
	}
	return set, err
}

// oneOf returns the value of an enum argument; values may have "" as the default. The error is a
// *Refusal that lists the valid words.
func oneOf[T any](argument, given string, values map[string]T) (T, error) {
	value, ok := values[given]
	if !ok {
		words := slices.Sorted(maps.Keys(values))
		words = slices.DeleteFunc(words, func(word string) bool { return word == "" })
		return value, refuse(Malformed, "O argumento %s não pode ser %q. Valores possíveis: %s.", argument, given, strings.Join(words, ", "))
	}
	return value, nil
}

// uf parses the code of a UF in any case; "" stays "". The error is a *Refusal.
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

// municipality finds a municipality by name or code, within a UF unless that is "". An unknown or
// ambiguous name is a *Refusal.
func (a *Assistant) municipality(given, uf string) (territory.Municipality, error) {
	reader, err := a.live.Filters()
	if err != nil {
		return territory.Municipality{}, err
	}
	m, several, ok := reader.Municipality(given, uf)
	switch {
	case ok:
		return m, nil
	case len(several) > 0:
		return m, refuse(Malformed, "Há mais de um município %q: diga qual, %s.", given, strings.Join(several, ", "))
	}
	return m, refuse(Malformed, "Não há município %q%s. Envie o nome completo com a sigla do estado, como Campinas/SP, ou o código do IBGE "+
		"(7 dígitos).", given, inUF(uf))
}

func inUF(uf string) string {
	if uf == "" {
		return ""
	}
	return " em " + uf
}
