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

func TestALostRowIsSeen(t *testing.T) {
	t.Parallel()
	const before, after = `<table><tr><td>a</td></tr><tr><td>b</td></tr></table>`, `<table><tr><td>a</td></tr></table>`
	one, _ := Of(strings.NewReader(before))
	other, _ := Of(strings.NewReader(after))
	if one == other {
		t.Error("the outlines are the same")
	}
}
