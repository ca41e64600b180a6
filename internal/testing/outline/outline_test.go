package outline

import (
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	t.Parallel()
	const page = `<!doctype html><html><head><title>Padaria</title><meta name="robots" content="noindex">
		<link rel="stylesheet" href="/s.css"><link rel="canonical" href="/1"><script>var x = 1</script></head>
		<body><main id="conteudo"><h1 class="x">Padaria <b>Estrela</b></h1><p>Ativa, <a href="/uf/sp">em
		São Paulo</a>.</p><p hidden>nobody sees this</p>
		<dl><dt>CNPJ</dt><dd>12.345</dd></dl>
		<table><caption>Sócios</caption><tr><th>Nome</th><th>Entrada</th></tr><tr><td>Ana</td><td>2009</td></tr></table>
		<ul><li>um</li><li>dois</li></ul><svg><title>Mapa</title><path d="M0 0"/></svg>
		<form method="get" action="/busca"><label>Nome <input name="q" value="a"></label><button>Buscar</button></form>
		</main></body></html>`
	const want = `title Padaria
robots noindex
canonical /1
<main id=conteudo>
  h1 Padaria Estrela
  Ativa, em São Paulo(/uf/sp).
  dt CNPJ
    = 12.345
  caption Sócios
  | Nome | Entrada
  | Ana | 2009
  - um
  - dois
  svg Mapa
  <form method=get action=/busca>
    Nome [input name=q value=a] [button] Buscar
`
	got, err := Of(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestRowsItemsAndCode(t *testing.T) {
	t.Parallel()
	const page = `<main><table><tr><th aria-sort="descending"><a href="/x" aria-current="true">Nome</a></th><th>Ação</th></tr>
		<tr><td><p>Ana</p><p>sócia</p></td><td><form method="post" action="/fim"><button>Fim</button></form></td></tr></table>
		<ol><li><h2>Um</h2><p>dois</p></li></ol><p role="alert">Erro</p><pre><code>se:
    fim</code></pre><p aria-hidden="true"><span>2007</span><span>2012</span></p><noscript><p>sem</p></noscript></main>`
	const want = `<main>
  | [descending] Nome(/x aria-current=true) | Ação
  | Ana / sócia | <form method=post action=/fim> [button] Fim
  - h2 Um
  dois
  alert Erro
  pre se:
  pre     fim
  2007 2012
  noscript sem
`
	got, err := Of(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	const page = `<header class="site"><p>menu</p></header><header><p>dia 21/11/2026</p></header>`
	got, err := Of(strings.NewReader(page), Without("header", "class", "site"), Masked(`\d\d/\d\d/\d{4}`, "dd/mm/aaaa"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "<header>\n  dia dd/mm/aaaa\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A change to what both states contain does not appear in their difference; a change to one does.
func TestAgainst(t *testing.T) {
	t.Parallel()
	of := func(page, other string) string {
		text, err := Of(strings.NewReader(page), Against(strings.NewReader(other)))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	const want = "- b\n+ x\n---\n+ z\n"
	for _, shared := range []string{"shared", "shared,"} {
		if got := of("<p>"+shared+"<p>x<p>c<p>z", "<p>"+shared+"<p>b<p>c"); got != want {
			t.Errorf("%s: got %q, want %q", shared, got, want)
		}
	}
	if got := of("<p>one<p>two<p>two", "<p>one<p>two"); got != "+ two\n" {
		t.Errorf("a line that is there twice: %q", got)
	}
}
