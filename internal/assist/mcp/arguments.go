package mcp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"razao/internal/assist/assistant"
)

// decode unmarshals the arguments of a call; unknown names are errors, so that a misspelt filter is
// not ignored. The error is an *assistant.Refusal whose text helps the model to correct the call.
func decode(arguments json.RawMessage, schema *jsonschema.Schema, in any) error {
	if len(bytes.TrimSpace(arguments)) == 0 {
		return nil
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(arguments, &given); err != nil {
		return malformed("Os argumentos devem ser um objeto JSON.")
	}
	var unknown []string
	for name, value := range given {
		if property := schema.Properties[name]; property == nil {
			unknown = append(unknown, name)
		} else {
			given[name] = coerced(value, property)
			if err := outOfBounds(name, given[name], property); err != nil {
				return err
			}
		}
	}
	if len(unknown) > 0 {
		return malformed(fmt.Sprintf("Argumento desconhecido: %s. Os argumentos são: %s.",
			shortenedTo(slices.Min(unknown), 60), cmp.Or(strings.Join(schema.PropertyOrder, ", "), "nenhum")))
	}
	whole, err := json.Marshal(given)
	if err == nil {
		err = json.Unmarshal(whole, in)
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return malformed(fmt.Sprintf("O argumento %s deve ser %s.", wrong.Field, typeName(schema.Properties[wrong.Field])))
	} else if err != nil {
		return malformed("Não foi possível ler os argumentos.")
	}
	return nil
}

// outOfBounds refuses a whole number below or above what its schema allows.
func outOfBounds(name string, value json.RawMessage, schema *jsonschema.Schema) error {
	var n float64
	switch {
	case schema.Type != "integer" || json.Unmarshal(value, &n) != nil || schema.Minimum == nil || schema.Maximum == nil:
		return nil
	case n < *schema.Minimum || n > *schema.Maximum:
		return malformed(fmt.Sprintf("O argumento %s deve ser um número inteiro de %v a %v.", name, *schema.Minimum, *schema.Maximum))
	}
	return nil
}

func malformed(text string) error {
	return &assistant.Refusal{Kind: assistant.Malformed, Text: text}
}

// shortenedTo truncates client input to at most longest characters before it is echoed.
func shortenedTo(sent string, longest int) string {
	runes := []rune(sent)
	return string(runes[:min(len(runes), longest)])
}

// typeName names the type of an argument in Portuguese.
func typeName(argument *jsonschema.Schema) string {
	switch argument.Type {
	case "integer":
		return "um número inteiro"
	case "number":
		return "um número"
	case "boolean":
		return "true ou false"
	case "array":
		return "uma lista de textos"
	}
	return "um texto"
}

// integerText matches whole numbers. 1.000 is not one: it may mean a thousand.
var integerText = regexp.MustCompile(`^-?[0-9]+$`)

// coerced returns the value of an argument with the type of its schema if it can mean one thing only: models
// quote numbers and booleans, send numbers where a text has digits, and one value for a list of one. Any other
// value is returned as it is.
func coerced(value json.RawMessage, schema *jsonschema.Schema) json.RawMessage {
	var given any
	decoder := json.NewDecoder(bytes.NewReader(value))
	decoder.UseNumber()
	if decoder.Decode(&given) != nil {
		return value
	}
	if slices.Contains(schema.Enum, any("sim")) {
		given = yesOrNo(given)
	}
	switch schema.Type {
	case "string":
		given = asText(given)
	case "integer":
		given = asInteger(given)
	case "boolean":
		given = asBoolean(given)
	case "array":
		given = asTexts(given)
	}
	body, err := json.Marshal(given)
	if err != nil {
		return value
	}
	return body
}

// asText turns a whole number, as of a CNPJ without punctuation, into its digits.
func asText(given any) any {
	if number, ok := given.(json.Number); ok && integerText.MatchString(number.String()) {
		return number.String()
	}
	return given
}

// asInteger turns digits in a text, and numbers without a fraction such as 5.0, into a whole number.
func asInteger(given any) any {
	switch v := given.(type) {
	case string:
		if n, err := strconv.ParseInt(strings.TrimSpace(v), 10, 64); err == nil {
			return n
		}
	case json.Number:
		if n, err := v.Float64(); err == nil && n == math.Trunc(n) && math.Abs(n) < 1<<53 {
			return int64(n)
		}
	}
	return given
}

// asBoolean turns the words for true and false into them.
func asBoolean(given any) any {
	switch yesOrNo(given) {
	case "sim":
		return true
	case "nao":
		return false
	}
	return given
}

// yesOrNo returns "sim" or "nao" for true and false and the words for them.
func yesOrNo(given any) any {
	word, ok := given.(string)
	if !ok {
		word = fmt.Sprint(given)
	}
	switch strings.ToLower(strings.TrimSpace(word)) {
	case "true", "sim":
		return "sim"
	case "false", "nao", "não":
		return "nao"
	}
	return given
}

// asTexts turns one value into a list of one, a list that was encoded twice into a list, and each element into
// a text.
func asTexts(given any) any {
	if text, ok := given.(string); ok {
		var list []any
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		if decoder.Decode(&list) == nil && !decoder.More() {
			given = list
		}
	}
	switch v := given.(type) {
	case string, json.Number:
		return []any{asText(v)}
	case []any:
		for i := range v {
			v[i] = asText(v[i])
		}
		return v
	}
	return given
}
