package compare

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJudge(t *testing.T) {
	t.Parallel()
	page := func(status int, body string, headers ...string) answer {
		a := answer{status: status, header: http.Header{}, body: []byte(body)}
		for i := 0; i < len(headers); i += 2 {
			a.header.Set(headers[i], headers[i+1])
		}
		return a
	}
	for _, test := range []struct {
		name          string
		path          string
		before, after answer
		want          []string // where and opinion
	}{
		{"the same", "/", page(200, "a", "Date", "1", "ETag", "x"), page(200, "a", "Date", "2", "ETag", "x"), nil},
		{"status", "/", page(200, "a"), page(404, "b"), []string{"status"}},
		{"header", "/", page(200, "a", "Vary", "x"), page(200, "a", "Vary", "y"), []string{"Vary"}},
		{"header is new", "/", page(200, "a"), page(200, "a", "Link", "y"), []string{"Link"}},
		{"volatile header is gone", "/", page(200, "a", "X-RateLimit-Reset", "1"), page(200, "a"), []string{"X-Ratelimit-Reset"}},
		{"tag of the same body", "/", page(200, "a", "ETag", "x"), page(200, "a", "ETag", "y"), []string{"Etag"}},
		{
			"body, with all that follows from it", "/", page(200, "a b", "ETag", "x", "Content-Length", "3"),
			page(200, "a c!", "ETag", "y", "Content-Length", "4"),
			[]string{"body"},
		},
		{"markup", "/", page(200, "<b>a</b> b"), page(200, "<i>a</i>\n b"), []string{"body, same words, other markup"}},
		{"order of JSON", "/", page(200, `{"a":1.0,"b":2}`), page(200, `{"b":2,"a":1.0}`), []string{"body, same values, other order or spelling"}},
		{"digits of JSON", "/", page(200, `{"a":1.0}`), page(200, `{"a":1.00}`), []string{"body, a, other values"}},
		{
			"build", "/health", page(200, `{"versao":"a"}`, "Content-Length", "14"), page(200, `{"versao":"bcd"}`, "Content-Length", "16"), nil,
		},
		{
			"size of what another compressor makes", "/", page(200, "a", "Content-Encoding", "gzip", "Content-Length", "1"),
			page(200, "a", "Content-Encoding", "gzip", "Content-Length", "2"), nil,
		},
		{"size without a body", "/", page(200, "", "Content-Length", "1"), page(200, "", "Content-Length", "2"), []string{"Content-Length"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, d := range judge(&question{path: test.path}, test.before, test.after) {
				if d.opinion != "" {
					d.where += ", " + d.opinion
				}
				got = append(got, d.where)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestAlike takes differences of two companies for one kind when only numbers and names tell them apart.
func TestAlike(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, before, after, otherBefore, otherAfter string }{
		{
			"field of JSON", `{"nome":"ANA","cnaes":{"20":"Adubos","24":"Metais"}}`, `{"nome":"ANA","cnaes":{"24":"Metais","20":"Adubos"}}`,
			`{"nome":"RITA","cnaes":{"69":"Cartórios","45":"Pneus"}}`, `{"nome":"RITA","cnaes":{"45":"Pneus","69":"Cartórios"}}`,
		},
		{
			"page", `<h1>ANA & FILHOS LTDA</h1><a href="/1.md">Esta página em Markdown</a>`, `<h1>ANA & FILHOS LTDA</h1><a href="/1.md">Esta página em texto</a>`,
			`<h1>36.476.738 RITA</h1><a href="/22.md">Esta página em Markdown</a>`, `<h1>36.476.738 RITA</h1><a href="/22.md">Esta página em texto</a>`,
		},
	} {
		one, other := bodies([]byte(test.before), []byte(test.after)), bodies([]byte(test.otherBefore), []byte(test.otherAfter))
		if one.shape != other.shape || one.where != other.where || one.opinion != other.opinion {
			t.Errorf("%s: %+v and %+v are not alike", test.name, one, other)
		}
	}
	if one, other := bodies([]byte("<b>um</b>"), []byte("<b>dois</b>")), bodies([]byte("<i>um</i>"), []byte("<i></i>")); one.shape == other.shape {
		t.Errorf("%+v is like %+v", one, other)
	}
}

func TestKindOfPage(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/11821867000124": "site, /{cnpj}", "/11.821.867%2F0001-24": "site, /{cnpj}", "/5FTPNFN7000156.md": "site, /{cnpj}.md",
		"/11821867000124/ibama/autos/2": "site, /{cnpj}/ibama", "/uf/sp/campinas?fonte=ceis": "site, /uf/{uf}/{cidade}?", "/uf/sp": "site, /uf",
		"/": "site, /", "/busca?q=a": "site, /busca", "/privacidade": "site, /privacidade",
	} {
		if got := kindOfPage(path); got != want {
			t.Errorf("%s is of the kind %q, not %q", path, got, want)
		}
	}
}
