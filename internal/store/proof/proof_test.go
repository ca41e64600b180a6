package proof

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"razao/internal/data/cnpj"
	"razao/internal/store/registry"
)

// company is an invented company of a load.
type company struct {
	root cnpj.Root
	rows []Row
}

// load returns n companies with one to three rows, by root.
func load(n int, seed uint64) []company {
	dice := rand.New(rand.NewPCG(seed, 7))
	var all []company
	root := cnpj.Root(0)
	for range n {
		root += 1 + cnpj.Root(dice.IntN(50))
		c := company{root: root}
		for seq := int32(-dice.IntN(2)); seq <= int32(dice.IntN(2)); seq++ {
			c.rows = append(c.rows, Row{seq, fmt.Appendf(nil, "company %s, row %d", root, seq)})
		}
		all = append(all, c)
	}
	return all
}

// rowsOf is Rows on companies.
func rowsOf(all []company) Rows {
	return func(_ context.Context, in registry.Roots, visit func(cnpj.Root, int32, []byte) error) error {
		for _, c := range all {
			if c.root < in.From || c.root >= in.Below {
				continue
			}
			for _, r := range c.rows {
				if err := visit(c.root, r.Seq, r.Doc); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

var leafKeyOfTests = bytes.Repeat([]byte{7}, KeyBytes)

// write writes the tree of companies into a new folder.
func write(t testing.TB, all []company) (dir string, tree registry.Tree) {
	t.Helper()
	dir = t.TempDir()
	w, err := Create(dir, leafKeyOfTests)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for _, c := range all {
		for _, r := range c.rows {
			if err := w.Add(c.root, r.Seq, r.Doc); err != nil {
				t.Fatal(err)
			}
		}
	}
	if tree, err = w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, tree
}

func open(t testing.TB, dir string, tree registry.Tree) *Tree {
	t.Helper()
	opened, err := Open(dir, &tree)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = opened.Close() })
	return opened
}

// answer proves a company as the API does.
func answer(t testing.TB, tree *Tree, c company, rows Rows) *Answer {
	t.Helper()
	l, err := tree.Prove(t.Context(), c.root, rows)
	if err != nil {
		t.Fatalf("%s: %v", c.root, err)
	}
	signed, err := NewSigner(bytes.Repeat([]byte{1}, SeedBytes), "https://razao.example").Checkpoint(&registry.Load{ID: 3, Tree: &tree.Tree})
	if err != nil {
		t.Fatal(err)
	}
	return NewAnswer(c.root, &registry.Load{ID: 3, Tree: &tree.Tree}, signed, &l)
}

// TestEveryCompanyProves also compares the root of the tree with one computed by tlog from all leaves.
func TestEveryCompanyProves(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 63, 64, 65, 127, 128, 129, 1000, 4095, 4096, 4097, 9000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			all := load(n, 1)
			dir, tree := write(t, all)
			if want := wantHash(t, all); !bytes.Equal(tree.Hash, want[:]) || tree.Size != int64(n) {
				t.Fatalf("%d, %x, want %x", tree.Size, tree.Hash, want)
			}
			opened := open(t, dir, tree)
			for i, c := range all {
				if n > 1000 && i > 200 && i < n-200 && i%61 != 0 {
					continue
				}
				near := all[max(0, i-tileHashes):min(n, i+tileHashes)]
				a := answer(t, opened, c, rowsOf(near))
				v, err := a.Verify()
				if err != nil {
					t.Fatalf("%d of %d: %v", i, n, err)
				}
				if a.Index != int64(i) || v.Root != c.root || !v.Rows || v.Origin != "razao.example/fontes/receita/cargas/3" {
					t.Fatalf("%+v, %+v", a, v)
				}
			}
		})
	}
}

// wantHash computes the root of a tree from all stored hashes in memory.
func wantHash(t *testing.T, all []company) tlog.Hash {
	t.Helper()
	var stored []tlog.Hash
	read := tlog.HashReaderFunc(func(indexes []int64) (hashes []tlog.Hash, err error) {
		for _, i := range indexes {
			hashes = append(hashes, stored[i])
		}
		return hashes, nil
	})
	for i, c := range all {
		a := Answer{Nonce: noncesOf(leafKeyOfTests).append(nil, c.root.Append(nil)), Rows: c.rows}
		more, err := tlog.StoredHashesForRecordHash(int64(i), a.leaf(c.root), read)
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, more...)
	}
	h, err := tlog.TreeHash(int64(len(all)), read)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestFileStaysSmall holds what a company costs in the file.
func TestFileStaysSmall(t *testing.T) {
	t.Parallel()
	const n = 50_000
	dir, _ := write(t, load(n, 2))
	info, err := os.Stat(filepath.Join(dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	if perGroup := float64(info.Size()) / n * tileHashes; perGroup > 42 {
		t.Errorf("%.1f bytes for 64 companies", perGroup)
	}
}

func TestRowsOutOfOrderAreRefused(t *testing.T) {
	t.Parallel()
	for _, second := range []struct {
		root cnpj.Root
		seq  int32
	}{{4, 0}, {5, 0}, {5, -1}} {
		w, err := Create(t.TempDir(), leafKeyOfTests)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Abort()
		if err := w.Add(5, 0, nil); err != nil {
			t.Fatal(err)
		}
		if err := w.Add(second.root, second.seq, nil); err == nil {
			t.Errorf("%v was taken", second)
		}
	}
}

// TestNoDamageProves alters every byte of the file, one at a time: a proof that comes all the same is that of
// the tree.
func TestNoDamageProves(t *testing.T) {
	t.Parallel()
	all := load(4096+64+3, 3)
	dir, tree := write(t, all)
	path := filepath.Join(dir, FileName)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	whom := []int{0, 64, 100, 4095, 4096, 4162}
	var refused int
	for at := range whole {
		damaged := slices.Clone(whole)
		damaged[at] ^= 0x40
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		opened, err := Open(dir, &tree)
		if err != nil {
			refused++
			continue
		}
		for _, i := range whom {
			l, err := opened.Prove(t.Context(), all[i].root, rowsOf(all))
			switch {
			case errors.Is(err, ErrDamaged):
				refused++
			case err != nil:
				t.Fatalf("byte %d: %v", at, err)
			case l.Index != int64(i) || tlog.CheckRecord(l.Path, tree.Size, tlog.Hash(tree.Hash), l.Index, l.Hash) != nil:
				t.Fatalf("byte %d: a false proof of %d", at, i)
			}
		}
		_ = opened.Close()
	}
	if refused < len(whole) {
		t.Errorf("%d of %d damages were noticed", refused, len(whole))
	}
	for _, size := range []int{0, 5, len(whole) - 1} {
		if err := os.WriteFile(path, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir, &tree); !errors.Is(err, ErrDamaged) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

func TestOtherRowsAreNotProved(t *testing.T) {
	t.Parallel()
	all := load(200, 4)
	dir, tree := write(t, all)
	opened := open(t, dir, tree)
	for what, change := range map[string]func([]company) []company{
		"a row of the company":  func(a []company) []company { a[70].rows = []Row{{0, []byte("other")}}; return a },
		"a row of a neighbour":  func(a []company) []company { a[100].rows = []Row{{0, []byte("other")}}; return a },
		"a company that lacks":  func(a []company) []company { return slices.Delete(a, 80, 81) },
		"one that came":         func(a []company) []company { return slices.Insert(a, 71, company{a[70].root, a[71].rows}) },
		"the company is absent": func(a []company) []company { return slices.Delete(a, 70, 71) },
	} {
		if _, err := opened.Prove(t.Context(), all[70].root, rowsOf(change(slices.Clone(all)))); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestNoTree(t *testing.T) {
	t.Parallel()
	dir, tree := write(t, load(3, 5))
	if _, err := Open(t.TempDir(), &tree); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
	if _, err := Open(dir, nil); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
	if _, err := NewSigner(make([]byte, SeedBytes), "").Checkpoint(&registry.Load{ID: 1}); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
}

// served returns an answer as the API writes it, with its rows, and without.
func served(t *testing.T) (a, withheld *Answer) {
	t.Helper()
	all := load(300, 6)
	dir, tree := write(t, all)
	a = answer(t, open(t, dir, tree), all[130], rowsOf(all))
	l := Leaf{Index: a.Index, Hash: a.Leaf, Path: a.Path}
	return a, NewAnswer(all[130].root, &registry.Load{ID: 3, Tree: &tree}, Checkpoint{a.Checkpoint, a.Key}, &l)
}

// verified reports whether a text is taken for a proof, of a's server.
func verified(text []byte, a *Answer) bool {
	got, err := ReadAnswer(bytes.NewReader(text))
	if err != nil {
		return false
	}
	_, err = got.Verify()
	return err == nil && SameKey(got.Key, a.Key)
}

// TestEveryByteOfAnAnswerCounts alters each byte of a served answer in two ways: it is refused. Without rows
// nothing proves whose the leaf is, nor why they are withheld.
func TestEveryByteOfAnAnswerCounts(t *testing.T) {
	t.Parallel()
	whole, withheld := served(t)
	for _, a := range []*Answer{whole, withheld} {
		text, err := json.Marshal(map[string]any{"dados": a})
		if err != nil || !verified(text, a) {
			t.Fatalf("%s, %v", text, err)
		}
		said := map[int]bool{} // bytes that nothing proves
		if a.Rows == nil {
			why, _ := json.Marshal(a.Withheld)
			for _, value := range []string{string(why[1 : len(why)-1]), a.Root} {
				for at := range len(value) {
					said[bytes.Index(text, []byte(value))+at] = true
				}
			}
		}
		for at := range text {
			for _, bit := range []byte{1, 0x20} { // another character, another case
				altered := bytes.Clone(text)
				altered[at] ^= bit
				if !said[at] && verified(altered, a) {
					t.Errorf("byte %d was not noticed: %s", at, altered)
				}
			}
		}
	}
	if v, err := withheld.Verify(); err != nil || v.Rows || v.Root != 0 {
		t.Errorf("without rows the leaf is of %v, %v", v, err)
	}
}

// TestEveryMemberOfAnAnswerCounts adds, removes, renames, repeats and replaces members at every depth.
func TestEveryMemberOfAnAnswerCounts(t *testing.T) {
	t.Parallel()
	a, _ := served(t)
	whole, err := json.Marshal(map[string]any{"dados": a})
	if err != nil {
		t.Fatal(err)
	}
	text := string(whole)
	after := func(part, what string) string { return strings.Replace(text, part, part+what, 1) }
	instead := func(part, what string) string { return strings.Replace(text, part, what, 1) }
	load, caminho, rows := `"carga":3`, strings.Index(text, `"caminho":[`), strings.Index(text, `"linhas":[`)
	for what, altered := range map[string]string{
		"a member that is none":           after(load, `,"sancoes":"INIDONEA"`),
		"one in a row":                    after(`"seq":0`, `,"sancoes":"INIDONEA"`),
		"another load":                    instead(load, `"carga":4`),
		"no load":                         instead(load+",", ""),
		"a load that is null":             instead(load, `"carga":null`),
		"a load as text":                  instead(load, `"carga":"3"`),
		"a load written otherwise":        instead(load, `"carga":3.0`),
		"a name in capitals":              instead(`"carga"`, `"CARGA"`),
		"a name twice, the last is good":  instead(load, `"carga":4,"carga":3`),
		"a name twice, the first is good": instead(load, `"carga":3,"carga":4`),
		"a name twice, in capitals":       instead(load, `"CARGA":4,"carga":3`),
		"a long s for an s":               instead(`"linhas"`, `"linhaſ"`),
		"data after it":                   text + `{}`,
		"no nonce":                        instead(`"nonce":"`, `"nonce":null,"aviso":"`),
		"a reason beside rows":            instead(`"aviso":null`, `"aviso":"x"`),
		"no path":                         text[:caminho] + `"caminho":null` + text[caminho+strings.IndexByte(text[caminho:], ']')+1:],
		"no rows":                         text[:rows] + `"linhas":null` + text[rows+strings.IndexByte(text[rows:], ']')+1:],
		"rows that are empty":             text[:rows] + `"linhas":[]` + text[rows+strings.IndexByte(text[rows:], ']')+1:],
		"a second signature":              instead(`\n","chave"`, `\n— evil.example AAAAAAAA\n","chave"`),
		"the signature twice":             instead(`\n","chave"`, `\n`+a.Checkpoint[strings.Index(a.Checkpoint, "—"):len(a.Checkpoint)-1]+`\n","chave"`),
		"a line end in base64":            instead(`"folha":"`, `"folha":"\n`),
		"a key in capitals":               instead(a.Key, strings.Replace(a.Key, keyHash(a.Key), strings.ToUpper(keyHash(a.Key)), 1)),
		"half a surrogate pair":           after(load, `,"x":"\ud800"`),
	} {
		if altered == text {
			t.Fatalf("%s alters nothing", what)
		}
		if verified([]byte(altered), a) {
			t.Errorf("%s was not noticed: %s", what, altered)
		}
	}
}

func keyHash(key string) string { return strings.Split(key, "+")[1] }

func TestForeignKey(t *testing.T) {
	t.Parallel()
	all := load(10, 7)
	dir, tree := write(t, all)
	opened := open(t, dir, tree)
	a := answer(t, opened, all[4], rowsOf(all))
	signer := NewSigner(bytes.Repeat([]byte{2}, SeedBytes), "https://razao.example")
	other, err := signer.Checkpoint(&registry.Load{ID: 3, Tree: &tree})
	if err != nil {
		t.Fatal(err)
	}
	if SameKey(a.Key, other.Key) || SameKey("", "") {
		t.Error("two keys are one")
	}
	nextMonth, err := NewSigner(bytes.Repeat([]byte{1}, SeedBytes), "https://razao.example").Checkpoint(&registry.Load{ID: 4, Tree: &tree})
	if err != nil || !SameKey(a.Key, nextMonth.Key) {
		t.Errorf("%s and %s are of one server, %v", a.Key, nextMonth.Key, err)
	}
	for what, key := range map[string]string{"foreign": other.Key, "of another load": nextMonth.Key, "cut": a.Key[:len(a.Key)-8]} {
		b := *a
		b.Key = key
		if _, err := b.Verify(); err == nil {
			t.Errorf("a key %s was taken", what)
		}
	}
}

// TestKeysWithPlusSigns: base64 of every second public key has the sign that separates the parts of a key, and two keys
// may be alike behind it.
func TestKeysWithPlusSigns(t *testing.T) {
	t.Parallel()
	_, tree := write(t, load(1, 7))
	var keys []string
	for i := range byte(200) {
		c, err := NewSigner(bytes.Repeat([]byte{i}, SeedBytes), "https://razao.example").Checkpoint(&registry.Load{ID: 3, Tree: &tree})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := c.Verify(); err != nil {
			t.Errorf("%s: %v", c.Key, err)
		}
		keys = append(keys, c.Key)
	}
	for i, a := range keys {
		for j, b := range keys {
			if SameKey(a, b) != (i == j) {
				t.Errorf("%s and %s are the same: %t", a, b, i != j)
			}
		}
	}
	// A public key of the attacker's that is like ours but for what is before a plus sign.
	ours := bytes.Repeat([]byte{0xfb, 0xef, 0xbe}, 11) // +++…
	theirs := bytes.Clone(ours)
	theirs[3] ^= 1
	var made []string
	for _, public := range [][]byte{ours[1:], theirs[1:]} {
		key, err := note.NewEd25519VerifierKey("razao.example", public)
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, key)
	}
	if SameKey(made[0], made[1]) || !SameKey(made[0], made[0]) {
		t.Errorf("%q are the same", made)
	}
}

// TestHidingCommitment holds that a leaf says nothing of rows that are known but for a few digits.
func TestHidingCommitment(t *testing.T) {
	t.Parallel()
	all := load(10, 8)
	dir, tree := write(t, all)
	a := answer(t, open(t, dir, tree), all[4], rowsOf(all))
	b := *a
	b.Nonce = make([]byte, nonceBytes)
	if b.leaf(all[4].root) == a.Leaf {
		t.Error("the nonce is not in the leaf")
	}
	other := noncesOf(bytes.Repeat([]byte{8}, KeyBytes))
	if bytes.Equal(other.append(nil, all[4].root.Append(nil)), a.Nonce) {
		t.Error("the nonce does not depend on the key")
	}
}

func FuzzAnswer(f *testing.F) {
	all := load(70, 9)
	dir, tree := write(f, all)
	opened, err := Open(dir, &tree)
	if err != nil {
		f.Fatal(err)
	}
	defer opened.Close()
	a := answer(f, opened, all[66], rowsOf(all))
	text, err := json.Marshal(map[string]any{"dados": a})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Add(strings.Replace(string(text), `"indice":66`, `"indice":-1`, 1))
	f.Add(`{"dados":{"checkpoint":"x"}}`)
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ReadAnswer(strings.NewReader(text))
		if err != nil {
			return
		}
		v, err := got.Verify()
		if err != nil || !SameKey(got.Key, a.Key) {
			return
		}
		if got.Leaf != a.Leaf || got.Index != a.Index || (v.Rows && v.Root != all[66].root) {
			t.Errorf("a false answer: %s", text)
		}
	})
}

func FuzzFile(f *testing.F) {
	all := load(200, 10)
	dir, tree := write(f, all)
	whole, err := os.ReadFile(filepath.Join(dir, FileName))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole, int64(200))
	f.Add(whole[:60], int64(64))
	f.Fuzz(func(t *testing.T, body []byte, size int64) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, FileName), body, 0o600); err != nil {
			t.Fatal(err)
		}
		of := tree
		of.Size = size
		opened, err := Open(dir, &of)
		if err != nil {
			return
		}
		defer opened.Close()
		for i, c := range all {
			l, err := opened.Prove(t.Context(), c.root, rowsOf(all))
			if err != nil {
				continue
			}
			if size != tree.Size || l.Index != int64(i) {
				t.Errorf("a false proof of %d in a tree of %d", i, size)
			}
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("\x01\x00\x00\x00\x00"), []byte("\x01"), int32(1))
	f.Fuzz(func(t *testing.T, head, chunk []byte, seq int32) {
		c, err := Decode(5, []Row{{0, head}, {seq, chunk}})
		if err == nil && (len(c.AllPartners) != c.Partners || len(c.AllEstablishments) != c.Establishments) {
			t.Errorf("%d partners, %d establishments", len(c.AllPartners), len(c.AllEstablishments))
		}
	})
}

// BenchmarkWriter takes a million companies with rows of 300 bytes.
func BenchmarkWriter(b *testing.B) {
	doc := bytes.Repeat([]byte("razao"), 60)
	w, err := Create(b.TempDir(), leafKeyOfTests)
	if err != nil {
		b.Fatal(err)
	}
	defer w.Abort()
	root := cnpj.Root(0)
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		root++
		if err := w.Add(root, 0, doc); err != nil {
			b.Fatal(err)
		}
	}
}
