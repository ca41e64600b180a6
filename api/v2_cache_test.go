package api

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/testing/fixture"
)

func TestConditional(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	full := branch(t, fixture.Bakery, "0001")
	tags := map[string]string{}
	for _, path := range []string{
		"/v1/cnpj/" + fixture.Bakery, "/v1/cnpj/" + fixture.Closed, "/v1/cnpj/" + fixture.Chain, "/v2/fontes", "/v2/busca?q=padaria", "/v2/busca?q=padaria&agrupar=nao",
		"/v2/empresas/" + fixture.Bakery + "/basic", "/v2/empresas/" + fixture.Bakery + "/full", "/v2/empresas/" + fixture.Bakery + "/fontes/pgfn",
		"/v2/empresas/" + fixture.Chain + "/socios", "/v2/empresas/" + fixture.Chain + "/estabelecimentos",
		"/v2/estabelecimentos/" + full + "/basic", "/v2/estabelecimentos/" + full + "/full", "/v2/estabelecimentos/" + full + "/fontes/pgfn",
	} {
		first := s.do(t, "GET", path)
		tag := first.header.Get("ETag")
		if tag == "" || first.header.Get("Cache-Control") != "private, no-cache" || first.header.Get("Vary") != "Accept-Encoding" {
			t.Fatalf("%s: headers %v", path, first.header)
		}
		if other, ok := tags[tag]; ok {
			t.Errorf("%s has the tag of %s", path, other)
		}
		tags[tag] = path
		again := s.do(t, "GET", path, "X-Request-ID", uuid.NewString())
		if bytes.Equal(again.body, first.body) || again.header.Get("ETag") != tag {
			t.Errorf("%s: the tag depends on the request", path)
		}
		for _, method := range []string{"GET", "HEAD"} {
			got := s.do(t, method, path, "If-None-Match", tag)
			if got.status != http.StatusNotModified || len(got.body) > 0 || got.header.Get("ETag") != tag ||
				got.header.Get("X-Request-ID") != requestID || got.header.Get("Cache-Control") != "private, no-cache" {
				t.Errorf("%s %s: status %d, %d bytes, headers %v", method, path, got.status, len(got.body), got.header)
			}
		}
		head := s.do(t, "HEAD", path)
		if head.status != 200 || len(head.body) > 0 || head.header.Get("Content-Length") != fmt.Sprint(len(first.body)) || head.header.Get("ETag") != tag {
			t.Errorf("HEAD %s: status %d, %d bytes, headers %v", path, head.status, len(head.body), head.header)
		}
		zipped := s.do(t, "GET", path, "Accept-Encoding", "gzip")
		z, err := gzip.NewReader(bytes.NewReader(zipped.body))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if plain, err := io.ReadAll(z); err != nil || !bytes.Equal(plain, first.body) || zipped.header.Get("Content-Encoding") != "gzip" {
			t.Errorf("%s compressed: %d bytes, %v", path, len(plain), err)
		}
		if got := s.do(t, "GET", path, "If-None-Match", zipped.header.Get("ETag"), "Accept-Encoding", "gzip"); got.status != http.StatusNotModified {
			t.Errorf("%s, compressed and current: %d", path, got.status)
		}
		if got := s.do(t, "GET", path, "If-None-Match", tag, "Authorization", ""); path != "/v2/fontes" && got.status != http.StatusUnauthorized {
			t.Errorf("%s: a tag takes the place of a key: %d", path, got.status)
		}
	}
}

// TestTagsSurviveLoads loads the same release again, and then a source: unchanged content keeps its
// ETag.
func TestTagsSurviveLoads(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	crowded(t, l, 30, "ceis", "pgfn")
	s := start(t, l)
	paths := map[string]string{
		"basic":   "/v2/empresas/" + fixture.Bakery + "/basic",
		"branch":  "/v2/estabelecimentos/" + branch(t, fixture.Bakery, "0003") + "/basic",
		"v1":      "/v1/cnpj/" + fixture.Bakery,
		"cursors": "/v2/empresas/" + fixture.Chain + "/basic", // holds cursors, which a load of the company registry ends
		"ceis":    "/v2/empresas/" + fixture.Chain + "/fontes/ceis",
		"pgfn":    "/v2/empresas/" + fixture.Chain + "/fontes/pgfn",
	}
	tags := map[string]string{}
	ask := func(name string) answer { return s.do(t, "GET", paths[name], "If-None-Match", tags[name]) }
	for name := range paths {
		tags[name] = ask(name).header.Get("ETag")
	}
	check := func(after string, changed ...string) {
		t.Helper()
		for name := range paths {
			want := http.StatusNotModified
			for _, c := range changed {
				if c == name {
					want = http.StatusOK
				}
			}
			if got := ask(name); got.status != want {
				t.Errorf("%s after %s: %d, want %d", name, after, got.status, want)
			}
		}
	}
	check("nothing")
	l.Ingest(t)
	if err := l.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("a load of the company registry", "cursors")
	ceis, _ := source.Find("ceis")
	publish(t, l, map[string]int64{"ceis": storeCrowd(t, l.Store, ceis, rootOf(t, fixture.Chain), 31)})
	check("a load of ceis", "cursors", "ceis")
}

func TestCatalogueFollowsTheLoads(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	s := start(t, l)
	if got := s.availability(t, "/v2/fontes"); got != "parcial" {
		t.Errorf("without a load: %s", got)
	}
	l.Records(t)
	if got := s.availability(t, "/v2/fontes"); got != "completa" {
		t.Errorf("with all loads: %s", got)
	}
	if got := s.do(t, "GET", "/v2/fontes", "Authorization", ""); got.status != 200 {
		t.Errorf("without a key: %d", got.status)
	}
}

// The catalogue lists former loads, what a load left out and which columns were unreadable, but no
// text of a row.
func TestCatalogueHasTheHistory(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	ceis, _ := source.Find("ceis")
	first := storeCrowd(t, l.Store, ceis, rootOf(t, fixture.Chain), 3)
	publish(t, l, map[string]int64{"ceis": first})
	second := storeCrowd(t, l.Store, ceis, rootOf(t, fixture.Chain), 4)
	const secret = "SEGREDO DE ALGUEM"
	err := l.Store.KeepRejects(t.Context(), second, []registry.Reject{
		{File: "ceis.csv", Line: 2, Column: "CNPJ", Reason: secret, Raw: []byte(secret)},
		{File: "ceis.csv", Line: 3, Reason: secret, Raw: []byte(secret)},
		{File: "ceis.csv", Line: 4, Column: "CNPJ", Raw: []byte(secret)},
	})
	if err == nil {
		_, err = l.Pool.Exec(t.Context(), `UPDATE load SET counts = counts || '{"descartadas":{"pessoa_fisica":2,"nao_cnpj":7}}' WHERE id = $1`, second)
	}
	if err != nil {
		t.Fatal(err)
	}
	publish(t, l, map[string]int64{"ceis": second})
	s := start(t, l)
	var got struct {
		Dados struct {
			Fontes []struct {
				ID             string
				DeixadasDeFora []struct {
					Regra  string
					Linhas int
				} `json:"deixadas_de_fora"`
				Rejeitadas []struct {
					Coluna *string
					Linhas int
				}
				Cargas []struct{ Competencia, Situacao string }
			}
		}
	}
	body := s.do(t, "GET", "/v2/fontes").body
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(body, []byte(secret)) {
		t.Error("the catalogue shows what stood in a row")
	}
	for _, src := range got.Dados.Fontes {
		said := fmt.Sprint(src.DeixadasDeFora, len(src.Rejeitadas), src.Cargas)
		want := "[] 0 []"
		if src.ID == "ceis" {
			want = "[{nao_cnpj 7} {pessoa_fisica 2}] 2 [{2026-09 em_uso} {2026-09 guardada}]"
			if r := src.Rejeitadas; len(r) == 2 && (*r[0].Coluna != "CNPJ" || r[0].Linhas != 2 || r[1].Coluna != nil || r[1].Linhas != 1) {
				t.Errorf("rejected %s", body)
			}
		}
		if said != want {
			t.Errorf("%s: %s, want %s", src.ID, said, want)
		}
	}
	if _, err := l.Pool.Exec(t.Context(), `ALTER TABLE reject RENAME TO gone`); err != nil {
		t.Fatal(err)
	}
	checkError(t, s.do(t, "GET", "/v2/fontes"), 503, "servico_indisponivel")
}
