package term

import "testing"

func TestLegalForms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, end, start string
		atEnd, atStart   int
	}{
		{name: "Padaria Aurora Limitada", end: "ltda", atEnd: 1},
		{name: "Padaria Aurora Sociedade Anônima", end: "sa", atEnd: 2},
		{name: "Siemens Aktiengesellschaft", end: "ag", atEnd: 1},
		{name: "Siemens Aktiengeselschaft", end: "ag", atEnd: 1},
		{name: "Volkswagen Gesellschaft mit beschränkter Haftung", end: "gmbh", atEnd: 4},
		{name: "Lloyds Public Limited Company", end: "plc", atEnd: 3},
		{name: "Samsung Co., Ltd.", end: "co ltd", atEnd: 2},
		{name: "Bowne S.A. de C.V.", end: "sa de cv", atEnd: 3},
		{name: "Faberlic Sp. z o.o.", end: "sp zoo", atEnd: 2},
		{name: "OAO Gazprom", start: "jsc", atStart: 1},
		{name: "Societatea cu Răspundere Limitată Pro Traffic", start: "srl", atStart: 4},
		{name: "Spa do Corpo"},
		{name: "AB Construções"},
		{name: "Ao Mestre do Pão"},
		{name: "Aurora"},
		{name: ""},
	} {
		words := Words(c.name)
		end, atEnd := LegalFormAtEnd(words)
		start, atStart := LegalFormAtStart(words)
		if end.Text != c.end || atEnd != c.atEnd || start.Text != c.start || atStart != c.atStart {
			t.Errorf("%s: %q of %d words at its end, %q of %d at its start", c.name, end.Text, atEnd, start.Text, atStart)
		}
	}
}
