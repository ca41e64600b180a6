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
		{"digits of JSON", "/", page(200, `{"a":1.0}`), page(200, `{"a":1.00}`), []string{"body, other values"}},
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
	one := bodies([]byte(`"razao_social":"ANA & FILHOS LTDA","porte":"01","natureza":"2062"`), []byte(`"razao_social":"ANA & FILHOS LTDA","natureza":"2062","porte":"01"`))
	other := bodies([]byte(`"razao_social":"36.476.738 RITA","porte":"03","natureza":"2135"`), []byte(`"razao_social":"36.476.738 RITA","natureza":"2135","porte":"03"`))
	if one.shape != other.shape {
		t.Errorf("%q and %q are not alike", one.shape, other.shape)
	}
	if third := bodies([]byte(`"porte":"01"`), []byte(`"porte":null`)); third.shape == one.shape {
		t.Errorf("%q is like %q", third.shape, one.shape)
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
