//go:build linux

package nightly

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"razao/internal/people/account"
	"razao/internal/store/registry"
)

// further adds pages that need no record, tools of assistants, walks along cursors, people.
func (c *campaign) further() {
	o := c.oracle
	receita := []string{registry.Receita}
	all := []string{registry.Receita, ceis, bndes}
	answered := func(string) string { return "" }
	add := func(q question) { o.questions = append(o.questions, q) }
	for _, path := range []string{"/robots.txt", "/termos", "/login", "/health", "/health/live"} {
		if status, _ := o.p.Get(path, ""); status == http.StatusOK {
			add(question{path: path, plain: answered, personal: true})
		} else {
			o.p.T.Logf("%s: %d, not asked", path, status)
		}
	}
	accounts := account.NewStore(o.pool, nil)
	id, err := accounts.ByEmail(o.p.T.Context(), "ana@exemplo.com.br")
	if err != nil {
		o.p.T.Fatal(err)
	}
	session, _, err := accounts.StartSession(o.p.T.Context(), id, "", "")
	if err != nil {
		o.p.T.Fatal(err)
	}
	add(question{path: "/conta", plain: signedInAs, cookie: "razao=" + session, personal: true})
	tool := func(name, arguments string, of []string) {
		add(question{path: "/mcp#" + name + arguments, call: true, of: of, plain: toolText, send: fmt.Sprintf(
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s}}`, name, arguments)})
	}
	tool("buscar_empresas", `{"consulta":"silva"}`, receita)
	tool("buscar_empresas", `{"consulta":"padaria","uf":"SP"}`, receita)
	walks := 0
	for _, path := range []string{"/busca?q=ltda&fonte=" + ceis, "/busca?q=ltda&fonte=" + bndes, "/busca?q=silva", "/empresas?uf=SP"} {
		_, page := o.p.Get(path, "")
		for i, m := range found.FindAllStringSubmatch(page, -1) {
			root := m[1][:8]
			if i < 2 {
				tool("consultar_cnpj", fmt.Sprintf(`{"cnpj":%q}`, root), all)
				tool("consultar_fonte", fmt.Sprintf(`{"cnpj":%q,"fonte":%q}`, root, ceis), []string{ceis})
			}
			for name, of := range map[string][]string{
				"socios": receita, "estabelecimentos": receita, "fontes/" + ceis: {ceis}, "fontes/" + bndes: {registry.Receita, bndes},
			} {
				collection := "/v2/empresas/" + root + "/" + name
				if c.total(collection) > 2 {
					walk := func(ctx context.Context, addr string) reply { return c.walk(ctx, addr, collection) }
					add(question{path: collection + "#walk", of: of, ask: walk})
					walks++
				}
			}
		}
	}
	if walks < 4 {
		o.p.T.Fatalf("%d collections to walk", walks)
	}
	o.p.T.Logf("%d questions, %d of them walks", len(o.questions), walks)
}

var (
	accountOf = regexp.MustCompile(`[a-z]+@exemplo\.com\.br`)
	ofLoad    = regexp.MustCompile(`fotografia \d+|cursor="[^"]*"|carregada em \d\d/\d\d/\d{4}|carregada em \S+|Vínculos inferidos[^\n]*`)
)

func signedInAs(body string) string { return accountOf.FindString(body) }

// toolText is what a tool says, without what tells one load of the same files from another.
func toolText(body string) string {
	var answer struct {
		Result struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal([]byte(body), &answer); err != nil || len(answer.Result.Content) == 0 {
		return body
	}
	return ofLoad.ReplaceAllString(records(answer.Result.Content[0].Text), "")
}

// collection is a page of one.
type collection struct {
	Items  []json.RawMessage `json:"itens"`
	Total  *int              `json:"total"`
	Next   *string           `json:"proxima_url"`
	Status string            `json:"status"` // of a source
}

func pageOf(body string) (c collection) {
	var whole struct {
		Data collection `json:"dados"`
	}
	_ = json.Unmarshal([]byte(body), &whole) // what is none has no items
	return whole.Data
}

// total returns how many items a collection has.
func (c *campaign) total(path string) int {
	key, _ := c.key()
	_, body := c.p.Get(path, key)
	if total := pageOf(body).Total; total != nil {
		return *total
	}
	return 0
}

// walk follows a collection to its end, one item at a time, as a client does that knows the contract: an address that is null is the
// end. Pauses between the pages let things happen in mid-walk.
func (c *campaign) walk(ctx context.Context, addr, path string) (r reply) {
	const most = 6 // pages: longer ones take long
	var items strings.Builder
	next := path + "?limite=1"
	for range most {
		body := ""
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+next, nil)
		if err != nil {
			return reply{err: err}
		}
		r = c.send(req, &question{path: path, call: true, plain: func(b string) string { body = b; return "" }})
		page := pageOf(body)
		if first := items.Len() == 0; r.err == errCouldNotLook && !first { // 200, and as if it were the end
			r.err, r.text = nil, "200 "+items.String()+" cut off by a page with the status erro"
			return r
		}
		if r.err != nil || r.status != http.StatusOK {
			return r
		}
		for _, item := range page.Items {
			items.WriteString(records(string(item)) + "\n")
		}
		if page.Next == nil {
			break
		}
		next = *page.Next
		if c.pausing.Load() {
			time.Sleep(200 * time.Millisecond)
		}
	}
	r.text = "200 " + items.String()
	return r
}
