package proof

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"razao/internal/store/registry"
)

// Signer signs checkpoints of the loads of a server. Ed25519 is deterministic, so every server with the
// same seed and address makes the same text. The zero Signer signs nothing: it returns ErrNone.
type Signer struct {
	private ed25519.PrivateKey
	host    string
}

// SeedBytes is the length of the seed of a Signer.
const SeedBytes = ed25519.SeedSize

// NewSigner returns the Signer of a secret seed of SeedBytes for the server with this public URL.
func NewSigner(seed []byte, baseURL string) Signer {
	_, host, _ := strings.Cut(strings.TrimRight(baseURL, "/"), "://")
	return Signer{ed25519.NewKeyFromSeed(seed), host}
}

// Path returns the path of a load of the company registry, where its checkpoint is published.
func Path(load int64) string {
	return "/fontes/" + registry.Receita + "/cargas/" + strconv.FormatInt(load, 10)
}

// Checkpoint is a signed checkpoint.
type Checkpoint struct {
	Text string // the signed note: origin, size, root of the tree; signature
	Key  string // of the signature, as note.NewVerifier takes it
}

// Checkpoint signs the tree of a load. Its origin, which is also the name of the key, is the host and the
// path of the load. The error is ErrNone for a load without a tree.
func (s Signer) Checkpoint(l *registry.Load) (Checkpoint, error) {
	if s.private == nil || l.Tree == nil || len(l.Tree.Hash) != tlog.HashSize {
		return Checkpoint{}, ErrNone
	}
	origin := s.host + Path(l.ID)
	key, err := note.NewEd25519VerifierKey(origin, s.private.Public().(ed25519.PublicKey))
	if err != nil {
		return Checkpoint{}, fmt.Errorf("key of checkpoints: %w", err)
	}
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("key of checkpoints: %w", err)
	}
	text := fmt.Sprintf("%s\n%d\n%s\n", origin, l.Tree.Size, tlog.Hash(l.Tree.Hash))
	signed, err := note.Sign(&note.Note{Text: text}, noteSigner{verifier, s.private})
	if err != nil {
		return Checkpoint{}, fmt.Errorf("sign a checkpoint: %w", err)
	}
	return Checkpoint{string(signed), key}, nil
}

// noteSigner is a note.Signer with the name and hash of its verifier.
type noteSigner struct {
	note.Verifier
	private ed25519.PrivateKey
}

func (s noteSigner) Sign(msg []byte) ([]byte, error) { return ed25519.Sign(s.private, msg), nil }

// Verify checks the signature of the checkpoint and returns its tree. The name of the key must be the
// origin. The note has this one signature: others would be whoever's.
func (c Checkpoint) Verify() (origin string, tree tlog.Tree, err error) {
	verifier, err := note.NewVerifier(c.Key)
	if err != nil {
		return "", tree, fmt.Errorf("key of the checkpoint: %w", err)
	}
	n, err := note.Open([]byte(c.Text), note.VerifierList(verifier))
	if err != nil {
		return "", tree, fmt.Errorf("checkpoint: %w", err)
	}
	signed := n.Sigs[0]
	if c.Text != n.Text+"\n— "+signed.Name+" "+signed.Base64+"\n" || !isCanonical(signed.Base64) || canonical(c.Key) != c.Key {
		return "", tree, errors.New("checkpoint: key and signature are not as they are written, or not alone")
	}
	lines := strings.Split(n.Text, "\n") // the text ends with one
	if len(lines) < 4 || lines[0] != verifier.Name() {
		return "", tree, errors.New("checkpoint: its origin is not the name of the key")
	}
	tree.N, err = strconv.ParseInt(lines[1], 10, 64)
	if err != nil || tree.N < 0 || strconv.FormatInt(tree.N, 10) != lines[1] {
		return "", tree, errors.New("checkpoint: the second line is no size of a tree")
	}
	if tree.Hash, err = tlog.ParseHash(lines[2]); err != nil {
		return "", tree, fmt.Errorf("checkpoint: %w", err)
	}
	return lines[0], tree, nil
}

// canonical returns a verifier key as it is written: NewVerifier also takes capitals and line ends.
func canonical(key string) string {
	name, _, _ := strings.Cut(key, "+")
	written, err := note.NewEd25519VerifierKey(name, ed25519.PublicKey(publicKey(key)[1:]))
	if err != nil {
		return ""
	}
	return written
}

// isCanonical reports whether base64 has no stray bits, which the decoder of notes takes.
func isCanonical(text string) bool {
	_, err := base64.StdEncoding.Strict().DecodeString(text)
	return err == nil
}

// SameKey reports whether two keys of checkpoints, of different loads perhaps, are of one server: whether
// their public keys are equal. The names of keys differ from load to load.
func SameKey(a, b string) bool {
	x, y := publicKey(a), publicKey(b)
	return x != "" && x == y
}

// publicKey returns the public key in a verifier key behind the byte of its algorithm, "" if there is none. The key
// is what follows the second plus sign: base64 has such signs, too.
func publicKey(key string) string {
	if _, err := note.NewVerifier(key); err != nil {
		return ""
	}
	raw, err := base64.StdEncoding.DecodeString(strings.SplitN(key, "+", 3)[2])
	if err != nil {
		return ""
	}
	return string(raw)
}
