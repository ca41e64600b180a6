package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"razao/index"
)

func TestParseTimer(t *testing.T) {
	t.Parallel()
	got, ok := parseTimer("Run Time: real 0.001 user 0.000192 sys 0.000008")
	if want := 200 * time.Microsecond; !ok || got.Round(time.Microsecond) != want {
		t.Errorf("parseTimer = %s, %t; want %s", got, ok, want)
	}
	for _, row := range []string{"", "42", "Run Time: real x"} {
		if _, ok := parseTimer(row); ok {
			t.Errorf("%q was taken for the timer", row)
		}
	}
}

func TestRivalQueryAsSQL(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		query rivalQuery
		want  string
		args  []any
	}{
		{
			"words, beginning and place",
			rivalQuery{words: []string{"pao", "mel"}, prefix: "ca", filters: index.Filters{Municipio: "7107"}, own: index.Query{Limit: 20}},
			"SELECT cnpj FROM side_by_side.establishment WHERE palavras @@ to_tsquery('simple', $1) AND municipio = $2 " +
				"ORDER BY rank LIMIT 20 OFFSET 0",
			[]any{"pao & mel & ca:*", "7107"},
		},
		{
			"partner",
			rivalQuery{words: []string{"ana"}, partner: true, own: index.Query{Limit: 5}},
			"SELECT cnpj FROM side_by_side.establishment WHERE socios @@ to_tsquery('simple', $1) ORDER BY rank LIMIT 5 OFFSET 0",
			[]any{"ana"},
		},
		{
			"beginning of a name",
			rivalQuery{start: "100%_", own: index.Query{Limit: 10}},
			"SELECT cnpj FROM side_by_side.establishment WHERE nome LIKE $1 ORDER BY rank LIMIT 10 OFFSET 0",
			[]any{`100\%\_%`},
		},
		{
			"typing error",
			rivalQuery{similar: "pdaria", own: index.Query{Limit: 20}},
			"SELECT cnpj FROM side_by_side.establishment WHERE nome % $1 ORDER BY similarity(nome, $1) DESC, rank LIMIT 20 OFFSET 0",
			[]any{"pdaria"},
		},
		{
			"listing",
			rivalQuery{filters: index.Filters{UF: "SP"}, own: index.Query{Order: index.ByCapital, Offset: 40, Limit: 20}},
			"SELECT cnpj FROM side_by_side.establishment WHERE uf = $1 ORDER BY capital DESC, rank LIMIT 20 OFFSET 40",
			[]any{"SP"},
		},
		{
			"total",
			rivalQuery{words: []string{"pao"}, counting: countTotal},
			"SELECT count(*) FROM (SELECT 1 FROM side_by_side.establishment WHERE palavras @@ to_tsquery('simple', $1) LIMIT 10001) AS counted",
			[]any{"pao"},
		},
		{
			"counts",
			rivalQuery{words: []string{"pao"}, counting: countByUF},
			"SELECT uf, count(*) FROM side_by_side.establishment WHERE palavras @@ to_tsquery('simple', $1) GROUP BY uf",
			[]any{"pao"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, args := test.query.sql()
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("query (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.args, args); diff != "" {
				t.Errorf("arguments (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMatchExpression(t *testing.T) {
	t.Parallel()
	q := rivalQuery{words: []string{"pao"}, filters: index.Filters{UF: "SP", CNAE: "1091102"}}
	got := matchExpression(append(q.filterWords(), q.words...), "ca")
	if want := `"zzcnae1091102" AND "zzufsp" AND "pao" AND "ca" *`; got != want {
		t.Errorf("expression is %s, want %s", got, want)
	}
	if got := matchExpression(nil, ""); got != "" {
		t.Errorf("nothing to search for is %q, want nothing", got)
	}
}

// TestRivalWordsAreHarmless holds what the text of a statement for sqlite3 relies on.
func TestRivalWordsAreHarmless(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"D'ÁGUA S/A; DROP TABLE x", "a\"b", "x\ny", "O' %_*:&|!"} {
		words := append(plainWords(text), lettersOf(text))
		for _, word := range words {
			if strings.ContainsAny(word, "'\"\n;%_*:&|! ") {
				t.Errorf("%q gives the word %q", text, word)
			}
		}
	}
}

func TestImportance(t *testing.T) {
	t.Parallel()
	docs := []index.Doc{
		{CNPJ: 1, SituacaoCadastral: "08", HeadOffice: true, PorteEmpresa: "05"},
		{CNPJ: 2, SituacaoCadastral: "02", PorteEmpresa: "05"},
		{CNPJ: 3, SituacaoCadastral: "02", HeadOffice: true, Capital: 1},
		{CNPJ: 4, SituacaoCadastral: "02", HeadOffice: true, Capital: 2},
		{CNPJ: 5, SituacaoCadastral: "02", HeadOffice: true, PorteEmpresa: "05"},
	}
	slices.SortFunc(docs, byImportance)
	var got []int
	for _, d := range docs {
		got = append(got, int(d.CNPJ))
	}
	if want := []int{5, 4, 3, 2, 1}; !slices.Equal(got, want) {
		t.Errorf("order is %v, want %v", got, want)
	}
}

func TestRivalKindsAskAllAlike(t *testing.T) {
	t.Parallel()
	r := dice()
	for _, kind := range invented3(t).rivalKinds() {
		q := kind.next(r)
		asked := len(q.words) > 0 || q.prefix != "" || q.start != "" || q.similar != "" || q.filters != (index.Filters{})
		if !asked || (q.own.Text == "" && q.own.Filters == (index.Filters{})) {
			t.Errorf("%s asks us for %+v and the others for %+v, want something of all", kind.name, q.own, q)
		}
	}
}

func TestRivalsReport(t *testing.T) {
	t.Parallel()
	run := func(ms int) *rivalRun {
		return &rivalRun{took: latencies{time.Duration(ms) * time.Millisecond}, cpu: time.Millisecond, found: 1}
	}
	v := &rivals{
		docs:    10,
		engines: []*built{{name: "Razão", bytes: 100, used: 2 * time.Second}, {name: "Other", bytes: 250, used: time.Second}},
		missing: []string{"a tool: install it"},
		kinds:   []string{"words", "typing error"},
		runs:    [][]*rivalRun{{run(2), run(5)}, {run(2), nil}},
	}
	v.runs[0][1].late = 1
	p := &page{}
	v.section(p)
	got := strings.Join(strings.Fields(p.text.String()), " ")
	for _, want := range []string{
		"Not there: a tool: install it.", "| 0.5 × | 2.5 × |",
		"words | 2.000 / 2.000 | 5.000 / 5.000 (1 given up) | 2.5 × | 2.5 × |",
		"typing error | 2.000 / 2.000 | cannot | | |",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the report lacks %q:\n%s", want, p.text.String())
		}
	}
}
