package pncp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/ingest/rows"
	"razao/ingest/rows/rowstest"
	"razao/internal/store/registry"
)

// numbered returns a contract with a sequence of its own.
func numbered(i int) string {
	return contractWith(changes{"numeroControlePNCP": fmt.Sprintf(`"99000111000165-2-%06d/2024"`, i), "objetoContrato": `"objeto\u0020ou serviço"`})
}

// placed returns file, line and sequence of the records of the contracting body.
func placed(l *rowstest.Loaded) (all []string) {
	for _, r := range l.Records[bodies] {
		all = append(all, fmt.Sprintf("%d:%d %s", r.Where.File, r.Where.Line, strings.Split(r.Identity, "-")[2][:6]))
	}
	return all
}

func TestFiles(t *testing.T) {
	t.Parallel()
	page := func(contracts ...string) string {
		return "{\n \"data\": [\n  " + strings.Join(contracts, ",\n  ") + "\n ],\n \"totalRegistros\": 2,\n \"empty\": false\n}\n"
	}
	cases := map[string]struct {
		files map[string]string
		want  []string
	}{
		"lines": {
			map[string]string{"a.jsonl": numbered(1) + "\n" + numbered(2) + "\n"},
			[]string{"0:1 000001", "0:2 000002"},
		},
		"lines with a mark, blank lines and returns, the last one open": {
			map[string]string{"a.jsonl": "\ufeff" + numbered(1) + "\r\n\r\n \n " + numbered(2)},
			[]string{"0:1 000001", "0:4 000002"},
		},
		"several files, packed ones too": {
			map[string]string{"a.jsonl": numbered(1), "b.jsonl.gz": numbered(2) + "\n" + numbered(3), "C.JSON": page(numbered(4)), "d.json.gz": numbered(5)},
			[]string{"0:3 000004", "1:1 000001", "2:1 000002", "2:2 000003", "3:1 000005"},
		},
		"pages": {
			map[string]string{"1.json": "\ufeff" + page(numbered(1), numbered(2)), "2.json": `{"data":[],"empty":true}`, "3.json": `{"data":[` + numbered(3) + "," + numbered(4) + `]}`},
			[]string{"0:3 000001", "0:4 000002", "2:1 000003", "2:1 000004"},
		},
		"lines that are pages": {
			map[string]string{"a.jsonl": `{"data":[` + numbered(1) + "," + numbered(2) + "]}\n" + `{"totalRegistros":1,"data":[` + numbered(3) + `]}` + "\n" + numbered(4)},
			[]string{"0:1 000001", "0:1 000002", "0:2 000003", "0:3 000004"},
		},
		"control characters in a page, lines too": {
			map[string]string{"a.json": page(numbered(1), strings.Replace(numbered(2), "ou", "\n\x07", 1), numbered(3))},
			[]string{"0:3 000001", "0:4 000002", "0:6 000003"},
		},
		"an empty window": {
			map[string]string{"a.jsonl": "", "b.jsonl": numbered(1), "c.jsonl": "\n"},
			[]string{"1:1 000001"},
		},
		"beside other files": {
			map[string]string{"a.jsonl": numbered(1), "leia-me.txt": "outra coisa"},
			[]string{"0:1 000001"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := load(t, 2, tc.files)
			if err != nil {
				t.Fatal(err)
			}
			if len(l.Rejects) > 0 {
				t.Errorf("rejects: %v", l.Rejects)
			}
			if diff := gocmp.Diff(tc.want, placed(l)); diff != "" {
				t.Error(diff)
			}
			if l.Figures.Read != int64(len(tc.want)) {
				t.Errorf("%d rows read, want %d", l.Figures.Read, len(tc.want))
			}
		})
	}
}

// TestBlocks reads more lines than fit into one block, one of them longer than a block.
func TestBlocks(t *testing.T) {
	t.Parallel()
	const n = 3000
	var all []string
	for i := 1; i <= n; i++ {
		all = append(all, numbered(i))
	}
	long := strings.Repeat("texto ", 3<<20/len("texto "))
	all[n/2] = strings.Replace(all[n/2], "objeto", long, 1)
	var want []string
	for i := 1; i <= n; i++ {
		want = append(want, fmt.Sprintf("0:%d %06d", i, i))
	}
	for _, workers := range []int{1, 3} {
		l, err := load(t, workers, map[string]string{"a.jsonl": strings.Join(all, "\n")})
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(want, placed(l)); diff != "" {
			t.Errorf("%d workers: %s", workers, diff)
		}
		if got := len(l.Records[suppliers]); got != 2*n {
			t.Errorf("%d workers: %d records of suppliers, want %d", workers, got, 2*n)
		}
	}
}

func TestRejects(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ document, column, reason string }{
		"cut in a text":       {numbered(2)[:60], "categoriaProcesso", "the JSON ends early"},
		"cut at the end":      {strings.TrimSuffix(numbered(2), "}"), "", "the JSON ends early"},
		"two objects":         {numbered(2) + numbered(3), "", "there is text behind the end of the JSON object"},
		"no object":           {"99000111000165;11222333000181", "", "here should stand an object"},
		"no UTF-8":            {strings.Replace(numbered(2), "ç", "\xe7", 1), "", "the text is not UTF-8"},
		"number in quotes":    {contractWith(changes{"valorGlobal": `"7056"`}), "valorGlobal", "is a text, expected a number"},
		"text as number":      {contractWith(changes{"niFornecedor": `11222333000181`}), "niFornecedor", "is a number, expected a text"},
		"flag as text":        {contractWith(changes{"receita": `"false"`}), "receita", "is a text, expected true or false"},
		"list":                {contractWith(changes{"objetoContrato": `["a"]`}), "objetoContrato", "is an array, expected a text"},
		"text as object":      {contractWith(changes{"tipoContrato": `"Empenho"`}), "tipoContrato", "is a text, expected an object"},
		"part of an object":   {contractWith(changes{"tipoContrato": `{"id":"7"}`}), "tipoContrato", "id: is a text, expected a number"},
		"no control number":   {contractWith(changes{"numeroControlePNCP": ""}), "numeroControlePNCP", "is no control number of a contract, which is CNPJ-2-SEQUENCE/YEAR"},
		"a procurement":       {contractWith(changes{"numeroControlePNCP": `"99000111000165-1-000035/2024"`}), "numeroControlePNCP", "is no control number of a contract, which is CNPJ-2-SEQUENCE/YEAR"},
		"an error of the API": {`{"message":"Erro interno","data":null}`, "numeroControlePNCP", "is no control number of a contract, which is CNPJ-2-SEQUENCE/YEAR"},
		"part of a page":      {`{"data":[null]}`, "data", "here should stand an object"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := lines(t, numbered(1), "", tc.document, numbered(4))
			raw := tc.document
			if name == "part of a page" {
				raw = "null"
			}
			want := []registry.Reject{{File: "pncp.jsonl", Line: 3, Column: tc.column, Reason: tc.reason, Raw: []byte(raw)}}
			if diff := gocmp.Diff(want, l.Rejects); diff != "" {
				t.Error(diff)
			}
			if diff := gocmp.Diff([]string{"0:1 000001", "0:4 000004"}, placed(l)); diff != "" {
				t.Error(diff)
			}
			figures := &rows.Figures{Read: 3, Rejected: 1, Dropped: map[string]int64{}, Marked: map[string]int64{}}
			if diff := gocmp.Diff(figures, l.Figures); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestRejectInAPage keeps one contract of a page aside and reads the others.
func TestRejectInAPage(t *testing.T) {
	t.Parallel()
	bad := contractWith(changes{"anoContrato": `"2024"`})
	l, err := load(t, 1, map[string]string{"a.json": "{\"data\":[" + numbered(1) + ",\n" + bad + ",\n" + numbered(3) + "]}"})
	if err != nil {
		t.Fatal(err)
	}
	want := []registry.Reject{{File: "a.json", Line: 2, Column: "anoContrato", Reason: "is a text, expected a number", Raw: []byte(bad)}}
	if diff := gocmp.Diff(want, l.Rejects); diff != "" {
		t.Error(diff)
	}
	if diff := gocmp.Diff([]string{"0:1 000001", "0:3 000003"}, placed(l)); diff != "" {
		t.Error(diff)
	}
}

func TestRefusedFiles(t *testing.T) {
	t.Parallel()
	page := "{\n\"data\": [" + numbered(1) + ",\n" + numbered(2)
	cases := map[string]struct {
		files map[string]string
		want  []string
	}{
		"page cut":            {map[string]string{"p1.json": page}, []string{"p1.json line 3", "data: the JSON ends early", "fetch it again"}},
		"page cut in a line":  {map[string]string{"a.jsonl": numbered(1) + "\n" + strings.ReplaceAll(page, "\n", "")}, []string{"a.jsonl line 2", "data: the JSON ends early", "fetch it again"}},
		"page cut behind":     {map[string]string{"a.jsonl": `{"data":[` + numbered(1) + `],"totalReg`}, []string{"a.jsonl line 1", "the JSON ends early", "fetch it again"}},
		"lines named as page": {map[string]string{"a.json": numbered(1) + "\n" + numbered(2)}, []string{"a.json line 2", "behind the end"}},
		"other files":         {map[string]string{"contratos.csv": "a;b", "x.zip.part": "c"}, []string{"*.jsonl.gz", "contratos.csv, x.zip.part"}},
		"endless page":        {map[string]string{"a.json": strings.Repeat(" ", maxPage+1)}, []string{"a.json", "67108864 bytes"}},
		"endless line":        {map[string]string{"a.jsonl": strings.Repeat(" ", maxPage+1)}, []string{"a.jsonl line 1", "more than 4 MiB"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := load(t, 2, tc.files)
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range tc.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not say %q", err, want)
				}
			}
		})
	}
}

func TestFacts(t *testing.T) {
	t.Parallel()
	dated := func(published, updated, global string) string {
		return contractWith(changes{"dataPublicacaoPncp": published, "dataAtualizacao": updated, "dataAtualizacaoGlobal": global})
	}
	cases := map[string]struct {
		contracts []string
		want      rows.Facts
	}{
		"global update": {
			[]string{dated(`"2024-08-14T09:49:03"`, `"2024-09-01T00:00:00"`, `"2025-01-31T23:59:59"`), dated(`"2023-01-02T00:00:03"`, `"2024-10-01T00:00:00"`, `null`)},
			rows.Facts{Coverage: "2023-01-02", Period: "2025-01"},
		},
		"update only": {
			[]string{dated(`"2024-08-14T09:49:03"`, `"2024-09-01T00:00:00"`, `null`), dated(`null`, `"2024-10-01T00:00:00"`, `null`)},
			rows.Facts{Coverage: "2024-08-14", Period: "2024-10"},
		},
		"no dates": {[]string{dated(`null`, `""`, `null`)}, rows.Facts{}},
		"strange":  {[]string{dated(`"14/08/2024"`, `"ontem, às 10h"`, `null`)}, rows.Facts{}},
		"rejected": {[]string{contractWith(changes{"dataPublicacaoPncp": `"2020-01-01T00:00:00"`, "anoContrato": `"x"`}), numbered(1)}, rows.Facts{Coverage: "2024-08-14", Period: "2024-08"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := gocmp.Diff(tc.want, lines(t, tc.contracts...).Facts); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestUnfinishedDownloadIsNoted(t *testing.T) {
	t.Parallel()
	l, err := load(t, 1, map[string]string{"pncp_contratos_2026-01-01_2026-01-05.jsonl": numbered(1), "pncp_contratos_2026-01-06_2026-01-10.jsonl.incomplete": numbered(2)})
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Facts.Notes) != 1 || !strings.Contains(l.Facts.Notes[0], "download não estava completo") {
		t.Errorf("notes: %q", l.Facts.Notes)
	}
	if got := placed(l); !slices.Equal(got, []string{"0:1 000001"}) {
		t.Errorf("records: %q", got)
	}
}
