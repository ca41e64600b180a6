package proof

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

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

// maxAnswer bounds the bytes of an answer that is read; a company with 30,000 establishments has ten
// million.
const maxAnswer = 256 << 20

// ReadAnswer reads an answer of the API.
func ReadAnswer(r io.Reader) (*Answer, error) {
	var body struct {
		Dados *Answer `json:"dados"`
	}
	text, err := io.ReadAll(io.LimitReader(r, maxAnswer+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxAnswer {
		return nil, errors.New("the answer is larger than any")
	}
	if err := json.Unmarshal(text, &body); err != nil {
		return nil, fmt.Errorf("the answer is no JSON of a proof: %w", err)
	}
	if body.Dados == nil || body.Dados.Checkpoint == "" {
		return nil, errors.New(`the answer has no "dados" with a checkpoint: it is none of …/prova`)
	}
	return body.Dados, nil
}

// Verified is what Verify has checked.
type Verified struct {
	Origin string // host and path of the load
	Root   cnpj.Root
	Rows   bool // false: they were withheld, so only a hash is in the load, and it may be of any company
}

// Verify checks the answer by itself: the signature of the checkpoint under a.Key, whoever's that is;
// the leaf, from root, nonce and rows; and the path from it to the root of the tree.
func (a *Answer) Verify() (Verified, error) {
	origin, tree, err := Checkpoint{a.Checkpoint, a.Key}.Verify()
	if err != nil {
		return Verified{}, err
	}
	v := Verified{Origin: origin, Rows: a.Rows != nil}
	if v.Root, err = cnpj.ParseRoot(a.Root); err != nil || v.Root.String() != a.Root {
		return Verified{}, errors.New("cnpj_basico is no root of a CNPJ")
	}
	if a.Size != tree.N {
		return Verified{}, fmt.Errorf("tamanho is %d, in the checkpoint %d", a.Size, tree.N)
	}
	if v.Rows {
		if len(a.Nonce) != nonceBytes {
			return Verified{}, fmt.Errorf("the nonce has %d bytes instead of %d", len(a.Nonce), nonceBytes)
		}
		if h := a.leaf(v.Root); h != a.Leaf {
			return Verified{}, fmt.Errorf("the rows have the hash %s, not that of the leaf, %s", h, a.Leaf)
		}
	}
	if err := tlog.CheckRecord(a.Path, tree.N, tree.Hash, a.Index, a.Leaf); err != nil {
		return Verified{}, fmt.Errorf("the leaf is not in the tree of the checkpoint: %w", err)
	}
	return v, nil
}

// leaf computes the hash of the leaf.
func (a *Answer) leaf(root cnpj.Root) tlog.Hash {
	l := append(leaf(root.Append(nil)), a.Nonce...)
	for _, r := range a.Rows {
		l = l.add(r.Seq, r.Doc)
	}
	return tlog.RecordHash(l)
}
