package api

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"razao/internal/data/cnpj"
	"razao/internal/store/proof"
	"razao/internal/store/registry/pack"
	"razao/internal/testing/fixture"
)

func proofPath(root string) string { return "/v2/empresas/" + root + "/prova" }

// proved asks for the proof of a company and verifies it.
func (s *service) proved(t *testing.T, root string) (*proof.Answer, proof.Verification) {
	t.Helper()
	got := s.do(t, "GET", proofPath(root))
	if got.status != 200 {
		t.Fatalf("%s: status %d: %s", root, got.status, got.body)
	}
	a, err := proof.ReadAnswer(bytes.NewReader(got.body))
	if err != nil {
		t.Fatal(err)
	}
	v, err := a.Verify()
	if err != nil {
		t.Fatalf("%s: %v: %s", root, err, got.body)
	}
	return a, v
}

// TestProofOfEveryCompany also compares the rows with what the other routes say.
func TestProofOfEveryCompany(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.Shared(t))
	indexes := map[int64]bool{}
	for _, root := range []string{
		fixture.Bakery, fixture.Holding, fixture.MEI, fixture.OldMEI, fixture.Letters, fixture.Closed, fixture.Chain, fixture.Homeless,
		fixture.Nameless, fixture.Abroad, fixture.Hostile, fixture.City,
	} {
		a, v := s.proved(t, root)
		if v.Root.String() != root || !v.Rows || v.Origin != "razao.exemplo/fontes/receita/cargas/1" || indexes[a.Index] {
			t.Errorf("%s: %+v", root, v)
		}
		indexes[a.Index] = true
		var partners, establishments int
		var name string
		for _, r := range a.Rows {
			if r.Seq != 0 {
				continue
			}
			h, err := pack.DecodeHead(v.Root, r.Doc)
			if err != nil {
				t.Fatal(err)
			}
			partners, establishments, name = h.Partners, h.Establishments, h.Company.RazaoSocial
		}
		if rows := 1 + max(0, (partners-1)/pack.ChunkItems) + max(0, (establishments-1)/pack.ChunkItems); rows != len(a.Rows) {
			t.Errorf("%s: %d rows for %d partners and %d establishments", root, len(a.Rows), partners, establishments)
		}
		var basic struct {
			Dados struct {
				Empresa struct {
					RazaoSocial string `json:"razao_social"`
				}
			}
		}
		if err := json.Unmarshal(s.do(t, "GET", "/v2/empresas/"+root+"/basic").body, &basic); err != nil || basic.Dados.Empresa.RazaoSocial != name {
			t.Errorf("%s: %q and %q, %v", root, basic.Dados.Empresa.RazaoSocial, name, err)
		}
	}
}

// TestProofExample holds the example of the document to what is served: hashes differ from load to load.
func TestProofExample(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.Shared(t))
	if *update {
		golden(t, "examples/v2_empresa_prova.json", s.do(t, "GET", proofPath(fixture.Bakery)).body)
	}
	example, err := os.Open("examples/v2_empresa_prova.json")
	if err != nil {
		t.Fatal(err)
	}
	defer example.Close()
	shown, err := proof.ReadAnswer(example)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := shown.Verify(); err != nil {
		t.Error(err)
	}
	served, _ := s.proved(t, fixture.Bakery)
	if shown.Index != served.Index || len(shown.Rows) != 1 || !bytes.Equal(shown.Rows[0].Doc, served.Rows[0].Doc) || shown.Key != served.Key {
		t.Errorf("%+v is not %+v", shown, served)
	}
}

func TestProofRequests(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.Shared(t))
	checkError(t, s.do(t, "GET", proofPath("99999999")), 404, "cnpj_nao_encontrado")
	checkError(t, s.do(t, "GET", proofPath("1234567")), 400, "cnpj_invalido")
	checkError(t, s.do(t, "GET", proofPath(fixture.Bakery)+"?limite=5"), 400, "parametro_invalido")
	checkError(t, s.do(t, "GET", proofPath(fixture.Bakery), "Authorization", ""), 401, "chave_ausente")
	first := s.do(t, "GET", proofPath(fixture.Bakery))
	if again := s.do(t, "GET", proofPath(fixture.Bakery), "If-None-Match", first.header.Get("ETag")); again.status != 304 {
		t.Errorf("again: %d", again.status)
	}
}

// TestHiddenContactLeavesByNoProof: once a contact is hidden, neither the rows nor what makes the leaf's hash
// of them is served.
func TestHiddenContactLeavesByNoProof(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	s := start(t, l)
	before, _ := s.proved(t, fixture.City)
	neighbour, _ := s.proved(t, fixture.Chain)
	if !bytes.Contains(before.Rows[0].Doc, []byte("contato@padaria.exemplo")) {
		t.Fatal("there is no contact to hide")
	}
	number, err := cnpj.ParseFull(branch(t, fixture.City, "0001"))
	if err != nil {
		t.Fatal(err)
	}
	l.Hide(t, number)
	body := s.do(t, "GET", proofPath(fixture.City)).body
	after, v := s.proved(t, fixture.City)
	if after.Rows != nil || after.Nonce != nil || after.Withheld == nil || v.Rows || after.Leaf != before.Leaf || after.Index != before.Index {
		t.Errorf("it is %s", body)
	}
	if bytes.Contains(body, []byte(`"doc"`)) || bytes.Contains(body, []byte(base64.StdEncoding.EncodeToString(before.Nonce))) {
		t.Errorf("rows or nonce are in %s", body)
	}
	if still, _ := s.proved(t, fixture.Chain); still.Checkpoint != neighbour.Checkpoint || still.Rows == nil {
		t.Error("a neighbour is withheld, too")
	}
	l.Show(t, number)
	if shown, _ := s.proved(t, fixture.City); shown.Rows == nil {
		t.Error("it is still withheld")
	}
}

// TestNoProof takes the tree away, damages it, and makes it again.
func TestNoProof(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	s := start(t, l)
	before, _ := s.proved(t, fixture.Bakery)
	path := filepath.Join(l.IndexDir, "000001", proof.FileName)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(whole)
	damaged[len("razao tree 1\n")] ^= 0x80 // the first root
	for what, body := range map[string][]byte{"empty": {}, "damaged": damaged} {
		if err := os.WriteFile(path, body, 0o600); err != nil {
			t.Fatal(err)
		}
		t.Log(what)
		checkError(t, s.do(t, "GET", proofPath(fixture.Bakery)), 503, "prova_indisponivel")
		checkError(t, s.do(t, "GET", proofPath("99999999")), 404, "cnpj_nao_encontrado")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	checkError(t, s.do(t, "GET", proofPath(fixture.Bakery)), 503, "prova_indisponivel")
	if got := s.do(t, "GET", "/v2/empresas/"+fixture.Bakery+"/basic"); got.status != 200 {
		t.Errorf("without a tree the company is not served: %d", got.status)
	}
	if _, err := l.Ingester.RebuildIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := l.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after, _ := s.proved(t, fixture.Bakery); after.Checkpoint != before.Checkpoint {
		t.Errorf("the tree is another one: %s, before %s", after.Checkpoint, before.Checkpoint)
	}
}

// TestTreeOfAFormerRelease loads as a release without trees did: the load gets its tree with a new index. Records
// that are changed afterwards are noticed.
func TestTreeOfAFormerRelease(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	if _, err := l.Pool.Exec(t.Context(), `UPDATE load SET tree = NULL`); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Ingester.RebuildIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := l.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	start(t, l).proved(t, fixture.Bakery)
	const change = `
		UPDATE load_000001.record SET doc = (SELECT doc FROM load_000001.record WHERE root = $1 AND seq = 0)
		WHERE root = $2 AND seq = 0`
	if _, err := l.Pool.Exec(t.Context(), change, int64(rootOf(t, fixture.Holding)), int64(rootOf(t, fixture.Letters))); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Ingester.RebuildIndex(t.Context()); err == nil {
		t.Error("changed records have the checkpoint of others")
	}
}
