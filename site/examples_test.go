package site

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"razao/internal/data/source"
	"razao/internal/testing/program"
)

// server is a running razao with invented companies and a valid key.
type server struct {
	*program.Program
	key string
}

// startServer builds and starts razao until the end of the test. A process, because site may not
// import the API (internal/testing/layers).
func startServer(t *testing.T) server {
	t.Helper()
	p := program.New(t, filepath.Join(t.TempDir(), "razao"))
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", p.Binary, "razao/cmd/razao").CombinedOutput(); err != nil {
		t.Fatalf("build razao: %v\n%s", err, out)
	}
	const companies = "2400" // the largest of them, which sells medicines, has more than 100 establishments
	cmd := p.Command("up", "--roots", companies)
	var log bytes.Buffer
	cmd.Stderr = &log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_, _ = io.Copy(io.Discard, out)
		if err := cmd.Wait(); err != nil {
			t.Errorf("razao up: %v\n%s", err, log.String())
		}
	})
	key := regexp.MustCompile(`rz_[0-9A-Za-z]+$`)
	lines := bufio.NewScanner(out)
	for lines.Scan() { // the key is printed when the server answers
		if found := key.FindString(lines.Text()); found != "" {
			return server{p, found}
		}
	}
	t.Fatalf("razao up printed no key\n%s", log.String())
	return server{}
}

// get returns the body of a 200 response.
func (p server) get(t *testing.T, path string) string {
	t.Helper()
	status, body := p.In(t).Get(path, p.key)
	if status != http.StatusOK {
		t.Fatalf("%s: status %d\n%s", path, status, body)
	}
	return body
}

func (p server) decode(t *testing.T, path string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(p.get(t, path)), into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// collection is a page of the API.
type collection struct {
	Itens []json.RawMessage `json:"itens"`
	Total int               `json:"total"`
}

// listedCompany is a company with the number of items of each collection.
type listedCompany struct {
	root, name string
	items      map[string]int // by collection
}

// largest returns the company with the most branches, which needs several pages.
func (p server) largest(t *testing.T) listedCompany {
	t.Helper()
	c := listedCompany{root: p.listed(t, "tipo=filial&cnae=4771701"), items: map[string]int{}}
	var full struct {
		Dados struct {
			Empresa struct {
				RazaoSocial string     `json:"razao_social"`
				Socios      collection `json:"socios"`
			} `json:"empresa"`
			Estabelecimentos  collection                       `json:"estabelecimentos"`
			RegistrosPublicos map[string]map[string]collection `json:"registros_publicos"`
		} `json:"dados"`
	}
	p.decode(t, "/v2/empresas/"+c.root+"/full?limite=1", &full)
	c.name = full.Dados.Empresa.RazaoSocial
	c.items["socios"], c.items["estabelecimentos"] = full.Dados.Empresa.Socios.Total, full.Dados.Estabelecimentos.Total
	for _, group := range full.Dados.RegistrosPublicos {
		for id, page := range group {
			c.items[id] = page.Total
		}
	}
	if c.items["estabelecimentos"] <= 100 || c.items["socios"] == 0 || len(c.items) != 2+len(source.All()) {
		t.Fatalf("the company is not one to try the examples with: %v", c.items)
	}
	return c
}

// refusing returns the address of a proxy that answers two requests with 429 and 503 before it
// forwards.
func (p server) refusing(t *testing.T) string {
	t.Helper()
	to, err := url.Parse("http://" + p.Addr)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, body := 0, ""
		switch asked.Add(1) {
		case 1:
			status, body = http.StatusTooManyRequests, `{"erro":{"codigo":"limite_excedido","mensagem":"x"},"requisicao_id":"1"}`
		case 3:
			status, body = http.StatusServiceUnavailable, `{"erro":{"codigo":"servico_indisponivel","mensagem":"x"},"requisicao_id":"2"}`
		default:
			proxy.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(func() {
		server.Close()
		if asked.Load() < 4 {
			t.Errorf("%d requests: not all were refused that are to be", asked.Load())
		}
	})
	return server.URL
}

// listed returns the root of the first company in a listing.
func (p server) listed(t *testing.T, filters string) string {
	t.Helper()
	found := regexp.MustCompile(`href="/([0-9A-Z]{8})[0-9A-Z]{4}[0-9]{2}"`).FindStringSubmatch(p.get(t, "/empresas?"+filters))
	if found == nil {
		t.Fatalf("no company with %s", filters)
	}
	return found[1]
}

// TestExamples runs the programs of /api against a real server with a real key.
func TestExamples(t *testing.T) {
	t.Parallel()
	p := startServer(t)
	c := p.largest(t)
	t.Run("documents", func(t *testing.T) { checkReference(t, p) })
	t.Run("answers", func(t *testing.T) { checkAbridged(t, p, c) })
	t.Run("proof", func(t *testing.T) { p.verifies(t, c) })
	for _, example := range listPrograms() {
		t.Run(example.ID, func(t *testing.T) { p.readList(t, example) })
	}
	for _, example := range examplePrograms() {
		t.Run(example.ID, func(t *testing.T) {
			file := programFile(example)
			command := strings.Fields(strings.TrimSuffix(example.Run, file))
			if _, err := exec.LookPath(command[0]); err != nil {
				if example.ID != "curl" && example.ID != "go" {
					t.Logf("not run: %v", err)
					return
				}
				t.Fatal(err)
			}
			keepsKey(t, example, filepath.Join("data", "examples", file), c.root)
			refusing := p.refusing(t)
			run := exec.CommandContext(t.Context(), command[0], append(command[1:], filepath.Join("data", "examples", file), c.root)...)
			run.Env = append(os.Environ(), "RAZAO_URL="+refusing, "RAZAO_CHAVE="+p.key)
			out, err := run.Output()
			if err != nil {
				var exit *exec.ExitError
				if errors.As(err, &exit) {
					t.Logf("%s", exit.Stderr)
				}
				t.Fatalf("%s %s: %v", example.Run, c.root, err)
			}
			got := strings.Split(strings.TrimSpace(string(out)), "\n")
			if example.ID == "curl" {
				got = countPages(t, c.name, out)
			}
			want := []string{c.name}
			for name, items := range c.items {
				want = append(want, name+" "+strconv.Itoa(items))
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("got %q\nwant %q", got, want)
			}
		})
	}
}

// verifies checks the proof of a company with the program in Python and with razao verify, as served and
// altered in each of its parts.
func (p server) verifies(t *testing.T, c listedCompany) {
	t.Helper()
	dir := t.TempDir()
	save := func(name, body string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Logf("the program in Python is not run: %v", err)
	}
	check := func(path string, further ...string) (outs []string) {
		commands := [][]string{append([]string{p.Binary, "verify", path}, further...)}
		if python != "" {
			commands = append(commands, []string{python, filepath.Join("data", "examples", "prova.py"), path})
		}
		for _, command := range commands {
			out, err := exec.CommandContext(t.Context(), command[0], command[1:]...).Output()
			if err != nil {
				out = nil
			}
			outs = append(outs, string(out))
		}
		return outs
	}
	answer := p.get(t, "/v2/empresas/"+c.root+"/prova")
	outs := check(save("prova.json", answer), save("full.json", p.get(t, "/v2/empresas/"+c.root+"/full")))
	for _, out := range outs {
		if !strings.Contains(out, c.root) {
			t.Errorf("the proof was not verified: %q", outs)
		}
	}
	if !strings.Contains(outs[0], c.name) || !strings.Contains(outs[0], "answer      the same") {
		t.Errorf("razao verify: %s", outs[0])
	}
	for _, part := range []string{`"doc":"AQ`, `"nonce":"`, `"indice":`, `"cnpj_basico":"`, `"caminho":["`, `"carga":`, `"tamanho":`, `"folha":"`} {
		at := strings.Index(answer, part) + len(part)
		digit := "1"
		if answer[at] == '1' {
			digit = "2"
		}
		for i, out := range check(save("altered.json", answer[:at]+digit+answer[at+1:])) {
			if out != "" {
				t.Errorf("program %d takes an altered %s: %s", i, part, out)
			}
		}
	}
	rows := regexp.MustCompile(`"linhas":\[.*\]`)
	for what, altered := range map[string]string{
		"without rows":      rows.ReplaceAllString(answer, `"linhas":null`),
		"of another":        strings.Replace(rows.ReplaceAllString(answer, `"linhas":null`), c.root, "98765432", 1),
		"with a name twice": strings.Replace(answer, `"carga"`, `"cnpj_basico":"98765432","carga"`, 1),
	} {
		for i, out := range check(save("altered.json", altered)) {
			if out != "" {
				t.Errorf("program %d takes a proof %s: %s", i, what, out)
			}
		}
	}
	foreign := "exemplo.org/fontes/receita/cargas/1+7d73ddb4+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c"
	if outs := check(filepath.Join(dir, "prova.json"), "--key", foreign); outs[0] != "" {
		t.Errorf("razao verify takes a foreign key: %s", outs[0])
	}
}

// keepsKey runs a program against a server that redirects to another port of its host: the key does not arrive there, and
// the program fails or, curl, ends.
func keepsKey(t *testing.T, example exampleProgram, path ...string) {
	t.Helper()
	var leaked atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if leaked.Add(1); r.Header.Get("Authorization") != "" {
			t.Errorf("%s sends the key on", example.Run)
		}
	}))
	defer other.Close()
	server := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	defer server.Close()
	command := strings.Fields(example.Run)
	if _, err := exec.LookPath(command[0]); err != nil {
		return // its own test says so
	}
	file := slices.Index(command, programFile(example))
	if file < 0 {
		file = len(command) - 1
	}
	run := exec.CommandContext(t.Context(), command[0], append(command[1:file:file], path...)...)
	run.Stdin = strings.NewReader("12345678000195\n")
	run.Env = append(os.Environ(), "RAZAO_URL="+server.URL, "RAZAO_CHAVE=rz_x")
	out, err := run.CombinedOutput()
	if refused := err != nil || strings.Contains(string(out), "não foi lido"); leaked.Load() > 0 || !refused && command[0] != "sh" {
		t.Errorf("%s follows a redirect %d times, %v: %s", example.Run, leaked.Load(), err, out)
	}
}

// programFile returns the file name in an example's command line.
func programFile(p exampleProgram) string { return p.Run[strings.LastIndex(p.Run, " ")+1:] }

// readList runs a list program through the refusing proxy with one unknown CNPJ. Each line of its
// output is a response.
func (p server) readList(t *testing.T, example exampleProgram) {
	t.Helper()
	command := strings.Fields(example.Run)
	if _, err := exec.LookPath(command[0]); err != nil {
		if command[0] != "sh" && command[0] != "go" {
			t.Logf("not run: %v", err)
			return
		}
		t.Fatal(err)
	}
	const absent = "00000000000191"
	var want []string
	for _, found := range regexp.MustCompile(`<h2><a href="/([0-9A-Z]{14})"`).FindAllStringSubmatch(p.get(t, "/empresas"), 6) {
		want = append(want, found[1])
	}
	if len(want) != 6 {
		t.Fatalf("the list has %q", want)
	}
	file := len(command) - 1
	keepsKey(t, example, filepath.Join("data", "examples", "lista", command[file]))
	run := exec.CommandContext(t.Context(), command[0], append(command[1:file:file], filepath.Join("data", "examples", "lista", command[file]))...)
	run.Stdin = strings.NewReader(strings.Join(slices.Insert(slices.Clone(want), 3, absent), "\n") + "\n")
	run.Env = append(os.Environ(), "RAZAO_URL="+p.refusing(t), "RAZAO_CHAVE="+p.key)
	var complaint bytes.Buffer
	run.Stderr = &complaint
	out, err := run.Output()
	if err != nil || !strings.Contains(complaint.String(), absent+" não foi lido") {
		t.Fatalf("%s: %v\n%s", example.Run, err, &complaint)
	}
	var got []string
	for line := range strings.Lines(string(out)) {
		var answer struct {
			Meta struct {
				Documento string `json:"documento"`
			} `json:"meta"`
		}
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		got = append(got, answer.Meta.Documento)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// countPages counts the items of pages, one per line, and formats them as the other examples do.
func countPages(t *testing.T, name string, out []byte) []string {
	t.Helper()
	order := []string{"socios", "estabelecimentos"}
	for _, src := range source.All() {
		order = append(order, src.ID)
	}
	lines := []string{name}
	pages := json.NewDecoder(bytes.NewReader(out))
	for _, collected := range order {
		items := 0
		for more := true; more; {
			var page struct {
				Dados struct {
					collection
					ProximaURL *string `json:"proxima_url"`
				} `json:"dados"`
			}
			if err := pages.Decode(&page); err != nil {
				t.Fatalf("page of %s: %v", collected, err)
			}
			items += len(page.Dados.Itens)
			more = page.Dados.ProximaURL != nil
		}
		lines = append(lines, collected+" "+strconv.Itoa(items))
	}
	return lines
}

// checkReference compares the table of /api/docs and the errors of /api with the OpenAPI documents.
func checkReference(t *testing.T, p server) {
	t.Helper()
	reference, guide := p.get(t, "/api/docs"), p.get(t, "/api")
	described := 0
	for _, version := range []string{"v1", "v2"} {
		var doc struct {
			Paths      map[string]json.RawMessage `json:"paths"`
			Components struct {
				Schemas struct {
					Erro struct {
						Properties struct {
							Erro struct {
								Properties struct {
									Codigo struct {
										Enum []string `json:"enum"`
									} `json:"codigo"`
								} `json:"properties"`
							} `json:"erro"`
						} `json:"properties"`
					} `json:"Erro"`
				} `json:"schemas"`
			} `json:"components"`
		}
		p.decode(t, "/"+version+"/openapi.json", &doc)
		for path := range doc.Paths {
			described++
			if !strings.Contains(reference, "<code>"+path+"</code></th>") {
				t.Errorf("/api/docs has no %s", path)
			}
		}
		codes := doc.Components.Schemas.Erro.Properties.Erro.Properties.Codigo.Enum
		if len(codes) == 0 {
			t.Errorf("%s describes no error codes", version)
		}
		for _, code := range codes {
			if !strings.Contains(guide, `<code id="`+code+`">`+code+"</code>") { // to which the type of problem details leads
				t.Errorf("/api has no %s", code)
			}
		}
	}
	if rows := strings.Count(reference, `<th scope="row">`); rows != described {
		t.Errorf("/api/docs has %d operations, the documents %d", rows, described)
	}
}

// checkAbridged verifies that the abridged responses on the pages only have fields of real ones,
// and that /api/v1 names every field of a real one.
func checkAbridged(t *testing.T, p server, c listedCompany) {
	t.Helper()
	roots := []string{c.root, p.listed(t, "simples=sim")} // the largest company cannot opt for the Simples
	for file, path := range map[string]string{"resposta.json": "/v2/empresas/%s/socios?limite=1", "v1.json": "/v1/cnpj/%s"} {
		var shown any
		if err := json.Unmarshal([]byte(readExample(file)), &shown); err != nil {
			t.Fatal(err)
		}
		known := map[string]bool{}
		for _, root := range roots {
			var real any
			p.decode(t, fmt.Sprintf(path, root), &real)
			fields(real, "", known)
		}
		abridged := map[string]bool{}
		fields(shown, "", abridged)
		for field := range abridged {
			if !known[field] {
				t.Errorf("%s: no answer has %s", file, field)
			}
		}
		if file != "v1.json" {
			continue
		}
		page := html.UnescapeString(p.get(t, "/api/v1"))
		for field := range known {
			if name := field[strings.LastIndex(field, ".")+1:]; !strings.Contains(field, ".descricoes.") && !strings.Contains(page, name) {
				t.Errorf("/api/v1 has no %s", field)
			}
		}
	}
}

// fields collects the paths of all members of a JSON value; the items of a list share one path.
func fields(value any, at string, into map[string]bool) {
	switch value := value.(type) {
	case map[string]any:
		for name, child := range value {
			into[at+"."+name] = true
			fields(child, at+"."+name, into)
		}
	case []any:
		for _, child := range value {
			fields(child, at, into)
		}
	}
}
