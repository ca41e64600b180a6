package proof

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"razao/internal/data/cnpj"
	"razao/internal/store/registry"
)

// Answer is the proof of a company as it leaves the server: "dados" of the API's answer. Bytes are
// base64 (RFC 4648, section 4).
type Answer struct {
	Root       string      `json:"cnpj_basico"`
	Load       int64       `json:"carga"`
	Index      int64       `json:"indice"`
	Size       int64       `json:"tamanho"`
	Leaf       tlog.Hash   `json:"folha"`
	Path       []tlog.Hash `json:"caminho"`
	Checkpoint string      `json:"checkpoint"`
	Key        string      `json:"chave"`
	Nonce      []byte      `json:"nonce"`  // nil: withheld, with the rows
	Rows       []Row       `json:"linhas"` // nil: withheld
	Withheld   *string     `json:"aviso"`  // why they are; nil if they are not
}

// withheld says why an answer has no rows.
const withheld = "Um contato desta empresa foi ocultado a pedido. As linhas guardadas trazem o contato e não podem ser mostradas em parte, por isso não saem; " +
	"a prova vale para o hash da folha."

// NewAnswer returns the answer about a company of a load that has a tree.
func NewAnswer(root cnpj.Root, load *registry.Load, c Checkpoint, l *Leaf) *Answer {
	a := &Answer{
		Root: root.String(), Load: load.ID, Index: l.Index, Size: load.Tree.Size, Leaf: l.Hash, Path: append([]tlog.Hash{}, l.Path...),
		Checkpoint: c.Text, Key: c.Key, Nonce: l.Nonce, Rows: l.Rows,
	}
	if a.Rows == nil {
		why := withheld
		a.Withheld = &why
	}
	return a
}

// ReadAnswer reads an answer of the API; see AnswerOf.
func ReadAnswer(r io.Reader) (*Answer, error) {
	value, err := ReadJSON(r)
	if err != nil {
		return nil, fmt.Errorf("the answer is no JSON of a proof: %w", err)
	}
	return AnswerOf(value)
}

// AnswerOf returns the proof in an answer that ReadJSON has read. Its "dados" are what NewAnswer makes, member
// for member: encoding/json alone would take other names, names in capitals, and base64 with stray bits.
func AnswerOf(value any) (*Answer, error) {
	body, _ := value.(map[string]any)
	dados, _ := body["dados"].(map[string]any)
	if dados["checkpoint"] == nil {
		return nil, errors.New(`the answer has no "dados" with a checkpoint: it is none of …/prova`)
	}
	text, err := json.Marshal(dados)
	if err != nil {
		return nil, err
	}
	a := new(Answer)
	if err := json.Unmarshal(text, a); err != nil {
		return nil, fmt.Errorf("the answer is no JSON of a proof: %w", err)
	}
	if text, err = json.Marshal(a); err != nil {
		return nil, err
	}
	again, err := ReadJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	if c := Compare("dados", again, any(dados)); len(c.Different) > 0 {
		return nil, fmt.Errorf("the answer is no proof as the API writes it: see %s", c.Different[0].Path)
	}
	return a, nil
}

// Verification is what Verify has checked.
type Verification struct {
	Origin string    // host and path of the load
	Rows   bool      // false: they were withheld, so only a hash is in the load, and it may be of any company
	Root   cnpj.Root // 0 without rows
}

// Verify checks the answer by itself: the signature of the checkpoint under a.Key, whoever's that is;
// the load in its origin; the leaf, from root, nonce and rows; and the path from it to the root of the tree.
func (a *Answer) Verify() (Verification, error) {
	origin, tree, err := Checkpoint{a.Checkpoint, a.Key}.Verify()
	if err != nil {
		return Verification{}, err
	}
	if !strings.HasSuffix(origin, Path(a.Load)) {
		return Verification{}, fmt.Errorf("carga is %d, the checkpoint is of %s", a.Load, origin)
	}
	if a.Size != tree.N {
		return Verification{}, fmt.Errorf("tamanho is %d, in the checkpoint %d", a.Size, tree.N)
	}
	v := Verification{Origin: origin, Rows: a.Rows != nil}
	if err := a.verifyRows(&v); err != nil {
		return Verification{}, err
	}
	if a.Path == nil {
		return Verification{}, errors.New("caminho is null")
	}
	if err := tlog.CheckRecord(a.Path, tree.N, tree.Hash, a.Index, a.Leaf); err != nil {
		return Verification{}, fmt.Errorf("the leaf is not in the tree of the checkpoint: %w", err)
	}
	return v, nil
}

// verifyRows checks the hash of the leaf. Rows and nonce come together, or a text says why neither comes.
func (a *Answer) verifyRows(v *Verification) error {
	root, err := cnpj.ParseRoot(a.Root)
	switch {
	case err != nil || root.String() != a.Root:
		return errors.New("cnpj_basico is no root of a CNPJ")
	case v.Rows != (a.Nonce != nil), v.Rows != (a.Withheld == nil):
		return errors.New("linhas and nonce come together, or aviso without either")
	case !v.Rows:
		return nil
	case len(a.Nonce) != nonceBytes:
		return fmt.Errorf("the nonce has %d bytes instead of %d", len(a.Nonce), nonceBytes)
	}
	if h := a.leaf(root); h != a.Leaf {
		return fmt.Errorf("the rows have the hash %s, not that of the leaf, %s", h, a.Leaf)
	}
	v.Root = root
	return nil
}

// leaf computes the hash of the leaf.
func (a *Answer) leaf(root cnpj.Root) tlog.Hash {
	l := append(leaf(root.Append(nil)), a.Nonce...)
	for _, r := range a.Rows {
		l = l.add(r.Seq, r.Doc)
	}
	return tlog.RecordHash(l)
}
