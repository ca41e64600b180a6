package record

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write internal/store/render/rows.go")

// openTables are rendered without the closing brace, because callers append fields.
var openTables = map[string]bool{"Company": true, "SourcePage": true, "SourceEntry": true, "Change": true}

// TestRenderFollowsFromTheTables generates the appenders of package render from the tables and
// compares them with the file; -update writes it. The code is generated because a loop over getters
// takes 17 to 20 % longer and makes rows escape to the heap.
func TestRenderFollowsFromTheTables(t *testing.T) {
	const path = "../../store/render/rows.go"
	var g generator
	g.line(`// Code generated from the tables of package record by go generate; DO NOT EDIT.

package render

import (
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
)`)
	for _, table := range Tables() {
		g.table(&table)
	}
	want, err := format.Source(g.Bytes())
	if err != nil {
		t.Fatalf("%v\n%s", err, g.Bytes())
	}
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("run `go generate ./internal/data/record` (-want +got):\n%s", diff)
	}
}

// generator emits one appender per table.
type generator struct {
	bytes.Buffer
}

func (g *generator) line(text string, values ...any) {
	fmt.Fprintf(&g.Buffer, text+"\n", values...)
}

func (g *generator) table(t *Table) {
	receiver, root, ends := "", "", ""
	described := t.Described()
	if len(described) > 0 {
		receiver = "(r *Renderer) "
	}
	if t.Fields[0].Kind == Root {
		root = ", root cnpj.Root"
	}
	closing := "}"
	if openTables[t.Type] {
		ends, closing = " without its last brace, for what else belongs inside", ""
	}
	g.line("\n// Append%s appends the object %s%s.", t.Type, t.Name, ends)
	g.line("func %sAppend%s(dst []byte%s, v *record.%s) []byte {", receiver, t.Type, root, t.Type)
	for i, f := range t.Fields {
		g.field(&f, []string{`{`, `,`}[min(i, 1)]+`"`+f.Name+`":`)
	}
	for i, f := range described {
		g.description(&f, []string{`,"descricoes":{`, `,`}[min(i, 1)]+`"`+f.Name+`":`)
	}
	if len(described) > 0 {
		closing = "}" + closing
	}
	switch closing {
	case "":
		g.line("return dst\n}")
	case "}":
		g.line("return append(dst, '}')\n}")
	default:
		g.line("return append(dst, \"%s\"...)\n}", closing)
	}
}

func (g *generator) field(f *Field, key string) {
	simple := map[Kind]string{
		Text: "Text", Code: "Text", Choice: "Text", TextOrNull: "TextOrNull", DayText: "TextOrNull", TextOrNone: "TextOrNone",
		Day: "Date", Moment: "Time", Amount: "Cents", YesOrNo: "Flag", Count: "Int",
	}
	if appender := simple[f.Kind]; appender != "" {
		g.line("dst = Append%s(dst, `%s`, v.%s)", appender, key, f.Go)
		return
	}
	switch f.Kind {
	case CNPJ:
		g.line("dst, number := appendNumber(dst, `%s`, v.%s)", key, f.Go)
	case Root:
		if strings.HasPrefix(key, "{") {
			g.line("dst = appendRoot(dst, `%s`, root)", key)
		} else {
			g.line("dst = appendPart(dst, `%s`, number[:8])", key)
		}
	case Order:
		g.line("dst = appendPart(dst, `%s`, number[8:12])", key)
	case CheckDigits:
		g.line("dst = appendPart(dst, `%s`, number[12:])", key)
	case IBGECode:
		g.line("dst = AppendText(dst, `%s`, r.ibge(v.%s))", key, f.Go)
	case Codes:
		g.line("dst = appendCodes(dst, `%s[`, v.%s)", key, f.Go)
	case Texts:
		g.line("dst = appendTexts(dst, `%s[`, v.%s)", key, f.Go)
	case One:
		of := f.Of()
		g.line("if dst = append(dst, `%s`...); v.%s == nil {\ndst = append(dst, \"null\"...)\n} else {\ndst = Append%s(dst, v.%s)\n}", key, f.Go, of.Type, f.Go)
	case Many:
		of := f.Of()
		g.line("dst = append(dst, `%s[`...)", key)
		g.line("for i := range v.%s {\ndst = Append%s(AppendComma(dst, i), &v.%s[i])\n}", f.Go, of.Type, f.Go)
		g.line("dst = append(dst, ']')")
	default:
		panic("a kind that cannot be rendered: " + f.Kind)
	}
}

func (g *generator) description(f *Field, key string) {
	if f.Kind == Codes {
		g.line("dst = r.appendMeanings(dst, `%s{`, %q, v.%s)", key, f.Domain, f.Go)
	} else {
		g.line("dst = r.AppendMeaning(dst, `%s`, %q, v.%s)", key, f.Domain, f.Go)
	}
}

// TestTablesAreComplete: each table has the fields of its struct, in the same (published) order.
func TestTablesAreComplete(t *testing.T) {
	t.Parallel()
	rows := map[string]any{
		"Company": Company{}, "Establishment": Establishment{}, "Partner": Partner{}, "Simples": Simples{},
		"Provenance": Provenance{}, "SourceFile": SourceFile{}, "SourcePage": SourcePage{}, "SourceEntry": SourceEntry{}, "PastLoad": PastLoad{}, "LeftOut": LeftOut{}, "RejectedIn": RejectedIn{},
		"Change": Change{}, "ChangedPartner": ChangedPartner{}, "Coverage": Coverage{}, "AnnouncedLoad": AnnouncedLoad{}, "Gap": Gap{}, "FailedLoad": FailedLoad{}, "WithdrawnLoad": WithdrawnLoad{},
		"NetworkMember": NetworkMember{}, "NetworkOmission": NetworkOmission{},
	}
	for _, table := range Tables() {
		var got, want []string
		for _, f := range table.Fields {
			if f.Go != "" && f.Kind != IBGECode {
				got = append(got, f.Go)
			}
		}
		for _, f := range reflect.VisibleFields(reflect.TypeOf(rows[table.Type])) {
			if !f.Anonymous {
				want = append(want, f.Name)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-struct +table):\n%s", table.Type, diff)
		}
	}
}

// TestHiddenContactIsWhatIsPersonal: ClearContact clears exactly the fields declared Personal.
func TestHiddenContactIsWhatIsPersonal(t *testing.T) {
	t.Parallel()
	var e Establishment
	row := reflect.ValueOf(&e).Elem()
	for i := range row.NumField() {
		if f := row.Field(i); f.Kind() == reflect.String {
			f.SetString("x")
		}
	}
	e.ClearContact()
	for _, f := range EstablishmentTable().Fields {
		if f.Go == "" || row.FieldByName(f.Go).Kind() != reflect.String {
			continue
		}
		if hidden := row.FieldByName(f.Go).String() == ""; hidden != f.Personal {
			t.Errorf("%s: hidden %v, personal %v", f.Name, hidden, f.Personal)
		}
	}
}
